"""The sentences that the machine can say: patterns of the corpus with menus for their words."""

import numpy as np

from helpers.language import say
from helpers.sentences import CHARACTERS, PRONOUNS, known_gloss, make_habits

PEOPLE = {group: names[:4] for group, names in CHARACTERS.items()}
THINGS = ("书", "杯子", "钥匙", "苹果")
PLACES = ("桌子", "椅子", "床", "窗台")
SLOTS = ("actor", "other", "thing", "place", "pronoun")
START = {
    "pattern": 0,
    "actor": "小明",
    "other": "小红",
    "thing": "书",
    "place": "桌子",
    "pronoun": "他",
}
_SENTENCES = (
    "actor 看见 other 在 place 旁边 ， 然后 pronoun",
    "actor 把 thing 放在了 place 上 ， 然后 pronoun",
    "actor 把 thing 送给了 other ， 然后 pronoun",
    "actor 把 other 的 thing 放在了 place 上 ， 然后 pronoun",
    "actor 和 other 坐在 place 旁边 ， 然后 pronoun",
)
# Patterns in which training showed two of one class, and meant the one who acts.
RIVALS = (0, 2, 3)


def patterns(ending: tuple[str, ...]) -> list[dict]:
    """Each pattern's English name and its slots, with the words that close the sentence."""
    names = (
        say("A sees B beside a place"),
        say("A puts a thing on a place"),
        say("A gives B a thing"),
        say("A puts B's thing on a place"),
        say("A and B sit beside a place"),
    )
    sentences = ((*sentence.split(), *ending) for sentence in _SENTENCES)
    return [{"name": n, "slots": s} for n, s in zip(names, sentences, strict=True)]


def words_in_menus(ending: tuple[str, ...]) -> list[str]:
    """Every word that a sentence of the machine can hold."""
    said = [word for sentence in _SENTENCES for word in sentence.split() if word not in SLOTS]
    people = [name for names in PEOPLE.values() for name in names]
    return list(dict.fromkeys([*people, *PRONOUNS.values(), *THINGS, *PLACES, *said, *ending]))


def menus() -> dict[str, list]:
    """What each menu offers: words, and for people the pronoun that fits them."""
    people = [
        [name, f"{PRONOUNS[group]} {known_gloss(PRONOUNS[group])}".strip()]
        for group, names in PEOPLE.items()
        for name in names
    ]
    things, places = ([[word, ""] for word in words] for words in (THINGS, PLACES))
    return {"actor": people, "other": people, "thing": things, "place": places}


def pronoun_of() -> dict[str, str]:
    """Who is called by which pronoun."""
    return {name: PRONOUNS[group] for group, names in CHARACTERS.items() for name in names}


def habits_of(seed: int) -> dict[str, str]:
    """What each character does next in the corpus of this seed."""
    return make_habits(np.random.default_rng(seed))
