"""What a learner sees: the verdict of a check, a hint, a solution; as HTML and as plain text."""

import base64
import html
import io
from dataclasses import dataclass

_COLOURS = {"correct": "#2e8b57", "wrong": "#c8553d", "not attempted": "#7a7a7a"}
_SIGNS = {"correct": "✔", "wrong": "✘", "not attempted": "○"}
_BOX = "border-left:4px solid {colour};padding:0.3em 0.9em;margin:0.3em 0"
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
        solution: the expression that shows the solution.
    """

    state: str
    summary: str
    cause: str = ""
    facts: tuple = ()
    printed: str = ""
    picture: str = ""
    hints: tuple = ()
    solution: str = ""

    @property
    def correct(self):
        """True if the answer passed on every input."""
        return self.state == "correct"

    def __repr__(self):
        """Show the verdict as plain text."""
        lines = [f"{_SIGNS[self.state]} {self.state}: {self.summary}"]
        if self.cause:
            lines.append(f"Likely cause: {self.cause}")
        for label, text in (*self.facts, *self._output()):
            lines.append(f"{label}:")
            lines.extend(f"    {line}" for line in text.splitlines())
        if not self.correct and self.hints:
            lines.append(f"Hints: {self.solution.replace('.solution()', '.hint()')}")
            lines.append(f"Solution: {self.solution}")
        return "\n".join(lines)

    def _repr_html_(self):
        e = html.escape
        colour = _COLOURS[self.state]
        parts = [
            f'<div><b style="color:{colour}">{_SIGNS[self.state]} {self.state}</b> '
            f"{e(self.summary)}</div>"
        ]
        if self.cause:
            parts.append(f"<div><b>Likely cause:</b> {e(self.cause)}</div>")
        facts = "".join(
            f'<pre style="{_PRE}"><b>{e(label)}</b>\n{e(text)}</pre>' for label, text in self.facts
        )
        parts.append(f"<div>{facts}</div>" if facts else "")
        parts.append(self.picture)
        parts.extend(
            f'<pre style="{_PRE}"><b>{e(label)}</b>\n{e(text)}</pre>'
            for label, text in self._output()
        )
        if not self.correct and self.hints:
            parts.append(_nested(self.hints, self.solution))
        return f'<div style="{_BOX.format(colour=colour)}">{"".join(parts)}</div>'

    def _output(self):
        return (("It printed", self.printed),) if self.printed else ()


def _nested(hints, solution):
    inner = f"<div>The solution: <code>{html.escape(solution)}</code></div>"
    for number in range(len(hints), 0, -1):
        inner = (
            f"<details><summary>Hint {number} of {len(hints)}</summary>"
            f"<div>{html.escape(hints[number - 1])}</div>{inner}</details>"
        )
    return inner


@dataclass(frozen=True)
class Hint:
    """One hint, shown by its repr."""

    text: str
    number: int
    total: int
    solution: str

    def __repr__(self):
        """Show the hint as plain text."""
        last = f"\nThat was the last hint. The solution: {self.solution}"
        return f"Hint {self.number} of {self.total}: {self.text}{last * self._is_last()}"

    def _repr_html_(self):
        e = html.escape
        last = f"<div>That was the last hint. The solution: <code>{e(self.solution)}</code></div>"
        return (
            f'<div style="{_BOX.format(colour="#7a7a7a")}"><b>Hint {self.number} of {self.total}'
            f"</b> {e(self.text)}{last * self._is_last()}</div>"
        )

    def _is_last(self):
        return self.number == self.total


@dataclass(frozen=True)
class Solution:
    """The reference's source, highlighted where Markdown is rendered."""

    source: str

    def __repr__(self):
        """Show the source as plain text."""
        return self.source

    def _repr_markdown_(self):
        return f"```python\n{self.source}```"


def picture(drawing):
    """Turn a matplotlib figure, or an object or text with HTML, into HTML."""
    if hasattr(drawing, "savefig"):
        buffer = io.BytesIO()
        drawing.savefig(buffer, format="png", dpi=100)
        code = base64.b64encode(buffer.getvalue()).decode("ascii")
        alt = "what came back and what was wanted"
        return f'<div><img alt="{alt}" src="data:image/png;base64,{code}"></div>'
    return drawing._repr_html_() if hasattr(drawing, "_repr_html_") else str(drawing)
