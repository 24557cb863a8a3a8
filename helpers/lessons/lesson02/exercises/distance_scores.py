"""Exercise 4 of lesson 02."""

import numpy as np

from helpers.course.exercise import Example, Exercise


def distance_scores(Q, K):
    """Minus half the squared distance from every query to every key, without a loop."""
    q = (Q**2).sum(axis=1, keepdims=True)
    k = (K**2).sum(axis=1)
    return Q @ K.T - (q + k) / 2


def _distance_inputs(rng):
    return (
        {"Q": np.array([[0.0, 0.0], [3.0, 4.0]]), "K": np.array([[3.0, 4.0], [0.0, 2.0]])},
        {
            "Q": np.array([[1.0, -2.0, 0.5], [-30.0, 4.0, 0.0]]),
            "K": np.array([[0.0, 7.0, -1.0], [20.0, -4.0, 10.0], [1.0, -2.0, 0.5], [0.0, 0, 0]]),
        },
        {"Q": rng.normal(size=(3, 3)).round(2), "K": rng.normal(size=(3, 3)).round(2)},
        {"Q": rng.normal(size=(2, 5)).round(2), "K": rng.normal(size=(4, 5)).round(2)},
        {"Q": rng.normal(size=(12, 2)).round(2), "K": rng.normal(size=(3, 2)).round(2)},
        {"Q": np.array([[-1.5]]), "K": np.array([[2.5]])},
    )


def not_squared(Q, K):
    """It takes the distance itself; minus half its square is wanted."""
    return -np.linalg.norm(Q[:, None] - K[None], axis=-1) / 2


def not_halved(Q, K):
    """The half is missing."""
    return -((Q[:, None] - K[None]) ** 2).sum(axis=-1)


def not_negative(Q, K):
    """The minus is missing: far keys would get the most."""
    return ((Q[:, None] - K[None]) ** 2).sum(axis=-1) / 2


def forgets_the_query(Q, K):
    """The length of the query is missing. It shifts whole rows, so shares would not notice."""
    return Q @ K.T - (K**2).sum(axis=-1) / 2


def forgets_the_key(Q, K):
    """The length of the key is missing: without it long keys win, however far they are."""
    return Q @ K.T - (Q**2).sum(axis=1, keepdims=True) / 2


def dot_products_alone(Q, K):
    """These are dot products; the squared lengths of the two still have to come off."""
    return Q @ K.T


def differences_not_squared(Q, K):
    """It adds up the sizes of the differences; their squares are wanted."""
    return -np.abs(Q[:, None] - K[None]).sum(axis=-1) / 2


def plus_in_the_middle(Q, K):
    """It adds the lengths to the dot products; they have to come off."""
    return Q @ K.T + ((Q**2).sum(axis=1, keepdims=True) + (K**2).sum(axis=1)) / 2


def keys_in_the_rows(Q, K):
    """Rows are keys and columns are queries."""
    return -((K[:, None] - Q[None]) ** 2).sum(axis=-1) / 2


distance_scores = Exercise(
    name="lesson02.distance_scores",
    reference=distance_scores,
    inputs=_distance_inputs,
    hints=(
        "Multiply out: the square of a − b is the square of a, minus 2ab, plus the square of b.",
        "The middle part, for all pairs at once, is Q @ K.T.",
        "Squared lengths: (Q**2).sum(axis=-1, keepdims=True) is a column, (K**2).sum(axis=-1) a "
        "row; NumPy spreads both over the table.",
    ),
    examples=(Example({"Q": np.array([[3, 4]]), "K": np.array([[0, 2]])}, ("−6.5",), np.squeeze),),
    wrong=(
        not_squared,
        not_halved,
        not_negative,
        forgets_the_query,
        forgets_the_key,
        dot_products_alone,
        differences_not_squared,
        plus_in_the_middle,
        keys_in_the_rows,
    ),
)
