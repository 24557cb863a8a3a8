"""Exercise: two rules written by hand."""

import math

import numpy as np

from helpers.course.exercise import Exercise
from helpers.language import say, together
from helpers.sentences import TOKENS, known_gloss, toy_embeddings, toy_matrices


def two_rules():
    """Make 他 find 小明, and 走了 find 他, with two channels: "who" and "doer"."""
    W_Q = np.zeros((6, 2))
    W_K = np.zeros((6, 2))
    W_Q[5, 0] = 5  # a pointer asks "who"
    W_Q[3, 1] = 5  # an action asks for its doer
    W_K[0] = 1, 1  # a person answers both
    W_K[5] = -1, 1  # a pointer does not answer "who", but is a likely doer
    return W_Q, W_K


def _name(i):
    gloss = known_gloss(TOKENS[i])
    return f"{TOKENS[i]} ({gloss})" if gloss else TOKENS[i]


def _rules_kept(got, arguments):
    if not isinstance(got, tuple) or len(got) != 2:
        return say("Two matrices are wanted: return W_Q, W_K.")
    for name, W in zip(("W_Q", "W_K"), got, strict=True):
        if W.ndim != 2 or W.shape[0] != 6 or W.shape[1] not in (1, 2):
            return say(
                "{name} must have shape (6, 2), but its shape is {shape}.", name=name, shape=W.shape
            )
        if not np.isfinite(W).all():
            return say("{name} holds a number that is not finite.", name=name)
    W_Q, W_K = got
    if W_Q.shape != W_K.shape:
        return say(
            "W_Q and W_K need the same shape, but they have {first} and {second}.",
            first=W_Q.shape,
            second=W_K.shape,
        )
    X = toy_embeddings()
    with np.errstate(all="ignore"):
        scores = (X @ W_Q) @ (X @ W_K).T / math.sqrt(W_Q.shape[1])
        exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = exps / exps.sum(axis=-1, keepdims=True)
    if not np.isfinite(weights).all():
        return say("The scores grow too large to be computed; use smaller numbers.")
    for i, j in ((8, 0), (9, 8)):
        if weights[i, j] <= 0.5:
            return _too_little(weights, i, j)
    if scores[8, 9] >= scores[9, 8] - 1e-6:
        return say(
            "The score from {he} to {left} ({there:.2f}) must be lower than the one from {left} to "
            "{he} ({back:.2f}).",
            he=_name(8),
            left=_name(9),
            there=scores[8, 9],
            back=scores[9, 8],
        )
    return None


def _too_little(weights, i, j):
    most = int(weights[i].argmax())
    little = say(
        "{query} gives {key} a weight of {weight:.2f}; more than 0.5 is wanted.",
        query=_name(i),
        key=_name(j),
        weight=weights[i, j],
    )
    if most == j:
        return little
    return together(
        little, say("It gives {weight:.2f} to {key}.", weight=weights[i, most], key=_name(most))
    )


def _rules(asks, offers):
    """W_Q and W_K from a few entries {(feature, channel): number}."""
    W_Q, W_K = np.zeros((6, 2)), np.zeros((6, 2))
    for W, entries in ((W_Q, asks), (W_K, offers)):
        for place, number in entries.items():
            W[place] = number
    return W_Q, W_K


def same_matrix_twice():
    """W_Q and W_K are the same, so every score from a to b is also the score from b to a."""
    W = np.zeros((6, 2))
    W[0], W[3], W[5] = (20, -2), (0, 2), (-18, 6)
    return W, W.copy()


def offers_for_questions():
    """W_Q and W_K are exchanged: what is asked for stands where the offers belong."""
    W_Q, W_K = _rules({(5, 0): 5, (3, 1): 5}, {(0, 0): 1, (0, 1): 1, (5, 0): -1, (5, 1): 1})
    return W_K, W_Q


def too_faint():
    """The right matches, but with scores so small that all weights stay nearly equal."""
    return _rules({(5, 0): 1, (3, 1): 1}, {(0, 0): 1, (0, 1): 1, (5, 0): -1, (5, 1): 1})


def finds_itself():
    """他 (he) has the feature person, too: unless the pointer takes it back, it answers "who"."""
    return _rules({(5, 0): 5, (3, 1): 5}, {(0, 0): 1, (0, 1): 1, (5, 1): 1})


def doer_is_any_person():
    """小明 (Xiaoming) and 他 (he) are equally good doers: only 他 has the feature pointer."""
    return _rules({(5, 0): 5, (3, 1): 5}, {(0, 0): 1, (0, 1): 1, (5, 0): -1})


def matrices_of_the_lesson():
    """These are the lesson's matrices with four channels; two have to be enough."""
    return toy_matrices()[:2]


def only_the_first_rule():
    """The first rule is there, the second is not: an action has to ask for its doer."""
    return _rules({(5, 0): 5}, {(0, 0): 1, (5, 0): -1})


def only_the_second_rule():
    """The second rule is there, the first is not: a pointer has to ask for a person."""
    return _rules({(3, 1): 5}, {(0, 1): 1, (5, 1): 1})


two_rules = Exercise(
    name="lesson03.two_rules",
    reference=two_rules,
    judge=_rules_kept,
    returns=("W_Q", "W_K"),
    hints=(
        "Use one channel for each rule. Column 0: who asks for it? Column 1: who asks for it? "
        "That fills W_Q with one number in each column.",
        "小明 (Xiaoming) has the feature person. 他 (he) has the features person and pointer. In "
        "column 0 the first must come out above the second, in column 1 it is the other way round.",
        "W_K: person 1 and 1; pointer -1 and +1. W_Q: pointer asks for column 0, action for "
        "column 1. Make the numbers in W_Q large enough that the weights pass 0.5.",
    ),
    wrong=(
        same_matrix_twice,
        offers_for_questions,
        too_faint,
        finds_itself,
        doer_is_any_person,
        matrices_of_the_lesson,
        only_the_first_rule,
        only_the_second_rule,
    ),
    points=2,
)
