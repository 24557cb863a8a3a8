"""Homework of lesson 09: a window that moves along with the query."""

import numpy as np

from helpers.course.exercise import Example, Exercise
from helpers.lessons.lesson09.exercises.causal import drawn


def window_mask(n_q, n_k, width):
    """Let each query see itself and at most width − 1 keys before it; the last belong together."""
    i = np.arange(n_q)[:, None] + n_k - n_q
    j = np.arange(n_k)
    return (j <= i) & (j > i - width)


def _inputs(rng):
    return (
        {"n_q": 4, "n_k": 4, "width": 2},
        {"n_q": 5, "n_k": 5, "width": 1},
        {"n_q": 2, "n_k": 5, "width": 3},
        {"n_q": 1, "n_k": 6, "width": 4},
        {"n_q": 3, "n_k": 3, "width": 9},
        {"n_q": 4, "n_k": 2, "width": 2},
        {"n_q": 7, "n_k": 12, "width": int(rng.integers(2, 6))},
    )


def no_width(n_q, n_k, width):
    """The width is not used: each query still sees its whole past."""
    return np.tri(n_q, n_k, n_k - n_q, dtype=bool)


def sees_the_future(n_q, n_k, width):
    """The window opens on both sides: queries see words to come."""
    i = np.arange(n_q)[:, None] + n_k - n_q
    return np.abs(np.arange(n_k) - i) < width


def one_key_more(n_q, n_k, width):
    """The window is one key too wide: the query itself counts as one of them."""
    i = np.arange(n_q)[:, None] + n_k - n_q
    return (np.arange(n_k) <= i) & (np.arange(n_k) >= i - width)


def top_left(n_q, n_k, width):
    """It hangs from the top left corner: the first query belongs to the first key."""
    i = np.arange(n_q)[:, None]
    return (np.arange(n_k) <= i) & (np.arange(n_k) > i - width)


def turned_round(n_q, n_k, width):
    """True marks what is hidden; here True means "may attend"."""
    return ~window_of(n_q, n_k, width)


def hides_itself(n_q, n_k, width):
    """The query's own key is hidden."""
    i = np.arange(n_q)[:, None] + n_k - n_q
    return (np.arange(n_k) < i) & (np.arange(n_k) >= i - width)


window_of = window_mask

window_mask = Exercise(
    name="lesson09.window_mask",
    reference=window_mask,
    inputs=_inputs,
    hints=(
        "Give each query its place among the keys: the last query stands at the last key.",
        "Key j is seen from place i if j ≤ i and j > i − width. A column of places against a row "
        "of places makes the whole table.",
    ),
    wrong=(no_width, sees_the_future, one_key_more, top_left, turned_round, hides_itself),
    show=drawn,
    examples=(
        Example(
            {"n_q": 2, "n_k": 5, "width": 3},
            ("[[False, True, True, True, False], [False, False, True, True, True]]",),
        ),
    ),
)
