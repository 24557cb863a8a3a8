"""Exercises of lesson 05: one file each."""

from helpers.lessons.lesson05.exercises.dot_variance import dot_variance
from helpers.lessons.lesson05.exercises.frozen_on_wrong import frozen_on_wrong
from helpers.lessons.lesson05.exercises.start_std import start_std
from helpers.lessons.lesson05.exercises.undo_temperature import undo_temperature

__all__ = ["dot_variance", "frozen_on_wrong", "start_std", "undo_temperature"]
