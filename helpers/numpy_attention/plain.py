"""The formulas of the course, as they stand in the book.

The arrays fit together and have one dtype already: the door sees to that. What only rare numbers
need (overflow, infinities, NaN behind a mask) is in `rare`; for all others it changes nothing.
"""

import math

import numpy as np

from helpers.numpy_attention import rare


def attention(Q, K, V, mask=None):
    """Return softmax(Q Kᵀ / √d_k) V and the weights."""
    d_k = Q.shape[-1]
    scores = (Q / math.sqrt(d_k)) @ K.swapaxes(-1, -2)  # (..., n_q, n_k)
    scores = rare.without_overflow(scores, Q, K, mask)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)  # exp(-inf) = 0
    weights = softmax(scores)  # (..., n_q, n_k)
    return rare.average(weights, V, mask), weights  # weights @ V, (..., n_q, d_v)


def softmax(x, axis=-1):
    """Return exp(x) / Σ exp(x) along an axis; without the largest exponent it is the same."""
    weights = rare.minus_largest(x, x.max(axis=axis, keepdims=True, initial=-np.inf))
    np.exp(weights, out=weights)  # of numbers that are at most 0
    total = weights.sum(axis=axis, keepdims=True)
    total[total == 0] = 1  # all scores are -inf: nothing to attend to, weights of 0
    weights /= total
    return weights


def self_attention(X, W_Q, W_K, W_V, mask=None):
    """Attention with queries, keys and values made from the same X."""
    return attention(project(X, W_Q), project(X, W_K), project(X, W_V), mask)


def project(X, W):
    """Return X @ W."""
    return rare.refuse_overflow(X @ W, X, W)


def multi_head_attention(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """Attention in every head, side by side; W_O mixes what they found."""
    Q, K, V = (split_heads(project(X, W), num_heads) for W in (W_Q, W_K, W_V))
    heads, weights = attention(Q, K, V, mask)  # (..., num_heads, n, d_head)
    return project(merge_heads(heads), W_O), weights  # (..., n, d_model)


def split_heads(X, num_heads):
    """Give each head its own columns."""
    *batch, n, d_model = X.shape
    heads = X.reshape(*batch, n, num_heads, d_model // num_heads)  # (..., n, num_heads, d_head)
    return heads.swapaxes(-2, -3)  # (..., num_heads, n, d_head)


def merge_heads(X):
    """Put the heads' columns side by side again."""
    *batch, num_heads, n, d_head = X.shape
    return X.swapaxes(-2, -3).reshape(*batch, n, num_heads * d_head)  # (..., n, d_model)


def softmax_backward(weights, d_weights):
    """Return weight · (its own gradient - the weighted mean gradient of its row)."""
    return weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))


def attention_backward(d_output, Q, K, V, mask=None):
    """Return dQ, dK, dV, each of the shape of its array."""
    _, weights = attention(Q, K, V, mask)  # the forward pass again
    root = math.sqrt(Q.shape[-1])
    d_weights = d_output @ V.swapaxes(-1, -2)  # (..., n_q, n_k)
    if mask is not None:
        d_weights = np.where(mask, d_weights, 0)
    weights = np.broadcast_to(weights, d_weights.shape)
    d_scores = softmax_backward(weights, d_weights)  # (..., n_q, n_k)
    turned = None if mask is None else np.atleast_2d(mask).swapaxes(-1, -2)  # (..., n_k, n_q)
    dQ = rare.visible_sum(d_scores, K, mask) / root  # (..., n_q, d_k)
    dK = rare.visible_sum(d_scores.swapaxes(-1, -2), Q, turned) / root  # (..., n_k, d_k)
    dV = rare.visible_sum(weights.swapaxes(-1, -2), d_output, turned)  # (..., n_k, d_v)
    return sum_to_shape(dQ, Q), sum_to_shape(dK, K), sum_to_shape(dV, V)


def self_attention_backward(d_output, X, W_Q, W_K, W_V, mask=None):
    """Return dX, dW_Q, dW_K, dW_V: X took three ways, so three gradients add up."""
    Q, K, V = project(X, W_Q), project(X, W_K), project(X, W_V)
    dQ, dK, dV = attention_backward(d_output, Q, K, V, mask)
    dX = dQ @ W_Q.T + dK @ W_K.T + dV @ W_V.T  # (..., n, d_in)
    X_T = X.swapaxes(-1, -2)  # (..., d_in, n)
    dW_Q = sum_to_shape(X_T @ dQ, W_Q)  # (d_in, d_k)
    dW_K = sum_to_shape(X_T @ dK, W_K)  # (d_in, d_k)
    dW_V = sum_to_shape(X_T @ dV, W_V)  # (d_in, d_v)
    return dX, dW_Q, dW_K, dW_V


def sum_to_shape(gradient, array):
    """Sum over the batch axes along which `array` was repeated."""
    extra = gradient.ndim - array.ndim
    gradient = gradient.sum(axis=tuple(range(extra)))
    repeated = tuple(i for i, n in enumerate(array.shape) if n == 1 and gradient.shape[i] != 1)
    return gradient.sum(axis=repeated, keepdims=True)
