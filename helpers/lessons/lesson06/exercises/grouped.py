"""Exercise of lesson 06: several heads of queries share one head of keys and values."""

import math

import numpy as np

from helpers import numpy_attention as attention
from helpers.course.exercise import Example, Exercise


def grouped_attention(Q, K, V):
    """Attend with more heads of queries than of keys; neighbours share one."""
    repeats = len(Q) // len(K)
    K, V = np.repeat(K, repeats, axis=0), np.repeat(V, repeats, axis=0)  # (num_heads, n, d_head)
    return attention.scaled_dot_product_attention(Q, K, V)[0]


def _grouped_inputs(rng):
    def draw(num_heads, groups, n, d_head, size=1.0):
        shapes = (num_heads, n, d_head), (groups, n, d_head), (groups, n, d_head)
        values = [
            rng.normal(scale=s, size=shape).round(1)
            for shape, s in zip(shapes, (size, size, 1), strict=True)
        ]
        return dict(zip(("Q", "K", "V"), values, strict=True))

    return (
        {
            "Q": np.zeros((4, 1, 1)),
            "K": np.zeros((2, 1, 1)),
            "V": np.array([[[1.0]], [[2.0]]]),
        },
        draw(4, 2, 3, 2),
        draw(6, 2, 4, 3),
        draw(6, 3, 4, 4),
        draw(3, 3, 2, 4),
        draw(4, 1, 3, 4),
        draw(4, 2, 3, 4, size=40.0),
    )


def _shared(Q, K, V, pick, width=None, axis=-1):
    """Grouped attention in which `pick` says which keys a head uses."""
    own = [pick(h, len(Q) // len(K), len(K)) for h in range(len(Q))]
    K, V = K[own], V[own]
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(width or Q.shape[-1])
    exps = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True) @ V


def _neighbours(h, repeats, groups):
    return h // repeats


def deals_the_groups_out(Q, K, V):
    """Heads 0, 1, 2, … take groups 0, 1, 0, 1, … in turn; heads that share stand side by side."""
    return _shared(Q, K, V, lambda h, repeats, groups: h % groups)


def all_use_the_first(Q, K, V):
    """Every head uses the first head of keys and values."""
    return _shared(Q, K, V, lambda h, repeats, groups: 0)


def scaled_by_the_whole(Q, K, V):
    """It divides by the square root of the width of all heads; a query is only d_head long."""
    return _shared(Q, K, V, _neighbours, width=len(Q) * Q.shape[-1])


def not_scaled(Q, K, V):
    """The scores are not divided by the square root of d_head."""
    return _shared(Q, K, V, _neighbours, width=1)


def queries_averaged(Q, K, V):
    """It averages the queries of a group; each of them has to ask for itself."""
    repeats = len(Q) // len(K)
    means = Q.reshape(len(K), repeats, *Q.shape[1:]).mean(axis=1)
    return _shared(np.repeat(means, repeats, axis=0), K, V, _neighbours)


def only_as_many_as_groups(Q, K, V):
    """It answers only as many heads as there are groups."""
    return _shared(Q[: len(K)], K, V, lambda h, repeats, groups: h)


def softmax_over_queries(Q, K, V):
    """The softmax runs over the queries: the columns add up to 1, not the rows."""
    return _shared(Q, K, V, _neighbours, axis=-2)


def without_the_maximum(Q, K, V):
    """It takes exp of the raw scores: a large score is too large for a float."""
    repeats = len(Q) // len(K)
    K, V = np.repeat(K, repeats, axis=0), np.repeat(V, repeats, axis=0)
    exps = np.exp(Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1]))
    return exps / exps.sum(axis=-1, keepdims=True) @ V


grouped_attention = Exercise(
    name="lesson06.grouped_attention",
    reference=grouped_attention,
    inputs=_grouped_inputs,
    hints=(
        "How many heads of queries share one head of keys? len(Q) // len(K).",
        "Make K and V as long as Q: each of their heads several times, one after the other. Which "
        "NumPy function repeats 0, 1 as 0, 0, 1, 1?",
        "np.repeat(K, len(Q) // len(K), axis=0), and V alike. Then "
        "attention.scaled_dot_product_attention(Q, K, V)[0].",
    ),
    wrong=(
        deals_the_groups_out,
        all_use_the_first,
        scaled_by_the_whole,
        not_scaled,
        queries_averaged,
        only_as_many_as_groups,
        softmax_over_queries,
        without_the_maximum,
    ),
    examples=(
        Example(
            {
                "Q": np.zeros((4, 1, 1)),
                "K": np.zeros((2, 1, 1)),
                "V": np.array([[[1.0]], [[2.0]]]),
            },
            ("1, 1, 2, 2",),
            lambda heads: heads[:, 0, 0],
        ),
    ),
)
