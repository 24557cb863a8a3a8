"""Exercise: self-attention whole, with a mask."""

import numpy as np

from helpers import numpy_attention as attention
from helpers.course.exercise import Exercise


def self_attention(X, W_Q, W_K, W_V, mask=None):
    """Let every token look at every allowed token."""
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V  # (n, d_k), (n, d_k), (n, d_v)
    scores = Q @ K.T / Q.shape[-1] ** 0.5  # (n, n)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = attention.softmax(scores)  # a row of -inf only: zeros
    return weights @ V, weights


def _inputs(rng):
    def draw(n, d_model, d_k, d_v, **mask):
        shapes = {
            "X": (n, d_model),
            "W_Q": (d_model, d_k),
            "W_K": (d_model, d_k),
            "W_V": (d_model, d_v),
        }
        return {name: rng.normal(size=shape).round(2) for name, shape in shapes.items()} | mask

    def plain(rows, **mask):
        eye = np.eye(2)
        return {"X": np.array(rows), "W_Q": eye, "W_K": eye.copy(), "W_V": eye.copy()} | mask

    nobody = np.array([[True] * 3, [False] * 3, [True, False, False]])
    only_the_other = np.array([[False, True], [True, False]])
    return (
        draw(3, 2, 2, 2),
        draw(4, 4, 4, 4),
        draw(5, 4, 3, 2),
        draw(1, 3, 2, 2),
        draw(12, 3, 2, 4),
        draw(4, 5, 3, 2, mask=np.tri(4, dtype=bool)),
        draw(4, 3, 3, 3, mask=np.tri(4, dtype=bool)),
        draw(3, 4, 2, 5, mask=np.array([[True, True, False]])),
        draw(3, 2, 3, 4, mask=np.ones((3, 3), dtype=bool)),
        plain([[1.0, 0.0], [0.0, 1.0], [150.0, 150.0]], mask=np.array([[True, True, False]] * 3)),
        plain([[200.0, 1.0], [-200.0, 2.0]], mask=only_the_other),
        plain([[40.0, 0.0], [0.0, 40.0], [40.0, 0.0]]),
        draw(3, 2, 4, 5, mask=nobody),
    )


def _attend(X, W_Q, W_K, W_V, mask=None, hide=None, normalise=attention.softmax, scale=None):
    """Self-attention with one step exchanged."""
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = Q @ K.T / (Q.shape[-1] ** 0.5 if scale is None else scale)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if hide is None else hide(scores, mask)
    weights = normalise(scores)
    return weights @ V, weights


def softmax_down_the_columns(X, W_Q, W_K, W_V, mask=None):
    """The softmax runs over the queries: the columns add up to 1, not the rows."""
    return _attend(
        X, W_Q, W_K, W_V, mask, normalise=lambda scores: attention.softmax(scores, axis=0)
    )


def query_and_key_exchanged(X, W_Q, W_K, W_V, mask=None):
    """Queries and keys are exchanged: the rows of the scores belong to the keys."""
    return _attend(X, W_K, W_Q, W_V, mask)


def mixes_the_inputs(X, W_Q, W_K, W_V, mask=None):
    """The weights mix the inputs X; they must mix the values X @ W_V."""
    weights = _attend(X, W_Q, W_K, W_V, mask)[1]
    return weights @ X, weights


def mixes_by_columns(X, W_Q, W_K, W_V, mask=None):
    """The weights are transposed before they mix the values."""
    weights = _attend(X, W_Q, W_K, W_V, mask)[1]
    return weights.T @ (X @ W_V), weights


def scores_not_scaled(X, W_Q, W_K, W_V, mask=None):
    """The scores are not divided by the square root of d_k."""
    return _attend(X, W_Q, W_K, W_V, mask, scale=1.0)


def scaled_by_d_model(X, W_Q, W_K, W_V, mask=None):
    """It divides by the square root of d_model, the width of X; d_k is the length of a query."""
    return _attend(X, W_Q, W_K, W_V, mask, scale=X.shape[-1] ** 0.5)


def true_hides(X, W_Q, W_K, W_V, mask=None):
    """It reads True in the mask as "hide"; here True means "may look"."""
    return _attend(X, W_Q, W_K, W_V, mask, hide=lambda s, m: np.where(m, -np.inf, s))


def mask_ignored(X, W_Q, W_K, W_V, mask=None):
    """The mask is not used."""
    return _attend(X, W_Q, W_K, W_V)


def mask_after_softmax(X, W_Q, W_K, W_V, mask=None):
    """It hides after the softmax, so the shares that remain add up to less than 1."""
    weights = _attend(X, W_Q, W_K, W_V)[1]
    weights = weights if mask is None else weights * mask
    return weights @ (X @ W_V), weights


