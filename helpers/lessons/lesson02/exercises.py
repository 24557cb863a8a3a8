"""Exercises of lesson 02: the library."""

import numpy as np

from helpers.course.exercise import Exercise
from helpers.numpy_attention import softmax

# ------------------------------------------------------------------------------ hard_lookup


def hard_lookup(query, keys, values):
    """Return the value whose key has the largest dot product with the query."""
    return values[np.argmax(keys @ query)]


def _hard_inputs(rng):
    return (
        {
            "query": np.array([1.0, 0.0]),
            "keys": np.array([[0.0, 1.0], [2.0, 0.0], [1.0, 1.0]]),
            "values": np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
        },
        {
            "query": np.array([1.0, 0.0]),
            "keys": np.array([[1.0, 0.0], [0.0, 3.0], [-2.0, 0.0]]),
            "values": np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
        },
        {
            "query": np.array([-1.0, -0.5]),
            "keys": np.array([[1.0, 1.0], [-1.0, 0.2], [-3.0, -2.0]]),
            "values": np.array([[1.0], [2.0], [3.0]]),
        },
        {
            "query": rng.normal(size=3).round(2),
            "keys": rng.normal(size=(5, 3)).round(2),
            "values": rng.normal(size=(5, 4)).round(2),
        },
        {
            "query": np.array([1.0, 1.0, 1.0]),
            "keys": -np.array([[5.0, 4.0, 3.0], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]),
            "values": rng.normal(size=(3, 3)).round(2),
        },
    )


def gives_the_label(query, keys, values):
    """It returns the best key: the label of the book, not the book."""
    return keys[np.argmax(keys @ query)]


def worst_match(query, keys, values):
    """It takes the smallest dot product: the label that fits worst."""
    return values[np.argmin(keys @ query)]


def index_only(query, keys, values):
    """It returns the place of the best key; the value at this place is wanted."""
    return np.argmax(keys @ query)


def ignores_signs(query, keys, values):
    """It compares absolute values: a label that points the opposite way would count as a match."""
    return values[np.argmax(np.abs(keys @ query))]


def longest_key(query, keys, values):
    """It takes the longest key whatever the query is."""
    return values[np.argmax((keys**2).sum(axis=1))]


hard_lookup = Exercise(
    name="lesson02.hard_lookup",
    reference=hard_lookup,
    inputs=_hard_inputs,
    hints=(
        "keys @ query compares the query with every key at once: one number a key.",
        "np.argmax tells where the largest number is. Use it as an index into the values.",
    ),
    wrong=(gives_the_label, worst_match, index_only, ignores_signs, longest_key),
)


# ------------------------------------------------------------------------------ soft_lookup


def soft_lookup(query, keys, values, sharpness):
    """Blend all values by the shares that softmax makes of sharpened similarities."""
    shares = softmax(sharpness * (keys @ query))
    return shares @ values


def _soft_inputs(rng):
    return (
        {
            "query": np.array([1.0, 0.0]),
            "keys": np.array([[1.0, 0.0], [0.0, 1.0]]),
            "values": np.array([[10.0], [20.0]]),
            "sharpness": 1.0,
        },
        {
            "query": np.array([0.5, -1.0]),
            "keys": np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -2.0]]),
            "values": np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 5.0], [4.0, 4.0, 4.0]]),
            "sharpness": 3.0,
        },
        {
            "query": rng.normal(size=3).round(2),
            "keys": rng.normal(size=(5, 3)).round(2),
            "values": rng.normal(size=(5, 3)).round(2),
            "sharpness": 0.0,
        },
        {
            "query": rng.normal(size=4).round(2),
            "keys": rng.normal(size=(4, 4)).round(2),
            "values": rng.normal(size=(4, 4)).round(2),
            "sharpness": 2.0,
        },
        {
            "query": np.array([1.0, 2.0]),
            "keys": np.array([[100.0, 300.0], [100.0, 300.5], [-200.0, 0.0]]),
            "values": np.array([[1.0, -1.0], [2.0, -2.0], [3.0, -3.0]]),
            "sharpness": 2.0,
        },
    )


def blends_the_labels(query, keys, values, sharpness):
    """It blends the keys: a mixture of labels, not of contents."""
    return softmax(sharpness * (keys @ query)) @ keys


def forgets_the_sharpness(query, keys, values, sharpness):
    """It ignores the sharpness."""
    return softmax(keys @ query) @ values


def sharpens_afterwards(query, keys, values, sharpness):
    """It multiplies the shares by the sharpness: they no longer add up to 1."""
    return sharpness * softmax(keys @ query) @ values


