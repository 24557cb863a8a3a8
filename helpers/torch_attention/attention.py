"""Softmax, scaled dot-product attention, and self-attention with one head."""

from __future__ import annotations

import torch
from numpy.typing import ArrayLike

from helpers import shapes
from helpers.torch_attention import plain
from helpers.torch_attention.door import as_floats, as_mask, as_result


def softmax(x: ArrayLike, axis: int = -1) -> torch.Tensor:
    """Turn scores into weights: positive, and summing to 1 along `axis`.

    Args:
        x: scores of any shape with at least one axis. -inf gets weight 0. Where +inf occurs,
            the +inf entries share the weight equally.
        axis: the axis along which the weights sum to 1.

    Returns:
        Weights of the shape of `x`. A row that is all -inf gives zeros (and zero gradients), a
        row with NaN gives NaN.

    Raises:
        TypeError: `x` holds no real numbers, or `axis` is not a whole number.
        ValueError: `x` has no such axis.
    """
    dtype, x = as_floats(x=x)
    (weights,) = as_result(dtype, plain.softmax(x, shapes.as_axis(axis, x)))
    return weights


def scaled_dot_product_attention(
    Q: ArrayLike, K: ArrayLike, V: ArrayLike, mask: ArrayLike | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Let each query take the average of the values, weighted by how well their keys match it.

    Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V; "Attention Is All You Need", section 3.2.1.

    Args:
        Q: queries (..., n_q, d_k).
        K: keys (..., n_k, d_k).
        V: values (..., n_k, d_v).
        mask: boolean, broadcast to the scores (..., n_q, n_k). True = may attend. None: all may.

    Returns:
        output (..., n_q, d_v) and weights (..., n_q, n_k). A query that may attend to nothing
        (also when there are no keys) has zeros in both. What a hidden key or value holds, even
        NaN, has no influence on them.

    Raises:
        TypeError: a tensor without real numbers, or a mask that is not boolean.
        ValueError: shapes that do not fit, or scores that overflow float64.
    """
    dtype, Q, K, V = as_floats(Q=Q, K=K, V=V)
    scores, _ = shapes.check_attention(Q, K, V)
    return as_result(dtype, *plain.attention(Q, K, V, as_mask(mask, scores, Q.device)))


def self_attention(
    X: ArrayLike, W_Q: ArrayLike, W_K: ArrayLike, W_V: ArrayLike, mask: ArrayLike | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Let the rows of one sentence attend to each other.

    "Attention Is All You Need", section 3.2.1, with Q, K and V projected from the same X.

    Args:
        X: one row a token (..., n, d_in).
        W_Q: (d_in, d_k).
        W_K: (d_in, d_k).
        W_V: (d_in, d_v).
        mask: boolean, broadcast to (..., n, n). True = may attend. None: all may.

    Returns:
        output (..., n, d_v) and weights (..., n, n).

    Raises:
        TypeError: a tensor without real numbers, or a mask that is not boolean.
        ValueError: shapes that do not fit, or numbers so large that they overflow.
    """
    dtype, X, W_Q, W_K, W_V = as_floats(X=X, W_Q=W_Q, W_K=W_K, W_V=W_V)
    mask = as_mask(mask, shapes.check_self_attention(X, W_Q, W_K, W_V), X.device)
    return as_result(dtype, *plain.self_attention(X, W_Q, W_K, W_V, mask))
