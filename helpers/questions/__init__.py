"""Predictions and retrieval questions: the right letter, and what each letter stands for.

The question and its options are Markdown in the notebook; here is what a card says afterwards.
``lessonNN.py`` declares ``QUESTIONS``, a dictionary from id to ``Question``. Predictions have ids
such as "4.1", the closing questions of a lesson "4.q1".
"""

import importlib
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """What is right, and why each letter is right or tempting.

    Attributes:
        answer: the right letter.
        why: for every letter a plain-text sentence or two: why it is right, or why it is tempting
            and where it goes wrong. No HTML, no Markdown, no ``$``.

    Raises:
        ValueError: if the letters are not A, B, C, ... or the answer is none of them.
    """

    answer: str
    why: dict[str, str]

    def __post_init__(self):
        wanted = [chr(ord("A") + k) for k in range(len(self.why))]
        if sorted(self.why) != wanted or len(wanted) < 2:
            raise ValueError(
                f"why must explain the letters A, B, ... in a row, at least two, got {[*self.why]}."
            )
        if self.answer not in self.why:
            raise ValueError(f"answer must be one of {wanted}, got {self.answer!r}.")

    @property
    def letters(self) -> str:
        """The letters of the options, such as "ABC"."""
        return "".join(sorted(self.why))


def find(question_id: str) -> Question:
    """The question with this id.

    Args:
        question_id: such as "4.1" or "4.q1"; the number before the point is the lesson's.

    Returns:
        The Question that helpers/questions/lesson04.py declares under this id.

    Raises:
        ValueError: if no lesson declares this id.
    """
    match = re.fullmatch(r"(\d{1,2})\.q?\d+", str(question_id))
    if match is None:
        raise ValueError(
            f"a question's id looks like '4.1' or '4.q1' (lesson, point, number), "
            f"got {question_id!r}."
        )
    name = f"{__name__}.lesson{int(match[1]):02d}"
    try:
        declared = importlib.import_module(name).QUESTIONS
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        declared = {}
    if question_id not in declared:
        known = ", ".join(declared) or "none"
        raise ValueError(
            f"lesson {match[1]} has no question {question_id!r}; its questions are: {known}."
        )
    return declared[question_id]
