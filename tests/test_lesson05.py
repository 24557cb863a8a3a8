"""Lesson 05: the statistics and the training are right, and the claims hold on other seeds."""

import math

import numpy as np
import pytest
import torch

from helpers import torch_attention
from helpers.lessons import lesson05
from helpers.lessons.lesson05 import experiment as scaling
from helpers.lessons.lesson05 import figures, statistics
from helpers.lessons.lesson05.demo import growing_dot_products

DIVISORS = {"no division": lambda d: 1.0, "÷ √d_k": math.sqrt, "÷ d_k": float}
DRAWS = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "uniform": lambda rng, shape: rng.uniform(-math.sqrt(3), math.sqrt(3), size=shape),
    "coin": lambda rng, shape: 2.0 * rng.integers(2, size=shape) - 1,
    "lopsided": lambda rng, shape: rng.exponential(size=shape) - 1,
}
OTHER_SEEDS = range(5, 10)
other_seed = pytest.mark.parametrize("seed", OTHER_SEEDS)


# ------------------------------------------------------------------------------- the statistics


def test_variance_is_that_of_all_pairs_also_when_they_are_drawn_in_parts():
    given = np.random.default_rng(0).normal(size=(2, 2500, 2048))
    rows = [0, 0]
    turn = iter(range(1000))

    def draw(rng, shape):
        which = next(turn) % 2  # queries and keys come in turn
        start, rows[which] = rows[which], rows[which] + shape[0]
        return given[which, start : start + shape[0]]

    got = statistics.dot_product_variance(draw, [2048], rng=None, pairs=2500)
    dots = [sum(q * k) for q, k in zip(*given, strict=True)]
    np.testing.assert_allclose(got, np.var(dots), rtol=1e-9)
    assert rows == [2500, 2500]


def test_slope_of_a_power_law_is_its_power():
    x = np.array([2.0, 8.0, 64.0])
    assert statistics.log_log_slope(x, 7 * x**1.5) == pytest.approx(1.5)
    with pytest.raises(ValueError, match="positive"):
        statistics.log_log_slope([1, 2], [0, 1])


def test_neighbours_resemble_each_other_by_the_given_correlation():
    entries = statistics.neighbours_alike(np.random.default_rng(0), (40_000, 6), 0.9)
    found = np.corrcoef(entries.T)
    steps = np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
    np.testing.assert_allclose(found, 0.9**steps, atol=0.02)
    np.testing.assert_allclose(entries.var(axis=0), 1, atol=0.04)


def test_evenness_is_one_for_equal_weights_and_zero_for_one_that_has_all():
    rows = [[0.25] * 4, [1, 0, 0, 0], [0.5, 0.5, 0, 0]]
    np.testing.assert_allclose(statistics.entropy_share(rows), [1, 0, 0.5], atol=1e-15)


