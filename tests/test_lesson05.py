"""Lesson 05: the statistics, the training and its step on the page, the pictures."""

import math

import numpy as np
import pytest
import torch
from reading import CORE, sources

from helpers.course.slicer import Program
from helpers.lessons.lesson05 import experiment, figures, statistics
from helpers.lessons.lesson05.demo import growing_dot_products
from helpers.numpy_attention import softmax

DIVISORS = {"no division": lambda d: 1.0, "÷ √d_k": math.sqrt, "÷ d_k": float}


@pytest.fixture(scope="module")
def step():
    """One step of training, as it stands in the notebook."""
    (path,) = (path for path in CORE if path.stem.startswith("05_"))
    return Program(sources(path, "code")).slice("step").run()["step"]


# ------------------------------------------------------------------------------- the statistics


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
    W_V.requires_grad_()
    scores = (X @ W_Q) @ (X @ W_K).mT / DIVISORS[name](d)
    scores.retain_grad()
    (scores.softmax(dim=-1) @ (X @ W_V) * G).sum().backward()
    assert pytest.approx(W_Q.grad.norm().item()) == got.W_Q
    assert pytest.approx(W_V.grad.norm().item()) == got.W_V
    np.testing.assert_allclose(got.rows, scores.grad.norm(dim=-1).flatten(), atol=1e-12)


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


def test_a_step_gives_the_answers_and_the_gradients_of_torch(step):
    rng = np.random.default_rng(0)
    W = experiment.start(rng, 24)
    asked, facts, objects = experiment.stories(rng, 5)
    answers, scores, weights, gradients = step(asked, facts, objects, W, 3.0)
    tensors = [torch.tensor(w, requires_grad=True) for w in W]
    Q, K, V = (torch.tensor(x) @ w for x, w in zip((asked, facts, facts), tensors, strict=True))
    wanted = (Q @ K.mT / 3.0).softmax(dim=-1) @ V
    right = torch.tensor(objects).argmax(dim=-1)
    loss = torch.nn.functional.cross_entropy(wanted.flatten(0, 1), right.flatten())
    loss.backward()
    np.testing.assert_allclose(answers, wanted.detach(), atol=1e-12)
    np.testing.assert_allclose(softmax(scores), weights, atol=1e-12)
    for got, w in zip(gradients, tensors, strict=True):
        np.testing.assert_allclose(got, experiment.FACTS * w.grad, atol=1e-12)


def test_a_story_tells_each_name_once_and_its_facts_hold_name_and_object():
    asked, facts, objects = experiment.stories(np.random.default_rng(1), 64)
    assert asked.shape == (64, 16, 32)
    assert objects.shape == (64, 16, 8)
    np.testing.assert_array_equal(facts, np.concatenate([asked, objects], axis=-1))
    assert (asked.sum(axis=-1) == 1).all()
    assert asked.sum(axis=1).max() == 1
    assert (objects.sum(axis=-1) == 1).all()
    assert (objects.sum(axis=(0, 1)) > 0).all()


@pytest.mark.parametrize("size", [1.0, 0.2])
def test_queries_and_keys_start_with_the_size_that_is_asked_for(size):
    rng = np.random.default_rng(0)
    W_Q, W_K, _ = experiment.start(rng, 512, size)
    asked, facts, _ = experiment.stories(rng, 20)
    assert (asked @ W_Q).std() == pytest.approx(size, rel=0.05)
    assert (facts @ W_K).std() == pytest.approx(size, rel=0.05)


def test_a_run_is_repeatable_and_other_seeds_give_others(step):
    first, second, other = (
        experiment.train(step, 4.0, d_k=16, steps=6, batch=2, seed=seed) for seed in (3, 3, 4)
    )
    for name in ("accuracy", "frozen", "spread"):
        assert len(getattr(first, name)) == 6
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
    assert (first.spread != other.spread).any()


def test_a_run_is_solved_when_five_steps_reach_the_mark_on_average():
    def steps(*accuracy):
        return experiment.Run(np.array(accuracy), np.zeros(0), np.zeros(0)).solved_after

    assert steps(0.5, 1, 1, 1, 1, 1, 0.2) == 6
    assert steps(1, 1, 1, 0.9, 0.9, 0, 0) == 5
    assert steps(0.9, 0.9, 0.9, 0.9, 0.9, 0.9) == 7


def test_smaller_matrices_start_where_the_division_starts(step):
    divided = experiment.train(step, math.sqrt(512), seed=6, steps=1)
    smaller = experiment.train(step, 1.0, seed=6, steps=1, size=512**-0.25)
    assert smaller.spread[0] == pytest.approx(divided.spread[0], rel=1e-9)


def test_frozen_rows_are_counted_as_a_loop_counts_them():
    rng = np.random.default_rng(0)
    weights = rng.dirichlet(np.full(4, 0.02), size=(20, 6))
    right = rng.integers(4, size=(20, 6))
    counted = [
        any(w > 0.99 and j != r for j, w in enumerate(row))
        for block, rights in zip(weights, right, strict=True)
        for row, r in zip(block, rights, strict=True)
    ]
    assert 0.3 < np.mean(counted) < 0.9
    assert experiment.frozen_on_wrong(weights, right) == pytest.approx(np.mean(counted))


# --------------------------------------------------------------------------------- the pictures


def test_longer_vectors_begin_with_the_shorter_ones():
    got = growing_dot_products([2, 3, 8], 4, np.random.default_rng(0))
    rng = np.random.default_rng(0)
    query, keys = rng.normal(size=8), rng.normal(size=(4, 8))
    want = [[sum(query[:d] * key[:d]) for key in keys] for d in (2, 3, 8)]
    np.testing.assert_allclose(got, want, atol=1e-12)


def test_pictures_say_what_the_numbers_are():
    row = figures.scores_and_weights([0.0, 0.0], ["小明", "他"], 4, "÷ √d_k", "他")
    assert "the largest is 0.50" in row.caption
    assert "他 he" in row.caption
    two = figures.jacobians({"equal": [0.5, 0.5], "one": [1.0, 0.0]})
    assert [axes.get_xlabel() for axes in two.axes[2:]] == ["size 0.500", "size 0.000"]
