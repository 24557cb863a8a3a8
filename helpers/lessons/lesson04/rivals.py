"""Wrong and rival mechanisms that must break the claims of lesson 04."""

import numpy as np

from helpers.numpy_attention import self_attention, softmax


def keys_ask(Q, K):
    """Scores with queries and keys exchanged: the rows belong to the keys."""
    return K @ Q.T / Q.shape[-1] ** 0.5


def one_question_for_all(Q, K):
    """Scores of the average question, the same in every row."""
    return np.broadcast_to(Q.mean(axis=0), Q.shape) @ K.T / Q.shape[-1] ** 0.5


def along_the_columns(x, axis=-1):
    """Softmax along the first axis."""
    return softmax(x, axis=0)


def sigmoids(x, axis=-1):
    """Each score turned into a share by itself."""
    return 1 / (1 + np.exp(-x))


def equal_shares(x, axis=-1):
    """The same share for all."""
    return np.full(x.shape, 1 / x.shape[axis])


def winner_takes_all(x, axis=-1):
    """Everything for the best fit."""
    return np.eye(x.shape[axis])[x.argmax(axis=axis)]


def the_weight_itself(weights, values, which):
    """The article's reading: a weight of 0.8 is eight tenths of the result."""
    return weights[which].sum()


def by_length_alone(weights, values, which):
    """Weight times length of the value, as a part of all of these."""
    pulls = weights * np.linalg.norm(values, axis=-1)
    return pulls[which].sum() / pulls.sum()


def rows_of_too_much(X, W_Q, W_K, W_V):
    """Attention whose rows add up to 1.8."""
    output, weights = self_attention(X, W_Q, W_K, W_V)
    return 1.8 * output, weights


def nothing_comes_out(X, W_Q, W_K, W_V):
    """Attention with an output of zeros."""
    output, weights = self_attention(X, W_Q, W_K, W_V)
    return np.zeros_like(output), weights


def columns_add_up(X, W_Q, W_K, W_V):
    """Attention with the softmax along the wrong axis."""
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = softmax(Q @ K.T / Q.shape[-1] ** 0.5, axis=0)
    return weights @ V, weights


def some_weights_negative(X, W_Q, W_K, W_V):
    """Attention whose rows add up to 1, some of the weights being negative."""
    weights = self_attention(X, W_Q, W_K, W_V)[1]
    weights = 2 * weights - 1 / len(X)
    return weights @ X @ W_V, weights


def random_vectors(X, W_Q, W_K, W_V):
    """Outputs that are drawn at random."""
    output, weights = self_attention(X, W_Q, W_K, W_V)
    return np.random.default_rng(1).normal(size=output.shape), weights


def values_and_input(X, W_Q, W_K, W_V):
    """Attention with the input added to its output."""
    output, weights = self_attention(X, W_Q, W_K, W_V)
    return output + X, weights


def hard_lookup(X, W_Q, W_K, W_V):
    """Attention that takes the value of the best fit alone."""
    scores = X @ W_Q @ (X @ W_K).T
    weights = np.eye(len(X))[scores.argmax(axis=-1)]
    return weights @ X @ W_V, weights


def scores_in_steps(X, W_Q, W_K, W_V):
    """Attention whose scores are rounded to whole numbers."""
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = softmax((Q @ K.T / Q.shape[-1] ** 0.5).round())
    return weights @ V, weights
