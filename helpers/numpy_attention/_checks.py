"""Checks of arguments: each says what came, what is wanted, and how to get there."""

import operator

import numpy as np

MASK_WANTED = "mask must be a boolean array in which True = may attend"


def as_regular(name, value):
    """Return `value` as an array; refuse nested lists of unequal length."""
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} must be a regular array, with rows of equal length.") from error


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
    arrays = {name: as_array(name, value) for name, value in arrays.items()}
    floats = [a.dtype if a.dtype.kind == "f" else np.dtype(np.float64) for a in arrays.values()]
    dtype = np.result_type(*floats).newbyteorder("=")
    working = np.result_type(dtype, np.float32)
    return dtype, *(a.astype(working, copy=False) for a in arrays.values())


def as_count(name, value, least):
    """Return `value` as an int that is at least `least`."""
    if isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be a whole number, got {value}.")
    try:
        count = operator.index(value)
    except TypeError as error:
        raise TypeError(
            f"{name} must be a whole number, got {value!r} of type {type(value).__name__}."
        ) from error
    if count < least:
        raise ValueError(f"{name} must be at least {least}, got {count}.")
    return count


def as_axis(axis, x):
    """Return `axis` as an int that names one of the axes of `x`."""
    if isinstance(axis, bool | np.bool_) or not isinstance(axis, int | np.integer):
        raise TypeError(f"axis must be one whole number, got {axis!r}.")
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"axis = {axis} does not exist: x has shape {x.shape}, {x.ndim} axes.")
    return int(axis)


def as_mask(mask, shape):
    """Return a boolean mask that broadcasts to `shape`, the shape of the scores; None stays."""
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
    if not broadcasts_to(mask.shape, shape):
        raise ValueError(
            f"mask has shape {mask.shape}, which does not fit the scores of shape {shape}: "
            "counted from the right, each axis of the mask must be 1 or equal the scores' axis, "
            "and it may have no further axes. The last two axes are queries and keys."
        )
    return mask


def broadcasts_to(shape, target):
    """Tell whether an array of `shape` can be repeated to fill exactly `target`."""
    try:
        return np.broadcast_shapes(shape, target) == tuple(target)
    except ValueError:
        return False


def check_matrix(name, array, axes):
    """Refuse an array with fewer than the last two axes called `axes`."""
    if array.ndim < 2:
        raise ValueError(f"{name} must have shape (..., {axes}), got {array.shape}.")


def check_attention(Q, K, V):
    """Refuse Q, K, V that do not fit together; return the shape of their scores."""
    check_matrix("Q", Q, "n_q, d_k")
    check_matrix("K", K, "n_k, d_k")
    check_matrix("V", V, "n_k, d_v")
    if Q.shape[-1] == 0:
        raise ValueError(f"Q has shape {Q.shape}, so d_k = 0: there is nothing to compare.")
    if K.shape[-1] != Q.shape[-1]:
        raise ValueError(
            f"K has d_k = {K.shape[-1]} but Q has d_k = {Q.shape[-1]}: "
            "a query can only be compared with keys of the same width."
        )
    if V.shape[-2] != K.shape[-2]:
        raise ValueError(
            f"V has {V.shape[-2]} rows but K has {K.shape[-2]}: every key needs its own value."
        )
    try:
        np.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2])
    except ValueError as error:
        raise ValueError(
            f"The batch axes of Q {Q.shape[:-2]}, K {K.shape[:-2]} and V {V.shape[:-2]} "
            "do not fit together: each must be equal or 1."
        ) from error
    return (*np.broadcast_shapes(Q.shape[:-2], K.shape[:-2]), Q.shape[-2], K.shape[-2])


def check_projections(W_Q, W_K, W_V):
    """Refuse weight matrices that cannot project the same input."""
    for name, W in (("W_Q", W_Q), ("W_K", W_K), ("W_V", W_V)):
        if W.ndim != 2:
            raise ValueError(f"{name} must have the two axes (d_in, d_out), got shape {W.shape}.")
        if W.shape[0] != W_Q.shape[0]:
            raise ValueError(
                f"{name} has {W.shape[0]} rows but W_Q has {W_Q.shape[0]}: "
                "all three project the same input."
            )
    if W_Q.shape[1] != W_K.shape[1]:
        raise ValueError(
            f"W_K gives d_k = {W_K.shape[1]} but W_Q gives d_k = {W_Q.shape[1]}: "
            "a query can only be compared with keys of the same width."
        )


def check_input(X, W_Q):
    """Refuse an X whose rows W_Q cannot project."""
    check_matrix("X", X, "n, d_in")
    if X.shape[-1] != W_Q.shape[0]:
        raise ValueError(
            f"X has rows of width {X.shape[-1]} but W_Q has {W_Q.shape[0]} rows: "
            "X @ W_Q needs them equal."
        )


def check_divides(num_heads, name, width):
    """Refuse a number of heads that does not divide a width."""
    if width % num_heads:
        raise ValueError(
            f"num_heads = {num_heads} does not divide {name} = {width}: "
            "every head gets the same number of columns."
        )
