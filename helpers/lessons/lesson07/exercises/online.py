"""Exercise 4 of lesson 07: online softmax with a mask."""

import math

import numpy as np

from helpers.course.exercise import Exercise


def online_softmax(Q, K, V, block_size, mask=None):
    """Compute attention while the keys pass by in blocks."""
    largest = np.full((len(Q), 1), -np.inf)
    total = np.zeros((len(Q), 1))
    mixed = np.zeros((len(Q), V.shape[1]))
    for start in range(0, len(K), block_size):
        keys = slice(start, start + block_size)
        scores = Q @ K[keys].T / Q.shape[1] ** 0.5  # (n_q, block)
        if mask is not None:
            scores = np.where(mask[:, keys], scores, -np.inf)
        new = np.maximum(largest, scores.max(axis=1, keepdims=True))
        level = np.where(new == -np.inf, 0.0, new)  # nothing seen yet
        shrink, exponentials = np.exp(largest - level), np.exp(scores - level)
        total = total * shrink + exponentials.sum(axis=1, keepdims=True)
        mixed = mixed * shrink + exponentials @ V[keys]
        largest = new
    return mixed / total


def _online_inputs(rng):
    def draw(n_q, n_k, d_k, d_v, block_size, **mask):
        shapes = {"Q": (n_q, d_k), "K": (n_k, d_k), "V": (n_k, d_v)}
        arrays = {name: rng.normal(size=shape).round(2) for name, shape in shapes.items()}
        return arrays | {"block_size": block_size} | mask

    def column(queries, keys, block_size, **mask):
        """Queries and keys of width 1: every score is a product of two numbers."""
        Q, K = np.array(queries)[:, None], np.array(keys)[:, None]
        V = np.arange(2.0 * len(K)).reshape(-1, 2)
        return {"Q": Q, "K": K, "V": V, "block_size": block_size} | mask

    first_two_hidden = np.array([[False, False, True, True]])
    middle = np.array([[1, 1, 0, 0, 1, 0], [1, 0, 0, 0, 0, 0], [0, 1, 1, 1, 0, 0]], dtype=bool)
    return (
        draw(3, 2, 2, 2, 2),
        column([1.0], [0.0, 1.0, 3.0, 4.0], 2),
        column([1.0], [4.0, 3.0, 1.0, 0.0], 2),
        draw(3, 4, 4, 2, 2),
        draw(2, 7, 3, 2, 3),
        draw(3, 11, 4, 2, 5),
        draw(2, 4, 3, 4, 64),
        draw(1, 5, 2, 3, 1),
        draw(3, 3, 3, 3, 3),
        # the scores below are exact in float32 as well
        column([32.0], [-30.0, -31.0, -30.0625, -30.03125], 2),
        column([128.0], [30.0, 30.0078125, 29.9921875, 10.0], 2),
        column([1.0, 512.0, -512.0], [2.0, 3.0, 2.9921875, 2.0078125, 3.0], 2),
        column([128.0], [-160.0, -160.0078125, 0.0, -160.0], 2, mask=np.array([[1, 1, 0, 1]]) > 0),
        column([32.0], [9.0, 8.0, -40.0, -40.03125], 2, mask=first_two_hidden),
        draw(4, 4, 3, 2, 2, mask=np.tri(4, dtype=bool)),
        draw(2, 6, 3, 2, 2, mask=np.array([[0, 0, 1, 1, 1, 0], [0, 0, 0, 0, 1, 1]], bool)),
        draw(3, 6, 4, 5, 2, mask=middle),
    )


