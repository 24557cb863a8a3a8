"""English sentences about two people, one of whom a pronoun means."""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

NAMES = (
    ("john", "peter", "david", "mark", "paul", "james", "robert", "henry"),
    ("mary", "anna", "susan", "emma", "laura", "helen", "julia", "alice"),
)
FRESH = (
    ("george", "william", "thomas", "michael", "richard", "edward", "charles", "daniel"),
    ("sarah", "margaret", "lucy", "kate", "jane", "ruth", "nancy", "rachel"),
)
PATTERNS = (
    "{one} saw {other} near the table, then {pronoun} left.",
    "{one} met {other} in the garden before {pronoun} went home.",
    "{one} gave {other} the book because {pronoun} asked for it.",
    "{one} called {other} yesterday, but {pronoun} did not answer.",
    "after {one} talked to {other}, {pronoun} felt better.",
)
TOM = "Tom put the book on the table, then he left."
JOHN_AND_MARY = "John saw Mary near the table, then {} left."
WORDS = sorted(
    {"he", "she", "tom", "put", "on", "book", *itertools.chain(*NAMES, *FRESH)}
    | {word.strip(".,") for pattern in PATTERNS for word in pattern.split() if "{" not in word}
)


class TwoPeople(NamedTuple):
    """A sentence, the pronoun in it, whom it means, and the other one."""

    text: str
    pronoun: str
    meant: str
    other: str


def two_people(names: Sequence[Sequence[str]], couples: int, seed: int) -> list[TwoPeople]:
    """Make sentences about a man and a woman.

    Args:
        names: those of men, and those of women.
        couples: how many each pattern is filled with, in both orders, with he and with she.
        seed: of their choice.

    Returns:
        list of TwoPeople, 20 for each couple.
    """
    rng = np.random.default_rng(seed)
    found = []
    for pattern in PATTERNS:
        every = list(itertools.product(*names))
        for place in rng.choice(len(every), size=couples, replace=False):
            man, woman = every[place]
            for one, other in ((man, woman), (woman, man)):
                for pronoun, meant, rest in (("he", man, woman), ("she", woman, man)):
                    text = pattern.format(one=one, other=other, pronoun=pronoun)
                    found.append(TwoPeople(text, pronoun, meant, rest))
    return found
