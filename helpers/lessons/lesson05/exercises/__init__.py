"""Exercises of lesson 05: why the scores are divided by √d_k."""

from helpers.lessons.lesson05.exercises.dot_variance import dot_variance
from helpers.lessons.lesson05.exercises.scaled_scores import scaled_scores
from helpers.lessons.lesson05.exercises.softmax_jacobian import softmax_jacobian
from helpers.lessons.lesson05.exercises.undo_temperature import undo_temperature

__all__ = ["dot_variance", "scaled_scores", "softmax_jacobian", "undo_temperature"]
