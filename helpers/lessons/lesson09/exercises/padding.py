"""Exercise 2 of lesson 09: the padding mask."""

import numpy as np

from helpers.course.exercise import Example, Exercise
from helpers.lessons.lesson09.exercises.runners import on_scores


def padding_mask(ids, pad_id):
    """Mark the keys that are real tokens, for all heads and all queries of a sentence."""
    return (ids != pad_id)[:, None, None, :]  # (batch, 1, 1, n)


def _padding_inputs(rng):
    lengths = rng.integers(1, 6, size=3)
    ids = rng.integers(1, 50, size=(3, 5))
    ids[np.arange(5) >= lengths[:, None]] = 0
    return (
        {"ids": np.array([[5, 7, 0]]), "pad_id": 0},
        {"ids": np.array([[5, 7, 4, 0], [3, 0, 0, 0]]), "pad_id": 0},
        {"ids": np.array([[5, 7], [3, 0]]), "pad_id": 0},
        {"ids": np.array([[5, 0, 7, 1], [4, 1, 1, 1], [9, 8, 0, 2]]), "pad_id": 1},
        {"ids": np.array([[5, 7, 0], [3, 0, 0], [1, 2, 4]]), "pad_id": 0},
        {"ids": np.array([[9, 9, 6, 3], [9, 4, 8, 5]]), "pad_id": 9},
        {"ids": np.array([[12, 3, 31, 0, 0], [30, 0, 3, 13, 3]]), "pad_id": 3},
        {"ids": ids, "pad_id": 0},
    )


def marks_padding(ids, pad_id):
    """True marks the padding; here True means "may attend"."""
    return (ids == pad_id)[:, None, None, :]


def hides_queries(ids, pad_id):
    """Its shape is (batch, 1, n, 1): that hides the rows of padding, and its columns stay open."""
    return (ids != pad_id)[:, None, :, None]


def hides_both(ids, pad_id):
    """It hides the padding as query too: those rows then may look at nothing."""
    real = ids != pad_id
    return (real[:, :, None] & real[:, None, :])[:, None]


def no_new_axes(ids, pad_id):
    """It stays (batch, n): next to scores, its batch axis lines up with the queries."""
    return ids != pad_id


def no_axis_for_heads(ids, pad_id):
    """Its shape is (batch, 1, n): next to scores, its batch axis lines up with the heads."""
    return (ids != pad_id)[:, None, :]


def padding_is_zero(ids, pad_id):
    """It takes 0 for the padding whatever pad_id says."""
    return (ids != 0)[:, None, None, :]


def one_too_far(ids, pad_id):
    """One place of padding stays open."""
    last = np.arange(ids.shape[1]) <= (ids != pad_id).sum(axis=1)[:, None]
    return (last | (ids != pad_id))[:, None, None, :]


def padding_on_the_right(ids, pad_id):
    """It counts the real tokens and keeps the first ones; padding may also stand on the left."""
    count = (ids != pad_id).sum(axis=1)[:, None]
    return (np.arange(ids.shape[1]) < count)[:, None, None, :]


def padding_to_add(ids, pad_id):
    """It returns numbers to add to the scores; True and False are wanted."""
    return np.where(ids != pad_id, 0.0, -np.inf)[:, None, None, :]


def as_many_as_two_heads(ids, pad_id):
    """It repeats the mask for a fixed number of heads; an axis of length 1 fits any number."""
    return (ids != pad_id)[:, None, None, :].repeat(2, axis=1)


padding_mask = Exercise(
    name="lesson09.padding_mask",
    reference=padding_mask,
    inputs=_padding_inputs,
    runner=on_scores,
    hints=(
        "Which tokens are real? One comparison answers that for the whole batch: (batch, n).",
        "The scores are (batch, heads, queries, keys). Padding has to be hidden as a key, so n "
        "belongs to the last axis, and batch to the first.",
        "Indexing with None makes an axis of length 1: real[:, None, None, :].",
    ),
    wrong=(
        marks_padding,
        hides_queries,
        hides_both,
        no_new_axes,
        no_axis_for_heads,
        padding_is_zero,
        one_too_far,
        padding_on_the_right,
        padding_to_add,
        as_many_as_two_heads,
    ),
    examples=(
        Example({"ids": np.array([[5, 7, 0]]), "pad_id": 0}, ("[True, True, False]",), np.squeeze),
    ),
)
