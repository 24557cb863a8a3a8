"""Lesson 08: what its notebook uses, bound to its own declarations."""

from helpers.course.lesson import bind
from helpers.lessons.lesson08.claims import CLAIMS
from helpers.lessons.lesson08.exercises import (
    distance_bias,
    permutation_gap,
    permute_mask,
    places_of,
    sinusoidal_positions,
    step_matrix,
)
from helpers.lessons.lesson08.questions import QUESTIONS

__all__ = [
    "claim",
    "distance_bias",
    "permutation_gap",
    "permute_mask",
    "places_of",
    "predict",
    "predictions",
    "quiz",
    "reveal",
    "sinusoidal_positions",
    "step_matrix",
    "table",
]

claim, table, predict, reveal, quiz, predictions = bind(CLAIMS, QUESTIONS)
