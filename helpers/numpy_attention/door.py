"""The door: every public function checks and converts its arguments here, once."""

import numpy as np

from helpers import shapes

MASK_WANTED = "mask must be a boolean array in which True = may attend"

# Public functions are decorated with it: a number that overflows is looked for, not printed,
# and what the caller chose with np.seterr does not stop an exponential that becomes 0.
quiet = np.errstate(all="ignore")


def as_regular(name, value):
    """Return `value` as an array; refuse nested lists of unequal length and masked entries."""
    if type(value) is np.ndarray:
        return value
    shapes.refuse_masked(name, value)
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} must be a regular array, with rows of equal length.") from error
    except (TypeError, RuntimeError) as error:
        kind = type(value).__name__
        raise TypeError(f"{name} must be an array of real numbers, got {kind}: {error}") from error


def as_array(name, value):
    """Return `value` as an array of real numbers; refuse everything else by name."""
    array = as_regular(name, value)
    if array.dtype.kind not in "fiub":
        raise TypeError(
            f"{name} has dtype {array.dtype}: real numbers are wanted "
            "(float16, float32, float64 or integers)."
        )
    return array


def as_floats(**arrays):
    """Return the dtype of the result, then every array in the dtype to compute with.

    The result has the widest dtype among the arrays, integers counting as float64.
    float16 is computed in float32: its largest number, 65504, is soon passed by a dot product.
    """
    arrays = [as_array(name, value) for name, value in arrays.items()]
    if all(a.dtype == np.float64 and a.dtype.isnative for a in arrays):
        return np.dtype(np.float64), *arrays
    floats = [a.dtype if a.dtype.kind == "f" else np.dtype(np.float64) for a in arrays]
    dtype = np.result_type(*floats).newbyteorder("=")
    working = np.result_type(dtype, np.float32)
    return dtype, *(a.astype(working, copy=False) for a in arrays)


def as_mask(mask, scores):
    """Return a boolean mask that broadcasts to the shape of the scores; None stays."""
    if mask is None:
        return None
    mask = as_regular("mask", mask)
    if mask.dtype.kind == "f":
        raise TypeError(
            f"{MASK_WANTED}, got dtype {mask.dtype}. From an additive mask (0 = may attend, "
            "-inf = hidden) take mask == 0; from a mask of ones and zeros take mask.astype(bool)."
        )
    if mask.dtype != np.bool_:
        raise TypeError(
            f"{MASK_WANTED}, got dtype {mask.dtype}. "
            "From a mask of ones and zeros take mask.astype(bool)."
        )
    if mask.ndim == 0:
        raise TypeError(f"{MASK_WANTED}, got the single value {mask}. See causal_mask(n).")
    shapes.check_mask(mask, scores)
    return mask


def as_result(dtype, *arrays):
    """Return the arrays in the dtype that went in; refuse finite numbers that it cannot hold."""
    if all(a.dtype == dtype for a in arrays):
        return arrays
    results = tuple(a.astype(dtype, copy=False) for a in arrays)
    for array, result in zip(arrays, results, strict=True):
        if (np.isinf(result) & np.isfinite(array)).any():
            raise ValueError(
                f"The result overflows {dtype}: its numbers are too large. "
                "Pass at least one array in a wider dtype."
            )
    return results
