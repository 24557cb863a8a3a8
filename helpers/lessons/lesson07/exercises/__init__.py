"""Exercises of lesson 07: what attention costs, and what of it can be saved."""

from helpers.lessons.lesson07.exercises.cache import kv_cache
from helpers.lessons.lesson07.exercises.cost import cost_model
from helpers.lessons.lesson07.exercises.linear import linear_step
from helpers.lessons.lesson07.exercises.longest import longest_text
from helpers.lessons.lesson07.exercises.merge import merge_blocks
from helpers.lessons.lesson07.exercises.online import online_softmax

__all__ = [
    "cost_model",
    "kv_cache",
    "linear_step",
    "longest_text",
    "merge_blocks",
    "online_softmax",
]
