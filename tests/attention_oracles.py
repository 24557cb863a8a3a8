"""Attention in NumPy, one number at a time, and the random problems it is tried on."""

import math

import numpy as np

from helpers.numpy_attention import causal_mask

SEEDS = range(48)


def loop_softmax(row):
    """Softmax of a list of numbers; -inf gets 0, and a list of nothing but -inf gives zeros."""
    top = max(row, default=-math.inf)
    if top == -math.inf:
        return [0.0] * len(row)
    exponentials = [math.exp(x - top) for x in row]
    return [e / math.fsum(exponentials) for e in exponentials]


def loop_attention(Q, K, V, mask=None):
    """Attention with loops in float64; whatever is hidden is not even read."""
    batch = np.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2])
    (n_q, d_k), (n_k, d_v) = Q.shape[-2:], V.shape[-2:]
    Q, K, V = (np.broadcast_to(a, batch + a.shape[-2:]).astype(np.float64) for a in (Q, K, V))
    mask = np.broadcast_to(True if mask is None else mask, (*batch, n_q, n_k))
    output, weights = np.zeros((*batch, n_q, d_v)), np.zeros((*batch, n_q, n_k))
    for b in np.ndindex(batch):
        for i in range(n_q):
            scores = [-math.inf] * n_k
            for j in range(n_k):
                if mask[b][i, j]:
                    scores[j] = math.fsum(Q[b][i] * K[b][j]) / math.sqrt(d_k)
            weights[b][i] = loop_softmax(scores)
            for j in range(n_k):
                if mask[b][i, j]:
                    output[b][i] += weights[b][i, j] * V[b][j]
    return output, weights


def loop_multi_head(X, W_Q, W_K, W_V, W_O, num_heads, masks):
    """Multi-head attention of one sentence, one head after the other, each with its mask."""
    d_head, v_head = W_Q.shape[1] // num_heads, W_V.shape[1] // num_heads
    found, maps = [], []
    for h in range(num_heads):
        columns = slice(h * d_head, (h + 1) * d_head)
        value_columns = slice(h * v_head, (h + 1) * v_head)
        output, weights = loop_attention(
            X @ W_Q[:, columns], X @ W_K[:, columns], X @ W_V[:, value_columns], masks[h]
        )
        found.append(output)
        maps.append(weights)
    return np.concatenate(found, axis=-1) @ W_O, np.stack(maps)


def random(seed, *shape, dtype=np.float64, size=1.0):
    return (size * np.random.default_rng(seed).normal(size=shape)).astype(dtype)


def random_mask(seed, *shape):
    """A mask with about a third hidden, and the first query of each sentence sees nothing."""
    mask = np.random.default_rng(seed).random(shape) > 0.35
    mask[..., 0, :] = False
    return mask


def random_problem(seed):
    """Q, K, V and a mask (or None) of random sizes, with batch axes that broadcast."""
    rng = np.random.default_rng(seed)
    n_q, n_k, d_k, d_v = (int(n) for n in rng.integers(1, 8, size=4))
    batch = [(), (2,), (3, 2), (2, 1, 3)][seed % 4]
    smaller = tuple(1 if i % 2 else n for i, n in enumerate(batch))
    Q = rng.normal(size=(*batch, n_q, d_k))
    K = rng.normal(size=(*(smaller if seed % 3 == 0 else batch), n_k, d_k))
    V = rng.normal(size=(*batch, n_k, d_v))
    masks = [
        None,
        random_mask(seed, *batch, n_q, n_k),
        random_mask(seed, n_q, n_k),
        causal_mask(n_q, n_k),
        rng.random((*smaller, 1, n_k)) > 0.4,
        rng.random(n_k) > 0.4,
    ]
    return Q, K, V, masks[seed % len(masks)]
