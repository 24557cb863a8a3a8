"""Homework of lesson 02."""

import numpy as np

from helpers.course.exercise import Example, Exercise
from helpers.numpy_attention import softmax


def look_up_others(X):
    """Let every token look up all tokens but itself."""
    scores = X @ X.T  # (n, n)
    np.fill_diagonal(scores, -np.inf)
    weights = softmax(scores)  # (n, n)
    return weights @ X, weights


def _inputs(rng):
    return (
        {"X": np.eye(2)},
        {"X": np.array([[1.0, 0.5, -2.0], [0.0, 3.0, 1.0], [-1.0, 0.0, 0.5], [2.0, 2.0, 2.0]])},
        {"X": np.array([[-40.0, 30.0], [-41.0, 30.0], [5.0, -60.0]])},
        {"X": np.array([[0.0, 0.0], [0.0, 0.0], [1.0, -1.0], [-2.0, 3.0], [1.0, 1.0]])},
        {"X": rng.normal(size=(3, 3)).round(2)},
        {"X": rng.normal(size=(6, 2)).round(2)},
        {"X": rng.normal(scale=2.0, size=(12, 4)).round(2)},
    )


def finds_itself(X):
    """The tokens still look at themselves."""
    weights = softmax(X @ X.T)
    return weights @ X, weights


def score_of_zero(X):
    """It sets the token's own score to 0, and a score of 0 still gets a share."""
    scores = X @ X.T * (1 - np.eye(len(X)))
    weights = softmax(scores)
    return weights @ X, weights


def shares_get_lost(X):
    """It deletes the own share after softmax: the rest of the row adds up to less than 1."""
    weights = softmax(X @ X.T) * (1 - np.eye(len(X)))
    return weights @ X, weights


def looks_at_itself_alone(X):
    """It hides all others and keeps the token itself."""
    weights = np.eye(len(X))
    return weights @ X, weights


def by_columns(X):
    """The columns add up to 1: the shares run over those who look."""
    scores = X @ X.T
    np.fill_diagonal(scores, -np.inf)
    weights = softmax(scores, axis=0)
    return weights @ X, weights


def equal_among_others(X):
    """All others get the same share, whatever they have in common with the token."""
    n = len(X)
    weights = (1 - np.eye(n)) / (n - 1)
    return weights @ X, weights


def weights_come_first(X):
    """The two results are exchanged: the output comes first, then the weights."""
    output, weights = the_right_way(X)
    return weights, output


the_right_way = look_up_others

look_up_others = Exercise(
    name="lesson02.look_up_others",
    reference=look_up_others,
    inputs=_inputs,
    returns=("output", "weights"),
    hints=(
        "Start from the table of scores, X @ X.T. Which of its entries compare a token with "
        "itself?",
        "Which score gets a share of exactly 0? It is not 0: softmax gives that a share, too.",
        "np.fill_diagonal(scores, -np.inf) changes the table in place, before softmax.",
    ),
    examples=(Example({"X": np.eye(2)}, ("[[0, 1], [1, 0]]",), lambda result: result[1]),),
    wrong=(
        finds_itself,
        score_of_zero,
        shares_get_lost,
        looks_at_itself_alone,
        by_columns,
        equal_among_others,
        weights_come_first,
    ),
)
