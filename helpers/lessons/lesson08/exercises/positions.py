"""Exercise 3 of lesson 08: sines and cosines for positions."""

import numpy as np

from helpers.course.exercise import Example, Exercise


def sinusoidal_positions(n, d_model):
    """Write each position as a row of waves, from fast to slow."""
    columns = np.arange(0, d_model, 2)
    angles = np.arange(n)[:, None] / 10000 ** (columns / d_model)
    positions = np.zeros((n, d_model))
    positions[:, 0::2] = np.sin(angles)
    positions[:, 1::2] = np.cos(angles[:, : d_model // 2])
    return positions


def _position_inputs(rng):
    return tuple(
        {"n": n, "d_model": d_model}
        for n, d_model in (
            (2, 4),
            (4, 8),
            (3, 2),
            (6, 4),
            (5, 7),
            (1, 3),
            (40, 16),
            (12, 5),
            (int(rng.integers(7, 12)), 6),
        )
    )


def waves(n, d_model, exponents, first=0, base=10000):
    """Sines in even columns and cosines in odd ones, one exponent a column."""
    angles = np.arange(first, n + first)[:, None] / base**exponents
    odd = np.arange(d_model) % 2 == 1
    return np.where(odd, np.cos(angles), np.sin(angles))


def pair_exponents(d_model):
    columns = np.arange(d_model)
    return (columns - columns % 2) / d_model


def exponent_twice_the_column(n, d_model):
    """The exponent is twice the column number: 2i is already the number of the sine's column."""
    return waves(n, d_model, 2 * np.arange(d_model) / d_model)


def cosine_with_its_own_exponent(n, d_model):
    """Each cosine uses its own column number: sine and cosine of a pair must share one angle."""
    return waves(n, d_model, np.arange(d_model) / d_model)


def cosine_of_the_next_pair(n, d_model):
    """Each cosine takes the angle of the next pair; it must share that of the sine before it."""
    columns = np.arange(d_model)
    return waves(n, d_model, (columns + columns % 2) / d_model)


def sines_then_cosines(n, d_model):
    """All sines come first, then all cosines; they have to take turns, column by column."""
    table = waves(n, d_model, pair_exponents(d_model))
    return np.hstack([table[:, 0::2], table[:, 1::2]])


def sine_and_cosine_exchanged(n, d_model):
    """Sine and cosine are exchanged: the sine stands in column 0."""
    angles = np.arange(n)[:, None] / 10000 ** pair_exponents(d_model)
    return np.where(np.arange(d_model) % 2 == 1, np.sin(angles), np.cos(angles))


def only_even_widths(n, d_model):
    """It makes as many cosines as sines: an odd d_model has one sine more than cosines."""
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    positions = np.zeros((n, d_model))
    positions[:, 0::2] = np.sin(angles)
    positions[:, 1::2] = np.cos(angles)
    return positions


def counted_from_one(n, d_model):
    """It counts positions from 1; the first one is 0."""
    return waves(n, d_model, pair_exponents(d_model), first=1)


def base_one_thousand(n, d_model):
    """The base is 1,000; it should be 10,000."""
    return waves(n, d_model, pair_exponents(d_model), base=1000)


def growing_angles(n, d_model):
    """It multiplies by the power of 10,000: the waves must grow slower to the right, so divide."""
    return waves(n, d_model, -pair_exponents(d_model))


def positions_as_columns(n, d_model):
    """Rows and columns are exchanged: one row a position is wanted."""
    return waves(n, d_model, pair_exponents(d_model)).T


def exponent_from_the_number_of_pairs(n, d_model):
    """It divides the column number by the number of pairs; divide it by d_model."""
    return waves(n, d_model, 2 * pair_exponents(d_model))


sinusoidal_positions = Exercise(
    name="lesson08.sinusoidal_positions",
    reference=sinusoidal_positions,
    inputs=_position_inputs,
    hints=(
        "Make the table of angles first: one row a position, one column a pair. A column of "
        "positions divided by a row of powers gives such a table.",
        "np.arange(0, d_model, 2) holds the numbers 2i. positions[:, 0::2] are the even columns, "
        "positions[:, 1::2] the odd ones.",
        "With d_model = 7 there are four sines and three cosines: take the cosine of the first "
        "d_model // 2 columns of angles.",
    ),
    wrong=(
        exponent_twice_the_column,
        cosine_with_its_own_exponent,
        cosine_of_the_next_pair,
        sines_then_cosines,
        sine_and_cosine_exchanged,
        only_even_widths,
        counted_from_one,
        base_one_thousand,
        growing_angles,
        positions_as_columns,
        exponent_from_the_number_of_pairs,
    ),
    examples=(
        Example({"n": 2, "d_model": 4}, ("[0, 1, 0, 1]", "[0.8415, 0.5403, 0.01, 0.99995]"), tuple),
    ),
)
