"""Exercises of lesson 04: score, normalise, sum; room for nothing; the right temperature."""

from helpers.lessons.lesson04.exercises.quiet_softmax import quiet_softmax
from helpers.lessons.lesson04.exercises.scores import scores
from helpers.lessons.lesson04.exercises.self_attention import self_attention
from helpers.lessons.lesson04.exercises.softmax import softmax
from helpers.lessons.lesson04.exercises.temperature import temperature_for

__all__ = ["quiet_softmax", "scores", "self_attention", "softmax", "temperature_for"]
