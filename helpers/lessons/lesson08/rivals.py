"""Wrong and rival mechanisms that must break the claims of lesson 08."""

import numpy as np

from helpers.lessons.lesson08.experiment import WhoHits, train_who_hits
from helpers.numpy_attention import causal_mask, self_attention, sinusoidal_positions


def places_added(X, W_Q, W_K, W_V, mask=None):
    """Attention that adds the places to its input by itself."""
    places = sinusoidal_positions(*X.shape).astype(X.dtype)
    return self_attention(X + places, W_Q, W_K, W_V, mask)


def nobody_looks_ahead(X, W_Q, W_K, W_V, mask=None):
    """Attention in which each word sees itself and earlier words only."""
    mask = causal_mask(len(X)) if mask is None else mask & causal_mask(len(X))
    return self_attention(X, W_Q, W_K, W_V, mask)


def neighbours_only(X, W_Q, W_K, W_V, mask=None):
    """Attention in which each word sees itself and the words next to it."""
    places = np.arange(len(X))
    near = np.abs(places[:, None] - places) <= 1
    return self_attention(X, W_Q, W_K, W_V, near if mask is None else mask & near)


def a_running_mean(X, W_Q, W_K, W_V, mask=None):
    """No attention: each word gets the mean of all values so far."""
    V = X @ W_V
    weights = np.tri(len(X), dtype=X.dtype) / np.arange(1, len(X) + 1, dtype=X.dtype)[:, None]
    return weights @ V, weights


def always_causal(seeds, **options) -> WhoHits:
    """Training in which each word sees itself and earlier words only, whatever is asked for."""
    return train_who_hits(seeds, **{**options, "causal": True})


def never_told_the_order(seeds, **options) -> WhoHits:
    """Training without positions and without a mask, whatever is asked for."""
    return train_who_hits(seeds, **{**options, "causal": False, "strength": 0.0})


def hardly_trained(seeds, **options) -> WhoHits:
    """Training that stops after five steps."""
    return train_who_hits(seeds, **{**options, "steps": 5})


def all_turned_alike(A, base=10000.0):
    """Every row is turned by the same angle, whatever its place."""
    return np.stack([-A[:, 1::2], A[:, 0::2]], axis=-1).reshape(A.shape)


def marks_only_the_input(X, W, place=lambda A: A, turn=None, bias=None):
    """The scores are left as they are: only what is added to the input counts."""
    return self_attention(place(X), *W)[0]
