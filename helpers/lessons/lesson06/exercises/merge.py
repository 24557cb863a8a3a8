"""Exercise 2 of lesson 06: the heads are joined."""

import numpy as np

from helpers.course.exercise import Example, Exercise


def merge_heads(X):
    """Put the heads' columns side by side again."""
    batch, num_heads, n, d_head = X.shape
    tokens = X.transpose(0, 2, 1, 3)  # (batch, n, num_heads, d_head)
    return tokens.reshape(batch, n, num_heads * d_head)


def _merge_inputs(rng):
    return (
        {"X": np.array([[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]])},
        {"X": np.arange(12.0).reshape(1, 2, 3, 2)},
        {"X": np.arange(16.0).reshape(2, 2, 2, 2)},
        {"X": rng.normal(size=(1, 3, 3, 2)).round(2)},
        {"X": rng.normal(size=(2, 3, 4, 2)).round(2)},
        {"X": rng.normal(size=(3, 2, 5, 4)).round(2)},
        {"X": rng.normal(size=(2, 1, 3, 4)).round(2)},
        {"X": rng.normal(size=(2, 3, 5, 4)).round(2)},
    )


def merges_by_reshape(X):
    """It reshapes without exchanging the axes: rows of one head are glued to each other."""
    batch, num_heads, n, d_head = X.shape
    return X.reshape(batch, n, num_heads * d_head)


def exchanges_batch_and_heads(X):
    """It exchanges the axes of batch and heads; tokens and heads have to change places."""
    batch, num_heads, n, d_head = X.shape
    return X.transpose(1, 0, 2, 3).reshape(batch, n, num_heads * d_head)


def one_head_after_another(X):
    """It puts the heads below each other, as if they were more tokens."""
    return np.concatenate([X[:, h] for h in range(X.shape[1])], axis=1)


def shuffles_the_columns(X):
    """It takes the first column of every head, then the second; a head's columns stay together."""
    batch, num_heads, n, d_head = X.shape
    return X.transpose(0, 2, 3, 1).reshape(batch, n, num_heads * d_head)


def adds_the_heads(X):
    """It adds the heads up; they belong side by side."""
    return X.sum(axis=1)


merge_heads = Exercise(
    name="lesson06.merge_heads",
    reference=merge_heads,
    inputs=_merge_inputs,
    hints=(
        "Go back the way of split_heads: which of its two steps has to be undone first?",
        "First put the tokens before the heads again: transpose(0, 2, 1, 3).",
        "Then the last two axes become one: reshape(batch, n, num_heads * d_head).",
    ),
    wrong=(
        merges_by_reshape,
        exchanges_batch_and_heads,
        one_head_after_another,
        shuffles_the_columns,
        adds_the_heads,
    ),
    examples=(
        Example(
            {"X": np.array([[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]])},
            ("[[[1, 2, 5, 6], [3, 4, 7, 8]]]",),
        ),
    ),
)
