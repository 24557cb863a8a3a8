"""Exercise 1 of lesson 02."""

import numpy as np

from helpers.course.exercise import Example, Exercise
from helpers.numpy_attention import softmax


def hard_lookup(query, keys, values):
    """Return the value whose key has the largest dot product with the query."""
    return values[np.argmax(keys @ query)]


# the books of the lesson's page
_KEYS = np.array([[0.8, 0.6], [0.8, -0.6], [0.4, -0.9], [-0.6, 0.8], [-0.9, 0.1], [-0.7, -0.7]])
_VALUES = np.array([[9, 1, 0], [0, 9, 1], [0, 3, 7], [0, 3, 6], [0, 2, 8], [0, 6, 9]])


def _hard_inputs(rng):
    def draw(n, d_k, d_v):
        """Draw until one key is clearly the best: rounding must not decide."""
        while True:
            query, keys = rng.normal(size=d_k).round(2), rng.normal(size=(n, d_k)).round(2)
            second, best = np.sort(keys @ query)[-2:]
            if best - second > 0.01:
                return {"query": query, "keys": keys, "values": rng.normal(size=(n, d_v)).round(2)}

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
            "query": np.array([2.0, 1.0]),
            "keys": np.array([[2.0, 1.0], [6.0, -1.0], [-9.0, 0.5], [0.0, 3.0]]),
            "values": np.array([[10.0, 1.0, 0.0], [20.0, 2.0, 7.0], [30.0, 3.0, 0.0], [4.0, 4, 4]]),
        },
        {
            "query": np.array([-1.0, -0.5]),
            "keys": np.array([[1.0, 1.0], [-1.0, 0.2], [-3.0, -2.0]]),
            "values": np.array([[1.0], [2.0], [3.0]]),
        },
        {
            "query": np.array([1.0, -2.0]),
            "keys": np.array([[3.0, 1.0], [3.001, 1.0], [2.0, 0.6], [-5.0, -1.0], [0.0, 0.0]]),
            "values": np.array([[-7.0, 0, 0], [0.0, 5, 0], [0.0, 0, -3], [1.0, 1, 1], [2.0, 2, 2]]),
        },
        {
            "query": np.array([1.0, 1.0, 1.0]),
            "keys": -np.array([[5.0, 4.0, 3.0], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]),
            "values": np.array([[-1.0, 0.5, 2.0], [3.0, -4.0, 0.0], [0.0, 6.0, -5.0]]),
        },
        {
            "query": np.array([3.0, 1.0, -0.5]),
            "keys": np.array([[2.0, 0.0, 0.0], [1.5, 2.5, 0.0], [0.0, 6.0, 0.0], [0.0, 0.0, -9.0]]),
            "values": np.array([[600.0, -1.0], [-7.0, 0.5], [6.0, -2.0], [4.0, 80.0]]),
        },
        draw(5, 3, 4),
        draw(12, 4, 2),
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


def compares_directions(query, keys, values):
    """It compares directions only (cosine); in a dot product a longer key counts for more."""
    lengths = np.maximum(np.linalg.norm(keys, axis=1), 1e-9)
    return values[np.argmax(keys @ query / lengths)]


def nearest_key(query, keys, values):
    """It takes the key at the smallest distance; the largest dot product is wanted."""
    return values[np.argmin(np.linalg.norm(keys - query, axis=1))]


def blends_all(query, keys, values):
    """It blends the values by softmax; a hard lookup hands back one of them unchanged."""
    return softmax(keys @ query) @ values


hard_lookup = Exercise(
    name="lesson02.hard_lookup",
    reference=hard_lookup,
    inputs=_hard_inputs,
    hints=(
        "keys @ query compares the query with every key at once: one number a key.",
        "np.argmax tells where the largest number is. Use it as an index into the values.",
    ),
    examples=(Example({"query": _KEYS[1], "keys": _KEYS, "values": _VALUES}, ("[0, 9, 1]",)),),
    wrong=(
        gives_the_label,
        worst_match,
        index_only,
        ignores_signs,
        longest_key,
        compares_directions,
        nearest_key,
        blends_all,
    ),
)
