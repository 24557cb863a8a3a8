"""Every core notebook, run from top to bottom in JupyterLab: nothing fails, all is shown."""

import re
import shutil

import pytest
from reading import CHECK, CORE, each_lesson, sources
from test_notebooks import WITHOUT_TORCH, reference_source

from browser.axe import serious_faults


@pytest.fixture
def shown(lab, path):
    """The page with a notebook that has been run in it."""
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


def test_an_exercise_filled_in_wrongly_and_rightly_is_judged_in_the_page(lab, server):
    path = next(path for path in CORE if path.stem[:2] in WITHOUT_TORCH)
    code = sources(path, "code")
    index, (lesson, name, _) = next(
        (k, CHECK.findall(s)[0]) for k, s in enumerate(code) if CHECK.findall(s)
    )
    shutil.copy(path, server.folder / "exercise.ipynb")  # one that has not been run
    lab.open("exercise.ipynb")
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
