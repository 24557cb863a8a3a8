"""Checks that the NumPy and the PyTorch half of the library share: shapes, counts and flags.

They read `shape`, `ndim` and plain numbers, never what an array holds. Each error says what came,
what is wanted, and why.
"""

import math

import numpy as np


def broadcast(*shapes):
    """Return the shape to which arrays of these shapes are repeated; None if they do not fit."""
    axes = max(len(shape) for shape in shapes)
    result = []
    for sizes in zip(*((1,) * (axes - len(shape)) + tuple(shape) for shape in shapes), strict=True):
        size = 1
        for n in sizes:
            if size == 1:
                size = n
            elif n != 1 and n != size:
                return None
        result.append(size)
    return tuple(result)


def check_matrix(name, array, axes):
    """Refuse an array with fewer than the last two axes called `axes`."""
    if array.ndim < 2:
        raise ValueError(f"{name} must have shape (..., {axes}), got {tuple(array.shape)}.")


def check_attention(Q, K, V):
    """Refuse Q, K, V that do not fit together; return the shapes of their scores and output."""
    check_matrix("Q", Q, "n_q, d_k")
    check_matrix("K", K, "n_k, d_k")
    check_matrix("V", V, "n_k, d_v")
    if Q.shape[-1] == 0:
        raise ValueError(f"Q has shape {tuple(Q.shape)}, so d_k = 0: there is nothing to compare.")
    if K.shape[-1] != Q.shape[-1]:
        raise ValueError(
            f"K has d_k = {K.shape[-1]} but Q has d_k = {Q.shape[-1]}: "
            "a query can only be compared with keys of the same width."
        )
    if V.shape[-2] != K.shape[-2]:
        raise ValueError(
            f"V has {V.shape[-2]} rows but K has {K.shape[-2]}: every key needs its own value."
        )
    batches = [tuple(a.shape[:-2]) for a in (Q, K, V)]
    batch = broadcast(*batches)
    if batch is None:
        raise ValueError(
            f"The batch axes of Q {batches[0]}, K {batches[1]} and V {batches[2]} "
            "do not fit together: each must be equal or 1."
        )
    scores = (*broadcast(*batches[:2]), Q.shape[-2], K.shape[-2])
    return scores, (*batch, Q.shape[-2], V.shape[-1])


def check_mask(mask, scores):
    """Refuse a mask that cannot be repeated to fill exactly the shape of the scores."""
    if broadcast(mask.shape, scores) != tuple(scores):
        raise ValueError(
            f"mask has shape {tuple(mask.shape)}, which does not fit the scores of shape "
            f"{tuple(scores)}: counted from the right, each axis of the mask must be 1 or equal "
            "the scores' axis, and it may have no further axes. The last two axes are queries and "
            "keys."
        )


def check_projections(W_Q, W_K, W_V):
    """Refuse weight matrices that cannot project the same input."""
    for name, W in (("W_Q", W_Q), ("W_K", W_K), ("W_V", W_V)):
        if W.ndim != 2:
            shape = tuple(W.shape)
            raise ValueError(f"{name} must have the two axes (d_in, d_out), got shape {shape}.")
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
    if W_Q.shape[1] == 0:
        raise ValueError(
            f"W_Q has shape {tuple(W_Q.shape)}, so d_k = 0: there is nothing to compare."
        )


def check_input(X, W_Q):
    """Refuse an X whose rows W_Q cannot project."""
    check_matrix("X", X, "n, d_in")
    if X.shape[-1] != W_Q.shape[0]:
        raise ValueError(
            f"X has rows of width {X.shape[-1]} but W_Q has {W_Q.shape[0]} rows: "
            "X @ W_Q needs them equal."
        )


def check_self_attention(X, W_Q, W_K, W_V):
    """Refuse an X and three matrices that do not fit together; return the shape of the scores."""
    check_projections(W_Q, W_K, W_V)
    check_input(X, W_Q)
    return (*X.shape[:-1], X.shape[-2])


