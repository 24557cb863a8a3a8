"""Exercises of lesson 03: queries, keys, values."""

import math

import numpy as np

from helpers.course.exercise import Exercise
from helpers.sentences import TOKENS, toy_embeddings, toy_matrices

# ---------------------------------------------------------------------------------- project


def project(X, W_Q, W_K, W_V):
    """Give each token its query, its key and its value."""
    return X @ W_Q, X @ W_K, X @ W_V


def _project_inputs(rng):
    def draw(n, d_model, d_k, d_v):
        shapes = {
            "X": (n, d_model),
            "W_Q": (d_model, d_k),
            "W_K": (d_model, d_k),
            "W_V": (d_model, d_v),
        }
        return {name: rng.normal(size=shape).round(2) for name, shape in shapes.items()}

    return (
        {
            "X": np.array([[1.0, 0.0], [0.0, 1.0]]),
            "W_Q": np.array([[1.0, 2.0], [3.0, 4.0]]),
            "W_K": np.array([[5.0, 6.0], [7.0, 8.0]]),
            "W_V": np.array([[9.0, 10.0], [11.0, 12.0]]),
        },
        draw(2, 3, 2, 2),
        draw(3, 3, 3, 3),
        draw(4, 6, 4, 3),
        draw(1, 2, 3, 4),
    )


def one_matrix_for_both(X, W_Q, W_K, W_V):
    """The keys are made with W_Q, so a token offers the same as it asks for."""
    return X @ W_Q, X @ W_Q, X @ W_V


def matrices_transposed(X, W_Q, W_K, W_V):
    """The matrices are transposed: X @ W.T mixes up what comes in and what goes out."""
    return X @ W_Q.T, X @ W_K.T, X @ W_V.T


def from_the_left(X, W_Q, W_K, W_V):
    """The matrices stand on the left, so they mix tokens; each token's row must stay its own."""
    return W_Q @ X, W_K @ X, W_V @ X


def keys_transposed(X, W_Q, W_K, W_V):
    """The keys come back transposed; one row a token is wanted."""
    return X @ W_Q, (X @ W_K).T, X @ W_V


def keys_and_values_exchanged(X, W_Q, W_K, W_V):
    """Keys and values are exchanged: the second result must be X @ W_K."""
    return X @ W_Q, X @ W_V, X @ W_K


def queries_and_keys_exchanged(X, W_Q, W_K, W_V):
    """Queries and keys are exchanged: the first result must be X @ W_Q."""
    return X @ W_K, X @ W_Q, X @ W_V


def values_are_x(X, W_Q, W_K, W_V):
    """The values are X itself; W_V decides what is handed over."""
    return X @ W_Q, X @ W_K, X


def values_from_keys(X, W_Q, W_K, W_V):
    """The values are made from the keys; all three come straight from X."""
    return X @ W_Q, X @ W_K, X @ W_K @ W_V


def entry_by_entry(X, W_Q, W_K, W_V):
    """It multiplies entry by entry (*); a matrix product (@) is wanted."""
    return X * W_Q, X * W_K, X * W_V


project = Exercise(
    name="lesson03.project",
    reference=project,
    inputs=_project_inputs,
    returns=("Q", "K", "V"),
    hints=(
        "Row i of Q is row i of X, each feature times its row of W_Q, added up. Which product of "
        "two matrices does that for all rows?",
        "The number of columns of X is the number of rows of W_Q: X @ W_Q. Return three results "
        "in the order Q, K, V.",
    ),
    wrong=(
        one_matrix_for_both,
        matrices_transposed,
        from_the_left,
        keys_transposed,
        keys_and_values_exchanged,
        queries_and_keys_exchanged,
        values_are_x,
        values_from_keys,
        entry_by_entry,
    ),
)

# -------------------------------------------------------------------------------- two_rules


def two_rules():
    """Make 他 find 小明, and 走了 find 他, with two channels: "who" and "doer"."""
    W_Q = np.zeros((6, 2))
    W_K = np.zeros((6, 2))
    W_Q[5, 0] = 5  # a pointer asks "who"
    W_Q[3, 1] = 5  # an action asks for its doer
    W_K[0] = 1, 1  # a person answers both
    W_K[5] = -1, 1  # a pointer does not answer "who", but is a likely doer
    return W_Q, W_K


