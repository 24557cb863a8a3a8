"""Exercises: each is declared once, with its reference, inputs, hints and known wrong answers.

An answer is run first (``Exercise.outcomes``) and judged then (``Exercise.verdict``). Outcomes are
plain values, so they may as well come from another process: it needs ``calls.call``, the arguments
of each case and the exercise's runner, and neither the reference nor the judge.
"""

import functools
import html
import inspect
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from helpers.course import judging
from helpers.course.calls import Outcome, call, describe
from helpers.course.cards import card
from helpers.course.console import printable
from helpers.course.judging import Judge, Refused
from helpers.course.verdict import Hint, Solution, Verdict
from helpers.language import say

__all__ = ["Example", "Exercise", "must_raise"]

CHECK_SEED, GRADE_SEED = 20, 21


def must_raise(error: type[Exception], **arguments: object) -> Refused:
    """Declare an input that a right answer refuses with an error.

    Args:
        error: the exception class the reference raises; ValueError, TypeError and
            AssertionError are all accepted from the learner.
        **arguments: as in any other input.

    Returns:
        The arguments, marked.
    """
    refused = Refused(arguments)
    refused.error = error
    return refused


@dataclass(frozen=True)
class Example:
    """A result that an exercise's text quotes; a test computes it from the reference.

    Attributes:
        arguments: the arguments of the call, in order, as the text gives them.
        answers: the results as they stand in the text, such as "[0.09, 0.24, 0.67]", each to as
            many decimals as the text shows; one a part if the reference returns a tuple.
        part: function(result) that picks what the text quotes out of the result.
    """

    arguments: dict
    answers: Sequence[str]
    part: Callable | None = None


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
        examples: the results that the exercise's text quotes.
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
    examples: Sequence[Example] = ()
    _shown: list = field(default_factory=list, init=False, repr=False)
    _judges: dict = field(default_factory=dict, init=False, repr=False)

    def __repr__(self):
        """Name the exercise and what can be done with it."""
        return f"Exercise {self.name}: .check(answer), .hint(), .solution()"

    def check(self, answer: object) -> Verdict:
        """Judge an answer; never raises.

        Args:
            answer: a function with the reference's arguments in the same order, or the value
                itself if the reference takes none.

        Returns:
            Verdict, which the notebook shows as the last expression of a cell.
        """
        if answer is ...:
            return judging.not_attempted(self)
        if not callable(answer) and self._parameters():
            sentence = say(
                "Hand over the function itself: check({name}), without brackets after it.",
                name=self.reference.__name__,
            )
            return judging.wrong(self, sentence)
        try:
            return self.verdict(self.outcomes(answer, CHECK_SEED), CHECK_SEED)
        except KeyboardInterrupt:
            return judging.wrong(self, say("Interrupted before the answer was judged."))
        except Exception as error:
            sentence = say("The answer could not be judged ({error}).", error=describe(error))
            return judging.wrong(self, sentence)

    def grade(self, answer: object) -> float:
        """Return the points an answer earns, on the inputs of `check` and on others."""
        right = self.accepts(answer, CHECK_SEED) and self.accepts(answer, GRADE_SEED)
        return float(self.points) if right else 0.0

    def accepts(self, answer: object, seed: int) -> bool:
        """Say whether an answer passes on every input of a seed; stops at the first failure."""
        try:
            judge, answer = self._judge(seed), self._function(answer)
            return all(
                not judge.problem(self.call(answer, case), place)
                for place, case in enumerate(judge.cases)
            )
        except Exception:
            return False

    def use(self, answer: Callable) -> Callable:
        """Hand an answer on if `check` calls it correct, else the reference, and show which.

        Args:
            answer: a function, as in `check`.

        Returns:
            The answer, what it returns being turned into arrays (a module stays one), or the
            reference.
        """
        from IPython.display import display

        correct, name = self.check(answer).correct, self.reference.__name__
        if correct:
            text = say("✔ From here on your own {name} is used.", name=name)
        else:
            text = say("○ From here on the course's {name} is used, not yours.", name=name)
        shown = card("green" if correct else "grey", html.escape(text))
        display({"text/html": shown, "text/plain": printable(text)}, raw=True)
        return _in_arrays(answer, bool(self.returns)) if correct else self.reference

    def hint(self) -> Hint:
        """Return the next hint; after the last one, the last again."""
        self._shown.append(None)
        number = min(len(self._shown), len(self.hints))
        return Hint(self.hints[number - 1], number, len(self.hints), self.name)

    def solution(self) -> Solution:
        """Return the reference's source, shown highlighted in a notebook."""
        return Solution(textwrap.dedent(inspect.getsource(self.reference)))

    # ------------------------------------------------------------------ running and judging

    def cases(self, seed: int) -> list[dict]:
        """Return fresh inputs, a list of dicts of arguments; the same seed gives the same."""
        return [{}] if self.inputs is None else list(self.inputs(np.random.default_rng(seed)))

    def arguments(self, case: dict) -> dict:
        """Put the arguments of a case in the order of the call, with defaults in the gaps."""
        if self.runner is not None:
            return dict(case)
        parameters = self._parameters()
        last = max((i for i, name in enumerate(parameters) if name in case), default=-1)
        return {
            name: case.get(name, parameters[name].default) for name in list(parameters)[: last + 1]
        }

    def call(self, answer: Callable, case: dict) -> Outcome:
        """Run an answer once, in this process."""
        return call(answer, self.arguments(case), tuple(self._parameters()), self.runner)

    def outcomes(self, answer: object, seed: int) -> list[Outcome]:
        """Run an answer in this process, on every input of a seed.

        It ends early after an input that the answer leaves unanswered or is interrupted on.
        """
        answer, found = self._function(answer), []
        for case in self._judge(seed).cases:
            found.append(self.call(answer, case))
            if found[-1].interrupted or found[0].unanswered:
                break
        return found

    def verdict(self, outcomes: Sequence[Outcome], seed: int) -> Verdict:
        """Judge outcomes on the inputs of a seed, wherever the answer was run."""
        return self._judge(seed).verdict(outcomes)

    def _judge(self, seed):
        if seed not in self._judges:
            self._judges[seed] = Judge(self, seed)
        return self._judges[seed]

    def _function(self, answer):
        return answer if callable(answer) else lambda: answer

    def _parameters(self):
        return _parameters(self.reference)


def _in_arrays(answer, several):
    """A right answer may return lists or tensors; cells that go on computing need arrays."""

    def used(*arguments, **options):
        got = answer(*arguments, **options)
        if callable(got):  # a module, made by a class
            return got
        return tuple(map(np.asarray, got)) if several else np.asarray(got)

    return used


@functools.cache
def _parameters(reference):
    return inspect.signature(reference).parameters
