"""Exercise: a softmax for any axis and for scores of any size."""

import numpy as np

from helpers.course.exercise import Example, Exercise
from helpers.numpy_attention import softmax as shares


def softmax(x, axis=-1):
    """Turn scores into shares that add up to 1 along one axis."""
    exps = np.exp(x - x.max(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


def _inputs(rng):
    def draw(*shape):
        return rng.normal(scale=2.0, size=shape).round(2)

    return (
        {"x": np.array([0.0, 1.0, 2.0])},
        {"x": draw(2, 3)},
        {"x": draw(3, 3)},
        {"x": draw(2, 3), "axis": 0},
        {"x": draw(3, 3), "axis": 0},
        {"x": draw(2, 3, 4)},
        {"x": draw(2, 3, 4), "axis": 1},
        {"x": draw(3, 3, 3), "axis": -3},
        {"x": np.array([[1, 2, 3], [4, 4, 4]])},
        {"x": np.array([[10000.0, 10001.0, 10002.0], [9999.0, 10001.0, 10000.0]])},
        {"x": np.array([[0.0, 1.0, 2.0], [10000.0, 10001.0, 10002.0]])},
        {"x": np.array([[0.0, 10000.0], [1.0, 10001.0], [2.0, 10002.0]]), "axis": 0},
        {"x": np.array([[-1000.0, -1001.0, -1003.0]])},
        {"x": np.array([[-20000.0, -20001.0, -20003.0], [0.5, -20000.0, 0.25]])},
        {"x": np.array([[0.0, 0.0, 1000.0]])},
        {"x": np.array([[0.0, 0.0, 3000.0], [0.0, -11.0, -2.0]])},
        {"x": np.array([[0.0, -np.inf, 1.0], [-np.inf, -np.inf, -30000.0]])},
        {"x": np.array([[5.0], [-7.0]])},
    )


def always_first_axis(x, axis=-1):
    """It always normalises along the first axis: the columns add up to 1, not the rows."""
    return shares(x, 0)


def always_last_axis(x, axis=-1):
    """It ignores the argument axis and always normalises along the last one."""
    return shares(x, -1)


def one_sum_for_all(x, axis=-1):
    """It divides by the sum over the whole array, so only all numbers together add up to 1."""
    exps = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return exps / exps.sum()


def no_maximum(x, axis=-1):
    """It takes exp of the raw scores: exp(1000) is too large for a float."""
    exps = np.exp(np.asarray(x, dtype=float))
    return exps / exps.sum(axis=axis, keepdims=True)


def one_maximum_for_all(x, axis=-1):
    """It subtracts the maximum of the whole array: a row far below it becomes 0/0."""
    exps = np.exp(np.asarray(x, dtype=float) - np.max(x))
    return exps / exps.sum(axis=axis, keepdims=True)


def maximum_of_the_last_axis(x, axis=-1):
    """It subtracts the maximum along the last axis, but adds up along another one."""
    exps = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


def mean_for_maximum(x, axis=-1):
    """It subtracts the mean, not the maximum: one score far above the others still overflows."""
    exps = np.exp(x - np.mean(x, axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


def minimum_for_maximum(x, axis=-1):
    """It subtracts the minimum, not the maximum: a score far above the others overflows."""
    exps = np.exp(x - np.min(x, axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


def no_keepdims(x, axis=-1):
    """keepdims is missing in the sum: on a square array each number is divided by another row's."""
    exps = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis)


def no_exp(x, axis=-1):
    """It divides the scores themselves by their sum; exp is missing."""
    x = np.asarray(x, dtype=float)
    return x / x.sum(axis=axis, keepdims=True)


def powers_of_two(x, axis=-1):
    """It takes powers of 2 where softmax takes powers of e."""
    powers = 2 ** (x - np.max(x, axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def logarithm(x, axis=-1):
    """It returns the logarithm of the shares."""
    return np.log(shares(x, axis))


def dtype_of_the_input(x, axis=-1):
    """It stores the shares with the input's dtype: whole numbers in, so every share becomes 0."""
    return shares(x, axis).astype(x.dtype)


def clipped(x, axis=-1):
    """It cuts large scores off to avoid overflow: scores beyond the limit become equal."""
    exps = np.exp(np.clip(x, -500, 500))
    return exps / exps.sum(axis=axis, keepdims=True)


def epsilon_below(x, axis=-1):
    """It adds a small number to the sum, so the shares no longer add up to 1."""
    exps = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return exps / (exps.sum(axis=axis, keepdims=True) + 1e-3)


def overwrites_x(x, axis=-1):
    """It subtracts the maximum inside the caller's own array."""
    x -= x.max(axis=axis, keepdims=True)
    return shares(x, axis)


softmax = Exercise(
    name="lesson04.softmax",
    reference=softmax,
    inputs=_inputs,
    hints=(
        "Which function turns any number into a positive one and every step of 1 into the same "
        "factor?",
        "Sum and maximum need keepdims=True, so that the result can be divided by or subtracted.",
        "Subtracting the same number from a whole row changes no share. Subtract the row's "
        "maximum first: then the largest number exp ever sees is 0.",
    ),
    examples=(Example({"x": np.array([1, 2, 3])}, ("[0.09, 0.24, 0.67]",)),),
    wrong=(
        always_first_axis,
        always_last_axis,
        one_sum_for_all,
        no_maximum,
        one_maximum_for_all,
        maximum_of_the_last_axis,
        mean_for_maximum,
        minimum_for_maximum,
        no_keepdims,
        no_exp,
        powers_of_two,
        logarithm,
        dtype_of_the_input,
        clipped,
        epsilon_below,
        overwrites_x,
    ),
)
