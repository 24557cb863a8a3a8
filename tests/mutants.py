"""Wrong answers derived by machine: a reference's source with one thing changed.

``python tests/mutants.py lesson06 lesson07.kv_cache`` lists the mutants that a check or a grade
accepts; without a name, those of all lessons. A mutant that means the same as the reference, or
that no right use can tell from it, stands in ``cases/equal_mutants.py`` with its reason.
"""

import ast
import copy
import importlib
import inspect
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from cases.mutations import insertions, variants  # noqa: E402

from helpers.course.exercise import Exercise  # noqa: E402

LESSONS = [f"lesson{number:02d}" for number in range(1, 11)]
SEEDS = (20, 21, 1, 2, 3)  # the first is that of `check`
_PATIENCE = 5000  # rounds of all loops in one call: an endless one ends there


class EndlessError(Exception):
    """A mutant's loops went round too often."""


@dataclass(frozen=True)
class Mutant:
    """One wrong answer; `change` says in code what was changed and where."""

    change: str
    source: str
    answer: object


def exercises(*places: str) -> list[Exercise]:
    """List the exercises of lessons ("lesson06") or single ones ("lesson07.kv_cache")."""
    found = []
    for place in places or LESSONS:
        lesson, _, name = place.partition(".")
        module = importlib.import_module(f"helpers.lessons.{lesson}")
        members = [value for value in vars(module).values() if isinstance(value, Exercise)]
        found += [value for value in members if value.name.endswith(f".{name}") or not name]
    return found


def mutants(exercise: Exercise) -> list[Mutant]:
    """Derive every mutant of an exercise's reference, each with another source."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(exercise.reference)))
    seen, found = {ast.unparse(tree)}, []
    counts: dict[str, int] = {}
    for change, mutated in _mutated(tree):
        source = ast.unparse(ast.fix_missing_locations(mutated))
        if source in seen:
            continue
        seen.add(source)
        counts[change] = counts.get(change, 0) + 1
        if counts[change] > 1:
            change = f"{change} ({counts[change]})"
        found.append(Mutant(change, source, _made(exercise.reference, source)))
    return found


def survivors(exercise: Exercise, seeds=SEEDS, equal=()) -> list[Mutant]:
    """List the mutants that pass at one of the seeds, or get points."""
    return [
        mutant
        for mutant in mutants(exercise)
        if (exercise.name, mutant.change) not in equal
        and (any(exercise.accepts(mutant.answer, seed) for seed in seeds))
    ]


def _mutated(tree) -> Iterator[tuple[str, ast.Module]]:
    """Yield what is changed, and a copy of the tree with that change."""
    nodes = list(ast.walk(tree))
    parents = {child: parent for parent in nodes for child in ast.iter_child_nodes(parent)}
    for place, node in enumerate(nodes):
        if _outside(node, parents):
            continue
        for new in variants(node, parents.get(node)):
            replacement, shown = new if isinstance(new, tuple) else (new, new)
            yield _described(node, shown, parents), _replaced(tree, place, replacement)
    for place, node in enumerate(nodes):
        if isinstance(node, ast.FunctionDef):
            for change, statements in insertions(node, tree):
                copied = copy.deepcopy(tree)
                target = list(ast.walk(copied))[place]
                target.body[_docstring(node) : _docstring(node)] = statements
                yield change, copied


def _outside(node, parents) -> bool:
    """Say whether a node is a message, a docstring or an annotation: nothing that computes."""
    while node in parents:
        parent = parents[node]
        if isinstance(parent, ast.Raise) and node is not parent:
            return True
        if isinstance(parent, (ast.FunctionDef, ast.ClassDef)) and node in parent.decorator_list:
            return True
        if isinstance(parent, ast.Expr) and isinstance(node, ast.Constant):
            return True
        node = parent
    return False


def _docstring(function) -> int:
    first = function.body[0]
    return int(isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant))


def _described(node, new, parents) -> str:
    statement = node
    while not isinstance(statement, ast.stmt) and statement in parents:
        statement = parents[statement]
    was, where = ast.unparse(node), ast.unparse(statement).splitlines()[0]
    becomes = "nothing" if new is None or isinstance(new, ast.Pass) else ast.unparse(new)
    was, becomes = was.splitlines()[0], becomes.splitlines()[0]
    return f"{was} -> {becomes}" if was == where else f"{was} -> {becomes} in: {where}"


def _replaced(tree, place, replacement) -> ast.Module:
    copied = copy.deepcopy(tree)
    target = list(ast.walk(copied))[place]

    class Replace(ast.NodeTransformer):
        def visit(self, node):
            return copy.deepcopy(replacement) if node is target else self.generic_visit(node)

    return Replace().visit(copied)


class _Counted(ast.NodeTransformer):
    """Count the rounds of every loop, so that an endless one ends."""

    def visit_For(self, node):
        self.generic_visit(node)
        node.body.insert(0, ast.parse("_round()").body[0])
        return node

    visit_While = visit_For


def _made(reference, source):
    """Run a mutant's source beside the reference's globals and return what it defines."""
    rounds, first = [0], {}

    def count():
        rounds[0] += 1
        if rounds[0] > _PATIENCE:
            rounds[0] = 0
            raise EndlessError("its loops went round too often")

    tree = ast.fix_missing_locations(_Counted().visit(ast.parse(source)))
    names = dict(vars(sys.modules[reference.__module__]))
    names |= {
        "_round": count,
        "_first": lambda name, value: first.setdefault(name, value),
        "_plain": _plain,
    }
    exec(compile(tree, f"<mutant of {reference.__name__}>", "exec"), names)
    made = names[reference.__name__]
    if isinstance(made, type):
        return made

    def answer(*arguments):
        rounds[0] = 0
        return made(*arguments)

    return answer


def _plain(value):
    """A constant of the kind of a value: what an answer computes with that ignores it."""
    if isinstance(value, (bool, np.bool_)) or value is None:
        return value
    if isinstance(value, (int, float)):
        return type(value)(1)
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return value * 0 + 1 if "bool" not in str(value.dtype) else value | True
    if isinstance(value, list):
        return value[:1]
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    if callable(value):
        return lambda first, *rest: first
    return value


def main() -> int:
    """Print the survivors of the places on the command line."""
    from cases.equal_mutants import EQUAL

    total = 0
    for exercise in exercises(*sys.argv[1:]):
        left = survivors(exercise, equal=EQUAL)
        total += len(left)
        print(f"{exercise.name}: {len(mutants(exercise))} mutants, {len(left)} survive")
        for mutant in left:
            print(f"    {mutant.change}")
    return min(total, 1)


if __name__ == "__main__":
    sys.exit(main())
