"""Sentences for training and others for testing, so divided that no pattern holds one twice.

What a sentence tells is who and what it names: people, things and places, in their order. One such
combination in five is kept back from training, and so is that of the running sentence, whatever
the pattern, the time and the word for *then*. (`held_out` of `make_sentence` divides by subject,
thing and place, and a pattern that names no place may show what another keeps back.)
"""

import zlib
from collections.abc import Mapping, Sequence

import numpy as np

from helpers.sentences import CHARACTERS, OBJECTS, PLACES, RUNNING_SENTENCE, Sentence, make_sentence


def told(sentence: Sentence, habits: Mapping[str, str]) -> tuple[str, ...]:
    """Who and what a sentence names: people (those with a habit), things and places."""
    return tuple(w for w in sentence.tokens if w in habits or w in OBJECTS or w in PLACES)


def is_kept_back(sentence: Sentence, habits: Mapping[str, str]) -> bool:
    """Tell whether what a sentence tells is kept back from training."""
    words = told(sentence, habits)
    running = words == told(RUNNING_SENTENCE, {RUNNING_SENTENCE.answer: ""})
    return running or zlib.crc32("".join(words).encode()) % 5 == 0


def make_sentences(
    rng: np.random.Generator,
    count: int,
    templates: Sequence[str],
    kept_back: bool | None,
    habits: Mapping[str, str],
    characters: Mapping[str, Sequence[str]] = CHARACTERS,
) -> list[Sentence]:
    """Make sentences of one side.

    Args:
        rng: numpy Generator.
        count: how many.
        templates: the patterns, as in `helpers.sentences.TEMPLATES`.
        kept_back: True for those kept back from training, False for those it may show, None for
            any.
        habits: name -> verb, what each character does at the end.
        characters: class -> names, who may appear.

    Returns:
        list of Sentence.
    """
    found: list[Sentence] = []
    while len(found) < count:
        sentence = make_sentence(rng, templates, None, habits, characters)
        if kept_back in (None, is_kept_back(sentence, habits)):
            found.append(sentence)
    return found
