"""Sentences with three people: who says it, who does it, to whom.

A sentence reads 小明 说 他 昨天 看见 小刚 在 学校 追 了 小强 (Xiaoming says that yesterday he saw
Xiaogang chase Xiaoqiang at school). Its three people come from one list of 16, so a name gives
nothing away: who did what shows in the places alone. Time, adverb and place come and go, so that
the verb and its subject do not stand at a fixed distance. The pronoun fits the speaker.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from helpers.language import say
from helpers.sentences import CHARACTERS, GLOSS

NAMES = CHARACTERS["male"] + CHARACTERS["female"]
PRONOUNS = ("他", "她")
VERBS = ("打", "追", "骂", "帮", "找")
TIMES = ("昨天", "今天", "早上", "晚上")
ADVERBS = ("又", "刚刚", "悄悄", "慢慢")
PLACES = ("学校", "公园", "家里", "路上")
PAD = "<pad>"
WORDS = (PAD, *NAMES, *PRONOUNS, *VERBS, *TIMES, *ADVERBS, *PLACES, "说", "看见", "在", "了")
WORD_ID = {word: index for index, word in enumerate(WORDS)}
LENGTH = 12
TEST_SIZE = 500

TWO_ROWS = (("pronoun", "speaker"), ("verb", "subject"))
ONE_ROW = (("verb", "subject"), ("verb", "object"))

EXAMPLE = ("小明", "说", "他", "昨天", "看见", "小刚", "在", "学校", "追", "了", "小强")


@dataclass(frozen=True)
class Sentences:
    """Many sentences of the corpus.

    Attributes:
        ids: int64 array (count, LENGTH), the place of each word in WORDS, padded with 0.
        places: dict from "speaker", "pronoun", "subject", "verb" and "object" to an int64 array
            (count,): at which position that word stands.
    """

    ids: np.ndarray
    places: dict[str, np.ndarray]

    def names(self, role: str) -> np.ndarray:
        """Which person plays a role.

        Args:
            role: "speaker", "subject" or "object".

        Returns:
            int64 array (count,), indices into NAMES.
        """
        return self.ids[np.arange(len(self.ids)), self.places[role]] - WORD_ID[NAMES[0]]

    def swapped(self) -> "Sentences":
        """The same sentences with subject and object exchanged; nothing else changes."""
        ids = self.ids.copy()
        rows, subject, other = np.arange(len(ids)), self.places["subject"], self.places["object"]
        ids[rows, subject], ids[rows, other] = self.ids[rows, other], self.ids[rows, subject]
        return Sentences(ids, self.places)

    def written(self, count: int) -> list[str]:
        """The first sentences, each word with what it means.

        Args:
            count: int, how many.
        """
        words = [[WORDS[i] for i in row if i] for row in self.ids[:count]]
        return [" · ".join(f"{word} {GLOSS[word]}" for word in sentence) for sentence in words]


def make_sentences(rng: np.random.Generator, count: int, held_out: bool = False) -> Sentences:
    """Draw sentences at random; the three people of each are different.

    Args:
        rng: where they come from.
        count: int, how many.
        held_out: whether they are about people who never meet in training, see `is_held_out`.

    Returns:
        Sentences.
    """

    def draw(words):
        return rng.integers(len(words), size=count) + WORD_ID[words[0]]

    def fixed(word):
        return np.full(count, WORD_ID[word])

    people = _three_people(rng, count, held_out)  # (3, count)
    speaker, subject, other = people + WORD_ID[NAMES[0]]
    is_woman = people[0] >= len(CHARACTERS["male"])
    time_first, has_adverb, has_place = rng.random((3, count)) < 0.5
    time = draw(TIMES)
    slots = {
        "early": time * time_first,
        "speaker": speaker,
        "says": fixed("说"),
        "pronoun": np.where(is_woman, WORD_ID["她"], WORD_ID["他"]),
        "late": time * ~time_first,
        "saw": fixed("看见"),
        "subject": subject,
        "adverb": draw(ADVERBS) * has_adverb,
        "at": fixed("在") * has_place,
        "place": draw(PLACES) * has_place,
        "verb": draw(VERBS),
        "done": fixed("了"),
        "object": other,
    }
    table = np.stack(list(slots.values()), axis=1)  # (count, 13), 0 where a word is left out
    before = np.cumsum(table > 0, axis=1) - 1  # (count, 13), how many words stand before
    closed_up = np.take_along_axis(table, np.argsort(table == 0, axis=1, kind="stable"), axis=1)
    roles = ("speaker", "pronoun", "subject", "verb", "object")
    places = {role: before[:, list(slots).index(role)] for role in roles}
    return Sentences(closed_up[:, :LENGTH], places)


def unseen(seed: int, count: int = TEST_SIZE) -> Sentences:
    """Sentences about people who never met in any training.

    Args:
        seed: int.
        count: int, how many.

    Returns:
        Sentences.
    """
    return make_sentences(np.random.default_rng([seed, 1]), count, held_out=True)


def is_held_out(people: np.ndarray) -> np.ndarray:
    """Tell which threesomes, in whatever roles, are kept out of training: about one in four.

    Args:
        people: (3, count) int, indices into NAMES.

    Returns:
        bool (count,).
    """
    return people.sum(axis=0) % 4 == 0


def _three_people(rng, count, held_out):
    """Draw (3, count) people, all different, who meet in training or never do."""
    drawn = np.argsort(rng.random((8 * count + 64, len(NAMES))), axis=1)[:, :3].T
    return drawn[:, is_held_out(drawn) == held_out][:, :count]


def encode(tokens: Sequence[str]) -> np.ndarray:
    """Turn the words of one sentence into ids.

    Args:
        tokens: sequence of n str, all in WORDS, 1 to LENGTH of them.

    Returns:
        int64 array (n,).

    Raises:
        ValueError: a word is not in WORDS, or there are too few or too many.
    """
    unknown = [token for token in tokens if token not in WORD_ID]
    if unknown:
        raise ValueError(
            say(
                "The corpus has no word {word}; its words are {words}.",
                word=repr(unknown[0]),
                words=" ".join(WORDS[1:]),
            )
        )
    if not 0 < len(tokens) <= LENGTH:
        raise ValueError(
            say("A sentence has 1 to {most} words, got {got}.", most=LENGTH, got=len(tokens))
        )
    return np.array([WORD_ID[token] for token in tokens])
