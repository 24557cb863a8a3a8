"""Exercises of lesson 10: the backward pass by hand, and a change that tests a model."""

import math

import numpy as np

from helpers import numpy_attention as attention
from helpers.course.draws import shares
from helpers.course.exercise import Example, Exercise

# --------------------------------------------------------------------------- softmax_backward


def softmax_backward(weights, d_weights):
    """Each score gets its weight times what its gradient is above the row's average."""
    row_average = (weights * d_weights).sum(axis=-1, keepdims=True)
    return weights * (d_weights - row_average)


def _softmax_backward_inputs(rng):
    return (
        {"weights": np.array([0.5, 0.5]), "d_weights": np.array([1.0, 0.0])},
        {"weights": np.array([0.7, 0.2, 0.1]), "d_weights": np.array([1.0, -2.0, 3.0])},
        {"weights": shares(rng, 3, 3), "d_weights": rng.normal(size=(3, 3)).round(2)},
        {"weights": shares(rng, 2, 3, 4), "d_weights": rng.normal(size=(2, 3, 4)).round(2)},
        {"weights": np.array([[1.0, 0.0, 0.0]]), "d_weights": np.array([[5.0, 2.0, -1.0]])},
        {"weights": shares(rng, 2, 3, 4, 5), "d_weights": rng.normal(size=(2, 3, 4, 5)).round(2)},
    )


def no_average(weights, d_weights):
    """The row's average is missing: the slopes of a row must add up to 0."""
    return weights * d_weights


def plain_average(weights, d_weights):
    """It subtracts the plain mean; the average has to be weighted by the weights."""
    return weights * (d_weights - d_weights.mean(axis=-1, keepdims=True))


def average_of_columns(weights, d_weights):
    """It averages over the queries; each row has an average of its own."""
    return weights * (d_weights - (weights * d_weights).sum(axis=0, keepdims=True))


def diagonal_only(weights, d_weights):
    """It uses the slope of a weight by its own score alone; the other scores take part, too."""
    return weights * (1 - weights) * d_weights


def forgets_the_weight(weights, d_weights):
    """The weight in front is missing: a score with weight 0 would still be moved."""
    return d_weights - (weights * d_weights).sum(axis=-1, keepdims=True)


softmax_backward = Exercise(
    name="lesson10.softmax_backward",
    reference=softmax_backward,
    inputs=_softmax_backward_inputs,
    hints=(
        "Raising one score helps its own weight and takes from all others in the row.",
        "The row's average of the gradient is weighted: (weights * d_weights), summed over the "
        "last axis, with keepdims=True.",
        "weights * (d_weights - average).",
    ),
    wrong=(no_average, plain_average, average_of_columns, diagonal_only, forgets_the_weight),
    examples=(
        Example(
            {"weights": np.array([0.5, 0.5]), "d_weights": np.array([1.0, 0.0])}, ("[0.25, -0.25]",)
        ),
    ),
)


# ------------------------------------------------------------------------ attention_gradients


def attention_gradients(d_output, Q, K, V):
    """From the gradient of the output to those of queries, keys and values."""
    root = math.sqrt(Q.shape[-1])
    weights = attention.softmax(Q @ K.T / root)
    d_weights = d_output @ V.T
    d_scores = weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))
    return d_scores @ K / root, d_scores.T @ Q / root, weights.T @ d_output


def _parts(d_output, Q, K, V):
    """Weights, gradient of the scores and root, for the wrong answers below."""
    root = math.sqrt(Q.shape[-1])
    weights = attention.softmax(Q @ K.T / root)
    d_weights = d_output @ V.T
    average = (weights * d_weights).sum(axis=-1, keepdims=True)
    return weights, d_weights, weights * (d_weights - average), root


def _attention_inputs(rng):
    def case(n_q, n_k, d_k, d_v):
        shapes = {"d_output": (n_q, d_v), "Q": (n_q, d_k), "K": (n_k, d_k), "V": (n_k, d_v)}
        return {name: rng.normal(size=shape).round(2) for name, shape in shapes.items()}

    large = case(3, 5, 4, 2)
    for name, first in (("Q", 512.0), ("K", 4.0)):  # scores near 1024; float32 holds them exactly
        large[name] = rng.integers(-1, 2, size=large[name].shape).astype(float)
        large[name][:, 0] = first
    return (case(1, 2, 2, 2), case(3, 4, 5, 2), case(3, 3, 3, 3), case(2, 5, 8, 4), large)


