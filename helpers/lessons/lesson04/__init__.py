"""Lesson 04: what its notebook uses, bound to its own declarations."""

from helpers.course.lesson import bind
from helpers.lessons.lesson04.claims import CLAIMS
from helpers.lessons.lesson04.exercises import (
    quiet_softmax,
    scores,
    self_attention,
    softmax,
    temperature_for,
)
from helpers.lessons.lesson04.questions import QUESTIONS

__all__ = [
    "claim",
    "predict",
    "predictions",
    "quiet_softmax",
    "quiz",
    "reveal",
    "scores",
    "self_attention",
    "softmax",
    "table",
    "temperature_for",
]

claim, table, predict, reveal, quiz, predictions = bind(CLAIMS, QUESTIONS)
