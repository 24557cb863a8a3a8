"""Lesson 08: drag the words of a sentence into another order; map and new vectors follow."""

from pathlib import Path

import numpy as np

from helpers.course.demonstration import demonstration
from helpers.lessons.lesson08.figures import two_orders
from helpers.numpy_attention import self_attention


def reorder(X, W_Q, W_K, W_V, tokens, glosses, contents, *, follow=0) -> None:
    """Show a sentence whose words can be moved, its attention map, and its new vectors.

    Args:
        X: (n, d_model) numbers, one row a token.
        W_Q: (d_model, d_k) numbers.
        W_K: (d_model, d_k) numbers.
        W_V: (d_model, d_v) numbers.
        tokens: n strings.
        glosses: n strings.
        contents: d_v strings, the columns of the new vectors.
        follow: int, the token that is stressed at first.
    """
    X, W_Q, W_K, W_V = (np.asarray(array, dtype=float) for array in (X, W_Q, W_K, W_V))
    backwards = np.arange(len(X))[::-1]
    weights = self_attention(X, W_Q, W_K, W_V)[1]
    shuffled = self_attention(X[backwards], W_Q, W_K, W_V)[1]
    demonstration(
        Path(__file__).with_suffix(".js"),
        still=two_orders(weights, shuffled, tokens, backwards, follow=follow),
        X=X,
        W_Q=W_Q,
        W_K=W_K,
        W_V=W_V,
        tokens=list(tokens),
        glosses=list(glosses),
        contents=list(contents),
        follow=follow,
    )
