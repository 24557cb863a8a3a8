"""Exercise 4 of lesson 09: a whole layer, in PyTorch, which is imported when it is needed."""

import importlib
import math

from helpers.course.exercise import Exercise
from helpers.lessons.lesson09.exercises.inputs import inputs
from helpers.lessons.lesson09.exercises.runners import MATRICES, driven

_HERE = __name__.rpartition(".")[0]


class _Later:
    """A class that is imported when it is first used, so that the lesson opens without PyTorch."""

    def __init__(self, module, name):
        self.__module__, self.__name__ = module, name

    def __call__(self, *arguments, **named):
        return self.__wrapped__(*arguments, **named)

    @property
    def __wrapped__(self):
        return getattr(importlib.import_module(self.__module__), self.__name__)


def _changed(d_model, num_heads, dropout, **steps):
    from helpers.lessons.lesson09.exercises.changed import Changed

    return Changed(d_model, num_heads, dropout, **steps)


def _dropped(weights, p):
    import torch.nn.functional as F

    return F.dropout(weights, p, True)


def scales_by_d_model(d_model, num_heads, dropout=0.0):
    """It divides by the square root of d_model; the queries of a head are only d_head long."""
    return _changed(d_model, num_heads, dropout, width=d_model)


def used_transposed(d_model, num_heads, dropout=0.0):
    """It uses the matrices as X @ W.T; here they are used as X @ W."""

    def turned(X, W):
        return X @ W.T

    return _changed(d_model, num_heads, dropout, use=turned, mix=turned)


