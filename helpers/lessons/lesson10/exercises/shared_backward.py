"""Exercise: the backward pass where several heads share their keys and values."""

import numpy as np

from helpers import numpy_attention as attention
from helpers.course.exercise import Exercise


def shared_backward(d_output, Q, K, V):
    """Keys and values were used once a head, so a slope comes back from each, and they add up."""
    root = Q.shape[-1] ** 0.5
    weights = attention.softmax(Q @ K.T / root)  # (heads, n_q, n_k)
    d_scores = attention.softmax_backward(weights, d_output @ V.T) / root
    dK = (d_scores.swapaxes(-1, -2) @ Q).sum(axis=0)  # (n_k, d_k)
    return d_scores @ K, dK, (weights.swapaxes(-1, -2) @ d_output).sum(axis=0)


def _shared_inputs(rng):
    def case(heads, n_q, n_k, d_k, d_v):
        shapes = {
            "d_output": (heads, n_q, d_v),
            "Q": (heads, n_q, d_k),
            "K": (n_k, d_k),
            "V": (n_k, d_v),
        }
        return {name: rng.normal(size=shape).round(2) for name, shape in shapes.items()}

    return (
        case(2, 1, 2, 2, 2),
        case(3, 4, 5, 2, 3),
        case(3, 3, 3, 3, 3),
        case(1, 2, 4, 3, 2),
        case(4, 3, 6, 5, 2),
    )


def _one_a_head(d_output, Q, K, V):
    """The three gradients with keys and values of each head apart."""
    shared = (np.broadcast_to(A, (len(Q), *A.shape)) for A in (K, V))
    return attention.scaled_dot_product_attention_backward(d_output, Q, *shared)


def averaged(d_output, Q, K, V):
    """It averages over the heads; slopes of several uses add up."""
    dQ, dK, dV = _one_a_head(d_output, Q, K, V)
    return dQ, dK.mean(axis=0), dV.mean(axis=0)


def first_head_only(d_output, Q, K, V):
    """It takes the slope that comes back from the first head and forgets the others."""
    dQ, dK, dV = _one_a_head(d_output, Q, K, V)
    return dQ, dK[0], dV[0]


def queries_added_up(d_output, Q, K, V):
    """It treats all heads as one with the average of their queries; each has its own weights."""
    dQ, dK, dV = _one_a_head(d_output, np.broadcast_to(Q.mean(axis=0), Q.shape), K, V)
    return dQ, dK.sum(axis=0), dV.sum(axis=0)


def only_values_added_up(d_output, Q, K, V):
    """It adds up the slopes of the values and averages those of the keys."""
    dQ, dK, dV = _one_a_head(d_output, Q, K, V)
    return dQ, dK.mean(axis=0), dV.sum(axis=0)


shared_backward = Exercise(
    name="lesson10.shared_backward",
    reference=shared_backward,
    inputs=_shared_inputs,
    returns=("dQ", "dK", "dV"),
    hints=(
        "Write it for one head first. What would change if each head had a copy of the keys?",
        "The copies are one array that was used several times. What did X get back, which was "
        "used four times?",
        "np.broadcast_to(K, (heads, n_k, d_k)) gives each head the same keys; the slopes of the "
        "heads are then added up along the first axis.",
    ),
    wrong=(averaged, first_head_only, queries_added_up, only_values_added_up),
)
