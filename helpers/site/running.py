"""Notebooks with their results: those that are there already, or run now."""

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from helpers.course.console import printable
from helpers.language import say
from helpers.site.lessons import SiteError

_FLIP_BOOKS = "from helpers.site import flip_book\nflip_book.install()"
_SECONDS = 600  # for one cell, on a slow machine


def executed(notebook: nbformat.NotebookNode, folder: Path, kept: Path | None, place: str):
    """A notebook with the results of its cells.

    Args:
        notebook: as it is committed, without results.
        folder: where its cells run.
        kept: a folder of executed notebooks; one with the same code is taken from there, and what
            is run is written there. None: it is run, and not kept.
        place: its name in that folder, without the ending.

    Returns:
        The notebook; a reused one gives its results alone, so that texts are always today's.

    Raises:
        SiteError: a cell raised an error.
    """
    file = kept / f"{place}.ipynb" if kept else None
    if file and file.is_file():
        before = nbformat.read(file, as_version=4)
        if _code(before) == _code(notebook):
            return _with_results(notebook, before)
    print(printable(say("Running {name} …", name=place)), file=sys.stderr)
    done = _run(notebook, folder, place)
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(done, file)
    return done


def _code(notebook):
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


def _with_results(notebook, before):
    results = iter([cell.outputs for cell in before.cells if cell.cell_type == "code"])
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = next(results)
    return notebook


def _run(notebook, folder, place):
    first = nbformat.v4.new_code_cell(_FLIP_BOOKS)
    notebook.cells.insert(0, first)
    root = str(Path(__file__).resolve().parents[2])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    client = NotebookClient(
        notebook,
        timeout=_SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
    )
    try:
        client.execute(env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)})
    except CellExecutionError as error:
        raise SiteError(
            say(
                "A cell of {name} failed: {error}",
                name=place,
                error=f"{error.ename}: {error.evalue}",
            )
        ) from error
    finally:
        notebook.cells.remove(first)
    return notebook
