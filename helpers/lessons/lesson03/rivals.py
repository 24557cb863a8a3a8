"""Wrong and rival mechanisms that must break the claims of lesson 03."""

from dataclasses import replace

import numpy as np

from helpers.numpy_attention import softmax
from helpers.sentences import toy_embeddings, toy_matrices
from helpers.training.coreference import Coreference, train_coreference, untrained


def one_matrix_for_two():
    """The matrix of the queries serves for the keys as well."""
    W_Q, _, W_V = toy_matrices()
    return W_Q, W_Q.copy(), W_V


def each_sees_those_before(X):
    """Each token's row is added to those of the tokens before it, as in a recurrent network."""
    return [np.cumsum(X, axis=0) @ W for W in toy_matrices()]


def each_sees_the_mean(X):
    """The mean of the sentence is taken off each row first."""
    return [(X - X.mean(axis=0)) @ W for W in toy_matrices()]


def some_channels_are_louder(W_Q, W_K):
    """Scores in which each channel counts more than the one before it."""
    X = toy_embeddings()
    loud = np.arange(1, W_Q.shape[1] + 1)
    return (X @ W_Q * loud) @ (X @ W_K).T / W_Q.shape[1] ** 0.5


def only_the_length_of_the_query(W_Q, W_K):
    """Scores that are made of the lengths of query and key, whatever these ask and offer."""
    X = toy_embeddings()
    lengths = [np.linalg.norm(X @ W, axis=1) for W in (W_Q, W_K)]
    return np.outer(*lengths) / W_Q.shape[1] ** 0.5


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


def no_training(seed: int, even: bool = False) -> Coreference:
    """The random model as it was before training."""
    return untrained(seed)


def all_keys_the_same(seed: int, even: bool = False) -> Coreference:
    """A trained model in which every token has the same key."""
    model = train_coreference(seed, steps=50)
    return replace(model, W_K=np.zeros_like(model.W_K))


def equal_weights_for_ever(seed: int, even: bool = False) -> Coreference:
    """Mean pooling, trained as long as attention: all weights stay equal."""
    return train_coreference(seed, uniform=True)
