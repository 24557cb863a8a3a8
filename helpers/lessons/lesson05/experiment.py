"""Who learns to look things up? One attention layer, one task, any divisor, NumPy only.

A story tells 16 facts, each a name and one of 8 objects. Then every name of the story is asked for,
and the answer is its object; chance is 1 in 8. Nothing but attention can bring the object to the
question. Tokens are rows of zeros and ones, so a query or a key is a row, or the sum of two rows,
of W_Q or W_K: these start with entries of such a size that queries and keys have variance 1.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from helpers.training.adam import Adam

NAMES, OBJECTS, FACTS = 32, 8, 16


@dataclass(frozen=True)
class Run:
    """One training run, one number a step in each array, measured before the step.

    Attributes:
        accuracy: share of right answers in the step's stories.
        frozen: share of rows frozen on a wrong fact, see `frozen_on_wrong`.
        spread: standard deviation of the scores that go into softmax.
    """

    accuracy: np.ndarray
    frozen: np.ndarray
    spread: np.ndarray

    @property
    def solved_after(self) -> int:
        """Steps until 95 % were right, on average over five steps; all steps and one if never."""
        means = np.convolve(self.accuracy, np.full(5, 0.2), mode="valid")
        solved = np.flatnonzero(means >= 0.95)
        return int(solved[0]) + 5 if solved.size else len(self.accuracy) + 1


def stories(rng: np.random.Generator, batch: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw stories; row i of each array belongs to fact i of a story.

    Args:
        rng: where the stories come from.
        batch: how many.

    Returns:
        asked (batch, n, 32), the name; facts (batch, n, 40), name and object; objects
        (batch, n, 8), the answer. A one says which, all else is zero; no name comes twice.
    """
    names = np.argsort(rng.random((batch, NAMES)), axis=1)[:, :FACTS]
    asked = np.eye(NAMES)[names]
    objects = np.eye(OBJECTS)[rng.integers(OBJECTS, size=(batch, FACTS))]
    return asked, np.concatenate([asked, objects], axis=-1), objects


def start(rng: np.random.Generator, d_k: int, size: float = 1.0) -> list[np.ndarray]:
    """Draw W_Q (32, d_k), W_K (40, d_k) and W_V (40, 8).

    Args:
        rng: where the numbers come from.
        d_k: length of queries and keys.
        size: standard deviation of the entries of queries and keys.
    """
    W_Q = size * rng.normal(size=(NAMES, d_k))
    W_K = size * rng.normal(size=(NAMES + OBJECTS, d_k)) / math.sqrt(2)  # a fact adds two rows
    return [W_Q, W_K, rng.normal(size=(NAMES + OBJECTS, OBJECTS))]


def frozen_on_wrong(weights, right):
    """Share of rows that give more than 0.99 to one token, and to the wrong one."""
    decided = np.max(weights, axis=-1) > 0.99
    return np.mean(decided & (np.argmax(weights, axis=-1) != right))


def train(
    step: Callable,
    divisor: float,
    *,
    seed: int,
    d_k: int = 512,
    batch: int = 32,
    steps: int = 120,
    size: float = 1.0,
    learning_rate: float = 0.05,
) -> Run:
    """Train with Adam, each step on new stories.

    Args:
        step: function(asked, facts, objects, W, divisor) that returns answers (batch, n, 8),
            scores (batch, n, n), weights (batch, n, n) and the gradients by W_Q, W_K and W_V.
        divisor: by what q·k is divided before softmax.
        seed: for the start and the stories.
        d_k: length of queries and keys.
        batch: stories a step.
        steps: how many steps.
        size: standard deviation of the entries of queries and keys at the start.
        learning_rate: of Adam.

    Returns:
        Run.
    """
    rng = np.random.default_rng(seed)
    W = start(rng, d_k, size)
    adam, right, seen = Adam(W, learning_rate), np.arange(FACTS), []
    for _ in range(steps):
        asked, facts, objects = stories(rng, batch)
        answers, scores, weights, gradients = step(asked, facts, objects, W, divisor)
        accuracy = (answers.argmax(axis=-1) == objects.argmax(axis=-1)).mean()
        seen.append((accuracy, frozen_on_wrong(weights, right), scores.std()))
        adam.step(gradients)
    return Run(*np.array(seen).T)
