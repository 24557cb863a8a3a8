"""What lesson 03 trains, in NumPy: models of one seed, and the sentences they see."""

from collections.abc import Iterator

import numpy as np

from helpers.sentences import NAMES, Sentence, gloss, make_sentence
from helpers.training.coreference import Coreference, batch_of, train_coreference, untrained

__all__ = ["NAMES", "PRONOUNS", "batches", "new_sentences", "read", "train", "untrained"]

PRONOUNS = ("他", "她", "它")


def train(seed: int, even: bool = False) -> Coreference:
    """Train a model on sentences and right names; `even` holds all weights equal for ever."""
    return train_coreference(seed, uniform=even)


def new_sentences(seed: int, count: int) -> list[Sentence]:
    """Sentences with combinations of words that training never shows."""
    rng = np.random.default_rng(seed)
    return [make_sentence(rng, held_out=True) for _ in range(count)]


def batches(seed: int, steps: int) -> Iterator[tuple[np.ndarray, ...]]:
    """Batches of 128 sentences for `loss_and_gradients`, one a step."""
    rng = np.random.default_rng(seed)
    examples = batch_of([make_sentence(rng, held_out=False) for _ in range(2000)])
    for _ in range(steps):
        chosen = rng.integers(len(examples[0]), size=128)
        yield tuple(part[chosen] for part in examples)


def read(sentence: Sentence) -> dict[str, str]:
    """A sentence of the corpus with its glosses, and the name that is the right answer."""
    words = " ".join(f"{token} {gloss(token)}" for token in sentence.tokens)
    return {words: f"{sentence.answer} {gloss(sentence.answer)}"}
