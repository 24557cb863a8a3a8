"""Exercise: another pair of matrices, the same scores."""

import numpy as np

from helpers.course.exercise import Example, Exercise
from helpers.language import say
from helpers.sentences import toy_matrices


def same_scores(W_Q, W_K):
    """Find another pair of matrices with the same scores for every sentence."""
    d_k = W_Q.shape[1]
    A = 2 * np.triu(np.ones((d_k, d_k)))
    return W_Q @ A, W_K @ np.linalg.inv(A).T


def _pair_inputs(rng):
    def draw(d_model, d_k):
        return {name: rng.normal(size=(d_model, d_k)).round(2) for name in ("W_Q", "W_K")}

    return (
        {"W_Q": np.array([[1.0], [2.0]]), "W_K": np.array([[3.0], [4.0]])},
        {
            "W_Q": np.array([[1.0, -2.0], [300.0, 0.0], [0.0, 45.0]]),
            "W_K": np.array([[0.0, 7.0], [-60.0, 1.0], [0.5, -800.0]]),
        },
        {
            "W_Q": np.array([[0.01, 0.0, -0.02], [0.03, 0.05, 0.0]]),
            "W_K": np.array([[0.02, -0.01, 0.0], [0.0, 0.04, 0.01]]),
        },
        draw(3, 3),
        draw(8, 5),
        dict(zip(("W_Q", "W_K"), toy_matrices(), strict=False)),
    )


def pair_problem(got, M):
    """Say what keeps two matrices from having the product M, queries times keys transposed."""
    if not isinstance(got, tuple) or len(got) != 2:
        return say("Two matrices are wanted, one for the queries and one for the keys.")
    if any(W.ndim != 2 or len(W) != len(M) for W in got) or got[0].shape != got[1].shape:
        return say(
            "Both matrices need {rows} rows and the same number of columns, but their shapes are "
            "{first} and {second}.",
            rows=len(M),
            first=got[0].shape,
            second=got[1].shape,
        )
    if not all(np.isfinite(W).all() for W in got):
        return say("One of the matrices holds a number that is not finite.")
    with np.errstate(all="ignore"):
        off = np.abs(got[0] @ got[1].T - M).max()
        rounding = 1e-5 * (np.abs(got[0]) @ np.abs(got[1]).T).max()
    if not off <= min(rounding, 1e-3 * np.abs(M).max()):
        return say("The scores are not right: W_Q @ W_K.T is off by up to {off:.2g}.", off=off)
    return None


def _another_pair(got, arguments):
    W_Q = arguments["W_Q"]
    problem = pair_problem(got, W_Q @ arguments["W_K"].T)
    if problem:
        return problem
    first = got[0]
    if first.shape[1] > W_Q.shape[1]:
        first = first[:, np.abs(first).max(axis=0) > 0]  # columns of zeros change nothing
    if first.shape == W_Q.shape and np.abs(first - W_Q).max() < 1e-3 * np.abs(W_Q).max():
        return say("The scores are right, but this is the pair that was given. Find another one.")
    return None


def the_same_pair(W_Q, W_K):
    """It hands back the pair that was given."""
    return W_Q.copy(), W_K.copy()


def exchanged(W_Q, W_K):
    """It exchanges the two: that turns the table of scores over, rows become columns."""
    return W_K.copy(), W_Q.copy()


def both_doubled(W_Q, W_K):
    """Both are multiplied by the same number: the scores grow by its square."""
    return 2 * W_Q, 2 * W_K


def only_the_queries(W_Q, W_K):
    """W_Q is changed and W_K is not, so nothing takes the change back."""
    return W_Q @ (np.eye(W_Q.shape[1]) + 1), W_K.copy()


def inverse_not_transposed(W_Q, W_K):
    """W_K is multiplied by the inverse of A; in the score A meets its transpose, so take A⁻ᵀ."""
    A = np.triu(np.ones((W_Q.shape[1], W_Q.shape[1]))) * 2
    return W_Q @ A, W_K @ np.linalg.inv(A)


def shifted(W_Q, W_K):
    """It adds a number to one and takes it off the other: a product does not stay the same."""
    return W_Q + 1, W_K - 1


def the_same_factor_twice(W_Q, W_K):
    """Both are multiplied by A; the second needs what takes A back, its inverse transposed."""
    A = np.triu(np.ones((W_Q.shape[1], W_Q.shape[1]))) * 2
    return W_Q @ A, W_K @ A


def columns_of_one_reordered(W_Q, W_K):
    """Only W_Q's columns are put in another order; the columns of both have to move alike."""
    return 2 * W_Q[:, ::-1], W_K / 2


same_scores = Exercise(
    name="lesson03.same_scores",
    reference=same_scores,
    inputs=_pair_inputs,
    judge=_another_pair,
    returns=("W_Q", "W_K"),
    hints=(
        "Only the product W_Q @ W_K.T enters the scores. What can you do to the first factor "
        "that you can undo in the second?",
        "The shortest answer is one number: twice as large here, half as large there.",
        "In general: W_Q @ A for any invertible A. In W_Q @ A @ (...).T the bracket has to bring "
        "in the inverse of A, transposed.",
    ),
    examples=(
        Example(
            {"W_Q": np.array([[1], [2]]), "W_K": np.array([[3], [4]])},
            ("[[2], [4]]", "[[1.5], [2]]"),
        ),
    ),
    wrong=(
        the_same_pair,
        exchanged,
        both_doubled,
        only_the_queries,
        inverse_not_transposed,
        shifted,
        the_same_factor_twice,
        columns_of_one_reordered,
    ),
)
