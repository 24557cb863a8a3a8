"""Lesson 01: what its notebook uses, bound to its own declarations."""

from helpers.course.lesson import bind
from helpers.lessons.lesson01.claims import CLAIMS
from helpers.lessons.lesson01.exercises import (
    last_states,
    look_back,
    signal_left,
    state_shares,
)
from helpers.lessons.lesson01.questions import QUESTIONS

__all__ = [
    "claim",
    "last_states",
    "look_back",
    "predict",
    "predictions",
    "quiz",
    "reveal",
    "sentence_machine",
    "signal_left",
    "state_shares",
    "table",
]

claim, table, predict, reveal, quiz, predictions = bind(CLAIMS, QUESTIONS)


def sentence_machine() -> None:
    """Show the sentence machine with the trained model that answers whom a pronoun means."""
    from helpers.course import machine

    machine.sentence_machine("names")
