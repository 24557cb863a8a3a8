"""What lesson 10 trains on and starts from; its training itself stands in the notebook."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from helpers.course.machine import SentenceModel
from helpers.course.slicer import Program
from helpers.measure import steps_in_a_row
from helpers.sentences import (
    CHARACTERS,
    MAX_LENGTH,
    NAMES,
    PRONOUNS,
    RIVAL_TEMPLATES,
    TEMPLATES,
    VOCABULARY,
    Sentence,
    make_habits,
)
from helpers.training.adam import Adam
from helpers.training.stories import make_sentences, told

__all__ = [
    "Adam",
    "fits_nobody",
    "from_the_page",
    "habits_of",
    "in_machine",
    "score",
    "sentences_of",
    "steps_in_a_row",
    "sureness",
    "told",
    "untrained",
]

PAGE = Path("notebooks", "10_differentiable_and_parallel.ipynb")
PATTERNS = TEMPLATES + RIVAL_TEMPLATES
D_MODEL = 64


class Read(NamedTuple):
    """How a model does at the pronouns of some sentences.

    Attributes:
        right: share of sentences whose next word after the pronoun is guessed.
        weight: mean weight from the pronoun to its antecedent.
    """

    right: float
    weight: float


def habits_of(seed: int) -> dict[str, str]:
    """What everybody does at the end, drawn by lot, but 小明 (Xiaoming) leaves, 走了."""
    habits = make_habits(np.random.default_rng([seed, 0]))
    leaves = next(name for name in CHARACTERS["male"] if habits[name] == "走了")
    habits["小明"], habits[leaves] = habits[leaves], habits["小明"]
    return habits


def sentences_of(seed: int, count: int, kept_back: bool) -> list[Sentence]:
    """Sentences about these habits: those that training shows, or those kept back from it."""
    rng = np.random.default_rng([seed, 1 + kept_back])
    return make_sentences(rng, count, PATTERNS, kept_back, habits_of(seed))


def untrained(seed: int, equal: bool = False) -> dict[str, np.ndarray]:
    """The random numbers from which training sets out.

    Args:
        seed: of the numbers.
        equal: whether W_Q is 0, so that every query scores all keys alike.

    Returns:
        {"words": (words, d_model), "places": (MAX_LENGTH, d_model), "W_Q", "W_K", "W_V", "W_O":
        (d_model, d_model), "readout": (d_model, words)}, float32.
    """
    rng = np.random.default_rng([seed, 3])
    square, words = (D_MODEL, D_MODEL), len(VOCABULARY)
    model = {
        "words": rng.normal(scale=0.3, size=(words, D_MODEL)),
        "places": rng.normal(scale=0.1, size=(MAX_LENGTH, D_MODEL)),
        **{name: rng.normal(size=square) / D_MODEL**0.5 for name in ("W_Q", "W_K", "W_V", "W_O")},
        "readout": rng.normal(size=(D_MODEL, words)) / D_MODEL**0.5,
    }
    if equal:
        model["W_Q"][:] = 0
    return {name: array.astype(np.float32) for name, array in model.items()}


def score(
    guesses: np.ndarray,
    weights: np.ndarray,
    sentences: Sequence[Sentence],
    habits: Mapping[str, str],
) -> Read:
    """Look at the pronouns: is the next word right, and who gets the weight?

    Args:
        guesses: (batch, n, words) shares, what follows each word.
        weights: (batch, n, n).
        sentences: as many Sentences.
        habits: name -> verb.
    """
    at = np.arange(len(sentences)), [s.pronoun for s in sentences]
    said = [VOCABULARY[i] for i in guesses[at].argmax(axis=-1)]
    right = np.mean([word == habits[s.answer] for word, s in zip(said, sentences, strict=True)])
    weight = weights[*at, [s.antecedent for s in sentences]].mean()
    return Read(round(float(right), 3), round(float(weight), 3))


def sureness(
    guesses: np.ndarray, weights: np.ndarray, sentences: Sequence[Sentence]
) -> dict[str, float]:
    """Mean share of the likeliest word after the pronoun, and mean weight on people named."""
    at = np.arange(len(sentences)), [s.pronoun for s in sentences]
    people = np.zeros(weights.shape[::2], dtype=bool)  # (batch, n)
    for row, sentence in zip(people, sentences, strict=True):
        row[: len(sentence.tokens)] = [token in NAMES for token in sentence.tokens]
    sure, on_people = guesses[at].max(axis=-1), (weights[at] * people).sum(axis=-1)
    return {"sure": round(float(sure.mean()), 2), "on_people": round(float(on_people.mean()), 2)}


def fits_nobody(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The same sentences with a pronoun that fits none of the people they name."""
    changed = []
    for sentence in sentences:
        named = set(sentence.tokens)
        absent = next(p for group, p in PRONOUNS.items() if not named & set(CHARACTERS[group]))
        tokens = [*sentence.tokens]
        tokens[sentence.pronoun] = absent
        changed.append(replace(sentence, tokens=tuple(tokens)))
    return changed


def in_machine(model: Mapping[str, np.ndarray]) -> SentenceModel:
    """The model for the sentence machine."""
    return SentenceModel(
        words=VOCABULARY,
        vectors=model["words"],
        positions=model["places"],
        **{name: model[name][None] for name in ("W_Q", "W_K", "W_V")},
        W_O=model["W_O"],
        readout=model["readout"],
        answers=VOCABULARY,
        mask="earlier",
        residual=True,
    )


def from_the_page(*names: str) -> list[Callable]:
    """Functions as they stand in the lesson's notebook: the deeper one needs no copy of them."""
    page = json.loads((Path(__file__).parents[3] / PAGE).read_text(encoding="utf-8"))
    code = ["".join(c["source"]) for c in page["cells"] if c["cell_type"] == "code"]
    found = Program(code).slice(*names).run()
    return [found[name] for name in names]
