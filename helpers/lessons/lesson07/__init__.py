"""Lesson 07: what its notebook uses, bound to its own declarations."""

from helpers.course.lesson import bind
from helpers.lessons.lesson07.claims import CLAIMS
from helpers.lessons.lesson07.exercises import (
    cost_model,
    kv_cache,
    linear_step,
    longest_text,
    merge_blocks,
    online_softmax,
)
from helpers.lessons.lesson07.questions import QUESTIONS

__all__ = [
    "claim",
    "cost_model",
    "kv_cache",
    "linear_step",
    "longest_text",
    "merge_blocks",
    "online_softmax",
    "predict",
    "predictions",
    "quiz",
    "reveal",
    "table",
]

claim, table, predict, reveal, quiz, predictions = bind(CLAIMS, QUESTIONS)
