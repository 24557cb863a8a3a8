"""Every core notebook in JupyterLab: nothing fails, every figure and demonstration is there.

What needs no PyTorch is run from top to bottom in the browser. The others train for minutes: of
them a copy is opened that has been run, by test_notebooks.py if that ran before, or else here.
"""

import re

import nbclient
import nbformat
import pytest
from nbformat.sign import NotebookNotary
from reading import CHECK, CORE, each_lesson, sources
from test_notebooks import WITHOUT_TORCH, executed_copy, reference_source

from browser.axe import serious_faults


@pytest.fixture
def shown(lab, server, home, tmp_path_factory, path):
    """The page with a notebook that has been run."""
    if path.stem[:2] not in WITHOUT_TORCH:
        place = executed_copy(tmp_path_factory, path)
        if not place.exists():
            notebook = nbformat.read(path, as_version=4)
            nbclient.NotebookClient(
                notebook, timeout=300, resources={"metadata": {"path": str(server.folder)}}
            ).execute()
            nbformat.write(notebook, place)
        notebook = nbformat.read(place, as_version=4)
        NotebookNotary(data_dir=str(home / "data")).sign(notebook)
        nbformat.write(notebook, server.folder / path.name)
        lab.open(path.name)
    else:
        lab.open(path.name)
        lab.run()
    yield lab
    lab.close()


@each_lesson
def test_a_notebook_runs_and_shows_all_that_it_makes(shown, path):
    cells = shown.cells()
    assert [cell["errors"] for cell in cells if cell["errors"]] == []
    assert [cell["source"] for cell in cells if not cell["executed"]] == []
    for cell in cells:
        for image in cell["images"]:
            assert image["width"] > 0, cell["source"]
            assert image["alt"], cell["source"]
        assert len(cell["images"]) >= cell["figures"], cell["source"]
        assert cell["kits"] == cell["demonstrations"], cell["source"]
        assert cell["stills"] == 0, cell["source"]
        if not cell["widgets"]:
            assert "model not found" not in cell["text"], cell["source"]
    expected = {"explore": "widgets", r"\w+\.claim": "text", r"lesson\d\d\.quiz": "text"}
    for call, what in expected.items():
        for cell in cells:
            if re.match(rf"{call}\(", cell["source"]):
                assert cell[what], cell["source"]
    assert serious_faults(shown) == []
    assert shown.watch.take() == []


def test_an_exercise_filled_in_wrongly_and_rightly_is_judged_in_the_page(lab):
    path = next(path for path in CORE if path.stem[:2] in WITHOUT_TORCH)
    code = sources(path, "code")
    index, (lesson, name, _) = next(
        (k, CHECK.findall(s)[0]) for k, s in enumerate(code) if CHECK.findall(s)
    )
    lab.open(path.name)
    cells = lab.cells()
    stub, check = (
        next(c["id"] for c in cells if c["source"] == code[k]) for k in (index - 1, index)
    )
    wrong = code[index - 1].replace("raise NotImplementedError", "return 0")
    assert wrong != code[index - 1]
    first = lab.cells()[0]["id"]
    for source, sign in (
        (code[index - 1], "○"),
        (wrong, "✘"),
        (reference_source(lesson, name), "✔"),
    ):
        lab.write(stub, source)
        for cell in (first, stub, check):
            lab.run_cell(cell)
        told = next(c["text"] for c in lab.cells() if c["id"] == check)
        assert told.strip().startswith(sign), told
    lab.close()
    assert lab.watch.take() == []
