"""Wrong and rival mechanisms that must break the claims of lesson 05."""

import numpy as np

from helpers.numpy_attention import softmax


def cosine(q, k):
    """The cosine of each pair: what the lengths add is divided out."""
    lengths = np.linalg.norm(q, axis=-1) * np.linalg.norm(k, axis=-1)
    return (q * k).sum(axis=-1) / lengths


def mean_of_the_products(q, k):
    """The mean of the products in place of their sum."""
    return (q * k).mean(axis=-1)


def first_product(q, k):
    """The first product of each pair alone."""
    return q[..., 0] * k[..., 0]


def equal_shares(x):
    """The same share for all, whatever the scores are."""
    return np.full(x.shape, 1 / x.shape[-1])


def sigmoids(x):
    """Each score turned into a share by itself."""
    return np.exp(-np.logaddexp(0, -x))


def spread_taken_out(x):
    """Softmax of rows that are divided by their own spread: no divisor matters any more."""
    return softmax(x / x.std(axis=-1, keepdims=True))


def nothing_comes_back(weights, d_weights):
    """No gradient passes the shares."""
    return np.zeros_like(d_weights)


def no_division(d_k):
    """The scores are not divided."""
    return 1.0


def d_itself(d_k):
    """The scores are divided by d_k, not by its root."""
    return float(d_k)


def fourth_root(d_k):
    """The scores are divided by the fourth root of d_k."""
    return d_k**0.25


def always_eight(d_k):
    """The scores are divided by 8, the root of 64, whatever d_k is."""
    return 8.0
