"""The backward pass by hand: from the gradient of the output to the gradients of the inputs.

``d_output`` stands for the gradient of the loss by `output`, and so on for the other names.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from helpers import shapes
from helpers.numpy_attention import plain, rare
from helpers.numpy_attention.door import as_floats, as_mask, as_result, quiet


class AttentionGradients(NamedTuple):
    """Gradients of the loss by the four arguments of `self_attention`, each of its shape."""

    dX: np.ndarray
    dW_Q: np.ndarray
    dW_K: np.ndarray
    dW_V: np.ndarray


@quiet
def softmax_backward(weights: ArrayLike, d_weights: ArrayLike) -> np.ndarray:
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
        ValueError: two shapes that differ, no axis at all, or numbers so large that they overflow.
    """
    dtype, weights, d_weights = as_floats(weights=weights, d_weights=d_weights)
    if weights.shape != d_weights.shape or weights.ndim == 0:
        raise ValueError(
            f"weights {weights.shape} and d_weights {d_weights.shape} must have the same shape "
            "(..., n)."
        )
    d_scores = plain.softmax_backward(weights, d_weights)
    (d_scores,) = rare.refuse_infinite_gradients((d_scores,), (weights, d_weights))
    (d_scores,) = as_result(dtype, d_scores)
    return d_scores


@quiet
def scaled_dot_product_attention_backward(
    d_output: ArrayLike, Q: ArrayLike, K: ArrayLike, V: ArrayLike, mask: ArrayLike | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
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
        ValueError: shapes that do not fit, or numbers so large that they overflow.
    """
    dtype, d_output, Q, K, V = as_floats(d_output=d_output, Q=Q, K=K, V=V)
    scores, output = shapes.check_attention(Q, K, V)
    mask = as_mask(mask, scores)
    check_gradient(d_output, output)
    gradients = plain.attention_backward(d_output, Q, K, V, mask)
    rare.refuse_infinite_gradients(gradients, (d_output, Q, K, V))
    return as_result(dtype, *gradients)


@quiet
def attention_backward(
    d_output: ArrayLike,
    X: ArrayLike,
    W_Q: ArrayLike,
    W_K: ArrayLike,
    W_V: ArrayLike,
    mask: ArrayLike | None = None,
) -> AttentionGradients:
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
    mask = as_mask(mask, shapes.check_self_attention(X, W_Q, W_K, W_V))
    check_gradient(d_output, (*X.shape[:-1], W_V.shape[1]))
    gradients = plain.self_attention_backward(d_output, X, W_Q, W_K, W_V, mask)
    rare.refuse_infinite_gradients(gradients, (d_output, X, W_Q, W_K, W_V))
    return AttentionGradients(*as_result(dtype, *gradients))


def check_gradient(d_output, shape):
    """Refuse a gradient that does not have the output's shape."""
    if d_output.shape != shape:
        raise ValueError(f"d_output must have the output's shape {shape}, got {d_output.shape}.")
