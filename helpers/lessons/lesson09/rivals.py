"""Wrong and rival mechanisms that must break the claims of lesson 09."""

import numpy as np

from helpers import numpy_attention as attention


def cut_off(scores):
    """Softmax that cuts the scores off at ±700 and subtracts nothing."""
    exponentials = np.exp(np.clip(scores, -700, 700))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def a_little_below(scores):
    """Softmax that puts −1e9 in the place of −∞."""
    finite = np.maximum(scores, -1e9)
    exponentials = np.exp(finite - finite.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def never_divided(X, W_Q, W_K, W_V):
    """The skeleton without the division by the root of d_k."""
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = attention.softmax(Q @ K.T)
    return weights @ V, weights


def last_two_axes(X, W_Q, W_K, W_V):
    """The skeleton, cured: only the last two axes change places."""
    return attention.self_attention(X, W_Q, W_K, W_V)


def blind_to_masks(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """Attention with several heads that does not use its mask."""
    return attention.multi_head_attention(X, W_Q, W_K, W_V, W_O, num_heads)


def side_by_side(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """Attention with several heads whose results are put side by side and no more."""
    identity = np.eye(X.shape[-1])
    return attention.multi_head_attention(X, W_Q, W_K, W_V, identity, num_heads, mask)


def plain_mean(X, W_Q, W_K, W_V, mask=None):
    """Every token looks at all tokens alike."""
    weights = np.full((len(X), len(X)), 1 / len(X))
    return weights @ (X @ W_V), weights


def sees_everything(X, W_Q, W_K, W_V, mask=None):
    """Attention that does not use its mask."""
    return attention.self_attention(X, W_Q, W_K, W_V)
