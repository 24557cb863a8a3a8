"""Exercises of lesson 09: from skeleton to real code."""

from helpers.lessons.lesson09.exercises.batched import batched_attention
from helpers.lessons.lesson09.exercises.causal import causal_mask
from helpers.lessons.lesson09.exercises.layer import MultiHeadAttention
from helpers.lessons.lesson09.exercises.padding import padding_mask

__all__ = ["MultiHeadAttention", "batched_attention", "causal_mask", "padding_mask"]
