"""Lesson 10: what its notebook uses, bound to its own declarations."""

from helpers.course.lesson import bind
from helpers.lessons.lesson10.claims import CLAIMS
from helpers.lessons.lesson10.exercises import (
    attention_gradients,
    exchange,
    rms_backward,
    shared_backward,
    softmax_backward,
)
from helpers.lessons.lesson10.questions import QUESTIONS

__all__ = [
    "attention_gradients",
    "claim",
    "exchange",
    "predict",
    "predictions",
    "quiz",
    "reveal",
    "rms_backward",
    "shared_backward",
    "softmax_backward",
    "table",
]

claim, table, predict, reveal, quiz, predictions = bind(CLAIMS, QUESTIONS)
