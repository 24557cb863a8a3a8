"""Wrong and rival mechanisms that must break the claims of lesson 07."""

import numpy as np

from helpers.numpy_attention import self_attention


def whole_table(Q, K, V):
    """Softmax attention with its table of scores."""
    scores = Q @ K.T / K.shape[-1] ** 0.5
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials @ V / exponentials.sum(axis=-1, keepdims=True)


def linear(Q, K, V):
    """Attention without softmax, its products taken in the other order."""
    q, k = np.exp(Q / 4), np.exp(K / 4)
    return q @ (k.T @ V) / (q @ k.sum(axis=0)[:, None])


def first_half_only(Q, K, V):
    """Linear attention to the first half of the text."""
    half = len(K) // 2
    return linear(Q, K[:half], V[:half])


def last_eight(Q, K, V):
    """Softmax attention to the last eight keys."""
    return whole_table(Q, K[-8:], V[-8:])


def without_projections(X, W_Q, W_K, W_V, W_O):
    """A layer that compares the tokens themselves, with no matrix W."""
    return whole_table(X, X, X)


def plain_root(Q, K, V):
    """The article's code with a plain number under the fraction: float32 stays float32."""
    scores = Q @ K.T / float(K.shape[-1]) ** 0.5
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exponentials = np.exp(shifted)
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights @ V


def sixty_four_rows(Q, K, V):
    """Attention that works through the queries in groups of 64."""
    return np.vstack([whole_table(Q[i : i + 64], K, V) for i in range(0, len(Q), 64)])


def in_one_block(Q, K, V, block):
    """Attention whose only block holds all keys."""
    return whole_table(Q, K, V)


def blocks_averaged(Q, K, V, block):
    """A softmax in each block, and the average of what the blocks give."""
    starts = range(0, len(K), block)
    return sum(whole_table(Q, K[i : i + block], V[i : i + block]) for i in starts) / len(starts)


def linear_in_blocks(Q, K, V, block):
    """Linear attention in place of attention in blocks."""
    return linear(Q, K, V)


def short_memory(X, W_Q, W_K, W_V):
    """A cache with room for four tokens."""
    ends = range(1, len(X) + 1)
    return np.array([self_attention(X[max(0, t - 4) : t], W_Q, W_K, W_V)[0][-1] for t in ends])


def nothing_hidden(X, W_Q, W_K, W_V):
    """One pass over the finished text, in which tokens see later ones."""
    return self_attention(X, W_Q, W_K, W_V)[0]
