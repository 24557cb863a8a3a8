"""The door: every public function checks and converts its arguments here, once."""

import functools

import numpy as np
import torch

from helpers import shapes
from helpers.torch_attention import rare

MASK_WANTED = "mask must be a boolean tensor in which True = may attend"
FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
INTEGERS = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)


def as_tensor(name, value):
    """Return `value` as a tensor of real numbers; refuse everything else by name."""
    tensor = made_tensor(name, value, f"{name} must be a tensor of real numbers")
    if tensor.dtype in (torch.uint16, torch.uint32):  # torch can do little with them
        tensor = tensor.long()
    if tensor.dtype not in (*FLOATS, *INTEGERS, torch.bool):
        raise TypeError(
            f"{name} has dtype {tensor.dtype}: real numbers are wanted "
            "(float16, bfloat16, float32, float64 or integers up to int64)."
        )
    return tensor


def made_tensor(name, value, wanted):
    """Return a tensor of any dtype with the numbers of a tensor, an array or nested lists."""
    if not isinstance(value, torch.Tensor):
        shapes.refuse_masked(name, value)
        try:
            return torch.as_tensor(readable(value))
        except (TypeError, ValueError, RuntimeError) as error:
            raise TypeError(f"{wanted}, got {type(value).__name__}: {error}") from error
    if value.layout != torch.strided or value.is_nested:
        raise TypeError(f"{wanted} in which every entry is stored: {name}.to_dense() is one.")
    return value


def readable(value):
    """Return an array that torch can wrap; other values stay.

    torch wraps no negative strides, no foreign byte order, no longdouble; and it warns of arrays
    that must not be written to.
    """
    first = value
    while isinstance(first, list | tuple) and first:
        first = first[0]
    if isinstance(first, np.ndarray | np.generic):
        value = np.asarray(value)
    if not isinstance(value, np.ndarray | np.generic):
        return value
    dtype = value.dtype.newbyteorder("=")
    if dtype.kind == "f" and dtype.itemsize > 8:
        dtype = np.dtype(np.float64)
    if value.dtype == dtype and value.flags.writeable and min(value.strides, default=0) >= 0:
        return value
    with np.errstate(over="ignore"):
        copy = np.array(value, dtype, order="C")
    if dtype == np.float64 and (np.isinf(copy) & np.isfinite(value)).any():
        raise ValueError("its numbers are too large for float64.")
    return copy


def as_floats(**tensors):
    """Return the dtype of the result, then every tensor in the dtype to compute with.

    The result has the widest dtype among the tensors, integers counting as torch's default.
    Half precision is computed in float32: a dot product soon passes 65504, the end of float16.
    """
    tensors = [as_tensor(name, value) for name, value in tensors.items()]
    default = torch.get_default_dtype()
    floats = [t.dtype if t.is_floating_point() else default for t in tensors]
    dtype = functools.reduce(torch.promote_types, floats)
    working = torch.promote_types(dtype, torch.float32)
    return dtype, *(t.to(working) for t in tensors)


def as_mask(mask, scores, device):
    """Return a boolean mask that broadcasts to the shape of the scores; None stays."""
    if mask is None:
        return None
    mask = made_tensor("mask", mask, MASK_WANTED)
    if mask.is_floating_point():
        raise TypeError(
            f"{MASK_WANTED}, got dtype {mask.dtype}. From an additive mask (0 = may attend, "
            "-inf = hidden) take mask == 0; from a mask of ones and zeros take mask.bool()."
        )
    if mask.dtype != torch.bool:
        raise TypeError(
            f"{MASK_WANTED}, got dtype {mask.dtype}. "
            "From a mask of ones and zeros take mask.bool()."
        )
    if mask.ndim == 0:
        raise TypeError(f"{MASK_WANTED}, got the single value {mask.item()}. See causal_mask(n).")
    shapes.check_mask(mask, scores)
    return mask.to(device)


def as_chance(name, value):
    """Return `value` as a float from 0 up to, but not including, 1."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} must be a number, got {value!r}.")
    if not 0 <= value < 1:
        raise ValueError(f"{name} must be at least 0 and below 1, got {value}.")
    return float(value)


def as_result(dtype, *tensors):
    """Return the tensors in the dtype that went in; refuse finite numbers that it cannot hold."""
    results = tuple(t.to(dtype) for t in tensors)
    for tensor, result in zip(tensors, results, strict=True):
        if tensor.dtype == dtype or rare.is_finite(result) is not False:
            continue
        if (result.isinf() & tensor.isfinite()).any():
            raise ValueError(
                f"The result overflows {dtype}: its numbers are too large. "
                "Pass at least one tensor in a wider dtype."
            )
    return results
