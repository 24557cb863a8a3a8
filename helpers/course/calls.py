"""Run an answer once and record what came of it, in values that any process can judge.

What runs answers knows no exercise and no reference: it is given the arguments and gives back an
``Outcome``, which holds nothing that can be executed. So it can stand in another process than the
judge (``judging.py``).
"""

import copy
import inspect
import linecache
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from helpers.course.surroundings import Printed, undisturbed
from helpers.course.values import Plain, UnreadableError, freeze

_REFUSALS = (ValueError, AssertionError, TypeError)
_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Outcome:
    """What one call of an answer came to, in plain values.

    Attributes:
        value: what it returned, see ``values.freeze``; None if there is nothing to compare.
        complaint: why what it returned cannot be read, in one sentence, or "".
        error: type and message of the exception that stopped it, or "".
        refused: True if that exception is the kind that refuses an argument.
        where: the answer's own line that failed, or "".
        unanswered: True if the stub is still there.
        nothing: True if it returned None.
        interrupted: True if the learner interrupted it.
        changed: names of the arguments that it changed.
        printed: the first lines that it printed, or "".
    """

    value: Plain | None = None
    complaint: str = ""
    error: str = ""
    refused: bool = False
    where: str = ""
    unanswered: bool = False
    nothing: bool = False
    interrupted: bool = False
    changed: tuple[str, ...] = ()
    printed: str = ""


def call(
    answer: Callable, arguments: dict, names: Sequence[str], runner: Callable | None = None
) -> Outcome:
    """Run an answer on fresh copies of its arguments; no exception passes.

    Args:
        answer: the function under judgement.
        arguments: its arguments in order, or with a runner the runner's; left unchanged.
        names: names of all its parameters in order; it may take the later ones by name only.
        runner: function(answer, **arguments) that makes the call or the calls.

    Returns:
        Outcome.
    """
    printed = Printed()
    given = copy.deepcopy(arguments)
    found = {}
    with undisturbed(printed):
        try:
            found = _returned(by_place(answer, names), given, runner)
        except UnreadableError as unreadable:
            found = {"complaint": str(unreadable)}
        except KeyboardInterrupt:
            found = {"interrupted": True}
        except BaseException as error:
            beside = getattr(getattr(runner, "__code__", None), "co_filename", "")
            found = {
                "error": describe(error),
                "refused": isinstance(error, _REFUSALS),
                "where": _own_line(error, beside),
                "unanswered": isinstance(error, NotImplementedError),
            }
    changed = tuple(name for name in arguments if not _same(arguments[name], given[name]))
    return Outcome(**found, changed=changed, printed=printed.excerpt())


def _returned(answer, given, runner):
    raw = answer(*given.values()) if runner is None else runner(answer, **given)
    if raw is None:
        return {"nothing": True}
    if raw is ... or (isinstance(raw, (tuple, list)) and any(part is ... for part in raw)):
        return {"unanswered": True}
    return {"value": freeze(raw)}


def by_place(answer: Callable, names: Sequence[str]) -> Callable:
    """Let an answer be called with all arguments by place.

    Args:
        answer: a function, class or torch module; it may take some parameters by name only, as
            in ``def softmax(x, *, axis=-1)``.
        names: names of all parameters, in order.

    Returns:
        The answer itself, or a function around it that hands such arguments over by name.
    """
    called = answer if inspect.isclass(answer) else getattr(answer, "forward", answer)
    try:
        parameters = inspect.signature(called).parameters
    except (ValueError, TypeError):  # a built-in function may not tell
        return answer
    named = {
        name
        for name in names
        if name in parameters and parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
    }
    if not named:
        return answer

    def placed(*arguments):
        pairs = list(zip(names, arguments, strict=False))
        return answer(
            *(value for name, value in pairs if name not in named),
            **{name: value for name, value in pairs if name in named},
        )

    return placed


def describe(error: BaseException) -> str:
    """Say type and message of an exception, at most 300 characters."""
    try:
        message = str(error)
    except Exception:
        message = ""
    name = type(error).__name__
    return f"{name}: {message[:300]}" if message else name


def _own_line(error, beside):
    """Find the last line of the answer's own file; a runner's file, `beside`, is not its own."""
    frames, step = [], error.__traceback__
    while step is not None:
        frames.append((step.tb_frame.f_code.co_filename, step.tb_lineno))
        step = step.tb_next
    theirs = [frame for frame in frames if Path(frame[0]).parent != _HERE and frame[0] != beside]
    if not theirs:
        return ""
    # a module of PyTorch is called through PyTorch's own lines
    theirs = [frame for frame in theirs if "site-packages" not in frame[0]] or theirs
    file = theirs[0][0]
    number = [line for name, line in theirs if name == file][-1]
    text = linecache.getline(file, number).strip()
    return f"line {number}: {text}" if text else f"line {number}"


def _same(before, after):
    """Say whether an argument is still what it was before the call."""
    if type(before).__module__.startswith("torch") and hasattr(before, "detach"):
        before, after = before.detach().cpu().numpy(), after.detach().cpu().numpy()
    if isinstance(before, np.ndarray):
        alike = before.shape == after.shape and before.dtype == after.dtype
        return alike and before.tobytes() == after.tobytes()
    if isinstance(before, (list, tuple)):
        return len(before) == len(after) and all(map(_same, before, after))
    if isinstance(before, dict):
        return list(before) == list(after) and all(_same(before[k], after[k]) for k in before)
    if isinstance(before, float) and before != before:
        return isinstance(after, float) and after != after
    plain = isinstance(before, (set, bytearray, str, bytes, int, float))
    return not plain or (type(before) is type(after) and before == after)
