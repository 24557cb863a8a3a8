"""All claims of the course beside what was measured; above the lessons, which know no other."""

import html
from dataclasses import dataclass
from importlib import import_module

from helpers.course.claims import MEASURED, Claim, verdict_html


def all_claims():
    """Return every declared claim as a list, in the order of the lessons."""
    modules = [import_module(f"helpers.lessons.lesson{n:02d}.claims") for n in range(1, 11)]
    return [declared for module in modules for declared in module.CLAIMS]


def claim_table(lessons=range(1, 11)):
    """Return all claims as one table, with the values measured in this kernel.

    Args:
        lessons: numbers of the lessons to include.

    Returns:
        ClaimTable, which the notebook shows as a table.
    """
    return ClaimTable(tuple(c for c in all_claims() if c.lesson in lessons), dict(MEASURED))


@dataclass(frozen=True)
class ClaimTable:
    """Declared claims beside what was measured."""

    claims: tuple[Claim, ...]
    measured: dict[str, dict[str, float]]

    def rows(self):
        """Return (id, section, says, found, verdict) for each claim, all texts."""
        return [(c.id, c.section, c.says, self._found(c), c.verdict) for c in self.claims]

    def _found(self, declared):
        if declared.id in self.measured:
            return declared.values_text(self.measured[declared.id])
        return ", ".join(f"{m.name} {m.bounds()}" for m in declared.measures)

    def __repr__(self):
        """Show the table as plain text, one claim a line."""
        return "\n".join(" · ".join(row) for row in self.rows())

    def _repr_html_(self):
        heads = ("", "Section", "The article", "Measured", "Verdict")
        cell = '<td style="text-align:left;vertical-align:top">{}</td>'
        body = "".join(
            "<tr>"
            + "".join(cell.format(html.escape(text)) for text in row[:-1])
            + cell.format(verdict_html(row[-1]))
            + "</tr>"
            for row in self.rows()
        )
        head = "".join(f'<th style="text-align:left">{text}</th>' for text in heads)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
