"""Lesson 05: what its notebook uses, bound to its own declarations."""

from helpers.course.lesson import bind
from helpers.lessons.lesson05.claims import CLAIMS
from helpers.lessons.lesson05.exercises import (
    dot_variance,
    frozen_on_wrong,
    start_std,
    undo_temperature,
)
from helpers.lessons.lesson05.questions import QUESTIONS

__all__ = [
    "claim",
    "dot_variance",
    "frozen_on_wrong",
    "predict",
    "predictions",
    "quiz",
    "reveal",
    "start_std",
    "table",
    "undo_temperature",
]

claim, table, predict, reveal, quiz, predictions = bind(CLAIMS, QUESTIONS)
