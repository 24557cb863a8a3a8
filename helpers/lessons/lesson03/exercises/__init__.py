"""Exercises of lesson 03: queries, keys, values."""

from helpers.lessons.lesson03.exercises.ask_another import ask_another
from helpers.lessons.lesson03.exercises.both_ways import both_ways
from helpers.lessons.lesson03.exercises.fewest_channels import fewest_channels
from helpers.lessons.lesson03.exercises.project import project
from helpers.lessons.lesson03.exercises.same_scores import same_scores
from helpers.lessons.lesson03.exercises.two_rules import two_rules

__all__ = ["ask_another", "both_ways", "fewest_channels", "project", "same_scores", "two_rules"]
