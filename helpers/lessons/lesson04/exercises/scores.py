"""Exercise: every query compared with every key, for a whole batch."""

import numpy as np

from helpers.course.exercise import Exercise
from helpers.numpy_attention import softmax


def scores(Q, K):
    """Compare every query with every key."""
    return Q @ np.swapaxes(K, -1, -2) / Q.shape[-1] ** 0.5  # (..., n_q, n_k)


def _inputs(rng):
    def draw(*shape):
        return rng.normal(size=shape).round(2)

    return (
        {"Q": draw(2, 5), "K": draw(3, 5)},
        {"Q": draw(3, 3), "K": draw(3, 3)},
        {"Q": draw(4, 8), "K": draw(4, 8)},
        {"Q": draw(1, 2), "K": draw(1, 2)},
        {"Q": draw(2, 3, 4), "K": draw(2, 5, 4)},
        {"Q": draw(3, 3, 3), "K": draw(3, 3, 3)},
        {"Q": draw(2, 3, 4, 5), "K": draw(2, 3, 6, 5)},
        {"Q": 1000 * draw(3, 4), "K": draw(2, 4)},
        {"Q": np.array([[1, 2], [3, 4]]), "K": np.array([[1, 0], [2, 5], [7, 1]])},
    )


def no_scaling(Q, K):
    """The division by the square root of d_k is missing."""
    return Q @ np.swapaxes(K, -1, -2)


def divides_by_d(Q, K):
    """It divides by d_k itself, not by its square root."""
    return Q @ np.swapaxes(K, -1, -2) / Q.shape[-1]


def multiplies(Q, K):
    """It multiplies by the square root of d_k where it should divide."""
    return Q @ np.swapaxes(K, -1, -2) * Q.shape[-1] ** 0.5


def number_of_queries(Q, K):
    """It takes the number of queries for d_k; d_k is the length of one query."""
    return Q @ np.swapaxes(K, -1, -2) / Q.shape[-2] ** 0.5


def number_of_keys(Q, K):
    """It takes the number of keys for d_k; d_k is the length of one key."""
    return Q @ np.swapaxes(K, -1, -2) / K.shape[-2] ** 0.5


def d_k_of_the_lesson(Q, K):
    """It divides by 2, as in the sentence above; the root of d_k is 2 only when d_k is 4."""
    return Q @ np.swapaxes(K, -1, -2) / 2


def all_axes_reversed(Q, K):
    """K.T reverses all axes of a batch; only the last two may be swapped."""
    return Q @ K.T / Q.shape[-1] ** 0.5


def keys_in_the_rows(Q, K):
    """The rows are keys and the columns queries: it must be Q times K transposed."""
    return K @ np.swapaxes(Q, -1, -2) / Q.shape[-1] ** 0.5


def cosine(Q, K):
    """It divides by the lengths of the vectors: that is the cosine, not the scaled product."""
    lengths_q = np.linalg.norm(Q, axis=-1)[..., :, None]
    lengths_k = np.linalg.norm(K, axis=-1)[..., None, :]
    return Q @ np.swapaxes(K, -1, -2) / (lengths_q * lengths_k)


def distance(Q, K):
    """It takes the distance between query and key; a score is their dot product."""
    return -np.linalg.norm(Q[..., :, None, :] - K[..., None, :, :], axis=-1)


def already_softmax(Q, K):
    """It already applies softmax; the scores are wanted before that step."""
    return softmax(Q @ np.swapaxes(K, -1, -2) / Q.shape[-1] ** 0.5)


def no_transpose(Q, K):
    """K is not transposed: the columns of Q must meet the columns of K."""
    return Q @ K / Q.shape[-1] ** 0.5


scores = Exercise(
    name="lesson04.scores",
    reference=scores,
    inputs=_inputs,
    hints=(
        "Row i, column j is the dot product of query i and key j. Which product of two matrices "
        "gives all of them at once?",
        "Swap the last two axes of K only: there may be a batch axis before them. "
        "np.swapaxes(K, -1, -2) does that.",
        "d_k is the length of one query, Q.shape[-1]. Divide by d_k ** 0.5, its square root.",
    ),
    wrong=(
        no_scaling,
        divides_by_d,
        multiplies,
        number_of_queries,
        number_of_keys,
        d_k_of_the_lesson,
        all_axes_reversed,
        keys_in_the_rows,
        cosine,
        distance,
        already_softmax,
        no_transpose,
    ),
)
