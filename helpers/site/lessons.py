"""Which notebooks become pages, and what the first cell of each says about it."""

import re
from dataclasses import dataclass
from pathlib import Path

import nbformat

from helpers.language import LOCALE, say

_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_QUESTION = re.compile(r"^\*\*(.+)\*\*$", re.MULTILINE)
_MINUTES = re.compile(r"About (\d+) minutes")


class SiteError(Exception):
    """Something that keeps the pages from being written; one sentence."""


@dataclass(frozen=True)
class Lesson:
    """A notebook that becomes a page.

    Attributes:
        path: the notebook's file.
        place: where it stands below ``notebooks``, such as "deeper/04_what_a_weight_means".
        title: its first heading, in Markdown.
        question: the question that it answers, in Markdown.
        minutes: how long it takes, "" where it does not say.
    """

    path: Path
    place: str
    title: str
    question: str
    minutes: str

    @property
    def page(self) -> str:
        """The name of its page, below the folder of the pages."""
        return f"{self.place}.html"

    @property
    def number(self) -> str:
        """The number of the lesson it belongs to, such as "04"."""
        return self.path.name[:2]

    @property
    def deeper(self) -> bool:
        """Whether it is one of the optional notebooks."""
        return "/" in self.place

    @property
    def top(self) -> str:
        """What leads from its page to the folder of the pages."""
        return "../" * self.place.count("/")


def lessons_of(folder: Path) -> list[Lesson]:
    """Read the notebooks of one edition, the core lessons first.

    Args:
        folder: holds the core lessons, and the others in ``deeper``.

    Returns:
        list of Lesson, in the order in which they are read.

    Raises:
        SiteError: there is no notebook, or one does not begin with a title.
    """
    paths = sorted(folder.glob("[0-9]*.ipynb")) + sorted(folder.glob("deeper/[0-9]*.ipynb"))
    if not paths:
        raise SiteError(say("There is no notebook in {folder}.", folder=folder))
    return [_lesson(path, folder) for path in paths]


def _lesson(path, folder):
    cells = nbformat.read(path, as_version=4).cells
    text = cells[0].source if cells else ""
    title = _TITLE.search(text)
    if title is None:
        raise SiteError(say("The first cell of {name} holds no title.", name=path.name))
    question, minutes = _QUESTION.search(text), _MINUTES.search(text)
    return Lesson(
        path,
        path.relative_to(folder).with_suffix("").as_posix(),
        title[1],
        question[1] if question else "",
        minutes[1] if minutes else "",
    )


def editions_of(notebooks: Path) -> dict[str, Path]:
    """Name the languages that have notebooks of their own, and the folder of each."""
    others = {
        file.stem: notebooks / file.stem
        for file in sorted(LOCALE.glob("*.po"))
        if (notebooks / file.stem).is_dir()
    }
    return {"en": notebooks} | others
