"""Find the answers in a notebook by their names, and the statements that each of them needs."""

import ast
import inspect
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace

from helpers.course.exercise import Exercise
from helpers.course.slicer import Program
from helpers.homework.reading import Cell, Notebook
from helpers.language import say

_LESSON = re.compile(r"^lesson\d\d$")
_ROUNDS = 5  # how often cells are moved up for names that are read before they are bound


@dataclass(frozen=True)
class Found:
    """What a notebook holds for one exercise.

    Attributes:
        name: the answer's name in the notebook.
        cells: (number, text, places of its statements) of each cell that has to run.
        earlier: the same with every name as it was when the answer was written, or ().
        missing: why there is nothing to run, in one sentence, or "".
        stub: True if the stub is still there.
        published: True if it is the published solution, letter by letter.
        torch: True if PyTorch is needed.
    """

    name: str
    cells: tuple[tuple[int, str, tuple[int, ...]], ...] = ()
    earlier: tuple[tuple[int, str, tuple[int, ...]], ...] = ()
    missing: str = ""
    stub: bool = False
    published: bool = False
    torch: bool = False


def answer_name(exercise: Exercise) -> str:
    """The name under which an exercise's answer stands in a notebook."""
    return exercise.name.rpartition(".")[2]


def mentions(notebook: Notebook, exercises: Sequence[Exercise]) -> int:
    """Count the exercises that a notebook has something for."""
    names = {answer_name(exercise) for exercise in exercises}
    text = "\n".join(cell.text for cell in notebook.cells)
    return sum(bool(re.search(rf"\b(def|class)\s+{n}\b|^{n}\s*=", text, re.M)) for n in names)


def attempts(notebook: Notebook, exercises: Sequence[Exercise]) -> int:
    """Count the exercises that somebody has begun to answer."""
    return sum(_chosen(notebook.code, answer_name(e))[0] is not None for e in exercises)


def answers_of(notebook: Notebook, exercises: Sequence[Exercise]) -> list[Found]:
    """Find the answer to each exercise, and what has to run for it."""
    chosen = {answer_name(e): _chosen(notebook.code, answer_name(e)) for e in exercises}
    cells = [replace(cell, text=_cleaned(cell, chosen)) for cell in notebook.code]
    program, order = None, cells
    found = []
    for exercise in exercises:
        name = answer_name(exercise)
        place, stubs = chosen[name]
        if place is None:
            missing = "" if stubs else _why_missing(notebook, name)
            found.append(Found(name, missing=missing, stub=bool(stubs)))
            continue
        if program is None:
            program = Program([cell.text for cell in order])
        part, order, program = _slice(program, order, name)
        steps = tuple(_steps(part, order))
        found.append(
            Found(
                name,
                cells=steps,
                earlier=_earlier(cells, name, place, steps),
                published=_same(_node(notebook.code, name, place), exercise),
                torch="torch" in part.source or _driven_with_torch(exercise),
            )
        )
    return found


def _driven_with_torch(exercise):
    """Say whether what calls the answer loads PyTorch, even if the answer does not."""
    module = inspect.getmodule(exercise.runner) if exercise.runner else None
    return module is not None and "torch" in inspect.getsource(module)


def _definitions(cell: Cell, name):
    """Places of the statements of a cell that define a name, and whether each is a stub."""
    for place, node in enumerate(ast.parse(cell.text).body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if node.name == name:
                yield place, node, _is_stub(node)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            stored = {
                part.id
                for target in targets
                for part in ast.walk(target)
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            }
            if name in stored:
                constant = getattr(node.value, "value", 0) if isinstance(
                    node.value, ast.Constant) else 0  # fmt: skip
                yield place, node, constant is None or constant is ...


def _is_stub(node):
    """Say whether nothing is done: a docstring, `pass`, `...` or NotImplementedError."""
    if isinstance(node, ast.ClassDef):
        inner = [part for part in node.body if not _idle(part)]
        return all(
            isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)) and _is_stub(part)
            for part in inner
        )
    left = [part for part in node.body if not _idle(part)]
    return not left or (
        ast.unparse(left[-1]).startswith("raise NotImplementedError")
        and all(ast.unparse(part).startswith("super().__init__(") for part in left[:-1])
    )


def _idle(node):
    return isinstance(node, ast.Pass) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )


def _chosen(cells, name):
    """Return (cell number, place) of the last definition that is no stub, and all the stubs."""
    last, stubs = None, []
    for cell in cells:
        for place, _, stub in _definitions(cell, name):
            if stub:
                stubs.append((cell.number, place))
            else:
                last = (cell.number, place)
    return last, stubs


