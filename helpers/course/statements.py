"""One top-level statement of a notebook: the names it reads, binds and may change.

Which names are global is what `symtable` says; what it may change is read off the syntax.
"""

import ast
import functools
import symtable
from dataclasses import dataclass

from helpers.course.effects import SCOPES, Effects, own, root, stored

LOOPS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
COMPREHENSIONS = {"listcomp", "setcomp", "dictcomp"}  # scopes whose code runs where it stands
VIEWS = {"asarray", "detach", "from_numpy", "numpy", "ravel", "reshape", "swapaxes", "view"}


@dataclass(frozen=True)
class Statement:
    """A top-level statement and what it does to global names.

    Attributes:
        cell: number of its code cell, from 0.
        node, source: its syntax tree, and its text without the comment behind it.
        reads: names read while it runs.
        late: names read by functions that it makes, when these are called.
        handed: of `reads`, those that are not only called.
        binds, certain: names it may bind, and of these the ones it binds in any case.
        changes: names whose objects it may change.
        asks: names of which it calls a method for its effect; no change if the name is a module.
        reaches: the same for names and all they were made from, as by `loss.backward()`.
        late_changes: names whose objects a function made in it may change or bind.
        changes_arguments: whether a function made in it may change an object handed to it.
        makes_functions: whether what it makes gives out functions when called, or objects with
            methods that change them.
        shares: names that afterwards may stand for the same object, as after `a = b`.
    """

    cell: int
    node: ast.stmt
    source: str
    reads: frozenset[str] = frozenset()
    late: frozenset[str] = frozenset()
    handed: frozenset[str] = frozenset()
    binds: frozenset[str] = frozenset()
    certain: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    asks: frozenset[str] = frozenset()
    reaches: frozenset[str] = frozenset()
    late_changes: frozenset[str] = frozenset()
    changes_arguments: bool = False
    makes_functions: bool = False
    shares: tuple[tuple[str, str], ...] = ()

    @property
    def imports(self) -> bool:
        """Whether it is an import."""
        return isinstance(self.node, ast.Import | ast.ImportFrom)

    @property
    def defines(self) -> bool:
        """Whether it only makes a function or class, so that what is inside runs later."""
        kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        return isinstance(self.node, kinds) and not self.node.decorator_list

    @property
    def shows(self) -> bool:
        """Whether it is an expression that calls no function by its name: shown, not done."""
        if not isinstance(self.node, ast.Expr):
            return False
        call = self.node.value
        return not (isinstance(call, ast.Call) and root(call) in self.reads)


def statements_of(source: str, cell: int) -> list[Statement]:
    """Read a code cell.

    Args:
        source: its text; lines of IPython's own (%, ! and ?) are left out.
        cell: its number.

    Returns:
        list of Statement, empty for a cell that is not Python.
    """
    return list(_statements(source, cell))


@functools.lru_cache(maxsize=1024)  # a class hands in the same cells thirty times
def _statements(source, cell):
    for text in (source, _without_magics(source)):
        try:
            return [_read(node, text, cell) for node in ast.parse(text).body]
        except (SyntaxError, ValueError, RecursionError):
            continue
    return []


def _without_magics(source):
    if source.lstrip().startswith("%%"):
        return ""
    kept = []
    for line in source.splitlines():
        code = line.strip()
        magic = code.startswith(("%", "!", "?")) or code.endswith("?") or "= !" in code
        magic = magic or "= %" in code
        kept.append(line[: len(line) - len(line.lstrip())] + "pass" if magic else line)
    return "\n".join(kept)


def _read(node, text, cell):
    plain = ast.unparse(node)
    scope = _Scopes(symtable.symtable(plain, "cell", "exec"), node)
    effects = Effects()
    effects.visit(node)
    if isinstance(node, ast.ImportFrom):
        scope.binds |= {alias.name for alias in node.names if alias.name == "*"}
    added = {root(t.target) for t in ast.walk(node) if isinstance(t, ast.AugAssign)} & scope.binds
    called = {id(c.func) for c in ast.walk(node) if isinstance(c, ast.Call)}
    handed = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and id(n) not in called}
    reads = frozenset(scope.reads | added)
    return Statement(
        cell=cell,
        node=node,
        source=_source(node, text),
        reads=reads,
        late=frozenset(scope.late),
        handed=reads & handed,
        binds=frozenset(scope.binds),
        certain=frozenset((_certain([node]) & scope.binds) - added),
        changes=frozenset(effects.changes),
        asks=frozenset(effects.asks),
        reaches=frozenset(effects.reaches),
        late_changes=frozenset(effects.late_changes | scope.late_binds),
        changes_arguments=effects.changes_arguments,
        makes_functions=effects.makes_functions,
        shares=tuple(_shared(node)),
    )


