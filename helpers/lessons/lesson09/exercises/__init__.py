"""Exercises of lesson 09: from skeleton to real code."""

from helpers.lessons.lesson09.exercises.batched import batched_attention
from helpers.lessons.lesson09.exercises.causal import causal_mask
from helpers.lessons.lesson09.exercises.layer import MultiHeadAttention
from helpers.lessons.lesson09.exercises.packed import packed_mask
from helpers.lessons.lesson09.exercises.padding import padding_mask
from helpers.lessons.lesson09.exercises.window import window_mask

__all__ = [
    "MultiHeadAttention",
    "batched_attention",
    "causal_mask",
    "packed_mask",
    "padding_mask",
    "window_mask",
]
