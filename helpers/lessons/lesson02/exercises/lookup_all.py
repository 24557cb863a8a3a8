"""Exercise 3 of lesson 02."""

import numpy as np

from helpers.course.exercise import Exercise
from helpers.numpy_attention import softmax


def lookup_all(Q, K, V):
    """Look up all queries at once: one row of shares and one blended value a query."""
    weights = softmax(Q @ K.T)
    return weights @ V, weights


def _all_inputs(rng):
    return (
        {
            "Q": np.array([[1.0, 0.0], [0.0, 2.0]]),
            "K": np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
            "V": np.array([[1.0], [2.0], [3.0]]),
        },
        {
            "Q": rng.normal(size=(3, 2)).round(2),
            "K": rng.normal(size=(3, 2)).round(2),
            "V": rng.normal(size=(3, 2)).round(2),
        },
        {
            "Q": rng.normal(size=(4, 4)).round(2),
            "K": rng.normal(size=(4, 4)).round(2),
            "V": rng.normal(size=(4, 4)).round(2),
        },
        {
            "Q": rng.normal(size=(1, 3)).round(2),
            "K": rng.normal(size=(5, 3)).round(2),
            "V": rng.normal(size=(5, 2)).round(2),
        },
    )


def shares_over_queries(Q, K, V):
    """The shares of each column add up to 1: the books choose readers, not readers books."""
    weights = softmax(Q @ K.T, axis=0)
    return weights @ V, weights


def roles_swapped(Q, K, V):
    """Keys ask and queries answer: with as many of both, only the numbers tell."""
    weights = softmax(K @ Q.T)
    return weights @ V, weights


def mixes_the_keys(Q, K, V):
    """It mixes the keys; the values are wanted."""
    weights = softmax(Q @ K.T)
    return weights @ K, weights


def one_softmax_for_all(Q, K, V):
    """All shares of all queries together add up to 1, not those of each query."""
    scores = Q @ K.T
    weights = softmax(scores.ravel()).reshape(scores.shape)
    return weights @ V, weights


def weights_come_first(Q, K, V):
    """The two results are exchanged: the output comes first, then the weights."""
    weights = softmax(Q @ K.T)
    return weights, weights @ V


lookup_all = Exercise(
    name="lesson02.lookup_all",
    reference=lookup_all,
    inputs=_all_inputs,
    returns=("output", "weights"),
    hints=(
        "Row i of Q @ K.T is query i compared with every key.",
        "softmax works along the last axis by itself: each row adds up to 1.",
        "weights @ V blends the values for every query at once. Return both.",
    ),
    wrong=(
        shares_over_queries,
        roles_swapped,
        mixes_the_keys,
        one_softmax_for_all,
        weights_come_first,
    ),
)