def cuts_by_reshape(d_model, num_heads, dropout=0.0):
    """It cuts into heads with a reshape alone: a head gets whole tokens, not columns."""

    def cut(X, num_heads):
        batch, n, d_model = X.shape
        return X.reshape(batch, num_heads, n, d_model // num_heads)

    return _changed(d_model, num_heads, dropout, split=cut)


def glues_by_reshape(d_model, num_heads, dropout=0.0):
    """It merges with a reshape alone: rows of one head are glued to each other."""

    def glue(heads):
        batch, num_heads, n, d_head = heads.shape
        return heads.reshape(batch, n, num_heads * d_head)

    return _changed(d_model, num_heads, dropout, merge=glue)


def forgets_w_o(d_model, num_heads, dropout=0.0):
    """The last product, with W_O, is missing."""
    return _changed(d_model, num_heads, dropout, mix=lambda heads, W_O: heads)


def reads_true_as_hidden(d_model, num_heads, dropout=0.0):
    """It reads True as "hidden", as nn.MultiheadAttention does; here True means "may attend"."""
    return _changed(
        d_model, num_heads, dropout, hide=lambda scores, mask: scores.masked_fill(mask, -math.inf)
    )


def ignores_the_mask(d_model, num_heads, dropout=0.0):
    """The mask is not used."""
    return _changed(d_model, num_heads, dropout, hide=lambda scores, mask: scores)


def adds_the_mask(d_model, num_heads, dropout=0.0):
    """It adds the mask as 1 and 0: that hides nothing."""
    return _changed(d_model, num_heads, dropout, hide=lambda scores, mask: scores + mask)


def hides_with_a_number(d_model, num_heads, dropout=0.0):
    """A row that sees nothing shares out evenly, as after hiding with -1e9; zeros are wanted."""
    return _changed(
        d_model, num_heads, dropout, hide=lambda scores, mask: scores.masked_fill(~mask, -1e9)
    )


def empty_rows_nan(d_model, num_heads, dropout=0.0):
    """A row that may look at nothing becomes 0/0, not a number; zeros are wanted."""
    return _changed(d_model, num_heads, dropout, normalise=lambda scores: scores.softmax(-1))


def cleaned_too_late(d_model, num_heads, dropout=0.0):
    """NaN is replaced by 0 in the result: the gradient still runs through the NaN."""

    module = _changed(
        d_model,
        num_heads,
        dropout,
        normalise=lambda scores: scores.softmax(-1),
        clean=lambda heads: heads.nan_to_num(0.0),
    )
    module.register_forward_hook(lambda _, __, result: (result[0], result[1].nan_to_num(0.0)))
    return module


def always_drops(d_model, num_heads, dropout=0.0):
    """It drops weights in evaluation mode: ask self.training."""
    return _changed(d_model, num_heads, dropout, drop=lambda w, p, training: _dropped(w, p))


def never_drops(d_model, num_heads, dropout=0.0):
    """The argument dropout is not used."""
    return _changed(d_model, num_heads)


def does_not_make_up(d_model, num_heads, dropout=0.0):
    """It sets weights to 0, but does not divide the others by 1 - dropout."""

    def drop(weights, p, training):
        return _dropped(weights, p) * (1 - p) if training else weights

    return _changed(d_model, num_heads, dropout, drop=drop)


def cut_off_from_learning(d_model, num_heads, dropout=0.0):
    """It uses .data or .detach(): no gradient comes back to the matrices, so they cannot learn."""
    return _changed(
        d_model, num_heads, dropout, use=lambda X, W: X @ W.data, mix=lambda X, W: X @ W.data
    )


def frozen(d_model, num_heads, dropout=0.0):
    """The parameters are made with requires_grad=False: no training would ever change them."""
    return _changed(d_model, num_heads, dropout).requires_grad_(False)


def starts_from_zero(d_model, num_heads, dropout=0.0):
    """All parameters start at 0: every gradient is then 0 as well, and nothing is ever learned."""
    module = _changed(d_model, num_heads, dropout)
    for parameter in module.parameters():
        parameter.data.zero_()
    return module


def keeps_the_first_mask(d_model, num_heads, dropout=0.0):
    """It keeps the mask of the first call and uses it again in every other."""
    kept = []

    def hide(scores, mask):
        kept.append(mask)
        return scores.masked_fill(~kept[0], -math.inf)

    return _changed(d_model, num_heads, dropout, hide=hide)


def one_mask_for_all_heads(d_model, num_heads, dropout=0.0):
    """It reads the mask of the first head for all: a mask may have an axis for the heads."""

    def hide(scores, mask):
        own = mask[:, :1] if mask.dim() == 4 else mask[:1] if mask.dim() == 3 else mask
        return scores.masked_fill(~own, -math.inf)

    return _changed(d_model, num_heads, dropout, hide=hide)


def without_maximum(d_model, num_heads, dropout=0.0):
    """It takes exp of the raw scores: a large score is too large for a float."""

    def shares(scores):
        total = scores.exp().sum(dim=-1, keepdim=True)
        return scores.exp() / total.where(total != 0, total + 1)

    return _changed(d_model, num_heads, dropout, normalise=shares)


def hides_with_too_little(d_model, num_heads, dropout=0.0):
    """It hides with -1e4: a score that may be seen can lie below that."""

    def shares(scores):
        hidden = (scores == -1e4).all(dim=-1, keepdim=True)
        return scores.softmax(-1).masked_fill(hidden, 0.0)

    return _changed(
        d_model, num_heads, dropout, normalise=shares,
        hide=lambda scores, mask: scores.masked_fill(~mask, -1e4),
    )  # fmt: skip


def drops_the_output(d_model, num_heads, dropout=0.0):
    """It drops numbers of the output or the values, or returns the weights before dropout."""
    return _changed(
        d_model, num_heads, dropout, drop=lambda w, p, training: w,
        finish=lambda output, p, training: _dropped(output, p) if training else output,
    )  # fmt: skip


def always_a_half(d_model, num_heads, dropout=0.0):
    """It drops half of the weights whatever dropout says; 0.5 is only F.dropout's own default."""
    return _changed(
        d_model, num_heads, 0.5, drop=lambda w, p, training: _dropped(w, p) if training else w
    )


def keeps_that_share(d_model, num_heads, dropout=0.0):
    """It takes dropout for the share that stays; it is the share that goes."""
    return _changed(
        d_model, num_heads, dropout,
        drop=lambda w, p, training: _dropped(w, 1 - p) if training else w,
    )  # fmt: skip


def divides_by_dropout(d_model, num_heads, dropout=0.0):
    """It divides the weights that stay by dropout; the share that stays is 1 - dropout."""

    def drop(weights, p, training):
        return _dropped(weights, p) * (1 - p) / p if training and p else weights

    return _changed(d_model, num_heads, dropout, drop=drop)


def drops_whole_rows(d_model, num_heads, dropout=0.0):
    """It drops several weights together, a row, a head, a batch; each has a chance of its own."""

    def drop(weights, p, training):
        return weights * _dropped(weights[..., :1] * 0 + 1, p) if training else weights

    return _changed(d_model, num_heads, dropout, drop=drop)


MultiHeadAttention = Exercise(
    name="lesson09.MultiHeadAttention",
    reference=_Later(f"{_HERE}.reference", "MultiHeadAttention"),
    inputs=inputs,
    runner=driven,
    returns=("output", "weights", *(f"{name}.grad" for name in ("X", *MATRICES))),
    hints=(
        "In __init__: super().__init__(), keep num_heads and dropout, and make four parameters "
        "W_Q, W_K, W_V, W_O with nn.Parameter(torch.randn(d_model, d_model)).",
        "In forward: project, cut into heads with reshape(batch, n, num_heads, -1) and "
        "transpose(1, 2), score, hide with masked_fill(~mask, -torch.inf), softmax.",
        "Rows of nothing but -inf: put zeros into them before the softmax, so that no NaN ever "
        "arises, and zeros into their weights after it.",
        "torch.nn.functional.dropout(weights, self.dropout, self.training), then weights @ V, "
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
        hides_with_too_little,
        empty_rows_nan,
        cleaned_too_late,
        without_maximum,
        keeps_the_first_mask,
        one_mask_for_all_heads,
        cut_off_from_learning,
        frozen,
        starts_from_zero,
        always_drops,
        never_drops,
        does_not_make_up,
        drops_the_output,
        always_a_half,
        keeps_that_share,
        divides_by_dropout,
        drops_whole_rows,
    ),
    points=3,
)
