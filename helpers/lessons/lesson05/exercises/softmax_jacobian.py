"""Exercise 3 of lesson 05."""

import numpy as np

from helpers.course.draws import shares
from helpers.course.exercise import Example, Exercise


def softmax_jacobian(p):
    """Slope of each weight of one row by each of its scores."""
    return np.diag(p) - np.outer(p, p)


def _softmax_jacobian_inputs(rng):
    return (
        {"p": np.array([0.5, 0.5])},
        {"p": np.array([0.7, 0.2, 0.1])},
        {"p": np.array([0.3, 0.05, 0.25, 0.0001, 0.3999])},
        {"p": shares(rng, 4)},
        {"p": shares(rng, 12)},
        {"p": np.array([0.0, 1.0, 0.0])},
        {"p": np.array([1.0])},
    )


def diagonal_only(p):
    """It keeps p (1 - p) on the diagonal; a score also lowers the weights of the others."""
    return np.diag(p * (1 - p))


def outer_product_missing(p):
    """It subtracts p_j squared in every row; entry (i, j) needs the product p_i p_j."""
    return np.diag(p) - p * p


def plus_for_minus(p):
    """It adds the outer product; the others lose what one gains, so it must be subtracted."""
    return np.diag(p) + np.outer(p, p)


def identity_for_diagonal(p):
    """The identity stands where diag(p) belongs: a token of weight 0 has no slope at all."""
    return np.eye(len(p)) - np.outer(p, p)


def sign_turned(p):
    """The sign is turned: raising a score raises its own weight."""
    return np.outer(p, p) - np.diag(p)


def takes_scores(p):
    """It takes p for scores and applies softmax; p already holds the weights."""
    exponentials = np.exp(p - np.max(p))
    weights = exponentials / exponentials.sum()
    return np.diag(weights) - np.outer(weights, weights)


def only_the_outer_product(p):
    """It returns the outer product alone, with a minus: the diagonal is missing its p."""
    return -np.outer(p, p)


def one_slope_a_weight(p):
    """It gives one slope a weight, by its own score; every score moves every weight."""
    return p * (1 - p)


def one_number(p):
    """p @ p is one number; the table of all products p_i p_j is np.outer(p, p)."""
    return np.diag(p) - p @ p


softmax_jacobian = Exercise(
    name="lesson05.softmax_jacobian",
    reference=softmax_jacobian,
    inputs=_softmax_jacobian_inputs,
    hints=(
        "Entry (i, j): how much does weight i move when score j rises a little? On the diagonal "
        "p_i (1 - p_i), elsewhere -p_i p_j.",
        "np.outer(p, p) is the table of all products p_i p_j.",
        "p_i (1 - p_i) = p_i - p_i p_i. So the whole table is a diagonal minus the outer product.",
    ),
    examples=(
        Example({"p": np.array([0.7, 0.2, 0.1])}, ("[0.21, 0.16, 0.09]",), np.diag),
        Example({"p": np.array([0.7, 0.2, 0.1])}, ("0",), lambda table: table.sum(axis=1).max()),
    ),
    wrong=(
        diagonal_only,
        outer_product_missing,
        plus_for_minus,
        identity_for_diagonal,
        sign_turned,
        takes_scores,
        only_the_outer_product,
        one_slope_a_weight,
        one_number,
    ),
)
