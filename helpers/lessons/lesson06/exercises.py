"""Exercises of lesson 06: many heads."""

import math

import numpy as np

from helpers.course.exercise import Exercise, must_raise


def _coloured(got, want):
    """Draw which number is in which head, in the result that came back and in the wanted one."""
    from helpers.lessons.lesson06.figures import landing

    whole = np.concatenate(list(want[0]), axis=-1)  # (n, d_model)
    return landing(whole, {"wanted": want[0], "came back": got[0]})


def _numbered(*shape):
    """Numbers that say where they are: token 2, column 3 holds 23."""
    batch, n, width = shape
    return 100.0 * np.arange(batch)[:, None, None] + 10.0 * np.arange(n)[:, None] + np.arange(width)


# ------------------------------------------------------------------------------- split_heads


def split_heads(X, num_heads):
    """Give each head its own columns of every token."""
    batch, n, d_model = X.shape
    if d_model % num_heads:
        raise ValueError(f"{num_heads} heads cannot share {d_model} columns equally")
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
        must_raise(ValueError, X=rng.normal(size=(1, 2, 6)).round(2), num_heads=4),
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
)

# ------------------------------------------------------------------------------- merge_heads


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
)

# ---------------------------------------------------------------------- multi_head_attention


def multi_head_attention(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """Attend with several heads, merge them, mix them with W_O."""
    batch, n, d_model = X.shape
    d_head = d_model // num_heads
    Q, K, V = (
        (X @ W).reshape(batch, n, num_heads, d_head).transpose(0, 2, 1, 3) for W in (W_Q, W_K, W_V)
    )
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(d_head)  # (batch, num_heads, n, n)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exps / exps.sum(axis=-1, keepdims=True)
    heads = weights @ V  # (batch, num_heads, n, d_head)
    return heads.transpose(0, 2, 1, 3).reshape(batch, n, d_model) @ W_O


def _output_alone(answer, X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """Call the answer; if it hands back weights beside the output, leave them aside."""
    arguments = (X, W_Q, W_K, W_V, W_O, num_heads)
    result = answer(*arguments) if mask is None else answer(*arguments, mask)
    return result[0] if isinstance(result, tuple) and len(result) == 2 else result


def _multi_head_inputs(rng):
    def draw(batch, n, d_model, num_heads, **mask):
        X = rng.normal(size=(batch, n, d_model)).round(1)
        matrices = {
            name: rng.normal(size=(d_model, d_model)).round(1)
            for name in ("W_Q", "W_K", "W_V", "W_O")
        }
        return {"X": X} | matrices | {"num_heads": num_heads} | mask

    padding = np.array([[True, True, False], [True, False, False], [True, True, True]])
    return (
        draw(1, 3, 4, 2),
        draw(1, 3, 6, 3),
        draw(2, 3, 4, 1),
        draw(2, 5, 8, 2),
        draw(1, 4, 6, 2, mask=np.tri(4, dtype=bool)),
        draw(3, 3, 6, 3, mask=padding[:, None, None, :]),
        draw(1, 7, 15, 5),
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


multi_head_attention = Exercise(
    name="lesson06.multi_head_attention",
    reference=multi_head_attention,
    inputs=_multi_head_inputs,
    runner=_output_alone,
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
    ),
    points=2,
)

# ----------------------------------------------------------------------------- multi_head_cost


def multi_head_cost(n, d_model, num_heads):
    """Count parameters, floating-point operations and numbers in the score matrices."""
    parameters = 4 * d_model**2  # W_Q, W_K, W_V, W_O
    projections = 2 * n * parameters
    d_head = d_model // num_heads
    one_head = 2 * n * n * d_head  # Q @ K.T, and as much again for weights @ V
    return parameters, projections + 2 * num_heads * one_head, num_heads * n * n


def _cost_inputs(rng):
    return (
        {"n": 10, "d_model": 8, "num_heads": 1},
        {"n": 10, "d_model": 8, "num_heads": 2},
        {"n": 512, "d_model": 512, "num_heads": 8},
        {"n": 4096, "d_model": 768, "num_heads": 12},
        {"n": int(rng.integers(20, 200)), "d_model": 96, "num_heads": 6},
    )


def times_the_heads(n, d_model, num_heads):
    """It counts four full matrices for every head; the heads share the columns of one set."""
    parameters = 4 * d_model**2 * num_heads
    return parameters, 2 * n * parameters + 4 * n * n * d_model * num_heads, num_heads * n * n


def full_width_heads(n, d_model, num_heads):
    """It gives every head the full width d_model; a head is only d_model / num_heads wide."""
    flops = 8 * n * d_model**2 + 4 * n * n * d_model * num_heads
    return 4 * d_model**2, flops, num_heads * n * n


def without_w_o(n, d_model, num_heads):
    """W_O is missing, among the parameters and in the operations."""
    return 3 * d_model**2, 6 * n * d_model**2 + 4 * n * n * d_model, num_heads * n * n


def one_a_pair(n, d_model, num_heads):
    """A product and its addition are counted as one operation; they are two."""
    return 4 * d_model**2, 4 * n * d_model**2 + 2 * n * n * d_model, num_heads * n * n


def one_score_matrix(n, d_model, num_heads):
    """It counts one score matrix; every head has its own."""
    return 4 * d_model**2, 8 * n * d_model**2 + 4 * n * n * d_model, n * n


def a_part_of_the_matrix(n, d_model, num_heads):
    """It cuts the score matrix into heads; the width is cut, each head's matrix is a full n x n."""
    return 4 * d_model**2, 8 * n * d_model**2 + 4 * n * n * d_model, n * n // num_heads


def without_the_values(n, d_model, num_heads):
    """It counts the scores and forgets the product of the weights with V."""
    return 4 * d_model**2, 8 * n * d_model**2 + 2 * n * n * d_model, num_heads * n * n


multi_head_cost = Exercise(
    name="lesson06.multi_head_cost",
    reference=multi_head_cost,
    inputs=_cost_inputs,
    returns=("parameters", "flops", "score numbers"),
    hints=(
        "Parameters: which four matrices are there, and how large is each? Does cutting columns "
        "into heads change that?",
        "A product of an (a, b) with a (b, c) matrix takes 2·a·b·c operations. Four such products "
        "are projections, of (n, d_model) with (d_model, d_model).",
        "In each head: (n, d_head) with (d_head, n), then (n, n) with (n, d_head). Add up all "
        "heads. Each head has a score matrix of n·n numbers.",
    ),
    wrong=(
        times_the_heads,
        full_width_heads,
        without_w_o,
        one_a_pair,
        one_score_matrix,
        a_part_of_the_matrix,
        without_the_values,
    ),
)
