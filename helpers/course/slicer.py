"""Slices of a notebook: only the statements that a claim or a name needs, run by themselves.

A slice is found backwards. What a statement reads must have been bound, and changed, by earlier
ones; what a function reads must be as it is when the function is called. Where the syntax leaves
a doubt, a statement is taken in. Pictures and other values that a cell only shows change nothing
and stay out.
"""

import ast
import builtins
import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from helpers.course.statements import Statement, statements_of
from helpers.language import say

SEEDS = ("seed", "seeds")


class Program:
    """The code cells of a notebook, read and not run.

    Args:
        cells: the source of each code cell, in order. What is not Python is left out.
    """

    def __init__(self, cells: Sequence[str]):
        self.statements: list[Statement] = [
            s for number, source in enumerate(cells) for s in statements_of(source, number)
        ]
        self._changes: list[frozenset[str]] = []
        self._late: dict[int, frozenset[str]] = {}
        self._follow()

    def calls(self, function: str, first: object) -> list[int]:
        """Find statements that call a function or method with a first argument.

        Args:
            function: its name, "claim" for both `claim("4.2")` and `lesson04.claim("4.2")`.
            first: the constant that is its first argument.

        Returns:
            list of int, numbers of the statements.
        """
        return [
            number
            for number, statement in enumerate(self.statements)
            for node in ast.walk(statement.node)
            if isinstance(node, ast.Call)
            and function in (getattr(node.func, "id", ""), getattr(node.func, "attr", ""))
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and node.args[0].value == first
        ]

    def slice(self, *targets: int | str) -> "Slice":
        """Find the statements that targets need.

        Args:
            *targets: numbers of statements, and names whose value at the end is wanted.

        Returns:
            Slice, with the targets that are statements.
        """
        chosen, missing = set(), set()
        wanted: list[tuple[str, int]] = []
        seen, own = set(), set()

        def take(number):
            if number not in chosen:
                chosen.add(number)
                statement = self.statements[number]
                at_once = frozenset() if statement.defines else statement.late
                wanted.extend((name, number) for name in statement.reads | at_once)
                own.update((name, number) for name in statement.binds)

        for target in targets:
            if isinstance(target, str):
                wanted.append((target, len(self.statements)))
            else:
                take(target)
        while wanted:
            name, place = wanted.pop()
            if (name, place) in seen:
                continue
            seen.add((name, place))
            sources = list(self._sources(name, place))
            if not sources and not hasattr(builtins, name) and (name, place) not in own:
                missing.add(name)
            for number in sources:
                take(number)
                wanted.extend((later, place) for later in self._late_of(number))
        return Slice(
            tuple(self.statements[number] for number in sorted(chosen)), tuple(sorted(missing))
        )

    def _sources(self, name: str, place: int) -> Iterator[int]:
        """Statements before a place that made what a name stands for there, the last one first."""
        for number in range(place - 1, -1, -1):
            statement = self.statements[number]
            if name in statement.binds or name in self._changes[number] or "*" in statement.binds:
                yield number
            if name in statement.certain:
                return

    def _late_of(self, number: int) -> frozenset[str]:
        """Names that are read when what a statement has made is called."""
        if number not in self._late:
            statement = self.statements[number]
            late = set(statement.late)
            for name in statement.reads:
                for source in self._sources(name, number):
                    if name in statement.handed or self.statements[source].makes_functions:
                        late |= self._late_of(source)
            self._late[number] = frozenset(late)
        return self._late[number]

    def _follow(self):
        """Find what each statement may change, once names that stand for one object are known."""
        bound: set[str] = set()
        fixed: set[str] = set()  # modules, functions and classes
        alike: dict[str, set[str]] = {}  # name -> others that may stand for the same object
        made_from: dict[str, set[str]] = {}  # name -> all names its value was computed from
        effects: dict[str, _Effect] = {}  # name -> what calling it may change
        makers: set[str] = set()  # names whose results have the effects of what made them
        for statement in self.statements:
            _join(alike, statement, bound - fixed)
            objects = (statement.reads & bound) - fixed
            changes = set(statement.changes) | (statement.asks - fixed)
            if not statement.defines and not statement.shows:
                called = _Effect.together(effects[n] for n in statement.reads if n in effects)
                changes |= called.names | (objects if called.arguments else set())
            for name in statement.reaches - fixed:
                changes |= {name} | made_from.get(name, set())
            for name in list(changes):
                changes |= alike.get(name, set())
            self._changes.append(frozenset(changes))

            handed = {*statement.handed, *statement.late, *(statement.reads & makers)}
            made = [_Effect(statement.late_changes - fixed, statement.changes_arguments)]
            made = _Effect.together([*made, *(effects[n] for n in handed if n in effects)])
            for name in list(objects):
                objects |= made_from.get(name, set())
            for name in statement.binds:
                older = set() if name in statement.certain else made_from.get(name, set())
                made_from[name] = objects | older
                (fixed.add if statement.imports or statement.defines else fixed.discard)(name)
                (makers.add if statement.makes_functions else makers.discard)(name)
                effects.pop(name, None)
                if made:
                    effects[name] = made
            bound |= statement.binds


