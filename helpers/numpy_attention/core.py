"""Softmax, scaled dot-product attention, and self-attention with one head."""

import math

import numpy as np

from helpers.numpy_attention._checks import (
    as_axis,
    as_floats,
    as_mask,
    check_attention,
    check_input,
    check_projections,
)


def softmax(x, axis=-1):
    """Turn scores into weights: positive, and summing to 1 along `axis`.

    Args:
        x: scores of any shape with at least one axis. -inf gets weight 0. Where +inf occurs,
            the +inf entries share the weight equally.
        axis: the axis along which the weights sum to 1.

    Returns:
        Weights of the shape of `x`. A row that is all -inf gives zeros, a row with NaN gives NaN.

    Raises:
        TypeError: `x` holds no real numbers, or `axis` is not a whole number.
        ValueError: `x` has no such axis.
    """
    dtype, x = as_floats(x=x)
    axis = as_axis(axis, x)
    largest = x.max(axis=axis, keepdims=True, initial=-np.inf)
    weights = minus_largest(x, largest)  # now at most 0, so that exp cannot overflow
    np.exp(weights, out=weights)
    total = weights.sum(axis=axis, keepdims=True)
    weights /= np.where(total == 0, 1, total)  # total is 0 only where all scores are -inf
    return weights.astype(dtype, copy=False)


def scaled_dot_product_attention(Q, K, V, mask=None):
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
        NaN, has no influence.

    Raises:
        TypeError: an array without real numbers, or a mask that is not boolean.
        ValueError: shapes that do not fit, or scores that overflow float64.
    """
    dtype, Q, K, V = as_floats(Q=Q, K=K, V=V)
    mask = as_mask(mask, check_attention(Q, K, V))
    d_k = Q.shape[-1]
    with np.errstate(over="ignore", invalid="ignore"):  # what goes wrong is looked at, not printed
        scores = (Q / math.sqrt(d_k)) @ K.swapaxes(-1, -2)  # (..., n_q, n_k)
        scores = without_overflow(scores, Q, K, mask)
        if mask is not None:
            scores = np.where(mask, scores, -np.inf)  # exp(-inf) = 0
        weights = softmax(scores)  # (..., n_q, n_k)
        output = weighted_sum(weights, V, mask)  # (..., n_q, d_v)
    return output.astype(dtype, copy=False), weights.astype(dtype, copy=False)


def self_attention(X, W_Q, W_K, W_V, mask=None):
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
        TypeError: an array without real numbers, or a mask that is not boolean.
        ValueError: shapes that do not fit, or numbers so large that they overflow.
    """
    dtype, X, W_Q, W_K, W_V = as_floats(X=X, W_Q=W_Q, W_K=W_K, W_V=W_V)
    check_projections(W_Q, W_K, W_V)
    check_input(X, W_Q)
    Q = project(X, W_Q)  # (..., n, d_k)
    K = project(X, W_K)  # (..., n, d_k)
    V = project(X, W_V)  # (..., n, d_v)
    output, weights = scaled_dot_product_attention(Q, K, V, mask)
    return output.astype(dtype, copy=False), weights.astype(dtype, copy=False)


def project(X, W):
    """Return X @ W; refuse finite input whose product overflows."""
    with np.errstate(over="ignore", invalid="ignore"):
        product = X @ W
    if not np.isfinite(product).all() and np.isfinite(W).all():
        good_rows = np.isfinite(X).all(axis=-1)
        if not np.isfinite(product[good_rows]).all():
            raise ValueError(f"X @ W overflows {product.dtype}: its numbers are too large.")
    return product


def minus_largest(x, largest):
    """Return x - largest as a new array, with -inf - -inf = -inf and +inf - +inf = 0."""
    if np.isposinf(largest).any():
        only_infinite = np.where(np.isposinf(x), 0, np.full_like(x, -np.inf))
        x = np.where(np.isposinf(largest), only_infinite, x)
    with np.errstate(over="ignore"):
        return x - np.where(np.isinf(largest), 0, largest)


def without_overflow(scores, Q, K, mask):
    """Return the scores as they are, or computed in float64 if float32 was too narrow for them."""
    if np.isfinite(scores.sum()):
        return scores
    if scores.dtype == np.float32:
        Q, K = Q.astype(np.float64), K.astype(np.float64)
        return (Q / math.sqrt(Q.shape[-1])) @ K.swapaxes(-1, -2)
    refuse_overflow(scores, Q, K, mask)
    return scores


def refuse_overflow(scores, Q, K, mask):
    """Refuse a visible score that is not finite although its query and key are."""
    finite_query = np.isfinite(Q).all(axis=-1)[..., :, None]
    finite_key = np.isfinite(K).all(axis=-1)[..., None, :]
    overflow = ~np.isfinite(scores) & finite_query & finite_key
    if (overflow if mask is None else overflow & mask).any():
        raise ValueError(
            f"Q and K hold numbers so large that their dot products overflow {scores.dtype}."
        )


def weighted_sum(weights, rows, mask=None):
    """Return weights @ rows, leaving out the rows that are hidden, also where they hold NaN.

    A weight of zero is not enough to leave a row out: 0 × NaN = NaN.
    """
    total = weights @ rows
    if mask is None or np.isfinite(total.sum()):
        return total
    finite = np.isfinite(rows).all(axis=-1, keepdims=True)  # (..., n_k, 1)
    total = weights @ np.where(finite, rows, 0)
    mask = np.broadcast_to(mask, np.broadcast_shapes(mask.shape, weights.shape))
    for j in np.flatnonzero(~finite.all(axis=tuple(range(finite.ndim - 2))).ravel()):
        row = np.where(finite[..., j : j + 1, :], 0, rows[..., j : j + 1, :])
        total += np.where(mask[..., j : j + 1], weights[..., j : j + 1] * row, 0)
    return total
