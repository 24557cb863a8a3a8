"""Exercise 4 of lesson 08: one matrix that goes a few steps on."""

import math

import numpy as np

from helpers.course.exercise import Example, Exercise
from helpers.language import say
from helpers.lessons.lesson08.exercises.positions import pair_exponents, waves


def step_matrix(d_model, steps):
    """Turn each pair of columns by its own angle: one matrix for every position."""
    M = np.zeros((d_model, d_model))
    for column in range(0, d_model, 2):
        turn = steps / 10000 ** (column / d_model)
        cos, sin = np.cos(turn), np.sin(turn)
        M[column : column + 2, column : column + 2] = [[cos, -sin], [sin, cos]]
    return M


def _step_inputs(rng):
    return (
        {"d_model": 2, "steps": 1},
        {"d_model": 4, "steps": 1},
        {"d_model": 4, "steps": 3},
        {"d_model": 6, "steps": -2},
        {"d_model": 8, "steps": 0},
        {"d_model": 6, "steps": 120},
        {"d_model": 10, "steps": int(rng.integers(4, 20))},
    )


def _moves_every_row(got, arguments):
    d_model, steps = arguments["d_model"], arguments["steps"]
    wanted = (d_model, d_model)
    if isinstance(got, tuple):
        return say("One matrix of shape {wanted} is wanted, not several results.", wanted=wanted)
    if got.shape != wanted:
        return say(
            "One matrix of shape {wanted} is wanted, not {shape}.", wanted=wanted, shape=got.shape
        )
    rows = waves(60, d_model, pair_exponents(d_model), first=20)
    goal = waves(60, d_model, pair_exponents(d_model), first=20 + steps)
    off = np.abs(rows @ got - goal)
    if not off.max() < 1e-4:
        place = int(off.max(axis=1).argmax())
        return say(
            "Row {place} times the matrix is not row {later}: it is off by up to {most:.2g}.",
            place=20 + place,
            later=20 + place + steps,
            most=off[place].max(),
        )
    return None


def _turned(d_model, turn_of, sign=1):
    """Turn every pair; `turn_of` gives the angle for a column number."""
    M = np.zeros((d_model, d_model))
    for column in range(0, d_model, 2):
        cos, sin = math.cos(turn_of(column)), math.sin(turn_of(column))
        M[column : column + 2, column : column + 2] = [[cos, -sign * sin], [sign * sin, cos]]
    return M


def backwards(d_model, steps):
    """It turns the other way: back by `steps`. For rows, the minus stands above the diagonal."""
    return _turned(d_model, lambda column: steps / 10000 ** (column / d_model), sign=-1)


def one_angle_for_all(d_model, steps):
    """All pairs turn by the same angle; each pair has a speed of its own."""
    return _turned(d_model, lambda column: steps)


def one_step_only(d_model, steps):
    """It goes one step on, whatever `steps` says."""
    return _turned(d_model, lambda column: 1 / 10000 ** (column / d_model))


def rows_moved(d_model, steps):
    """It rolls the columns along; the numbers inside a row have to turn."""
    return np.roll(np.eye(d_model), steps, axis=1)


def pairs_far_apart(d_model, steps):
    """It pairs column i with column i + d_model/2; sine and cosine stand side by side."""
    M = np.zeros((d_model, d_model))
    half = d_model // 2
    for i in range(half):
        turn = steps / 10000 ** (2 * i / d_model)
        M[i, i] = M[i + half, i + half] = math.cos(turn)
        M[i, i + half], M[i + half, i] = -math.sin(turn), math.sin(turn)
    return M


def column_number_doubled(d_model, steps):
    """The exponent is twice the sine's column number: that is one factor of 2 too many."""
    return _turned(d_model, lambda column: steps / 10000 ** (2 * column / d_model))


step_matrix = Exercise(
    name="lesson08.step_matrix",
    reference=step_matrix,
    inputs=_step_inputs,
    judge=_moves_every_row,
    hints=(
        "Look at one pair: sin(a) and cos(a) have to become sin(a + t) and cos(a + t). Which two "
        "formulas from school say what these are?",
        "sin(a + t) = sin(a) cos(t) + cos(a) sin(t), cos(a + t) = cos(a) cos(t) − sin(a) sin(t). "
        "For a row (sin a, cos a) times a 2 × 2 matrix, that is [[cos t, −sin t], [sin t, cos t]].",
        "Put one such block for each pair on the diagonal, with t = steps / 10000 ** (2i/d_model).",
    ),
    wrong=(
        backwards,
        one_angle_for_all,
        one_step_only,
        rows_moved,
        pairs_far_apart,
        column_number_doubled,
    ),
    points=2,
    examples=(Example({"d_model": 2, "steps": 1}, ("[[0.54, -0.84], [0.84, 0.54]]",)),),
)
