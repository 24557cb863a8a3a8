"""English sentences about two people, one of whom a pronoun means."""

import itertools
from typing import NamedTuple

import numpy as np

MEN = ["john", "peter", "david", "mark", "paul", "james", "robert", "henry"]
WOMEN = ["mary", "anna", "susan", "emma", "laura", "helen", "julia", "alice"]
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
    {"he", "she", "tom", "put", "on", "book", *MEN, *WOMEN}
    | {word.strip(".,") for pattern in PATTERNS for word in pattern.split() if "{" not in word}
)


class TwoPeople(NamedTuple):
    """A sentence, the pronoun in it, whom it means, and the other one."""

    text: str
    pronoun: str
    meant: str
    other: str


def two_people(pairs: int, seed: int) -> list[TwoPeople]:
    """Sentences on `pairs` couples a pattern: each in both orders, with he and with she."""
    rng = np.random.default_rng(seed)
    found = []
    for pattern in PATTERNS:
        couples = list(itertools.product(MEN, WOMEN))
        for place in rng.choice(len(couples), size=pairs, replace=False):
            man, woman = couples[place]
            for one, other in ((man, woman), (woman, man)):
                for pronoun, meant, rest in (("he", man, woman), ("she", woman, man)):
                    text = pattern.format(one=one, other=other, pronoun=pronoun)
                    found.append(TwoPeople(text, pronoun, meant, rest))
    return found
