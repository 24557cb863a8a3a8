"""What the sentences are made of: words, what each word is written with, and who appears."""

from dataclasses import dataclass

import numpy as np

from helpers.sentences import CHARACTERS, FAMILIES, VERBS, VOCABULARY, make_habits

PEOPLE = {group: CHARACTERS[group] for group in ("male", "female")}
ANIMALS = CHARACTERS["animal"]
NAMED = ("given", "full", "unsplit")


@dataclass(frozen=True)
class Corpus:
    """The words of one corpus and the habits of its characters.

    Attributes:
        words: tuple of str, all words; the model's vocabulary.
        parts: None if each word has a vector of its own, or float32 array (words, parts) of
            zeros and ones: a word's vector is the sum of the vectors of its parts.
        characters: dict class -> names that training may show.
        newcomers: dict class -> names that training never shows; empty if there are none.
        habits: dict name -> verb, what each character does at the end of a sentence.
    """

    words: tuple[str, ...]
    parts: np.ndarray | None
    characters: dict[str, tuple[str, ...]]
    newcomers: dict[str, tuple[str, ...]]
    habits: dict[str, str]

    @property
    def ids(self) -> dict[str, int]:
        """The number of each word."""
        return {word: index for index, word in enumerate(self.words)}


def make_corpus(rng, names="given") -> Corpus:
    """Choose the words, the habits, and who is kept out of training.

    Args:
        rng: numpy Generator.
        names: "given": given names such as 小明, each with a habit of its own. "full": people
            have family names, too (王小明); a family shares one habit, a name's vector is the sum
            of the vectors of its two parts, and one full name in four is kept out of training.
            "unsplit": the same people, but every full name has one vector of its own.

    Returns:
        Corpus.

    Raises:
        ValueError: no such kind of names.
    """
    if names not in NAMED:
        raise ValueError(f"names must be one of {', '.join(NAMED)}, got {names!r}.")
    if names == "given":
        return Corpus(VOCABULARY, None, CHARACTERS, {}, make_habits(rng))
    verbs = dict(zip(FAMILIES, rng.permutation(VERBS).tolist(), strict=True))
    seen, kept_out = _divide(rng)
    everyone = {group: seen[group] + kept_out[group] for group in PEOPLE}
    full = tuple(name for group in PEOPLE for name in everyone[group])
    animals = {name: verb for name, verb in make_habits(rng).items() if name in ANIMALS}
    return Corpus(
        words=VOCABULARY + full,
        parts=_parts(full) if names == "full" else None,
        characters=seen | {"animal": ANIMALS},
        newcomers=kept_out,
        habits=animals | {name: verbs[name[0]] for name in full},
    )


def _divide(rng):
    """Full names that training shows, and one in four that it does not.

    Every family and every given name appears on both sides.
    """
    seen, kept_out = {}, {}
    for group, given in PEOPLE.items():
        shift = rng.integers(4)
        sides = ([], [])
        for f, family in enumerate(FAMILIES):
            for g, name in enumerate(given):
                sides[int((f + g + shift) % 4 == 0)].append(family + name)
        seen[group], kept_out[group] = map(tuple, sides)
    return seen, kept_out


def _parts(full):
    """(words, parts) zeros and ones: a full name has two parts, any other word is its own."""
    part = {word: index for index, word in enumerate((*VOCABULARY, *FAMILIES))}
    parts = np.zeros((len(VOCABULARY) + len(full), len(part)), dtype=np.float32)
    for row, word in zip(parts, VOCABULARY + full, strict=True):
        row[[part[p] for p in ((word[0], word[1:]) if word in full else (word,))]] = 1
    return parts
