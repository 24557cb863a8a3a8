"""Exercise: count the rows that have decided, and wrongly."""

import numpy as np

from helpers.course.draws import shares
from helpers.course.exercise import Example, Exercise
from helpers.lessons.lesson05.experiment import frozen_on_wrong


def _four_rows():
    rows = [[0.995, 0.005, 0.0], [0.995, 0.005, 0.0], [0.6, 0.3, 0.1], [0.0, 0.004, 0.996]]
    return {"weights": np.array(rows), "right": np.array([0, 1, 1, 1])}


def _frozen_on_wrong_inputs(rng):
    def draw(*shape, frozen):
        """Rows of shares, some of which nearly all go to one token."""
        n = shape[-1]
        weights = np.array([shares(rng, n) for _ in range(int(np.prod(shape[:-1])))])
        weights = weights.reshape(shape)
        decided = rng.random(shape[:-1]) < frozen
        winner = np.eye(n)[rng.integers(n, size=shape[:-1])]
        rest = (1 - winner) * rng.uniform(0.0002, 0.009, size=(*shape[:-1], 1)) / (n - 1)
        sharp = winner + rest
        sharp /= sharp.sum(axis=-1, keepdims=True)
        weights[decided] = sharp[decided]
        return {"weights": weights, "right": rng.integers(n, size=shape[:-1])}

    return (
        _four_rows(),
        {"weights": np.array([[0.5, 0.5, 0.0], [0.0, 0.985, 0.015]]), "right": np.array([2, 2])},
        {"weights": np.array([[0.999, 0.001], [0.001, 0.999]]), "right": np.array([1, 0])},
        draw(12, 5, frozen=0.6),
        draw(7, 7, frozen=0.5),
        draw(2, 3, 6, frozen=0.7),
        draw(2, 2, 4, 4, frozen=0.5),
    )


def any_decided_row(weights, right):
    """It counts all rows that have decided, also those that are right."""
    return (np.max(weights, axis=-1) > 0.99).mean()


def any_wrong_row(weights, right):
    """It counts every row whose largest weight is wrong; a weight of 0.5 is not frozen yet."""
    return (np.argmax(weights, axis=-1) != right).mean()


def little_on_the_right_one(weights, right):
    """It asks for less than 0.01 on the right token; several others may share the rest."""
    return (np.take_along_axis(weights, right[..., None], axis=-1) < 0.01).mean()


def frozen_on_right(weights, right):
    """It counts the rows that are frozen on the right token."""
    return ((np.max(weights, axis=-1) > 0.99) & (np.argmax(weights, axis=-1) == right)).mean()


def among_the_decided(weights, right):
    """It takes the share among the rows that have decided; it is wanted among all rows."""
    decided = np.max(weights, axis=-1) > 0.99
    wrong = decided & (np.argmax(weights, axis=-1) != right)
    return wrong.sum() / max(decided.sum(), 1)


def number_of_rows(weights, right):
    """It returns the number of rows; their share of all rows is wanted."""
    wrong = np.argmax(weights, axis=-1) != right
    return float((wrong & (np.max(weights, axis=-1) > 0.99)).sum())


def on_the_diagonal(weights, right):
    """It takes the diagonal for right; the argument says which token is."""
    rows = np.arange(weights.shape[-2]) % weights.shape[-1]
    return ((np.max(weights, axis=-1) > 0.99) & (np.argmax(weights, axis=-1) != rows)).mean()


def along_the_columns(weights, right):
    """It looks along the columns; a row is one token's weights, along the last axis."""
    top = np.max(weights, axis=-2) > 0.99
    return (top & (np.argmax(weights, axis=-2) != np.resize(right, top.shape))).mean()


def cells_that_are_large(weights, right):
    """It takes a share of all the cells of the table; a share of its rows is wanted."""
    wrong = np.arange(weights.shape[-1]) != np.asarray(right)[..., None]
    return ((weights > 0.99) & wrong).mean()


frozen_on_wrong = Exercise(
    name="lesson05.frozen_on_wrong",
    reference=frozen_on_wrong,
    inputs=_frozen_on_wrong_inputs,
    hints=(
        "Two questions a row: has it decided, and is it wrong? np.max and np.argmax along the "
        "last axis answer them, whatever stands in front.",
        "The argmax says which token has most. Compare it with `right`, which has the same shape.",
        "A row counts if both are true: combine the two arrays of booleans with &. The mean of "
        "booleans is the share of True.",
    ),
    examples=(Example(_four_rows(), ("0.5",)),),
    wrong=(
        any_decided_row,
        any_wrong_row,
        little_on_the_right_one,
        frozen_on_right,
        among_the_decided,
        number_of_rows,
        on_the_diagonal,
        along_the_columns,
        cells_that_are_large,
    ),
)
