"""Small exercises on which the promises of `Exercise` are tested."""

import numpy as np

from helpers.course.exercise import Exercise, must_raise


def scaled(x, factor=1.0):
    """Multiply an array by a number."""
    return np.asarray(x, dtype=float) * factor


def forgets_the_factor(x, factor=1.0):
    """It ignores the factor."""
    return np.asarray(x, dtype=float)


def refuses_nothing(x, factor=1.0):
    """It accepts a factor that is not a number."""
    return scaled(x, 2.0 if np.isnan(factor) else factor)


def scale_or_refuse(x, factor=1.0):
    """Multiply, but refuse NaN."""
    if np.isnan(factor):
        raise ValueError("factor is NaN")
    return scaled(x, factor)


def scale_inputs(rng):
    return (
        {"x": np.array([1.0, 2.0])},
        {"x": rng.normal(size=(2, 3)), "factor": 3.0},
        must_raise(ValueError, x=np.array([1.0]), factor=float("nan")),
    )


SCALE = Exercise(
    name="sample.SCALE",
    reference=scale_or_refuse,
    inputs=scale_inputs,
    hints=("First <hint>?", "Second hint."),
    wrong=(forgets_the_factor, refuses_nothing),
    points=3,
)


def mean_and_signs(x):
    """Return the mean of the rows and which entries are positive."""
    return x.mean(axis=-1), x > 0


def matrix_inputs(rng):
    return ({"x": rng.normal(size=(3, 3))}, {"x": rng.normal(size=(2, 4))})


PAIR = Exercise(
    name="sample.PAIR",
    reference=mean_and_signs,
    inputs=matrix_inputs,
    hints=("One.", "Two."),
    returns=("mean", "signs"),
)


def doubled(x):
    """Double an array."""
    return 2 * x


DOUBLE = Exercise(
    name="sample.DOUBLE", reference=doubled, inputs=matrix_inputs, hints=("One.", "Two.")
)


def which():
    """Name the letter."""
    return "B"


def count():
    """Count the numbers."""
    return 100_000


WHICH = Exercise(name="sample.WHICH", reference=which, hints=("One.", "Two."))
COUNT = Exercise(name="sample.COUNT", reference=count, hints=("One.", "Two."))
