"""Attention tile by tile: the same output, without the n × n matrix."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from helpers import shapes
from helpers.numpy_attention import rare
from helpers.numpy_attention.door import as_floats, as_mask, as_result, quiet

QUERY_ROWS = 256  # queries in a tile; smaller tiles spend their time in Python, not in matmul


@quiet
def blocked_attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    mask: ArrayLike | None = None,
    causal: bool = False,
    block_size: int = 1024,
) -> np.ndarray:
    """Compute the output of attention without ever holding all n × n scores.

    Online softmax: Milakov and Gimelshein, "Online normalizer calculation for softmax", section
    3; the tiles: Dao et al., "FlashAttention", section 3.1. The keys pass by in blocks. Each query
    keeps its largest score so far, the sum of its exponentials and its weighted sum of values;
    when a larger score appears, the two sums are scaled down to it.

    Args:
        Q: queries (..., n_q, d_k).
        K: keys (..., n_k, d_k).
        V: values (..., n_k, d_v).
        mask: boolean, broadcast to (..., n_q, n_k). True = may attend. None: all may.
        causal: True also hides the future, as `causal_mask(n_q, n_k)` does, but needs no n × n
            mask and does not compute blocks that lie wholly in the future.
        block_size: number of keys in a block; the last block may be shorter.

    Returns:
        output (..., n_q, d_v). A query that may attend to nothing gets zeros.

    Raises:
        TypeError: an array without real numbers, a mask that is not boolean, causal not a bool,
            block_size not a whole number.
        ValueError: shapes that do not fit, block_size below 1, or scores that overflow float64.
    """
    dtype, Q, K, V = as_floats(Q=Q, K=K, V=V)
    scores, output = shapes.check_attention(Q, K, V)
    mask = as_mask(mask, scores)
    shapes.check_flag("causal", causal)
    block_size = shapes.as_count("block_size", block_size, least=1)
    (output,) = as_result(dtype, attend_in_tiles(Q, K, V, mask, causal, block_size, output))
    return output


def attend_in_tiles(Q, K, V, mask, causal, block_size, shape):
    """Return the output, of the shape given, a few queries and a block of keys at a time."""
    if rare.scores_may_overflow(Q, K):
        Q, K, V = (np.asarray(a, np.result_type(a, np.float64)) for a in (Q, K, V))
    V, scale = rare.small_enough_to_sum(V)
    *batch, n_q, _ = shape
    n_k = K.shape[-2]
    Q, K, V = (np.broadcast_to(a, (*batch, *a.shape[-2:])) for a in (Q, K, V))
    if mask is not None:
        mask = np.broadcast_to(mask, (*batch, n_q, n_k))  # a view: no n × n memory
    output = np.empty(shape, Q.dtype)
    tile = np.empty(min(QUERY_ROWS, n_q) * min(block_size, n_k), Q.dtype)  # used again and again
    for index in np.ndindex(*batch):
        for start in range(0, n_q, QUERY_ROWS):
            rows = slice(start, min(start + QUERY_ROWS, n_q))
            seen = None if mask is None else mask[index][rows]
            future = rows.start + n_k - n_q + 1 if causal else None
            output[index][rows] = attend_in_blocks(
                Q[index][rows], K[index], V[index], seen, future, block_size, tile
            )
    return output if scale == 1 else rare.scaled_back(output, scale)


def attend_in_blocks(Q, K, V, mask, future, block_size, tile):
    """Return the output of a few queries (rows, d_v) while the keys pass by in blocks.

    `future` is the first key hidden from the first of the queries, or None: nothing is hidden.
    """
    n_rows, n_k = len(Q), len(K)
    Q = Q / math.sqrt(Q.shape[-1])
    largest = np.full((n_rows, 1), -np.inf, Q.dtype)
    total = np.zeros((n_rows, 1), Q.dtype)
    output = np.zeros((n_rows, V.shape[-1]), Q.dtype)
    last = n_k if future is None else min(n_k, future + n_rows - 1)
    for start in range(0, last, block_size):
        keys = slice(start, min(start + block_size, last))
        seen = visible_part(mask, future, n_rows, keys)
        if seen is not None and not seen.any():
            continue
        scores = tile[: n_rows * (keys.stop - start)].reshape(n_rows, keys.stop - start)
        np.matmul(Q, K[keys].T, out=scores)  # (rows, keys)
        if not np.isfinite(scores.sum()):
            rare.refuse_infinite_scores(scores, Q, K[keys], seen)
        if seen is not None and not seen.all():
            np.copyto(scores, -np.inf, where=~seen)

        new_largest = np.maximum(largest, scores.max(axis=-1, keepdims=True))
        weights = exp_minus_largest(scores, new_largest)
        shrink = np.exp(rare.minus_largest(largest, new_largest))  # 0 as long as nothing was seen
        total = total * shrink + weights.sum(axis=-1, keepdims=True)
        output = output * shrink + rare.visible_sum(weights, V[keys], seen)
        largest = new_largest
    return output / np.where(total == 0, 1, total)


def visible_part(mask, future, n_rows, keys):
    """Return which of these keys each query sees (rows, keys), or None if each sees them all."""
    seen = None if mask is None else mask[:, keys]
    if future is not None and keys.stop > future:
        first_hidden = future + np.arange(n_rows)[:, None]
        past = np.arange(keys.start, keys.stop) < first_hidden
        seen = past if seen is None else seen & past
    return seen


def exp_minus_largest(scores, largest):
    """Return exp(scores - largest), written over the scores where all rows are ordinary."""
    if np.isinf(largest).any():
        return np.exp(rare.minus_largest(scores, largest))
    scores -= largest
    return np.exp(scores, out=scores)
