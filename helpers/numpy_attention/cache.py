"""Attention token by token, with the keys and values of earlier tokens kept."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from helpers import shapes
from helpers.numpy_attention import plain
from helpers.numpy_attention.door import as_floats, as_result, quiet


class KVCache:
    """Causal self-attention for one new token at a time.

    Each step projects the new token only and keeps its key and value; the queries of earlier
    tokens are never needed again. After t steps the outputs are the rows of
    ``self_attention(X, W_Q, W_K, W_V, causal_mask(t))``. A copy goes its own way: it shares no
    later token with the original.

    Args:
        W_Q: (d_in, d_k), copied.
        W_K: (d_in, d_k), copied.
        W_V: (d_in, d_v), copied.

    Raises:
        TypeError: an array without real numbers.
        ValueError: shapes that do not fit.
    """

    @quiet
    def __init__(self, W_Q: ArrayLike, W_K: ArrayLike, W_V: ArrayLike):
        self._dtype, W_Q, W_K, W_V = as_floats(W_Q=W_Q, W_K=W_K, W_V=W_V)
        shapes.check_projections(W_Q, W_K, W_V)
        self._W_Q, self._W_K, self._W_V = W_Q.copy(), W_K.copy(), W_V.copy()
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
            twin._K, twin._V = self._K.copy(), self._V.copy()
        return twin

    @property
    def keys(self) -> np.ndarray | None:
        """The keys so far (..., n, d_k), read-only; None before the first step."""
        return filled(self._K, self._n)

    @property
    def values(self) -> np.ndarray | None:
        """The values so far (..., n, d_v), read-only; None before the first step."""
        return filled(self._V, self._n)

    @quiet
    def step(self, x: ArrayLike) -> np.ndarray:
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
        dtype = np.result_type(self._dtype, x_dtype)
        shapes.check_token(x, len(self._W_Q), self._K.shape[:-2] if self._n else None)
        x = x[..., None, :].astype(np.result_type(x, self._W_Q), copy=False)  # (..., 1, d_in)
        q = plain.project(x, self._W_Q)  # (..., 1, d_k)
        k = plain.project(x, self._W_K)  # (..., 1, d_k)
        v = plain.project(x, self._W_V)  # (..., 1, d_v)
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
    if not fits or np.result_type(buffer, row) != buffer.dtype:
        *batch, _, width = row.shape
        dtype = row.dtype if not n else np.result_type(buffer, row)
        larger = np.empty((*batch, max(16, 2 * n), width), dtype)
        if n:
            larger[..., :n, :] = buffer[..., :n, :]
        buffer = larger
    buffer[..., n, :] = row[..., 0, :]
    return buffer


def filled(buffer, n):
    """Return the first n rows of a buffer as a view that cannot be written to."""
    if not n:
        return None
    rows = buffer[..., :n, :]
    rows.flags.writeable = False
    return rows
