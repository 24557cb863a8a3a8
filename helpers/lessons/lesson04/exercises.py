"""Exercises of lesson 04: score, normalise, sum."""

import math

import numpy as np

from helpers.course.exercise import Exercise


def _shares(scores, axis=-1):
    """Softmax for the wrong answers below; a row of -inf only becomes zeros."""
    top = np.max(scores, axis=axis, keepdims=True)
    exps = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    total = exps.sum(axis=axis, keepdims=True)
    return exps / np.where(total == 0, 1.0, total)


# ---------------------------------------------------------------------------------- softmax


def softmax(x, axis=-1):
    """Turn scores into shares that add up to 1 along one axis."""
    x = np.asarray(x, dtype=float)
    exps = np.exp(x - x.max(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


def _softmax_inputs(rng):
    return (
        {"x": np.array([0.0, 1.0, 2.0])},
        {"x": rng.normal(size=(2, 3)).round(2)},
        {"x": rng.normal(scale=2.0, size=(3, 3)).round(2)},
        {"x": rng.normal(size=(2, 3)).round(2), "axis": 0},
        {"x": rng.normal(size=(3, 3)).round(2), "axis": 0},
        {"x": rng.normal(size=(2, 3, 4)).round(2)},
        {"x": rng.normal(size=(2, 3, 4)).round(2), "axis": 1},
        {"x": rng.normal(size=(3, 3, 3)).round(2), "axis": -3},
        {"x": np.array([[1, 2, 3], [4, 4, 4]])},
        {"x": np.array([[10000.0, 10001.0, 10002.0], [9999.0, 10001.0, 10000.0]])},
        {"x": np.array([[0.0, 1.0, 2.0], [10000.0, 10001.0, 10002.0]])},
        {"x": np.array([[-1000.0, -1001.0, -1003.0]])},
        {"x": np.array([[0.0, 0.0, 3000.0], [0.0, -11.0, -2.0]])},
        {"x": np.array([[0.0, -np.inf, 1.0]])},
        {"x": np.array([[5.0], [-7.0]])},
    )


def always_first_axis(x, axis=-1):
    """It always normalises along the first axis: the columns add up to 1, not the rows."""
    return _shares(x, 0)


def always_last_axis(x, axis=-1):
    """It ignores the argument axis and always normalises along the last one."""
    return _shares(x, -1)


def one_sum_for_all(x, axis=-1):
    """It divides by the sum over the whole array, so only all numbers together add up to 1."""
    exps = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return exps / exps.sum()


def no_maximum(x, axis=-1):
    """It takes exp of the raw scores: exp(1000) is too large for a float."""
    exps = np.exp(np.asarray(x, dtype=float))
    return exps / exps.sum(axis=axis, keepdims=True)


def one_maximum_for_all(x, axis=-1):
    """It subtracts the maximum of the whole array: a row far below it becomes 0/0."""
    exps = np.exp(np.asarray(x, dtype=float) - np.max(x))
    return exps / exps.sum(axis=axis, keepdims=True)


def mean_for_maximum(x, axis=-1):
    """It subtracts the mean, not the maximum: one score far above the others still overflows."""
    exps = np.exp(x - np.mean(x, axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


def no_keepdims(x, axis=-1):
    """keepdims is missing in the sum: on a square array each number is divided by another row's."""
    exps = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis)


def no_exp(x, axis=-1):
    """It divides the scores themselves by their sum; exp is missing."""
    x = np.asarray(x, dtype=float)
    return x / x.sum(axis=axis, keepdims=True)


def logarithm(x, axis=-1):
    """It returns the logarithm of the shares."""
    return np.log(_shares(x, axis))


def dtype_of_the_input(x, axis=-1):
    """It stores the shares with the input's dtype: whole numbers in, so every share becomes 0."""
    return _shares(x, axis).astype(x.dtype)


def clipped(x, axis=-1):
    """It cuts large scores off to avoid overflow: scores beyond the limit become equal."""
    exps = np.exp(np.clip(x, -500, 500))
    return exps / exps.sum(axis=axis, keepdims=True)


def epsilon_below(x, axis=-1):
    """It adds a small number to the sum, so the shares no longer add up to 1."""
    exps = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return exps / (exps.sum(axis=axis, keepdims=True) + 1e-3)


def overwrites_x(x, axis=-1):
    """It subtracts the maximum inside the caller's own array."""
    x -= x.max(axis=axis, keepdims=True)
    return _shares(x, axis)


softmax = Exercise(
    name="lesson04.softmax",
    reference=softmax,
    inputs=_softmax_inputs,
    hints=(
        "Which function turns any number into a positive one and every step of 1 into the same "
        "factor?",
        "Sum and maximum need keepdims=True, so that the result can be divided by or subtracted.",
        "Subtracting the same number from a whole row changes no share. Subtract the row's "
        "maximum first: then the largest number exp ever sees is 0.",
    ),
    wrong=(
        always_first_axis,
        always_last_axis,
        one_sum_for_all,
        no_maximum,
        one_maximum_for_all,
        mean_for_maximum,
        no_keepdims,
        no_exp,
        logarithm,
        dtype_of_the_input,
        clipped,
        epsilon_below,
        overwrites_x,
    ),
)


# ----------------------------------------------------------------------------------- scores


def scores(Q, K):
    """Compare every query with every key."""
    d_k = Q.shape[-1]
    return Q @ np.swapaxes(K, -1, -2) / math.sqrt(d_k)  # (..., n_q, n_k)


def _scores_inputs(rng):
    def draw(*shape):
        return rng.normal(size=shape).round(2)

    return (
        {"Q": draw(2, 4), "K": draw(3, 4)},
        {"Q": draw(3, 3), "K": draw(3, 3)},
        {"Q": draw(4, 8), "K": draw(4, 8)},
        {"Q": draw(1, 2), "K": draw(1, 2)},
        {"Q": draw(2, 3, 4), "K": draw(2, 5, 4)},
        {"Q": draw(3, 3, 3), "K": draw(3, 3, 3)},
        {"Q": draw(2, 2, 4, 3), "K": draw(2, 2, 4, 3)},
        {"Q": np.array([[1, 2], [3, 4]]), "K": np.array([[1, 0], [2, 5], [7, 1]])},
    )


def no_scaling(Q, K):
    """The division by the square root of d_k is missing."""
    return Q @ np.swapaxes(K, -1, -2)


def divides_by_d(Q, K):
    """It divides by d_k itself, not by its square root."""
    return Q @ np.swapaxes(K, -1, -2) / Q.shape[-1]


def multiplies(Q, K):
    """It multiplies by the square root of d_k where it should divide."""
    return Q @ np.swapaxes(K, -1, -2) * math.sqrt(Q.shape[-1])


def number_of_queries(Q, K):
    """It takes the number of queries for d_k; d_k is the length of one query."""
    return Q @ np.swapaxes(K, -1, -2) / math.sqrt(Q.shape[-2])


def number_of_keys(Q, K):
    """It takes the number of keys for d_k; d_k is the length of one key."""
    return Q @ np.swapaxes(K, -1, -2) / math.sqrt(K.shape[-2])


def all_axes_reversed(Q, K):
    """K.T reverses all axes of a batch; only the last two may be swapped."""
    return Q @ K.T / math.sqrt(Q.shape[-1])


def keys_in_the_rows(Q, K):
    """The rows are keys and the columns queries: it must be Q times K transposed."""
    return K @ np.swapaxes(Q, -1, -2) / math.sqrt(Q.shape[-1])


def cosine(Q, K):
    """It divides by the lengths of the vectors: that is the cosine, not the scaled product."""
    lengths_q = np.linalg.norm(Q, axis=-1)[..., :, None]
    lengths_k = np.linalg.norm(K, axis=-1)[..., None, :]
    return Q @ np.swapaxes(K, -1, -2) / (lengths_q * lengths_k)


def already_softmax(Q, K):
    """It already applies softmax; the scores are wanted before that step."""
    return _shares(Q @ np.swapaxes(K, -1, -2) / math.sqrt(Q.shape[-1]))


def no_transpose(Q, K):
    """K is not transposed: the columns of Q must meet the columns of K."""
    return Q @ K / math.sqrt(Q.shape[-1])


scores = Exercise(
    name="lesson04.scores",
    reference=scores,
    inputs=_scores_inputs,
    hints=(
        "Row i, column j is the dot product of query i and key j. Which product of two matrices "
        "gives all of them at once?",
        "Swap the last two axes of K only: there may be a batch axis before them. "
        "np.swapaxes(K, -1, -2) does that.",
        "d_k is the length of one query, Q.shape[-1]. Divide by math.sqrt(d_k).",
    ),
    wrong=(
        no_scaling,
        divides_by_d,
        multiplies,
        number_of_queries,
        number_of_keys,
        all_axes_reversed,
        keys_in_the_rows,
        cosine,
        already_softmax,
        no_transpose,
    ),
)

# --------------------------------------------------------------------------- self_attention


def self_attention(X, W_Q, W_K, W_V, mask=None):
    """Let every token look at every allowed token."""
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = Q @ K.T / math.sqrt(Q.shape[-1])  # (n, n)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)  # a row that may look at nothing
    exps = np.exp(scores - top)
    total = exps.sum(axis=-1, keepdims=True)
    weights = exps / np.where(total == 0, 1.0, total)  # (n, n)
    return weights @ V, weights


def _self_attention_inputs(rng):
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

    return (
        draw(3, 2, 2, 2),
        draw(4, 4, 4, 4),
        draw(4, 5, 3, 2),
        draw(1, 3, 2, 2),
        draw(4, 3, 3, 3, mask=np.tri(4, dtype=bool)),
        draw(3, 3, 2, 2, mask=np.array([[True, True, False]])),
        draw(3, 2, 3, 4, mask=np.ones((3, 3), dtype=bool)),
        plain([[1.0, 0.0], [0.0, 1.0], [150.0, 150.0]], mask=np.array([[True, True, False]] * 3)),
        plain([[40.0, 0.0], [0.0, 40.0], [40.0, 0.0]]),
        draw(3, 2, 2, 2, mask=np.array([[True] * 3, [False] * 3, [True, False, False]])),
    )


def _attend(X, W_Q, W_K, W_V, mask=None, hide=None, normalise=_shares, scale=None):
    """Self-attention with one step exchanged."""
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = Q @ K.T / (math.sqrt(Q.shape[-1]) if scale is None else scale)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if hide is None else hide(scores, mask)
    weights = normalise(scores)
    return weights @ V, weights


def softmax_down_the_columns(X, W_Q, W_K, W_V, mask=None):
    """The softmax runs over the queries: the columns add up to 1, not the rows."""
    return _attend(X, W_Q, W_K, W_V, mask, normalise=lambda scores: _shares(scores, axis=0))


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
    return _attend(X, W_Q, W_K, W_V, mask, scale=math.sqrt(X.shape[-1]))


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
    return _attend(X, W_Q, W_K, W_V, mask)[0], Q @ K.T / math.sqrt(Q.shape[-1])


def weights_first(X, W_Q, W_K, W_V, mask=None):
    """The two results are exchanged: the output comes first, then the weights."""
    return _attend(X, W_Q, W_K, W_V, mask)[::-1]


self_attention = Exercise(
    name="lesson04.self_attention",
    reference=self_attention,
    inputs=_self_attention_inputs,
    returns=("output", "weights"),
    hints=(
        "Three projections first: X @ W_Q, X @ W_K, X @ W_V. Then score, normalise, sum.",
        "np.where(mask, scores, -np.inf) hides what may not be looked at, before the softmax.",
        "A row of nothing but -inf has no maximum to subtract and no sum to divide by. Replace "
        "that maximum by 0 and that sum by 1, and the whole row becomes zeros.",
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
        empty_row_nan,
        raw_exp,
        matrices_transposed,
        weights_before_mask,
        hands_back_scores,
        weights_first,
    ),
    points=2,
)

# ------------------------------------------------------------------------------ temperature


def temperature_for(scores, share):
    """Find the temperature at which the best match gets a given share."""
    cold, hot = 1e-6, 1e6
    for _ in range(200):
        middle = math.sqrt(cold * hot)
        exps = np.exp((scores - scores.max()) / middle)
        if exps.max() / exps.sum() > share:
            cold = middle  # too sharp: warmer
        else:
            hot = middle
    return middle


def _temperature_inputs(rng):
    return (
        {"scores": np.array([2.0, 0.0]), "share": 0.9},
        {"scores": np.array([1.0, 3.0, 2.0]), "share": 0.8},
        {"scores": np.array([1.0, 3.0, 2.0]), "share": 0.4},
        {"scores": rng.normal(size=10).round(2), "share": 0.5},
        {"scores": rng.normal(scale=20.0, size=6).round(1), "share": 0.25},
        {"scores": np.array([-1000.0, -1002.0, -1001.0, -1010.0]), "share": 0.99},
        {"scores": np.array([0.003, 0.001, 0.002]), "share": 0.6},
    )


def _right_temperature(got, arguments):
    if not isinstance(got, np.ndarray) or got.ndim or got.dtype == bool:
        return "One number is wanted: the temperature."
    if not 0 < got < np.inf:
        return f"A temperature must be a positive number, but {float(got):.4g} came back."
    scores, share = arguments["scores"], arguments["share"]
    exps = np.exp((scores - scores.max()) / got)
    reached = exps.max() / exps.sum()
    if abs(reached - share) > 2e-4:
        return (
            f"At temperature {float(got):.4g} the best match gets a share of {reached:.4f}; "
            f"{share} is wanted, to within 0.0002."
        )
    return None


def _solve(scores, share, share_at):
    """Bisect for the temperature where `share_at` passes `share`."""
    cold, hot = 1e-6, 1e6
    for _ in range(200):
        middle = math.sqrt(cold * hot)
        cold, hot = (middle, hot) if share_at(scores, middle) > share else (cold, middle)
    return middle


def only_two_scores(scores, share):
    """It looks at the best two scores only; every other score takes a part as well."""
    second, best = np.sort(scores)[-2:]
    return (best - second) / math.log(share / (1 - share))


def inverse_temperature(scores, share):
    """It finds the factor to multiply the scores by: that is 1 / temperature."""
    return 1 / _solve(scores, share, lambda row, t: _shares(row / t).max())


def odds_forgotten(scores, share):
    """It sets the ratio of the best two shares to the wanted share itself."""
    second, best = np.sort(scores)[-2:]
    return (best - second) / math.log(1 / share)


def searches_the_wrong_way(scores, share):
    """It makes the temperature lower when the best match already has too much."""
    return _solve(scores, -share, lambda row, t: -_shares(row / t).max())


def straight_line(scores, share):
    """It divides the largest share by the wanted one, as if shares were proportional to 1 / T."""
    return _shares(scores).max() / share


temperature_for = Exercise(
    name="lesson04.temperature_for",
    reference=temperature_for,
    inputs=_temperature_inputs,
    judge=_right_temperature,
    hints=(
        "softmax(scores / T): what happens to the largest share when T grows? It only ever "
        "moves one way.",
        "So you can search by halving: keep one temperature that is too low and one that is too "
        "high, try one between them, and keep the half that holds the answer.",
        "The answer may be 0.001 or 100. Between cold and hot, try math.sqrt(cold * hot): that "
        "halves the range of powers.",
    ),
    wrong=(
        only_two_scores,
        inverse_temperature,
        odds_forgotten,
        searches_the_wrong_way,
        straight_line,
    ),
    points=2,
)
