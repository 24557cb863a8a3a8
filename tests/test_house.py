"""The rooms of the house: arrows point down only, files stay short, light lessons stay light."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from import_graph import ROOT, closure, file_of, imported_names

# A room, and the rooms it may use; every room may use those in EVERYWHERE.
EVERYWHERE = {"helpers", "helpers.language", "helpers.shapes"}
ROOMS = {
    "helpers.language": set(),
    "helpers.shapes": set(),
    "helpers.sentences": set(),
    "helpers.measure": set(),
    "helpers.numpy_attention": set(),
    "helpers.torch_attention": set(),
    "helpers.figures": {"helpers.sentences"},
    "helpers.training": {
        "helpers.numpy_attention",
        "helpers.torch_attention",
        "helpers.measure",
        "helpers.sentences",
    },
    "helpers.course": {
        "helpers.figures",
        "helpers.training",
        "helpers.numpy_attention",
        "helpers.sentences",
    },
    "helpers.lessons": {
        "helpers.course",
        "helpers.figures",
        "helpers.training",
        "helpers.numpy_attention",
        "helpers.torch_attention",
        "helpers.measure",
        "helpers.sentences",
    },
    "helpers.ledger": {"helpers.course", "helpers.lessons"},
    "helpers.homework": {"helpers.course", "helpers.lessons"},
    "helpers.teaching": {"helpers.course", "helpers.lessons", "helpers.homework"},
    "helpers.site": {"helpers.course", "helpers.lessons", "helpers.sentences"},
    "helpers.launcher": set(),
    "helpers.__main__": {"helpers.launcher"},
}
FILES = sorted((ROOT / "helpers").rglob("*.py"))
LIMIT = 350


def module_name(file):
    """Return the dotted name of a file of helpers."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(name):
    """Return the room that a module lies in: the longest that begins its name."""
    return max(
        (room for room in ROOMS if name == room or name.startswith(f"{room}.")),
        key=len,
        default="helpers",
    )


def every_import(file):
    """Name the modules of helpers that a file imports anywhere, inside functions too."""
    name = module_name(file)
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    names = imported_names(file.read_text(encoding="utf-8"), package, inside=True)
    return {n for n in names if n.split(".")[0] == "helpers" and file_of(n)}


@pytest.mark.parametrize("file", FILES, ids=module_name)
def test_a_file_uses_only_rooms_below_its_own(file):
    own = room_of(module_name(file))
    allowed = EVERYWHERE | {own} | ROOMS.get(own, set())
    assert {room_of(name) for name in every_import(file)} <= allowed


@pytest.mark.parametrize("file", FILES, ids=module_name)
def test_no_lesson_uses_another_lesson(file):
    own = re.match(r"helpers\.lessons\.(lesson\d\d)", module_name(file))
    if own:
        used = {re.match(r"helpers\.lessons\.(lesson\d\d)", name) for name in every_import(file)}
        assert {match[1] for match in used if match} <= {own[1]}


def test_every_folder_of_helpers_is_a_room_of_the_list():
    ours = {"assets", "locale", "__pycache__"}
    found = {p.name for p in (ROOT / "helpers").iterdir() if p.is_dir()} - ours
    rooms = {room.rpartition(".")[2] for room in ROOMS}
    assert found <= rooms | {"lessons"}


@pytest.mark.parametrize(
    "file",
    [
        path
        for folder in ("helpers", "tests", ".ci", "binder")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".py", ".js", ".css"} and "cases" not in path.parts
    ],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_a_file_is_short_enough_to_be_read_in_one_go(file):
    assert len(file.read_text(encoding="utf-8").splitlines()) <= LIMIT


@pytest.mark.parametrize("number", range(1, 11))
def test_a_lessons_declarations_load_without_torch_and_matplotlib(number):
    code = (
        f"import sys, helpers.lessons.lesson{number:02d}\n"
        "sys.exit(bool({'torch', 'matplotlib', 'ipywidgets'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False)
    assert run.returncode == 0


def test_import_helpers_imports_nothing():
    code = "import sys; before = set(sys.modules); import helpers; print(set(sys.modules) - before)"
    run = [sys.executable, "-c", code]
    result = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "{'helpers'}"


def test_the_import_graph_follows_relative_names_and_functions():
    assert {"helpers.sentences", "numpy"} <= closure("from helpers import sentences", "")
    assert "torch" not in closure("def f():\n    import torch", "")
    assert "torch" in imported_names("def f():\n    import torch", "", inside=True)
    assert "helpers.a.b" in closure("from .a import b", "helpers")
    assert "helpers.a" in closure("from ..a import b", "helpers.inner")
    assert Path(file_of("helpers.course")).name == "__init__.py"
