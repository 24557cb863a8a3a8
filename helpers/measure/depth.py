"""How many steps of a computation have to wait for each other."""

from collections.abc import Callable

import numpy as np


class WaitingArray(np.ndarray):
    """An array that knows how many steps came before it, one after the other."""

    waited = 0

    def __array_finalize__(self, source):
        """A view or a row of an array has waited as long as the array."""
        self.waited = getattr(source, "waited", 0)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        """Compute with plain arrays; the result comes one step after its latest input."""
        plain = [_plain(value) for value in inputs]
        if out is not None:
            options["out"] = tuple(_plain(value) for value in out)
        waited = 1 + max(getattr(value, "waited", 0) for value in inputs)
        result = getattr(ufunc, method)(*plain, **options)
        if out is not None:
            out[0].waited = waited
            return out[0]
        return _waiting(result, waited)

    def __array_function__(self, function, types, arguments, options):
        """Refuse what would lose the count."""
        raise TypeError(
            f"np.{function.__name__} is not followed. Use @, + - * /, np.exp, np.tanh and methods "
            "such as X.sum() and X.max()."
        )

    def __setitem__(self, place, value):
        """Refuse what would lose the count."""
        raise TypeError("Writing into a part of an array is not followed. Make a new array.")


def steps_in_a_row(function: Callable, *arrays) -> int:
    """Run a NumPy function and count the longest chain of steps that wait for each other.

    A step is one operation on whole arrays: its entries could all be computed side by side. Steps
    that do not need each other's results do not add up.

    Args:
        function: takes the arrays and returns an array.
        *arrays: arrays of numbers, any shape; left unchanged unless the function changes them.

    Returns:
        Number of steps that led to the result, one after the other.

    Raises:
        TypeError: if the function does something that cannot be followed (np.where, X[0] = ...).
    """
    return function(*(_waiting(array, 0) for array in arrays)).waited


def _waiting(array, waited):
    view = np.asarray(array).view(WaitingArray)
    view.waited = waited
    return view


def _plain(value):
    return value.view(np.ndarray) if isinstance(value, WaitingArray) else value
