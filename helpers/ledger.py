"""All claims of the course beside what was measured; above the lessons, which know no other."""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module

from helpers.course.claims import MEASURED, Claim, rows_of, table
from helpers.language import say


def all_claims() -> list[Claim]:
    """Return every declared claim, in the order of the lessons."""
    modules = [import_module(f"helpers.lessons.lesson{n:02d}.claims") for n in range(1, 11)]
    return [declared for module in modules for declared in module.CLAIMS]


def claim_table(lessons: Iterable[int] = range(1, 11)) -> "ClaimTable":
    """Return all claims as one table, with the values measured in this kernel.

    Args:
        lessons: numbers of the lessons to include.

    Returns:
        ClaimTable, which the notebook shows as a table.
    """
    wanted = set(lessons)
    return ClaimTable(tuple(c for c in all_claims() if c.lesson in wanted), dict(MEASURED))


@dataclass(frozen=True)
class ClaimTable:
    """Declared claims beside what was measured."""

    claims: tuple[Claim, ...]
    measured: dict[str, dict[str, float]]

    def numbers(self, declared: Claim) -> list[tuple[str, str]]:
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
        rows = (rows_of(c, self.numbers(c), first=f"{c.section} ") for c in self.claims)
        return table(head, "".join(rows))