def without_the_average(d_output, Q, K, V):
    """The row's average is missing on the way back through softmax."""
    weights, d_weights, _, root = _parts(d_output, Q, K, V)
    d_scores = weights * d_weights
    return d_scores @ K / root, d_scores.T @ Q / root, weights.T @ d_output


def scale_lost_everywhere(d_output, Q, K, V):
    """The division by the root of d_k is missing on the way back."""
    weights, _, d_scores, _ = _parts(d_output, Q, K, V)
    return d_scores @ K, d_scores.T @ Q, weights.T @ d_output


def scale_lost_for_keys(d_output, Q, K, V):
    """The gradient of the keys has lost its division by the root of d_k."""
    weights, _, d_scores, root = _parts(d_output, Q, K, V)
    return d_scores @ K / root, d_scores.T @ Q, weights.T @ d_output


def scaled_twice(d_output, Q, K, V):
    """It divides by d_k on the way back; the root is enough, as in the forward pass."""
    weights, _, d_scores, root = _parts(d_output, Q, K, V)
    return d_scores @ K / root**2, d_scores.T @ Q / root**2, weights.T @ d_output


def values_not_turned(d_output, Q, K, V):
    """The weights are not transposed for dV; with as many queries as keys no shape tells."""
    weights, _, d_scores, root = _parts(d_output, Q, K, V)
    return d_scores @ K / root, d_scores.T @ Q / root, weights @ d_output


def keys_and_queries_exchanged(d_output, Q, K, V):
    """dQ and dK are returned in the wrong order."""
    weights, _, d_scores, root = _parts(d_output, Q, K, V)
    return d_scores.T @ Q / root, d_scores @ K / root, weights.T @ d_output


def exp_of_raw_scores(d_output, Q, K, V):
    """It takes exp of the raw scores: a large score is too large for a float."""
    root = math.sqrt(Q.shape[-1])
    exps = np.exp(Q @ K.T / root)
    weights = exps / exps.sum(axis=-1, keepdims=True)
    d_weights = d_output @ V.T
    d_scores = weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))
    return d_scores @ K / root, d_scores.T @ Q / root, weights.T @ d_output


attention_gradients = Exercise(
    name="lesson10.attention_gradients",
    reference=attention_gradients,
    inputs=_attention_inputs,
    returns=("dQ", "dK", "dV"),
    hints=(
        "Do the forward pass first: the weights are needed on the way back.",
        "If C = A @ B, then dA = dC @ B.T and dB = A.T @ dC. Begin with output = weights @ V.",
        "Through softmax as in exercise 1. Then scores = Q @ K.T / root gives dQ = d_scores @ K / "
        "root and dK = d_scores.T @ Q / root.",
    ),
    wrong=(
        without_the_average,
        scale_lost_everywhere,
        scale_lost_for_keys,
        scaled_twice,
        values_not_turned,
        keys_and_queries_exchanged,
        exp_of_raw_scores,
    ),
)


# ----------------------------------------------------------------------------------- exchange


def exchange(ids, first, second):
    """Both words are looked for in the sentence as it was."""
    return np.where(ids == first, second, np.where(ids == second, first, ids))


def _exchange_inputs(rng):
    return (
        {"ids": np.array([7, 2, 9]), "first": 7, "second": 9},
        {"ids": np.array([7, 2, 9, 7, 9]), "first": 7, "second": 9},
        {"ids": np.array([5, 3, 5]), "first": 5, "second": 8},
        {"ids": np.array([1, 4, 6]), "first": 6, "second": 6},
        {"ids": np.array([12, 0, 31, 2, 0, 1, 20]), "first": 0, "second": 31},
        {"ids": np.array([10, 1, 11, 0, 1, 21]), "first": 1, "second": 10},
        {"ids": np.array([5, 7, 70, 5]), "first": 0, "second": 75},
        {"ids": np.concatenate([[2, 3], rng.integers(1, 6, size=8)]), "first": 2, "second": 3},
    )


