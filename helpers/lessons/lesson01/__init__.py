"""Lesson 01: what its notebook uses, bound to its own declarations."""

from helpers.course.lesson import bind
from helpers.lessons.lesson01.claims import CLAIMS
from helpers.lessons.lesson01.exercises import gated_step, look_back, read_row, signal_left
from helpers.lessons.lesson01.questions import QUESTIONS

__all__ = [
    "claim",
    "gated_step",
    "look_back",
    "predict",
    "predictions",
    "quiz",
    "read_row",
    "reveal",
    "signal_left",
    "table",
]

claim, table, predict, reveal, quiz, predictions = bind(CLAIMS, QUESTIONS)
