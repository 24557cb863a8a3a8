"""Attention tile by tile: the same output, without the n × n matrix."""

import math

import torch

from helpers.torch_attention._checks import as_count, as_floats, as_mask, check_attention
from helpers.torch_attention.core import (
    clear_hidden,
    only_plus_infinity,
    weighted_sum,
    without_overflow,
)

QUERY_ROWS = 256  # queries in a tile; smaller tiles spend their time in Python, not in matmul


def blocked_attention(Q, K, V, mask=None, causal=False, block_size=1024):
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
    shape = check_attention(Q, K, V)
    mask = as_mask(mask, shape, Q.device)
    block_size = as_count("block_size", block_size, least=1)
    if not isinstance(causal, bool):
        raise TypeError(f"causal must be True or False, got {causal!r}.")
    if scores_may_overflow(Q, K):
        Q, K, V = Q.double(), K.double(), V.double()

    n_q, n_k = shape[-2:]
    if mask is not None:
        mask = mask.expand(shape)  # a view: no n × n memory
        K, V = clear_hidden(K, mask), clear_hidden(V, mask)
    batch = torch.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2])
    output = [Q.new_zeros(*batch, 0, V.shape[-1])]
    for start in range(0, n_q, QUERY_ROWS):
        rows = slice(start, min(start + QUERY_ROWS, n_q))
        seen = None if mask is None else mask[..., rows, :]
        future = start + n_k - n_q + 1 if causal else None
        block = attend_in_blocks(Q[..., rows, :], K, V, seen, future, block_size)
        output.append(block.expand(*batch, -1, -1))
    return torch.cat(output, dim=-2).to(dtype)


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
        scores = without_overflow(scores, Q, K_block, seen)
        if seen is not None:
            scores = scores.masked_fill(~seen, -math.inf)

        block_largest = scores.detach().amax(dim=-1, keepdim=True)
        new_largest = torch.maximum(largest, block_largest)
        weights = minus_largest(scores, new_largest).exp().to(V.dtype)
        shrink = minus_largest(largest, new_largest).exp().to(V.dtype)  # 0 while nothing was seen
        total = total * shrink + weights.sum(dim=-1, keepdim=True)
        output = output * shrink + weighted_sum(weights, V_block, seen)
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


def minus_largest(x, largest):
    """Return x - largest, with -inf - -inf = -inf and +inf - +inf = 0."""
    x = torch.where(largest == math.inf, only_plus_infinity(x), x)
    return x - largest.masked_fill(largest.isinf(), 0.0)


def scores_may_overflow(Q, K):
    """Tell whether a dot product of these queries and keys could pass the largest number."""
    bound = largest_size(Q) * largest_size(K) * Q.shape[-1]
    return not bound < torch.finfo(Q.dtype).max


def largest_size(a):
    """Return the largest absolute value as a float."""
    return float(a.detach().abs().max()) if a.numel() else 0.0
