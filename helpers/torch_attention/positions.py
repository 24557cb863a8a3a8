"""Where a token stands, written as a row of sines and cosines."""

from __future__ import annotations

import torch

from helpers import shapes


def sinusoidal_positions(n: int, d_model: int, base: float = 10000.0) -> torch.Tensor:
    """Give every position a row of waves, from fast ones (left) to slow ones (right).

    Column 2i is sin(p / base^(2i/d_model)) and column 2i+1 the cosine of the same angle;
    "Attention Is All You Need", section 3.5. If d_model is odd, the last column is a sine.

    Args:
        n: number of positions, counted from 0.
        d_model: number of columns.
        base: the slowest wave is about `base` times slower than the first.

    Returns:
        (n, d_model) in torch's default dtype, computed in float64.

    Raises:
        TypeError: n or d_model not whole numbers, or base not a number.
        ValueError: n below 0, d_model below 1, or base not positive and finite.
    """
    n = shapes.as_count("n", n, least=0)
    d_model = shapes.as_count("d_model", d_model, least=1)
    base = shapes.as_base(base, n, d_model)
    position = torch.arange(n, dtype=torch.float64)[:, None]  # (n, 1)
    even = torch.arange(0, d_model, 2)  # each sine and its cosine share this column number
    angle = position / base ** (even.double() / d_model)  # (n, number of sines)
    positions = torch.empty(n, d_model, dtype=torch.float64)
    positions[:, 0::2] = angle.sin()
    positions[:, 1::2] = angle[:, : d_model // 2].cos()
    return positions.to(torch.get_default_dtype())