def _join(alike, statement, known):
    """Bring up to date which names may stand for the same object as others."""
    before = {name: set(group) for name, group in alike.items()}
    kept = {one for one, other in statement.shares if one == other}
    for name in statement.certain - kept:
        for other in alike.pop(name, ()):
            alike[other].discard(name)
    for one, other in statement.shares:
        if other in known or other in statement.binds:
            group = {one, other} | before.get(other, set())
            group |= alike.get(one, set()) | alike.get(other, set())
            for name in group:
                alike[name] = alike.get(name, set()) | group - {name}


@dataclass(frozen=True)
class _Effect:
    """What calling something may change."""

    names: frozenset[str] = frozenset()
    arguments: bool = False

    def __bool__(self):
        return bool(self.names) or self.arguments

    @classmethod
    def together(cls, effects):
        """Join several effects into one."""
        names, arguments = frozenset(), False
        for effect in effects:
            names, arguments = names | effect.names, arguments or effect.arguments
        return cls(names, arguments)


@dataclass(frozen=True)
class Slice:
    """Some statements of a notebook, in order.

    Attributes:
        statements: them.
        missing: names they read that nothing before them binds; run needs them in its namespace.
    """

    statements: tuple[Statement, ...]
    missing: tuple[str, ...]

    @property
    def source(self) -> str:
        """The text of the statements."""
        return "\n".join(statement.source for statement in self.statements)

    def run(
        self,
        namespace: Mapping[str, object] | None = None,
        replace: Mapping[str, object] | None = None,
        seed_shift: int = 0,
    ) -> dict[str, object]:
        """Run the statements.

        Args:
            namespace: names that exist before the first statement; not changed.
            replace: what to put in for a name, wherever a statement binds it. A dotted name, such
                as "attention.softmax", replaces an attribute: the name then stands for a stand-in
                with all other attributes of the original, which is not changed.
            seed_shift: added to every seed that is written as a number: what `default_rng` is
                given, and what arguments, names and loops called seed or seeds are.

        Returns:
            dict, the global names after the last statement.

        Raises:
            ValueError: a name to replace is not bound in the slice.
        """
        replace = dict(replace or {})
        bound = {name for statement in self.statements for name in statement.binds}
        for dotted in replace:
            if dotted.partition(".")[0] not in bound:
                text = say("replace: nothing in this slice binds {name!r}.", name=dotted)
                raise ValueError(text)
        names = {"__name__": "__main__", **(namespace or {})}
        for statement in self.statements:
            node = statement.node
            if seed_shift:
                node = _Shift(seed_shift).visit(copy.deepcopy(node))
            tree = ast.fix_missing_locations(ast.Module([node], type_ignores=[]))
            exec(compile(tree, f"<cell {statement.cell}>", "exec"), names)
            for dotted, value in replace.items():
                first, _, rest = dotted.partition(".")
                if first in statement.binds:
                    names[first] = _put_in(names[first], rest, value)
        return names


class _StandIn:
    """Has one attribute of its own and all others of an original."""

    def __init__(self, original, name, value):
        self.__dict__.update({"_original": original, name: value})

    def __getattr__(self, name):
        return getattr(self.__dict__["_original"], name)


def _put_in(original, dotted, value):
    if not dotted:
        return value
    first, _, rest = dotted.partition(".")
    return _StandIn(original, first, _put_in(getattr(original, first), rest, value))


class _Shift(ast.NodeTransformer):
    """Adds to the seeds that are written as numbers."""

    def __init__(self, by):
        self.by = by

    def _shifted(self, node):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return ast.Constant(node.value + self.by)
        if isinstance(node, ast.Tuple | ast.List):
            node.elts = [self._shifted(part) for part in node.elts]
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "range":
            ends = node.args if len(node.args) > 1 else [ast.Constant(0), *node.args]
            node.args = [self._shifted(end) for end in ends[:2]] + ends[2:]
        if isinstance(node, ast.IfExp):
            node.body, node.orelse = self._shifted(node.body), self._shifted(node.orelse)
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        if "default_rng" in (getattr(node.func, "id", ""), getattr(node.func, "attr", "")):
            node.args = [self._shifted(part) for part in node.args]
        for keyword in node.keywords:
            if keyword.arg in SEEDS:
                keyword.value = self._shifted(keyword.value)
        return node

    def visit_Assign(self, node):
        self.generic_visit(node)
        if any(isinstance(t, ast.Name) and t.id in SEEDS for t in node.targets):
            node.value = self._shifted(node.value)
        return node

    def visit_For(self, node):
        self.generic_visit(node)
        if isinstance(node.target, ast.Name) and node.target.id in SEEDS:
            node.iter = self._shifted(node.iter)
        return node

    visit_comprehension = visit_For

    def visit_arguments(self, node):
        self.generic_visit(node)
        pairs = zip(
            reversed([*node.posonlyargs, *node.args]), reversed(node.defaults), strict=False
        )
        shifted = {id(d): self._shifted(d) for a, d in pairs if a.arg in SEEDS}
        node.defaults = [shifted.get(id(d), d) for d in node.defaults]
        return node
