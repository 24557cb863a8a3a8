"""Exercises of lesson 02: the library."""

from helpers.lessons.lesson02.exercises.distance_scores import distance_scores
from helpers.lessons.lesson02.exercises.hard_lookup import hard_lookup
from helpers.lessons.lesson02.exercises.look_up_others import look_up_others
from helpers.lessons.lesson02.exercises.lookup_all import lookup_all
from helpers.lessons.lesson02.exercises.soft_lookup import soft_lookup
from helpers.lessons.lesson02.exercises.two_hops import two_hops

__all__ = [
    "distance_scores",
    "hard_lookup",
    "look_up_others",
    "lookup_all",
    "soft_lookup",
    "two_hops",
]
