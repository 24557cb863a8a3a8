"""Predictions that live in the notebook, and the quiz cards at a lesson's end.

The learner's letter is an argument in a cell, so it survives a restart, travels with the file and
needs no widget. A card is escaped HTML with the front end's own colours; a sign and a word go
with every colour.
"""

import html
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from helpers.course.cards import card, folded
from helpers.course.console import printable
from helpers.course.memory import Memory
from helpers.course.questions import Question
from helpers.language import say

_OPEN = ("", "?")


@dataclass(frozen=True)
class Card:
    """One card, as HTML and as plain text."""

    inside: str
    plain: str

    def _repr_html_(self):
        return self.inside

    def __repr__(self):
        """Show the card as plain text."""
        return printable(self.plain)


class Predictions:
    """The predictions and quiz questions of one lesson, and the letters chosen in this kernel.

    Args:
        questions: the lesson's questions by their ids.
        memory: where the first predictions of all lessons are kept; None for nowhere.
    """

    def __init__(self, questions: Mapping[str, Question], memory: Memory | None = None):
        self._questions = questions
        self._memory = memory
        self._chosen: dict[str, str] = {}
        self._first: dict[str, bool] = {}  # was it right when the answer was first shown?

    def predict(self, question_id: str, letter: str = "?") -> Card:
        """Commit to a prediction: the letter that stands in the cell.

        Args:
            question_id: such as "4.1"; the question itself stands above as text.
            letter: one of its letters; small, wide or with blanks around it is fine. "?" is
                no prediction yet.

        Returns:
            Card, which the notebook shows.

        Raises:
            ValueError: if the lesson has no such question.
        """
        question = self._question(question_id)
        given = unicodedata.normalize("NFKC", str(letter)).strip().upper()
        self._chosen.pop(question_id, None)
        letters = ", ".join(question.letters)
        if given in question.letters and len(given) == 1:
            self._chosen[question_id] = given
            text = say("You predict {letter}. Run on to see what happens.", letter=given)
        elif given in _OPEN:
            text = say(
                "Write your letter ({letters}) in place of the question mark and run the cell "
                "again. A wrong guess costs nothing.",
                letters=letters,
            )
        else:
            text = say(
                "{given} is none of the options. Write one of {letters} in place of it.",
                given=repr(letter)[:40],
                letters=letters,
            )
        return Card(card("blue", html.escape(text)), text)

    def reveal(self, question_id: str) -> Card:
        """Show what was predicted, what happened, and why each option is right or tempting.

        Without a prediction the card stays closed: a fold that can be opened.

        Args:
            question_id: the id that ``predict`` was given.

        Returns:
            Card, which the notebook shows.

        Raises:
            ValueError: if the lesson has no such question.
        """
        question = self._question(question_id)
        chosen = self._chosen.get(question_id)
        reasons = [_reason(question, letter) for letter in question.letters]
        if chosen is None:
            title = say("You have not predicted yet. Open this card to see what happened.")
            return Card(card("blue", folded(title, "".join(reasons))), title)
        hit = chosen == question.answer
        self._first.setdefault(question_id, hit)
        if self._memory:
            known = self._memory.keep(self._first)
            self._first = {name: known[name] for name in self._first}
        if hit:
            head = say("✓ You predicted {letter}, and that is what happened.", letter=chosen)
        else:
            head = say(
                "≠ You predicted {letter}. What happened: {answer}.",
                letter=chosen,
                answer=question.answer,
            )
        first = chosen if hit else chosen + question.answer
        shown = "".join(_reason(question, letter) for letter in first)
        rest = "".join(_reason(question, x) for x in question.letters if x not in first)
        others = folded(say("The other options"), rest) if rest else ""
        plain = "\n".join([head, *(f"  {x}: {say(question.why[x])}" for x in question.letters)])
        inside = f"<b>{html.escape(head)}</b>{shown}{others}"
        return Card(card("green" if hit else "orange", inside), plain)

    def quiz(self, question_id: str) -> Card:
        """Show a question's options; each opens at a click and says why it is right or wrong.

        This is plain HTML: it works without a kernel, and running all cells gives nothing away.

        Args:
            question_id: such as "4.q1"; the question itself stands above as text.

        Returns:
            Card, which the notebook shows.

        Raises:
            ValueError: if the lesson has no such question.
        """
        question = self._question(question_id)
        options = "".join(
            folded(letter, _reason(question, letter), group=f"quiz {question_id}")
            for letter in question.letters
        )
        head = say("Your answer: decide, then open that letter.")
        plain = f"{head} ({', '.join(question.letters)})"
        return Card(card("blue", f"<b>{html.escape(head)}</b><br>{options}"), plain)

    def summary(self) -> Card:
        """Count the predictions, each as it stood when its answer was first shown.

        With a memory, those of the whole course are counted, too.

        Returns:
            Card, which the notebook shows.
        """
        asked = [name for name in self._questions if ".q" not in name]
        texts = [
            say(
                "Questions to predict: {asked}. Predicted before the answer: {made}. "
                "Right: {right}.",
                asked=len(asked),
                made=len(self._first),
                right=sum(self._first.values()),
            )
        ]
        known = self._memory.read() if self._memory else {}
        if known:
            texts.append(
                say(
                    "Over the whole course so far: predicted {made}, right {right}. This count is "
                    "kept on this computer only, in the file {file} of the course's folder; delete "
                    "it to begin anew.",
                    made=len(known),
                    right=sum(known.values()),
                    file=self._memory.file.name,
                )
            )
        inside = "<br>".join(html.escape(text) for text in texts)
        return Card(card("blue", inside), "\n".join(texts))

    def _question(self, question_id) -> Question:
        if question_id not in self._questions:
            known = ", ".join(self._questions)
            raise ValueError(
                say(
                    "This lesson has no question {question_id}; its questions are: {known}.",
                    question_id=repr(question_id),
                    known=known,
                )
            )
        return self._questions[question_id]


def _reason(question: Question, letter: str) -> str:
    right = letter == question.answer
    sign, word = ("✓", say("right")) if right else ("✗", say("not this"))
    return (
        f'<p style="margin:6px 0 0 0"><b>{sign} {letter}</b> <span style="opacity:.75">({word})'
        f"</span> {html.escape(say(question.why[letter]))}</p>"
    )
