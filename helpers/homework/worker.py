"""The process that runs answers. It knows no exercise, no reference and no seed.

It is asked to run statements of a notebook, then to call what they made with given arguments. It
answers with plain outcomes, and says before each step what it is about to do, for the limits.
"""

import ast
import contextlib
import importlib
import linecache
import os
import queue
import threading
import traceback
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from helpers.course.calls import Outcome, call, describe
from helpers.course.surroundings import Printed
from helpers.homework import wire
from helpers.homework.closed import close, forbid


def serve(asked: BinaryIO, told: BinaryIO, hidden: Sequence[str]) -> None:
    """Do what is asked until nobody asks any more.

    Args:
        asked: the stream of what is asked.
        told: the stream of answers.
        hidden: folders whose files answers may not read.
    """
    messages: queue.Queue = queue.Queue()

    def listen():
        while True:
            message = wire.receive(asked)
            if message is None:
                os._exit(0)  # the judge is gone: an endless loop ends here too
            messages.put(message)

    threading.Thread(target=listen, daemon=True).start()
    close(Path.cwd(), [Path(folder) for folder in hidden])
    lock = threading.Lock()

    def tell(message, arrays=()):
        with lock:
            wire.send(told, message, arrays)

    answers = _Answers(messages, tell)
    tell({"at": "up"})
    while True:
        message, arrays = messages.get()
        if message["do"] == "load":
            tell(answers.load(message))
        else:
            tell(*answers.call(message, arrays))


class _Answers:
    """The answer at hand, and how it is called."""

    def __init__(self, messages, tell):
        self.messages, self.tell = messages, tell
        self.answer = None

    def load(self, message) -> dict:
        """Run the statements of an answer; say what came of it."""
        forbid(message["forbidden"])
        self.answer = None
        names = {"__name__": "__main__", "display": _nothing, "get_ipython": _nothing}
        printed = Printed()
        for number, source, places in message["cells"]:
            self.tell({"at": "cell", "cell": number})
            file = f"<cell {number}>"
            linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
            try:
                with _silent(printed):
                    body = ast.parse(source).body
                    for place in places:
                        step = ast.Module([body[place]], type_ignores=[])
                        exec(compile(step, file, "exec"), names)
            except BaseException as error:
                return {"at": "failed", "cell": number, **_told(error, file)}
        self.answer = names.get(message["name"], ...)
        if self.answer is ... or self.answer is None:
            return {"at": "unanswered"}
        return {"at": "loaded", "callable": callable(self.answer)}

    def call(self, message, arrays) -> tuple[dict, list[bytes]]:
        """Call the answer once."""
        given = wire.unpack(message["arguments"], arrays, self._asked_back)
        answer = self.answer if callable(self.answer) else lambda: self.answer
        runner = None
        if message["runner"]:
            module, name = message["runner"]
            runner = getattr(importlib.import_module(module), name)
        outcome = call(answer, given, tuple(message["names"]), runner)
        try:
            tree, numbers = wire.packed_outcome(outcome)
        except wire.WireError as error:
            tree, numbers = wire.packed_outcome(Outcome(error=str(error)))
        if sum(map(len, numbers)) > wire.MOST_NUMBERS:
            tree, numbers = wire.packed_outcome(Outcome(error="MemoryError"))
        return {"at": "outcome", "outcome": tree}, numbers

    def _asked_back(self, number: int, words: str) -> Callable:
        """A function that stays with the judge, who is asked for its values."""

        def value(*given):
            bundle = wire.Bundle()
            self.tell({"at": "function", "function": number, "given": bundle.pack(given)},
                      bundle.arrays)  # fmt: skip
            message, arrays = self.messages.get()
            if "error" in message:
                raise wire.error_named(*message["error"])
            return wire.unpack(message["value"], arrays)

        return _Function(value, words)


class _Function:
    """Stands for a function of the judge; a copy of it is itself."""

    def __init__(self, value, words):
        self.value, self.words = value, words

    def __call__(self, *given):
        return self.value(*given)

    def __repr__(self):
        return self.words

    def __deepcopy__(self, memo):
        return self


@contextlib.contextmanager
def _silent(printed):
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        yield


def _nothing(*arguments, **options):
    """Stands for what only a notebook has."""


def _told(error, file):
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
             if frame.filename == file]  # fmt: skip
    return {"error": describe(error), "line": lines[-1] if lines else 0}
