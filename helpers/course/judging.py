"""From the outcomes of an answer to a verdict; nothing of the learner's is run here."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Sequence

from helpers.course import feedback
from helpers.course.calls import Outcome, describe
from helpers.course.compare import matches
from helpers.course.values import UnreadableError, shaped
from helpers.course.verdict import Verdict, picture
from helpers.language import say, together


class Refused(dict):
    """Arguments that a right answer must refuse."""

    error: type[Exception]


class Judge:
    """Judges the outcomes of answers to one exercise on the inputs of one seed."""

    def __init__(self, exercise, seed: int):
        """Run the reference on every input."""
        self.exercise = exercise
        self.cases = exercise.cases(seed)
        self.wanted = [
            None if isinstance(case, Refused) else self._right(case) for case in self.cases
        ]

    def problem(self, outcome: Outcome, place: int) -> str:
        """Say in one sentence what is wrong with the outcome on one input, or ""."""
        case, wanted = self.cases[place], self.wanted[place]
        if outcome.interrupted:
            return say("Interrupted: on the input below the answer had not returned.")
        if isinstance(case, Refused):
            if outcome.refused:
                return ""
            if not outcome.error:
                return say(
                    "This input makes no sense; raise {name} for it.", name=case.error.__name__
                )
        if outcome.error:
            if not outcome.where:
                return say("It stops with {error}", error=outcome.error)
            return say("It stops with {error} ({where})", error=outcome.error, where=outcome.where)
        if outcome.unanswered:
            return say("It returns ... (Ellipsis) on the input below.")
        if outcome.nothing:
            return say("It returned None: is a `return` missing?")
        if outcome.complaint:
            return outcome.complaint
        try:
            got = shaped(outcome.value, wanted)
        except UnreadableError as unreadable:
            return str(unreadable)
        if self.exercise.judge is not None:
            sentence = self._judged(got, case)
        elif matches(got, wanted):
            sentence = ""
        else:
            sentence = feedback.summary(got, wanted, self.exercise.returns)
        changed = feedback.changed(outcome.changed) if outcome.changed else ""
        return together(sentence, changed)

    def verdict(self, outcomes: Sequence[Outcome]) -> Verdict:
        """Judge an answer by its outcomes, in the order of the inputs.

        Outcomes may be missing at the end if the one before was interrupted or unanswered.
        """
        if outcomes[0].unanswered:
            return not_attempted(self.exercise)
        problems = [self.problem(outcome, place) for place, outcome in enumerate(outcomes)]
        place = next((place for place, problem in enumerate(problems) if problem), None)
        if place is not None:
            return self._failure(outcomes, problems, place)
        count = len(self.cases)
        right = say("Right on {count} inputs.", count=count) if count > 1 else say("Right.")
        printed = next((outcome.printed for outcome in outcomes if outcome.printed), "")
        return Verdict("correct", right, printed=printed)

    def _right(self, case):
        outcome = self.exercise.call(self.exercise.reference, case)
        if outcome.interrupted:
            raise KeyboardInterrupt
        if outcome.value is None:
            raise RuntimeError(outcome.error or outcome.complaint)
        return outcome.value

    def _judged(self, got, case):
        try:
            return self.exercise.judge(got, case) or ""
        except (ValueError, TypeError, IndexError, AttributeError) as error:
            return say("What came back does not fit the question ({error}).", error=describe(error))

    # ------------------------------------------------------------------ explaining

    def _failure(self, outcomes, problems, place):
        case, outcome, wanted = self.cases[place], outcomes[place], self.wanted[place]
        names, facts, drawing = self.exercise.returns, [], ""
        if case:
            label = say("Input {place} of {count}", place=place + 1, count=len(self.cases))
            facts.append((label, feedback.arguments(case)))
        if outcome.value is not None and wanted is not None:
            got = self._shaped(outcome.value, place)
            facts.append((say("Came back"), feedback.text(got, names)))
            if self.exercise.judge is None:
                facts.append((say("Wanted"), feedback.text(wanted, names)))
                drawing = self._drawing(got, wanted)
        return wrong(
            self.exercise,
            problems[place],
            cause=self._misconception(outcomes, problems) or self._guess(outcomes, problems),
            facts=tuple(facts),
            printed=outcome.printed,
            picture=drawing,
        )

    def _misconception(self, outcomes, problems):
        """Name the known wrong answer that comes to the same on every single input, or ""."""
        if len(outcomes) < len(self.cases):
            return ""
        # the failing inputs first: most suspects differ there
        failing = [place for place, problem in enumerate(problems) if problem]
        order = sorted(range(len(outcomes)), key=lambda place: place not in failing)
        only_errors = all(outcomes[place].error for place in failing)
        for suspect in self.exercise.wrong:
            if all(self._alike(suspect, outcomes[place], place, only_errors) for place in order):
                return say(sentence_of(suspect))
        return ""

    def _alike(self, suspect, theirs, place, only_errors):
        mine = self.exercise.call(suspect, self.cases[place])
        if mine.error and theirs.error:
            if only_errors:  # then nothing but the message can tell
                return mine.error == theirs.error
            both_refuse = mine.refused and theirs.refused
            return both_refuse or mine.error.partition(":")[0] == theirs.error.partition(":")[0]
        if mine.value is None or theirs.value is None:
            told = mine.nothing or mine.complaint
            return bool(told) and told == (theirs.nothing or theirs.complaint)
        if not matches(self._shaped(mine.value, place), self._shaped(theirs.value, place)):
            return False
        return mine.changed == theirs.changed or bool(self.problem(mine, place))

    def _guess(self, outcomes, problems):
        """Name what the numbers alone tell, if they tell the same on every failing input."""
        if self.exercise.judge is not None or len(outcomes) < len(self.cases):
            return ""
        found = {}
        for place, (outcome, problem) in enumerate(zip(outcomes, problems, strict=True)):
            if not problem:
                continue
            wanted = self.wanted[place]
            if outcome.value is None or wanted is None:
                return ""
            got = self._shaped(outcome.value, place)
            kind, sentence = feedback.generic_cause(got, wanted, self.exercise.returns)
            found.setdefault(kind, sentence)
        return next(iter(found.values())) if len(found) == 1 else ""

    def _shaped(self, value, place):
        try:
            return value if self.wanted[place] is None else shaped(value, self.wanted[place])
        except UnreadableError:
            return value

    def _drawing(self, got, want):
        if self.exercise.show is None:
            return ""
        try:
            return picture(self.exercise.show(got, want))
        except Exception:
            return ""  # a result of another shape may not be drawable; the words remain


def sentence_of(wrong: Callable) -> str:
    """Return the misconception of a wrong answer: the first line of its docstring.

    Python drops docstrings under -OO; then it is read from the source.
    """
    text = inspect.getdoc(wrong)
    if text is None:
        tree = ast.parse(textwrap.dedent(inspect.getsource(wrong)))
        text = ast.get_docstring(tree.body[0])
    return text.splitlines()[0]


def not_attempted(exercise) -> Verdict:
    """The verdict on a stub."""
    summary = say("Replace the last line of the stub by your own code, run it, then check again.")
    return Verdict("not attempted", summary, hints=tuple(exercise.hints), address=exercise.name)


def wrong(exercise, summary: str, **more) -> Verdict:
    """The verdict on a wrong answer."""
    return Verdict("wrong", summary, hints=tuple(exercise.hints), address=exercise.name, **more)