def _in_blocks(
    Q,
    K,
    V,
    block_size,
    mask=None,
    start_at=-np.inf,
    total_shrinks=True,
    mixed_shrinks=True,
    upside_down=False,
    guarded=True,
    scale=None,
):
    """Attention in blocks with one part exchanged; returns total and mixed before the division."""
    largest = np.full((len(Q), 1), start_at)
    total, mixed = np.zeros((len(Q), 1)), np.zeros((len(Q), V.shape[1]))
    for start in range(0, len(K), block_size):
        keys = slice(start, start + block_size)
        scores = Q @ K[keys].T / (math.sqrt(Q.shape[1]) if scale is None else scale)
        if mask is not None:
            scores = np.where(mask[:, keys], scores, -np.inf)
        new = np.maximum(largest, scores.max(axis=1, keepdims=True))
        level = np.where(new == -np.inf, 0.0, new) if guarded else new
        shrink = np.exp(largest - level)
        if upside_down:
            shrink = np.where(largest == -np.inf, 0.0, np.exp(level - largest))
        exponentials = np.exp(scores - level)
        total = total * (shrink if total_shrinks else 1) + exponentials.sum(1, keepdims=True)
        mixed = mixed * (shrink if mixed_shrinks else 1) + exponentials @ V[keys]
        largest = new
    return total, mixed


def never_shrinks(Q, K, V, block_size, mask=None):
    """What was added before a larger score came is not shrunk to the new level."""
    total, mixed = _in_blocks(Q, K, V, block_size, mask, total_shrinks=False, mixed_shrinks=False)
    return mixed / total


def only_the_total_shrinks(Q, K, V, block_size, mask=None):
    """The total shrinks when a larger score comes, the weighted sum of values does not."""
    total, mixed = _in_blocks(Q, K, V, block_size, mask, mixed_shrinks=False)
    return mixed / total


def only_the_values_shrink(Q, K, V, block_size, mask=None):
    """The weighted sum of values shrinks when a larger score comes, the total does not."""
    total, mixed = _in_blocks(Q, K, V, block_size, mask, total_shrinks=False)
    return mixed / total


def shrinks_upside_down(Q, K, V, block_size, mask=None):
    """The factor is upside down: it must be exp(old - new), which is at most 1."""
    total, mixed = _in_blocks(Q, K, V, block_size, mask, upside_down=True)
    return mixed / total


def starts_at_zero(Q, K, V, block_size, mask=None):
    """The running maximum starts too high: where all scores lie far below, everything vanishes."""
    total, mixed = _in_blocks(Q, K, V, block_size, mask, start_at=0.0)
    return mixed / total


def starts_at_zero_and_hides_it(Q, K, V, block_size, mask=None):
    """The running maximum starts too high, at 0 perhaps, and 0/0 is covered up by zeros."""
    total, mixed = _in_blocks(Q, K, V, block_size, mask, start_at=0.0)
    return mixed / np.where(total == 0, 1.0, total)


def hidden_block_gives_nan(Q, K, V, block_size, mask=None):
    """A first block that is hidden whole gives infinity minus infinity, and NaN for ever."""
    total, mixed = _in_blocks(Q, K, V, block_size, mask, guarded=False)
    return mixed / total


def averages_the_blocks(Q, K, V, block_size, mask=None):
    """It takes a softmax inside each block and averages the results; blocks are not equal."""
    outputs = []
    for start in range(0, len(K), block_size):
        keys = slice(start, start + block_size)
        seen = None if mask is None else mask[:, keys]
        total, mixed = _in_blocks(Q, K[keys], V[keys], block_size, seen)
        outputs.append(mixed / np.where(total == 0, 1.0, total))
    return np.mean(outputs, axis=0)


def not_divided(Q, K, V, block_size, mask=None):
    """The division by the total is missing at the end."""
    return _in_blocks(Q, K, V, block_size, mask)[1]


def last_block_dropped(Q, K, V, block_size, mask=None):
    """A last block that is shorter than the others is never visited."""
    stop = len(K) // block_size * block_size
    total, mixed = _in_blocks(Q, K[:stop], V[:stop], block_size, mask)
    return mixed / total


