"""Wrong answers that an earlier check or grade took for right: rejected at every seed."""

import importlib

import numpy as np
import pytest

SEEDS = range(20, 30)
ANSWERS = []


def wrong(place):
    """Register the function that follows as a wrong answer to an exercise, "lesson.name"."""

    def register(function):
        ANSWERS.append(pytest.param(place, function, id=f"{place}-{function.__name__}"))
        return function

    return register


def exercise(place):
    """Return an exercise by its lesson and name."""
    lesson, name = place.split(".")
    return getattr(importlib.import_module(f"helpers.lessons.{lesson}"), name)


@pytest.mark.parametrize(("place", "answer"), ANSWERS)
def test_a_wrong_answer_passes_at_no_seed(place, answer):
    assert exercise(place).check(answer).state == "wrong"
    assert exercise(place).grade(answer) == 0.0
    assert not [seed for seed in SEEDS if exercise(place).accepts(answer, seed)]


@wrong("lesson01.last_states")
def stops_at_the_longest(batch, lengths, W_h, W_x):
    h = np.zeros((len(batch), len(W_h)))
    for t in range(max(lengths)):
        h = np.tanh(h @ W_h + batch[:, t] @ W_x)
    return h


@wrong("lesson01.state_shares")
def rounds_the_shares(keep):
    return np.array([(1 - keep[j]) * np.prod(keep[j + 1 :]) for j in range(len(keep))]).round(2)


@wrong("lesson02.hard_lookup")
def largest_product_of_two_entries(query, keys, values):
    return values[np.argmax((keys * query).max(axis=1))]


@wrong("lesson02.hard_lookup")
def only_the_signs_of_the_query(query, keys, values):
    return values[np.argmax(keys @ np.sign(query))]


@wrong("lesson03.two_rules")
def scores_beyond_all_numbers():
    W_Q, W_K = np.zeros((6, 2)), np.zeros((6, 2))
    W_Q[5, 0], W_Q[3, 1] = 1e200, 1e200
    W_K[0], W_K[5] = (1e200, 1e200), (-1e200, 1e200)
    return W_Q, W_K


@wrong("lesson03.same_scores")
def a_column_of_zeros_beside_it(W_Q, W_K):
    zeros = np.zeros((len(W_Q), 1))
    return np.hstack([W_Q, zeros]), np.hstack([W_K, zeros])


@wrong("lesson03.fewest_channels")
def drops_what_is_small(W_Q, W_K):
    left, sizes, right = np.linalg.svd(W_Q @ W_K.T)
    rank = int((sizes > 1e-3 * sizes[0]).sum())
    return left[:, :rank] * sizes[:rank], right[:rank].T


@wrong("lesson05.undo_temperature")
def too_small_to_divide_by(Q, K):
    return 1e-320


@pytest.mark.parametrize("seed", SEEDS)
def test_the_lessons_divisor_fails_by_a_factor_of_a_thousand_on_one_input(seed):
    undo = exercise("lesson05.undo_temperature")
    ratios = [np.sqrt(c["Q"].shape[1]) / undo.reference(c["Q"], c["K"]) for c in undo.cases(seed)]
    assert max(ratios) > 1000


def test_a_lookup_by_direction_is_told_about_directions():
    def cosine(query, keys, values):
        lengths = np.linalg.norm(keys, axis=1) * np.linalg.norm(query)
        return values[np.argmax(keys @ query / np.maximum(lengths, 1e-12))]

    verdict = exercise("lesson02.hard_lookup").check(cosine)
    assert "directions" in verdict.cause
