"""Exercise: two words of a sentence change places."""

import numpy as np

from helpers.course.exercise import Example, Exercise


def exchange(ids, first, second):
    """Both words are looked for in the sentence as it was."""
    return np.where(ids == first, second, np.where(ids == second, first, ids))


def _exchange_inputs(rng):
    return (
        {"ids": np.array([7, 2, 9]), "first": 7, "second": 9},
        {"ids": np.array([7, 2, 9, 7, 9]), "first": 7, "second": 9},
        {"ids": np.array([5, 3, 5]), "first": 5, "second": 8},
        {"ids": np.array([1, 4, 6]), "first": 6, "second": 6},
        {"ids": np.array([12, 0, 31, 2, 0, 1, 20]), "first": 0, "second": 31},
        {"ids": np.array([10, 1, 11, 0, 1, 21]), "first": 1, "second": 10},
        {"ids": np.array([5, 7, 70, 5]), "first": 0, "second": 75},
        {"ids": np.concatenate([[2, 3], rng.integers(1, 6, size=8)]), "first": 2, "second": 3},
    )


def one_after_the_other(ids, first, second):
    """It exchanges one word first, then finds the new one again and turns both into one word."""
    once = np.where(ids == first, second, ids)
    return np.where(once == second, first, once)


def one_way_only(ids, first, second):
    """It puts the second word in the place of the first, but not the first for the second."""
    return np.where(ids == first, second, ids)


def first_place_only(ids, first, second):
    """It changes each word where it stands first; it may stand in several places."""
    changed = ids.copy()
    for old, new in ((first, second), (second, first)):
        changed[np.flatnonzero(ids == old)[:1]] = new
    return changed


def overwrites_ids(ids, first, second):
    """It writes into the caller's own array."""
    places = ids == first, ids == second
    ids[places[0]], ids[places[1]] = second, first
    return ids


exchange = Exercise(
    name="lesson10.exchange",
    reference=exchange,
    inputs=_exchange_inputs,
    hints=(
        "After the first word has been replaced, which places still hold the second word of the "
        "sentence as it was?",
        "Find both sets of places before anything is changed: ids == first and ids == second.",
        "np.where(ids == first, second, ...) with another np.where inside.",
    ),
    wrong=(one_after_the_other, one_way_only, first_place_only, overwrites_ids),
    examples=(
        Example({"ids": np.array([7, 2, 9, 7]), "first": 7, "second": 9}, ("[9, 2, 7, 9]",)),
    ),
)
