"""Exercise 3 of lesson 09: attention for real input."""

import math

import numpy as np

from helpers.course.exercise import Example, Exercise


def batched_attention(Q, K, V, mask=None):
    """Attend under a mask, for any axes in front of queries and keys."""
    scores = (Q / Q.shape[-1] ** 0.5) @ np.swapaxes(K, -1, -2)  # (..., n_q, n_k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    exps = np.exp(scores - np.where(top == -np.inf, 0.0, top))
    total = exps.sum(axis=-1, keepdims=True)
    weights = exps / np.where(total == 0, 1.0, total)  # a row that sees nothing stays 0
    return weights @ V, weights


def _batched_inputs(rng):
    def draw(*lead, n_q, n_k, d_k=3, d_v=2, **mask):
        shapes = {"Q": (*lead, n_q, d_k), "K": (*lead, n_k, d_k), "V": (*lead, n_k, d_v)}
        return {name: rng.normal(size=shape).round(1) for name, shape in shapes.items()} | mask

    def column(queries, keys):
        """Queries and keys of width 1: every score is a product of two numbers."""
        Q, K = np.array(queries)[:, None], np.array(keys)[:, None]
        return {"Q": Q, "K": K, "V": np.arange(2.0 * len(K)).reshape(-1, 2)}

    padding = np.array([[True, True, False, False], [True, True, True, True]])
    nothing = np.array([[True, True, False], [False, False, False]])
    level = np.array([[1000.0, 0.0, 0.0], [999.0, 0.0, 0.0], [-1000.0, 0.0, 0.0]])
    near, far = np.array([[160.0], [128.0]]), np.array([[-128.0], [-128.0078125], [1.0]])
    below = {"Q": near, "K": far, "V": np.array([[1.0], [2.0], [4.0]])}  # scores under -16000
    half = np.array([np.full(64, 40), np.full(64, 39), np.full(64, -40)], dtype=np.float16)
    return (
        draw(n_q=2, n_k=3),
        draw(n_q=3, n_k=3, d_k=3, d_v=3),
        draw(2, n_q=3, n_k=4),
        draw(3, n_q=3, n_k=3, d_k=3, d_v=3),
        draw(2, 2, n_q=4, n_k=4),
        draw(n_q=4, n_k=4, mask=np.tri(4, dtype=bool)),
        draw(2, 2, n_q=4, n_k=4, mask=padding[:, None, None, :]),
        draw(3, n_q=2, n_k=3, mask=nothing),
        draw(n_q=1, n_k=5, mask=np.array([[True, False, True, True, False]])),
        {"Q": level, "K": level, "V": np.array([[1.0], [2.0], [4.0]])},
        {"Q": half[:1], "K": half, "V": np.array([[1.0], [2.0], [4.0]], dtype=np.float16)},
        draw(2, 3, n_q=4, n_k=5, d_k=6, d_v=7),
        draw(2, 3, n_q=4, n_k=5, d_k=6, d_v=7, mask=rng.random((2, 3, 4, 5)) < 0.6),
        draw(2, 3, n_q=4, n_k=4, mask=rng.random((2, 1, 4, 4)) < 0.6),
        draw(3, 2, n_q=2, n_k=5, mask=rng.random((2, 2, 5)) < 0.6),
        draw(4, n_q=2, n_k=3, mask=np.array([True, True, False])),
        below | {"mask": np.array([[True, True, False], [False, True, False]])},
        column([0.0, 1.0, 512.0, -512.0], [2.0, 3.0, 2.9921875]),
        column([1.0, -2.0], [8.0, 0.0, 0.5, 3.0]),
    )


def _swapped(K):
    return np.swapaxes(K, -1, -2)


def _unmasked(scores, mask):
    return scores if mask is None else np.where(mask, scores, -np.inf)


def _shares(scores, axis=-1):
    top = scores.max(axis=axis, keepdims=True)
    exps = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    total = exps.sum(axis=axis, keepdims=True)
    return exps / np.where(total == 0, 1.0, total)


def _attended(
    Q, K, V, mask=None, *, turn=_swapped, width=None, hide=_unmasked, normalise=_shares
):  # fmt: skip
    """Attention with one step exchanged."""
    scores = (Q / math.sqrt(Q.shape[-1] if width is None else width)) @ turn(K)
    weights = normalise(hide(scores, mask))
    return weights @ V, weights


def all_axes_reversed(Q, K, V, mask=None):
    """K.T turns all axes round, the batch too; only the last two have to change places."""
    return _attended(Q, K, V, mask, turn=lambda K: K.T)


def not_scaled(Q, K, V, mask=None):
    """The division by the square root of d_k is missing."""
    return _attended(Q, K, V, mask, width=1)


def scaled_by_n(Q, K, V, mask=None):
    """It divides by the square root of the number of keys; d_k is the last axis of Q."""
    return _attended(Q, K, V, mask, width=K.shape[-2])


def second_axis(Q, K, V, mask=None):
    """The softmax runs along axis 1: with a batch, that is no longer the axis of the keys."""
    return _attended(Q, K, V, mask, normalise=lambda scores: _shares(scores, 1))


