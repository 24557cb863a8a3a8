"""Lesson 06: what its notebook uses, bound to its own declarations."""

from helpers.course.lesson import bind
from helpers.lessons.lesson06.claims import CLAIMS
from helpers.lessons.lesson06.exercises import (
    grouped_attention,
    head_parts,
    merge_heads,
    multi_head_attention,
    multi_head_cost,
    split_heads,
)
from helpers.lessons.lesson06.questions import QUESTIONS

__all__ = [
    "claim",
    "grouped_attention",
    "head_parts",
    "merge_heads",
    "multi_head_attention",
    "multi_head_cost",
    "predict",
    "predictions",
    "quiz",
    "reveal",
    "split_heads",
    "table",
]

claim, table, predict, reveal, quiz, predictions = bind(CLAIMS, QUESTIONS)