def divides_by_it(query, keys, values, sharpness):
    """It divides by the sharpness: that is a temperature, the other way round."""
    return softmax((keys @ query) / max(sharpness, 1e-9)) @ values


def shares_without_exp(query, keys, values, sharpness):
    """It divides the scores by their sum: negative scores give negative shares."""
    scores = sharpness * (keys @ query)
    return (scores / scores.sum() if scores.sum() else np.full(len(keys), np.nan)) @ values


def takes_the_best_only(query, keys, values, sharpness):
    """It returns the best value alone: that is a hard lookup."""
    return values[np.argmax(keys @ query)]


soft_lookup = Exercise(
    name="lesson02.soft_lookup",
    reference=soft_lookup,
    inputs=_soft_inputs,
    hints=(
        "First the scores, one a key. Then the shares. Then the blend.",
        "Multiply the scores by the sharpness before softmax sees them.",
        "shares @ values adds up share times value over all books.",
    ),
    wrong=(
        blends_the_labels,
        forgets_the_sharpness,
        sharpens_afterwards,
        divides_by_it,
        shares_without_exp,
        takes_the_best_only,
    ),
)


# -------------------------------------------------------------------------------- lookup_all


def lookup_all(Q, K, V):
    """Look up all queries at once: one row of shares and one blended value a query."""
    weights = softmax(Q @ K.T)
    return weights @ V, weights


def _all_inputs(rng):
    return (
        {
            "Q": np.array([[1.0, 0.0], [0.0, 2.0]]),
            "K": np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
            "V": np.array([[1.0], [2.0], [3.0]]),
        },
        {
            "Q": rng.normal(size=(3, 2)).round(2),
            "K": rng.normal(size=(3, 2)).round(2),
            "V": rng.normal(size=(3, 2)).round(2),
        },
        {
            "Q": rng.normal(size=(4, 4)).round(2),
            "K": rng.normal(size=(4, 4)).round(2),
            "V": rng.normal(size=(4, 4)).round(2),
        },
        {
            "Q": rng.normal(size=(1, 3)).round(2),
            "K": rng.normal(size=(5, 3)).round(2),
            "V": rng.normal(size=(5, 2)).round(2),
        },
    )


def shares_over_queries(Q, K, V):
    """The shares of each column add up to 1: the books choose readers, not readers books."""
    weights = softmax(Q @ K.T, axis=0)
    return weights @ V, weights


def roles_swapped(Q, K, V):
    """Keys ask and queries answer: with as many of both, only the numbers tell."""
    weights = softmax(K @ Q.T)
    return weights @ V, weights


def mixes_the_keys(Q, K, V):
    """It mixes the keys; the values are wanted."""
    weights = softmax(Q @ K.T)
    return weights @ K, weights


def one_softmax_for_all(Q, K, V):
    """All shares of all queries together add up to 1, not those of each query."""
    scores = Q @ K.T
    weights = softmax(scores.ravel()).reshape(scores.shape)
    return weights @ V, weights


def weights_come_first(Q, K, V):
    """The two results are exchanged: the output comes first, then the weights."""
    weights = softmax(Q @ K.T)
    return weights, weights @ V


lookup_all = Exercise(
    name="lesson02.lookup_all",
    reference=lookup_all,
    inputs=_all_inputs,
    returns=("output", "weights"),
    hints=(
        "Row i of Q @ K.T is query i compared with every key.",
        "softmax works along the last axis by itself: each row adds up to 1.",
        "weights @ V blends the values for every query at once. Return both.",
    ),
    wrong=(
        shares_over_queries,
        roles_swapped,
        mixes_the_keys,
        one_softmax_for_all,
        weights_come_first,
    ),
)


# ---------------------------------------------------------------------------- distance_scores


def distance_scores(Q, K):
    """Minus half the squared distance from every query to every key, without a loop."""
    q = (Q**2).sum(axis=-1, keepdims=True)
    k = (K**2).sum(axis=-1)
    return Q @ K.T - (q + k) / 2


def _distance_inputs(rng):
    return (
        {"Q": np.array([[0.0, 0.0], [3.0, 4.0]]), "K": np.array([[3.0, 4.0], [0.0, 2.0]])},
        {"Q": rng.normal(size=(3, 3)).round(2), "K": rng.normal(size=(3, 3)).round(2)},
        {"Q": rng.normal(size=(2, 5)).round(2), "K": rng.normal(size=(4, 5)).round(2)},
        {"Q": rng.normal(size=(1, 1)).round(2), "K": rng.normal(size=(1, 1)).round(2)},
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
    wrong=(not_squared, not_halved, not_negative, forgets_the_query, keys_in_the_rows),
)
