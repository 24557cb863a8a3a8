"""How a lesson's notebook reaches the lesson's own claims and questions."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from helpers.course.claims import Claim, Claims
from helpers.course.memory import of_the_course
from helpers.course.predictions import Predictions
from helpers.course.questions import Question


class Bound(NamedTuple):
    """The functions that a notebook calls as ``lesson04.claim``, ``lesson04.predict`` and so on."""

    claim: Callable
    table: Callable
    predict: Callable
    reveal: Callable
    quiz: Callable
    predictions: Callable


def bind(claims: Sequence[Claim], questions: Mapping[str, Question]) -> Bound:
    """Bind the functions of a lesson to its own declarations.

    Args:
        claims: the claims that its notebook measures.
        questions: its questions by their ids, such as "4.1" or "4.q1".

    Returns:
        Bound, one function a field.
    """
    tested, asked = Claims(claims), Predictions(questions, of_the_course())
    return Bound(tested.claim, tested.table, asked.predict, asked.reveal, asked.quiz, asked.summary)
