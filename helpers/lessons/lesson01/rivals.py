"""Wrong and rival mechanisms that must break the claims of lesson 01."""

from dataclasses import replace

import numpy as np

from helpers.sentences import PRONOUNS, TOKEN_ID
from helpers.training.coreference import train_coreference, untrained


def sum_of_the_words(X, W_h, W_x):
    """A state that adds up the words and never changes what it holds."""
    return (X @ W_x).sum(axis=1)


def last_word_alone(X, W_h, W_x):
    """A state that holds the last word and nothing else."""
    return np.tanh(X[:, -1] @ W_x)


def every_fact_kept(n, W_h, W_x, seed):
    """A reader without a state, which keeps every fact and looks back at the one asked for."""
    things = np.random.default_rng(seed).integers(8, size=(1000, n))
    looked_at = np.eye(n) @ np.eye(8)[things]
    return (looked_at.argmax(axis=-1) == things).mean(axis=0)[::-1]


def always_turning(m, strength, turns, seed):
    """A state that is turned at each step, whatever start was wanted."""
    rng = np.random.default_rng(seed)
    W_h = np.linalg.qr(rng.normal(size=(m, m)))[0]
    return W_h, 0.1 * rng.normal(size=(8, m))


def gate_never_closed(X, W_h, W_x, keep):
    """A reader that ignores its gate."""
    h = np.zeros((len(X), len(W_h)))
    for t in range(X.shape[1]):
        h = np.tanh(h @ W_h + X[:, t] @ W_x)
    return h


def nearer_counts_more(relevance, X):
    """A look back in which each place further back counts a hundredth less."""
    faded = relevance * 0.99 ** np.arange(relevance.shape[1])[::-1]
    return faded / faded.sum(axis=1, keepdims=True) @ X


def all_alike(relevance, X):
    """The plain average of all words."""
    return np.broadcast_to(X.mean(axis=0), (len(relevance), X.shape[1]))


def best_one_alone(relevance, X):
    """A look at the most relevant word and no other."""
    return X[relevance.argmax(axis=1)]


def never_trained(seed):
    """The random model that training sets out from."""
    return untrained(seed)


def weights_alike_for_ever(seed):
    """A model trained with the same weight on every word for ever."""
    return train_coreference(seed, uniform=True)


def pronouns_alike(seed):
    """A trained model that cannot tell one pronoun from another."""
    model = train_coreference(seed)
    embeddings = model.embeddings.copy()
    rows = [TOKEN_ID[pronoun] for pronoun in PRONOUNS.values()]
    embeddings[rows] = embeddings[rows].mean(axis=0)
    return replace(model, embeddings=embeddings)
