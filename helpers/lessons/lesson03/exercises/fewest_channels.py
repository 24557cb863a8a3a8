"""Exercise: the same scores with as few channels as can be."""

import numpy as np

from helpers.course.exercise import Example, Exercise
from helpers.language import say
from helpers.lessons.lesson03.exercises.same_scores import pair_problem
from helpers.sentences import toy_matrices


def fewest_channels(W_Q, W_K):
    """Find a pair with the same scores and as few columns as can be."""
    M = W_Q @ W_K.T
    rank = np.linalg.matrix_rank(M)
    left, sizes, right = np.linalg.svd(M)
    return left[:, :rank] * sizes[:rank], right[:rank].T


def _wide_inputs(rng):
    digits = np.array([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0])

    def draw(d_model, d_k, rank):
        W_K = rng.choice(digits, (d_model, rank)) @ rng.choice(digits, (rank, d_k))
        return {"W_Q": rng.choice(digits, (d_model, d_k)), "W_K": W_K}

    return (
        {
            "W_Q": np.array([[1.0, 1.0], [2.0, 2.0], [0.0, 0.0]]),
            "W_K": np.array([[1.0, 3.0], [0.0, 1.0], [2.0, 0.0]]),
        },
        {
            "W_Q": np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]),
            "W_K": np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 1.0]]),
        },
        {
            "W_Q": np.array([[10.0, 0.1], [0.0, 0.1], [-10.0, 0.0], [0.0, 0.0]]),
            "W_K": np.array([[10.0, 0.0], [0.0, 0.5], [0.0, -0.5], [10.0, 0.0]]),
        },
        draw(4, 3, 3),
        draw(5, 4, 2),
        draw(6, 6, 1),
        dict(zip(("W_Q", "W_K"), toy_matrices(), strict=False)),
    )


def _few_enough(got, arguments):
    M = arguments["W_Q"] @ arguments["W_K"].T
    problem = pair_problem(got, M)
    if problem:
        return problem
    fewest = int(np.linalg.matrix_rank(M))
    if got[0].shape[1] > fewest:
        return say(
            "The scores are right, but {columns} columns are more than needed: {fewest} can do it.",
            columns=got[0].shape[1],
            fewest=fewest,
        )
    return None


def _columns(pair):
    return pair[0].shape[1]


def nothing_saved(W_Q, W_K):
    """It hands back the pair that was given, with all its columns."""
    return W_Q.copy(), W_K.copy()


def identity_for_queries(W_Q, W_K):
    """Its first matrix is the identity: that always works, with d_model columns."""
    return np.eye(len(W_Q)), W_K @ W_Q.T


def first_columns(W_Q, W_K):
    """It keeps the first columns and drops the others; those also took part in the scores."""
    rank = np.linalg.matrix_rank(W_Q @ W_K.T)
    return W_Q[:, :rank], W_K[:, :rank]


def rank_of_one_matrix(W_Q, W_K):
    """It counts the rank of W_Q; the product with W_K may have a smaller one."""
    left, sizes, right = np.linalg.svd(W_Q, full_matrices=False)
    rank = int((sizes > 1e-9 * sizes[0]).sum())
    return left[:, :rank] * sizes[:rank], W_K @ right[:rank].T


def sizes_twice(W_Q, W_K):
    """It puts the singular values into both matrices, so they come in squared."""
    left, sizes, right = np.linalg.svd(W_Q @ W_K.T)
    rank = int((sizes > 1e-9 * sizes[0]).sum())
    return left[:, :rank] * sizes[:rank], right[:rank].T * sizes[:rank]


def only_the_largest(W_Q, W_K):
    """It keeps the largest singular value only: close, but not the same scores."""
    left, sizes, right = np.linalg.svd(W_Q @ W_K.T)
    return left[:, :1] * sizes[:1], right[:1].T


fewest_channels = Exercise(
    name="lesson03.fewest_channels",
    reference=fewest_channels,
    inputs=_wide_inputs,
    judge=_few_enough,
    returns=("W_Q", "W_K"),
    hints=(
        "The smallest number of columns is the rank of W_Q @ W_K.T. np.linalg.matrix_rank "
        "counts it.",
        "np.linalg.svd(M) writes M as left @ diag(sizes) @ right. Sizes that are zero, up to "
        "rounding, add nothing.",
        "Keep the first `rank` columns of left, each times its size, for W_Q, and the first "
        "`rank` rows of right, transposed, for W_K.",
    ),
    examples=(
        Example(_wide_inputs(np.random.default_rng(0))[0], ("1",), _columns),
        Example(_wide_inputs(np.random.default_rng(0))[-1], ("4",), _columns),
    ),
    wrong=(
        nothing_saved,
        identity_for_queries,
        first_columns,
        rank_of_one_matrix,
        sizes_twice,
        only_the_largest,
    ),
    points=2,
)