def no_running_maximum(Q, K, V, block_size, mask=None):
    """There is no running maximum: exp of a large score is too large for a float."""
    scores = Q @ K.T / math.sqrt(Q.shape[1])
    exponentials = np.exp(scores if mask is None else np.where(mask, scores, -np.inf))
    return exponentials @ V / exponentials.sum(axis=1, keepdims=True)


def block_not_scaled(Q, K, V, block_size, mask=None):
    """The scores are not divided by the square root of d_k."""
    total, mixed = _in_blocks(Q, K, V, block_size, mask, scale=1.0)
    return mixed / total


def blocks_ignore_the_mask(Q, K, V, block_size, mask=None):
    """The mask is not used."""
    total, mixed = _in_blocks(Q, K, V, block_size)
    return mixed / total


def blocks_hide_what_is_true(Q, K, V, block_size, mask=None):
    """It reads True in the mask as "hide"; here True means "may attend"."""
    total, mixed = _in_blocks(Q, K, V, block_size, None if mask is None else ~mask)
    return mixed / np.where(total == 0, 1.0, total)


def one_maximum_for_all(Q, K, V, block_size, mask=None):
    """It takes one maximum for all queries: where a row lies far below it, everything vanishes."""
    scores = Q @ K.T / math.sqrt(Q.shape[1])
    scores = scores if mask is None else np.where(mask, scores, -np.inf)
    exponentials = np.exp(scores - scores.max())
    return exponentials @ V / exponentials.sum(axis=1, keepdims=True)


def maxima_in_a_row(Q, K, V, block_size, mask=None):
    """The maxima of the rows need a column, [:, None]: as a row they are taken from the keys."""
    largest, total, mixed = np.full(len(Q), -np.inf), np.zeros(len(Q)), np.zeros(V.shape[1])
    for start in range(0, len(K), block_size):
        keys = slice(start, start + block_size)
        scores = Q @ K[keys].T / math.sqrt(Q.shape[1])
        scores = scores if mask is None else np.where(mask[:, keys], scores, -np.inf)
        new = np.maximum(largest, scores.max(axis=1))
        level = np.where(new == -np.inf, 0.0, new)
        shrink, exponentials = np.exp(largest - level), np.exp(scores - level)
        total = total * shrink + exponentials.sum(axis=1)
        mixed = (mixed.T * shrink).T + exponentials @ V[keys]
        largest = new
    return (mixed.T / total).T


def blocks_hide_with_too_little(Q, K, V, block_size, mask=None):
    """It hides with -1e4: a score that may be seen can lie below that."""
    scores = Q @ K.T / math.sqrt(Q.shape[1])
    scores = scores if mask is None else np.where(mask, scores, -1e4)
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    return exponentials @ V / exponentials.sum(axis=1, keepdims=True)


online_softmax = Exercise(
    name="lesson07.online_softmax",
    reference=online_softmax,
    inputs=_online_inputs,
    hints=(
        "Keep three things a query: the largest score so far, the total of the exponentials, and "
        "the values mixed by them. What must happen to the last two when the first one grows?",
        "For each block: new = the larger of the old maximum and the block's. Multiply total and "
        "mixed by exp(old - new), then add the block's exp(scores - new). Divide at the very end.",
        "Start the maximum at -inf, not at 0. A query that has seen nothing yet still has -inf "
        "after the block: subtract 0 there, or infinity minus infinity turns into NaN.",
    ),
    wrong=(
        never_shrinks,
        only_the_total_shrinks,
        only_the_values_shrink,
        shrinks_upside_down,
        starts_at_zero,
        starts_at_zero_and_hides_it,
        hidden_block_gives_nan,
        averages_the_blocks,
        not_divided,
        last_block_dropped,
        no_running_maximum,
        block_not_scaled,
        blocks_ignore_the_mask,
        blocks_hide_what_is_true,
        one_maximum_for_all,
        maxima_in_a_row,
        blocks_hide_with_too_little,
    ),
    points=2,
)
