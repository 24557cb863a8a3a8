"""Exercise 1 of lesson 06: the columns are cut into heads."""

import numpy as np

from helpers.course.exercise import Example, Exercise, must_raise
from helpers.language import say


def _coloured(got, want):
    """Draw which number is in which head, in the result that came back and in the wanted one."""
    from helpers.lessons.lesson06.figures import landing

    whole = np.concatenate(list(want[0]), axis=-1)  # (n, d_model)
    return landing(whole, {say("wanted"): want[0], say("came back"): got[0]})


def _numbered(*shape):
    """Numbers that say where they are: token 2, column 3 holds 23."""
    batch, n, width = shape
    return 100.0 * np.arange(batch)[:, None, None] + 10.0 * np.arange(n)[:, None] + np.arange(width)


def split_heads(X, num_heads):
    """Give each head its own columns of every token."""
    batch, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"{d_model} % {num_heads} != 0")
    heads = X.reshape(batch, n, num_heads, d_model // num_heads)
    return heads.transpose(0, 2, 1, 3)  # (batch, num_heads, n, d_head)


def _split_inputs(rng):
    return (
        {"X": _numbered(1, 4, 6), "num_heads": 2},
        {"X": _numbered(1, 3, 6), "num_heads": 3},
        {"X": _numbered(2, 2, 4), "num_heads": 2},
        {"X": rng.normal(size=(2, 4, 6)).round(2), "num_heads": 3},
        {"X": rng.normal(size=(3, 5, 8)).round(2), "num_heads": 4},
        {"X": rng.normal(size=(2, 3, 4)).round(2), "num_heads": 1},
        {"X": rng.normal(size=(2, 5, 12)).round(2), "num_heads": 3},
        must_raise(ValueError, X=rng.normal(size=(1, 2, 6)).round(2), num_heads=4),
        must_raise(ValueError, X=rng.normal(size=(1, 3, 2)).round(2), num_heads=4),
    )


def reshapes_at_once(X, num_heads):
    """It reshapes straight to the wanted shape: a head then gets whole tokens, not columns."""
    batch, n, d_model = X.shape
    return X.reshape(batch, num_heads, n, d_model // num_heads)


def stops_before_the_swap(X, num_heads):
    """The columns are cut rightly, but the axes of tokens and heads are not exchanged."""
    batch, n, d_model = X.shape
    return X.reshape(batch, n, num_heads, d_model // num_heads)


def heads_before_the_batch(X, num_heads):
    """The axis of the heads stands before the batch; it belongs after it."""
    batch, n, d_model = X.shape
    return X.reshape(batch, n, num_heads, d_model // num_heads).transpose(2, 0, 1, 3)


def tokens_last(X, num_heads):
    """Each head is transposed: the tokens belong in its rows, the numbers in its columns."""
    batch, n, d_model = X.shape
    return X.reshape(batch, n, num_heads, d_model // num_heads).transpose(0, 2, 3, 1)


def deals_columns_out(X, num_heads):
    """It deals the columns out one by one; a head's columns stand next to each other."""
    batch, n, d_model = X.shape
    return X.reshape(batch, n, d_model // num_heads, num_heads).transpose(0, 3, 1, 2)


def drops_the_rest(X, num_heads):
    """Where the columns cannot be shared equally, it drops some; a ValueError is wanted."""
    batch, n, d_model = X.shape
    d_head = d_model // num_heads
    return X[..., : d_head * num_heads].reshape(batch, n, num_heads, d_head).swapaxes(1, 2)


split_heads = Exercise(
    name="lesson06.split_heads",
    reference=split_heads,
    inputs=_split_inputs,
    hints=(
        "Cut the last axis, d_model, in two: which head, and which column of that head. The other "
        "axes stay where they are.",
        "X.reshape(batch, n, num_heads, d_head) cuts it. Now the heads stand behind the tokens, "
        "and they are wanted before them.",
        "Exchange axes 1 and 2 with transpose(0, 2, 1, 3). Before all this, raise a ValueError if "
        "d_model % num_heads is not 0.",
    ),
    wrong=(
        reshapes_at_once,
        stops_before_the_swap,
        heads_before_the_batch,
        tokens_last,
        deals_columns_out,
        drops_the_rest,
    ),
    show=_coloured,
    examples=(
        Example(
            {"X": _numbered(1, 3, 8), "num_heads": 2},
            ("24 25 26 27",),
            lambda heads: heads[0, 1, 2],
        ),
    ),
)
