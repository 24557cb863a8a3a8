"""Several heads: the columns shared out among them, and put together again."""

from __future__ import annotations

import torch
from numpy.typing import ArrayLike

from helpers import shapes
from helpers.torch_attention import plain
from helpers.torch_attention.door import as_floats, as_mask, as_result, as_tensor


def split_heads(X: ArrayLike, num_heads: int) -> torch.Tensor:
    """Give each head its own columns: head h gets columns h·d_head … (h+1)·d_head - 1.

    Args:
        X: (..., n, d_model).
        num_heads: how many heads; must divide d_model.

    Returns:
        A copy (..., num_heads, n, d_head) of the same dtype, d_head = d_model / num_heads.

    Raises:
        TypeError: X without real numbers, or num_heads not a whole number.
        ValueError: X with fewer than two axes, or num_heads that does not divide d_model.
    """
    X = as_tensor("X", X)
    shapes.check_matrix("X", X, "n, d_model")
    num_heads = shapes.as_count("num_heads", num_heads, least=1)
    shapes.check_divides(num_heads, "d_model", X.shape[-1])
    return plain.split_heads(X, num_heads).clone()


def merge_heads(X: ArrayLike) -> torch.Tensor:
    """Put the heads' columns side by side again: the inverse of `split_heads`.

    Args:
        X: (..., num_heads, n, d_head).

    Returns:
        A copy (..., n, num_heads · d_head) of the same dtype.

    Raises:
        TypeError: X without real numbers.
        ValueError: X with fewer than three axes.
    """
    X = as_tensor("X", X)
    shapes.check_heads(X)
    return plain.merge_heads(X).clone()


def multi_head_attention(
    X: ArrayLike,
    W_Q: ArrayLike,
    W_K: ArrayLike,
    W_V: ArrayLike,
    W_O: ArrayLike,
    num_heads: int,
    mask: ArrayLike | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Let several heads attend side by side, and mix what they found with W_O.

    "Attention Is All You Need", section 3.2.2. Each head scales by the root of its own width.

    Args:
        X: one row a token (..., n, d_model).
        W_Q: (d_model, d_model); the columns of head h are h·d_head … (h+1)·d_head - 1.
        W_K: (d_model, d_model).
        W_V: (d_model, d_model).
        W_O: (d_model, d_model).
        num_heads: how many heads; must divide d_model.
        mask: boolean, broadcast to (..., num_heads, n, n). True = may attend. A mask for each
            sentence (batch, n, n) needs an axis for the heads: ``mask[:, None]``.

    Returns:
        output (..., n, d_model) and weights (..., num_heads, n, n), one map a head.

    Raises:
        TypeError: a tensor without real numbers, a mask that is not boolean, num_heads not whole.
        ValueError: shapes that do not fit, or numbers so large that they overflow.
    """
    num_heads = shapes.as_count("num_heads", num_heads, least=1)
    dtype, X, W_Q, W_K, W_V, W_O = as_floats(X=X, W_Q=W_Q, W_K=W_K, W_V=W_V, W_O=W_O)
    mask = as_mask(mask, shapes.check_multi_head(X, W_Q, W_K, W_V, W_O, num_heads), X.device)
    return as_result(dtype, *plain.multi_head_attention(X, W_Q, W_K, W_V, W_O, num_heads, mask))
