"""Wrong and rival mechanisms that must break the claims of lesson 06."""

import math

import numpy as np

from helpers import numpy_attention as attention
from helpers.lessons.lesson06.experiment import ONE_ROW, Trained, train


def hardly_trained(questions, num_heads, seeds, **options) -> Trained:
    """Training that stops after five steps."""
    return train(questions, num_heads, seeds, **{**options, "steps": 5})


def two_heads_always(questions, num_heads, seeds, **options) -> Trained:
    """Training with two heads, whatever is asked for."""
    return train(questions, 2, seeds, **options)


def always_linear(questions, num_heads, seeds, **options) -> Trained:
    """Training with a linear readout, whatever is asked for."""
    return train(questions, num_heads, seeds, **{**options, "hidden": 0, "steps": 200})


def always_one_row(questions, num_heads, seeds, **options) -> Trained:
    """Training that asks both questions in one row, whatever is asked for."""
    return train(ONE_ROW, num_heads, seeds, **options)


def equal_weights(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """Heads that give every token the same weight."""
    return attention.multi_head_attention(X, 0 * W_Q, W_K, W_V, W_O, num_heads, mask)


def heads_averaged(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """Heads that all use the average of their weights."""
    weights = attention.multi_head_attention(X, W_Q, W_K, W_V, W_O, num_heads, mask)[1]
    weights = np.broadcast_to(weights.mean(axis=-3, keepdims=True), weights.shape).copy()
    V = attention.split_heads(X @ W_V, num_heads)
    return attention.merge_heads(weights @ V) @ W_O, weights


def cut_by_reshape(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """Heads that are cut and joined with a reshape alone."""
    parts = ((X @ W).reshape(num_heads, len(X), -1) for W in (W_Q, W_K, W_V))
    outputs, weights = attention.scaled_dot_product_attention(*parts, mask)
    return outputs.reshape(X.shape) @ W_O, weights


def slices_of_the_input(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """Heads that each read their own slice of X."""
    own = np.kron(np.eye(num_heads), np.ones((X.shape[-1] // num_heads,) * 2))
    return attention.multi_head_attention(X, W_Q * own, W_K * own, W_V * own, W_O, num_heads, mask)


def without_w_o(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """Heads that are joined without W_O."""
    return attention.multi_head_attention(X, W_Q, W_K, W_V, np.eye(len(W_O)), num_heads, mask)


def scaled_by_d_model(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """Heads whose scores are divided by the root of the whole width."""
    return attention.multi_head_attention(
        X, W_Q / math.sqrt(num_heads), W_K, W_V, W_O, num_heads, mask
    )


def _counted_layer(X, W_Q, W_K, W_V, W_O, num_heads, shared=False):
    Q, K, V = ((X @ W).reshape(len(X), num_heads, -1).swapaxes(0, 1) for W in (W_Q, W_K, W_V))
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])  # (num_heads, n, n)
    if shared:
        scores = scores.mean(axis=0, keepdims=True)
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exps / exps.sum(axis=-1, keepdims=True)
    return (weights @ V).swapaxes(0, 1).reshape(X.shape) @ W_O


def full_width_heads(X, W_Q, W_K, W_V, W_O, num_heads):
    """Heads that each have the full width."""
    found = [_counted_layer(X, W_Q, W_K, W_V, W_O, 1) for _ in range(num_heads)]
    return sum(found) / num_heads


def one_table_for_all(X, W_Q, W_K, W_V, W_O, num_heads):
    """Heads that share one table of scores."""
    return _counted_layer(X, W_Q, W_K, W_V, W_O, num_heads, shared=True)
