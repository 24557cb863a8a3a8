"""From whatever an answer returns to plain values: arrays, texts, and tuples of these.

``freeze`` stands where the answer runs and knows nothing of what is wanted; what it returns holds
nothing that can be executed and can be sent from one process to another. ``shaped`` stands where
answers are judged and brings such a value into the form of the wanted one.
"""

from collections.abc import Iterator

import numpy as np

from helpers.language import say

Plain = np.ndarray | str | tuple

_NUMBERS = (bool, int, float, np.bool_, np.integer, np.floating)


class UnreadableError(Exception):
    """The value cannot be compared; the message says why in one sentence."""


def freeze(value: object) -> Plain:
    """Turn a returned value into a plain one.

    Args:
        value: what a function returned: number, array, tensor, text, list or tuple.

    Returns:
        A bool, int64 or float64 array, a str, or a tuple of such parts. A list whose parts fit
        together becomes one array.

    Raises:
        UnreadableError: if `value` holds something else.
    """
    if isinstance(value, str):
        return str.strip(value)
    if isinstance(value, list):
        kinds = {isinstance(leaf, (bool, np.bool_)) for leaf in _leaves(value)}
        if len(kinds) < 2 and all(isinstance(leaf, _NUMBERS) for leaf in _leaves(value)):
            try:
                return _array(np.array(value), value)
            except ValueError:
                pass  # its rows differ in length: each stays a part of its own
    if isinstance(value, list):
        parts = tuple(freeze(part) for part in value)
        alike = {(part.shape, part.dtype) for part in parts if isinstance(part, np.ndarray)}
        whole = len(alike) == 1 and not any(isinstance(part, (str, tuple)) for part in parts)
        return np.array(parts) if whole else parts
    if isinstance(value, tuple):
        return tuple(freeze(part) for part in value)
    return _array(_read(value), value)


def shaped(value: Plain, like: Plain) -> Plain:
    """Bring a plain value into the form of the wanted one.

    Args:
        value: a plain value, from ``freeze``.
        like: the wanted plain value.

    Returns:
        A tuple if `like` is one, a str if it is one, else one array of any shape.

    Raises:
        UnreadableError: if `value` does not have the parts that `like` has.
    """
    if isinstance(like, tuple):
        return tuple(map(shaped, _parts(value, len(like)), like))
    if isinstance(like, str):
        if not isinstance(value, str):
            raise UnreadableError(say('A text in quotes is wanted, such as "A".'))
        return value
    if isinstance(value, str):
        raise UnreadableError(say("Numbers are wanted, not a text."))
    if not isinstance(value, tuple):
        return value
    if like.shape[:1] != (len(value),):
        raise UnreadableError(
            say("One array is wanted, but {count} results came back.", count=len(value))
        )
    return _stacked(value)


def _leaves(value) -> Iterator:
    for entry in value:
        if isinstance(entry, (list, tuple)):
            yield from _leaves(entry)
        else:
            yield entry


def _parts(value, count):
    if isinstance(value, np.ndarray) and value.ndim and len(value) == count:
        return tuple(value)
    if not isinstance(value, tuple):
        raise UnreadableError(
            say(
                "{count} results are wanted, separated by a comma after return, but one came back.",
                count=count,
            )
        )
    if len(value) != count:
        raise UnreadableError(
            say("{count} results are wanted, but {got} came back.", count=count, got=len(value))
        )
    return value


def _stacked(parts):
    """Put parts of one shape together, as rows of one array."""
    rows = [_stacked(part) if isinstance(part, tuple) else part for part in parts]
    if any(isinstance(row, str) for row in rows):
        raise UnreadableError(say("Numbers are wanted, not a text."))
    if len({row.shape for row in rows}) > 1:
        raise UnreadableError(
            say(
                "One array is wanted, but {count} parts of different shapes came back. Do all "
                "rows have the same length?",
                count=len(rows),
            )
        )
    return np.array(rows)


def _read(value):
    if isinstance(value, np.ma.MaskedArray) and np.any(np.ma.getmaskarray(value)):
        raise UnreadableError(say("A plain array is wanted, but a masked array came back."))
    if type(value).__module__.startswith("torch"):
        value = value.detach().cpu()
        return (value.double() if "bfloat16" in str(value.dtype) else value).numpy()
    try:
        return np.array(value, subok=False)
    except (ValueError, TypeError, OverflowError) as error:
        raise UnreadableError(_numbers_are_wanted(value)) from error


def _array(array, value):
    if array.dtype == object:
        if not all(isinstance(entry, _NUMBERS) for entry in array.ravel().tolist()):
            raise UnreadableError(_numbers_are_wanted(value))
        array = array.astype(np.float64)
    if array.dtype.kind == "b":
        return array
    if array.dtype.kind in "iu":
        return array.astype(np.int64)
    if array.dtype.kind == "f":
        return array.astype(np.float64)
    if array.dtype.kind == "c":
        raise UnreadableError(say("Real numbers are wanted, but complex ones came back."))
    raise UnreadableError(_numbers_are_wanted(value))


def _numbers_are_wanted(value):
    return say("Numbers are wanted, not a value of type {name}.", name=type(value).__name__)
