"""Second build of lesson 08: scores that depend on how far apart two words stand."""

import numpy as np

from helpers.course.exercise import Example, Exercise


def distance_bias(values, n):
    """Lay one value a distance into the table of scores."""
    places = np.arange(n)
    steps = places - places[:, None]  # (n, n): how far right of i does j stand?
    return values[steps + len(values) // 2]  # (n, n)


_FIVE = np.array([10.0, 20.0, 0.0, 1.0, 2.0])


def _inputs(rng):
    def draw(n, reach):
        return {"values": rng.normal(size=2 * reach + 1).round(2), "n": n}

    return (
        {"values": _FIVE.copy(), "n": 3},
        {"values": np.array([-1.0, 0.5, 3.0]), "n": 2},
        {"values": np.array([7.0]), "n": 1},
        {"values": np.array([5.0, 4.0, 3.0, 0.0, -3.0, -4.0, -5.0]), "n": 4},
        {"values": np.array([5.0, 4.0, 3.0, 0.0, -3.0, -4.0, -5.0]), "n": 2},
        draw(5, 4),
        draw(4, 7),
        draw(12, 11),
    )


def _laid(values, steps, middle):
    return values[np.clip(steps + middle, 0, len(values) - 1)]


def _steps(n):
    return np.arange(n) - np.arange(n)[:, None]


def other_direction(values, n):
    """It counts in the other direction: what stands after the middle is for words to the right."""
    return _laid(values, -_steps(n), len(values) // 2)


def only_the_size(values, n):
    """It takes the distance without its sign: left and right get the same value."""
    return _laid(values, np.abs(_steps(n)), len(values) // 2)


def starts_at_the_first(values, n):
    """It takes the first value for distance 0; the middle one belongs there."""
    return _laid(values, _steps(n), 0)


def without_the_middle(values, n):
    """It indexes with j − i itself: 0 is then the first value and −1 the last, not the middle."""
    return values[_steps(n)]


def middle_of_the_sentence(values, n):
    """It takes n − 1 for the middle of the values, which may be longer than the sentence."""
    return _laid(values, _steps(n), n - 1)


def by_the_place_of_the_key(values, n):
    """Each column has one value: it depends on where the key stands, not on how far away."""
    return _laid(values, np.tile(np.arange(n), (n, 1)), len(values) // 2)


def one_row(values, n):
    """It returns one row; every query has a row of its own."""
    return _laid(values, np.arange(n), len(values) // 2)


distance_bias = Exercise(
    name="lesson08.distance_bias",
    reference=distance_bias,
    inputs=_inputs,
    hints=(
        "Make a table of j − i first: a row of places minus a column of places.",
        "The value for distance 0 has the index len(values) // 2. An array can be indexed with a "
        "whole table of numbers at once.",
    ),
    wrong=(
        other_direction,
        only_the_size,
        starts_at_the_first,
        without_the_middle,
        middle_of_the_sentence,
        by_the_place_of_the_key,
        one_row,
    ),
    examples=(Example({"values": _FIVE, "n": 3}, ("[[0, 1, 2], [20, 0, 1], [10, 20, 0]]",)),),
)
