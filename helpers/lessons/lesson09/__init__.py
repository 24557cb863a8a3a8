"""Lesson 09: what its notebook uses, bound to its own declarations."""

from helpers.course.lesson import bind
from helpers.lessons.lesson09.claims import CLAIMS
from helpers.lessons.lesson09.exercises import (
    MultiHeadAttention,
    batched_attention,
    causal_mask,
    packed_mask,
    padding_mask,
    window_mask,
)
from helpers.lessons.lesson09.questions import QUESTIONS

__all__ = [
    "MultiHeadAttention",
    "batched_attention",
    "causal_mask",
    "claim",
    "packed_mask",
    "padding_mask",
    "predict",
    "predictions",
    "quiz",
    "reveal",
    "table",
    "window_mask",
]

claim, table, predict, reveal, quiz, predictions = bind(CLAIMS, QUESTIONS)
