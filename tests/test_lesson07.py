"""Lesson 07: its code is right, its prices are those of real arrays and of published models."""

import ast
import json
import math
from pathlib import Path

import numpy as np
import pytest

from helpers.lessons import lesson07
from helpers.lessons.lesson07 import figures as cost
from helpers.lessons.lesson07.demo import LENGTHS, MACHINES
from helpers.lessons.lesson07.prices import MODELS, Model, costs
from helpers.measure import attention_flops
from helpers.numpy_attention import blocked_attention
from helpers.sentences import TOKENS

NOTEBOOK = Path(__file__).resolve().parents[1] / "notebooks" / "07_n_squared.ipynb"
other_seed = pytest.mark.parametrize("seed", range(5, 10))


def functions_of_the_lesson():
    """The functions that the lesson's own cells define and that need nothing but NumPy."""
    names = ("whole_table", "in_blocks", "linear_attention", "articles_attention", "softmax")
    space = {"np": np, "lesson07": lesson07}
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            for node in ast.parse(source).body:
                if isinstance(node, ast.FunctionDef) and node.name in names:
                    exec(ast.unparse(node), space)
    return [space[name] for name in names[:4]]


whole_table, in_blocks, linear_attention, articles_attention = functions_of_the_lesson()


def by_loops(Q, K, V, mask=None):
    """Attention with exact sums, one score at a time; mask True = may attend."""
    output = np.zeros((len(Q), V.shape[1]))
    for i, q in enumerate(Q):
        keys = [j for j in range(len(K)) if mask is None or mask[i, j]]
        scores = {j: math.fsum(q * K[j]) / math.sqrt(len(q)) for j in keys}
        weights = {j: math.exp(scores[j] - max(scores.values())) for j in keys}
        for c in range(V.shape[1]):
            total = math.fsum(weights.values())
            output[i, c] = math.fsum(weights[j] * V[j, c] for j in keys) / total
    return output


# ------------------------------------------------------------------------- the lesson's own code


@pytest.mark.parametrize("block", [1, 3, 7, 100])
@pytest.mark.parametrize("level", [0.0, 1000.0, -1000.0])
def test_all_ways_of_the_lesson_are_attention_at_any_level_of_scores(block, level):
    rng = np.random.default_rng(3)
    Q, K, V = rng.normal(size=(6, 4)), rng.normal(size=(7, 4)), rng.normal(size=(7, 2))
    Q[:, 0], K[:, 0] = 2.0, K[:, 0] + level
    want = by_loops(Q, K, V)
    np.testing.assert_allclose(whole_table(Q, K, V), want, atol=1e-10)
    np.testing.assert_allclose(articles_attention(Q, K, V), want, atol=1e-10)
    np.testing.assert_allclose(in_blocks(Q, K, V, block), want, atol=1e-10)


@other_seed
def test_linear_attention_is_the_same_with_its_table_of_shares(seed):
    Q, K, V = np.random.default_rng(seed).normal(size=(3, 7, 4))
    shares = np.exp(Q) @ np.exp(K).T
    want = shares / shares.sum(axis=1, keepdims=True) @ V
    np.testing.assert_allclose(linear_attention(Q, K, V), want, atol=1e-12)


def test_blocks_of_the_library_agree_with_the_table_in_float32():
    given = np.random.default_rng(6).normal(size=(3, 4096, 64)).astype(np.float32)
    np.testing.assert_allclose(blocked_attention(*given), whole_table(*given), atol=1e-5)


# ------------------------------------------------------------------------------------ prices


@pytest.mark.parametrize(
    ("name", "kib", "numbers"),
    [
        ("GPT-2 small", 36, 2 * 12 * 768),
        ("Llama-2-7B", 512, 2 * 32 * 4096),
        ("Llama-3-8B", 128, 2 * 32 * 8 * 128),
        ("Llama-3-70B", 320, 2 * 80 * 8 * 128),
        ("DeepSeek-V3", 68.6, 61 * (512 + 64)),
    ],
)
def test_the_cache_of_a_real_model_has_its_published_size(name, kib, numbers):
    cache = costs(1, MODELS[name])["cache"]
    assert cache == 2 * numbers
    assert cache / 1024 == pytest.approx(kib, abs=0.05)
    assert costs(1000, MODELS[name])["cache"] == 1000 * cache


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_predicted_bytes_are_those_of_real_arrays(dtype):
    size, n = np.dtype(dtype).itemsize, 7
    model = Model(6, 3, 2, 5, 4, weights=2e-6, active=1e-6, bytes=size)
    needs = costs(n, model)
    assert needs["tables"] == np.zeros((6, n, n), dtype).nbytes
    kept = np.zeros((4, 3, n, 2), dtype), np.zeros((4, 3, n, 5), dtype)
    assert needs["cache"] == sum(array.nbytes for array in kept)
    assert needs["weights"] == np.zeros(2000, dtype).nbytes
    assert costs(10**6, model)["blocks"] < 10**8 < costs(10**6, model)["tables"]


