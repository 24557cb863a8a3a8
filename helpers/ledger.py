"""All claims of the course beside what was measured; above the lessons, which know no other."""

from collections.abc import Iterable
from importlib import import_module

from helpers.course.claim_table import ClaimTable
from helpers.course.claims import MEASURED, Claim


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
