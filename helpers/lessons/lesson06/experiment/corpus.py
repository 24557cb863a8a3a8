"""Sentences with three names: who says it, who does it, to whom.

A sentence reads 小明 说 他 昨天 看见 小刚 在 学校 追 了 小强 (Xiaoming says that yesterday he saw
Xiaogang chase Xiaoqiang at school). Its three names come from one list of 64, so a name gives
nothing away: who did what shows in the places alone. Time, adverb and place come and go, so that
the verb and its subject do not stand at a fixed distance.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

NAMES = tuple(
    first + second for second in "明强军伟杰刚勇涛斌鹏辉平东波超飞" for first in "小阿大老"
)
VERBS = ("打", "追", "骂", "帮", "等", "找")
TIMES = ("昨天", "今天", "早上", "晚上")
ADVERBS = ("又", "刚刚", "悄悄", "慢慢")
PLACES = ("学校", "公园", "家里", "路上")
PAD = "<pad>"
WORDS = (PAD, *NAMES, *VERBS, *TIMES, *ADVERBS, *PLACES, "说", "他", "看见", "在", "了")
WORD_ID = {word: index for index, word in enumerate(WORDS)}
LENGTH = 12

TWO_ROWS = (("he", "speaker"), ("verb", "subject"))
ONE_ROW = (("verb", "subject"), ("verb", "object"))

EXAMPLE = ("小明", "说", "他", "昨天", "看见", "小刚", "在", "学校", "追", "了", "小强")
EXAMPLE_GLOSSES = (
    "Xiaoming", "says", "he", "yesterday", "saw", "Xiaogang", "at", "school", "chase", "[done]",
    "Xiaoqiang",
)  # fmt: skip


@dataclass(frozen=True)
class Sentences:
    """Many sentences of the corpus.

    Attributes:
        ids: int64 array (count, LENGTH), the place of each word in WORDS, padded with 0.
        places: dict from "speaker", "he", "subject", "verb" and "object" to an int64 array
            (count,): at which position that word stands.
    """

    ids: np.ndarray
    places: dict[str, np.ndarray]

    def names(self, role: str) -> np.ndarray:
        """Which name plays a role.

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


def make_sentences(rng, count: int) -> Sentences:
    """Draw sentences at random; the three names of each are different.

    Args:
        rng: numpy Generator.
        count: int, how many.

    Returns:
        Sentences.
    """

    def draw(words):
        return rng.integers(len(words), size=count) + WORD_ID[words[0]]

    def fixed(word):
        return np.full(count, WORD_ID[word])

    speaker, subject, other = _three_different(rng, count) + WORD_ID[NAMES[0]]
    time_first, has_adverb, has_place = rng.random((3, count)) < 0.5
    time = draw(TIMES)
    slots = {
        "time before": time * time_first,
        "speaker": speaker,
        "says": fixed("说"),
        "he": fixed("他"),
        "time after": time * ~time_first,
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
    roles = ("speaker", "he", "subject", "verb", "object")
    places = {role: before[:, list(slots).index(role)] for role in roles}
    return Sentences(closed_up[:, :LENGTH], places)


def _three_different(rng, count):
    first = rng.integers(len(NAMES), size=count)
    second = (first + rng.integers(1, len(NAMES), size=count)) % len(NAMES)
    third = rng.integers(len(NAMES) - 2, size=count)
    for taken in np.sort(np.stack([first, second]), axis=0):
        third = third + (third >= taken)
    return np.stack([first, second, third])


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
        raise ValueError(f"the corpus has no word {unknown[0]!r}; its words are {WORDS[1:]}.")
    if not 0 < len(tokens) <= LENGTH:
        raise ValueError(f"a sentence has 1 to {LENGTH} words, got {len(tokens)}.")
    return np.array([WORD_ID[token] for token in tokens])
