"""Lesson 02: a plane of books, a query to drag, weights and blended content at once."""

from pathlib import Path

import numpy as np

from helpers.course.demonstration import demonstration
from helpers.lessons.lesson02.figures import library_plane
from helpers.numpy_attention import softmax


def library(keys, values, query, titles, contents, directions, sharpness=3.0) -> None:
    """Show the books on their plane, with a query that can be dragged.

    Args:
        keys: (n, 2) numbers, where each book stands.
        values: (n, d_v) numbers, what each book holds.
        query: (2,) numbers, where the query starts.
        titles: n strings.
        contents: d_v strings, what the columns of `values` stand for.
        directions: four strings: what lies left, right, below and above.
        sharpness: float, what the scores are multiplied by at the start.
    """
    keys, values, query = (np.asarray(a, dtype=float) for a in (keys, values, query))
    weights = softmax(sharpness * keys @ query)
    demonstration(
        Path(__file__).with_suffix(".js"),
        still=library_plane(keys, query, weights, titles, directions),
        key_vectors=keys,
        value_vectors=values,
        query=query,
        titles=list(titles),
        contents=list(contents),
        directions=list(directions),
        sharpness=sharpness,
    )
