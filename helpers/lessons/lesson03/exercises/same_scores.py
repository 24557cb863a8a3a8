"""Exercise 3 of lesson 03."""

import numpy as np

from helpers.course.exercise import Exercise
from helpers.sentences import toy_matrices


def same_scores(W_Q, W_K):
    """Find another pair of matrices with the same scores for every sentence."""
    A = np.eye(W_Q.shape[1]) + np.triu(np.ones((W_Q.shape[1], W_Q.shape[1])))
    return W_Q @ A, W_K @ np.linalg.inv(A).T


def _pair_inputs(rng):
    def draw(d_model, d_k):
        return {name: rng.normal(size=(d_model, d_k)).round(2) for name in ("W_Q", "W_K")}

    return (
        {"W_Q": np.array([[1.0], [2.0]]), "W_K": np.array([[3.0], [4.0]])},
        draw(3, 2),
        draw(3, 3),
        dict(zip(("W_Q", "W_K"), toy_matrices(), strict=False)),
        draw(8, 5),
    )


def pair_problem(got, arguments):
    """Say what keeps two matrices from having the same scores as the given pair."""
    if not isinstance(got, tuple) or len(got) != 2:
        return "Two matrices are wanted, one for the queries and one for the keys."
    W_Q, W_K = arguments["W_Q"], arguments["W_K"]
    for name, W in zip(("first", "second"), got, strict=True):
        if W.ndim != 2 or W.shape[0] != W_Q.shape[0] or W.shape[1] != got[0].shape[-1]:
            return (
                f"Both matrices need {W_Q.shape[0]} rows and the same number of columns, but the "
                f"{name} one has shape {W.shape}."
            )
        if not np.isfinite(W).all():
            return f"The {name} matrix holds a number that is not finite."
    off = np.abs(got[0] @ got[1].T - W_Q @ W_K.T).max()
    if off > 1e-5 * np.abs(W_Q @ W_K.T).max():
        return f"The scores change: W_Q @ W_K.T is off by up to {off:.2g}."
    return None


def _another_pair(got, arguments):
    problem = pair_problem(got, arguments)
    if problem:
        return problem
    W_Q = arguments["W_Q"]
    if got[0].shape == W_Q.shape and np.abs(got[0] - W_Q).max() < 1e-3 * np.abs(W_Q).max():
        return "The scores are right, but this is the pair that was given. Find another one."
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
    wrong=(
        the_same_pair,
        exchanged,
        both_doubled,
        only_the_queries,
        inverse_not_transposed,
        shifted,
    ),
)
