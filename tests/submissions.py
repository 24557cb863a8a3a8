"""Submissions made by program from the course's own notebooks."""

import ast
import copy
import importlib
import inspect
import json
import re
from pathlib import Path

from mutants import _plain, exercises
from reading import CORE, read

from helpers.course.slicer import Program

SOURCES = re.compile(r"^helpers\.lessons\.lesson\d\d\.exercises(\.|$)")


def lesson_notebook(lesson):
    """Return the public notebook of "lesson04" as a dictionary."""
    path = next(path for path in CORE if path.name.startswith(lesson[-2:]))
    return read(path)


def written(function, name, source=""):
    """Write a function of an exercise's module as a learner would: one cell, under `name`.

    Args:
        function: the function or class; what it needs of its module is written in front.
        name: what the exercise asks for.
        source: what stands in place of the function, such as a mutant of it.
    """
    module = importlib.import_module(function.__module__)
    text = _alone(module, function.__name__, source=source)
    for other in sorted(set(re.findall(r"\b(\w+)\.reference\b", text))):
        kept = rf"(^def {other}\b.*?\n)(?=\S)"  # the name may be bound to something else below
        text = re.sub(kept, rf"\1{other}_kept = {other}\n", text, flags=re.MULTILINE | re.DOTALL)
        text = text.replace(f"{other}.reference", f"{other}_kept")
    same = function.__name__ == name
    return text if same else f"{text}\n{name} = {function.__name__}"


# The one library function that answers are built from and that is itself an answer.
SOFTMAX = """
def {name}(x, axis=-1):
    x = np.asarray(x) if np.asarray(x).dtype.kind == "f" else np.asarray(x, dtype=float)
    top = x.max(axis=axis, keepdims=True)
    exps = np.exp(x - np.where(np.isfinite(top), top, 0))
    total = exps.sum(axis=axis, keepdims=True)
    return exps / np.where(total == 0, 1, total)"""


def _alone(module, *names, source=""):
    """The statements of a module that names need, with those of its neighbours written in."""
    tree = ast.parse(inspect.getsource(module))
    used = ("import numpy as np", inspect.getsource(_first), inspect.getsource(_plain))
    cells = list(used) if source else []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and SOURCES.match(node.module or ""):
            neighbour = importlib.import_module(node.module)
            if node.module != module.__name__ and all(a.asname is None for a in node.names):
                wanted = [a.name for a in node.names if not inspect.ismodule(
                    getattr(neighbour, a.name, None))]  # fmt: skip
                cells.append(_alone(neighbour, *wanted))
                continue
        if isinstance(node, ast.ImportFrom) and node.module == "helpers.numpy_attention":
            for alias in [a for a in node.names if a.name == "softmax"]:
                cells.append(SOFTMAX.format(name=alias.asname or alias.name))
                node.names.remove(alias)
            if not node.names:
                continue
        if source and getattr(node, "name", "") == names[0]:
            cells.append(source)
        elif "Exercise(" not in ast.unparse(node) or not isinstance(node, ast.Assign):
            cells.append(ast.unparse(node))
    text = Program(cells).slice(*names).source
    return _written_in(ast.parse(text)) or text


def _first(name, value, _seen={}):  # noqa: B006
    return _seen.setdefault(name, value)


def _written_in(tree):
    """The same with what functions import from an exercise's module in front; "" without such."""
    front = []
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for place, inner in enumerate(body if isinstance(body, list) else ()):
            if isinstance(inner, ast.ImportFrom) and SOURCES.match(inner.module or ""):
                wanted = [alias.name for alias in inner.names]
                front.append(_alone(importlib.import_module(inner.module), *wanted))
                body[place] = ast.Pass()
    return "\n".join([*front, ast.unparse(tree)]) if front else ""


def filled(notebook, answers):
    """Put a text in place of each stub: name -> text. Stubs without one stay."""
    notebook = copy.deepcopy(notebook)
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        for name, text in answers.items():
            stub = re.match(rf"(def|class) {name}\b", source)
            if cell["cell_type"] == "code" and stub and "NotImplementedError" in source:
                cell["source"] = text
    return notebook


def solved(lesson):
    """Return a lesson's notebook with every reference in place of its stub."""
    answers = {}
    for exercise in exercises(lesson):
        name = exercise.name.rpartition(".")[2]
        answers[name] = written(exercise.reference, name)
    return filled(lesson_notebook(lesson), answers)


def dumped(notebook):
    """Return a notebook as the bytes of a file."""
    return json.dumps(notebook, ensure_ascii=False, indent=1).encode("utf-8")


def save(notebook, path):
    """Write a notebook to a file and return its path."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(dumped(notebook))
    return path