def _source(node, text):
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
    if first < node.lineno:
        return "\n".join(text.splitlines()[first - 1 : node.end_lineno])
    return ast.get_source_segment(text, node) or ast.unparse(node)


class _Scopes:
    """The global names of a statement: read, bound, and read or bound later by its functions."""

    def __init__(self, table, node):
        symbols = table.get_symbols()
        free = list(_free([node], set()))
        # From Python 3.12 on, `symtable` takes comprehensions for a part of the scope around.
        loops = set().union(*(_targets(part) for part in own([node]) if isinstance(part, LOOPS)))
        loops -= {name.id for name in free}
        self.reads = {name.id for name in free if isinstance(name.ctx, ast.Load)}
        self.reads |= {s.get_name() for s in symbols if s.is_referenced()} - loops
        self.binds = {s.get_name() for s in symbols if s.is_assigned() or s.is_imported()} - loops
        self.late, self.late_binds = set(), set()
        self._inside(table, later=False)

    def _inside(self, table, later):
        for child in table.get_children():
            kind, name = str(child.get_type()), child.get_name()
            deferred = later or ("function" in kind and name not in COMPREHENSIONS)
            for symbol in child.get_symbols():
                if not symbol.is_global():
                    continue
                if symbol.is_referenced():
                    (self.late if deferred else self.reads).add(symbol.get_name())
                    if name == "genexpr" and not later:  # runs where it stands, or later
                        self.reads.add(symbol.get_name())
                if symbol.is_assigned():
                    (self.late_binds if deferred else self.binds).add(symbol.get_name())
            self._inside(child, later or (deferred and name != "genexpr"))


def _targets(loop):
    return set().union(*(stored(part.target) for part in loop.generators))


def _free(nodes, hidden):
    """Names in a statement's own scope and in its comprehensions, loop variables left out."""
    for node in nodes:
        if isinstance(node, ast.Name) and node.id not in hidden:
            yield node
        elif isinstance(node, LOOPS):
            yield from _free([node.generators[0].iter], hidden)
            yield from _free(ast.iter_child_nodes(node), hidden | _targets(node))
        elif not isinstance(node, SCOPES):
            yield from _free(ast.iter_child_nodes(node), hidden)


def _certain(body):
    """Names that are bound in any case."""
    names = set()
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(a.asname or a.name).partition(".")[0] for a in node.names}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.With):
            names |= _certain(node.body)
        else:
            named = isinstance(node, ast.Assign) or (isinstance(node, ast.AnnAssign) and node.value)
            names |= stored(node) if named else set()
    return names


def _shared(statement):
    """Pairs of names that may stand for one object after the statement."""
    for node in own([statement]):
        if isinstance(node, ast.Assign):
            targets, sources = node.targets, list(_same_object(node.value))
            sources += [t.id for t in targets[1:] if isinstance(t, ast.Name)]
        elif isinstance(node, ast.For):
            targets = [node.target]
            sources = [n.id for n in ast.walk(node.iter) if isinstance(n, ast.Name)]
        else:
            continue
        for target in targets:
            for name in (n.id for n in ast.walk(target) if isinstance(n, ast.Name)):
                yield from ((name, source) for source in sources)


def _same_object(value):
    """Names whose object the value may be, or hold."""
    if isinstance(value, ast.Name | ast.Attribute | ast.Subscript | ast.Starred):
        name = root(value)
        if name and not any(isinstance(part, ast.Call) for part in ast.walk(value)):
            yield name
    elif isinstance(value, ast.Tuple | ast.List | ast.Set):
        for part in value.elts:
            yield from _same_object(part)
    elif isinstance(value, ast.Dict):
        for part in value.values:
            yield from _same_object(part)
    elif isinstance(value, ast.IfExp):
        yield from _same_object(value.body)
        yield from _same_object(value.orelse)
    elif isinstance(value, ast.Call) and getattr(value.func, "attr", "") in VIEWS:
        for part in (value.func.value, *value.args):
            yield from _same_object(part)
