"""What goes between the judge and the process that runs answers: JSON and arrays, no pickle.

A message is two lengths, a JSON text and a row of arrays in NumPy's own format. Whatever an answer
does, all that reaches the judge are numbers, texts and tuples of them, of limited size.
"""

import io
import json
import struct
import threading
from collections.abc import Callable, Sequence
from typing import BinaryIO

import numpy as np

from helpers.course.calls import Outcome
from helpers.language import say

MOST_TEXT, MOST_NUMBERS = 1 << 20, 1 << 26  # bytes of one message
_DEPTH, _PARTS, _LETTERS = 8, 10_000, 4000
_LENGTHS = struct.Struct(">II")
# Held by whoever reads code or judges. Python 3.11 may fail where two threads turn text into a
# syntax tree at once (SystemError, python/cpython#106905), and NumPy reads the head of an array so.
ONE_AT_A_TIME = threading.RLock()
_ERRORS = {kind.__name__: kind for kind in (ValueError, TypeError, IndexError, KeyError)}


class WireError(Exception):
    """A message is not what it should be; the text says how."""


class Bundle:
    """A value on its way: a JSON tree, the arrays it points to, the functions that stay here."""

    def __init__(self):
        """Start empty."""
        self.arrays: list[bytes] = []
        self.functions: list[Callable] = []

    def pack(self, value: object) -> object:
        """Return the JSON tree of a value; what JSON does not know goes to the side.

        Args:
            value: None, bool, int, float, str, array, tensor, function, or a list, tuple, set or
                dict of these.

        Raises:
            WireError: it holds something else.
        """
        if isinstance(value, np.generic):
            return ["scalar", self._stored(np.asarray(value))]
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        if isinstance(value, np.ndarray):
            return ["array", self._stored(value)]
        if type(value).__module__.startswith("torch") and hasattr(value, "detach"):
            return ["tensor", self._stored(value.detach().cpu().numpy()), value.requires_grad]
        if isinstance(value, dict):
            return ["dict", [[self.pack(k), self.pack(v)] for k, v in value.items()]]
        for kind in (list, tuple, set):
            if isinstance(value, kind):
                return [kind.__name__, [self.pack(part) for part in value]]
        if callable(value):
            self.functions.append(value)
            return ["function", len(self.functions) - 1, repr(value)[:200]]
        raise WireError(say("A value of type {kind} cannot be sent.", kind=type(value).__name__))

    def _stored(self, array):
        if array.dtype.kind not in "biuf":
            raise WireError(say("An array of {kind} cannot be sent.", kind=array.dtype))
        file = io.BytesIO()
        np.save(file, array, allow_pickle=False)
        self.arrays.append(file.getvalue())
        return len(self.arrays) - 1


def unpack(
    tree: object, arrays: Sequence[bytes], function: Callable | None = None, depth: int = 0
) -> object:
    """Build the value of a JSON tree.

    Args:
        tree: from ``Bundle.pack``, perhaps through a hostile process.
        arrays: the arrays of its message.
        function: (number, words) -> what stands for a function; None refuses functions.
        depth: how deep inside another value it stands.

    Raises:
        WireError: it is no such tree, or too large.
    """
    if tree is None or isinstance(tree, (bool, int, float)):
        return tree
    if isinstance(tree, str):
        return tree[:_LETTERS]
    if depth > _DEPTH or not isinstance(tree, list) or len(tree) < 2:
        raise WireError(say("What came back cannot be read."))
    kind, inside = tree[0], tree[1]
    if kind in ("array", "scalar", "tensor"):
        return _array(kind, _numbered(arrays, inside), tree[2:] == [True])
    if kind == "function" and function is not None:
        return function(inside, str(tree[2])[:200])
    if kind not in ("list", "tuple", "set", "dict") or not isinstance(inside, list):
        raise WireError(say("What came back cannot be read."))
    if len(inside) > _PARTS:
        raise WireError(say("What came back is too large."))
    if kind == "dict":
        pairs = [pair for pair in inside if isinstance(pair, list) and len(pair) == 2]
        return {
            unpack(k, arrays, function, depth + 1): unpack(v, arrays, function, depth + 1)
            for k, v in pairs
        }
    parts = [unpack(part, arrays, function, depth + 1) for part in inside]
    return {"list": list, "tuple": tuple, "set": set}[kind](parts)


def _numbered(arrays, number):
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(arrays):
        raise WireError(say("What came back cannot be read."))
    return arrays[number]


