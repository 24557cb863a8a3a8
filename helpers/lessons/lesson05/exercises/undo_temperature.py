"""Exercise: the divisor for queries and keys of any kind."""

import math

import numpy as np

from helpers.course.exercise import Example, Exercise
from helpers.language import say


def undo_temperature(Q, K):
    """Find the divisor that gives the scores, within a row, a mean variance of 1."""
    dots = Q @ K.T
    return math.sqrt(dots.var(axis=1).mean())


def _undo_temperature_inputs(rng):
    def draw(n_q, n_k, d):
        return rng.normal(size=(n_q, d)), rng.normal(size=(n_k, d))

    plain_q, plain_k = draw(40, 60, 64)
    wide_q, wide_k = draw(40, 60, 400)
    small_q, small_k = draw(30, 50, 16)
    moved_q, moved_k = draw(50, 40, 100)
    shared = rng.normal(size=(1, 32))
    alike_q, alike_k = draw(20, 30, 32)
    return (
        {"Q": np.array([[2.0, 0.0], [0.0, 4.0]]), "K": np.array([[1.0, 1.0], [-1.0, -1.0]])},
        {
            "Q": np.array([[3.0, 1.0, 0.0], [-10.0, 2.0, 5.0]]),
            "K": np.array([[1.0, 0.0, 2.0], [4.0, -1.0, 0.0], [2.0, 6.0, 1.0], [0.0, 0.5, -7.0]]),
        },
        {"Q": plain_q, "K": plain_k},
        {"Q": wide_q, "K": wide_k},
        {"Q": small_q * 0.02, "K": small_k * 0.02},
        {"Q": moved_q + 2.0, "K": moved_k + 2.0},
        {"Q": alike_q + 3 * shared, "K": alike_k},
    )


def _spread_is_one(got, arguments):
    if not isinstance(got, np.ndarray) or got.ndim or got.dtype == bool:
        return say("One number is wanted: the temperature.")
    if not 0 < got < np.inf:
        return say(
            "A temperature must be a positive number, but {number:.4g} came back.",
            number=float(got),
        )
    with np.errstate(all="ignore"):
        rows = arguments["Q"] @ arguments["K"].T / got
        variance = ((rows - rows.mean(axis=-1, keepdims=True)) ** 2).mean()
    if not abs(variance - 1) <= 1e-3:
        return say(
            "After dividing by {number:.4g}, the variance within a row is {variance:.4g} on "
            "average; 1 is wanted, to within 0.001.",
            number=float(got),
            variance=variance,
        )
    return None


def root_of_d(Q, K):
    """It returns the root of d; that is right for independent entries of variance 1 only."""
    return math.sqrt(Q.shape[-1])


def d_itself(Q, K):
    """It returns d; the typical score grows with the square root of d."""
    return float(Q.shape[-1])


def over_the_whole_table(Q, K):
    """It takes the spread of the whole table; softmax never sees the level of a row."""
    return float((Q @ K.T).std())


def the_variance(Q, K):
    """It returns the variance; dividing by T divides the variance by T squared."""
    return float((Q @ K.T).var(axis=-1).mean())


def mean_of_the_deviations(Q, K):
    """It averages the rows' standard deviations; the mean of the variances has to become 1."""
    return float((Q @ K.T).std(axis=-1).mean())


def within_a_column(Q, K):
    """It measures the spread within a column; softmax compares the keys of one row."""
    return math.sqrt((Q @ K.T).var(axis=0).mean())


def the_factor(Q, K):
    """It returns the factor to multiply by; the divisor, 1 over it, is wanted."""
    return 1 / math.sqrt((Q @ K.T).var(axis=-1).mean())


def divides_by_one_less(Q, K):
    """Its variance divides by the number of keys minus 1; np.var divides by the number itself."""
    return math.sqrt((Q @ K.T).var(axis=1, ddof=1).mean())


def mean_square(Q, K):
    """It takes the mean square of the scores; their distance from the row's mean counts."""
    return math.sqrt(((Q @ K.T) ** 2).mean())


def from_the_entries(Q, K):
    """It predicts the spread from d and the variances; that needs independent entries, mean 0."""
    return math.sqrt(Q.shape[1] * Q.var() * K.var())


undo_temperature = Exercise(
    name="lesson05.undo_temperature",
    reference=undo_temperature,
    inputs=_undo_temperature_inputs,
    judge=_spread_is_one,
    hints=(
        "Some inputs are those of the lesson, and the answer comes out near the root of d. Others "
        "break its premises: there d alone cannot tell, but the scores can.",
        "Softmax ignores what all scores of a row have in common. Which axis of Q @ K.T holds the "
        "scores of one row?",
        "Take the variance along the last axis, average it over the rows, and remember that "
        "dividing by T divides a variance by T squared.",
    ),
    examples=(
        Example({"Q": np.array([[2, 0], [0, 4]]), "K": np.array([[1, 1], [-1, -1]])}, ("3.162",)),
    ),
    wrong=(
        root_of_d,
        d_itself,
        over_the_whole_table,
        the_variance,
        mean_of_the_deviations,
        within_a_column,
        the_factor,
        divides_by_one_less,
        mean_square,
        from_the_entries,
    ),
    points=2,
)
