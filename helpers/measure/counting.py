"""Operations of attention: predicted by formula, and counted while code runs."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

PRODUCTS_NOT_COUNTED = ("dot", "einsum", "inner", "tensordot", "vdot")


def attention_flops(n: int, d_model: int, num_heads: int = 1) -> dict[str, int]:
    """Predict the floating-point operations of one attention layer, from its matrix products.

    A product of (a, b) and (b, c) takes 2abc operations: a multiplication and an addition for
    each of its abc terms. Softmax is left out, and so is the feed-forward part of a model.
    "Attention Is All You Need", section 3.2.2, for the layer.

    Args:
        n: number of tokens.
        d_model: width of a token; W_Q, W_K, W_V and W_O are (d_model, d_model).
        num_heads: number of heads; each works on d_model / num_heads columns.

    Returns:
        {"Q K V": ..., "scores": ..., "sum": ..., "W_O": ...}, whole numbers.

    Raises:
        TypeError: an argument that is not a whole number.
        ValueError: an argument below 1, or a num_heads that does not divide d_model.
    """
    n, d_model, num_heads = _whole(n=n, d_model=d_model, num_heads=num_heads)
    if d_model % num_heads:
        raise ValueError(
            f"num_heads must divide d_model, but {d_model} columns cannot be shared out evenly "
            f"among {num_heads} heads."
        )
    one_projection = 2 * n * d_model * d_model
    one_head = 2 * n * n * (d_model // num_heads)
    return {
        "Q K V": 3 * one_projection,
        "scores": num_heads * one_head,
        "sum": num_heads * one_head,
        "W_O": one_projection,
    }


def _whole(**sizes):
    """Return the sizes as Python ints, which cannot overflow; refuse what is no size."""
    for name, value in sizes.items():
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise TypeError(f"{name} must be a whole number, got {value!r}.")
        if value < 1:
            raise ValueError(f"{name} must be at least 1, got {value}.")
    return [int(value) for value in sizes.values()]


@dataclass
class Operations:
    """What a function did, counted while it ran.

    Attributes:
        products: operations in matrix products, 2abc for (a, b) times (b, c).
        exponentials: numbers that went through exp.
        others: numbers made or added up by any other arithmetic.
        largest: how many numbers the largest result of any step held.
    """

    products: int = 0
    exponentials: int = 0
    others: int = 0
    largest: int = 0

    def add(self, ufunc, method, inputs, result):
        """Count one call of a NumPy function.

        Args:
            ufunc: the NumPy function.
            method: "__call__", "reduce" or another of its methods.
            inputs: its arguments as plain arrays.
            result: what it gave, an array, a number or a tuple of them.
        """
        size = sum(np.size(part) for part in (result if isinstance(result, tuple) else (result,)))
        self.largest = max(self.largest, size)
        if ufunc is np.matmul:
            self.products += 2 * size * np.shape(inputs[0])[-1]
        elif ufunc in (np.exp, np.exp2, np.expm1):
            self.exponentials += size
        else:
            self.others += np.size(inputs[0]) if method != "__call__" else size


class CountedArray(np.ndarray):
    """An array that counts what is computed with it."""

    tally = None

    def __array_finalize__(self, source):
        """Let every view and result count into the same tally."""
        self.tally = getattr(source, "tally", None)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        """Compute with plain arrays, count, and hand the result on as a counted array."""
        plain = [_plain(value) for value in inputs]
        if out is not None:
            options["out"] = tuple(_plain(value) for value in out)
        result = getattr(ufunc, method)(*plain, **options)
        self.tally.add(ufunc, method, plain, result)
        if out is not None:
            return out[0] if len(out) == 1 else out
        if isinstance(result, tuple):
            return tuple(counted(part, self.tally) for part in result)
        return counted(result, self.tally)

    def __array_function__(self, function, types, arguments, options):
        """Let np.where and its kin pass; refuse a product that would escape the count."""
        if function.__name__ in PRODUCTS_NOT_COUNTED:
            raise TypeError(
                f"np.{function.__name__} is not counted. Write the product with @ (np.matmul)."
            )
        result = super().__array_function__(function, types, arguments, options)
        return counted(result, self.tally) if isinstance(result, np.ndarray) else result


def counted(array, tally):
    """Return an array as a view that counts into a tally.

    Args:
        array: numbers of any shape.
        tally: Operations.
    """
    view = np.asarray(array).view(CountedArray)
    view.tally = tally
    return view


def _plain(value):
    return value.view(np.ndarray) if isinstance(value, CountedArray) else value


def count_operations(function: Callable, *arrays) -> Operations:
    """Run a NumPy function and count its arithmetic as it happens.

    Args:
        function: takes the arrays; its products are written with ``@`` or np.matmul.
        *arrays: arrays of numbers, any shape; left unchanged unless the function changes them.

    Returns:
        Operations.

    Raises:
        TypeError: if the function multiplies in a way that cannot be counted (np.einsum ...).
    """
    tally = Operations()
    function(*(counted(array, tally) for array in arrays))
    return tally