@pytest.mark.parametrize("n", [1, 2, 5, 64])
def test_size_of_the_jacobian_is_that_of_the_whole_table(n):
    rows = np.random.default_rng(n).dirichlet(np.full(n, 0.3), size=(3, 7))
    whole = [[np.linalg.norm(np.diag(p) - np.outer(p, p)) for p in block] for block in rows]
    np.testing.assert_allclose(statistics.jacobian_norm(rows), whole, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("small", [1e-3, 1e-9, 1e-15, 1e-100])
def test_size_of_the_jacobian_is_exact_for_a_row_that_is_nearly_one_hot(small):
    size = statistics.jacobian_norm([small, 1 - small])
    assert size == pytest.approx(2 * small * (1 - small), rel=1e-9)


def test_divisors_are_compared_on_the_same_random_numbers():
    twice = {"a": math.sqrt, "b": math.sqrt}
    found = statistics.weights_by_dimension(8, [2, 16], twice, np.random.default_rng(0))
    for what in ("largest", "entropy", "jacobian"):
        np.testing.assert_array_equal(getattr(found["a"], what), getattr(found["b"], what))
    start = statistics.gradients_at_start(4, 8, twice, np.random.default_rng(0))
    np.testing.assert_array_equal(start["a"].W_Q, start["b"].W_Q)


@pytest.mark.parametrize("name", DIVISORS)
def test_gradients_at_the_start_are_those_of_autograd(name):
    n, d, sentences = 5, 6, 3
    got = statistics.gradients_at_start(n, d, DIVISORS, np.random.default_rng(3), sentences)[name]
    rng = np.random.default_rng(3)
    X = torch.tensor(rng.normal(size=(sentences, n, d)))
    W_Q, W_K, W_V = torch.tensor(rng.normal(size=(3, d, d)) / math.sqrt(d))
    G = torch.tensor(rng.normal(size=(sentences, n, d)))
    W_Q.requires_grad_()
    dots = (X @ W_Q) @ (X @ W_K).mT
    dots.retain_grad()
    weights = (dots / DIVISORS[name](d)).softmax(dim=-1)
    (weights @ (X @ W_V) * G).sum().backward()
    np.testing.assert_allclose(got.W_Q, W_Q.grad, atol=1e-12)
    np.testing.assert_allclose(got.rows, dots.grad.norm(dim=-1).flatten(), atol=1e-12)


@pytest.mark.parametrize("name", statistics.STARTS)
def test_spread_of_scores_follows_from_the_sizes(name):
    start = statistics.STARTS[name]
    found = statistics.measured_spread(*start, np.random.default_rng(0))
    assert found == pytest.approx(statistics.predicted_spread(*start), rel=0.1)


def test_pytorch_starts_as_the_lesson_says():
    torch.manual_seed(0)
    linear = torch.nn.Linear(512, 512).weight.std().item()
    heads = torch.nn.MultiheadAttention(512, 8).in_proj_weight.std().item()
    assert linear == pytest.approx(statistics.STARTS["PyTorch Linear"][2], rel=0.02)
    assert heads == pytest.approx(statistics.STARTS["PyTorch MHA"][2], rel=0.02)


# --------------------------------------------------------------------------------- the training


def test_comparing_words_gives_what_attention_over_the_facts_gives():
    generator = torch.Generator().manual_seed(0)
    model = scaling._parameters(24, 1.0, generator)
    names, objects = scaling._stories(generator)
    _, weights, answers = scaling._answer(model, names, objects, math.sqrt(24))
    words, questions, W_Q, W_K, W_V, readout = model
    facts = words[names] + words[scaling.NAMES + objects]  # (batch, facts, d_model)
    Q, K, V = questions[names] @ W_Q, facts @ W_K, facts @ W_V
    output, wanted = torch_attention.scaled_dot_product_attention(Q, K, V)
    torch.testing.assert_close(weights, wanted, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(answers, output @ readout, atol=1e-4, rtol=1e-4)


def test_a_story_tells_each_name_once():
    names, objects = scaling._stories(torch.Generator().manual_seed(1))
    assert names.shape == objects.shape == (scaling.BATCH, scaling.FACTS)
    assert all(len(set(row)) == scaling.FACTS for row in names.tolist())
    assert set(objects.flatten().tolist()) == set(range(scaling.OBJECTS))


def test_queries_and_keys_start_with_entries_of_variance_one():
    words, questions, W_Q, W_K, _, _ = scaling._parameters(
        512, 1.0, torch.Generator().manual_seed(0)
    )
    keys = (words[:8] + words[scaling.NAMES :]) @ W_K
    assert (questions @ W_Q).var().item() == pytest.approx(1, abs=0.15)
    assert keys.var().item() == pytest.approx(1, abs=0.25)


def test_a_run_is_repeatable_and_leaves_torch_as_it_was():
    threads = torch.get_num_threads()
    first, second = (scaling.train(8.0, 64, seed=3, steps=6) for _ in range(2))
    assert first == second
    assert first != scaling.train(8.0, 64, seed=4, steps=6)
    assert torch.get_num_threads() == threads
    assert (torch.tensor(1e-39) * 1.0).item() > 0


def test_training_ends_when_solved_or_after_the_last_step():
    solved = scaling.train(math.sqrt(512), 512, seed=5)
    assert len(solved.accuracy) == solved.solved_after < 300
    short = scaling.train(math.sqrt(512), 512, seed=5, steps=7)
    assert short.solved_after is None
    assert len(short.accuracy) == len(short.spread) == len(short.right_weight) == 7


def test_all_combinations_are_trained():
    runs = scaling.train_all(DIVISORS, (8, 16), seeds=(0, 1), steps=2)
    assert {(r.name, r.d_k, r.seed) for r in runs} == {
        (name, d, seed) for name in DIVISORS for d in (8, 16) for seed in (0, 1)
    }


def test_smaller_matrices_start_where_the_division_starts():
    divided = scaling.train(math.sqrt(512), 512, seed=6, steps=1)
    smaller = scaling.train(1.0, 512, seed=6, steps=1, shrink=512**-0.25)
    assert smaller.spread[0] == pytest.approx(divided.spread[0], rel=1e-4)


def test_without_a_division_batches_agree_less_on_where_to_go():
    found = {
        name: [scaling.agreement_of_batches(DIVISORS[name](512), 512, s) for s in OTHER_SEEDS]
        for name in ("no division", "÷ √d_k")
    }
    size, cosine = np.mean(found["no division"], axis=0)
    size_divided, cosine_divided = np.mean(found["÷ √d_k"], axis=0)
    assert size > 3 * size_divided
    assert cosine < 0.15
    assert cosine_divided > 0.2


def test_smaller_matrices_learn_about_as_fast_as_the_division():
    steps = [
        scaling.train(1.0, 512, seed, shrink=512**-0.25, learning_rate=1e-3, steps=150)
        for seed in OTHER_SEEDS
    ]
    assert all(run.solved_after for run in steps)


# -------------------------------------------------------------------- the claims, on other seeds


@other_seed
def test_claim_on_the_variance_holds(seed):
    rng = np.random.default_rng(seed)
    dimensions = 2 ** np.arange(1, 13)
    found = [
        statistics.dot_product_variance(draw, dimensions, rng, pairs=2500)
        for draw in DRAWS.values()
    ]
    slopes = [statistics.log_log_slope(dimensions, variances) for variances in found]
    q, k = (statistics.neighbours_alike(rng, (2000, 512), 0.9) for _ in range(2))
    alike = ((q * k).sum(axis=-1) / math.sqrt(512)).var()
    lesson05.claim(
        "5.1",
        smallest_slope=min(slopes),
        largest_slope=max(slopes),
        with_neighbours_alike=alike,
    )
    trained = scaling.train(math.sqrt(512), 512, seed, steps=100, stop=False)
    by_d = np.concatenate([variances / dimensions for variances in found])
    lesson05.claim(
        "5.4",
        smallest_variance=by_d.min(),
        largest_variance=by_d.max(),
        after_training=trained.spread[-1] ** 2,
    )


@other_seed
def test_claim_on_one_hot_weights_holds(seed):
    rng = np.random.default_rng(seed)
    found = statistics.weights_by_dimension(64, [2, 512], DIVISORS, rng)["no division"]
    lesson05.claim("5.2", largest_weight=found.largest[1], with_two_entries=found.largest[0])


@other_seed
def test_claim_on_the_gradient_holds(seed):
    start = statistics.gradients_at_start(10, 512, DIVISORS, np.random.default_rng(seed), 32)
    raw, divided = start["no division"], start["÷ √d_k"]
    squares = np.sort(raw.rows**2)[::-1]
    lesson05.claim(
        "5.3",
        median_row=np.median(raw.rows) / np.median(divided.rows),
        W_Q=np.linalg.norm(raw.W_Q) / np.linalg.norm(divided.W_Q),
        from_the_top_tenth_of_rows=squares[: len(squares) // 10].sum() / squares.sum(),
    )


def test_claim_on_training_holds_with_other_seeds():
    runs = scaling.train_all(DIVISORS, (512,), OTHER_SEEDS, steps=300)
    steps = {
        name: np.median([run.solved_after or 300 for run in runs if run.name == name])
        for name in DIVISORS
    }
    rng = np.random.default_rng(5)
    start = statistics.weights_by_dimension(64, [512], DIVISORS, rng)["÷ √d_k"].largest
    lesson05.claim(
        "5.5",
        largest_weight_at_the_start=start[0],
        steps=steps["÷ √d_k"],
        without_the_division=steps["no division"] / steps["÷ √d_k"],
        with_one_over_d=steps["÷ d_k"] / steps["÷ √d_k"],
    )


# ----------------------------------------------------------------------------- the pictures


def test_longer_vectors_begin_with_the_shorter_ones():
    got = growing_dot_products([2, 3, 8], 4, np.random.default_rng(0))
    rng = np.random.default_rng(0)
    query, keys = rng.normal(size=8), rng.normal(size=(4, 8))
    want = [[sum(query[:d] * key[:d]) for key in keys] for d in (2, 3, 8)]
    np.testing.assert_allclose(got, want, atol=1e-12)


def test_pictures_say_what_the_numbers_are():
    assert "between 0.50 and 1.00" in figures.variance_by_dimension([2, 4], {"a": [2, 2]}).caption
    row = figures.scores_and_weights([0.0, 0.0], ["小明", "他"], 4, "÷ √d_k")
    assert "the largest is 0.50" in row.caption
    bars = figures.agreement_of_batches({"a": [0.4, 0.3], "b": [0.4, 0.1]}, (8, 512))
    assert "At d_k = 512 it is lowest for “b”: 0.10" in bars.caption


def test_a_run_that_never_gets_there_is_drawn_on_the_upper_edge():
    run = scaling.Run("a", 8, 0, [0.1, 0.2], [1.0, 1.0], [0.1, 0.1], None)
    axes = figures.steps_needed([run], limit=300).axes[0]
    heights = [height for line in axes.lines for height in line.get_ydata()]
    assert min(heights) > 300
    assert "never" in [label.get_text() for label in axes.get_yticklabels()]