@pytest.mark.parametrize("causal", [True, False])
def test_predicted_operations_are_those_of_single_scores(causal):
    n, model = 5, Model(3, 3, 2, 4, 2, weights=1e-9, active=1e-9, causal=causal)
    seen = sum(1 for i in range(n) for j in range(n) if j <= i or not causal)
    each = 2 * 2 + 2 * 4  # a score of two numbers, and a share of a value of four
    assert costs(n, model)["pair_operations"] == 2 * 3 * seen * each
    assert costs(n, model)["weight_operations"] == pytest.approx(2 * n)


def test_the_machines_of_the_calculator_rise_and_its_texts_begin_with_the_sentence():
    assert list(MACHINES.values()) == sorted(MACHINES.values())
    assert next(iter(LENGTHS.values())) == len(TOKENS)


# --------------------------------------------------------------------------------- exercises


@other_seed
def test_blocks_merged_in_any_order_are_the_whole_softmax(seed):
    rng = np.random.default_rng(seed)
    Q, K, V = rng.normal(size=(4, 3)), rng.normal(size=(9, 3)), rng.normal(size=(9, 2))

    def block(keys):
        scores = Q @ K[keys].T / math.sqrt(3)
        largest = scores.max(axis=1)
        exponentials = np.exp(scores - largest[:, None])
        return largest, exponentials.sum(axis=1), exponentials @ V[keys]

    parts = [block(keys) for keys in np.array_split(rng.permutation(9), 4)]
    merge = lesson07.merge_blocks.reference
    _, total, mixed = merge(merge(parts[3], parts[0]), merge(parts[2], parts[1]))
    np.testing.assert_allclose(mixed / total[:, None], by_loops(Q, K, V), atol=1e-12)


@other_seed
def test_online_softmax_with_a_mask_is_attention(seed):
    rng = np.random.default_rng(seed)
    Q, K, V = rng.normal(size=(5, 3)), rng.normal(size=(8, 3)), rng.normal(size=(8, 2))
    mask = rng.random((5, 8)) < 0.4
    mask[:, 6] = True
    for block_size in (1, 3, 8):
        got = lesson07.online_softmax.reference(Q, K, V, block_size, mask)
        np.testing.assert_allclose(got, by_loops(Q, K, V, mask), atol=1e-12)


def test_a_cache_may_be_anything_and_numbers_may_be_float32():
    def step(x, t, cache, W_Q, W_K, W_V, positions):
        cache = {"seen": []} if cache is None else cache
        cache["seen"].append(np.float32(x + positions[t]))
        X = np.array(cache["seen"])
        scores = X @ np.float32(W_K) @ (X[-1] @ np.float32(W_Q)) / math.sqrt(W_Q.shape[1])
        weights = np.exp(scores - scores.max())
        return (weights @ (X @ np.float32(W_V)) / weights.sum()).tolist(), cache

    verdict = lesson07.kv_cache.check(step)
    assert verdict.correct, verdict


def test_a_cache_that_lives_outside_the_function_is_found_out():
    kept = []

    def step(x, t, cache, W_Q, W_K, W_V, positions):
        kept.append(x + positions[t])
        X = np.array(kept)
        scores = X @ W_K @ (X[-1] @ W_Q) / math.sqrt(W_Q.shape[1])
        weights = np.exp(scores - scores.max())
        return weights @ (X @ W_V) / weights.sum(), None

    assert lesson07.kv_cache.check(step).state == "wrong"


