"""What is changed in a reference to make a mutant of it: one small thing at a time.

``variants(node)`` gives the replacements of one node, ``insertions(function)`` the statements to be
put at its beginning.
"""

import ast
import copy

_OPERATORS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_COMPARISONS = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_RELATIVES = {
    "max": ("min", "mean"),
    "sum": ("mean", "max"),
    "mean": ("sum",),
    "exp": ("exp2", "square"),
    "argmax": ("argmin",),
    "maximum": ("minimum",),
    "minimum": ("maximum",),
    "var": ("std",),
    "std": ("var",),
    "sin": ("cos",),
    "cos": ("sin",),
    "tanh": ("sin",),
    "all": ("any",),
    "any": ("all",),
    "ones": ("zeros",),
    "zeros": ("ones",),
}
_TURNS = {"T", "mT"}
_DROPPED_METHODS = {"swapaxes", "transpose", "copy", "reshape", "masked_fill", "item"}
_CONVERSIONS = {"len", "range", "int", "float", "array", "asarray", "list", "tuple"}
_STACKS = {"vstack", "concatenate", "hstack", "append", "cat"}


def variants(node, parent):
    """Yield the replacements of one node: None removes it, a pair adds what is to be shown."""
    for kind, make in _MAKERS:
        if isinstance(node, kind):
            yield from make(node, parent)


def _constant(node, parent):
    value = node.value
    if type(value) is bool:
        yield ast.Constant(not value)
    elif type(value) in (int, float):
        for other in (value + 1, value - 1, value * 2):
            yield ast.Constant(other)


def _unary(node, parent):
    yield node.operand


def _binary(node, parent):
    swapped = _OPERATORS.get(type(node.op))
    if swapped:
        yield ast.BinOp(node.left, swapped(), node.right)
    yield node.left
    yield node.right
    if isinstance(node.op, (ast.MatMult, ast.Sub, ast.Div, ast.Pow, ast.FloorDiv)):
        yield ast.BinOp(node.right, node.op, node.left)


def _comparison(node, parent):
    for operator in _COMPARISONS.get(type(node.ops[0]), ()):
        yield ast.Compare(node.left, [operator()], node.comparators)


def _choice(node, parent):
    yield node.body
    yield node.orelse


def _call(node, parent):
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    for relative in _RELATIVES.get(name, ()):
        yield _named(node, relative)
    if len(node.args) == 1 and not node.keywords and name not in _CONVERSIONS:
        yield node.args[0]
    if name in _DROPPED_METHODS:
        outer = isinstance(function.value, ast.Name) and function.value.id in {"np", "torch"}
        yield node.args[0] if outer else function.value
    if name in {"where"} and len(node.args) == 3:
        condition, yes, no = node.args
        yield ast.Call(function, [condition, no, yes], node.keywords)
        yield yes
        yield no
    if len(node.args) == 2 and name in {"outer", "maximum", "arange", "norm"}:
        yield ast.Call(function, node.args[:1], node.keywords)
    if name in _STACKS:
        for cut in ("[-7:]", "[:8]"):
            yield ast.parse(f"({ast.unparse(node)}){cut}", mode="eval").body
    if name == "Parameter":
        yield ast.parse(f"{ast.unparse(node)[:-1]}, requires_grad=False)", mode="eval").body
    for place in range(len(node.keywords)):
        kept = node.keywords[:place] + node.keywords[place + 1 :]
        yield ast.Call(function, node.args, kept)


def _named(call, name):
    function = copy.copy(call.func)
    setattr(function, "attr" if isinstance(function, ast.Attribute) else "id", name)
    return ast.Call(function, call.args, call.keywords)


