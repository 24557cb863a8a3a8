"""Which names a statement may change, read off its syntax.

`x[0] = …`, `x.a = …`, `x += …`, `del x[0]`, `out=x`, and a method called for its effect, as in
`x.append(1)`. For a function in it the same, kept apart: that comes when it is called.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

PURE = {  # methods of arrays, lists and dicts that change nothing
    *("all", "any", "argmax", "argmin", "astype", "copy", "count", "detach", "get", "index"),
    *("item", "items", "join", "keys", "max", "mean", "min", "numpy", "ravel", "reshape", "round"),
    *("std", "sum", "tolist", "values", "var"),
}
IN_PLACE = {"at", "copyto", "fill_diagonal", "place", "put", "putmask", "shuffle"}
REACH_BACK = {"backward", "step"}  # these also change what the object was made from
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def root(node: ast.AST) -> str | None:
    """The name that a chain of attributes, subscripts and calls begins with, or None."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call | ast.Starred):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def stored(part: ast.AST) -> set[str]:
    """Names that a part of a statement binds, functions inside left out."""
    names = (node for node in own([part]) if isinstance(node, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, ast.Store)}


def own(nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Walk nodes without going into the functions and classes they define."""
    for node in nodes:
        yield node
        if not isinstance(node, SCOPES):
            yield from own(list(ast.iter_child_nodes(node)))


class _Function(NamedTuple):
    """Names that are local in a function, and those of them that come from outside."""

    local: set[str]
    given: set[str]


@dataclass
class Effects(ast.NodeVisitor):
    """Collects which names a statement, and which the functions in it, may change."""

    changes: set[str] = field(default_factory=set)
    asks: set[str] = field(default_factory=set)
    reaches: set[str] = field(default_factory=set)
    late_changes: set[str] = field(default_factory=set)
    changes_arguments: bool = False
    makes_functions: bool = False
    _functions: list[_Function] = field(default_factory=list)
    _in_class: bool = False

    def _changed(self, *names, into=None):
        for name in filter(None, names):
            function = next((f for f in reversed(self._functions) if name in f.local), None)
            if function:
                self.changes_arguments |= name in function.given
            elif self._functions:
                self.late_changes.add(name)
            else:
                (self.changes if into is None else into).add(name)

    def _function(self, node):
        self.makes_functions |= bool(self._functions)
        method = self._in_class and not self._functions
        outside = [*getattr(node, "decorator_list", ()), *node.args.defaults]
        for part in (*outside, *(d for d in node.args.kw_defaults if d)):
            self.visit(part)
        before, self.changes_arguments = self.changes_arguments, False
        self._functions.append(
            _locals(node, made_here=method and getattr(node, "name", "") == "__init__")
        )
        for part in node.body if isinstance(node.body, list) else [node.body]:
            self.visit(part)
        self._functions.pop()
        self.makes_functions |= method and self.changes_arguments
        self.changes_arguments |= before

    def visit_ClassDef(self, node):
        outside, self._in_class = self._in_class, True
        self.generic_visit(node)
        self._in_class = outside

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = _function

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Del):
            self._changed(node.id)

    def visit_Attribute(self, node):
        if not isinstance(node.ctx, ast.Load):
            self._changed(root(node))
        self.generic_visit(node)

    visit_Subscript = visit_Attribute

    def visit_AugAssign(self, node):
        self._changed(root(node.target))
        self.generic_visit(node)

    def visit_Call(self, node):
        method = getattr(node.func, "attr", "")
        first = root(node.args[0]) if node.args else None
        if method in IN_PLACE or getattr(node.func, "id", "") in ("setattr", "delattr"):
            self._changed(first)
        if method.endswith("seed"):
            self._changed(root(node.func))
        for keyword in node.keywords:
            if keyword.arg == "out":
                self._changed(root(keyword.value))
        self.generic_visit(node)

    def visit_Expr(self, node):
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            method, receiver = call.func.attr, call.func.value
            whole = not any(isinstance(part, ast.Call) for part in ast.walk(receiver))
            if method in REACH_BACK:
                names = {n.id for n in ast.walk(receiver) if isinstance(n, ast.Name)}
                self._changed(*names, into=self.reaches)
            elif whole and method not in PURE:
                self._changed(root(receiver), into=self.asks)
        self.generic_visit(node)


def _locals(function, made_here):
    arguments = function.args
    everything = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    everything += [a for a in (arguments.vararg, arguments.kwarg) if a]
    given = {a.arg for a in everything[made_here:]}
    body = function.body if isinstance(function.body, list) else [function.body]
    local, elsewhere = {a.arg for a in everything}, set()
    for node in own(body):
        local |= stored(node) if isinstance(node, ast.Name) else set()
        given |= stored(node.target) if isinstance(node, ast.For | ast.comprehension) else set()
        local |= {node.name} if isinstance(node, SCOPES) and hasattr(node, "name") else set()
        if isinstance(node, ast.Global | ast.Nonlocal):
            elsewhere.update(node.names)
    return _Function(local - elsewhere, given)
