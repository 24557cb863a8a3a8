"""Exercise: queries, keys and values of a sentence."""

import numpy as np

from helpers.course.exercise import Example, Exercise
from helpers.sentences import toy_embeddings, toy_matrices


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
        {
            "X": np.array([[1.0, -2.0, 0.0], [0.0, 30.0, 4.0]]),
            "W_Q": np.array([[1.0, 0.0], [-2.0, 5.0], [0.0, 700.0]]),
            "W_K": np.array([[0.0, -3.0], [1.0, 1.0], [20.0, 0.5]]),
            "W_V": np.array([[4.0, 0.0], [0.0, -1.0], [6.0, 2.0]]),
        },
        draw(3, 3, 3, 3),
        draw(5, 6, 4, 3),
        draw(1, 2, 3, 4),
        draw(12, 4, 2, 5),
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
    examples=(
        Example(
            dict(zip(("X", "W_Q", "W_K", "W_V"), (toy_embeddings(), *toy_matrices()), strict=True)),
            ("[2, 1, 0, 0]", "[0, 0, 0, 4]", "[0, 0, 0]"),
            lambda result: tuple(part[8] for part in result),
        ),
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
