"""The command ``site``: writes the reading edition, or checks one that is written."""

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat

from helpers.course.console import printable
from helpers.language import say
from helpers.site.cells import asked_of, parts_of
from helpers.site.checking import faults_of
from helpers.site.lessons import SiteError, editions_of, lessons_of
from helpers.site.pages import (
    ROOT,
    Edition,
    binder_link,
    lesson_page,
    notices_page,
    speaking,
    start_page,
)
from helpers.site.running import executed

NOTEBOOKS = ROOT / "notebooks"
_MACHINE = 'from helpers.course.machine import sentence_machine\nsentence_machine("names")'


def main(arguments: Sequence[str]) -> int:
    """Write the pages and check them, or check only.

    Returns:
        0 if the pages are right, 1 if a check found a fault, 2 if they could not be written.
    """
    wanted = _options().parse_args(arguments)
    try:
        if not wanted.check:
            write(wanted.out, wanted.executed, wanted.repository)
        faults = faults_of(wanted.out)
    except (SiteError, OSError) as error:
        print(printable(str(error)), file=sys.stderr)
        return 2
    for fault in faults:
        print(printable(fault), file=sys.stderr)
    if not faults:
        print(printable(say("Checked: {page}", page=wanted.out / "index.html")))
    return int(bool(faults))


def write(out: Path, kept: Path | None, repository: str = "", notebooks: Path = NOTEBOOKS) -> None:
    """Write all pages of all languages.

    Args:
        out: the folder to write to.
        kept: a folder of executed notebooks to take results from and to add to, or None.
        repository: "owner/name" on GitHub, for the links to Binder.
        notebooks: the folder of the notebooks.

    Raises:
        SiteError: a cell failed, or a notebook does not have the form of a lesson.
    """
    editions = editions_of(notebooks)
    binder = binder_link((ROOT / "README.md").read_text(encoding="utf-8"), repository)
    for code, folder in editions.items():
        lessons = tuple(lessons_of(folder))
        edition = Edition(code, tuple(editions), lessons, binder)
        with speaking(code):
            _write_edition(out / edition.folder, kept / edition.folder if kept else None, edition)


def _write_edition(out, kept, edition):
    asked = {}
    for lesson in edition.lessons:
        notebook = nbformat.read(lesson.path, as_version=4)
        done = executed(notebook, lesson.path.parent, kept, lesson.place)
        asked[lesson.place] = list(asked_of(parts_of(done)))
        copy = out / "notebooks" / f"{lesson.place}.ipynb"
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(lesson.path, copy)
        _write(out / lesson.page, lesson_page(done, lesson, edition))
    machine = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(_MACHINE)])
    folder = edition.lessons[0].path.parent
    _write(
        out / "index.html",
        start_page(executed(machine, folder, kept, "sentence_machine"), asked, edition),
    )
    _write(out / "notices.html", notices_page(edition))


def _write(file, page):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(page, encoding="utf-8", newline="\n")


def _options():
    options = argparse.ArgumentParser(
        prog=say("python3 -m helpers site"),
        description=say("Write the course as pages that anyone can open, offline, and check them."),
    )
    add = options.add_argument
    add("out", nargs="?", type=Path, default=Path("site"), help=say("the folder of the pages"))
    add("--executed", type=Path, metavar="FOLDER", help=say("executed notebooks: reused and kept"))
    add("--repository", default="", metavar="OWNER/NAME", help=say("on GitHub, for Binder's links"))
    add("--check", action="store_true", help=say("only check the pages that are there"))
    return options
