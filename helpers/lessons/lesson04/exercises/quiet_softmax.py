"""Exercise: a softmax that may give nothing to anybody."""

import numpy as np

from helpers import numpy_attention as attention
from helpers.course.exercise import Example, Exercise


def quiet_softmax(scores):
    """Share out one whole among the tokens and one more, of score 0, that is then left out."""
    nobody = np.zeros_like(scores[..., :1])  # (..., 1)
    return attention.softmax(np.concatenate([scores, nobody], axis=-1))[..., :-1]  # (..., n)


def _inputs(rng):
    def draw(*shape):
        return rng.normal(scale=2.0, size=shape).round(2)

    return (
        {"scores": np.array([0.0, 0.0, 0.0])},
        {"scores": np.array([[1.0, 2.0, 3.0], [-3.0, -2.0, -1.0]])},
        {"scores": draw(3, 3)},
        {"scores": draw(2, 5)},
        {"scores": draw(2, 3, 4)},
        {"scores": draw(12, 11)},
        {"scores": np.array([[-20000.0, -20001.0], [20000.0, 20001.0], [-1.5, 0.5]])},
        {"scores": np.array([[-1000.0, -1000.0, 2.0]])},
        {"scores": np.array([[0.5, -np.inf, 1.0], [-np.inf, -np.inf, -np.inf]])},
        {"scores": np.array([[1], [-1]])},
    )


def plain_softmax(scores):
    """That is the plain softmax: every row still gives away one whole."""
    return attention.softmax(scores)


def one_after_the_maximum(scores):
    """It adds the 1 after the maximum was subtracted; exp(0) has then become exp(-maximum)."""
    exps = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exps / (1 + exps.sum(axis=-1, keepdims=True))


def no_maximum(scores):
    """It takes exp of the raw scores: for a score of 20,000 that is infinite."""
    exps = np.exp(scores)
    return exps / (1 + exps.sum(axis=-1, keepdims=True))


def drops_the_first(scores):
    """It adds nobody at the end, but takes away the share of the first token."""
    nobody = np.zeros_like(scores[..., :1])
    return attention.softmax(np.concatenate([scores, nobody], axis=-1))[..., 1:]


def keeps_nobody(scores):
    """The share of nobody is still in the result: one column too many."""
    nobody = np.zeros_like(scores[..., :1])
    return attention.softmax(np.concatenate([scores, nobody], axis=-1))


def nobody_scores_one(scores):
    """Nobody has a score of 1 here; a score of 0 is wanted."""
    nobody = np.ones_like(scores[..., :1])
    return attention.softmax(np.concatenate([scores, nobody], axis=-1))[..., :-1]


def one_more_share(scores):
    """It makes all shares smaller by the same factor, n / (n + 1), whatever the scores are."""
    n = scores.shape[-1]
    return attention.softmax(scores) * n / (n + 1)


def each_by_itself(scores):
    """It decides for each token by itself (a sigmoid): a row can then give away more than 1."""
    return np.exp(-np.logaddexp(0, -scores))


def negative_scores_get_nothing(scores):
    """It cuts every share off where the score is below 0."""
    return np.where(scores < 0, 0.0, attention.softmax(scores))


def along_the_first_axis(scores):
    """It adds up along the first axis: the columns, not the rows, leave room for nobody."""
    top = np.maximum(scores.max(axis=0, keepdims=True), 0.0)
    exps = np.exp(scores - top)
    return exps / (np.exp(-top) + exps.sum(axis=0, keepdims=True))


quiet_softmax = Exercise(
    name="lesson04.quiet_softmax",
    reference=quiet_softmax,
    inputs=_inputs,
    hints=(
        "Where could the rest of the whole go? To one more token, which has no value.",
        "Its score is 0 in every row. Append a column of zeros to the scores: np.concatenate.",
        "Then the plain softmax does the rest, attention.softmax; leave the last column out of "
        "what it returns.",
    ),
    examples=(Example({"scores": np.zeros(3)}, ("[0.25, 0.25, 0.25]",)),),
    wrong=(
        plain_softmax,
        one_after_the_maximum,
        no_maximum,
        drops_the_first,
        keeps_nobody,
        nobody_scores_one,
        one_more_share,
        each_by_itself,
        negative_scores_get_nothing,
        along_the_first_axis,
    ),
    points=2,
)
