"""From whatever an answer returns to plain arrays, and whether two of them agree.

Everything is compared by operators on plain NumPy arrays, so neither an object that equals
everything nor a replaced ``np.allclose`` can change the outcome.
"""

import numpy as np

_array, _errstate, _masked = np.array, np.errstate, np.ma.MaskedArray
_plain_numbers = (bool, int, float, np.bool_, np.integer, np.floating)

RELATIVE = 1e-5  # of the largest wanted number: an honest float32 answer stays well inside


class UnreadableError(Exception):
    """The value cannot be compared; the message says why in one sentence."""


def plain(value, like=None):
    """Turn a returned value into a plain array, a string or a tuple of these.

    Args:
        value: what a function returned: number, array, list, tuple, tensor or string.
        like: the plain value it will be compared with; None to take the structure from `value`.

    Returns:
        A bool, int64 or float64 array, a str, or a tuple of such parts.

    Raises:
        UnreadableError: if `value` holds something else, or not the parts that `like` has.
    """
    if like is None:
        if isinstance(value, str):
            return str.strip(value)
        texts = isinstance(value, list) and any(isinstance(v, str) for v in value)
        if isinstance(value, tuple) or texts:
            return tuple(plain(part) for part in value)
        return _to_array(value)
    if isinstance(like, tuple):
        parts = _parts(value, len(like))
        return tuple(plain(part, wanted) for part, wanted in zip(parts, like, strict=True))
    if isinstance(like, str):
        if not isinstance(value, str):
            raise UnreadableError(f'A text in quotes is wanted, such as "A", not {kind(value)}.')
        return str.strip(value)
    if isinstance(value, tuple) and any(_shape(part) for part in value):
        shapes = {_shape(part) for part in value}
        if len(shapes) > 1 or like.shape[:1] != (len(value),):
            raise UnreadableError(
                f"One array is wanted, but a tuple of {len(value)} values came back."
            )
    return _to_array(value)


def kind(value):
    """Name the type of a value as a beginner would read it."""
    name = type(value).__name__
    return "None" if value is None else f"a value of type {name}"


def _shape(value):
    shape = getattr(value, "shape", None)
    return tuple(shape) if isinstance(shape, tuple) else ()


def _parts(value, count):
    if isinstance(value, np.ndarray) and value.ndim and len(value) == count:
        return list(value)
    if not isinstance(value, (tuple, list)):
        raise UnreadableError(
            f"{count} results are wanted, separated by a comma after return, "
            f"but one came back: {kind(value)}."
        )
    if len(value) != count:
        raise UnreadableError(f"{count} results are wanted, but {len(value)} came back.")
    return list(value)


def _to_array(value):
    array = _readable(value)
    if array.dtype == object:
        if not all(isinstance(entry, _plain_numbers) for entry in array.ravel().tolist()):
            raise UnreadableError(f"Numbers are wanted, not {kind(value)}.")
        array = _array(array.tolist())
    code = array.dtype.kind
    if code == "b":
        return array
    if code in "iu":
        return array.astype(np.int64)
    if code == "f":
        return array.astype(np.float64)
    if code == "c":
        raise UnreadableError("Real numbers are wanted, but complex ones came back.")
    raise UnreadableError(f"Numbers are wanted, not {kind(value)}.")


def _readable(value):
    if isinstance(value, _masked) and _array(value.mask).any():
        raise UnreadableError("A plain array is wanted, but a masked array came back.")
    try:
        array = _array(_without_tensors(value), subok=False)
    except (ValueError, TypeError, OverflowError) as error:
        raise UnreadableError(
            f"What came back cannot be made into one array: {kind(value)}. "
            "Do all its rows have the same length?"
        ) from error
    return array


def _without_tensors(value):
    if type(value).__module__.startswith("torch"):
        tensor = value.detach().cpu()
        try:
            return tensor.numpy()
        except TypeError:  # bfloat16 has no NumPy counterpart
            return tensor.double().numpy()
    if isinstance(value, (list, tuple)):
        return [_without_tensors(entry) for entry in value]
    return value


def misses(got, want):
    """Mark the entries of one array that differ from another of the same shape.

    Args:
        got: plain array of any shape.
        want: plain array of the same shape; integers are compared exactly.

    Returns:
        bool array of the same shape, True where they differ by more than rounding.
    """
    if want.dtype == bool:
        return got != want
    with _errstate(all="ignore"):
        difference = abs(got - want)
        tolerance = 1e-9 * abs(want) if want.dtype.kind == "i" else _tolerance(want)
        agree = (difference <= tolerance) | (got == want) | ((got != got) & (want != want))
    return ~agree


def _tolerance(want):
    finite = want[(want - want) == 0]
    scale = float(abs(finite).max()) if finite.size else 0.0
    return RELATIVE * (scale + abs(want)) if scale else 1e-6


def matches(got, want):
    """Say whether two plain values agree in structure, shape, kind and numbers."""
    if isinstance(want, tuple) or isinstance(got, tuple):
        if not (isinstance(want, tuple) and isinstance(got, tuple)) or len(got) != len(want):
            return False
        return all(matches(g, w) for g, w in zip(got, want, strict=True))
    if isinstance(want, str) or isinstance(got, str):
        both = isinstance(want, str) and isinstance(got, str)
        return both and str.casefold(got) == str.casefold(want)
    if got.shape != want.shape or (got.dtype == bool) != (want.dtype == bool):
        return False
    return not misses(got, want).any()
