"""Homework of lesson 09: several texts in one row."""

import numpy as np

from helpers.course.exercise import Example, Exercise
from helpers.lessons.lesson09.exercises.causal import drawn


def packed_mask(texts):
    """Let each token see itself and earlier tokens of its own text only."""
    n = len(texts)
    same_text = texts[:, None] == texts
    return same_text & np.tri(n, dtype=bool)


_TWO_TEXTS = np.array([7, 7, 3])


def _inputs(rng):
    return (
        {"texts": _TWO_TEXTS.copy()},
        {"texts": np.array([0, 0, 0, 1, 1, 2])},
        {"texts": np.array([12, 12, 5, 5, 5, 12])},
        {"texts": np.array([4])},
        {"texts": np.repeat([1, 2, 3], [5, 1, 6])},
        {"texts": np.repeat(rng.permutation(4), rng.integers(1, 4, size=4))},
    )


def causal_alone(texts):
    """It hides the future only: a text still sees the text before it."""
    return np.tri(len(texts), dtype=bool)


def text_alone(texts):
    """It keeps the texts apart, but each token sees the future of its text."""
    return texts[:, None] == texts


def hides_its_own_text(texts):
    """It shows the other texts and hides its own."""
    return (texts[:, None] != texts) & np.tri(len(texts), dtype=bool)


def upper_triangle(texts):
    """It keeps the upper triangle: each token sees itself and the future."""
    return (texts[:, None] == texts) & ~np.tri(len(texts), k=-1, dtype=bool)


def hides_itself(texts):
    """No token sees itself, and the first of each text sees nothing."""
    return (texts[:, None] == texts) & np.tri(len(texts), k=-1, dtype=bool)


def earlier_numbers(texts):
    """It compares numbers by size: texts with a smaller number stay visible."""
    return (texts[:, None] >= texts) & np.tri(len(texts), dtype=bool)


packed_mask = Exercise(
    name="lesson09.packed_mask",
    reference=packed_mask,
    inputs=_inputs,
    hints=(
        "Two conditions have to hold at once. Write each as a table of its own.",
        "texts[:, None] == texts tells for each pair of tokens whether they belong together.",
    ),
    wrong=(
        causal_alone,
        text_alone,
        hides_its_own_text,
        upper_triangle,
        hides_itself,
        earlier_numbers,
    ),
    show=drawn,
    examples=(
        Example(
            {"texts": _TWO_TEXTS},
            ("[[True, False, False], [True, True, False], [False, False, True]]",),
        ),
    ),
)
