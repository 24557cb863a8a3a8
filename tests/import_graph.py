"""What a notebook imports, directly and through helpers, read without running it."""

import ast
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def notebook_imports(path):
    """Names of all modules that a notebook's cells load, those of helpers followed inwards."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return closure("\n".join(code), package="")


def closure(source, package):
    """Names of all modules that running `source` loads; `package` resolves relative imports."""
    found, waiting = set(), imported_names(source, package)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        file = file_of(name)
        if file:
            inner = name if file.name == "__init__.py" else name.rpartition(".")[0]
            waiting |= imported_names(file.read_text(encoding="utf-8"), inner)
    return found


def imported_names(source, package, inside=False):
    """Modules that `source` imports at its top level, or `inside` functions too, with packages."""
    names, tree = set(), ast.parse(source)
    for node in ast.walk(tree) if inside else top_level(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            around = package.split(".")
            outer = around[: len(around) - node.level + 1] if node.level else []
            base = ".".join([*outer, node.module or ""]).strip(".")
            names |= {base} | {f"{base}.{alias.name}" for alias in node.names}
    parts = (name.split(".") for name in names)
    return {".".join(p[:i]) for p in parts for i in range(1, len(p) + 1)}


def top_level(node):
    """Every node that runs when the module is loaded: all but the bodies of functions."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield child
            yield from top_level(child)


def file_of(name):
    """The file of a module of helpers; None for any other module and for a mere attribute."""
    place = ROOT.joinpath(*name.split("."))
    candidates = (place / "__init__.py", place.with_suffix(".py"))
    ours = name.split(".")[0] == "helpers"
    return next((file for file in candidates if file.is_file()), None) if ours else None