def test_the_cost_model_agrees_with_the_lessons_own_functions():
    for n, d_model, heads, layers, size in [(10, 512, 8, 6, 4), (4096, 4096, 32, 32, 2)]:
        share, tables, cache = lesson07.cost_model.reference(n, d_model, heads, layers, size)
        flops = attention_flops(n, d_model, heads)
        d_head = d_model // heads
        needs = costs(n, Model(heads, heads, d_head, d_head, layers, 1, 1, bytes=size))
        assert share == pytest.approx((flops["scores"] + flops["sum"]) / sum(flops.values()))
        assert (tables, cache) == (needs["tables"], needs["cache"])


@pytest.mark.parametrize("name", ["GPT-2 small", "Llama-2-7B", "Llama-3-8B", "Llama-3-70B"])
def test_one_token_more_than_the_longest_text_does_not_fit(name):
    model, memory = MODELS[name], 200 * 2**30
    weights = round(1e9 * model.weights)
    longest = lesson07.longest_text.reference(
        memory, weights, model.layers, model.kv, model.key, model.bytes
    )
    needs = [costs(n, model)["cache"] + weights * model.bytes for n in (longest, longest + 1)]
    assert needs[0] <= memory < needs[1]


@other_seed
def test_a_state_of_two_sums_is_linear_attention_over_all_tokens_so_far(seed):
    q, k, v = np.random.default_rng(seed).uniform(0.1, 2, size=(3, 6, 3))
    state = None
    for t in range(6):
        output, state = lesson07.linear_step.reference(q[t], k[t], v[t], state)
        shares = [math.fsum(q[t] * k[j]) for j in range(t + 1)]
        want = sum(share * v[j] for j, share in enumerate(shares)) / sum(shares)
        np.testing.assert_allclose(output, want, atol=1e-12)


def test_a_state_may_be_anything_that_does_not_grow():
    class State:
        def __init__(self, k, v):
            self.sums = {"k": k, "kv": np.outer(k, v).tolist()}

    def step(q, k, v, state):
        new = State(k, v)
        if state is not None:
            new.sums = {name: np.add(new.sums[name], state.sums[name]) for name in new.sums}
        return (q @ new.sums["kv"] / (q @ new.sums["k"])).tolist(), new

    verdict = lesson07.linear_step.check(step)
    assert verdict.correct, verdict


# --------------------------------------------------------------------------------- pictures


def test_the_running_row_shows_the_softmax_so_far():
    row = [3.0, 0.0, 1.0, 5.0]
    first = cost.running_row(row, ["a", "b", "c", "d"], block_size=3, blocks=1)
    total = math.fsum(math.exp(s - 3) for s in row[:3])
    assert f"Largest score so far 3.0, total so far {total:.3f}" in first.caption
    last = cost.running_row(row, ["a", "b", "c", "d"], block_size=3, blocks=2)
    assert f"total so far {total * math.exp(-2) + 1:.3f}" in last.caption
    assert "exp(3.0 − 5.0) = 0.135" in last.caption


def test_after_the_last_block_nothing_changes_any_more():
    row = np.arange(10.0)
    ends = [cost.running_row(row, TOKENS, block_size=5, blocks=b).caption for b in (2, 3, 10)]
    assert len(set(ends)) == 1


def test_senseless_settings_of_pictures_are_refused():
    with pytest.raises(ValueError, match="at least 1, got 0, 1"):
        cost.running_row([1.0], ["a"], block_size=0, blocks=1)
    with pytest.raises(ValueError, match="'time' or 'memory', got 'money'"):
        cost.against_length([1, 2], {"a": [1, 2]}, "money")


def test_time_and_memory_are_drawn_in_readable_units():
    axes = cost.against_length([1, 2], {"a": [0.001, 0.002]}, "time").axes[0]
    np.testing.assert_allclose(axes.lines[0].get_ydata(), [1, 2])
    predicted = {"table": [2**20, 2**21]}
    axes = cost.against_length([1, 2], {"a": [2**20, 2**22]}, "memory", predicted).axes[0]
    np.testing.assert_allclose(axes.lines[0].get_ydata(), [1, 4])
    np.testing.assert_allclose(axes.lines[1].get_ydata(), [1, 2])


@pytest.mark.parametrize(
    ("amount", "text"), [(0, "0 bytes"), (1023, "1,023 bytes"), (2**26, "64 MiB"), (2**50, "1 PiB")]
)
def test_bytes_in_words(amount, text):
    assert cost.bytes_text(amount) == text