def mask_added(X, W_Q, W_K, W_V, mask=None):
    """It adds the mask as 0 and 1: that hides nothing."""
    return _attend(X, W_Q, W_K, W_V, mask, hide=lambda s, m: s + m)


def hidden_scores_zero(X, W_Q, W_K, W_V, mask=None):
    """It sets hidden scores to 0, and exp(0) is 1, so hidden tokens still get a share."""
    return _attend(X, W_Q, W_K, W_V, mask, hide=lambda s, m: s * m)


def hides_queries(X, W_Q, W_K, W_V, mask=None):
    """The mask is applied transposed: it hides rows (queries) where it should hide columns."""
    mask = mask if mask is None else mask.T
    return _attend(X, W_Q, W_K, W_V, mask)


def a_large_negative_number(X, W_Q, W_K, W_V, mask=None):
    """It hides with a number like -1e9: a row that may look at nothing still hands out shares."""
    return _attend(X, W_Q, W_K, W_V, mask, hide=lambda s, m: np.where(m, s, -1e9))


def not_negative_enough(X, W_Q, W_K, W_V, mask=None):
    """It takes 1e4 off the hidden scores; a very large score stays visible."""
    weights = _attend(X, W_Q, W_K, W_V, mask, hide=lambda s, m: s - 1e4 * ~m)[1]
    if mask is not None:
        weights = weights * np.any(mask, axis=-1, keepdims=True)
    return weights @ (X @ W_V), weights


def minus_ten_thousand(X, W_Q, W_K, W_V, mask=None):
    """It hides with a score of -10,000; where all visible scores are lower, the hidden one wins."""
    weights = _attend(X, W_Q, W_K, W_V, mask, hide=lambda s, m: np.where(m, s, -1e4))[1]
    if mask is not None:
        weights = weights * np.any(mask, axis=-1, keepdims=True)
    return weights @ (X @ W_V), weights


def empty_row_nan(X, W_Q, W_K, W_V, mask=None):
    """A row that may look at nothing becomes 0/0; its weights and its output should be zeros."""

    def unguarded(scores):
        exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return exps / exps.sum(axis=-1, keepdims=True)

    return _attend(X, W_Q, W_K, W_V, mask, normalise=unguarded)


def raw_exp(X, W_Q, W_K, W_V, mask=None):
    """It takes exp of the raw scores; a large score is too large for a float."""

    def unguarded(scores):
        total = np.exp(scores).sum(axis=-1, keepdims=True)
        return np.exp(scores) / np.where(total == 0, 1.0, total)

    return _attend(X, W_Q, W_K, W_V, mask, normalise=unguarded)


def matrices_transposed(X, W_Q, W_K, W_V, mask=None):
    """W_Q, W_K and W_V are used transposed, X @ W.T; here they are used as X @ W."""
    return _attend(X, W_Q.T, W_K.T, W_V.T, mask)


def weights_before_mask(X, W_Q, W_K, W_V, mask=None):
    """The output is masked, but the weights handed back are the ones before the mask."""
    return _attend(X, W_Q, W_K, W_V, mask)[0], _attend(X, W_Q, W_K, W_V)[1]


def hands_back_scores(X, W_Q, W_K, W_V, mask=None):
    """The second result holds the scores; the weights after the softmax are wanted."""
    Q, K = X @ W_Q, X @ W_K
    return _attend(X, W_Q, W_K, W_V, mask)[0], Q @ K.T / Q.shape[-1] ** 0.5


def weights_first(X, W_Q, W_K, W_V, mask=None):
    """The two results are exchanged: the output comes first, then the weights."""
    return _attend(X, W_Q, W_K, W_V, mask)[::-1]


self_attention = Exercise(
    name="lesson04.self_attention",
    reference=self_attention,
    inputs=_inputs,
    returns=("output", "weights"),
    hints=(
        "Three projections first: X @ W_Q, X @ W_K, X @ W_V. Then score, normalise, sum.",
        "np.where(mask, scores, -np.inf) hides what may not be looked at, before the softmax.",
        "A row of nothing but -inf has no maximum to subtract and no sum to divide by. "
        "attention.softmax gives it zeros; in a softmax of your own, replace that maximum by 0 "
        "and that sum by 1.",
        "Return two results, output and weights, in this order.",
    ),
    wrong=(
        softmax_down_the_columns,
        query_and_key_exchanged,
        mixes_the_inputs,
        mixes_by_columns,
        scores_not_scaled,
        scaled_by_d_model,
        true_hides,
        mask_ignored,
        mask_after_softmax,
        mask_added,
        hidden_scores_zero,
        hides_queries,
        a_large_negative_number,
        not_negative_enough,
        minus_ten_thousand,
        empty_row_nan,
        raw_exp,
        matrices_transposed,
        weights_before_mask,
        hands_back_scores,
        weights_first,
    ),
    points=2,
)
