"""Lesson 05: what its notebook uses, bound to its own declarations."""

from helpers.course.lesson import bind
from helpers.lessons.lesson05.claims import CLAIMS
from helpers.lessons.lesson05.exercises import (
    dot_variance,
    scaled_scores,
    softmax_jacobian,
    undo_temperature,
)
from helpers.lessons.lesson05.questions import QUESTIONS

__all__ = [
    "claim",
    "dot_variance",
    "predict",
    "predictions",
    "quiz",
    "reveal",
    "scaled_scores",
    "softmax_jacobian",
    "table",
    "undo_temperature",
]

claim, table, predict, reveal, quiz, predictions = bind(CLAIMS, QUESTIONS)
