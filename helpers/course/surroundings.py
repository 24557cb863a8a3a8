"""What an answer may change around it, and what is put back when it has returned."""

import contextlib
import io
import random
import sys
import warnings
from collections.abc import Iterator

import numpy as np

from helpers.language import say


class Printed(io.TextIOBase):
    """A stand-in for stdout and stderr that keeps the beginning and counts the rest."""

    def __init__(self):
        """Start empty."""
        super().__init__()
        self.start = ""
        self.lines = 0
        self.room = 2000  # characters

    def writable(self) -> bool:
        """Accept text, as stdout does."""
        return True

    def write(self, text: str) -> int:
        """Keep `text` while there is room; count its lines in any case."""
        if self.room > 0:
            self.start += text[: self.room]
            self.room -= len(text)
        if "\n" in text:
            self.lines += text.count("\n")
        return len(text)

    def excerpt(self, lines: int = 8) -> str:
        """Return the first lines and, if there were more, how many in all; "" if none."""
        kept = self.start.splitlines()
        total = max(self.lines, len(kept))
        shown = [line[:120] for line in kept[:lines]]
        if total > lines:
            shown.append(say("… ({total:,} lines in all)", total=total))
        return "\n".join(shown)


@contextlib.contextmanager
def undisturbed(printed: Printed) -> Iterator[None]:
    """Collect all output in `printed`; put back every setting that is changed inside.

    These are the filters of warnings, NumPy's printing and error settings, the recursion limit,
    the states of all random generators, matplotlib's figures and settings, and torch's settings.
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.redirect_stdout(printed))
        stack.enter_context(contextlib.redirect_stderr(printed))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        stack.enter_context(np.errstate(all="ignore"))
        stack.enter_context(np.printoptions())
        stack.callback(sys.setrecursionlimit, sys.getrecursionlimit())
        stack.callback(random.setstate, random.getstate())
        stack.callback(np.random.set_state, np.random.get_state())
        stack.enter_context(_figures())
        stack.enter_context(_torch())
        stack.enter_context(_silent_shell())
        yield


@contextlib.contextmanager
def _figures():
    pyplot = sys.modules.get("matplotlib.pyplot")
    before = set(pyplot.get_fignums()) if pyplot else set()
    chosen = dict.copy(pyplot.rcParams) if pyplot else {}
    chosen.pop("backend", None)  # it is found at the first figure, once and for all
    try:
        yield
    finally:
        if pyplot:
            dict.update(pyplot.rcParams, chosen)  # as matplotlib's own rc_context does, but quick
        pyplot = sys.modules.get("matplotlib.pyplot")
        for number in set(pyplot.get_fignums()) - before if pyplot else ():
            pyplot.close(number)


@contextlib.contextmanager
def _torch():
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    kind, gradients = torch.get_default_dtype(), torch.is_grad_enabled()
    state = torch.get_rng_state()
    try:
        yield
    finally:
        torch.set_default_dtype(kind)
        torch.set_grad_enabled(gradients)
        torch.set_rng_state(state)


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
        raise SystemExit(say("exit() was called"))

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
