"""Exercise: a pair whose scores are the same in both directions."""

import numpy as np

from helpers.course.exercise import Example, Exercise
from helpers.lessons.lesson03.exercises.same_scores import pair_problem
from helpers.sentences import toy_matrices


def both_ways(W_Q, W_K):
    """Add to each score the one of the other direction, with twice as many channels."""
    return np.hstack([W_Q, W_K]), np.hstack([W_K, W_Q])


def _inputs(rng):
    def draw(d_model, d_k):
        return {name: rng.normal(size=(d_model, d_k)).round(2) for name in ("W_Q", "W_K")}

    return (
        {"W_Q": np.array([[1.0], [2.0]]), "W_K": np.array([[3.0], [4.0]])},
        {
            "W_Q": np.array([[1.0, -2.0], [300.0, 0.0], [0.0, 45.0]]),
            "W_K": np.array([[0.0, 7.0], [-60.0, 1.0], [0.5, -800.0]]),
        },
        draw(3, 3),
        draw(7, 2),
        draw(12, 5),
        dict(zip(("W_Q", "W_K"), toy_matrices(), strict=False)),
    )


def _sum_of_both(got, arguments):
    W_Q, W_K = arguments["W_Q"], arguments["W_K"]
    return pair_problem(got, W_Q @ W_K.T + W_K @ W_Q.T)


def sum_twice(W_Q, W_K):
    """It adds the two matrices and uses the sum for both: then W_Q also meets W_Q, and W_K W_K."""
    return W_Q + W_K, W_Q + W_K


def side_by_side_in_the_same_order(W_Q, W_K):
    """Both are put side by side in the same order, so W_Q meets W_Q and W_K meets W_K."""
    both = np.hstack([W_Q, W_K])
    return both, both.copy()


def exchanged(W_Q, W_K):
    """It only exchanges the two: that is the other direction alone, not both."""
    return W_K.copy(), W_Q.copy()


def twice_one_way(W_Q, W_K):
    """It doubles the scores of one direction; the other one is missing."""
    return 2 * W_Q, W_K.copy()


def the_same_pair_twice(W_Q, W_K):
    """It puts the same pair side by side twice: one direction, doubled."""
    return np.hstack([W_Q, W_Q]), np.hstack([W_K, W_K])


def half_of_it(W_Q, W_K):
    """That is the mean of both directions; their sum is wanted."""
    return np.hstack([W_Q, W_K]) / 2, np.hstack([W_K, W_Q])


def one_below_the_other(W_Q, W_K):
    """It puts one below the other; that makes more features, but more channels are wanted."""
    return np.vstack([W_Q, W_K]), np.vstack([W_K, W_Q])


def one_taken_off(W_Q, W_K):
    """It takes one direction off the other: the sign of the second half is wrong."""
    return np.hstack([W_Q, -W_K]), np.hstack([W_K, W_Q])


both_ways = Exercise(
    name="lesson03.both_ways",
    reference=both_ways,
    inputs=_inputs,
    judge=_sum_of_both,
    returns=("W_Q", "W_K"),
    hints=(
        "A score is a sum over channels. What happens to it if a query and a key both get more "
        "channels?",
        "The first channels give the old score from a to b. Further ones should add the score "
        "from b to a: there the keys ask and the queries answer.",
        "np.hstack puts matrices side by side: W_Q and then W_K for the queries. For the keys, in "
        "which order?",
    ),
    examples=(
        Example(
            {"W_Q": np.array([[1], [2]]), "W_K": np.array([[3], [4]])},
            ("[[6, 10], [10, 16]]",),
            lambda pair: pair[0] @ pair[1].T,
        ),
    ),
    wrong=(
        sum_twice,
        side_by_side_in_the_same_order,
        exchanged,
        twice_one_way,
        the_same_pair_twice,
        half_of_it,
        one_below_the_other,
        one_taken_off,
    ),
    points=2,
)
