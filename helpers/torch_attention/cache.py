"""Attention token by token, with the keys and values of earlier tokens kept."""

import torch

from helpers.torch_attention._checks import as_floats, check_projections
from helpers.torch_attention.core import project, scaled_dot_product_attention


class KVCache:
    """Causal self-attention for one new token at a time, for generating (no gradients).

    Each step projects the new token only and keeps its key and value; the queries of earlier
    tokens are never needed again. After t steps the outputs are the rows of
    ``self_attention(X, W_Q, W_K, W_V, causal_mask(t))``.

    Args:
        W_Q: (d_in, d_k), copied.
        W_K: (d_in, d_k), copied.
        W_V: (d_in, d_v), copied.

    Raises:
        TypeError: a tensor without real numbers.
        ValueError: shapes that do not fit.
    """

    def __init__(self, W_Q, W_K, W_V):
        self._dtype, W_Q, W_K, W_V = as_floats(W_Q=W_Q, W_K=W_K, W_V=W_V)
        check_projections(W_Q, W_K, W_V)
        self._W_Q, self._W_K, self._W_V = (W.detach().clone() for W in (W_Q, W_K, W_V))
        self._K = self._V = None  # room for more tokens than there are yet
        self._n = 0

    def __len__(self):
        """Return the number of tokens seen."""
        return self._n

    @property
    def keys(self):
        """A copy of the keys so far (..., n, d_k); None before the first step."""
        return self._K[..., : self._n, :].clone() if self._n else None

    @property
    def values(self):
        """A copy of the values so far (..., n, d_v); None before the first step."""
        return self._V[..., : self._n, :].clone() if self._n else None

    @torch.no_grad()
    def step(self, x):
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
        x = self._as_row(x).to(working)
        q = project(x, self._W_Q.to(working))  # (..., 1, d_k)
        k = project(x, self._W_K.to(working))  # (..., 1, d_k)
        v = project(x, self._W_V.to(working))  # (..., 1, d_v)
        self._K = append(self._K, self._n, k)
        self._V = append(self._V, self._n, v)
        n = self._n + 1
        output, _ = scaled_dot_product_attention(q, self._K[..., :n, :], self._V[..., :n, :])
        self._n = n
        return output[..., 0, :].to(dtype)

    def _as_row(self, x):
        """Return x as (..., 1, d_in); refuse what does not fit the weights or earlier tokens."""
        d_in, shape = len(self._W_Q), tuple(x.shape)
        if x.ndim == 0 or shape[-1] != d_in:
            raise ValueError(f"x must be one token of shape (..., {d_in}), got shape {shape}.")
        if self._n and shape[:-1] != tuple(self._K.shape[:-2]):
            raise ValueError(
                f"x has batch shape {shape[:-1]} but the earlier tokens have "
                f"{tuple(self._K.shape[:-2])}: all steps need the same."
            )
        return x.unsqueeze(-2)


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
