"""Lesson 03: change what features ask for and offer, and watch one token's row follow."""

import math
from pathlib import Path

import numpy as np

from helpers.course.demonstration import demonstration
from helpers.lessons.lesson03.figures import channel_scores


def two_matrices(X, W_Q, W_K, tokens, glosses, features, channels, *, asking=0) -> None:
    """Show W_Q and W_K as tables to edit, and the row of scores and weights of one token.

    Args:
        X: (n, d_model) numbers, one row a token.
        W_Q: (d_model, d_k) numbers.
        W_K: (d_model, d_k) numbers.
        tokens: n strings.
        glosses: n strings.
        features: d_model strings, the rows of both matrices.
        channels: d_k strings, their columns.
        asking: int, the token that asks at first.
    """
    X, W_Q, W_K = (np.asarray(array, dtype=float) for array in (X, W_Q, W_K))
    parts = (X[asking] @ W_Q) * (X @ W_K) / math.sqrt(W_Q.shape[1])  # (n, d_k)
    demonstration(
        Path(__file__).with_suffix(".js"),
        still=channel_scores(parts, tokens, channels, glosses=glosses, asking=tokens[asking]),
        X=X,
        W_Q=W_Q,
        W_K=W_K,
        tokens=list(tokens),
        glosses=list(glosses),
        features=list(features),
        channels=list(channels),
        asking=asking,
    )
