"""The formulas of the course, as they stand in the book.

The tensors fit together and have one dtype already: the door sees to that. What only rare numbers
need (overflow, infinities, NaN behind a mask) is in `rare`; for all others it changes nothing.
"""

import math

import torch
import torch.nn.functional as F

from helpers.torch_attention import rare


def attention(Q, K, V, mask=None, dropout=0.0):
    """Return softmax(Q Kᵀ / √d_k) V and the weights."""
    d_k = Q.shape[-1]
    K, V = rare.clear_hidden(K, mask), rare.clear_hidden(V, mask)
    scores = (Q / math.sqrt(d_k)) @ K.transpose(-1, -2)  # (..., n_q, n_k)
    scores = rare.without_overflow(scores, Q, K, mask)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)  # exp(-inf) = 0
    weights = softmax(scores).to(V.dtype)  # (..., n_q, n_k)
    if dropout:
        weights = F.dropout(weights, dropout)
    return rare.average(weights, V, mask), weights  # weights @ V, (..., n_q, d_v)


def softmax(x, axis=-1):
    """Return exp(x) / Σ exp(x) along an axis."""
    weights = torch.softmax(x, dim=axis)
    return weights if rare.is_finite(weights) else rare.softmax(x, axis)


def self_attention(X, W_Q, W_K, W_V, mask=None):
    """Attention with queries, keys and values made from the same X."""
    return attention(project(X, W_Q), project(X, W_K), project(X, W_V), mask)


def project(X, W):
    """Return X @ W."""
    return rare.refuse_overflow(X @ W, X, W)


def multi_head_attention(X, W_Q, W_K, W_V, W_O, num_heads, mask=None, dropout=0.0):
    """Attention in every head, side by side; W_O mixes what they found."""
    Q, K, V = (split_heads(project(X, W), num_heads) for W in (W_Q, W_K, W_V))
    heads, weights = attention(Q, K, V, mask, dropout)  # (..., num_heads, n, d_head)
    return project(merge_heads(heads), W_O), weights  # (..., n, d_model)


def split_heads(X, num_heads):
    """Give each head its own columns."""
    *batch, n, d_model = X.shape
    heads = X.reshape(*batch, n, num_heads, d_model // num_heads)  # (..., n, num_heads, d_head)
    return heads.transpose(-2, -3)  # (..., num_heads, n, d_head)


def merge_heads(X):
    """Put the heads' columns side by side again."""
    *batch, num_heads, n, d_head = X.shape
    return X.transpose(-2, -3).reshape(*batch, n, num_heads * d_head)  # (..., n, d_model)