def over_the_queries(Q, K, V, mask=None):
    """The softmax runs over the queries: the columns add up to 1, not the rows."""
    return _attended(Q, K, V, mask, normalise=lambda scores: _shares(scores, -2))


def true_hides(Q, K, V, mask=None):
    """It reads True in the mask as "hide"; here True means "may attend"."""
    return _attended(Q, K, V, None if mask is None else ~mask)


def no_mask(Q, K, V, mask=None):
    """The mask is not used."""
    return _attended(Q, K, V)


def times_the_mask(Q, K, V, mask=None):
    """It multiplies the scores by the mask: a score of 0 still gets a share, as exp(0) is 1."""
    return _attended(Q, K, V, mask, hide=lambda s, m: s if m is None else s * m)


def plus_the_mask(Q, K, V, mask=None):
    """It adds the mask as 1 and 0: that hides nothing."""
    return _attended(Q, K, V, mask, hide=lambda s, m: s if m is None else s + m)


def after_the_softmax(Q, K, V, mask=None):
    """It hides after the softmax, so what remains of a row adds up to less than 1."""
    weights = _attended(Q, K, V)[1]
    weights = weights if mask is None else weights * mask
    return weights @ V, weights


def even_where_nothing(Q, K, V, mask=None):
    """A row that sees nothing shares out evenly, as after hiding with -1e9; zeros are wanted."""
    return _attended(Q, K, V, mask, hide=lambda s, m: s if m is None else np.where(m, s, -1e9))


def not_a_number(Q, K, V, mask=None):
    """A row that sees nothing becomes 0/0; its weights and its output should be zeros."""

    def unguarded(scores):
        exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return exps / exps.sum(axis=-1, keepdims=True)

    return _attended(Q, K, V, mask, normalise=unguarded)


def no_maximum(Q, K, V, mask=None):
    """It takes exp of the raw scores; a large score is too large for a float."""

    def raw(scores):
        total = np.exp(scores).sum(axis=-1, keepdims=True)
        return np.exp(scores) / np.where(total == 0, 1.0, total)

    return _attended(Q, K, V, mask, normalise=raw)


def divides_too_late(Q, K, V, mask=None):
    """It divides after the product: in float16 the product has overflowed by then."""
    scores = Q @ _swapped(K) / math.sqrt(Q.shape[-1])
    weights = _shares(_unmasked(scores, mask))
    return weights @ V, weights


def hides_with_too_little(Q, K, V, mask=None):
    """It hides with -1e4: a score that may be seen can lie below that."""

    def shares(scores):
        return np.where((scores == -1e4).all(axis=-1, keepdims=True), 0.0, _shares(scores))

    def hide(scores, mask):
        return scores if mask is None else np.where(mask, scores, -1e4)

    return _attended(Q, K, V, mask, hide=hide, normalise=shares)


def one_maximum_for_all(Q, K, V, mask=None):
    """It takes one maximum for all rows: where a row lies far below it, everything vanishes."""

    def shares(scores):
        top = scores.max()
        exps = np.exp(scores - (0.0 if top == -np.inf else top))
        total = exps.sum(axis=-1, keepdims=True)
        return exps / np.where(total == 0, 1.0, total)

    return _attended(Q, K, V, mask, normalise=shares)


def one_mask_for_all_heads(Q, K, V, mask=None):
    """It reads the first mask for all heads: a mask may have an axis for the heads."""
    own = mask[..., :1, :, :] if mask is not None and mask.ndim > 2 else mask
    return _attended(Q, K, V, own)


batched_attention = Exercise(
    name="lesson09.batched_attention",
    reference=batched_attention,
    inputs=_batched_inputs,
    returns=("output", "weights"),
    hints=(
        "Which axes of K have to change places when there may be two more in front of them? "
        "np.swapaxes(K, -1, -2).",
        "Divide the queries by d_k ** 0.5 before the product: then float16 does not overflow.",
        "Hide with np.where(mask, scores, -np.inf). The mask is repeated by itself over the axes "
        "that it lacks.",
        "In a row of nothing but -inf, subtract 0 where the maximum is -inf, and divide by 1 where "
        "the sum is 0.",
    ),
    wrong=(
        all_axes_reversed,
        not_scaled,
        scaled_by_n,
        second_axis,
        over_the_queries,
        true_hides,
        no_mask,
        times_the_mask,
        plus_the_mask,
        after_the_softmax,
        even_where_nothing,
        not_a_number,
        no_maximum,
        divides_too_late,
        hides_with_too_little,
        one_maximum_for_all,
        one_mask_for_all_heads,
    ),
    points=2,
    examples=(
        Example(
            {
                "Q": np.zeros((1, 2)),
                "K": np.zeros((3, 2)),
                "V": np.array([[1.0], [2.0], [4.0]]),
                "mask": np.array([True, True, False]),
            },
            ("1.5",),
            lambda both: both[0],
        ),
    ),
)
