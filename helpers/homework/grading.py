"""Grade what one student handed in: run the answers aside, judge them here."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from helpers.course.calls import describe
from helpers.course.exercise import CHECK_SEED, Exercise
from helpers.course.judging import sentence_of
from helpers.course.verdict import Verdict
from helpers.homework import wire
from helpers.homework.answers import Found, answer_name, answers_of
from helpers.homework.assignment import Assignment, Part
from helpers.homework.collect import File
from helpers.homework.process import LimitError, Place, Worker
from helpers.homework.students import Student
from helpers.language import say

_EXERCISE, _CELL, _WITH_TORCH = 5.0, 10.0, 2  # seconds of computing


@dataclass(frozen=True)
class Result:
    """What one exercise came to.

    Attributes:
        exercise: it.
        points: earned.
        state: "correct", "wrong", "not attempted" or "stopped".
        sentence: what is wrong, for the teacher, or "".
        cause: the misconception in one sentence, or "".
        named: True if the cause is one that the exercise declares.
        verdict: the judgement on the public inputs, or None.
        hidden: True if only inputs that nobody has seen fail.
        published: True if it is the published solution.
    """

    exercise: Exercise
    points: float = 0.0
    state: str = "wrong"
    sentence: str = ""
    cause: str = ""
    named: bool = False
    verdict: Verdict | None = None
    hidden: bool = False
    published: bool = False


@dataclass
class Graded:
    """One student's results.

    Attributes:
        student: who.
        results: by the exercise's name; exercises of a lesson not handed in are not among them.
        files: the notebooks that were graded.
        predictions: question -> letter.
        problem: why nothing was graded, in one sentence, or "".
    """

    student: Student
    results: dict[str, Result] = field(default_factory=dict)
    files: list[File] = field(default_factory=list)
    predictions: dict[str, str] = field(default_factory=dict)
    problem: str = ""

    @property
    def points(self) -> float:
        """All points earned."""
        return float(sum(result.points for result in self.results.values()))


class Grader:
    """Grades notebooks of one assignment; several threads may use it."""

    def __init__(self, assignment: Assignment, place: Place):
        """Keep both."""
        self.assignment, self.place = assignment, place
        self._messages: dict[tuple[str, int], list] = {}

    def grade(self, student: Student, files: Sequence[tuple[Part, File]]) -> Graded:
        """Grade one notebook a lesson; a file may serve several lessons."""
        graded = Graded(student, files=list({id(file): file for _, file in files}.values()))
        for part, file in files:
            with _Run(self.place) as run:
                try:
                    with wire.ONE_AT_A_TIME:
                        found = answers_of(file.notebook, part.exercises)
                        letters = file.notebook.predictions()
                except Exception as error:  # one strange notebook must not end a whole class
                    file.refused = say("Its code cannot be read ({error}).", error=describe(error))
                    graded.problem = file.refused
                    continue
                for exercise, answer in zip(part.exercises, found, strict=True):
                    result = self._result(run, exercise, answer)
                    if answer.earlier and result.state != "correct":
                        # a later cell may give a name of the answer's another meaning
                        answer = replace(answer, cells=answer.earlier)
                        other = self._result(run, exercise, answer)
                        better = other.state == "correct" or (other.named and not result.named)
                        result = other if better else result
                    graded.results[exercise.name] = result
            graded.predictions |= {q: letters.get(q, "?") for q in part.questions}
        return graded

    def _result(self, run, exercise, answer: Found) -> Result:
        if answer.missing:
            return Result(exercise, sentence=answer.missing, state="stopped")
        if answer.stub:
            return Result(exercise, state="not attempted")
        limit = _WITH_TORCH if answer.torch else 1
        result = Result(exercise, published=answer.published)
        try:
            stopped = run.load(answer, self.place.course.closed[exercise.name], _CELL * limit)
            if stopped is not None:
                return replace(result, **stopped)
            if not run.callable and _parameters(exercise):
                name = answer_name(exercise)
                return replace(
                    result, state="stopped", sentence=say("{name} is no function.", name=name)
                )
            run.allow(_EXERCISE * limit)
            for seed in (CHECK_SEED, self.assignment.seed):
                outcomes = []
                for message, bundle, names in self._calls(exercise, seed):
                    outcomes.append(run.call(message, bundle, names))
                    if outcomes[0].unanswered:
                        break
                verdict = self._verdict(exercise, outcomes, seed)
                if not verdict.correct:
                    return self._wrong(result, verdict, seed)
                if result.verdict is None:
                    result = replace(result, verdict=verdict)
        except LimitError as stopped:
            return replace(result, state="stopped", sentence=str(stopped), verdict=None)
        return replace(result, state="correct", points=float(exercise.points))

    def _verdict(self, exercise, outcomes, seed) -> Verdict:
        with wire.ONE_AT_A_TIME:
            try:
                return exercise.verdict(outcomes, seed)
            except Exception as error:
                text = say("The answer could not be judged ({error}).", error=describe(error))
                return Verdict("wrong", text)

    def _wrong(self, result, verdict, seed):
        exercise = result.exercise
        if verdict.state == "not attempted":
            return replace(result, state="not attempted")
        named = verdict.cause in {say(sentence_of(wrong)) for wrong in exercise.wrong}
        share = self.assignment.shares.get((exercise.name, verdict.cause), 0.0)
        hidden = seed != CHECK_SEED
        return replace(
            result,
            points=float(exercise.points) * share if named else 0.0,
            sentence=verdict.summary,
            cause=verdict.cause,
            named=named,
            hidden=hidden,
            verdict=result.verdict if hidden else verdict,
        )

    def _cases(self, exercise, seed):
        return [exercise.arguments(case) for case in exercise.cases(seed)]

    def _calls(self, exercise, seed):
        """The messages for all inputs of a seed, made once."""
        with wire.ONE_AT_A_TIME:
            if (exercise.name, seed) not in self._messages:
                made = []
                names = _parameters(exercise)
                for arguments in self._cases(exercise, seed):
                    bundle = wire.Bundle()
                    runner = exercise.runner
                    message = {
                        "arguments": bundle.pack(arguments),
                        "names": names,
                        "runner": [runner.__module__, runner.__name__] if runner else None,
                    }
                    bundle.functions = [_locked(function) for function in bundle.functions]
                    made.append((message, bundle, list(arguments)))
                self._messages[(exercise.name, seed)] = made
        return self._messages[(exercise.name, seed)]


def _parameters(exercise):
    return list(inspect.signature(exercise.reference).parameters)


def _locked(function):
    def value(*given):
        with wire.ONE_AT_A_TIME:
            return function(*given)

    return value


class _Run:
    """The process that runs the answers of one notebook; a new one after each that was ended."""

    def __init__(self, place):
        self.place, self.worker = place, None
        self.stopped: dict[int, str] = {}  # cells that broke a limit: they are not run again
        self.callable = False
        self.limit = self.left = 0.0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._end()

    def load(self, answer: Found, closed, limit):
        """Run the cells of an answer; return what to say if there is no answer afterwards."""
        for number, _, _ in answer.cells:
            if number in self.stopped:
                raise LimitError(self.stopped[number], number)
        message = {
            "name": answer.name,
            "forbidden": list(closed),
            "cells": [[n, text, list(places)] for n, text, places in answer.cells],
        }
        told = self._guarded(lambda: self._started().load(message, limit))
        if told["at"] == "unanswered":
            return {"state": "not attempted"}
        if told["at"] == "failed":
            sentence = say(
                "Cell {cell} stops with {error} (line {line}).",
                cell=told.get("cell"),
                error=str(told.get("error"))[:300],
                line=told.get("line"),
            )
            return {"state": "stopped", "sentence": sentence}
        self.callable = told.get("callable") is True
        return None

    def allow(self, limit):
        """Give the calls that follow so many seconds of computing, all together."""
        self.limit = self.left = limit

    def call(self, message, bundle, names):
        """Call the answer once."""
        outcome, seconds = self._guarded(
            lambda: self.worker.call(message, bundle, names, self.left, self.limit)
        )
        self.left -= seconds
        return outcome

    def _started(self):
        if self.worker is None:
            self.worker = Worker(self.place)
        return self.worker

    def _guarded(self, work):
        try:
            return work()
        except LimitError as limit:
            self.worker = None
            if limit.cell is not None:
                self.stopped[limit.cell] = str(limit)
            raise

    def _end(self):
        if self.worker is not None:
            self.worker.end()
            self.worker = None


def summary(result: Result) -> str:
    """Say in a few words why an exercise did not earn its points, or ""."""
    if result.state == "correct":
        return ""
    if result.state == "not attempted":
        return say("not attempted")
    return result.cause or result.sentence
