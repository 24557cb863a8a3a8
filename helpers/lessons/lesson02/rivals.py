"""Wrong and rival mechanisms that must break the claims of lesson 02."""

import numpy as np

from helpers.numpy_attention import softmax


def equal_shares(x):
    """Every book gives the same, whatever the query is."""
    return np.full_like(x, 1 / x.shape[-1])


def sigmoids(x):
    """Each book answers for itself with a sigmoid: the shares need not add up to 1."""
    return 1 / (1 + np.exp(-x))


def winner_alone(x):
    """The best book gives everything, all others nothing."""
    return np.eye(x.shape[-1])[x.argmax(axis=-1)]


def among_the_askers(x):
    """Softmax along the first axis: the queries share out each book among themselves."""
    return softmax(x, axis=0)


def among_all_at_once(x):
    """Softmax over the whole table, so that all lookups together have one share to give."""
    return softmax(x.ravel()).reshape(x.shape)


def a_table_learned_by_heart(X, W_Q, W_K):
    """The weights are a learned table that does not look at the words."""
    learned = (W_Q @ W_K.T).ravel()[: len(X)]
    return softmax(np.tile(learned, (len(X), 1)))


def the_words_alone(X, W_Q, W_K):
    """The raw vectors are compared: no matrix stands between."""
    return softmax(X @ X.T)
