"""One statement of the article and how the course treats it."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from helpers.course.claims import Verdict


class Treatment(StrEnum):
    """What the course does with a statement; the value is how it is shown."""

    TESTED = "tested"
    CORRECTED = "corrected"
    IDEALISED = "an idealisation"
    CITED = "cited, not tested"


@dataclass(frozen=True)
class Statement:
    """A statement of the article, in our own words.

    Attributes:
        says: what is said, one sentence without a full stop.
        treatment: what is done with it.
        lesson: number of the lesson that treats it.
        claims: ids of the claims that test it; their verdicts are its verdict.
        verdict: what was found, unless claims say it.
        remark: what is true instead, what the idealisation leaves out, or who is cited.
        section: the article's section as it is numbered there.
        number: its place in the section, from 1.
    """

    says: str
    treatment: Treatment
    lesson: int
    claims: tuple[str, ...] = ()
    verdict: Verdict | None = None
    remark: str = ""
    section: str = ""
    number: int = 0

    def __post_init__(self):
        """Refuse a statement without a verdict, or with two."""
        tested = self.treatment is Treatment.TESTED
        if tested != bool(self.claims) or tested == bool(self.verdict and self.remark):
            raise ValueError(f"Either claims or a verdict with a remark belong to: {self.says}")

    @property
    def id(self) -> str:
        """Section and number, such as "四.3"."""
        return f"{self.section}.{self.number}"


def tested(*claims: str, says: str) -> Statement:
    """A statement that claims test; the lesson is that of the first."""
    return Statement(says, Treatment.TESTED, int(claims[0].partition(".")[0]), claims)


def corrected(lesson: int, *, says: str, remark: str) -> Statement:
    """A statement that is not true as it is worded."""
    verdict = Verdict.NOT_AS_WORDED
    return Statement(says, Treatment.CORRECTED, lesson, (), verdict, remark)


def idealised(lesson: int, *, says: str, remark: str) -> Statement:
    """A statement that leaves something out."""
    return Statement(says, Treatment.IDEALISED, lesson, (), Verdict.HOLDS, remark)


def cited(lesson: int, *, says: str, remark: str) -> Statement:
    """A statement for which others are cited."""
    return Statement(says, Treatment.CITED, lesson, (), Verdict.HOLDS, remark)


def numbered(section: str, statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """Give the statements of a section their section and number."""
    return tuple(
        Statement(s.says, s.treatment, s.lesson, s.claims, s.verdict, s.remark, section, n)
        for n, s in enumerate(statements, start=1)
    )
