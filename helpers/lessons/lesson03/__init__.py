"""Lesson 03: what its notebook uses, bound to its own declarations."""

from helpers.course.lesson import bind
from helpers.lessons.lesson03.claims import CLAIMS
from helpers.lessons.lesson03.exercises import (
    ask_another,
    both_ways,
    fewest_channels,
    project,
    same_scores,
    two_rules,
)
from helpers.lessons.lesson03.questions import QUESTIONS

__all__ = [
    "ask_another",
    "both_ways",
    "claim",
    "fewest_channels",
    "predict",
    "predictions",
    "project",
    "quiz",
    "reveal",
    "same_scores",
    "table",
    "two_rules",
]

claim, table, predict, reveal, quiz, predictions = bind(CLAIMS, QUESTIONS)
