"""Sentences of the corpus: made from the lists of words, cut into words, turned into ids."""

import zlib
from dataclasses import dataclass

import numpy as np

from helpers.sentences.running import TOKENS
from helpers.sentences.words import (
    CHARACTERS,
    CONNECTIVES,
    MAX_LENGTH,
    NAMES,
    OBJECTS,
    PLACES,
    PRONOUNS,
    TEMPLATES,
    TIMES,
    TOKEN_ID,
    VERBS,
    VOCABULARY,
    gloss,
)


@dataclass(frozen=True)
class Sentence:
    """One sentence of the corpus, with the places a test needs (positions count from 0)."""

    tokens: tuple[str, ...]
    pronoun: int
    antecedent: int
    verb: int
    answer: str
    rival: int | None

    @property
    def glosses(self) -> tuple[str, ...]:
        """English glosses, one a token; those of full names such as 王小明 have two words."""
        return tuple(gloss(token) for token in self.tokens)


RUNNING_SENTENCE = Sentence(TOKENS, pronoun=8, antecedent=0, verb=9, answer="小明", rival=None)


def is_held_out(subject: str, thing: str, place: str) -> bool:
    """Tell whether this combination of words (about one in five) is kept out of training."""
    return zlib.crc32(f"{subject}{thing}{place}".encode()) % 5 == 0


def make_sentence(
    rng, templates=TEMPLATES, held_out=None, habits=None, characters=CHARACTERS
) -> Sentence:
    """Make one sentence with a pronoun and exactly one antecedent.

    Args:
        rng: numpy Generator.
        templates: sequence of str, patterns such as those in TEMPLATES.
        held_out: None for any combination of words, False for those that training may show,
            True for those that training never shows.
        habits: None for a verb drawn at random, or a dict name -> verb (see `make_habits`); the
            rival's verb is then another than the antecedent's.
        characters: dict class -> names, who may appear; the classes are those of PRONOUNS.

    Returns:
        a Sentence.
    """
    group = _pick(rng, tuple(characters))
    other_group = _pick(rng, [g for g in characters if g != group])
    while True:
        subject = _pick(rng, characters[group])
        words = {
            "subject": subject,
            "other": _pick(rng, characters[other_group]),
            "rival": _pick(rng, _rivals(subject, characters[group], habits)),
            "object": _pick(rng, OBJECTS),
            "place": _pick(rng, PLACES),
            "time": _pick(rng, TIMES),
            "then": _pick(rng, CONNECTIVES),
            "pronoun": PRONOUNS[group],
            "verb": _pick(rng, VERBS) if habits is None else habits[subject],
        }
        if held_out in (None, is_held_out(subject, words["object"], words["place"])):
            break
    slots = _pick(rng, templates).split()
    return Sentence(
        tokens=tuple(words.get(slot, slot) for slot in slots),
        pronoun=slots.index("pronoun"),
        antecedent=slots.index("subject"),
        verb=slots.index("verb"),
        answer=subject,
        rival=slots.index("rival") if "rival" in slots else None,
    )


def make_habits(rng) -> dict[str, str]:
    """Give every character one habitual verb; within a class no two share one.

    Args:
        rng: numpy Generator.

    Returns:
        dict name -> verb, over all NAMES.
    """
    return {
        name: VERBS[verb]
        for group in CHARACTERS.values()
        for name, verb in zip(group, rng.permutation(len(VERBS)), strict=True)
    }


def encode(sentences, length=MAX_LENGTH, ids=TOKEN_ID) -> np.ndarray:
    """Turn token sequences into ids, padded on the right with the id of PAD (0).

    Args:
        sentences: sequence of Sentence, or of sequences of str.
        length: int, the number of columns.
        ids: dict word -> number; that of PAD must be 0.

    Returns:
        int64 array (batch, length).

    Raises:
        ValueError: a word is not in `ids`, or a sentence is longer than `length`.
    """
    numbers = np.zeros((len(sentences), length), dtype=np.int64)
    for row, sentence in zip(numbers, sentences, strict=True):
        tokens = sentence.tokens if isinstance(sentence, Sentence) else sentence
        if len(tokens) > length:
            raise ValueError(f"a sentence has {len(tokens)} tokens, but length is {length}")
        unknown = [token for token in tokens if token not in ids]
        if unknown:
            raise ValueError(_unknown_word(unknown[0]))
        row[: len(tokens)] = [ids[token] for token in tokens]
    return numbers


def tokenize(text: str, words=VOCABULARY) -> tuple[str, ...]:
    """Cut a Chinese sentence into words of the corpus, longest match first.

    Args:
        text: str, with or without blanks; a full stop at the end is dropped.
        words: tuple of str, the words to cut into.

    Returns:
        tuple of str, all in `words`.

    Raises:
        ValueError: a piece of the text is no word of the corpus; the message says which.
    """
    longest = max(len(word) for word in words)
    rest = text.replace(",", "，").rstrip("。. ")
    tokens = []
    while rest := rest.lstrip():
        for size in range(min(longest, len(rest)), 0, -1):
            if rest[:size] in words:
                tokens.append(rest[:size])
                rest = rest[size:]
                break
        else:
            raise ValueError(_unknown_word(rest[:4]))
    return tuple(tokens)


def _rivals(subject, group, habits):
    others = [name for name in group if name != subject]
    if habits is None:
        return others
    return [name for name in others if habits[name] != habits[subject]]


def _pick(rng, choices):
    return choices[rng.integers(len(choices))]


def _unknown_word(piece: str) -> str:
    return (
        f"the corpus has no word at “{piece}”: the model has never seen it. "
        f"Known names: {' '.join(NAMES)}. Known things: {' '.join(OBJECTS)}. "
        f"Known places: {' '.join(PLACES)}. Known verbs: {' '.join(VERBS)}."
    )
