"""Wrong and rival mechanisms that must break the claims of lesson 10."""

import numpy as np

from helpers import numpy_attention as attention


def no_average(d_output, Q, K, V, mask=None):
    """A backward pass without the row's average."""
    weights = attention.scaled_dot_product_attention(Q, K, V, mask)[1]
    d_scores = weights * (d_output @ V.mT) / Q.shape[-1] ** 0.5
    return d_scores @ K, d_scores.mT @ Q, weights.mT @ d_output


def never_scaled(d_output, Q, K, V, mask=None):
    """A backward pass that has lost the division by the root of d_k."""
    dQ, dK, dV = attention.scaled_dot_product_attention_backward(d_output, Q, K, V, mask)
    return dQ * Q.shape[-1] ** 0.5, dK * Q.shape[-1] ** 0.5, dV


def nothing_to_learn_where_to_look(d_output, Q, K, V, mask=None):
    """The slopes of a hard lookup: none for queries and keys."""
    dV = attention.scaled_dot_product_attention_backward(d_output, Q, K, V, mask)[2]
    return 0 * Q, 0 * K, dV


def soft_after_all(Q, K, V):
    """A soft lookup in place of the hard one."""
    return attention.scaled_dot_product_attention(Q, K, V)[0].sum()


def row_by_row(X, W):
    """Attention whose rows wait for each other: each begins with what the last one left."""
    left, rows = 0 * X[0], []
    for x in X:
        exps = np.exp(x @ W @ X.T + 0 * left[0])
        left = exps / exps.sum() @ (X @ W)
        rows.append(left)
    return sum(rows[1:], rows[0]) + 0 * X


def linear_state(X, W):
    """A recurrent net without the tanh, folded in pairs."""
    Y = X @ W
    while len(Y) > 1:
        Y = 0.5 * Y[::2] + Y[1::2]
    return Y[0]


def word_by_word(a, X):
    """The linear recurrence one word after the other."""
    h = 0 * X[0]
    for one, x in zip(a, X, strict=True):
        h = one * h + x
    return h


def pairs_without_fading(a, X):
    """Words folded in pairs, the factors forgotten."""
    while len(X) > 1:
        X = X[::2] + X[1::2]
    return X[0]


def slope_of_a_window(n, d=32):
    """Attention that looks sixteen words back: most of many words have no slope."""
    rng = np.random.default_rng(n)
    X, W = rng.normal(size=(n, d)), rng.normal(size=(3, d, d)) / d**0.5
    d_output = np.zeros((n, d))
    d_output[-1] = d**-0.5
    mask = ~np.tri(n, k=-16, dtype=bool)
    dX = attention.attention_backward(d_output, X, *W, mask).dX
    return np.median(np.linalg.norm(dX[:-1], axis=-1))
