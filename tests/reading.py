"""Read the notebooks without running them: their cells, and the calls in their code."""

import ast
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CORE = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
DEEPER = sorted((ROOT / "notebooks" / "deeper").glob("[0-9][0-9]_*.ipynb"))
CHECK = re.compile(r"^(lesson\d\d)\.(\w+)\.check\((\w+)\)$", re.MULTILINE)

each_notebook = pytest.mark.parametrize("path", CORE + DEEPER, ids=lambda path: path.stem)
each_lesson = pytest.mark.parametrize("path", CORE, ids=lambda path: path.stem)


def read(path):
    """Return a notebook file as a dictionary."""
    return json.loads(path.read_text(encoding="utf-8"))


def sources(path, cell_type):
    """List the sources of all cells of one type."""
    return ["".join(c["source"]) for c in read(path)["cells"] if c["cell_type"] == cell_type]


def calls(path, name):
    """First arguments of every call of a lesson's `name` in the code cells, in order."""
    found = []
    for source in sources(path, "code"):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", None) == name:
                found.append(node.args[0].value)
    return found


def code_lines(source):
    """Count the lines of a cell that are not blank."""
    return sum(bool(line.strip()) for line in source.splitlines())
