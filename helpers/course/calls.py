"""Call an answer so that nothing it does disturbs the notebook: output, figures, errors, exit()."""

import contextlib
import copy
import io
import linecache
import math
import sys
import warnings
from dataclasses import dataclass, field

import numpy as np

from .compare import UnreadableError, plain

_errstate = np.errstate
_ORIGINAL = [(module, dict(vars(module))) for module in (np, np.linalg, math)]


class Printed(io.TextIOBase):
    """A stand-in for stdout and stderr that keeps the beginning and counts the rest."""

    def __init__(self):
        """Start empty."""
        super().__init__()
        self.start = ""
        self.lines = 0
        self.room = 2000  # characters

    def writable(self):
        """Accept text, as stdout does."""
        return True

    def write(self, text):
        """Keep `text` while there is room; count its lines in any case."""
        if self.room > 0:
            self.start += text[: self.room]
            self.room -= len(text)
        if "\n" in text:
            self.lines += text.count("\n")
        return len(text)

    def excerpt(self, lines=8):
        """Return the first lines and, if there were more, how many in all; "" if none."""
        kept = self.start.splitlines()
        total = max(self.lines, len(kept))
        text = "\n".join(line[:120] for line in kept[:lines])
        return text if total <= lines else f"{text}\n… ({total:,} lines in all)"


@dataclass
class Outcome:
    """What one call of an answer came to."""

    printed: Printed = field(default_factory=Printed)
    value: object = None  # plain value, see compare.plain
    complaint: str = ""  # why the returned value cannot be read
    error: BaseException | None = None
    where: str = ""  # the answer's own line that failed
    unanswered: bool = False  # the stub is still there
    nothing: bool = False  # returned None
    interrupted: bool = False
    changed: tuple = ()  # names of the arguments it changed


def call(invoke, answer, arguments, like=None, ours=()):
    """Run an answer on fresh copies of its arguments and record what happened.

    Args:
        invoke: function(answer, arguments) that makes the call and returns the value.
        answer: the function under judgement.
        arguments: dict of arguments; left unchanged.
        like: plain value the result will be compared with, see `compare.plain`.
        ours: file names whose lines are not the learner's.

    Returns:
        Outcome; no exception passes, not even KeyboardInterrupt or SystemExit.
    """
    outcome = Outcome()
    given = copy.deepcopy(arguments)
    with _quiet(outcome.printed):
        try:
            raw = invoke(answer, given)
            outcome.unanswered = raw is ... or (
                isinstance(raw, (tuple, list)) and any(part is ... for part in raw)
            )
            outcome.nothing = raw is None
            if not (outcome.unanswered or outcome.nothing):
                outcome.value = plain(raw, like)
        except UnreadableError as unreadable:
            outcome.complaint = str(unreadable)
        except KeyboardInterrupt:
            outcome.interrupted = True
        except NotImplementedError as error:
            outcome.error, outcome.unanswered = error, True
        except BaseException as error:
            outcome.error = error
    if outcome.error is not None:
        outcome.where = _own_line(outcome.error, {__file__, *ours})
        outcome.error = outcome.error.with_traceback(None)
    outcome.changed = tuple(
        name for name in arguments if not _unchanged(arguments[name], given[name])
    )
    return outcome


def describe(error):
    """Say type and message of an exception, at most 300 characters."""
    try:
        message = str(error)
    except Exception:
        message = ""
    name = type(error).__name__
    return f"{name}: {message[:300]}" if message else name


def _own_line(error, ours):
    frames, step = [], error.__traceback__
    while step is not None:
        frames.append((step.tb_frame.f_code.co_filename, step.tb_lineno))
        step = step.tb_next
    theirs = [frame for frame in frames if frame[0] not in ours]
    if not theirs:
        return ""
    file = theirs[0][0]
    number = [line for name, line in theirs if name == file][-1]
    text = linecache.getline(file, number).strip()
    return f"line {number}: {text}" if text else f"line {number}"


def _unchanged(before, after):
    if type(before).__module__.startswith("torch") and hasattr(before, "detach"):
        before, after = before.detach().cpu().numpy(), after.detach().cpu().numpy()
    if isinstance(before, np.ndarray):
        same_kind = before.shape == after.shape and before.dtype == after.dtype
        return same_kind and before.tobytes() == after.tobytes()
    if isinstance(before, (list, tuple)):
        return len(before) == len(after) and all(map(_unchanged, before, after))
    if isinstance(before, dict):
        return list(before) == list(after) and all(
            _unchanged(before[key], after[key]) for key in before
        )
    return not isinstance(before, (set, bytearray)) or before == after


@contextlib.contextmanager
def original_numpy():
    """Undo any replacement of NumPy's and math's functions for the length of a with block."""
    replaced = [
        (module, name, vars(module).get(name))
        for module, names in _ORIGINAL
        for name, value in names.items()
        if vars(module).get(name) is not value and not name.startswith("__")
    ]
    originals = {id(module): names for module, names in _ORIGINAL}
    for module, name, _ in replaced:
        setattr(module, name, originals[id(module)][name])
    try:
        yield
    finally:
        for module, name, value in replaced:
            setattr(module, name, value)


@contextlib.contextmanager
def _quiet(printed):
    before = _open_figures()
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
        warnings.catch_warnings(),
        _errstate(all="ignore"),
        _silent_shell(),
    ):
        warnings.simplefilter("ignore")
        try:
            yield
        finally:
            for number in _open_figures() - before:
                sys.modules["matplotlib.pyplot"].close(number)


def _open_figures():
    pyplot = sys.modules.get("matplotlib.pyplot")
    return set(pyplot.get_fignums()) if pyplot is not None else set()


@contextlib.contextmanager
def _silent_shell():
    """Inside IPython: drop what the answer displays, and turn its exit() into SystemExit."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None:
        yield
        return
    from IPython.core.displaypub import DisplayPublisher

    class Dropped(DisplayPublisher):
        def publish(self, *args, **kwargs):
            pass

        def clear_output(self, wait=False):
            pass

    def leave():
        raise SystemExit("exit() was called")

    publisher, ask_exit = shell.display_pub, vars(shell).get("ask_exit")
    shell.display_pub = Dropped()
    shell.ask_exit = leave
    try:
        yield
    finally:
        shell.display_pub = publisher
        if ask_exit is None:
            del shell.ask_exit
        else:
            shell.ask_exit = ask_exit
