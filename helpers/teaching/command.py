"""The command ``teach``: notes, prediction sheets, answer keys, question banks, the guide."""

import argparse
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from helpers.course.console import printable
from helpers.language import say
from helpers.teaching import bank, pages
from helpers.teaching.guide import guide_page
from helpers.teaching.lesson import LESSONS, TeachingError, lesson_of
from helpers.teaching.nbgrader_source import CONFIGURATION, course_files
from helpers.teaching.notes import NOTES


def main(arguments: Sequence[str]) -> int:
    """Write what the arguments ask for.

    Returns:
        0 if it was written, 2 if nothing could be made.
    """
    options = _options()
    wanted = options.parse_args(arguments)
    if not wanted.lessons and not wanted.guide:
        options.error(say("Name lessons, for example 04 or all, or ask for --guide."))
    seed = secrets.randbelow(10**6)
    words = LESSONS if "all" in wanted.lessons else wanted.lessons
    try:
        files = {"guide.html": guide_page().encode()} if wanted.guide else {}
        for word in words:
            files |= files_of(word, wanted.bank)
            if wanted.nbgrader:
                files |= course_files(lesson_of(word), seed)
        if (wanted.out / CONFIGURATION).exists():
            files.pop(CONFIGURATION, None)  # it holds the seed: the same marks later
        for name, content in files.items():
            (wanted.out / name).parent.mkdir(parents=True, exist_ok=True)
            (wanted.out / name).write_bytes(content)
            print(printable(str(wanted.out / name)))
    except (TeachingError, OSError) as error:
        print(printable(str(error)), file=sys.stderr)
        return 2
    return 0


def files_of(word: str, with_bank: bool) -> dict[str, bytes]:
    """Make the files of one lesson.

    Args:
        word: the lesson's number.
        with_bank: the question bank too.

    Returns:
        The content by the file's name.
    """
    lesson = lesson_of(word)
    texts = {
        "notes.html": pages.notes_page(lesson, NOTES[lesson.number]),
        "sheet.html": pages.sheet_page(lesson),
        "key.html": pages.key_page(lesson),
    }
    made = {name: text.encode() for name, text in texts.items()}
    if with_bank:
        made |= {"moodle.gift.txt": bank.gift(lesson).encode(), "qti.zip": bank.package(lesson)}
    return {f"lesson{lesson.number}-{name}": content for name, content in made.items()}


def _options():
    options = argparse.ArgumentParser(
        prog=say("python3 -m helpers teach"),
        description=say("Write teacher's notes, a prediction sheet and an answer key."),
    )
    add = options.add_argument
    add("lessons", nargs="*", metavar="04", help=say("the lessons, or all"))
    add("--bank", action="store_true", help=say("the questions for Moodle (GIFT) and Canvas (QTI)"))
    add("--guide", action="store_true", help=say("how to give the course: plans, server, offline"))
    add("--nbgrader", action="store_true", help=say("a course folder for nbgrader too"))
    add("--out", type=Path, default=Path("teaching"), help=say("the folder to write to"))
    return options
