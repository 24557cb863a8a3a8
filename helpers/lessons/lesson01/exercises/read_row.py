"""Exercise 1 of lesson 01."""

import numpy as np

from helpers.course.draws import shares
from helpers.course.exercise import Example, Exercise


def read_row(weights, i, names):
    """Find the column token i looks at most, and the share that all the names get together."""
    row = weights[i]
    return int(np.argmax(row)), row[names].sum()


_SMALL = np.array([[0.5, 0.25, 0.25], [0.1, 0.2, 0.7], [0.6, 0.3, 0.1]])


def _read_row_inputs(rng):
    itself = np.array([[0.1, 0.7, 0.1, 0.1], [0.2, 0.2, 0.3, 0.3], [0.25, 0.05, 0.6, 0.1]])
    row = [312, 507, 129, 1023, 401, 716, 208, 604, 355, 817, 3127, 1801]
    wide = np.array([np.roll(row, 5), row, row[::-1]]) / 10000
    return (
        {"weights": _SMALL.copy(), "i": 1, "names": [0, 2]},
        {"weights": _SMALL.copy(), "i": 2, "names": [1]},
        {"weights": itself, "i": 2, "names": [3, 0]},
        {"weights": wide, "i": 1, "names": [11, 3, 10]},
        {"weights": wide.copy(), "i": 0, "names": [9, 0, 1, 11]},
        {"weights": shares(rng, 5, 5), "i": 0, "names": [1, 2, 4]},
        {"weights": shares(rng, 5, 5), "i": 4, "names": [0, 3]},
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


def leaves_out_itself(weights, i, names):
    """It leaves out column i; a token may look at itself, too."""
    row = np.array(weights[i])
    row[i] = 0
    return int(np.argmax(row)), weights[i, names].sum()


def only_up_to_itself(weights, i, names):
    """It looks for the column among the first ones, up to token i; all columns count."""
    return int(np.argmax(weights[i, : i + 1])), weights[i, names].sum()


def from_the_first_name_to_the_last(weights, i, names):
    """It adds up all columns from the first name to the last; only the names count."""
    return int(np.argmax(weights[i])), weights[i, min(names) : max(names) + 1].sum()


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
    examples=(Example({"weights": _SMALL, "i": 1, "names": [0, 2]}, ("2", "0.8")),),
    wrong=(
        reads_a_column,
        counts_its_place_in_the_table,
        gives_the_largest_weight,
        only_the_names,
        leaves_out_itself,
        only_up_to_itself,
        from_the_first_name_to_the_last,
        mean_of_the_names,
    ),
    returns=("column", "share"),
)
