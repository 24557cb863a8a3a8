"""Attention tile by tile: the same output, without the n × n matrix."""

from __future__ import annotations

import math

import torch
from numpy.typing import ArrayLike

from helpers import shapes
from helpers.torch_attention import rare
from helpers.torch_attention.door import as_floats, as_mask, as_result

QUERY_ROWS = 256  # queries in a tile; smaller tiles spend their time in Python, not in matmul


def blocked_attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    mask: ArrayLike | None = None,
    causal: bool = False,
    block_size: int = 1024,
) -> torch.Tensor:
    """Compute the output of attention without ever holding all n × n scores.

    Online softmax: Milakov and Gimelshein, "Online normalizer calculation for softmax", section
    3; the tiles: Dao et al., "FlashAttention", section 3.1. The keys pass by in blocks. Each query
    keeps its largest score so far, the sum of its exponentials and its weighted sum of values;
    when a larger score appears, the two sums are scaled down to it.

    Autograd works, but keeps every tile for the backward pass: memory is only saved where no
    gradients are recorded (``torch.no_grad()``).

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
        TypeError: a tensor without real numbers, a mask that is not boolean, causal not a bool,
            block_size not a whole number.
        ValueError: shapes that do not fit, block_size below 1, or scores that overflow float64.
    """
    dtype, Q, K, V = as_floats(Q=Q, K=K, V=V)
    scores, output = shapes.check_attention(Q, K, V)
    mask = as_mask(mask, scores, Q.device)
    shapes.check_flag("causal", causal)
    block_size = shapes.as_count("block_size", block_size, least=1)
    if mask is not None:
        mask = mask.expand(scores)  # a view: no n × n memory
    (output,) = as_result(dtype, attend_in_tiles(Q, K, V, mask, causal, block_size, output))
    return output


def attend_in_tiles(Q, K, V, mask, causal, block_size, shape):
    """Return the output, of the shape given, a few queries and a block of keys at a time."""
    K, V = rare.clear_hidden(K, mask), rare.clear_hidden(V, mask)
    if rare.scores_may_overflow(Q, K):
        Q, K, V = Q.double(), K.double(), V.double()
    V, scale = rare.small_enough_to_sum(V)
    *batch, n_q, d_v = shape
    tiles = [Q.new_zeros(*batch, 0, d_v)]
    for start in range(0, n_q, QUERY_ROWS):
        rows = slice(start, min(start + QUERY_ROWS, n_q))
        seen = None if mask is None else mask[..., rows, :]
        future = start + K.shape[-2] - n_q + 1 if causal else None
        tile = attend_in_blocks(Q[..., rows, :], K, V, seen, future, block_size)
        tiles.append(tile.expand(*batch, -1, -1))
    output = torch.cat(tiles, dim=-2)
    return output if scale == 1 else rare.scaled_back(output, scale)


def attend_in_blocks(Q, K, V, mask, future, block_size):
    """Return the output of a few queries (..., rows, d_v) while the keys pass by in blocks.

    `future` is the first key hidden from the first of the queries, or None: nothing is hidden.
    """
    n_rows, n_k = Q.shape[-2], K.shape[-2]
    largest = Q.new_full((n_rows, 1), -math.inf)
    total = Q.new_zeros(n_rows, 1)
    output = Q.new_zeros(n_rows, V.shape[-1])
    last = n_k if future is None else min(n_k, future + n_rows - 1)
    for start in range(0, last, block_size):
        keys = slice(start, min(start + block_size, last))
        seen = visible_part(mask, future, n_rows, keys, Q.device)
        K_block, V_block = K[..., keys, :], V[..., keys, :]
        scores = (Q / math.sqrt(Q.shape[-1])) @ K_block.transpose(-1, -2)  # (..., rows, keys)
        scores = rare.without_overflow(scores, Q, K_block, seen)
        if seen is not None:
            scores = scores.masked_fill(~seen, -math.inf)

        block_largest = scores.detach().amax(dim=-1, keepdim=True)
        new_largest = torch.maximum(largest, block_largest)
        weights = rare.minus_largest(scores, new_largest).exp().to(V.dtype)
        # 0 as long as nothing was seen
        shrink = rare.minus_largest(largest, new_largest).exp().to(V.dtype)
        total = total * shrink + weights.sum(dim=-1, keepdim=True)
        output = output * shrink + rare.visible_sum(weights, V_block, seen)
        largest = new_largest
    return output / total.masked_fill(total == 0, 1.0)


def visible_part(mask, future, n_rows, keys, device):
    """Return which of these keys each query sees (..., rows, keys), or None: each sees all."""
    seen = None if mask is None else mask[..., keys]
    if future is not None and keys.stop > future:
        first_hidden = future + torch.arange(n_rows, device=device)[:, None]
        past = torch.arange(keys.start, keys.stop, device=device) < first_hidden
        seen = past if seen is None else seen & past
    return seen
