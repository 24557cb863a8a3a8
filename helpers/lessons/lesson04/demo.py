"""Lesson 04: walk through score, normalise and sum on a small table that can be edited."""

from pathlib import Path

import numpy as np

from helpers.course.demonstration import demonstration
from helpers.figures import matrices
from helpers.language import say
from helpers.numpy_attention import softmax
from helpers.sentences import known_gloss


def step_through(scores, values, tokens, contents) -> None:
    """Show the steps from scores to outputs, one button a step; any score can be changed.

    Args:
        scores: (n, n) numbers, entry (i, j) from query i to key j.
        values: (n, d_v) numbers, one row a token.
        tokens: n strings.
        contents: d_v strings, what the columns of `values` stand for.
    """
    scores, values = np.asarray(scores, dtype=float), np.asarray(values, dtype=float)
    weights = softmax(scores)
    still = matrices(
        [
            ("scores", scores, tokens, tokens),
            "→",
            ("weights", weights, None, tokens),
            "·",
            ("V", values, None, contents),
            "=",
            ("output", weights @ values, None, contents),
        ],
        caption=say(
            "The three steps on three tokens: scores, their softmax along each row, "
            "and the values mixed by these weights."
        ),
    )
    demonstration(
        Path(__file__).with_suffix(".js"),
        still=still,
        scores=scores,
        values=values,
        tokens=list(tokens),
        glosses=[known_gloss(token) for token in tokens],
        contents=list(contents),
    )
