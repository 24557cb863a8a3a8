"""Exercises of lesson 10: three backward passes by hand, and two that carry them on."""

from helpers.lessons.lesson10.exercises.attention_gradients import attention_gradients
from helpers.lessons.lesson10.exercises.exchange import exchange
from helpers.lessons.lesson10.exercises.rms_backward import rms_backward
from helpers.lessons.lesson10.exercises.shared_backward import shared_backward
from helpers.lessons.lesson10.exercises.softmax_backward import softmax_backward

__all__ = [
    "attention_gradients",
    "exchange",
    "rms_backward",
    "shared_backward",
    "softmax_backward",
]
