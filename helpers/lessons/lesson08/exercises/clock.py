"""Homework of lesson 08: read a place off its row of sines and cosines."""

import numpy as np

from helpers.course.exercise import Exercise
from helpers.numpy_attention import sinusoidal_positions


def places_of(marks, n):
    """Find the row of the table of positions that fits each mark best."""
    table = sinusoidal_positions(n, marks.shape[1])  # (n, d_model)
    return np.argmax(marks @ table.T, axis=1)  # (m,)


def _inputs(rng):
    def draw(places, n, d_model, noise):
        table = sinusoidal_positions(n, d_model)
        shifts = rng.uniform(-noise, noise, size=(len(places), d_model))
        return {"marks": (table[places] + shifts).round(4), "n": n}

    return (
        draw([2, 0, 1], 3, 4, 0.0),
        draw([5, 5, 0, 7], 8, 6, 0.02),
        draw([11, 3], 12, 8, 0.05),
        draw([0], 1, 2, 0.1),
        draw([39, 17, 40, 2, 0], 41, 16, 0.05),
        draw([4, 1, 3, 0, 2, 5], 9, 10, 0.1),
    )


def counted_from_one(marks, n):
    """It counts places from 1; the first one is 0."""
    return places_of_marks(marks, n) + 1


def worst_row(marks, n):
    """It takes the row that fits worst."""
    table = sinusoidal_positions(n, marks.shape[1])
    return np.argmin(marks @ table.T, axis=1)


def first_column_alone(marks, n):
    """It looks at the fastest wave alone; that comes back to the same height again and again."""
    table = sinusoidal_positions(n, marks.shape[1])
    return np.abs(marks[:, :1] - table[:, 0]).argmin(axis=1)


def which_mark(marks, n):
    """It names the mark for each place; the place of each mark is wanted."""
    table = sinusoidal_positions(n, marks.shape[1])
    return np.argmax(marks @ table.T, axis=0)


def place_in_the_list(marks, n):
    """It returns the order in which the marks were handed over."""
    return np.arange(len(marks))


places_of_marks = places_of

places_of = Exercise(
    name="lesson08.places_of",
    reference=places_of,
    inputs=_inputs,
    hints=(
        "attention.sinusoidal_positions(n, d_model) holds the rows that a mark can be.",
        "Every row is equally long, so the row that fits best has the largest dot product.",
    ),
    wrong=(
        counted_from_one,
        worst_row,
        first_column_alone,
        which_mark,
        place_in_the_list,
    ),
)
