"""The judge's side of the process that runs answers: start it, ask it, hold it to its limits.

Limits are seconds of computing, read from outside; a ceiling on the clock stands behind them for
what only waits. Nothing here needs fork, select, resource or signals of its own.
"""

import os
import queue
import shlex
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from helpers.course.calls import describe
from helpers.homework import wire
from helpers.homework.course_copy import CourseCopy
from helpers.language import say

_PATIENCE = 12  # seconds on the clock for each second of computing
_START, _STEP = 60.0, 0.05
_MEMORY = 2 << 30
_OPTIONS = ("-s", "-P", "-B", "-X", "utf8", "-c")
_KEPT = ("PATH", "SYSTEMROOT", "WINDIR", "HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP", "LANG")
_KEPT += ("COURSE_LANGUAGE", "LD_LIBRARY_PATH", "LOCALAPPDATA", "APPDATA")
_FIXED = {"MPLBACKEND": "Agg", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
          "MKL_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}  # fmt: skip


class LimitError(Exception):
    """The process was ended; the text is one sentence, `cell` the cell it was in, or None."""

    def __init__(self, sentence: str, cell: int | None = None):
        """Keep both."""
        super().__init__(sentence)
        self.cell = cell


@dataclass(frozen=True)
class Place:
    """Where answers run.

    Attributes:
        course: the copy of the course.
        hidden: folders whose files answers may not read.
        command: words that start a container, or () for this machine.
    """

    course: CourseCopy
    hidden: tuple[Path, ...] = ()
    command: tuple[str, ...] = ()
    _zipped: list = field(default_factory=list, repr=False)

    def zipped(self) -> bytes:
        """The copy as a zip, made once."""
        if not self._zipped:
            self._zipped.append(self.course.zipped())
        return self._zipped[0]


def words_of(command: str) -> tuple[str, ...]:
    """Split the command of ``--in`` into words, as this system's shells do."""
    return tuple(shlex.split(command, posix=os.name == "posix"))


class Worker:
    """One process; it runs the answers of one notebook until one of them breaks a limit."""

    def __init__(self, place: Place):
        """Start it and wait until it is up."""
        self._place = place
        self._scratch = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        boot = Path(__file__).with_name("boot.py").read_text(encoding="utf-8")
        if place.command:
            started = [*place.command, "python3", *_OPTIONS, boot]
            environment = None
        else:
            folder = str(place.course.folder / "course")
            hidden = map(str, place.hidden)
            started = [sys.executable, *_OPTIONS, boot, folder, *hidden]
            environment = {k: v for k, v in os.environ.items() if k.upper() in _KEPT} | _FIXED
        try:
            self._process = subprocess.Popen(
                started,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=self._scratch.name,
                env=environment,
            )
        except OSError:
            self._scratch.cleanup()
            raise
        self._seen = None if place.command else psutil.Process(self._process.pid)
        self._messages: queue.Queue = queue.Queue(maxsize=64)
        threading.Thread(target=self._listen, daemon=True).start()
        if place.command:
            packed = place.zipped()
            self._process.stdin.write(len(packed).to_bytes(8, "big") + packed)
            self._process.stdin.flush()
        self._answered({"up"}, _START, {})

    def load(self, answer: dict, limit: float) -> dict:
        """Have the statements of an answer run; the limit is for each cell.

        Raises:
            LimitError: the process had to be ended.
        """
        self._ask({"do": "load", **answer}, [])
        return self._answered({"loaded", "failed", "unanswered"}, limit, {})[0]

    def call(
        self, message: dict, bundle: wire.Bundle, names: Sequence[str], left: float, limit: float
    ) -> tuple[object, float]:
        """Have the answer called once.

        Args:
            message: arguments and runner.
            bundle: the arrays and functions of the arguments.
            names: the arguments' names.
            left: seconds of computing that the exercise has left.
            limit: the seconds that it had in all.

        Returns:
            the outcome, and the seconds that it took.

        Raises:
            LimitError: the process had to be ended.
        """
        before = self._computed()
        self._ask({"do": "call", **message}, bundle.arrays)
        functions = dict(enumerate(bundle.functions))
        told, arrays = self._answered({"outcome"}, limit, functions, limit - left)
        try:
            outcome = wire.outcome_of(told.get("outcome"), arrays, names)
        except (wire.WireError, TypeError, RecursionError):
            self.end()
            raise LimitError(say("What came back cannot be read.")) from None
        return outcome, self._computed() - before

    def end(self) -> None:
        """End the process and all that it started."""
        if self._seen is not None:
            try:
                family = [*self._seen.children(recursive=True), self._seen]
            except psutil.Error:
                family = []
            for one in family:
                try:
                    one.kill()
                except psutil.Error:
                    continue
        else:
            self._process.terminate()  # a container is told by its client
        for stream in (self._process.stdin, self._process.stdout):
            try:
                stream.close()
            except OSError:
                continue
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._scratch.cleanup()

    # ------------------------------------------------------------------ inside

    def _listen(self):
        while True:
            try:
                message = wire.receive(self._process.stdout)
            except (wire.WireError, OSError, ValueError):
                message = None
            self._messages.put(message)
            if message is None:
                return

    def _ask(self, message, arrays):
        try:
            wire.send(self._process.stdin, message, arrays)
        except OSError:
            self._broken(None)

    def _broken(self, cell):
        self.end()
        raise LimitError(say("The process that ran it ended."), cell)

    def _answered(self, wanted, limit, functions: dict[int, Callable], spent=0.0):
        """Wait for one of the answers that are wanted, within the limit of each step."""
        cell, start, began = None, self._computed() - spent, time.monotonic()
        looked = began
        while True:
            try:
                told = self._messages.get(timeout=_STEP)
            except queue.Empty:
                told = ()
            if told is None:
                self._broken(cell)
            if told:
                message, arrays = told
                at = message.get("at")
                if at in wanted:
                    return message, arrays
                if at == "cell":
                    cell = message.get("cell")
                    start, began = self._computed(), time.monotonic()
                elif at == "function" and message.get("function") in functions:
                    self._value(functions[message["function"]], message, arrays)
                else:
                    self._broken(cell)
            now = time.monotonic()
            if self._computed() - start > limit or now - began > limit * _PATIENCE:
                self.end()
                raise LimitError(self._too_long(cell, limit), cell)
            if now - looked > 2 * _STEP:
                looked = now
                if self._memory() > _MEMORY:
                    self.end()
                    raise LimitError(say("It needed more than 2 GB of memory."), cell)

    def _too_long(self, cell, limit):
        if cell is None:
            return say("It did not end within {seconds:.0f} s of computing.", seconds=limit)
        return say(
            "Cell {cell} did not end within {seconds:.0f} s of computing.",
            cell=cell,
            seconds=limit,
        )

    def _value(self, function, message, arrays):
        """Give the value of a function that is asked back."""
        bundle = wire.Bundle()
        try:
            given = wire.unpack(message.get("given"), arrays)
            answer = {"value": bundle.pack(function(*given))}
        except Exception as error:
            answer = {"error": [type(error).__name__, describe(error).partition(": ")[2]]}
        self._ask(answer, bundle.arrays)

    def _computed(self):
        """Seconds of computing so far; in a container, of which nothing is seen, on the clock."""
        if self._seen is None:
            return time.monotonic() / 4
        try:
            times = self._seen.cpu_times()
            return times.user + times.system
        except psutil.Error:
            return 0.0

    def _memory(self):
        if self._seen is None:
            return 0
        try:
            return self._seen.memory_info().rss
        except psutil.Error:
            return 0
