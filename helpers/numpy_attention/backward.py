"""The backward pass by hand: from the gradient of the output to the gradients of the inputs.

``d_output`` stands for the gradient of the loss by `output`, and so on for the other names.
"""

import math
from typing import NamedTuple

import numpy as np

from helpers.numpy_attention._checks import (
    as_floats,
    as_mask,
    check_attention,
    check_input,
    check_projections,
)
from helpers.numpy_attention.core import project, scaled_dot_product_attention, weighted_sum


class AttentionGradients(NamedTuple):
    """Gradients of the loss by the four arguments of `self_attention`, each of its shape."""

    dX: np.ndarray
    dW_Q: np.ndarray
    dW_K: np.ndarray
    dW_V: np.ndarray


def softmax_backward(weights, d_weights):
    """Carry a gradient back through the softmax of the last axis.

    Raising one score raises its own weight and lowers all others in the row, so each score gets
    weight × (its own gradient - the row's weighted mean gradient).

    Args:
        weights: what softmax returned (..., n).
        d_weights: gradient of the loss by the weights, same shape.

    Returns:
        Gradient of the loss by the scores, same shape. Where a weight is 0, it is 0.

    Raises:
        TypeError: an array without real numbers.
        ValueError: two shapes that differ, or no axis at all.
    """
    dtype, weights, d_weights = as_floats(weights=weights, d_weights=d_weights)
    if weights.shape != d_weights.shape or weights.ndim == 0:
        raise ValueError(
            f"weights {weights.shape} and d_weights {d_weights.shape} must have the same shape "
            "(..., n)."
        )
    row_mean = (weights * d_weights).sum(axis=-1, keepdims=True)
    return (weights * (d_weights - row_mean)).astype(dtype, copy=False)


def scaled_dot_product_attention_backward(d_output, Q, K, V, mask=None):
    """Carry the gradient of the output back to queries, keys and values.

    Args:
        d_output: gradient of the loss by the output (..., n_q, d_v).
        Q: queries (..., n_q, d_k), as in the forward pass.
        K: keys (..., n_k, d_k).
        V: values (..., n_k, d_v).
        mask: boolean, as in the forward pass. True = may attend.

    Returns:
        dQ, dK, dV of the shapes of Q, K, V; zero for what had no influence.

    Raises:
        TypeError: an array without real numbers, or a mask that is not boolean.
        ValueError: shapes that do not fit, or scores that overflow float64.
    """
    dtype, d_output, Q, K, V = as_floats(d_output=d_output, Q=Q, K=K, V=V)
    mask = as_mask(mask, check_attention(Q, K, V))
    output, weights = scaled_dot_product_attention(Q, K, V, mask)  # the forward pass again
    check_gradient(d_output, output.shape)
    keys_by_queries = None if mask is None else np.atleast_2d(mask).swapaxes(-1, -2)
    root = math.sqrt(Q.shape[-1])
    with np.errstate(over="ignore", invalid="ignore"):
        d_weights = d_output @ V.swapaxes(-1, -2)  # (..., n_q, n_k)
        if mask is not None:
            d_weights = np.where(mask, d_weights, 0)
        weights = np.broadcast_to(weights, d_weights.shape)
        d_scores = softmax_backward(weights, d_weights)  # (..., n_q, n_k)
        dQ = weighted_sum(d_scores, K, mask) / root  # (..., n_q, d_k)
        dK = weighted_sum(d_scores.swapaxes(-1, -2), Q, keys_by_queries) / root  # (..., n_k, d_k)
        dV = weighted_sum(weights.swapaxes(-1, -2), d_output, keys_by_queries)  # (..., n_k, d_v)
    dQ, dK, dV = sum_to_shape(dQ, Q), sum_to_shape(dK, K), sum_to_shape(dV, V)
    return tuple(gradient.astype(dtype, copy=False) for gradient in (dQ, dK, dV))


def attention_backward(d_output, X, W_Q, W_K, W_V, mask=None):
    """Carry the gradient of self-attention's output back to X and the three matrices.

    Args:
        d_output: gradient of the loss by the output (..., n, d_v).
        X: (..., n, d_in), as in the forward pass.
        W_Q: (d_in, d_k).
        W_K: (d_in, d_k).
        W_V: (d_in, d_v).
        mask: boolean, as in the forward pass. True = may attend.

    Returns:
        AttentionGradients: dX, dW_Q, dW_K, dW_V, each of the shape of its argument. The gradients
        of the matrices are summed over the batch.

    Raises:
        TypeError: an array without real numbers, or a mask that is not boolean.
        ValueError: shapes that do not fit, or numbers so large that they overflow.
    """
    dtype, d_output, X, W_Q, W_K, W_V = as_floats(d_output=d_output, X=X, W_Q=W_Q, W_K=W_K, W_V=W_V)
    check_projections(W_Q, W_K, W_V)
    check_input(X, W_Q)
    Q, K, V = project(X, W_Q), project(X, W_K), project(X, W_V)
    dQ, dK, dV = scaled_dot_product_attention_backward(d_output, Q, K, V, mask)
    dX = dQ @ W_Q.T + dK @ W_K.T + dV @ W_V.T  # X took three ways: their gradients add up
    X_T = X.swapaxes(-1, -2)  # (..., d_in, n)
    dW_Q = sum_to_shape(X_T @ dQ, W_Q)  # (d_in, d_k)
    dW_K = sum_to_shape(X_T @ dK, W_K)  # (d_in, d_k)
    dW_V = sum_to_shape(X_T @ dV, W_V)  # (d_in, d_v)
    return AttentionGradients(*(g.astype(dtype, copy=False) for g in (dX, dW_Q, dW_K, dW_V)))


def check_gradient(d_output, shape):
    """Refuse a gradient that does not have the output's shape."""
    if d_output.shape != shape:
        raise ValueError(f"d_output must have the output's shape {shape}, got {d_output.shape}.")


def sum_to_shape(gradient, array):
    """Sum over the batch axes along which `array` was repeated."""
    extra = gradient.ndim - array.ndim
    gradient = gradient.sum(axis=tuple(range(extra)))
    repeated = tuple(i for i, n in enumerate(array.shape) if n == 1 and gradient.shape[i] != 1)
    return gradient.sum(axis=repeated, keepdims=True)
