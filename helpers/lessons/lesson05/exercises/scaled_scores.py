"""Exercise 2 of lesson 05."""

import math

import numpy as np

from helpers.course.exercise import Example, Exercise


def scaled_scores(X, W_Q, W_K):
    """Compare every token with every token, on a scale that does not depend on d_k."""
    Q, K = X @ W_Q, X @ W_K
    return Q @ np.swapaxes(K, -1, -2) / math.sqrt(W_K.shape[1])


def _scaled_scores_inputs(rng):
    def draw(*batch_and_n, d_model, d_k):
        return {
            "X": rng.normal(size=(*batch_and_n, d_model)).round(2),
            "W_Q": rng.normal(size=(d_model, d_k)).round(2),
            "W_K": rng.normal(size=(d_model, d_k)).round(2),
        }

    return (
        {"X": np.array([[1.0, 0.0], [0.0, 2.0]]), "W_Q": np.eye(2), "W_K": np.eye(2)},
        {
            "X": np.array([[1.0, -2.0], [30.0, 0.5], [0.0, -4.0]]),
            "W_Q": np.array([[1.0, 0.0, -3.0, 2.0, 0.5], [0.0, 20.0, 1.0, -1.0, 0.0]]),
            "W_K": np.array([[-2.0, 1.0, 0.0, 10.0, 1.0], [4.0, 0.0, -5.0, 0.0, 3.0]]),
        },
        draw(3, d_model=4, d_k=4),
        draw(4, d_model=8, d_k=2),
        draw(5, d_model=3, d_k=1),
        draw(2, 3, d_model=6, d_k=4),
        draw(4, 4, d_model=4, d_k=4),
        draw(2, 3, 5, d_model=6, d_k=12),
    )


def _compare(X, W_Q, W_K, divisor):
    return (X @ W_Q) @ np.swapaxes(X @ W_K, -1, -2) / divisor


def not_divided(X, W_Q, W_K):
    """The division is missing: scores grow with the square root of d_k."""
    return _compare(X, W_Q, W_K, 1.0)


def divided_by_d_k(X, W_Q, W_K):
    """It divides by d_k, or twice by its root; the typical score grows with the root once."""
    return _compare(X, W_Q, W_K, W_Q.shape[-1])


def divided_by_root_d_model(X, W_Q, W_K):
    """It divides by the root of d_model, the width of X; the products that are added are d_k."""
    return _compare(X, W_Q, W_K, math.sqrt(X.shape[-1]))


def divided_by_root_n(X, W_Q, W_K):
    """It divides by the root of the number of tokens; a score does not depend on it."""
    return _compare(X, W_Q, W_K, math.sqrt(X.shape[-2]))


def divided_by_measured_spread(X, W_Q, W_K):
    """It divides by the spread these scores happen to have; the rule needs d_k only."""
    scores = _compare(X, W_Q, W_K, 1.0)
    return scores / scores.std()


def multiplied(X, W_Q, W_K):
    """It multiplies by the root of d_k where it should divide; the scores grow even faster."""
    return _compare(X, W_Q, W_K, 1 / math.sqrt(W_Q.shape[-1]))


def every_axis_turned(X, W_Q, W_K):
    """K.T reverses the batch axis as well; swap the last two axes only."""
    return (X @ W_Q) @ (X @ W_K).T / math.sqrt(W_Q.shape[-1])


def keys_ask(X, W_Q, W_K):
    """Queries and keys are exchanged: row i must belong to the query of token i."""
    return _compare(X, W_K, W_Q, math.sqrt(W_Q.shape[-1]))


def only_one_batch_axis(X, W_Q, W_K):
    """It names the axes from the front; counted from the end, -1 and -2, any batch fits."""
    K = X @ W_K
    turned = K.T if K.ndim == 2 else K.swapaxes(1, 2)
    return X @ W_Q @ turned / math.sqrt(W_Q.shape[1])


def softmax_too_early(X, W_Q, W_K):
    """It returns weights, after softmax; the scores themselves are wanted."""
    scores = _compare(X, W_Q, W_K, math.sqrt(W_Q.shape[1]))
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True)


scaled_scores = Exercise(
    name="lesson05.scaled_scores",
    reference=scaled_scores,
    inputs=_scaled_scores_inputs,
    hints=(
        "How many products are added up in one score: as many as X has columns, or as W_Q has?",
        "d_k is the length of one query, that is W_Q.shape[-1]. Divide once, by its square root.",
        "With a batch before the tokens, K.T would turn too much: np.swapaxes(K, -1, -2).",
    ),
    examples=(
        Example(
            {"X": np.array([[1, 0], [0, 2]]), "W_Q": np.eye(2), "W_K": np.eye(2)},
            ("[[0.71, 0], [0, 2.83]]",),
        ),
    ),
    wrong=(
        not_divided,
        divided_by_d_k,
        divided_by_root_d_model,
        divided_by_root_n,
        divided_by_measured_spread,
        multiplied,
        every_axis_turned,
        keys_ask,
        only_one_batch_axis,
        softmax_too_early,
    ),
)
