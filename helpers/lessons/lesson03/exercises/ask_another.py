"""Exercise: one sentence asks, another one answers."""

import numpy as np

from helpers import numpy_attention as attention
from helpers.course.exercise import Example, Exercise


def ask_another(X, Y, W_Q, W_K, W_V):
    """Let every token of one sentence look up the tokens of another one."""
    Q, K, V = X @ W_Q, Y @ W_K, Y @ W_V  # (n_x, d_k), (n_y, d_k), (n_y, d_v)
    weights = attention.softmax(Q @ K.T / Q.shape[-1] ** 0.5)  # (n_x, n_y)
    return weights @ V, weights


def _inputs(rng):
    def draw(n_x, n_y, d_x, d_y, d_k, d_v):
        shapes = {
            "X": (n_x, d_x),
            "Y": (n_y, d_y),
            "W_Q": (d_x, d_k),
            "W_K": (d_y, d_k),
            "W_V": (d_y, d_v),
        }
        return {name: rng.normal(size=shape).round(2) for name, shape in shapes.items()}

    one = np.array([[1.0]])
    return (
        {"X": np.array([[0.0]]), "Y": np.array([[1.0], [3.0]])}
        | {name: one.copy() for name in ("W_Q", "W_K", "W_V")},
        draw(2, 3, 4, 4, 3, 2),
        draw(4, 4, 3, 3, 3, 3),
        draw(3, 2, 5, 4, 2, 3),
        draw(1, 5, 3, 2, 4, 2),
        draw(6, 1, 2, 3, 2, 4),
        draw(12, 11, 6, 6, 4, 3),
    )


def _look(X, Y, Z, W_Q, W_K, W_V, scale=None, axis=-1):
    """X asks, Y is compared, Z is handed over."""
    Q, K = X @ W_Q, Y @ W_K
    scores = Q @ K.T / (Q.shape[-1] ** 0.5 if scale is None else scale)
    weights = attention.softmax(scores, axis=axis)
    return weights @ (Z @ W_V), weights


def asks_itself(X, Y, W_Q, W_K, W_V):
    """The sentence X asks itself: Y is not used."""
    return _look(X, X, X, W_Q, W_K, W_V)


def answers_itself(X, Y, W_Q, W_K, W_V):
    """The sentence Y asks itself: X is not used."""
    return _look(Y, Y, Y, W_Q, W_K, W_V)


def values_of_the_asker(X, Y, W_Q, W_K, W_V):
    """The values are made from X; what is handed over belongs to the sentence that answers."""
    return _look(X, Y, X, W_Q, W_K, W_V)


def keys_of_the_asker(X, Y, W_Q, W_K, W_V):
    """The keys are made from X; the queries have to meet the keys of Y."""
    return _look(X, X, Y, W_Q, W_K, W_V)


def asks_the_wrong_way(X, Y, W_Q, W_K, W_V):
    """Y asks and X answers: the rows of the weights belong to the wrong sentence."""
    return _look(Y, X, X, W_Q, W_K, W_V)


def both_sentences_answer(X, Y, W_Q, W_K, W_V):
    """The tokens of X answer as well; only those of Y may be looked at."""
    both = np.vstack([X, Y])
    return _look(X, both, both, W_Q, W_K, W_V)


def scores_not_scaled(X, Y, W_Q, W_K, W_V):
    """The scores are not divided by the square root of d_k."""
    return _look(X, Y, Y, W_Q, W_K, W_V, scale=1.0)


def scaled_by_the_width(X, Y, W_Q, W_K, W_V):
    """It divides by the square root of X's width; d_k is the length of a query."""
    return _look(X, Y, Y, W_Q, W_K, W_V, scale=X.shape[-1] ** 0.5)


def softmax_down_the_columns(X, Y, W_Q, W_K, W_V):
    """The softmax runs over those who ask: columns add up to 1, not rows."""
    return _look(X, Y, Y, W_Q, W_K, W_V, axis=0)


def matrices_exchanged(X, Y, W_Q, W_K, W_V):
    """W_Q and W_K are exchanged: the asking sentence is multiplied by W_Q."""
    return _look(X, Y, Y, W_K, W_Q, W_V)


def hands_over_keys(X, Y, W_Q, W_K, W_V):
    """It hands over the keys: what is found by is not what is given, that is Y @ W_V."""
    weights = _look(X, Y, Y, W_Q, W_K, W_V)[1]
    return weights @ (Y @ W_K), weights


def hands_over_the_input(X, Y, W_Q, W_K, W_V):
    """It hands over the rows of Y as they are; the values are Y @ W_V."""
    weights = _look(X, Y, Y, W_Q, W_K, W_V)[1]
    return weights @ Y, weights


def weights_first(X, Y, W_Q, W_K, W_V):
    """The two results are exchanged: the output comes first, then the weights."""
    return _look(X, Y, Y, W_Q, W_K, W_V)[::-1]


ask_another = Exercise(
    name="lesson03.ask_another",
    reference=ask_another,
    inputs=_inputs,
    returns=("output", "weights"),
    hints=(
        "Which of the three matrices makes questions? It reads the sentence that asks. Which two "
        "belong to the sentence that is looked at?",
        "Q is made from X; K and V are made from Y. The scores are n_x by n_y.",
        "Divide the scores by the square root of W_Q's number of columns, then "
        "attention.softmax, then weights @ V. Return the output and the weights.",
    ),
    examples=(
        Example(
            {"X": np.array([[0.0]]), "Y": np.array([[1.0], [3.0]])}
            | {name: np.array([[1.0]]) for name in ("W_Q", "W_K", "W_V")},
            ("[[2]]", "[[0.5, 0.5]]"),
        ),
    ),
    wrong=(
        asks_itself,
        answers_itself,
        values_of_the_asker,
        keys_of_the_asker,
        asks_the_wrong_way,
        both_sentences_answer,
        scores_not_scaled,
        scaled_by_the_width,
        softmax_down_the_columns,
        matrices_exchanged,
        hands_over_keys,
        hands_over_the_input,
        weights_first,
    ),
    points=2,
)
