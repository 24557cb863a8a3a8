"""Claims in a table: what is said, what was measured, the verdict."""

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING

from helpers.language import say

if TYPE_CHECKING:
    from helpers.course.claims import Claim

_CELL = "text-align:left;vertical-align:top;padding:2px 14px 2px 0"
_NUMBER = f"{_CELL};white-space:nowrap"


def rows_of(declared: "Claim", numbers: list[tuple[str, str]], first: str = "") -> str:
    """Rows of a table: said, the numbers one below the other, verdict; `first` goes before."""
    e = html.escape
    span = f' rowspan="{max(len(numbers), 1)}"'
    cell = '<td style="{}"{}>{}</td>'.format
    pairs = [cell(_CELL, "", e(name)) + cell(_NUMBER, "", f"<b>{e(v)}</b>") for name, v in numbers]
    pairs = pairs or [cell(_CELL, ' colspan="2"', "–")]
    kind, *rest = map(e, declared.judged())
    said = cell(_CELL, span, f"{first}<b>{declared.id}</b> {e(say(declared.says))}")
    verdict = cell(_CELL, span, "<br>".join([f"<b>{kind}</b>", *rest]))
    lines = [said + pairs[0] + verdict, *pairs[1:]]
    # Notebooks stripe the rows of a table, which cells of several rows would make uneven.
    return "".join(f'<tr style="background:transparent">{line}</tr>' for line in lines)


def table(head: tuple[str, str, str], rows: str) -> str:
    """HTML table of `rows_of`; the second heading stands over two columns."""
    cells = "".join(
        f'<th style="{_CELL}"{" colspan=2" if place == 1 else ""}>{html.escape(text)}</th>'
        for place, text in enumerate(head)
    )
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{rows}</tbody></table>"


@dataclass(frozen=True)
class ClaimTable:
    """Declared claims beside what was measured."""

    claims: tuple["Claim", ...]
    measured: dict[str, dict[str, float]]

    def numbers(self, declared: "Claim") -> list[tuple[str, str]]:
        """What was measured here for a claim, or the bounds its own lesson holds it to."""
        if declared.id in self.measured:
            return declared.found(self.measured[declared.id])
        return declared.wanted()

    def __repr__(self):
        """Show the table as plain text, one claim a line."""
        lines = []
        for c in self.claims:
            numbers = [" ".join(pair) for pair in self.numbers(c)]
            lines.append(" · ".join([c.id, c.section, say(c.says), *numbers, *c.judged()]))
        return "\n".join(lines)

    def _repr_html_(self):
        head = (say("said"), say("measured"), say("verdict"))
        one = len({c.section for c in self.claims}) == 1  # then it need not be said in every row
        first = "" if one else "{} "
        rows = (rows_of(c, self.numbers(c), first.format(c.section)) for c in self.claims)
        return table(head, "".join(rows))
