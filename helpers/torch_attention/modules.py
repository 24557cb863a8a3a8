"""Self-attention as layers with parameters that can be trained."""

from __future__ import annotations

import math

import torch
from numpy.typing import ArrayLike
from torch import nn

from helpers import shapes
from helpers.torch_attention import plain
from helpers.torch_attention.attention import self_attention
from helpers.torch_attention.door import as_chance, as_floats, as_mask, as_result


class SelfAttention(nn.Module):
    """Self-attention with one head; the parameters W_Q, W_K, W_V are used as ``X @ W``.

    Args:
        d_in: width of the rows of X.
        d_k: width of queries and keys.
        d_v: width of values; d_k if left out.
        generator: seeded torch.Generator for the first parameters; torch's global one if left out.

    Raises:
        TypeError: a width that is not a whole number.
        ValueError: a width below 1.
    """

    def __init__(
        self,
        d_in: int,
        d_k: int,
        d_v: int | None = None,
        generator: torch.Generator | None = None,
    ):
        super().__init__()
        d_in, d_k = shapes.as_count("d_in", d_in, least=1), shapes.as_count("d_k", d_k, least=1)
        d_v = d_k if d_v is None else shapes.as_count("d_v", d_v, least=1)
        self.W_Q = random_matrix(d_in, d_k, generator)
        self.W_K = random_matrix(d_in, d_k, generator)
        self.W_V = random_matrix(d_in, d_v, generator)

    def forward(
        self, X: ArrayLike, mask: ArrayLike | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return output (..., n, d_v) and weights (..., n, n) for X (..., n, d_in).

        The mask is boolean and broadcast to (..., n, n). True = may attend. Errors as in
        `self_attention`.
        """
        return self_attention(X, self.W_Q, self.W_K, self.W_V, mask)


class MultiHeadAttention(nn.Module):
    """Self-attention with several heads; W_Q, W_K, W_V and W_O are used as ``X @ W``.

    "Attention Is All You Need", section 3.2.2, without biases.

    Args:
        d_model: width of the rows of X and of the output.
        num_heads: how many heads; must divide d_model.
        dropout: in training mode, the chance that a weight is set to 0; those that stay are
            divided by 1 - dropout. In evaluation mode nothing is dropped.
        generator: seeded torch.Generator for the first parameters; torch's global one if left out.

    Raises:
        TypeError: a number of the wrong kind.
        ValueError: num_heads that does not divide d_model, or dropout outside [0, 1).
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        dropout: float = 0.0,
        generator: torch.Generator | None = None,
    ):
        super().__init__()
        d_model = shapes.as_count("d_model", d_model, least=1)
        self.num_heads = shapes.as_count("num_heads", num_heads, least=1)
        shapes.check_divides(self.num_heads, "d_model", d_model)
        self.dropout = as_chance("dropout", dropout)
        self.W_Q = random_matrix(d_model, d_model, generator)
        self.W_K = random_matrix(d_model, d_model, generator)
        self.W_V = random_matrix(d_model, d_model, generator)
        self.W_O = random_matrix(d_model, d_model, generator)

    def forward(
        self, X: ArrayLike, mask: ArrayLike | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return output (..., n, d_model) and weights (..., num_heads, n, n), one map a head.

        X is (..., n, d_model). The mask is boolean and broadcast to (..., num_heads, n, n).
        True = may attend. In training mode the weights are the ones after dropout. Errors as in
        `multi_head_attention`.
        """
        dtype, X, W_Q, W_K, W_V, W_O = as_floats(
            X=X, W_Q=self.W_Q, W_K=self.W_K, W_V=self.W_V, W_O=self.W_O
        )
        wanted = shapes.check_multi_head(X, W_Q, W_K, W_V, W_O, self.num_heads)
        mask = as_mask(mask, wanted, X.device)
        dropout = self.dropout if self.training else 0.0
        return as_result(
            dtype,
            *plain.multi_head_attention(X, W_Q, W_K, W_V, W_O, self.num_heads, mask, dropout),
        )


def random_matrix(rows, columns, generator):
    """Return a parameter (rows, columns) that keeps the size of what it projects, on average."""
    return nn.Parameter(torch.randn(rows, columns, generator=generator) / math.sqrt(rows))
