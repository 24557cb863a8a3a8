"""Whether two plain values agree, up to the rounding of honest float32."""

import numpy as np

from helpers.course.values import Plain

RELATIVE = 1e-5  # of the largest wanted number: an honest float32 answer stays well inside
_NOTHING = 1e-9  # numbers below are what rounding leaves of a zero
_FLOOR = 1e-6  # how far from such a zero an answer may be


def misses(got: np.ndarray, want: np.ndarray) -> np.ndarray:
    """Mark the entries of one array that differ from another of the same shape.

    Args:
        got: plain array of any shape.
        want: plain array of the same shape; integers are compared exactly.

    Returns:
        bool array of the same shape, True where they differ by more than rounding.
    """
    if want.dtype == bool:
        return got != want
    with np.errstate(all="ignore"):
        difference = abs(got - want)
        tolerance = 1e-9 * abs(want) if want.dtype.kind == "i" else _tolerance(want)
        agree = (difference <= tolerance) | (got == want) | ((got != got) & (want != want))
    return ~agree


def _tolerance(want):
    finite = want[np.isfinite(want)]
    scale = float(abs(finite).max()) if finite.size else 0.0
    return RELATIVE * (scale + abs(want)) if scale > _NOTHING else _FLOOR


def matches(got: Plain, want: Plain) -> bool:
    """Say whether two plain values agree in structure, shape, kind and numbers."""
    if isinstance(want, tuple) or isinstance(got, tuple):
        if not (isinstance(want, tuple) and isinstance(got, tuple)) or len(got) != len(want):
            return False
        return all(map(matches, got, want))
    if isinstance(want, str) or isinstance(got, str):
        return isinstance(want, str) and isinstance(got, str) and got.casefold() == want.casefold()
    if got.shape != want.shape or (got.dtype == bool) != (want.dtype == bool):
        return False
    return not misses(got, want).any()
