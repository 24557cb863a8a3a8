"""Lesson 04: score, normalise and sum on a table to edit; a row of scores to shift and sharpen."""

from pathlib import Path

import numpy as np

from helpers.course.demonstration import demonstration
from helpers.figures import bars, matrices
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


def two_sliders(scores, tokens, rows) -> None:
    """Show the shares of a row of scores, with a number to add to it and one to divide it by.

    Args:
        scores: (n, n) numbers, entry (i, j) from query i to key j.
        tokens: n strings.
        rows: ints, the rows that can be chosen; the first is shown at the start.
    """
    chosen = np.asarray(scores, dtype=float)[list(rows)]  # (rows, n)
    glosses = [known_gloss(token) for token in tokens]
    demonstration(
        Path(__file__).with_name("sliders.js"),
        still=bars(
            softmax(chosen[0]),
            list(tokens),
            glosses=glosses,
            xmax=1,
            caption=say(
                "The shares of the row of {token}, with nothing added and T = 1.",
                token=f"{tokens[rows[0]]} {glosses[rows[0]]}",
            ),
        ),
        scores=chosen,
        tokens=list(tokens),
        glosses=glosses,
        rows=list(rows),
    )
