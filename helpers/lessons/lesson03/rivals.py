"""Wrong and rival mechanisms that must break the claims of lesson 03."""

from dataclasses import replace

import numpy as np

from helpers.numpy_attention import softmax
from helpers.sentences import toy_matrices
from helpers.training.coreference import Coreference, train_coreference, untrained


def one_matrix_for_two():
    """The matrix of the queries serves for the keys as well."""
    W_Q, _, W_V = toy_matrices()
    return W_Q, W_Q.copy(), W_V


def values_look(X, W_Q, W_K, W_V):
    """Attention in which the values compare themselves with each other, and then are summed."""
    V = X @ W_V
    weights = softmax(V @ V.T / V.shape[-1] ** 0.5)
    return weights @ V, weights


def the_same_contents(X, W_Q, W_K, W_V):
    """Attention that hands over the same contents whatever W_V is."""
    Q, K, V = X @ W_Q, X @ W_K, X @ toy_matrices()[2]
    weights = softmax(Q @ K.T / Q.shape[-1] ** 0.5)
    return weights @ V, weights


def no_training(seed: int) -> Coreference:
    """The random model as it was before training."""
    return untrained(seed)


def all_keys_the_same(seed: int) -> Coreference:
    """A trained model in which every token has the same key."""
    model = train_coreference(seed, steps=50)
    return replace(model, W_K=np.zeros_like(model.W_K))
