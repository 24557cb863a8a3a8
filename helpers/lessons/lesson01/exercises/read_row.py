"""Exercise 1 of lesson 01."""

import numpy as np

from helpers.course.draws import shares
from helpers.course.exercise import Exercise


def read_row(weights, i, names):
    """Find the column token i looks at most, and the share that all the names get together."""
    row = weights[i]
    return int(np.argmax(row)), row[names].sum()


def _read_row_inputs(rng):
    weights = shares(rng, 5, 5)
    small = np.array([[0.5, 0.25, 0.25], [0.1, 0.2, 0.7], [0.6, 0.3, 0.1]])
    return (
        {"weights": small, "i": 1, "names": [0, 2]},
        {"weights": small.copy(), "i": 2, "names": [1]},
        {"weights": weights, "i": 0, "names": [1, 2, 4]},
        {"weights": weights.copy(), "i": 4, "names": [0, 3]},
        {"weights": shares(rng, 2, 6), "i": 1, "names": [5, 0]},
    )


def reads_a_column(weights, i, names):
    """It reads column i: who looks at token i. Whom token i looks at stands in row i."""
    column = weights[:, min(i, weights.shape[1] - 1)]
    return int(np.argmax(column)), column[[j for j in names if j < len(column)]].sum()


def counts_its_place_in_the_table(weights, i, names):
    """np.argmax of the whole table counts through all rows; take row i first."""
    return int(np.argmax(weights)), weights[i, names].sum()


def gives_the_largest_weight(weights, i, names):
    """It returns the largest weight itself, where the column it stands in is asked for."""
    return weights[i].max(), weights[i, names].sum()


def only_the_names(weights, i, names):
    """It looks for the most watched column among the names only."""
    return int(names[int(np.argmax(weights[i, names]))]), weights[i, names].sum()


def mean_of_the_names(weights, i, names):
    """It averages the shares of the names; together they get the sum."""
    return int(np.argmax(weights[i])), weights[i, names].mean()


read_row = Exercise(
    name="lesson01.read_row",
    reference=read_row,
    inputs=_read_row_inputs,
    hints=(
        "Row i belongs to the token that looks. Which expression takes one row out of a table?",
        "np.argmax gives the place of the largest number. A list of columns in square brackets "
        "takes these columns out of the row; then add them up.",
    ),
    wrong=(
        reads_a_column,
        counts_its_place_in_the_table,
        gives_the_largest_weight,
        only_the_names,
        mean_of_the_names,
    ),
    returns=("column", "share"),
)
