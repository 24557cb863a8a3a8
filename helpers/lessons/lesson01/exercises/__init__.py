"""Exercises of lesson 01: who is 他?"""

from helpers.lessons.lesson01.exercises.gated_step import gated_step
from helpers.lessons.lesson01.exercises.look_back import look_back
from helpers.lessons.lesson01.exercises.read_row import read_row
from helpers.lessons.lesson01.exercises.signal_left import signal_left

__all__ = ["gated_step", "look_back", "read_row", "signal_left"]
