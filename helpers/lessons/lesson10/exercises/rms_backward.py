"""Exercise: a gradient carried back through a vector that is brought to length."""

import numpy as np

from helpers.course.exercise import Example, Exercise


def rms_backward(x, d_y):
    """What makes the vector longer changes nothing, so it is taken out of the slopes."""
    size = np.sqrt((x**2).mean(axis=-1, keepdims=True))
    y = x / size
    return (d_y - y * (y * d_y).mean(axis=-1, keepdims=True)) / size


def _rms_inputs(rng):
    def case(*shape):
        return {name: rng.normal(size=shape).round(2) for name in ("x", "d_y")}

    return (
        {"x": np.array([1.0, 7.0]), "d_y": np.array([1.0, 0.0])},
        {"x": np.array([2.0, -1.0, 2.0]), "d_y": np.array([0.5, 3.0, -1.0])},
        case(3, 3),
        case(2, 4),
        case(2, 3, 5),
        {"x": 100 * rng.normal(size=(2, 3, 2, 4)).round(2), "d_y": rng.normal(size=(2, 3, 2, 4))},
    )


def size_stands_still(x, d_y):
    """It takes the size for a fixed number; but the size changes with x, too."""
    return d_y / np.sqrt((x**2).mean(axis=-1, keepdims=True))


def as_in_softmax(x, d_y):
    """It takes out the plain average, as for softmax; here it is the part along y that is idle."""
    size = np.sqrt((x**2).mean(axis=-1, keepdims=True))
    return (d_y - d_y.mean(axis=-1, keepdims=True)) / size


def sum_for_mean(x, d_y):
    """It takes out the sum of y times d_y, not the mean: that is d times too much."""
    size = np.sqrt((x**2).mean(axis=-1, keepdims=True))
    y = x / size
    return (d_y - y * (y * d_y).sum(axis=-1, keepdims=True)) / size


def not_divided(x, d_y):
    """The division by the size is missing: a short vector is stretched, and so are its slopes."""
    y = x / np.sqrt((x**2).mean(axis=-1, keepdims=True))
    return d_y - y * (y * d_y).mean(axis=-1, keepdims=True)


def along_x(x, d_y):
    """It takes out x times the mean of x times d_y; x has not been brought to length."""
    size = np.sqrt((x**2).mean(axis=-1, keepdims=True))
    return (d_y - x * (x * d_y).mean(axis=-1, keepdims=True)) / size


rms_backward = Exercise(
    name="lesson10.rms_backward",
    reference=rms_backward,
    inputs=_rms_inputs,
    hints=(
        "Softmax ignores what is added to a whole row, so the slopes of a row add up to 0. What "
        "does this function ignore? What must then be 0?",
        "Twice x gives the same y. So a step along x, which is a step along y, changes nothing: "
        "take the part along y out of d_y.",
        "The part along y is y times the mean of (y * d_y), as the mean of y * y is 1. And what is "
        "left is divided by the size, as x was.",
    ),
    wrong=(size_stands_still, as_in_softmax, sum_for_mean, not_divided, along_x),
    examples=(
        Example({"x": np.array([1.0, 7.0]), "d_y": np.array([1.0, 0.0])}, ("[0.196, -0.028]",)),
    ),
)
