"""Finds the demonstrations of the course and makes one notebook that shows them all."""

import ast
import functools

import nbformat
from reading import CORE, ROOT, sources

from helpers.course.slicer import Program

MACHINES = {
    "machine of names": 'sentence_machine("names")',
    "machine of words": 'sentence_machine("words")',
    "machine of any weights": (
        "rng = np.random.default_rng(0)\n"
        "maps = rng.dirichlet(np.full(64, 0.1), size=(12, 64))\n"
        "sentence_machine(weights=maps, tokens=[f't{i}' for i in range(64)])"
    ),
    "scrubber": (
        "rng = np.random.default_rng(0)\n"
        "start, end = (rng.dirichlet(np.full(10, spread), size=10) for spread in (9.0, 0.1))\n"
        "mixed = np.stack([start + (end - start) * k / 19 for k in range(20)])\n"
        "scrubber(mixed, TOKENS, steps=range(0, 400, 20))"
    ),
}
IMPORTS = (
    "import numpy as np\n"
    "from helpers.course.explore import explore\n"
    "from helpers.course.machine import scrubber, sentence_machine\n"
    "from helpers.figures import bars\n"
    "from helpers.numpy_attention import softmax\n"
    "from helpers.sentences import GLOSSES, TOKENS"
)
EXPLORE = (
    "explore(lambda T: bars(softmax(np.arange(10) / T), TOKENS, glosses=GLOSSES, "
    "caption=f'T = {T}'), T=(1, 20))"
)


def is_demonstration(module: str) -> bool:
    """Whether a module of a lesson has a script beside it, as a demonstration has."""
    return (ROOT / module.replace(".", "/")).with_suffix(".js").exists()


def of_lessons() -> dict[str, str]:
    """What each demonstration of a lesson needs, and its call, as {"05 scale_slider": source}."""
    found = {}
    for path in CORE:
        program = Program(sources(path, "code"))
        shown, modules = set(), set()
        for statement in program.statements:
            if isinstance(statement.node, ast.ImportFrom):
                module = statement.node.module
                for alias in statement.node.names:
                    name = alias.asname or alias.name
                    if is_demonstration(module):
                        shown.add(name)
                    elif is_demonstration(f"{module}.{alias.name}"):
                        modules.add(name)
        for number, statement in enumerate(program.statements):
            call = getattr(statement.node, "value", None)
            if isinstance(statement.node, ast.Expr) and isinstance(call, ast.Call):
                name = getattr(call.func, "id", "")
                if getattr(getattr(call.func, "value", None), "id", "") in modules:
                    name = call.func.attr
                elif name not in shown:
                    continue
                found[f"{path.stem[:2]} {name}"] = program.slice(number).source
    return found


@functools.cache
def all_demonstrations() -> dict[str, str]:
    """Those of the lessons and the machines, each as the source of one cell."""
    return of_lessons() | MACHINES


def notebook_of_all() -> nbformat.NotebookNode:
    """A notebook with a cell for each demonstration, in that order, and an explore at the end."""
    cells = [IMPORTS, *all_demonstrations().values(), EXPLORE]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "", "language": "python"}
    return notebook
