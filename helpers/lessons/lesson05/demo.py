"""Lesson 05: one row of scores while d_k grows, with and without the division."""

from pathlib import Path

import numpy as np

from helpers.course.demonstration import demonstration
from helpers.language import say
from helpers.lessons.lesson05.figures import scores_and_weights
from helpers.sentences import known_gloss


def growing_dot_products(dimensions, n, rng):
    """q·k for one query and n keys whose vectors get longer and longer.

    Args:
        dimensions: (m,) ints, rising; the vectors for each are the beginnings of the longest ones.
        n: int, number of keys.
        rng: numpy Generator; the entries are normal, with mean 0 and variance 1.

    Returns:
        (m, n) float64.
    """
    query, keys = rng.normal(size=dimensions[-1]), rng.normal(size=(n, dimensions[-1]))
    sums = np.cumsum(keys * query, axis=1)  # (n, d): entry d - 1 is q·k over d entries
    return sums[:, np.asarray(dimensions) - 1].T


def scale_slider(tokens, query, rng, d_k=512, draws=12) -> None:
    """Show the row of one token before training; a slider for d_k, buttons for the division.

    Args:
        tokens: n strings.
        query: str, the token whose row it is.
        rng: numpy Generator.
        d_k: int, a power of two from 2 to 4096, where the slider starts.
        draws: int, how many sets of random vectors the reader can step through.
    """
    dimensions = [round(2 ** (k / 2)) for k in range(2, 25)]  # 2, 3, 4, 6, 8, … 4096
    dots = np.stack([growing_dot_products(dimensions, len(tokens), rng) for _ in range(draws)])
    start = dimensions.index(d_k)
    still = scores_and_weights(dots[0, start], tokens, d_k, say("no division"), query)
    demonstration(
        Path(__file__).with_suffix(".js"),
        still=still,
        tokens=list(tokens),
        glosses=[known_gloss(token) for token in tokens],
        query=query,
        dimensions=dimensions,
        dots=dots,
        start=start,
    )
