"""Exercises: each is declared once, with its reference, inputs, hints and known wrong answers."""

import inspect
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from . import calls, feedback
from .compare import matches
from .verdict import Hint, Solution, Verdict, picture

__all__ = ["Exercise", "must_raise"]

_default_rng = np.random.default_rng
_CHECK_SEED, _GRADE_SEED = 20, 21
_REFUSALS = (ValueError, AssertionError, TypeError)


class _Refused(dict):
    """Arguments that a right answer must refuse."""


def must_raise(error, **arguments):
    """Declare an input that a right answer refuses with an error.

    Args:
        error: the exception class the reference raises; ValueError, TypeError and
            AssertionError are all accepted from the learner.
        **arguments: as in any other input.

    Returns:
        The arguments, marked.
    """
    refused = _Refused(arguments)
    refused.error = error
    return refused


@dataclass(frozen=True, eq=False)
class Exercise:
    """One exercise, whole.

    Attributes:
        name: how a notebook reaches it, such as "lesson04.softmax".
        reference: the right answer as live code; its source is the solution.
        inputs: function(rng) that returns dicts of arguments, named and ordered as the
            reference's parameters (with a runner: as the runner's); None if there are none.
        hints: at least two sentences, each giving away a little more.
        wrong: wrong answers as functions; the first line of each docstring says the
            misconception in one sentence.
        points: what a right answer is worth in `grade`.
        returns: names of the parts if the reference returns a tuple.
        judge: function(got, arguments) that returns None or a sentence, where many answers
            are right; it sees plain arrays (a tuple of them, or a text) and replaces equality.
        runner: function(answer, **arguments) that returns the value to compare, for
            answers that are called more than once or compared after broadcasting.
        show: function(got, want) that returns a figure or HTML, drawn beside a failure.
    """

    name: str
    reference: Callable
    inputs: Callable | None = None
    hints: Sequence[str] = ()
    wrong: Sequence[Callable] = ()
    points: float = 1
    returns: Sequence[str] = ()
    judge: Callable | None = None
    runner: Callable | None = None
    show: Callable | None = None
    _shown: list = field(default_factory=list, init=False, repr=False)

    def __repr__(self):
        """Name the exercise and what can be done with it."""
        return f"Exercise {self.name}: .check(answer), .hint(), .solution()"

    def check(self, answer):
        """Judge an answer; never raises.

        Args:
            answer: a function with the reference's arguments in the same order, or the value
                itself if the reference takes none.

        Returns:
            Verdict, which the notebook shows as the last expression of a cell.
        """
        return self._guarded(answer, _CHECK_SEED)

    def grade(self, answer):
        """Return the points an answer earns, on other inputs than `check`; prints nothing."""
        return float(self.points) if self._guarded(answer, _GRADE_SEED).correct else 0.0

    def accepts(self, answer, seed):
        """Say whether an answer passes on every input of a seed; never raises."""
        return self._guarded(answer, seed).correct

    def hint(self):
        """Return the next hint; after the last one, the last again."""
        self._shown.append(None)
        number = min(len(self._shown), len(self.hints))
        return Hint(self.hints[number - 1], number, len(self.hints), self._solution_call())

    def solution(self):
        """Return the reference's source, shown highlighted in a notebook."""
        return Solution(textwrap.dedent(inspect.getsource(self.reference)))

    def cases(self, seed):
        """Return fresh inputs, a list of dicts of arguments.

        Args:
            seed: whole number; the same seed gives the same inputs.
        """
        return [{}] if self.inputs is None else list(self.inputs(_default_rng(seed)))

    # ------------------------------------------------------------------ judging

    def _guarded(self, answer, seed):
        try:
            with calls.original_numpy():
                return self._verdict(answer, seed)
        except KeyboardInterrupt:
            return self._wrong("Interrupted before the answer was judged.")
        except Exception as error:
            return self._wrong(f"The answer could not be judged ({calls.describe(error)}).")

    def _verdict(self, answer, seed):
        if answer is ...:
            return self._not_attempted()
        if not callable(answer):
            if self._parameters():
                name = self.reference.__name__
                return self._wrong(
                    f"Hand over the function itself: check({name}), without brackets after it."
                )
            value = answer

            def answer():
                return value

        cases = self.cases(seed)
        printed = ""
        for place, case in enumerate(cases):
            wanted = None if isinstance(case, _Refused) else self._run(self.reference, case).value
            outcome = self._run(answer, case, wanted)
            if outcome.unanswered and not place:
                return self._not_attempted()
            problem = self._problem(outcome, case, wanted)
            if problem:
                return self._failure(answer, cases, place, outcome, wanted, problem)
            printed = printed or outcome.printed.excerpt()
        inputs = f" on {len(cases)} inputs" if len(cases) > 1 else ""
        return Verdict("correct", f"Right{inputs}.", printed=printed)

    def _run(self, answer, case, like=None):
        ours = [__file__]
        if self.runner is not None:
            ours.append(self.runner.__code__.co_filename)
        return calls.call(self._invoke, answer, case, like, ours)

    def _invoke(self, answer, arguments):
        if self.runner is not None:
            return self.runner(answer, **arguments)
        parameters = self._parameters()
        last = max((i for i, name in enumerate(parameters) if name in arguments), default=-1)
        return answer(
            *(
                arguments[name] if name in arguments else parameters[name].default
                for name in list(parameters)[: last + 1]
            )
        )

    def _parameters(self):
        return inspect.signature(self.reference).parameters

    def _problem(self, outcome, case, wanted):
        """Return one sentence on what is wrong with an outcome, or ""."""
        if outcome.interrupted:
            return "Interrupted: on the input below the answer had not returned."
        if isinstance(case, _Refused):
            if isinstance(outcome.error, _REFUSALS):
                return ""
            if outcome.error is None:
                return f"This input makes no sense; raise {case.error.__name__} for it."
        if outcome.error is not None:
            where = f" ({outcome.where})" if outcome.where else ""
            return f"It stops with {calls.describe(outcome.error)}{where}"
        if outcome.unanswered:
            return "It returns ... (Ellipsis) on the input below."
        if outcome.nothing:
            return "It returned None: is a `return` missing?"
        if outcome.complaint:
            return outcome.complaint
        if self.judge is not None:
            sentence = self._judged(outcome.value, case)
        elif matches(outcome.value, wanted):
            sentence = ""
        else:
            sentence = feedback.summary(outcome.value, wanted, self.returns)
        changed = self._changed(outcome)
        if sentence:
            return f"{sentence} {changed}".strip()
        return changed

    def _judged(self, got, case):
        try:
            return self.judge(got, case) or ""
        except (ValueError, TypeError, IndexError, AttributeError) as error:
            return f"What came back does not fit the question ({calls.describe(error)})."

    def _changed(self, outcome):
        if not outcome.changed:
            return ""
        return (
            f"It changes its input {' and '.join(outcome.changed)}: the caller's numbers are "
            "overwritten. Work on a copy."
        )

    # ------------------------------------------------------------------ explaining

    def _failure(self, answer, cases, place, outcome, wanted, problem):
        case = cases[place]
        cause = "" if outcome.interrupted else self._misconception(answer, cases, place, outcome)
        facts = [(f"Input {place + 1} of {len(cases)}", feedback.arguments(case))]
        drawing = ""
        if outcome.value is not None and not isinstance(case, _Refused):
            if self.judge is None:
                facts.append(("Came back", feedback.text(outcome.value, self.returns)))
                facts.append(("Wanted", feedback.text(wanted, self.returns)))
                cause = cause or self._guess(outcome, wanted)
                drawing = self._drawing(outcome.value, wanted)
            else:
                facts.append(("Came back", feedback.text(outcome.value, self.returns)))
        return self._wrong(
            problem,
            cause=cause,
            facts=tuple(facts if case else facts[1:]),
            printed=outcome.printed.excerpt(),
            picture=drawing,
        )

    def _misconception(self, answer, cases, place, outcome):
        """Name the known wrong answer that behaves the same, on this input or on most."""
        suspects = [w for w in self.wrong if self._alike(w, cases[place], outcome)]
        for other in cases[:place] + cases[place + 1 :]:
            if len(suspects) < 2:
                break
            theirs = self._run(answer, other, self._like(other))
            if theirs.interrupted:
                break
            suspects = [w for w in suspects if self._alike(w, other, theirs)] or suspects
        return inspect.getdoc(suspects[0]).splitlines()[0] if suspects else ""

    def _like(self, case):
        return None if isinstance(case, _Refused) else self._run(self.reference, case).value

    def _alike(self, wrong, case, outcome):
        wanted = self._like(case)
        mine = self._run(wrong, case, wanted)
        if outcome.error is not None or mine.error is not None:
            return calls.describe(mine.error) == calls.describe(outcome.error)
        if outcome.value is None or mine.value is None:
            return (mine.nothing, mine.complaint) == (outcome.nothing, outcome.complaint)
        if not matches(mine.value, outcome.value):
            return False
        right = wanted is not None and self.judge is None and matches(mine.value, wanted)
        return mine.changed == outcome.changed or not right

    def _guess(self, outcome, wanted):
        if matches(outcome.value, wanted):
            return ""
        return feedback.generic_cause(outcome.value, wanted, self.returns)

    def _drawing(self, got, want):
        if self.show is None:
            return ""
        try:
            return picture(self.show(got, want))
        except Exception:
            return ""  # a result of another shape may not be drawable; the words remain

    def _not_attempted(self):
        summary = "Replace the last line of the stub by your own code, run it, then check again."
        return Verdict(
            "not attempted", summary, hints=tuple(self.hints), solution=self._solution_call()
        )

    def _wrong(self, summary, **more):
        return Verdict(
            "wrong", summary, hints=tuple(self.hints), solution=self._solution_call(), **more
        )

    def _solution_call(self):
        return f"{self.name}.solution()"
