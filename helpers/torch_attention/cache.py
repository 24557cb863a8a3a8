"""Attention token by token, with the keys and values of earlier tokens kept."""

from __future__ import annotations

import torch
from numpy.typing import ArrayLike

from helpers import shapes
from helpers.torch_attention import plain
from helpers.torch_attention.door import as_floats, as_result


class KVCache:
    """Causal self-attention for one new token at a time, for generating (no gradients).

    Each step projects the new token only and keeps its key and value; the queries of earlier
    tokens are never needed again. After t steps the outputs are the rows of
    ``self_attention(X, W_Q, W_K, W_V, causal_mask(t))``. A copy goes its own way: it shares no
    later token with the original.

    Args:
        W_Q: (d_in, d_k), copied.
        W_K: (d_in, d_k), copied.
        W_V: (d_in, d_v), copied.

    Raises:
        TypeError: a tensor without real numbers.
        ValueError: shapes that do not fit.
    """

    def __init__(self, W_Q: ArrayLike, W_K: ArrayLike, W_V: ArrayLike):
        self._dtype, W_Q, W_K, W_V = as_floats(W_Q=W_Q, W_K=W_K, W_V=W_V)
        shapes.check_projections(W_Q, W_K, W_V)
        self._W_Q, self._W_K, self._W_V = (W.detach().clone() for W in (W_Q, W_K, W_V))
        self._K = self._V = None  # room for more tokens than there are yet
        self._n = 0

    def __len__(self) -> int:
        """Return the number of tokens seen."""
        return self._n

    def __copy__(self):
        """Return a cache that has seen the same tokens, with room of its own."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        if self._n:
            twin._K, twin._V = self._K.clone(), self._V.clone()
        return twin

    @property
    def keys(self) -> torch.Tensor | None:
        """A copy of the keys so far (..., n, d_k); None before the first step."""
        return self._K[..., : self._n, :].clone() if self._n else None

    @property
    def values(self) -> torch.Tensor | None:
        """A copy of the values so far (..., n, d_v); None before the first step."""
        return self._V[..., : self._n, :].clone() if self._n else None

    @torch.no_grad()
    def step(self, x: ArrayLike) -> torch.Tensor:
        """Take in one token and return what it finds among all tokens so far, itself included.

        Args:
            x: the newest token (..., d_in). Leading axes are a batch; they stay the same in
                every step.

        Returns:
            output (..., d_v).

        Raises:
            TypeError: x without real numbers.
            ValueError: x of another width or batch shape, or numbers so large that they overflow.
        """
        x_dtype, x = as_floats(x=x)
        dtype = torch.promote_types(self._dtype, x_dtype)
        working = torch.promote_types(x.dtype, self._W_Q.dtype)
        shapes.check_token(x, len(self._W_Q), self._K.shape[:-2] if self._n else None)
        x = x.unsqueeze(-2).to(working)  # (..., 1, d_in)
        q = plain.project(x, self._W_Q.to(working))  # (..., 1, d_k)
        k = plain.project(x, self._W_K.to(working))  # (..., 1, d_k)
        v = plain.project(x, self._W_V.to(working))  # (..., 1, d_v)
        self._K = append(self._K, self._n, k)
        self._V = append(self._V, self._n, v)
        n = self._n + 1
        output, _ = plain.attention(q, self._K[..., :n, :], self._V[..., :n, :])
        (output,) = as_result(dtype, output[..., 0, :])
        self._n = n
        return output


def append(buffer, n, row):
    """Write `row` behind the first n rows; if the buffer is full, first move to a larger one."""
    fits = n and n < buffer.shape[-2]
    if not fits or torch.promote_types(buffer.dtype, row.dtype) != buffer.dtype:
        *batch, _, width = row.shape
        dtype = row.dtype if not n else torch.promote_types(buffer.dtype, row.dtype)
        larger = row.new_empty((*batch, max(16, 2 * n), width), dtype=dtype)
        if n:
            larger[..., :n, :] = buffer[..., :n, :]
        buffer = larger
    buffer[..., n, :] = row[..., 0, :]
    return buffer
