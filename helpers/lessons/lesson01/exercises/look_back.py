"""First build of lesson 01: a look back for every token."""

import numpy as np

from helpers.course.exercise import Example, Exercise


def look_back(relevance, X):
    """Give each token the average of all vectors, weighted by its own row of relevance."""
    shares = relevance / relevance.sum(axis=1, keepdims=True)
    return shares @ X


def _look_back_inputs(rng):
    def draw(n_q, n, d):
        return {
            "relevance": rng.uniform(0.1, 5, (n_q, n)).round(1),
            "X": rng.normal(size=(n, d)).round(2),
        }

    return (
        {"relevance": np.array([[3.0, 1.0]]), "X": np.array([[4.0, 0.0], [0.0, 8.0]])},
        {
            "relevance": np.array([[8.0, 2.0], [1.0, 3.0]]),
            "X": np.array([[1.0, 0.0, 5.0], [0.0, 1.0, 5.0]]),
        },
        {
            "relevance": np.array([[900.0, 0.0, 100.0, 3000.0], [0.004, 0.001, 0.0, 0.005]]),
            "X": np.array([[-1.0, 2.0, 40.0], [3.0, -50.0, 0.0], [700.0, 0.5, -6.0], [0, 8, -9]]),
        },
        {"relevance": np.array([[0, 2, 0], [1, 1, 2]]), "X": np.array([[1, 2], [3, 4], [5, 6]])},
        draw(3, 3, 2),
        draw(2, 4, 3),
        draw(5, 2, 3),
    )


def not_shared_out(relevance, X):
    """Relevance is not turned into shares: a row that adds up to 10 gives a tenfold answer."""
    return relevance @ X


def columns_add_up_to_one(relevance, X):
    """It divides by the sums of the columns. Each row is what one token has to share out."""
    total = relevance.sum(axis=0, keepdims=True)
    return relevance / np.where(total == 0, 1, total) @ X


def one_total_for_all(relevance, X):
    """It divides by the sum of the whole table, so the rows together share one whole."""
    return relevance / relevance.sum() @ X


def keepdims_missing(relevance, X):
    """keepdims is missing in the sum: each number is divided by the total of another row."""
    return relevance / relevance.sum(axis=1) @ X


def plain_average(relevance, X):
    """It averages all vectors alike; relevance plays no part."""
    return np.repeat(X.mean(axis=0, keepdims=True), len(relevance), axis=0)


def takes_the_best(relevance, X):
    """It takes the most relevant vector alone; the others get no share."""
    return np.asarray(X, dtype=float)[relevance.argmax(axis=1)]


def softmax_for_shares(relevance, X):
    """It makes the shares with exp, as softmax does; here a share is a part of the row's sum."""
    exps = np.exp(relevance - relevance.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True) @ X


look_back = Exercise(
    name="lesson01.look_back",
    reference=look_back,
    inputs=_look_back_inputs,
    hints=(
        "What does each row of relevance have to be divided by, so that it adds up to 1?",
        "sum(axis=1, keepdims=True) gives one total a row, as a column that fits beside the table.",
        "With shares of shape (n_q, n) and X of shape (n, d), one matrix product gives all the "
        "averages.",
    ),
    examples=(
        Example(
            {"relevance": np.array([[8, 2], [1, 3]]), "X": np.array([[1, 0, 5], [0, 1, 5]])},
            ("[[0.8, 0.2, 5], [0.25, 0.75, 5]]",),
        ),
    ),
    wrong=(
        not_shared_out,
        columns_add_up_to_one,
        one_total_for_all,
        keepdims_missing,
        plain_average,
        takes_the_best,
        softmax_for_shares,
    ),
)
