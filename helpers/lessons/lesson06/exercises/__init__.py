"""Exercises of lesson 06: many heads."""

from helpers.lessons.lesson06.exercises.cost import multi_head_cost
from helpers.lessons.lesson06.exercises.grouped import grouped_attention
from helpers.lessons.lesson06.exercises.merge import merge_heads
from helpers.lessons.lesson06.exercises.multi_head import multi_head_attention
from helpers.lessons.lesson06.exercises.parts import head_parts
from helpers.lessons.lesson06.exercises.split import split_heads

__all__ = [
    "grouped_attention",
    "head_parts",
    "merge_heads",
    "multi_head_attention",
    "multi_head_cost",
    "split_heads",
]