def _array(kind, stored, learns):
    file = io.BytesIO(stored)
    try:
        with ONE_AT_A_TIME:
            np.lib.format.read_magic(file)
            shape, _, dtype = np.lib.format.read_array_header_1_0(file)
            count = int(np.prod(shape, dtype=object))
            if dtype.kind not in "biuf" or count * dtype.itemsize != len(stored) - file.tell():
                raise WireError(say("What came back cannot be read."))
            file.seek(0)
            array = np.load(file, allow_pickle=False)
    except (ValueError, TypeError, EOFError, SyntaxError, MemoryError) as error:
        raise WireError(say("What came back cannot be read.")) from error
    if kind == "tensor":
        import torch

        return torch.from_numpy(array).requires_grad_(learns)
    return array[()] if kind == "scalar" else array


# ------------------------------------------------------------------ outcomes and errors


def packed_outcome(outcome: Outcome) -> tuple[dict, list[bytes]]:
    """Return an outcome as a JSON tree and its arrays."""
    bundle = Bundle()
    tree = {**vars(outcome), "value": bundle.pack(outcome.value)}
    return {**tree, "changed": list(outcome.changed)}, bundle.arrays


def outcome_of(tree: object, arrays: Sequence[bytes], names: Sequence[str]) -> Outcome:
    """Rebuild an outcome and trust nothing in it.

    Args:
        tree: from ``packed_outcome``, perhaps through a hostile process.
        arrays: what came with it.
        names: the arguments of the call; only these can have been changed.

    Raises:
        WireError: it is no outcome.
    """
    if not isinstance(tree, dict):
        raise WireError(say("What came back cannot be read."))
    value = _plain(unpack(tree.get("value"), arrays))
    texts = {
        key: tree[key][:_LETTERS] if isinstance(tree.get(key), str) else ""
        for key in ("complaint", "error", "where", "printed")
    }
    flags = {key: tree.get(key) is True for key in ("refused", "unanswered", "nothing")}
    flags["refused"] &= bool(texts["error"])
    if value is None and not (
        texts["error"] or texts["complaint"] or flags["unanswered"] or flags["nothing"]
    ):
        raise WireError(say("What came back cannot be read."))
    changed = tree.get("changed")
    listed = changed if isinstance(changed, list) else []
    return Outcome(value=value, **texts, **flags, changed=tuple(n for n in names if n in listed))


def _plain(value):
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    if isinstance(value, np.ndarray) and value.dtype.name in ("bool", "int64", "float64"):
        return value
    if value is None or isinstance(value, str):
        return value
    raise WireError(say("What came back cannot be read."))


def error_named(name: object, text: object) -> Exception:
    """Make an error of a kind that is known here, from its name and text."""
    return _ERRORS.get(name, RuntimeError)(str(text)[:300])


# ------------------------------------------------------------------ messages


def send(stream: BinaryIO, message: dict, arrays: Sequence[bytes] = ()) -> None:
    """Write one message; raise WireError if it is too large."""
    text = json.dumps({**message, "arrays": [len(part) for part in arrays]}).encode()
    numbers = b"".join(arrays)
    if len(text) > MOST_TEXT or len(numbers) > MOST_NUMBERS:
        raise WireError(say("What came back is too large."))
    stream.write(_LENGTHS.pack(len(text), len(numbers)) + text + numbers)
    stream.flush()


def receive(stream: BinaryIO) -> tuple[dict, list[bytes]] | None:
    """Read one message and its arrays; None where the stream ends.

    Raises:
        WireError: it is too large, or no message.
    """
    head = stream.read(_LENGTHS.size)
    if len(head) < _LENGTHS.size:
        return None
    text_size, size = _LENGTHS.unpack(head)
    if text_size > MOST_TEXT or size > MOST_NUMBERS:
        raise WireError(say("What came back is too large."))
    text, numbers = stream.read(text_size), stream.read(size)
    if len(text) < text_size or len(numbers) < size:
        return None
    try:
        message = json.loads(text)
        lengths = message.pop("arrays")
        if sum(lengths) != size or min(lengths, default=0) < 0:
            raise ValueError
    except (ValueError, AttributeError, KeyError, TypeError, RecursionError) as error:
        raise WireError(say("What came back cannot be read.")) from error
    arrays, start = [], 0
    for length in lengths:
        arrays.append(numbers[start : start + length])
        start += length
    return message, arrays