def check_multi_head(X, W_Q, W_K, W_V, W_O, num_heads):
    """Refuse what does not fit together for several heads; return the shape of the scores."""
    *batch, n_q, n_k = check_self_attention(X, W_Q, W_K, W_V)
    check_divides(num_heads, "the number of columns of W_Q", W_Q.shape[1])
    check_divides(num_heads, "the number of columns of W_V", W_V.shape[1])
    if W_O.ndim != 2:
        shape = tuple(W_O.shape)
        raise ValueError(f"W_O must have the two axes (d_model, d_out), got shape {shape}.")
    if W_O.shape[0] != W_V.shape[1]:
        raise ValueError(
            f"W_O has {W_O.shape[0]} rows but W_V has {W_V.shape[1]} columns: "
            "W_O mixes the heads' columns, as many as W_V makes."
        )
    return (*batch, num_heads, n_q, n_k)


def check_divides(num_heads, name, width):
    """Refuse a number of heads that does not divide a width."""
    if width % num_heads:
        raise ValueError(
            f"num_heads = {num_heads} does not divide {name} = {width}: "
            "every head gets the same number of columns."
        )


def check_heads(X):
    """Refuse an array that has no axis of heads."""
    if X.ndim < 3:
        raise ValueError(f"X must have shape (..., num_heads, n, d_head), got {tuple(X.shape)}.")


def check_token(x, d_in, batch):
    """Refuse a token that does not fit the matrices, or the batch axes of earlier tokens."""
    shape = tuple(x.shape)
    if not shape or shape[-1] != d_in:
        raise ValueError(f"x must be one token of shape (..., {d_in}), got shape {shape}.")
    if batch is not None and shape[:-1] != tuple(batch):
        raise ValueError(
            f"x has batch shape {shape[:-1]} but the earlier tokens have {tuple(batch)}: "
            "all steps need the same."
        )


def check_ids(ids):
    """Refuse token ids that are not (batch, n)."""
    if ids.ndim != 2:
        raise ValueError(
            f"ids must have shape (batch, n), got {tuple(ids.shape)}; one sentence is ids[None, :]."
        )


def is_whole(value):
    """Tell whether `value` is one whole number: no bool, no float, no array."""
    if isinstance(value, int | np.integer):
        return not isinstance(value, bool)
    return hasattr(type(value), "__index__") and not hasattr(value, "dtype")


def as_count(name, value, least):
    """Return `value` as a whole number that is at least `least`."""
    if not is_whole(value):
        raise TypeError(
            f"{name} must be a whole number, got {value!r} of type {type(value).__name__}."
        )
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {value}.")
    return int(value) if isinstance(value, np.integer) else value


def as_axis(axis, x):
    """Return `axis` as an int that names one of the axes of `x`."""
    if not is_whole(axis):
        raise TypeError(f"axis must be one whole number, got {axis!r}.")
    if not -x.ndim <= axis < x.ndim:
        shape = tuple(x.shape)
        raise ValueError(f"axis = {axis} does not exist: x has shape {shape}, {x.ndim} axes.")
    return int(axis)


def as_id(pad_id):
    """Return the id of the padding as an int."""
    if not is_whole(pad_id):
        raise TypeError(f"pad_id must be an integer, got {pad_id!r}.")
    return int(pad_id)


def check_flag(name, value):
    """Refuse what is neither True nor False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {value!r}.")


def as_base(base, n, d_model):
    """Return `base` as a float for which all angles of the positions are finite."""
    if isinstance(base, bool | np.bool_ | str | bytes):
        raise TypeError(f"base must be a number, got {base!r}.")
    try:
        number = float(base)
    except OverflowError:
        number = math.inf
    except (TypeError, ValueError) as error:
        raise TypeError(f"base must be a number, got {base!r}.") from error
    if not (math.isfinite(number) and number > 0):
        raise ValueError(f"base must be positive and finite, got {number}.")
    slowest = number ** ((d_model - 1) // 2 * 2 / d_model)
    if not math.isfinite(n / slowest):
        raise ValueError(f"base = {number} is so close to 0 that the angles overflow.")
    return number


def refuse_masked(name, value):
    """Refuse NumPy's masked arrays where entries are masked: their numbers are no data."""
    if isinstance(value, list | tuple):
        for part in value:
            refuse_masked(name, part)
    elif isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise TypeError(
            f"{name} is a masked array with {np.ma.count_masked(value)} masked entries, which "
            f"hold no numbers. Fill them in, as {name}.filled(0) does, and say with a boolean mask "
            "(True = may attend) which tokens may be seen."
        )
