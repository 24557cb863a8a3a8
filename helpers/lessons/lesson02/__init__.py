"""Lesson 02: what its notebook uses, bound to its own declarations."""

from helpers.course.lesson import bind
from helpers.lessons.lesson02.claims import CLAIMS
from helpers.lessons.lesson02.exercises import (
    distance_scores,
    hard_lookup,
    look_up_others,
    lookup_all,
    soft_lookup,
    two_hops,
)
from helpers.lessons.lesson02.questions import QUESTIONS

__all__ = [
    "claim",
    "distance_scores",
    "hard_lookup",
    "look_up_others",
    "lookup_all",
    "predict",
    "predictions",
    "quiz",
    "reveal",
    "soft_lookup",
    "table",
    "two_hops",
]

claim, table, predict, reveal, quiz, predictions = bind(CLAIMS, QUESTIONS)
