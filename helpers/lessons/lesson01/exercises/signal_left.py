"""Homework of lesson 01: how fast a signal fades."""

import numpy as np

from helpers.course.exercise import Example, Exercise


def signal_left(W_h, steps):
    """Measure how much of the best-kept change of the state is left after 0, 1, ... steps."""
    jacobian = np.eye(len(W_h))
    left = []
    for _ in range(steps + 1):
        left.append(np.linalg.norm(jacobian, 2))
        jacobian = W_h @ jacobian
    return np.array(left)


def _signal_left_inputs(rng):
    return (
        {"W_h": np.array([[0.5, 2.0], [0.0, 0.5]]), "steps": 4},
        {"W_h": np.array([[0.0, -0.9], [0.9, 0.0]]), "steps": 3},
        {"W_h": np.array([[0.0, 3.0], [0.0, 0.0]]), "steps": 3},
        {"W_h": np.array([[-0.8]]), "steps": 2},
        {"W_h": np.array([[0.9, 4.0, 0.0], [0.0, -0.8, -3.0], [0.0, 0.1, 0.7]]), "steps": 12},
        {"W_h": rng.normal(scale=0.5, size=(3, 3)).round(2), "steps": 6},
        {"W_h": rng.normal(scale=0.4, size=(4, 4)).round(2), "steps": 0},
    )


def norm_to_the_power(W_h, steps):
    """It takes the norm first and its power then: an upper bound, too large for most matrices."""
    return np.linalg.norm(W_h, 2) ** np.arange(steps + 1)


def eigenvalue_to_the_power(W_h, steps):
    """It takes powers of the largest eigenvalue: right in the long run, wrong on the way there."""
    return np.abs(np.linalg.eigvals(W_h)).max() ** np.arange(steps + 1)


def power_of_each_entry(W_h, steps):
    """W_h ** d raises each entry to a power; d steps are d matrix products."""
    return np.array([np.linalg.norm(np.asarray(W_h) ** d, 2) for d in range(steps + 1)])


def length_of_all_entries(W_h, steps):
    """np.linalg.norm(M) takes the root of all squares added up; with a 2, the largest stretch."""
    return np.array([np.linalg.norm(np.linalg.matrix_power(W_h, d)) for d in range(steps + 1)])


def starts_one_step_late(W_h, steps):
    """It starts after the first step. Before any step, all of the change is there: 1."""
    return np.array(
        [np.linalg.norm(np.linalg.matrix_power(W_h, d), 2) for d in range(1, steps + 2)]
    )


def follows_one_change(W_h, steps):
    """It follows one single change of the state; the most that any change keeps is wanted."""
    change, left = np.eye(len(W_h))[0], []
    for _ in range(steps + 1):
        left.append(np.linalg.norm(change))
        change = W_h @ change
    return left


def stops_before_the_last_step(W_h, steps):
    """It stops one step early: with the 1 at the start there are steps + 1 numbers."""
    return [np.linalg.norm(np.linalg.matrix_power(W_h, d), 2) for d in range(steps)]


signal_left = Exercise(
    name="lesson01.signal_left",
    reference=signal_left,
    inputs=_signal_left_inputs,
    hints=(
        "Without tanh, one step multiplies a change of the state by W_h. What do two steps do?",
        "After d steps it is W_h @ W_h @ ... (d times); after 0 steps the identity matrix.",
        "np.linalg.norm(M, 2) is the most by which the matrix M can stretch any vector.",
    ),
    examples=(
        Example(
            {"W_h": np.array([[0.5, 2], [0, 0.5]]), "steps": 4},
            ("[1, 2.118, 2.0308, 1.5103, 1.0039]",),
        ),
    ),
    wrong=(
        norm_to_the_power,
        eigenvalue_to_the_power,
        power_of_each_entry,
        length_of_all_entries,
        starts_one_step_late,
        follows_one_change,
        stops_before_the_last_step,
    ),
)
