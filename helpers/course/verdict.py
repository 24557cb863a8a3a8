"""What a learner sees: the verdict of a check, a hint, a solution; as HTML and as plain text."""

import base64
import html
import io
from dataclasses import dataclass

from helpers.course.cards import card, folded
from helpers.course.console import printable
from helpers.language import say

_COLOURS = {"correct": "green", "wrong": "orange", "not attempted": "grey"}
_PRE = (
    "display:inline-block;vertical-align:top;margin:0.2em 1.5em 0.2em 0;"
    "background:transparent;color:inherit;white-space:pre"
)


@dataclass(frozen=True)
class Verdict:
    """The outcome of one check.

    Attributes:
        state: "not attempted", "wrong" or "correct".
        summary: one sentence.
        cause: the likely misconception in one sentence, or "".
        facts: (label, text) pairs: the input, what came back, what was wanted.
        printed: the first lines of what the answer printed, or "".
        picture: HTML drawn beside a failure, or "".
        hints: the exercise's hints; they open without a kernel.
        address: the exercise's name, such as "lesson04.softmax".
    """

    state: str
    summary: str
    cause: str = ""
    facts: tuple = ()
    printed: str = ""
    picture: str = ""
    hints: tuple = ()
    address: str = ""

    @property
    def correct(self) -> bool:
        """True if the answer passed on every input."""
        return self.state == "correct"

    def __repr__(self):
        """Show the verdict as plain text."""
        lines = [f"{self._state()}: {self.summary}"]
        if self.cause:
            lines.append(say("Likely cause: {cause}", cause=self.cause))
        for label, text in (*self.facts, *self._output()):
            lines.append(f"{label}:")
            lines.extend(f"    {line}" for line in text.splitlines())
        if not self.correct and self.hints:
            lines.append(say("Hints: {call}", call=f"{self.address}.hint()"))
            lines.append(say("Solution: {call}", call=f"{self.address}.solution()"))
        return printable("\n".join(lines))

    def _repr_html_(self):
        e = html.escape
        parts = [f"<div><b>{self._state()}</b> {e(self.summary)}</div>"]
        if self.cause:
            parts.append(f"<div><b>{e(say('Likely cause:'))}</b> {e(self.cause)}</div>")
        parts.extend(_quoted(label, text) for label, text in self.facts)
        parts.append(self.picture)
        parts.extend(_quoted(label, text) for label, text in self._output())
        if not self.correct and self.hints:
            parts.append(f"<div>{_nested(self.hints, self.address)}</div>")
        return card(_COLOURS[self.state], "".join(parts))

    def _state(self):
        if self.correct:
            return say("✔ correct")
        return say("✘ wrong") if self.state == "wrong" else say("○ not attempted")

    def _output(self):
        return ((say("It printed"), self.printed),) if self.printed else ()


def _quoted(label, text):
    return f'<pre style="{_PRE}"><b>{html.escape(label)}</b>\n{html.escape(text)}</pre>'


def _nested(hints, address):
    solution = say("The solution: {call}", call=f"{address}.solution()")
    inner = f"<div>{html.escape(solution)}</div>"
    for number in range(len(hints), 0, -1):
        title = say("Hint {number} of {total}", number=number, total=len(hints))
        inner = folded(title, f"<div>{html.escape(say(hints[number - 1]))}</div>{inner}")
    return inner


@dataclass(frozen=True)
class Hint:
    """One hint, shown by its repr."""

    text: str
    number: int
    total: int
    address: str

    def __repr__(self):
        """Show the hint as plain text."""
        return printable("\n".join([f"{self._title()}: {say(self.text)}", *self._last()]))

    def _repr_html_(self):
        head = f"<b>{html.escape(self._title())}</b> {html.escape(say(self.text))}"
        last = "".join(f"<div>{html.escape(sentence)}</div>" for sentence in self._last())
        return card("grey", head + last)

    def _title(self):
        return say("Hint {number} of {total}", number=self.number, total=self.total)

    def _last(self):
        if self.number < self.total:
            return []
        call = f"{self.address}.solution()"
        return [say("That was the last hint. The solution: {call}", call=call)]


@dataclass(frozen=True)
class Solution:
    """The reference's source, highlighted where Markdown is rendered."""

    source: str

    def __repr__(self):
        """Show the source as plain text."""
        return printable(self.source)

    def _repr_markdown_(self):
        return f"```python\n{self.source}```"


def picture(drawing: object) -> str:
    """Turn a matplotlib figure, or an object or text with HTML, into HTML."""
    if hasattr(drawing, "savefig"):
        buffer = io.BytesIO()
        drawing.savefig(buffer, format="png", dpi=100)
        code = base64.b64encode(buffer.getvalue()).decode("ascii")
        alt = html.escape(say("what came back and what was wanted"))
        return f'<div><img alt="{alt}" src="data:image/png;base64,{code}"></div>'
    return drawing._repr_html_() if hasattr(drawing, "_repr_html_") else str(drawing)
