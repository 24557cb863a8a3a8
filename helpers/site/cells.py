"""What each cell is on a page: text, code, a prediction, its answer, an exercise, a quiz."""

import html
import re
from dataclasses import dataclass, field
from importlib import import_module

import nbformat

from helpers.course.exercise import Exercise
from helpers.course.predictions import Predictions
from helpers.language import say
from helpers.site.lessons import SiteError

_CALL = re.compile(r'^(lesson\d\d)\.(predict|reveal|quiz|predictions|table)\((?:"([^"]+)")?.*\)$')
_CHECK = re.compile(r"^(lesson\d\d)\.(\w+)\.check\(\w+\)$", re.MULTILINE)
_HEADING_OR_QUESTION = re.compile(r"^#|\*\*Predict\.\*\*", re.MULTILINE)


@dataclass
class Part:
    """One cell of a page.

    Attributes:
        kind: "text", "code", "imports", "predict", "reveal", "quiz", "count", "table", "check".
        question: the id of the question of "predict", "reveal" and "quiz".
        letters: its letters.
        answer: the right one.
        cards: for "reveal", {letter: HTML of the answer's card for who chose it}.
        asked: for "count", {id: right letter} of the questions to predict.
        exercise: of "check".
        opens: whether from here on the cells are held back.
        closes: whether they are no longer, behind this cell.
    """

    kind: str
    question: str = ""
    letters: str = ""
    answer: str = ""
    cards: dict[str, str] = field(default_factory=dict)
    asked: dict[str, str] = field(default_factory=dict)
    exercise: Exercise | None = None
    opens: bool = False
    closes: bool = False


def parts_of(notebook: nbformat.NotebookNode) -> list[Part]:
    """Say what each cell is, in order.

    Args:
        notebook: with or without results.

    Returns:
        list of Part, one a cell.

    Raises:
        SiteError: a prediction has no answer below it, or an answer no prediction.
    """
    parts = [_part(cell) for cell in notebook.cells]
    waiting = ""
    for number, (part, cell) in enumerate(zip(parts, notebook.cells, strict=True)):
        if part.kind == "predict" and not waiting:
            waiting, part.opens = part.question, True
        elif part.kind == "reveal" and waiting == part.question:
            waiting = ""
            last = parts[number + 1 :][:1]
            comment = last and last[0].kind == "text"
            if comment and not _HEADING_OR_QUESTION.search(notebook.cells[number + 1].source):
                last[0].closes = True  # what the text says of the answer is held back with it
            else:
                part.closes = True
        elif part.kind in ("predict", "reveal"):
            raise SiteError(
                say(
                    "A prediction and its answer do not follow each other: {code}", code=cell.source
                )
            )
    if waiting:
        raise SiteError(say("The prediction {question} has no answer.", question=waiting))
    return parts


def asked_of(parts: list[Part]) -> dict[str, str]:
    """The questions to predict of a page, each with its right letter."""
    return {part.question: part.answer for part in parts if part.kind == "predict"}


def _part(cell):
    if cell.cell_type != "code":
        return Part("text")
    call = _CALL.match(cell.source.strip())
    check = _CHECK.search(cell.source)
    if check:
        return Part("check", exercise=getattr(_lesson(check[1]), check[2]))
    if call is None:
        folded = cell.metadata.get("jupyter", {}).get("source_hidden")
        return Part("imports" if folded else "code")
    questions = _questions(call[1])
    if call[2] == "predictions":
        asked = {name: q.answer for name, q in questions.items() if ".q" not in name}
        return Part("count", asked=asked)
    if call[2] == "table":
        return Part("table")
    if call[2] == "quiz":
        return Part("quiz", call[3])
    question = questions[call[3]]
    cards = _cards(questions, call[3]) if call[2] == "reveal" else {}
    return Part(call[2], call[3], question.letters, question.answer, cards)


def _lesson(name):
    return import_module(f"helpers.lessons.{name}")


def _questions(name):
    return import_module(f"helpers.lessons.{name}.questions").QUESTIONS


def _cards(questions, name):
    """The card that the notebook shows to who chose each letter, and the closed one for ""."""
    cards = {}
    for letter in ("", *questions[name].letters):
        predictions = Predictions(questions)
        predictions.predict(name, letter)
        cards[letter] = predictions.reveal(name)._repr_html_()
    return cards


def count_text() -> str:
    """What the notebook says of all predictions, with {names} where the numbers go."""
    return html.escape(
        say("Questions to predict: {asked}. Predicted before the answer: {made}. Right: {right}.")
    )
