"""Exercises of lesson 09: from skeleton to real code."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers.course.exercise import Exercise


def _drawn(got, want):
    """Draw a mask that came back beside the wanted one."""
    from helpers.lessons.lesson09.figures import mask_maps

    return mask_maps({"came back": got, "wanted": want})


# ------------------------------------------------------------------------------- causal_mask


def causal_mask(n_q, n_k=None):
    """Let the last query see all keys, and each query before it one key fewer."""
    n_k = n_q if n_k is None else n_k
    return np.tri(n_q, n_k, k=n_k - n_q, dtype=bool)


def _causal_inputs(rng):
    return (
        {"n_q": 3},
        {"n_q": 1},
        {"n_q": 1, "n_k": 5},
        {"n_q": 2, "n_k": 5},
        {"n_q": 4, "n_k": 4},
        {"n_q": 4, "n_k": 2},
        {"n_q": int(rng.integers(5, 9))},
        {"n_q": 3, "n_k": int(rng.integers(6, 12))},
    )


def _tri(n_q, n_k, k):
    return np.tri(n_q, n_q if n_k is None else n_k, k, dtype=bool)


def _late(n_q, n_k):
    return 0 if n_k is None else n_k - n_q


def marks_the_hidden(n_q, n_k=None):
    """True marks what is hidden; here True means "may attend"."""
    return ~_tri(n_q, n_k, _late(n_q, n_k))


def looks_ahead(n_q, n_k=None):
    """It keeps the upper triangle: each token sees itself and the future."""
    return np.triu(np.ones((n_q, n_q if n_k is None else n_k), dtype=bool))


def hides_itself(n_q, n_k=None):
    """The diagonal is hidden too: no token sees itself, and the first one sees nothing."""
    return _tri(n_q, n_k, _late(n_q, n_k) - 1)


def one_too_many(n_q, n_k=None):
    """Each token sees one token of the future."""
    return _tri(n_q, n_k, _late(n_q, n_k) + 1)


def hangs_top_left(n_q, n_k=None):
    """It lines up the first query with the first key; the last ones belong together."""
    return _tri(n_q, n_k, 0)


def mirrored(n_q, n_k=None):
    """It is the mirror image: the first key should be the one that everybody sees."""
    return _tri(n_q, n_k, _late(n_q, n_k))[:, ::-1]


def always_square(n_q, n_k=None):
    """It ignores n_k: the mask needs a column for each key."""
    return np.tri(n_q, dtype=bool)


def ones_and_zeros(n_q, n_k=None):
    """It returns the numbers 1 and 0: a boolean array is wanted (dtype=bool)."""
    return _tri(n_q, n_k, _late(n_q, n_k)).astype(float)


def numbers_to_add(n_q, n_k=None):
    """It returns 0 and minus infinity, to be added to scores; True and False are wanted."""
    return np.where(_tri(n_q, n_k, _late(n_q, n_k)), 0.0, -np.inf)


causal_mask = Exercise(
    name="lesson09.causal_mask",
    reference=causal_mask,
    inputs=_causal_inputs,
    show=_drawn,
    hints=(
        "Start square. Which NumPy function makes a lower triangle of ones? Should the diagonal "
        "belong to it?",
        "np.tri(n_q, n_k, k) moves the edge of the triangle k columns to the right.",
        "The last query, row n_q - 1, has to see the last key, column n_k - 1. Without k the edge "
        "of row i is at column i. So k = n_k - n_q, and dtype=bool.",
    ),
    wrong=(
        marks_the_hidden,
        looks_ahead,
        hides_itself,
        one_too_many,
        hangs_top_left,
        mirrored,
        always_square,
        ones_and_zeros,
        numbers_to_add,
    ),
)

# ------------------------------------------------------------------------------ padding_mask


def padding_mask(ids, pad_id):
    """Mark the keys that are real tokens, for all heads and all queries of a sentence."""
    return (ids != pad_id)[:, None, None, :]  # (batch, 1, 1, n)


def _on_scores(answer, ids, pad_id):
    """Repeat the mask to the shape of the scores of two heads."""
    mask = answer(ids, pad_id)
    if mask is None or mask is ...:
        return mask
    mask = np.asarray(mask)
    if mask.dtype != np.bool_:
        raise TypeError(f"a mask of True and False (dtype bool) is wanted, not {mask.dtype}")
    batch, n = ids.shape
    wanted = (batch, 2, n, n)
    try:
        return np.broadcast_to(mask, wanted).copy()
    except ValueError as error:
        raise ValueError(
            f"a mask of shape {mask.shape} does not fit scores of shape {wanted} "
            "(batch, heads, queries, keys)"
        ) from error


def _padding_inputs(rng):
    lengths = rng.integers(1, 6, size=3)
    ids = rng.integers(1, 50, size=(3, 5))
    ids[np.arange(5) >= lengths[:, None]] = 0
    return (
        {"ids": np.array([[5, 7, 0]]), "pad_id": 0},
        {"ids": np.array([[5, 7, 4, 0], [3, 0, 0, 0]]), "pad_id": 0},
        {"ids": np.array([[5, 7], [3, 0]]), "pad_id": 0},
        {"ids": np.array([[5, 0, 7, 1], [4, 1, 1, 1], [9, 8, 0, 2]]), "pad_id": 1},
        {"ids": np.array([[5, 7, 0], [3, 0, 0], [1, 2, 4]]), "pad_id": 0},
        {"ids": np.array([[9, 9, 6, 3], [9, 4, 8, 5]]), "pad_id": 9},
        {"ids": ids, "pad_id": 0},
    )


def marks_padding(ids, pad_id):
    """True marks the padding; here True means "may attend"."""
    return (ids == pad_id)[:, None, None, :]


def hides_queries(ids, pad_id):
    """Its shape is (batch, 1, n, 1): that hides the rows of padding, and its columns stay open."""
    return (ids != pad_id)[:, None, :, None]


def hides_both(ids, pad_id):
    """It hides the padding as query too: those rows then may look at nothing."""
    real = ids != pad_id
    return (real[:, :, None] & real[:, None, :])[:, None]


def no_new_axes(ids, pad_id):
    """It stays (batch, n): next to scores, its batch axis lines up with the queries."""
    return ids != pad_id


def no_axis_for_heads(ids, pad_id):
    """Its shape is (batch, 1, n): next to scores, its batch axis lines up with the heads."""
    return (ids != pad_id)[:, None, :]


def padding_is_zero(ids, pad_id):
    """It takes 0 for the padding whatever pad_id says."""
    return (ids != 0)[:, None, None, :]


def one_too_far(ids, pad_id):
    """One place of padding stays open."""
    last = np.arange(ids.shape[1]) <= (ids != pad_id).sum(axis=1)[:, None]
    return (last | (ids != pad_id))[:, None, None, :]


def padding_on_the_right(ids, pad_id):
    """It counts the real tokens and keeps the first ones; padding may also stand on the left."""
    count = (ids != pad_id).sum(axis=1)[:, None]
    return (np.arange(ids.shape[1]) < count)[:, None, None, :]


def padding_to_add(ids, pad_id):
    """It returns numbers to add to the scores; True and False are wanted."""
    return np.where(ids != pad_id, 0.0, -np.inf)[:, None, None, :]


padding_mask = Exercise(
    name="lesson09.padding_mask",
    reference=padding_mask,
    inputs=_padding_inputs,
    runner=_on_scores,
    hints=(
        "Which tokens are real? One comparison answers that for the whole batch: (batch, n).",
        "The scores are (batch, heads, queries, keys). Padding has to be hidden as a key, so n "
        "belongs to the last axis, and batch to the first.",
        "Indexing with None makes an axis of length 1: real[:, None, None, :].",
    ),
    wrong=(
        marks_padding,
        hides_queries,
        hides_both,
        no_new_axes,
        no_axis_for_heads,
        padding_is_zero,
        one_too_far,
        padding_on_the_right,
        padding_to_add,
    ),
)

# ------------------------------------------------------------------------- batched_attention


def batched_attention(Q, K, V, mask=None):
    """Attend under a mask, for any axes in front of queries and keys."""
    scores = (Q / math.sqrt(Q.shape[-1])) @ np.swapaxes(K, -1, -2)  # (..., n_q, n_k)
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

    padding = np.array([[True, True, False, False], [True, True, True, True]])
    nothing = np.array([[True, True, False], [False, False, False]])
    level = np.array([[1000.0, 0.0, 0.0], [999.0, 0.0, 0.0], [-1000.0, 0.0, 0.0]])
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
    """It hides with a number like -1e9: a row that sees nothing then shares out evenly."""
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


batched_attention = Exercise(
    name="lesson09.batched_attention",
    reference=batched_attention,
    inputs=_batched_inputs,
    returns=("output", "weights"),
    hints=(
        "Which axes of K have to change places when there may be two more in front of them? "
        "np.swapaxes(K, -1, -2).",
        "Divide the queries by math.sqrt(d_k) before the product: then float16 does not overflow.",
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
    ),
    points=2,
)

# ------------------------------------------------------------------------ MultiHeadAttention


class MultiHeadAttention(nn.Module):
    """Several heads side by side, and W_O to mix them."""

    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads, self.dropout = num_heads, dropout
        self.W_Q, self.W_K, self.W_V, self.W_O = (
            nn.Parameter(torch.randn(d_model, d_model) / math.sqrt(d_model)) for _ in range(4)
        )

    def forward(self, X, mask=None):
        batch, n, d_model = X.shape
        Q, K, V = (
            (X @ W).reshape(batch, n, self.num_heads, -1).transpose(1, 2)
            for W in (self.W_Q, self.W_K, self.W_V)
        )  # (batch, num_heads, n, d_head)
        scores = (Q / math.sqrt(Q.shape[-1])) @ K.transpose(-1, -2)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        empty = (scores == -math.inf).all(dim=-1, keepdim=True)
        weights = torch.softmax(scores.masked_fill(empty, 0.0), dim=-1).masked_fill(empty, 0.0)
        weights = F.dropout(weights, self.dropout, self.training)
        heads = (weights @ V).transpose(1, 2).reshape(batch, n, d_model)
        return heads @ self.W_O, weights


MATRICES = ("W_Q", "W_K", "W_V", "W_O")


def _driven(answer, X, W_Q, W_K, W_V, W_O, num_heads, mask=None, dropout=None):
    """Make a module, give it these matrices, and take what it returns and its gradient."""
    d_model = X.shape[-1]
    module = answer(d_model, num_heads) if dropout is None else answer(d_model, num_heads, dropout)
    if not isinstance(module, nn.Module):
        raise TypeError(f"an nn.Module is wanted, but a {type(module).__name__} was made")
    module = module.double().eval()
    for name, values in zip(MATRICES, (W_Q, W_K, W_V, W_O), strict=True):
        _set(module, name, torch.from_numpy(values))
    if dropout is not None:
        return _drops_rightly(module, torch.from_numpy(X))
    X = torch.from_numpy(X).requires_grad_()
    result = module(X) if mask is None else module(X, torch.from_numpy(mask))
    if result is None or result is ...:
        return result
    if not isinstance(result, tuple) or len(result) != 2:
        raise TypeError("forward has to return two things: output and weights")
    output, weights = result
    slopes = torch.linspace(-1, 1, output.numel(), dtype=torch.float64).reshape(output.shape)
    (gradient,) = torch.autograd.grad((output * slopes).sum(), X)
    return tuple(part.detach().numpy() for part in (output, weights, gradient))


def _set(module, name, values):
    """Write a matrix that is used as X @ W into a parameter or an nn.Linear of this name."""
    part = getattr(module, name, None)
    linear = isinstance(part, nn.Linear)
    if not linear and not isinstance(part, nn.Parameter):
        raise AttributeError(f"the module has no parameter {name}: make it an nn.Parameter")
    target, values = (part.weight, values.T) if linear else (part, values)
    if target.shape != values.shape:
        raise ValueError(f"{name} has shape {tuple(target.shape)}; {tuple(values.shape)} is wanted")
    with torch.no_grad():
        target.copy_(values)
        if linear and part.bias is not None:
            part.bias.zero_()


def _drops_rightly(module, X, runs=2000):
    """Say whether dropout works in training only, and leaves the mean as it is."""
    many = X[:1].expand(runs, -1, -1)  # (runs, n, d_model)
    with torch.no_grad(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        calm, again = module(X)[0], module(X)[0]
        if not torch.equal(calm, again):
            raise AssertionError("in eval mode two runs give different outputs")
        outputs = module.train()(many)[0]  # (runs, n, d_model)
    if torch.equal(outputs[0], outputs[1]):
        raise AssertionError("in train mode nothing is dropped")
    error = outputs.std(dim=0) / math.sqrt(runs)
    if ((outputs.mean(dim=0) - calm[0]).abs() > 6 * error + 1e-9).any():
        raise AssertionError("over many runs, the mean output in train mode is not that of eval")
    return np.array(True)


def _module_inputs(rng):
    def draw(batch, n, d_model, num_heads, **more):
        matrices = {name: rng.normal(size=(d_model, d_model)).round(1) for name in MATRICES}
        return (
            {"X": rng.normal(size=(batch, n, d_model)).round(1)}
            | matrices
            | {"num_heads": num_heads}
            | more
        )

    padding = np.array([[True, True, False], [True, True, True]])
    nothing = np.array([[True, True, True], [False, False, False]])
    return (
        draw(1, 3, 4, 2),
        draw(2, 5, 6, 3),
        draw(1, 3, 4, 1),
        draw(1, 4, 6, 2, mask=np.tri(4, dtype=bool)),
        draw(2, 3, 4, 2, mask=padding[:, None, None, :]),
        draw(2, 3, 4, 2, mask=nothing[:, None, None, :]),
        draw(1, 4, 4, 2, dropout=0.5),
    )


def _right_split(X, num_heads):
    batch, n, _ = X.shape
    return X.reshape(batch, n, num_heads, -1).transpose(1, 2)


def _right_merge(heads):
    batch, _, n, _ = heads.shape
    return heads.transpose(1, 2).reshape(batch, n, -1)


def _right_hide(scores, mask):
    return scores.masked_fill(~mask, -math.inf)


def _right_softmax(scores):
    empty = (scores == -math.inf).all(dim=-1, keepdim=True)
    return torch.softmax(scores.masked_fill(empty, 0.0), dim=-1).masked_fill(empty, 0.0)


def _right_dropout(weights, p, training):
    return F.dropout(weights, p, training)


class _Heads(nn.Module):
    """Multi-head attention with one step exchanged, for the wrong answers below."""

    def __init__(self, d_model, num_heads, dropout=0.0, **steps):
        super().__init__()
        self.num_heads, self.dropout = num_heads, dropout
        for name in MATRICES:
            setattr(self, name, nn.Parameter(torch.zeros(d_model, d_model)))
        self.steps = {
            "use": torch.matmul,
            "split": _right_split,
            "width": d_model // num_heads,
            "hide": _right_hide,
            "normalise": _right_softmax,
            "drop": _right_dropout,
            "clean": lambda heads: heads,
            "merge": _right_merge,
            "mix": torch.matmul,
        } | steps

    def forward(self, X, mask=None):
        do = self.steps
        W = self.W_Q, self.W_K, self.W_V
        Q, K, V = (do["split"](do["use"](X, matrix), self.num_heads) for matrix in W)
        scores = Q @ K.transpose(-1, -2) / math.sqrt(do["width"])
        scores = scores if mask is None else do["hide"](scores, mask)
        weights = do["drop"](do["normalise"](scores), self.dropout, self.training)
        heads = do["clean"](weights @ V)
        return do["mix"](do["merge"](heads), self.W_O), weights


def scales_by_d_model(d_model, num_heads, dropout=0.0):
    """It divides by the square root of d_model; the queries of a head are only d_head long."""
    return _Heads(d_model, num_heads, dropout, width=d_model)


def used_transposed(d_model, num_heads, dropout=0.0):
    """It uses the matrices as X @ W.T; here they are used as X @ W."""

    def turned(X, W):
        return X @ W.T

    return _Heads(d_model, num_heads, dropout, use=turned, mix=turned)


def cuts_by_reshape(d_model, num_heads, dropout=0.0):
    """It cuts into heads with a reshape alone: a head gets whole tokens, not columns."""

    def cut(X, num_heads):
        batch, n, d_model = X.shape
        return X.reshape(batch, num_heads, n, d_model // num_heads)

    return _Heads(d_model, num_heads, dropout, split=cut)


def glues_by_reshape(d_model, num_heads, dropout=0.0):
    """It merges with a reshape alone: rows of one head are glued to each other."""

    def glue(heads):
        batch, num_heads, n, d_head = heads.shape
        return heads.reshape(batch, n, num_heads * d_head)

    return _Heads(d_model, num_heads, dropout, merge=glue)


def forgets_w_o(d_model, num_heads, dropout=0.0):
    """The last product, with W_O, is missing."""
    return _Heads(d_model, num_heads, dropout, mix=lambda heads, W_O: heads)


def reads_true_as_hidden(d_model, num_heads, dropout=0.0):
    """It reads True as "hidden", as nn.MultiheadAttention does; here True means "may attend"."""
    return _Heads(
        d_model, num_heads, dropout, hide=lambda scores, mask: scores.masked_fill(mask, -math.inf)
    )


def ignores_the_mask(d_model, num_heads, dropout=0.0):
    """The mask is not used."""
    return _Heads(d_model, num_heads, dropout, hide=lambda scores, mask: scores)


def adds_the_mask(d_model, num_heads, dropout=0.0):
    """It adds the mask as 1 and 0: that hides nothing."""
    return _Heads(d_model, num_heads, dropout, hide=lambda scores, mask: scores + mask)


def hides_with_a_number(d_model, num_heads, dropout=0.0):
    """It hides with -1e9: a row that sees nothing then shares out evenly."""
    return _Heads(
        d_model, num_heads, dropout, hide=lambda scores, mask: scores.masked_fill(~mask, -1e9)
    )


def empty_rows_nan(d_model, num_heads, dropout=0.0):
    """A row that may look at nothing becomes 0/0, not a number; zeros are wanted."""
    return _Heads(d_model, num_heads, dropout, normalise=lambda scores: torch.softmax(scores, -1))


def cleaned_too_late(d_model, num_heads, dropout=0.0):
    """NaN is replaced by 0 in the result: the gradient still runs through the NaN."""

    module = _Heads(
        d_model,
        num_heads,
        dropout,
        normalise=lambda scores: torch.softmax(scores, -1),
        clean=lambda heads: heads.nan_to_num(0.0),
    )
    module.register_forward_hook(lambda _, __, result: (result[0], result[1].nan_to_num(0.0)))
    return module


def always_drops(d_model, num_heads, dropout=0.0):
    """It drops weights in eval mode too: ask self.training."""
    return _Heads(d_model, num_heads, dropout, drop=lambda w, p, _: F.dropout(w, p, True))


def never_drops(d_model, num_heads, dropout=0.0):
    """The argument dropout is not used."""
    return _Heads(d_model, num_heads)


def does_not_make_up(d_model, num_heads, dropout=0.0):
    """It sets weights to 0, but does not divide the others by 1 - dropout."""

    def drop(weights, p, training):
        return weights * (torch.rand_like(weights) >= p) if training else weights

    return _Heads(d_model, num_heads, dropout, drop=drop)


MultiHeadAttention = Exercise(
    name="lesson09.MultiHeadAttention",
    reference=MultiHeadAttention,
    inputs=_module_inputs,
    runner=_driven,
    returns=("output", "weights", "gradient of X"),
    hints=(
        "In __init__: super().__init__(), keep num_heads and dropout, and make four parameters "
        "W_Q, W_K, W_V, W_O with nn.Parameter(torch.randn(d_model, d_model)).",
        "In forward: project, cut into heads with reshape(batch, n, num_heads, -1) and "
        "transpose(1, 2), score, hide with masked_fill(~mask, -math.inf), softmax.",
        "Rows of nothing but -inf: put zeros into them before the softmax, so that no NaN ever "
        "arises, and zeros into their weights after it.",
        "F.dropout(weights, self.dropout, self.training), then weights @ V, "
        "transpose(1, 2).reshape(batch, n, d_model), @ self.W_O. Return output and weights.",
    ),
    wrong=(
        scales_by_d_model,
        used_transposed,
        cuts_by_reshape,
        glues_by_reshape,
        forgets_w_o,
        reads_true_as_hidden,
        ignores_the_mask,
        adds_the_mask,
        hides_with_a_number,
        empty_rows_nan,
        cleaned_too_late,
        always_drops,
        never_drops,
        does_not_make_up,
    ),
    points=3,
)
