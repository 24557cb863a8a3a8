"""Exercises of lesson 08: order."""

from helpers.lessons.lesson08.exercises.clock import places_of
from helpers.lessons.lesson08.exercises.distance import distance_bias
from helpers.lessons.lesson08.exercises.gap import permutation_gap
from helpers.lessons.lesson08.exercises.mask import permute_mask
from helpers.lessons.lesson08.exercises.positions import sinusoidal_positions
from helpers.lessons.lesson08.exercises.step import step_matrix

__all__ = [
    "distance_bias",
    "permutation_gap",
    "permute_mask",
    "places_of",
    "sinusoidal_positions",
    "step_matrix",
]
