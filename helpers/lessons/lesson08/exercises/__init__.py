"""Exercises of lesson 08: order."""

from helpers.lessons.lesson08.exercises.gap import permutation_gap
from helpers.lessons.lesson08.exercises.mask import permute_mask
from helpers.lessons.lesson08.exercises.positions import sinusoidal_positions
from helpers.lessons.lesson08.exercises.step import step_matrix

__all__ = ["permutation_gap", "permute_mask", "sinusoidal_positions", "step_matrix"]
