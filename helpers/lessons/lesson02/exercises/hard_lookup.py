"""Exercise 1 of lesson 02."""

import numpy as np

from helpers.course.exercise import Exercise


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
