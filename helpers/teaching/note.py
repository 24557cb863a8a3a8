"""What a teacher writes about a lesson, and the plans that are computed from its headings."""

from collections.abc import Sequence
from dataclasses import dataclass

from helpers.teaching.lesson import Lesson, Stretch

# Left out first when time is short: the beginnings of headings that can be read at home.
_AT_HOME = ("Homework", "Further reading", "Transfer", "What goes wrong")
_TALK = {45: 5, 90: 10}  # minutes kept free for the vote and for what comes up


@dataclass(frozen=True)
class Misconception:
    """A declared wrong answer, by the names of exercise and function, and what helps."""

    exercise: str
    wrong: str
    remark: str


@dataclass(frozen=True)
class Note:
    """The written words about one lesson; headings of its notebook stand in *italics*.

    Attributes:
        opens: how to begin, before the notebook is opened.
        vote: the prediction whose vote splits the room.
        votes: how to take the vote, and what to say after it.
        misconceptions: three of them.
        skips: what can be left out, and the sentence that stands in for it.
        ends: how to close.
    """

    opens: str
    vote: str
    votes: str
    misconceptions: tuple[Misconception, ...]
    skips: str
    ends: str

    @property
    def texts(self) -> tuple[str, ...]:
        """All that was written."""
        helps = [one.remark for one in self.misconceptions]
        return (self.opens, self.votes, *helps, self.skips, self.ends)


@dataclass(frozen=True)
class Plan:
    """What is done in class, in the notebook's order, and what is left for home."""

    length: int
    kept: tuple[Stretch, ...]
    left: tuple[Stretch, ...]

    @property
    def talk(self) -> int:
        """Minutes that are kept free for the vote and for what comes up."""
        return _TALK[self.length]

    @property
    def minutes(self) -> float:
        """Minutes of all that is kept, talk included."""
        return self.talk + sum(stretch.minutes for stretch in self.kept)


def plan_of(lesson: Lesson, vote: str, length: int) -> Plan:
    """Leave out headings until a lesson fits, those that can be read at home first.

    Args:
        lesson: the lesson.
        vote: the prediction that has to be taken in class.
        length: 45 or 90 minutes.
    """
    kept = list(lesson.stretches)
    for stretch in _in_order_of_leaving(lesson.stretches, vote):
        if _TALK[length] + sum(one.minutes for one in kept) <= length:
            break
        kept.remove(stretch)
    left = tuple(stretch for stretch in lesson.stretches if stretch not in kept)
    return Plan(length, tuple(kept), left)


def _in_order_of_leaving(stretches: Sequence[Stretch], vote: str) -> list[Stretch]:
    """Those for home as they are listed, then the longest; the first and the vote never."""
    home = [s for start in _AT_HOME for s in stretches if s.heading.startswith(start)]
    others = [s for s in stretches[1:] if s not in home and vote not in s.asks]
    return [*home, *sorted(others, key=lambda s: -s.minutes)]
