"""A copy of the course for the process that runs answers: no exercises, no sources, no tests.

The library function that is itself the answer to an exercise refuses to be called from a
learner's cell; the library's own functions still use it.
"""

import ast
import importlib
import io
import py_compile
import re
import sys
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from helpers.course.exercise import CHECK_SEED, Exercise

ROOT = Path(__file__).resolve().parents[2]
_LEFT_OUT = re.compile(r"^(launcher|ledger|site|teaching|lessons/lesson\d+/exercises(\.py$|/))")
_KEPT_HERE = {"__init__.py", "wire.py", "worker.py", "closed.py"}
_EMPTY = re.compile(r"^lessons/lesson\d+/__init__\.py$")
_GUARD = "from helpers.homework.closed import own_use as _own_use"


@dataclass(frozen=True)
class CourseCopy:
    """A finished copy.

    Attributes:
        folder: where it lies.
        closed: for each exercise's name, the library functions that are its answer.
    """

    folder: Path
    closed: dict[str, tuple[str, ...]]

    def zipped(self) -> bytes:
        """Return the copy with sources, for a Python that is not this one."""
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
            for path in sorted((self.folder / "sources").rglob("*")):
                if path.is_file():
                    packed.write(path, path.relative_to(self.folder / "sources").as_posix())
        return file.getvalue()


def copied(folder: Path, exercises: Sequence[Exercise], with_sources: bool = False) -> CourseCopy:
    """Make the copy.

    Args:
        folder: an empty folder.
        exercises: what is graded; their runners are taken in.
        with_sources: whether it will be sent to another Python.

    Returns:
        CourseCopy; ``folder / "course"`` is what Python imports from.
    """
    closed = {exercise.name: tuple(_answers_in_the_library(exercise)) for exercise in exercises}
    guarded = {name for names in closed.values() for name in names}
    files = dict(_files())
    for exercise in exercises:
        if exercise.runner is not None:
            module = sys.modules[exercise.runner.__module__]
            files[Path(*module.__name__.split(".")).with_suffix(".py")] = Path(module.__file__)
    for inside in list(files):
        for parent in list(inside.parents)[:-1]:
            files.setdefault(parent / "__init__.py", None)
    for inside, file in files.items():
        source = b"" if file is None else file.read_bytes()
        if inside.suffix == ".py":
            source = _closed(source.decode("utf-8"), guarded).encode()
        target = folder / "course" / inside
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source)
        if with_sources:
            other = folder / "sources" / inside
            other.parent.mkdir(parents=True, exist_ok=True)
            other.write_bytes(source)
        if inside.suffix == ".py":
            mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
            py_compile.compile(str(target), f"{target}c", doraise=True, invalidation_mode=mode)
            target.unlink()
    return CourseCopy(folder, closed)


def _files() -> Iterator[tuple[Path, Path | None]]:
    """Pairs of a file's place in the copy and where it comes from; None is an empty file."""
    helpers = ROOT / "helpers"
    for file in sorted(helpers.rglob("*")):
        inside = file.relative_to(helpers)
        place = inside.as_posix()
        if not file.is_file() or "__pycache__" in inside.parts or _LEFT_OUT.match(place):
            continue
        if inside.parts[0] == "homework" and place.partition("/")[2] not in _KEPT_HERE:
            continue
        yield Path("helpers") / inside, None if _EMPTY.match(place) else file


def _answers_in_the_library(exercise: Exercise) -> list[str]:
    """Names of library functions that have the answer's name, or would earn its points."""
    library = importlib.import_module("helpers.numpy_attention")
    names = {exercise.name.rpartition(".")[2]}
    for name in library.__all__:
        if exercise.runner is None and exercise.accepts(getattr(library, name), CHECK_SEED):
            names.add(name)
    return sorted(names)


def _closed(source: str, names: set[str]) -> str:
    """Put a guard into the functions and classes of these names that stand at the top level."""
    if not any(re.search(rf"^(def|class) {name}\b", source, re.MULTILINE) for name in names):
        return source
    tree = ast.parse(source)
    for node in tree.body:
        if getattr(node, "name", None) not in names:
            continue
        call = ast.parse(f"_own_use({node.name!r})").body[0]
        inner = [node] if isinstance(node, ast.FunctionDef) else []
        if isinstance(node, ast.ClassDef):
            inner = [f for f in node.body if getattr(f, "name", "") in ("__init__", "__new__")]
        for function in inner:
            function.body.insert(1 if ast.get_docstring(function) else 0, call)
    first = next(
        place
        for place, node in enumerate(tree.body)
        if not isinstance(node, ast.Expr) and getattr(node, "module", "") != "__future__"
    )
    tree.body.insert(first, ast.parse(_GUARD).body[0])
    return ast.unparse(ast.fix_missing_locations(tree))
