"""Random inputs that are easy to read and keep what their name promises."""

import numpy as np


def shares(rng, *shape) -> np.ndarray:
    """Draw rows of weights in hundredths that add up to 1; no two of a row are the largest.

    Args:
        rng: numpy Generator.
        *shape: ints; the last is the length of a row, 2 to 100.

    Returns:
        float64 array of this shape, every entry above 0.
    """
    n = shape[-1]
    while True:
        hundredths = 1 + rng.multinomial(100 - n, rng.dirichlet(np.ones(n), size=shape[:-1]))
        two = np.sort(hundredths, axis=-1)[..., -2:]
        if (two[..., 0] < two[..., 1]).all():
            return hundredths / 100
