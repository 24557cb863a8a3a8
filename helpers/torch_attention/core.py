"""Softmax, scaled dot-product attention, and self-attention with one head."""

import math

import torch
import torch.nn.functional as F

from helpers.torch_attention._checks import (
    as_axis,
    as_chance,
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
        Weights of the shape of `x`. A row that is all -inf gives zeros (and zero gradients), a
        row with NaN gives NaN.

    Raises:
        TypeError: `x` holds no real numbers, or `axis` is not a whole number.
        ValueError: `x` has no such axis.
    """
    dtype, x = as_floats(x=x)
    axis = as_axis(axis, x)
    x = share_plus_infinity(x, axis)
    empty = (x == -math.inf).all(dim=axis, keepdim=True)  # rows with nothing to attend to
    weights = torch.softmax(x.masked_fill(empty, 0.0), dim=axis)
    return weights.masked_fill(empty, 0.0).to(dtype)


def scaled_dot_product_attention(Q, K, V, mask=None, *, dropout_p=0.0):
    """Let each query take the average of the values, weighted by how well their keys match it.

    Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V; "Attention Is All You Need", section 3.2.1.

    Args:
        Q: queries (..., n_q, d_k).
        K: keys (..., n_k, d_k).
        V: values (..., n_k, d_v).
        mask: boolean, broadcast to the scores (..., n_q, n_k). True = may attend. None: all may.
        dropout_p: chance that a weight is set to 0; those that stay are divided by 1 - dropout_p.
            Drawn from torch's global generator, as F.dropout does.

    Returns:
        output (..., n_q, d_v) and weights (..., n_q, n_k), the ones that were used. A query that
        may attend to nothing (also when there are no keys) has zeros in both. What a hidden key
        or value holds, even NaN, has no influence on them.

    Raises:
        TypeError: a tensor without real numbers, or a mask that is not boolean.
        ValueError: shapes that do not fit, a dropout_p outside [0, 1), or scores that overflow
            float64.
    """
    dtype, Q, K, V = as_floats(Q=Q, K=K, V=V)
    mask = as_mask(mask, check_attention(Q, K, V), Q.device)
    K, V = clear_hidden(K, mask), clear_hidden(V, mask)
    d_k = Q.shape[-1]
    scores = (Q / math.sqrt(d_k)) @ K.transpose(-1, -2)  # (..., n_q, n_k)
    scores = without_overflow(scores, Q, K, mask)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)  # exp(-inf) = 0
    weights = softmax(scores).to(V.dtype)  # (..., n_q, n_k)
    weights = F.dropout(weights, as_chance("dropout_p", dropout_p))
    output = weighted_sum(weights, V, mask)  # (..., n_q, d_v)
    return output.to(dtype), weights.to(dtype)


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
        TypeError: a tensor without real numbers, or a mask that is not boolean.
        ValueError: shapes that do not fit, or numbers so large that they overflow.
    """
    dtype, X, W_Q, W_K, W_V = as_floats(X=X, W_Q=W_Q, W_K=W_K, W_V=W_V)
    check_projections(W_Q, W_K, W_V)
    check_input(X, W_Q)
    Q = project(X, W_Q)  # (..., n, d_k)
    K = project(X, W_K)  # (..., n, d_k)
    V = project(X, W_V)  # (..., n, d_v)
    output, weights = scaled_dot_product_attention(Q, K, V, mask)
    return output.to(dtype), weights.to(dtype)


def project(X, W):
    """Return X @ W; refuse finite input whose product overflows."""
    product = X @ W
    if not product.isfinite().all() and W.isfinite().all():
        good_rows = X.isfinite().all(dim=-1)
        if not product[good_rows].isfinite().all():
            raise ValueError(f"X @ W overflows {product.dtype}: its numbers are too large.")
    return product


def share_plus_infinity(x, axis):
    """Where a row holds +inf, make those entries 0 and all others -inf; leave other rows."""
    infinite = x == math.inf
    if not infinite.any():
        return x
    shared = infinite.any(dim=axis, keepdim=True) & ~x.isnan().any(dim=axis, keepdim=True)
    return torch.where(shared, only_plus_infinity(x), x)


def only_plus_infinity(x):
    """Return 0 where x is +inf, and -inf elsewhere."""
    return torch.full_like(x, -math.inf).masked_fill(x == math.inf, 0.0)


def without_overflow(scores, Q, K, mask):
    """Return the scores as they are, or computed in float64 if float32 was too narrow for them."""
    if scores.detach().sum().isfinite():
        return scores
    if scores.dtype == torch.float32:
        return (Q.double() / math.sqrt(Q.shape[-1])) @ K.double().transpose(-1, -2)
    finite_query = Q.isfinite().all(dim=-1).unsqueeze(-1)
    finite_key = K.isfinite().all(dim=-1).unsqueeze(-2)
    overflow = ~scores.isfinite() & finite_query & finite_key
    if (overflow if mask is None else overflow & mask).any():
        raise ValueError(
            f"Q and K hold numbers so large that their dot products overflow {scores.dtype}."
        )
    return scores


def clear_hidden(rows, mask):
    """Put zeros into rows that no query sees, if any row holds NaN or infinity.

    Otherwise they would reach the gradients: 0 × NaN = NaN.
    """
    if mask is None or rows.detach().sum().isfinite():
        return rows
    unseen = ~mask.any(dim=-2) if mask.ndim > 1 else ~mask
    return torch.where(unseen.unsqueeze(-1), torch.zeros_like(rows), rows)


def weighted_sum(weights, rows, mask=None):
    """Return weights @ rows, leaving out the rows that are hidden, also where they hold NaN.

    A weight of zero is not enough to leave a row out: 0 × NaN = NaN.
    """
    total = weights @ rows
    if mask is None or total.detach().sum().isfinite():
        return total
    finite = rows.isfinite().all(dim=-1, keepdim=True)  # (..., n_k, 1)
    total = weights @ torch.where(finite, rows, 0.0)
    mask = mask.expand(torch.broadcast_shapes(mask.shape, weights.shape))
    for j in (~finite).reshape(-1, rows.shape[-2]).any(dim=0).nonzero().flatten().tolist():
        row = torch.where(finite[..., j : j + 1, :], 0.0, rows[..., j : j + 1, :])
        total = total + weights[..., j : j + 1] * torch.where(mask[..., j : j + 1], row, 0.0)
    return total
