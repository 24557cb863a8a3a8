"""Exercise 3 of lesson 06: multi-head attention, whole."""

import math

import numpy as np

from helpers.course.exercise import Exercise
from helpers.lessons.lesson06.exercises.runners import output_alone


def multi_head_attention(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """Attend with several heads, merge them, mix them with W_O."""
    batch, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (
        (X @ W).reshape(batch, n, num_heads, d_head).transpose(0, 2, 1, 3) for W in (W_Q, W_K, W_V)
    )
    scores = Q @ K.swapaxes(-1, -2) / d_head**0.5  # (batch, num_heads, n, n)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exps / exps.sum(axis=-1, keepdims=True)
    heads = weights @ V  # (batch, num_heads, n, d_head)
    return heads.transpose(0, 2, 1, 3).reshape(batch, n, d_model) @ W_O


def _multi_head_inputs(rng):
    def draw(batch, n, d_model, num_heads, **mask):
        X = rng.normal(size=(batch, n, d_model)).round(1)
        matrices = {
            name: rng.normal(size=(d_model, d_model)).round(1)
            for name in ("W_Q", "W_K", "W_V", "W_O")
        }
        return {"X": X} | matrices | {"num_heads": num_heads} | mask

    def far(level, **mask):
        """Two heads whose scores lie far from 0, each elsewhere; float32 holds them exactly."""
        given = draw(1, 5, 8, 2, **mask)
        X = rng.integers(-1, 2, size=(1, 5, 8)).astype(float)
        X[..., 0] = 1.0
        for name, size in (("W_Q", abs(level)), ("W_K", level)):
            W = rng.integers(-1, 2, size=(8, 8)).astype(float)
            W[0], W[:, ::4], W[0, ::4] = 0.0, 0.0, (size, size / 2)
            given[name] = W
        return given | {"X": X}

    def seen(*shape):
        """A mask by chance in which every query may see itself."""
        return (rng.random(shape) < 0.5) | np.eye(shape[-1], dtype=bool)

    padding = np.array([[True, True, False], [True, False, False], [True, True, True]])
    return (
        draw(1, 3, 4, 2),
        draw(1, 3, 6, 3),
        draw(2, 3, 4, 1),
        draw(2, 5, 8, 2),
        draw(1, 4, 6, 2, mask=np.tri(4, dtype=bool)),
        draw(3, 3, 6, 3, mask=padding[:, None, None, :]),
        draw(1, 7, 15, 5),
        draw(2, 5, 12, 3, mask=seen(2, 3, 5, 5)),
        draw(2, 4, 6, 3, mask=seen(2, 1, 4, 4)),
        draw(2, 3, 8, 4, mask=seen(4, 3, 3)),
        far(64.0),
        far(-256.0, mask=seen(5, 5)),
    )


def _split(X, num_heads):
    batch, n, d_model = X.shape
    return X.reshape(batch, n, num_heads, d_model // num_heads).swapaxes(1, 2)


def _merge(X):
    batch, num_heads, n, d_head = X.shape
    return X.swapaxes(1, 2).reshape(batch, n, num_heads * d_head)


def _cut_by_reshape(X, num_heads):
    batch, n, d_model = X.shape
    return X.reshape(batch, num_heads, n, d_model // num_heads)


def _glue_by_reshape(X):
    batch, num_heads, n, d_head = X.shape
    return X.reshape(batch, n, num_heads * d_head)


def _attend(
    X, W_Q, W_K, W_V, W_O, num_heads, mask=None, *,
    split=_split, merge=_merge, width=None, axis=-1, hide=-np.inf, true_hides=False,
):  # fmt: skip
    """Multi-head attention with one step exchanged."""
    Q, K, V = (split(X @ W, num_heads) for W in (W_Q, W_K, W_V))
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1] if width is None else width)
    if mask is not None:
        scores = np.where(~mask if true_hides else mask, scores, hide)
    top = scores.max(axis=axis, keepdims=True)
    exps = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    total = exps.sum(axis=axis, keepdims=True)
    return merge(exps / np.where(total == 0, 1.0, total) @ V) @ W_O


def scales_by_d_model(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """It divides by the square root of d_model; a head's queries are only d_head long."""
    return _attend(X, W_Q, W_K, W_V, W_O, num_heads, mask, width=X.shape[-1])


def does_not_scale(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """The scores are not divided by the square root of d_head."""
    return _attend(X, W_Q, W_K, W_V, W_O, num_heads, mask, width=1)


def forgets_w_o(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """The heads are merged, but the last product with W_O is missing."""
    return _attend(X, W_Q, W_K, W_V, np.eye(X.shape[-1]), num_heads, mask)


def w_o_transposed(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """It uses W_O transposed."""
    return _attend(X, W_Q, W_K, W_V, W_O.T, num_heads, mask)


def cuts_by_reshape(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """It cuts Q, K and V into heads with a reshape alone: a head gets whole tokens, not columns."""
    return _attend(X, W_Q, W_K, W_V, W_O, num_heads, mask, split=_cut_by_reshape)


def glues_by_reshape(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """It merges the heads with a reshape alone: rows of one head are glued to each other."""
    return _attend(X, W_Q, W_K, W_V, W_O, num_heads, mask, merge=_glue_by_reshape)


def cuts_and_glues_by_reshape(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """It cuts and merges with a reshape alone: the round trip fits, but heads get whole tokens."""
    return _attend(
        X, W_Q, W_K, W_V, W_O, num_heads, mask, split=_cut_by_reshape, merge=_glue_by_reshape
    )


def cuts_the_input(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """Each head sees its own slice of X only; the projections must read all of X."""
    d_head = X.shape[-1] // num_heads
    own = np.kron(np.eye(num_heads), np.ones((d_head, d_head)))
    return _attend(X, W_Q * own, W_K * own, W_V * own, W_O, num_heads, mask)


def averages_the_heads(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """All heads use the average of their weights; each head has its own."""
    Q, K, V = (_split(X @ W, num_heads) for W in (W_Q, W_K, W_V))
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    scores = scores if mask is None else np.where(mask, scores, -np.inf)
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exps / exps.sum(axis=-1, keepdims=True)
    return _merge(weights.mean(axis=1, keepdims=True) @ V) @ W_O


def softmax_over_queries(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """The softmax runs over the queries: the columns add up to 1, not the rows."""
    return _attend(X, W_Q, W_K, W_V, W_O, num_heads, mask, axis=-2)


def softmax_over_heads(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """The softmax runs over the heads; each head's rows have to add up to 1."""
    return _attend(X, W_Q, W_K, W_V, W_O, num_heads, mask, axis=1)


def reads_true_as_hide(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """It reads True in the mask as "hide"; here True means "may attend"."""
    return _attend(X, W_Q, W_K, W_V, W_O, num_heads, mask, true_hides=True)


def ignores_the_mask(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """The mask is not used."""
    return _attend(X, W_Q, W_K, W_V, W_O, num_heads)


def hides_with_zero(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """It sets hidden scores to 0, and exp(0) is 1, so hidden tokens still get a share."""
    return _attend(X, W_Q, W_K, W_V, W_O, num_heads, mask, hide=0.0)


def hides_with_too_little(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """It hides with -1e4: a score that may be seen can lie below that."""
    return _attend(X, W_Q, W_K, W_V, W_O, num_heads, mask, hide=-1e4)


def one_mask_for_all_heads(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """It reads the mask of the first head for all: a mask may have an axis for the heads."""
    if mask is not None and mask.ndim > 2:
        mask = mask[..., :1, :, :]
    return _attend(X, W_Q, W_K, W_V, W_O, num_heads, mask)


def without_maximum(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """It takes exp of the raw scores: a large score is too large for a float."""
    Q, K, V = (_split(X @ W, num_heads) for W in (W_Q, W_K, W_V))
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    exps = np.exp(scores if mask is None else np.where(mask, scores, -np.inf))
    return _merge(exps / exps.sum(axis=-1, keepdims=True) @ V) @ W_O


multi_head_attention = Exercise(
    name="lesson06.multi_head_attention",
    reference=multi_head_attention,
    inputs=_multi_head_inputs,
    runner=output_alone,
    hints=(
        "Project first, with the whole matrices: X @ W_Q reads all of X. Only then cut Q, K and V "
        "into heads.",
        "With an axis for the heads before the tokens, Q @ K.swapaxes(-1, -2) gives the scores of "
        "all heads at once. Divide by the square root of the width of one head.",
        "Hide with np.where(mask, scores, -np.inf), take the softmax along the last axis, multiply "
        "by V.",
        "Merge the heads: transpose back, reshape to (batch, n, d_model). Then @ W_O.",
    ),
    wrong=(
        scales_by_d_model,
        does_not_scale,
        forgets_w_o,
        w_o_transposed,
        cuts_by_reshape,
        glues_by_reshape,
        cuts_and_glues_by_reshape,
        cuts_the_input,
        averages_the_heads,
        softmax_over_queries,
        softmax_over_heads,
        reads_true_as_hide,
        ignores_the_mask,
        hides_with_zero,
        hides_with_too_little,
        one_mask_for_all_heads,
        without_maximum,
    ),
    points=2,
)
