"""Exercise: a gradient carried back through softmax."""

import numpy as np

from helpers.course.draws import shares
from helpers.course.exercise import Example, Exercise


def softmax_backward(weights, d_weights):
    """Each score gets its weight times what its gradient is above the row's average."""
    row_average = (weights * d_weights).sum(axis=-1, keepdims=True)
    return weights * (d_weights - row_average)


def _softmax_backward_inputs(rng):
    return (
        {"weights": np.array([0.5, 0.5]), "d_weights": np.array([1.0, 0.0])},
        {"weights": np.array([0.7, 0.2, 0.1]), "d_weights": np.array([1.0, -2.0, 3.0])},
        {"weights": shares(rng, 3, 3), "d_weights": rng.normal(size=(3, 3)).round(2)},
        {"weights": shares(rng, 2, 3, 4), "d_weights": rng.normal(size=(2, 3, 4)).round(2)},
        {"weights": np.array([[1.0, 0.0, 0.0]]), "d_weights": np.array([[5.0, 2.0, -1.0]])},
        {"weights": shares(rng, 2, 3, 4, 5), "d_weights": rng.normal(size=(2, 3, 4, 5)).round(2)},
    )


def no_average(weights, d_weights):
    """The row's average is missing: the slopes of a row must add up to 0."""
    return weights * d_weights


def plain_average(weights, d_weights):
    """It subtracts the plain mean; the average has to be weighted by the weights."""
    return weights * (d_weights - d_weights.mean(axis=-1, keepdims=True))


def average_of_columns(weights, d_weights):
    """It averages over the queries; each row has an average of its own."""
    return weights * (d_weights - (weights * d_weights).sum(axis=0, keepdims=True))


def diagonal_only(weights, d_weights):
    """It uses the slope of a weight by its own score alone; the other scores take part, too."""
    return weights * (1 - weights) * d_weights


def forgets_the_weight(weights, d_weights):
    """The weight in front is missing: a score with weight 0 would still be moved."""
    return d_weights - (weights * d_weights).sum(axis=-1, keepdims=True)


softmax_backward = Exercise(
    name="lesson10.softmax_backward",
    reference=softmax_backward,
    inputs=_softmax_backward_inputs,
    hints=(
        "Raising one score helps its own weight and takes from all others in the row.",
        "The row's average of the gradient is weighted: (weights * d_weights), summed over the "
        "last axis, with keepdims=True.",
        "weights * (d_weights - average).",
    ),
    wrong=(no_average, plain_average, average_of_columns, diagonal_only, forgets_the_weight),
    examples=(
        Example(
            {"weights": np.array([0.5, 0.5]), "d_weights": np.array([1.0, 0.0])}, ("[0.25, -0.25]",)
        ),
    ),
)
