"""Lesson 07: its code is right, its calculator agrees with NumPy, claims hold on other seeds."""

import ast
import json
import math
from pathlib import Path

import numpy as np
import pytest

from helpers.lessons import lesson07
from helpers.lessons.lesson07 import demo as calculator
from helpers.lessons.lesson07 import figures as cost
from helpers.measure import (
    attention_bytes,
    attention_flops,
    count_operations,
    log_log_slope,
    peak_memory,
)
from helpers.numpy_attention import KVCache, blocked_attention, causal_mask, self_attention
from helpers.sentences import TOKENS

NOTEBOOK = Path(__file__).resolve().parents[1] / "notebooks" / "07_n_squared.ipynb"
other_seed = pytest.mark.parametrize("seed", range(5, 10))


def functions_of_the_lesson():
    """The functions that the lesson's own cells define and that need nothing but NumPy."""
    names = ("attention", "layer", "attention_in_blocks", "colleagues_blocks")
    space = {"np": np, "math": math}
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            for node in ast.parse(source).body:
                if isinstance(node, ast.FunctionDef) and node.name in names:
                    exec(ast.unparse(node), space)
    return [space[name] for name in names]


attention, layer, attention_in_blocks, colleagues_blocks = functions_of_the_lesson()


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


@pytest.mark.parametrize("block_size", [1, 3, 7, 100])
@pytest.mark.parametrize("level", [0.0, 1000.0, -1000.0])
def test_both_ways_of_the_lesson_are_attention_at_any_level_of_scores(block_size, level):
    rng = np.random.default_rng(3)
    Q, K, V = rng.normal(size=(6, 4)), rng.normal(size=(7, 4)), rng.normal(size=(7, 2))
    Q[:, 0], K[:, 0] = 2.0, K[:, 0] + level
    want = by_loops(Q, K, V)
    np.testing.assert_allclose(attention(Q, K, V), want, atol=1e-10)
    np.testing.assert_allclose(attention_in_blocks(Q, K, V, block_size), want, atol=1e-10)


@other_seed
def test_the_colleagues_blocks_fail_only_where_the_lesson_says(seed):
    Q, K, V = np.random.default_rng(seed).normal(size=(3, 1024, 256))
    query = Q[:1]
    right = attention(query, K, V)
    np.testing.assert_allclose(colleagues_blocks(query, K, V), right, atol=1e-12)
    away = K - 100 * query
    np.testing.assert_allclose(attention(query, away, V), right, atol=1e-8)
    assert not colleagues_blocks(query, away, V).any()


# ------------------------------------------------------------------------ claims, on other seeds


@other_seed
def test_claim_1_every_pair_matters(seed):
    n, d_k = 12, 5
    Q, K, V = np.random.default_rng(seed).normal(size=(3, n, d_k))
    moved = np.zeros((n, n))
    for j in range(n):
        new_K, new_V = K.copy(), V.copy()
        new_K[j] += 1
        new_V[j] += 1
        moved[:, j] = np.abs(attention(Q, new_K, new_V) - attention(Q, K, V)).max(axis=1) > 1e-9
    products = count_operations(np.matmul, Q, K.T).products
    lesson07.claim(
        "7.1",
        pairs_in_which_the_one_moves_the_other=moved.mean(),
        score_products_per_pair_and_column=products / (n * n * d_k),
    )


@other_seed
def test_claim_2_doubling(seed):
    rng = np.random.default_rng(seed)
    matrices = rng.normal(size=(4, 64, 64))

    def products(n):
        return count_operations(layer, rng.normal(size=(n, 64)), *matrices).products

    lesson07.claim(
        "7.2",
        counted_at_small_n=products(16) / products(8),
        at_middle_n=products(256) / products(128),
        at_large_n=products(4096) / products(2048),
    )


def peak_of(function, n, rng, d=256):
    given = rng.normal(size=(3, n, d)).astype(np.float32)
    return peak_memory(lambda: function(*given))


@other_seed
def test_claim_3_memory_of_the_table(seed):
    rng = np.random.default_rng(seed)
    half, whole = peak_of(attention, 1024, rng, 64), peak_of(attention, 2048, rng, 64)
    lesson07.claim(
        "7.3",
        peak_memory_at_twice_the_length=whole / half,
        matrices_held_at_once=whole / (4 * 2048**2),
    )


@other_seed
def test_claim_4_blocks(seed):
    rng = np.random.default_rng(seed)
    long = (512, 1024, 2048)
    double = rng.normal(size=(3, 1024, 256))
    lesson07.claim(
        "7.4",
        results_differ_by=np.abs(attention_in_blocks(*double) - attention(*double)).max(),
        slope_of_the_memory=log_log_slope(
            long, [peak_of(attention_in_blocks, n, rng) for n in long]
        ),
        slope_of_the_products=log_log_slope(
            long,
            [count_operations(attention_in_blocks, *np.ones((3, n, 8))).products for n in long],
        ),
    )


@other_seed
def test_claim_5_cache(seed):
    rng = np.random.default_rng(seed)
    X, W_Q, W_K, W_V = rng.normal(size=(10, 6)), *rng.normal(size=(3, 6, 4))
    cache, off = KVCache(W_Q, W_K, W_V), 0.0
    for t, x in enumerate(X):
        prefix = X[: t + 1]
        whole, _ = self_attention(prefix, W_Q, W_K, W_V, causal_mask(t + 1))
        off = max(off, np.abs(cache.step(x) - whole[-1]).max())
    written = np.array([32, 64, 128, 256])
    lesson07.claim(
        "7.5",
        outputs_differ_by=off,
        slope_of_all_scores_without_a_cache=log_log_slope(
            written, [sum(t * t for t in range(1, n + 1)) for n in written.tolist()]
        ),
        with_it=log_log_slope(written, written * (written + 1) / 2),
    )


def test_claim_6_a_gib_of_scores_that_is_never_there():
    rng = np.random.default_rng(5)
    double = rng.normal(size=(3, 600, 16))
    in_blocks, with_table = (
        count_operations(way, *double).products for way in (attention_in_blocks, attention)
    )
    lesson07.claim(
        "7.6",
        extra_memory_as_a_part_of_the_matrix=peak_of(blocked_attention, 16384, rng, 64)
        / (4 * 16384**2),
        products_compared_with_the_matrix_version=in_blocks / with_table,
    )


def test_blocks_of_the_library_agree_with_the_table_in_float32():
    given = np.random.default_rng(6).normal(size=(3, 4096, 64)).astype(np.float32)
    np.testing.assert_allclose(blocked_attention(*given), attention(*given), atol=1e-5)


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
        needs = attention_bytes(n, d_model, heads, layers, size)
        assert share == pytest.approx((flops["scores"] + flops["sum"]) / sum(flops.values()))
        assert (tables, cache) == (needs["score tables"], needs["cache"])


# ------------------------------------------------------------------------ the calculator


def test_the_calculators_models_can_be_cut_into_their_heads():
    for model in calculator.MODELS.values():
        assert model["d_model"] % model["heads"] == 0
    assert list(calculator.MACHINES.values()) == sorted(calculator.MACHINES.values())


# --------------------------------------------------------------------------------- pictures


def test_the_running_row_shows_the_softmax_so_far():
    row = [3.0, 0.0, 1.0, 5.0]
    first = cost.running_row(row, ["a", "b", "c", "d"], block_size=3, blocks=1)
    total = math.fsum(math.exp(s - 3) for s in row[:3])
    assert f"largest score so far 3.0, total so far {total:.3f}" in first.caption
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
