"""All claims beside what was measured, and all statements of the article beside their verdicts.

It stands above the lessons, which know no other.
"""

import html
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module

from helpers.course.claim_table import ClaimTable
from helpers.course.claims import MEASURED, Claim
from helpers.language import say
from helpers.ledger import first_half, second_half
from helpers.ledger.statement import Statement

STATEMENTS: tuple[Statement, ...] = (
    *(first_half.ONE + first_half.TWO + first_half.THREE + first_half.FOUR + first_half.FIVE),
    *(second_half.SIX + second_half.SEVEN + second_half.EIGHT + second_half.NINE),
    *second_half.TEN,
)

_CELL = "text-align:left;vertical-align:top;padding:2px 14px 2px 0"


def all_claims() -> list[Claim]:
    """Return every declared claim, in the order of the lessons."""
    modules = [import_module(f"helpers.lessons.lesson{n:02d}.claims") for n in range(1, 11)]
    return [declared for module in modules for declared in module.CLAIMS]


def claim_table(lessons: Iterable[int] = range(1, 11)) -> ClaimTable:
    """Return all claims as one table, with the values measured in this kernel.

    Args:
        lessons: numbers of the lessons to include.

    Returns:
        ClaimTable, which the notebook shows as a table.
    """
    wanted = set(lessons)
    return ClaimTable(tuple(c for c in all_claims() if c.lesson in wanted), dict(MEASURED))


def ledger() -> "Ledger":
    """Return every statement of the article with where it is treated and its verdict.

    Returns:
        Ledger, which the notebook shows as a table.
    """
    return Ledger(STATEMENTS, {declared.id: declared for declared in all_claims()})


@dataclass(frozen=True)
class Ledger:
    """Statements of the article, and the claims that test them, by their ids."""

    statements: tuple[Statement, ...]
    claims: dict[str, Claim]

    def verdicts(self, statement: Statement) -> list[str]:
        """Write what was found, a line for each claim, or the verdict and its remark."""
        if statement.claims:
            found = [(name, self.claims[name].verdict) for name in statement.claims]
            return [f"{name} {say(verdict)}" for name, verdict in found]
        return [say(statement.verdict), say(statement.remark)]

    def rows(self) -> list[tuple[str, str, str, str, list[str]]]:
        """Write id, what is said, where and how it is treated, and what was found."""
        return [
            (
                s.id,
                say(s.says),
                say("lesson {lesson:02d}", lesson=s.lesson),
                say(s.treatment),
                self.verdicts(s),
            )
            for s in self.statements
        ]

    def __repr__(self):
        """Show it as plain text, one statement a line."""
        return "\n".join(" · ".join([*row[:-1], *row[-1]]) for row in self.rows())

    def _repr_html_(self):
        def line(tag, texts):
            cells = (f'<{tag} style="{_CELL}">{text}</{tag}>' for text in texts)
            return f"<tr>{''.join(cells)}</tr>"

        head = ["", say("the article"), say("where"), say("how"), say("verdict")]
        body = (
            line("td", [*map(html.escape, row[:-1]), "<br>".join(map(html.escape, row[-1]))])
            for row in self.rows()
        )
        return f"<table><thead>{line('th', head)}</thead><tbody>{''.join(body)}</tbody></table>"
