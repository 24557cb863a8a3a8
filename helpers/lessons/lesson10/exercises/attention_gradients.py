"""Exercise: a gradient carried back through attention, with a mask and any axes in front."""

import numpy as np

from helpers import numpy_attention as attention
from helpers.course.exercise import Exercise


def attention_gradients(d_output, Q, K, V, mask=None):
    """From the slopes of the output to those of queries, keys and values."""
    root = Q.shape[-1] ** 0.5
    weights = attention.scaled_dot_product_attention(Q, K, V, mask)[1]
    d_weights = d_output @ V.swapaxes(-1, -2)
    d_scores = attention.softmax_backward(weights, d_weights)
    dK = d_scores.swapaxes(-1, -2) @ Q / root
    return d_scores @ K / root, dK, weights.swapaxes(-1, -2) @ d_output


def _attention_inputs(rng):
    def case(front, n_q, n_k, d_k, d_v, mask=None):
        shapes = {"d_output": (n_q, d_v), "Q": (n_q, d_k), "K": (n_k, d_k), "V": (n_k, d_v)}
        drawn = {k: rng.normal(size=(*front, *shape)).round(2) for k, shape in shapes.items()}
        return drawn if mask is None else drawn | {"mask": mask}

    large = case((), 3, 5, 4, 2)
    for name, first in (("Q", 512.0), ("K", 4.0)):  # scores near 1024; float32 holds them exactly
        large[name] = rng.integers(-1, 2, size=large[name].shape).astype(float)
        large[name][:, 0] = first
    past = np.tri(4, dtype=bool)
    filled = np.arange(5) < np.array([5, 3])[:, None, None]  # (batch, 1, n)
    nobody = np.ones((3, 4), dtype=bool)
    nobody[1] = False
    return (
        case((), 1, 2, 2, 2),
        case((), 3, 4, 5, 2),
        case((), 3, 3, 3, 3),
        case((), 4, 4, 3, 2, past),
        case((2,), 4, 4, 3, 5, past),
        case((2,), 3, 5, 2, 4, filled),
        case((4,), 4, 4, 4, 4, past),
        case((2, 3), 3, 4, 5, 2),
        case((2, 3), 3, 4, 5, 2, rng.random((2, 3, 3, 4)) < 0.6),
        case((), 3, 4, 3, 2, nobody),
        large,
    )


def _parts(d_output, Q, K, V, mask=None):
    """Weights, gradient of the scores and root, for the wrong answers below."""
    root = Q.shape[-1] ** 0.5
    weights = attention.scaled_dot_product_attention(Q, K, V, mask)[1]
    d_weights = d_output @ V.mT
    average = (weights * d_weights).sum(axis=-1, keepdims=True)
    return weights, d_weights, weights * (d_weights - average), root


def without_the_average(d_output, Q, K, V, mask=None):
    """The row's average is missing on the way back through softmax."""
    weights, d_weights, _, root = _parts(d_output, Q, K, V, mask)
    d_scores = weights * d_weights
    return d_scores @ K / root, d_scores.mT @ Q / root, weights.mT @ d_output


def scale_lost_everywhere(d_output, Q, K, V, mask=None):
    """The division by the root of d_k is missing on the way back."""
    weights, _, d_scores, _ = _parts(d_output, Q, K, V, mask)
    return d_scores @ K, d_scores.mT @ Q, weights.mT @ d_output


def scale_lost_for_keys(d_output, Q, K, V, mask=None):
    """The gradient of the keys has lost its division by the root of d_k."""
    weights, _, d_scores, root = _parts(d_output, Q, K, V, mask)
    return d_scores @ K / root, d_scores.mT @ Q, weights.mT @ d_output


def scaled_twice(d_output, Q, K, V, mask=None):
    """It divides by d_k on the way back; the root is enough, as in the forward pass."""
    weights, _, d_scores, root = _parts(d_output, Q, K, V, mask)
    return d_scores @ K / root**2, d_scores.mT @ Q / root**2, weights.mT @ d_output


def values_not_turned(d_output, Q, K, V, mask=None):
    """The weights are not transposed for dV; with as many queries as keys no shape tells."""
    weights, _, d_scores, root = _parts(d_output, Q, K, V, mask)
    return d_scores @ K / root, d_scores.mT @ Q / root, weights @ d_output


def keys_and_queries_exchanged(d_output, Q, K, V, mask=None):
    """dQ and dK are returned in the wrong order."""
    weights, _, d_scores, root = _parts(d_output, Q, K, V, mask)
    return d_scores.mT @ Q / root, d_scores @ K / root, weights.mT @ d_output


def forgets_the_mask(d_output, Q, K, V, mask=None):
    """The forward pass that it repeats knows no mask: hidden keys get a share of the slopes."""
    return attention_gradients.reference(d_output, Q, K, V)


def masks_too_late(d_output, Q, K, V, mask=None):
    """It sets the weights of hidden keys to 0 after softmax; the rest must still add up to 1."""
    weights, d_weights, _, root = _parts(d_output, Q, K, V)
    weights = weights if mask is None else weights * mask
    d_scores = weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))
    return d_scores @ K / root, d_scores.mT @ Q / root, weights.mT @ d_output


def one_sentence_only(d_output, Q, K, V, mask=None):
    """It turns arrays with .T, which turns all axes around: that works for one sentence only."""
    weights, _, d_scores, root = _parts(d_output, Q, K, V, mask)
    return d_scores @ K / root, d_scores.T @ Q / root, weights.T @ d_output


def exp_of_raw_scores(d_output, Q, K, V, mask=None):
    """It takes exp of the raw scores: a large score is too large for a float."""
    root = Q.shape[-1] ** 0.5
    exps = np.exp(Q @ K.mT / root) * (True if mask is None else mask)
    weights = exps / np.maximum(exps.sum(axis=-1, keepdims=True), 1e-300)
    d_weights = d_output @ V.mT
    d_scores = weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))
    return d_scores @ K / root, d_scores.mT @ Q / root, weights.mT @ d_output


attention_gradients = Exercise(
    name="lesson10.attention_gradients",
    reference=attention_gradients,
    inputs=_attention_inputs,
    returns=("dQ", "dK", "dV"),
    hints=(
        "Do the forward pass first: its weights are needed on the way back, and in them the mask "
        "has done all that it does.",
        "Begin at the end: output = weights @ V is a product, so the rule gives d_weights and dV. "
        "Then back through softmax. Then through the other product.",
        "A.swapaxes(-1, -2) turns the last two axes and leaves those in front. The scores were "
        "divided by the root of d_k, so dQ and dK are, too.",
    ),
    wrong=(
        without_the_average,
        scale_lost_everywhere,
        scale_lost_for_keys,
        scaled_twice,
        values_not_turned,
        keys_and_queries_exchanged,
        forgets_the_mask,
        masks_too_late,
        one_sentence_only,
        exp_of_raw_scores,
    ),
    points=2,
)