def _attribute(node, parent):
    if not isinstance(node.ctx, ast.Load):
        return
    if node.attr in _TURNS:
        yield node.value
    own = isinstance(node.value, ast.Name) and node.value.id == "self"
    if own and node.attr.startswith("W"):
        for way in (".detach()", ".data", ".T"):
            yield ast.parse(ast.unparse(node) + way, mode="eval").body
    if own and node.attr == "dropout":
        for other in ("0.0", "0.5", "1 - self.dropout", "0.5 * self.dropout"):
            yield ast.parse(other, mode="eval").body
    if own and node.attr == "training":
        yield ast.Constant(True)
        yield ast.Constant(False)


def _subscript(node, parent):
    if not isinstance(node.ctx, ast.Load):
        return
    size = isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
    if size:
        yield _kept(node)
    else:
        yield node.value


def _size(node, parent):
    """A length that is asked for once and then kept for ever."""
    if getattr(node.func, "id", "") == "len":
        yield _kept(node)


def _kept(node):
    text = ast.unparse(node)
    shown = ast.parse(f"first_ever({text})", mode="eval").body
    return ast.parse(f"_first({text!r}, {text})", mode="eval").body, shown


def _slice(node, parent):
    if node.lower is not None:
        yield ast.Slice(None, node.upper, node.step)
    if node.upper is not None:
        yield ast.Slice(node.lower, None, node.step)
    if node.step is not None:
        yield ast.Slice(node.lower, node.upper, None)


def _tuple(node, parent):
    returned = isinstance(parent, ast.Return)
    if returned and len(node.elts) > 1:
        yield ast.Tuple(node.elts[::-1], ast.Load())


def _condition(node, parent):
    yield ast.If(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    yield node.orelse or ast.Pass()


def _loop(node, parent):
    yield (
        ast.For(node.target, node.iter, [*node.body, ast.Break()], []),
        ast.parse("loops_once()", mode="eval").body,
    )


def _statement(node, parent):
    yield ast.Pass()


def _assignment(node, parent):
    yield ast.Pass()
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    if isinstance(target, ast.Tuple) and ".shape" in ast.unparse(node.value):
        for name in target.elts:
            if isinstance(name, ast.Name) and name.id != "_":
                kept = ast.parse(f"{name.id} = _first({name.id!r}, {name.id})").body[0]
                shown = ast.parse(f"first_ever({name.id})").body[0]
                yield [node, kept], shown


_MAKERS = (
    (ast.Constant, _constant),
    (ast.UnaryOp, _unary),
    (ast.BinOp, _binary),
    (ast.Compare, _comparison),
    (ast.IfExp, _choice),
    (ast.Call, _call),
    (ast.Call, _size),
    (ast.Attribute, _attribute),
    (ast.Subscript, _subscript),
    (ast.Slice, _slice),
    (ast.Tuple, _tuple),
    (ast.If, _condition),
    (ast.For, _loop),
    (ast.AugAssign, _statement),
    (ast.Assign, _assignment),
)

_NARROWER = {
    "the mask of the first batch and head serves all": "mask = mask[(0,) * (mask.ndim - 2)]",
    "the mask of the first head serves all": "mask = mask[:, :1] if mask.ndim > 3 else mask",
    "the mask of the first query serves all": "mask = mask[..., :1, :]",
    "a mask of more than two axes is refused": "assert mask.ndim < 3",
}


def insertions(function, tree):
    """Yield what is changed and the statements that do it, at the beginning of a function."""
    names = [argument.arg for argument in function.args.args if argument.arg != "self"]
    defaults = dict(zip(names[::-1], function.args.defaults[::-1], strict=False))
    inside = "" if function is tree.body[0] else f" in {function.name}"
    for name in names:
        yield f"{name} is ignored{inside}", _code(f"{name} = _plain({name})")
        yield (
            f"the first {name} is kept for ever{inside}",
            _code(f"{name} = _first({name!r}, {name})"),
        )
        if name in defaults:
            default = ast.unparse(defaults[name])
            yield f"{name} is always {default}{inside}", _code(f"{name} = {default}")
    if "mask" in names:
        for change, code in _NARROWER.items():
            yield change, _code(f"if mask is not None:\n    {code}")


def _code(text):
    return ast.parse(text).body