def one_after_the_other(ids, first, second):
    """It exchanges one word first, then finds the new one again and turns both into one word."""
    once = np.where(ids == first, second, ids)
    return np.where(once == second, first, once)


def one_way_only(ids, first, second):
    """It puts the second word in the place of the first, but not the first for the second."""
    return np.where(ids == first, second, ids)


def first_place_only(ids, first, second):
    """It changes each word where it stands first; it may stand in several places."""
    changed = ids.copy()
    for old, new in ((first, second), (second, first)):
        changed[np.flatnonzero(ids == old)[:1]] = new
    return changed


def overwrites_ids(ids, first, second):
    """It writes into the caller's own array."""
    places = ids == first, ids == second
    ids[places[0]], ids[places[1]] = second, first
    return ids


exchange = Exercise(
    name="lesson10.exchange",
    reference=exchange,
    inputs=_exchange_inputs,
    hints=(
        "After the first word has been replaced, which places still hold the second word of the "
        "sentence as it was?",
        "Find both sets of places before anything is changed: ids == first and ids == second.",
        "np.where(ids == first, second, ...) with another np.where inside.",
    ),
    wrong=(one_after_the_other, one_way_only, first_place_only, overwrites_ids),
    examples=(
        Example({"ids": np.array([7, 2, 9, 7]), "first": 7, "second": 9}, ("[9, 2, 7, 9]",)),
    ),
)


# ----------------------------------------------------------------------- projection_gradients


def projection_gradients(X, W_Q, W_K, W_V, dQ, dK, dV):
    """X went three ways, so three gradients come back and add up."""
    dX = dQ @ W_Q.T + dK @ W_K.T + dV @ W_V.T
    return dX, X.T @ dQ, X.T @ dK, X.T @ dV


def _projection_inputs(rng):
    def case(n, d_model, d_k, d_v):
        shapes = {
            "X": (n, d_model),
            "W_Q": (d_model, d_k),
            "W_K": (d_model, d_k),
            "W_V": (d_model, d_v),
            "dQ": (n, d_k),
            "dK": (n, d_k),
            "dV": (n, d_v),
        }
        return {name: rng.normal(size=shape).round(2) for name, shape in shapes.items()}

    return (
        case(2, 2, 2, 2),
        case(3, 4, 2, 5),
        case(3, 3, 3, 3),
        case(1, 5, 2, 2),
        case(6, 5, 3, 4),
    )


def values_only(X, W_Q, W_K, W_V, dQ, dK, dV):
    """X also went into queries and keys: their two gradients are missing in dX."""
    return dV @ W_V.T, X.T @ dQ, X.T @ dK, X.T @ dV


def averaged(X, W_Q, W_K, W_V, dQ, dK, dV):
    """It averages the three ways; gradients of the three add up."""
    dX = (dQ @ W_Q.T + dK @ W_K.T + dV @ W_V.T) / 3
    return dX, X.T @ dQ, X.T @ dK, X.T @ dV


def matrices_not_turned(X, W_Q, W_K, W_V, dQ, dK, dV):
    """The matrices are not transposed; with square ones no shape tells."""
    dX = dQ @ W_Q + dK @ W_K + dV @ W_V
    return dX, X.T @ dQ, X.T @ dK, X.T @ dV


def outputs_turned(X, W_Q, W_K, W_V, dQ, dK, dV):
    """The gradients of the matrices come out transposed."""
    dX = dQ @ W_Q.T + dK @ W_K.T + dV @ W_V.T
    return dX, dQ.T @ X, dK.T @ X, dV.T @ X


projection_gradients = Exercise(
    name="lesson10.projection_gradients",
    reference=projection_gradients,
    inputs=_projection_inputs,
    returns=("dX", "dW_Q", "dW_K", "dW_V"),
    hints=(
        "The rule for a product is used three times: Q = X @ W_Q, K = X @ W_K, V = X @ W_V.",
        "What was used three times gets three gradients, and they add up.",
    ),
    wrong=(values_only, averaged, matrices_not_turned, outputs_turned),
)