def _node(cells, name, where):
    return next(
        node
        for cell in cells
        if cell.number == where[0]
        for place, node, _ in _definitions(cell, name)
        if place == where[1]
    )


def _cleaned(cell, chosen):
    """Take out the stubs of answers, and later imports that would hide an answer."""
    lines = cell.text.split("\n")
    for place, node in reversed(list(enumerate(ast.parse(cell.text).body))):
        gone = any(
            last is not None and (cell.number, place) in stubs for last, stubs in chosen.values()
        )
        if gone or _only_asks(node):
            _blank(lines, node, "pass")
        elif isinstance(node, ast.ImportFrom):
            hiding = {
                name for name, (last, _) in chosen.items()
                if last is not None and last < (cell.number, place)
            }  # fmt: skip
            left = [a for a in node.names if (a.asname or a.name) not in hiding]
            if len(left) < len(node.names):
                node.names = left
                _blank(lines, node, ast.unparse(node) if left else "pass")
    return "\n".join(lines)


def _only_asks(node):
    """Say whether a statement only asks the lesson for a card: a check, a prediction, a hint."""
    call = node.value if isinstance(node, (ast.Expr, ast.Assign)) else None
    while isinstance(call, (ast.Call, ast.Attribute)):
        inner = call.func if isinstance(call, ast.Call) else call.value
        if isinstance(inner, ast.Name) and _LESSON.match(inner.id):
            asked = getattr(getattr(node.value, "func", None), "attr", "")
            return isinstance(node, ast.Expr) or asked == "check"
        call = inner
    return False


def _blank(lines, node, instead):
    """Put one line in place of a statement, so that all others stay where they are."""
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))]) - 1
    encoded = lines[node.end_lineno - 1].encode()
    after = encoded[node.end_col_offset :].decode()
    before = lines[first].encode()[: node.col_offset].decode()
    lines[first : node.end_lineno] = [
        before + instead + after, *[""] * (node.end_lineno - 1 - first)
    ]  # fmt: skip


def _slice(program, order, name):
    """Slice for a name; cells that bind what is read before them are moved to the front."""
    part = program.slice(name)
    for _ in range(_ROUNDS):
        late = {
            statement.cell
            for statement in program.statements
            if set(part.missing) & statement.binds
        }
        if not late or late == set(range(len(late))):
            break
        front = [order[number] for number in sorted(late)]
        order = front + [cell for number, cell in enumerate(order) if number not in late]
        program = Program([cell.text for cell in order])
        part = program.slice(name)
    return part, order, program


def _earlier(cells, name, place, steps):
    """The steps without any cell below the answer, where a name of its may mean another thing."""
    last = next(number for number, cell in enumerate(cells) if cell.number == place[0])
    below = {cell.number for cell in cells[last + 1 :]}
    if not any(number in below for number, _, _ in steps):
        return ()
    order = cells[: last + 1]
    return tuple(_steps(Program([cell.text for cell in order]).slice(name), order))


def _steps(part, order):
    """For each cell of a slice: its number, its text and the places of its statements."""
    steps: dict[int, list[int]] = {}
    for statement in part.statements:
        body = ast.parse(order[statement.cell].text).body
        where = (statement.node.lineno, statement.node.col_offset)
        places = [i for i, node in enumerate(body) if (node.lineno, node.col_offset) == where]
        steps.setdefault(statement.cell, []).extend(places)
    for cell in steps:
        yield order[cell].number, order[cell].text, tuple(steps[cell])


def _why_missing(notebook, name):
    for cell in notebook.cells:
        if not re.search(rf"\b(def|class)\s+{name}\b|^{name}\s*=", cell.text, re.MULTILINE):
            continue
        if not cell.code:
            return say(
                "Cell {cell} with its definition is a text cell, not code.", cell=cell.number
            )
        if cell.broken:
            return say("Cell {cell} is not Python: {why}.", cell=cell.number, why=cell.broken)
    return say("No cell defines {name}.", name=name)


def _same(node, exercise):
    """Say whether a definition is the reference, docstrings and annotations aside."""
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        return False
    tree = ast.parse(textwrap.dedent(inspect.getsource(exercise.reference)))
    return _bare(node) == _bare(tree.body[0])


def _bare(node):
    tree = ast.parse(ast.unparse(node))
    for part in ast.walk(tree):
        if isinstance(part, (ast.FunctionDef, ast.ClassDef)):
            part.body = [line for line in part.body if not _idle(line)] or [ast.Pass()]
        if isinstance(part, ast.FunctionDef):
            part.returns = None
        if isinstance(part, ast.arg):
            part.annotation = None
    return ast.dump(tree.body[0])
