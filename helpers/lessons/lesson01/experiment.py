"""Sentences that the lesson's model learns from, and what can be read out of a state."""

import numpy as np

from helpers.sentences import Sentence, make_sentence, tokenize

SHE_LEFT = Sentence(
    tokenize("小明看见小红在桌子旁边，然后她走了"),
    pronoun=8,
    antecedent=2,
    verb=9,
    answer="小红",
    rival=None,
)


def sentences_of(count: int, held_out: bool, seed: int) -> list[Sentence]:
    """Draw sentences of the corpus: such as training sees, or such as it never sees."""
    rng = np.random.default_rng(seed)
    return [make_sentence(rng, held_out=held_out) for _ in range(count)]


def best_readout(states: np.ndarray, things: np.ndarray) -> np.ndarray:
    """How often the best linear readout of a state names each of the things it has heard.

    Two thirds of the stories fit the readout, by least squares; the others are held out.

    Args:
        states: float array (stories, m), what is left of each story.
        things: int array (stories, n), at least 0: what was told, in order.

    Returns:
        float64 array (n,), share of right answers for each place.
    """
    fitted = 2 * len(states) // 3
    with_bias = np.hstack([states, np.ones((len(states), 1))])  # (stories, m + 1)
    kinds = np.eye(things.max() + 1)  # (things, things)
    targets = kinds[things].reshape(len(things), -1)  # (stories, n * things)
    readout = np.linalg.lstsq(with_bias[:fitted], targets[:fitted])[0]
    scores = (with_bias[fitted:] @ readout).reshape(-1, things.shape[1], len(kinds))
    return (scores.argmax(axis=-1) == things[fitted:]).mean(axis=0)
