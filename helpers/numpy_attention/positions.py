"""Where a token stands, written as a row of sines and cosines."""

from __future__ import annotations

import numpy as np

from helpers import shapes
from helpers.numpy_attention.door import quiet


@quiet
def sinusoidal_positions(n: int, d_model: int, base: float = 10000.0) -> np.ndarray:
    """Give every position a row of waves, from fast ones (left) to slow ones (right).

    Column 2i is sin(p / base^(2i/d_model)) and column 2i+1 the cosine of the same angle;
    "Attention Is All You Need", section 3.5. If d_model is odd, the last column is a sine.

    Args:
        n: number of positions, counted from 0.
        d_model: number of columns.
        base: the slowest wave is about `base` times slower than the first.

    Returns:
        float64 (n, d_model).

    Raises:
        TypeError: n or d_model not whole numbers, or base not a number.
        ValueError: n below 0, d_model below 1, or base not positive and finite.
    """
    n = shapes.as_count("n", n, least=0)
    d_model = shapes.as_count("d_model", d_model, least=1)
    base = shapes.as_base(base, n, d_model)
    position = np.arange(n)[:, None]  # (n, 1)
    even = np.arange(0, d_model, 2)  # each sine and its cosine share this column number
    angle = position / base ** (even / d_model)  # (n, number of sines)
    positions = np.empty((n, d_model))
    positions[:, 0::2] = np.sin(angle)
    positions[:, 1::2] = np.cos(angle[:, : d_model // 2])
    return positions
