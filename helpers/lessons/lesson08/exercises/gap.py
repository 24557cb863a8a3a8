"""Exercise 1 of lesson 08: a test for equivariance."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from helpers.course.exercise import Example, Exercise
from helpers.lessons.lesson08.exercises.orders import some_order


def permutation_gap(f, X, order):
    """Measure how far f is from doing the same to the words in any order."""
    return np.abs(f(X[order]) - f(X)[order]).max()


@dataclass(frozen=True)
class _Named:
    """A function of a table that shows itself in words when a check prints its input."""

    words: str
    function: Callable

    def __call__(self, X):
        return self.function(X)

    def __repr__(self):
        return f"({self.words})"


def _mix(X):
    """Attention of a table with itself, without matrices."""
    scores = X @ X.T / math.sqrt(X.shape[1])
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True) @ X


_RUNNING_SUM = _Named("running sum, from the first row to the last", lambda X: X.cumsum(axis=0))
_NUMBERED = _Named("adds its number to each row", lambda X: X + np.arange(len(X))[:, None])
_ATTENTION = _Named("attention of the rows to each other", _mix)
_PLACED = _Named(
    "attention of the rows, positions added", lambda X: _mix(X + np.arange(len(X))[:, None])
)
_WIDER = _Named(
    "running sum, and beside it the row's own first number",
    lambda X: np.hstack([X.cumsum(axis=0), X[:, :1]]),
)
_FALLS = _Named("takes its number from each row", lambda X: X - np.arange(len(X))[:, None])


def _gap_inputs(rng):
    def draw(f, n, d):
        return {"f": f, "X": rng.normal(size=(n, d)).round(2), "order": some_order(rng, n)}

    X = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0]])
    return (
        {"f": _RUNNING_SUM, "X": X, "order": np.array([1, 0, 2])},
        {"f": _RUNNING_SUM, "X": X, "order": np.array([1, 2, 0])},
        {"f": _NUMBERED, "X": X, "order": np.array([2, 0, 1])},
        {"f": _FALLS, "X": X[:, :1], "order": np.array([1, 2, 0])},
        draw(_ATTENTION, 5, 3),
        draw(_PLACED, 6, 2),
        draw(_RUNNING_SUM, 4, 4),
        draw(_WIDER, 5, 2),
        draw(_FALLS, 7, 3),
    )


def gap_to_unshuffled(f, X, order):
    """It compares with f(X) in the old order: that asks whether f is invariant, not equivariant."""
    return np.abs(f(X[order]) - f(X)).max()


def shuffled_twice(f, X, order):
    """It applies order once more to go back: that undoes a swap, but no other order."""
    return np.abs(f(X[order])[order] - f(X)).max()


def columns_shuffled(f, X, order):
    """It shuffles the columns: a word is a row."""
    columns = order[order < X.shape[1]]
    return np.abs(f(X[:, columns]) - f(X)[:, columns]).max()


def only_the_result(f, X, order):
    """It never shuffles the input: f has to see X[order]."""
    return np.abs(f(X)[order] - f(X)).max()


def only_the_input(f, X, order):
    """It compares X[order] with X: f is left out."""
    return np.abs(X[order] - X).max()


def without_abs(f, X, order):
    """It takes the largest difference without its absolute value: a drop does not count."""
    return (f(X[order]) - f(X)[order]).max()


def mean_gap(f, X, order):
    """It takes the mean of the differences; the largest one is wanted."""
    return np.abs(f(X[order]) - f(X)[order]).mean()


def reversed_only(f, X, order):
    """It ignores order and always reverses the rows."""
    return np.abs(f(X[::-1]) - f(X)[::-1]).max()


permutation_gap = Exercise(
    name="lesson08.permutation_gap",
    reference=permutation_gap,
    inputs=_gap_inputs,
    hints=(
        "Two ways lead to a shuffled output: shuffle the words and apply f, or apply f and "
        "shuffle its rows. When do both arrive at the same table?",
        "X[order] shuffles the rows. Compare f(X[order]) with f(X)[order], and return the "
        "largest absolute difference.",
    ),
    wrong=(
        gap_to_unshuffled,
        shuffled_twice,
        columns_shuffled,
        only_the_result,
        only_the_input,
        without_abs,
        mean_gap,
        reversed_only,
    ),
    examples=(
        Example(
            {
                "f": _RUNNING_SUM,
                "X": np.array([[1, 0], [0, 2], [3, 1]]),
                "order": np.array([1, 0, 2]),
            },
            ("2",),
        ),
    ),
)