def _rules_kept(got, arguments):
    if not isinstance(got, tuple) or len(got) != 2:
        return "Two matrices are wanted: return W_Q, W_K."
    for name, W in zip(("W_Q", "W_K"), got, strict=True):
        if W.ndim != 2 or W.shape[0] != 6 or W.shape[1] not in (1, 2):
            return f"{name} must have shape (6, 2), but its shape is {W.shape}."
        if not np.isfinite(W).all():
            return f"{name} holds a number that is not finite."
    W_Q, W_K = got
    if W_Q.shape != W_K.shape:
        return f"W_Q and W_K need the same shape, but they have {W_Q.shape} and {W_K.shape}."
    X = toy_embeddings()
    scores = (X @ W_Q) @ (X @ W_K).T / math.sqrt(W_Q.shape[1])
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exps / exps.sum(axis=-1, keepdims=True)
    for i, j in ((8, 0), (9, 8)):
        if weights[i, j] <= 0.5:
            most = int(weights[i].argmax())
            rest = "" if most == j else f" It gives {weights[i, most]:.2f} to {TOKENS[most]}."
            return (
                f"{TOKENS[i]} gives {TOKENS[j]} a weight of {weights[i, j]:.2f}; more than 0.5 is "
                f"wanted.{rest}"
            )
    if scores[8, 9] >= scores[9, 8] - 1e-6:
        return (
            f"The score from 他 to 走了 ({scores[8, 9]:.2f}) must be lower than the one from "
            f"走了 to 他 ({scores[9, 8]:.2f})."
        )
    return None


def _rules(asks, offers):
    """W_Q and W_K from a few entries {(feature, channel): number}."""
    W_Q, W_K = np.zeros((6, 2)), np.zeros((6, 2))
    for W, entries in ((W_Q, asks), (W_K, offers)):
        for place, number in entries.items():
            W[place] = number
    return W_Q, W_K


def same_matrix_twice():
    """W_Q and W_K are the same, so every score from a to b is also the score from b to a."""
    W = np.zeros((6, 2))
    W[0], W[3], W[5] = (20, -2), (0, 2), (-18, 6)
    return W, W.copy()


def offers_for_questions():
    """W_Q and W_K are exchanged: what is asked for stands where the offers belong."""
    W_Q, W_K = _rules({(5, 0): 5, (3, 1): 5}, {(0, 0): 1, (0, 1): 1, (5, 0): -1, (5, 1): 1})
    return W_K, W_Q


def too_faint():
    """The right matches, but with scores so small that all weights stay nearly equal."""
    return _rules({(5, 0): 1, (3, 1): 1}, {(0, 0): 1, (0, 1): 1, (5, 0): -1, (5, 1): 1})


def finds_itself():
    """他 has the feature person, too: unless the pointer takes it back, 他 answers "who" itself."""
    return _rules({(5, 0): 5, (3, 1): 5}, {(0, 0): 1, (0, 1): 1, (5, 1): 1})


def doer_is_any_person():
    """小明 and 他 answer "doer" equally well: what sets 他 apart is the feature pointer."""
    return _rules({(5, 0): 5, (3, 1): 5}, {(0, 0): 1, (0, 1): 1, (5, 0): -1})


def matrices_of_the_lesson():
    """These are the lesson's matrices with four channels; two have to be enough."""
    return toy_matrices()[:2]


two_rules = Exercise(
    name="lesson03.two_rules",
    reference=two_rules,
    judge=_rules_kept,
    returns=("W_Q", "W_K"),
    hints=(
        "Use one channel for each rule. Column 0: who asks for it? Column 1: who asks for it? "
        "That fills W_Q with one number in each column.",
        "小明 has the feature person. 他 has the features person and pointer. In column 0 小明 "
        "must come out above 他, in column 1 it is the other way round.",
        "W_K: person 1 and 1; pointer -1 and +1. W_Q: pointer asks for column 0, action for "
        "column 1. Make the numbers in W_Q large enough that the weights pass 0.5.",
    ),
    wrong=(
        same_matrix_twice,
        offers_for_questions,
        too_faint,
        finds_itself,
        doer_is_any_person,
        matrices_of_the_lesson,
    ),
    points=2,
)

# -------------------------------------------------------------------------------- same_scores


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


def _pair_problem(got, arguments):
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
    problem = _pair_problem(got, arguments)
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

# ----------------------------------------------------------------------------- fewest_channels


def fewest_channels(W_Q, W_K):
    """Find a pair with the same scores and as few columns as can be."""
    left, sizes, right = np.linalg.svd(W_Q @ W_K.T)
    rank = int((sizes > 1e-9 * sizes[0]).sum())
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
        draw(4, 3, 3),
        draw(5, 4, 2),
        draw(6, 6, 1),
        dict(zip(("W_Q", "W_K"), toy_matrices(), strict=False)),
    )


def _few_enough(got, arguments):
    problem = _pair_problem(got, arguments)
    if problem:
        return problem
    fewest = int(np.linalg.matrix_rank(arguments["W_Q"] @ arguments["W_K"].T))
    if got[0].shape[1] > fewest:
        return (
            f"The scores are right, but {got[0].shape[1]} columns are more than are needed: "
            f"{fewest} can do it."
        )
    return None


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
