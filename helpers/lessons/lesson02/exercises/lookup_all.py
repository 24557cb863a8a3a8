"""Exercise 3 of lesson 02."""

import numpy as np

from helpers.course.exercise import Exercise
from helpers.numpy_attention import softmax


def lookup_all(Q, K, V):
    """Look up all queries at once: one row of shares and one blended value a query."""
    weights = softmax(Q @ K.T)
    return weights @ V, weights


def _all_inputs(rng):
    def draw(n_q, n_k, d_k, d_v):
        return {
            "Q": rng.normal(size=(n_q, d_k)).round(2),
            "K": rng.normal(size=(n_k, d_k)).round(2),
            "V": rng.normal(size=(n_k, d_v)).round(2),
        }

    return (
        {
            "Q": np.array([[1.0, 0.0], [0.0, 2.0]]),
            "K": np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
            "V": np.array([[1.0], [2.0], [3.0]]),
        },
        {
            "Q": np.array([[1.0, -2.0], [0.5, 0.0], [-1.0, 3.0]]),
            "K": np.array([[0.0, 1.0], [2.0, 0.5], [-1.0, 1.0]]),
            "V": np.array([[-10.0, 2.0], [0.0, 30.0], [4.0, -6.0]]),
        },
        draw(4, 4, 4, 4),
        draw(2, 5, 3, 4),
        draw(1, 12, 3, 2),
        {
            "Q": np.array([[1.0, 0.0], [0.0, -1.0]]),
            "K": np.array([[1000.0, 15000.0], [999.0, 15000.0], [-2000.0, 14999.0]]),
            "V": np.array([[1.0, -2.0, 3.0, 0.0], [0.0, 5.0, 0.0, -6.0], [7.0, 0.0, 8.0, 9.0]]),
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


def divides_by_root_d_k(Q, K, V):
    """It divides the scores by the root of d_k; with sharpness 1 they stay as they are."""
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[1]))
    return weights @ V, weights


def raw_exp(Q, K, V):
    """exp grows too large, or all of a row is 0; subtract the largest score of each row first."""
    exps = np.exp(Q @ K.T)
    weights = exps / exps.sum(axis=1, keepdims=True)
    return weights @ V, weights


def one_largest_score_for_all(Q, K, V):
    """It subtracts one largest score from all rows; each row needs its own."""
    scores = Q @ K.T
    exps = np.exp(scores - scores.max())
    weights = exps / exps.sum(axis=1, keepdims=True)
    return weights @ V, weights


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
        divides_by_root_d_k,
        raw_exp,
        one_largest_score_for_all,
    ),
)
