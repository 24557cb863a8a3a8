"""What is graded: the exercises, the seed, the rubric, and the folder that the marks go to."""

import importlib
import importlib.util
import random
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from helpers.course.exercise import Exercise
from helpers.course.judging import sentence_of
from helpers.homework.reading import RefusedError
from helpers.homework.students import read_table
from helpers.language import say

NOTE = "assignment.toml"
WRITTEN = {NOTE, "marks.csv", "moodle.csv", "canvas.csv", "class.html", "feedback"}
_LESSONS = Path(__file__).resolve().parents[1] / "lessons"


@dataclass(frozen=True)
class Part:
    """The exercises of one lesson, or of one file of a teacher's own.

    Attributes:
        title: "lesson04", or the name of the file.
        exercises: in the order of their declaration.
        questions: the lesson's predictions by their ids.
    """

    title: str
    exercises: tuple[Exercise, ...]
    questions: Mapping = field(default_factory=dict)


@dataclass(frozen=True)
class Assignment:
    """What is graded.

    Attributes:
        parts: lessons and files of exercises.
        seed: of the inputs that nobody has seen.
        shares: (exercise, misconception) -> share of the points that it still earns.
    """

    parts: tuple[Part, ...]
    seed: int
    shares: Mapping[tuple[str, str], float] = field(default_factory=dict)

    @property
    def exercises(self) -> list[Exercise]:
        """All exercises."""
        return [exercise for part in self.parts for exercise in part.exercises]

    @property
    def maximum(self) -> float:
        """The points that can be earned."""
        return float(sum(exercise.points for exercise in self.exercises))


def lesson_part(word: str) -> Part:
    """Find a lesson's exercises and predictions.

    Raises:
        RefusedError: there is no such lesson.
    """
    title = f"lesson{word.removeprefix('lesson').zfill(2)}"
    if not (_LESSONS / title).is_dir():
        raise RefusedError(say("There is no lesson {word}; write for example 04.", word=word))
    module = importlib.import_module(f"helpers.lessons.{title}")
    asked = importlib.import_module(f"helpers.lessons.{title}.questions").QUESTIONS
    questions = {name: question for name, question in asked.items() if ".q" not in name}
    return Part(title, _exercises(module), questions)


def own_part(file: Path) -> Part:
    """Find the exercises in a teacher's own file.

    Raises:
        RefusedError: the file cannot be read, or holds none.
    """
    name = file.stem
    if not file.is_file() or not name.isidentifier():
        raise RefusedError(
            say("{file} is no Python file with exercises (a name of letters).", file=file)
        )
    sys.path.insert(0, str(file.resolve().parent))
    try:
        spec = importlib.util.spec_from_file_location(name, file)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    except Exception as error:
        kind = type(error).__name__
        raise RefusedError(
            say("{file} cannot be run: {kind}: {error}", file=file, kind=kind, error=error)
        ) from error
    part = Part(name, _exercises(module))
    for exercise in part.exercises:
        if exercise.runner and exercise.runner.__module__ == exercise.reference.__module__:
            raise RefusedError(
                say(
                    "The runner of {name} has to stand in a file of its own beside this one: it "
                    "runs beside the answers, and the reference must not.",
                    name=exercise.name,
                )
            )
    return part


def _exercises(module):
    found = [value for value in vars(module).values() if isinstance(value, Exercise)]
    found = list({exercise.name: exercise for exercise in found}.values())
    if not found:
        raise RefusedError(say("There is no exercise in {name}.", name=module.__name__))
    return tuple(found)


# ------------------------------------------------------------------ the output folder


def seed_in(folder: Path, titles: Sequence[str], seed: int | None) -> int:
    """Return the seed to grade with: the wanted one, the stored one, or a new one.

    Args:
        folder: the output folder, which need not exist.
        titles: of the parts.
        seed: as the teacher wants it, or None.

    Raises:
        RefusedError: the folder holds something else, or the marks of another assignment.
    """
    if folder.exists() and not folder.is_dir():
        raise RefusedError(say("{folder} is no folder; choose one with --out.", folder=folder))
    there = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    stored = {}
    if NOTE in there:
        try:
            stored = tomllib.loads((folder / NOTE).read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError):
            stored = {}
    if there and (there - WRITTEN or not isinstance(stored.get("seed"), int)):
        raise RefusedError(
            say(
                "The folder {folder} holds something else than marks; choose another with --out.",
                folder=folder,
            )
        )
    if there and stored.get("exercises") != list(titles):
        raise RefusedError(
            say(
                "The folder {folder} holds the marks of other exercises; choose another with "
                "--out.",
                folder=folder,
            )
        )
    if seed is None:
        seed = stored.get("seed", random.SystemRandom().randrange(100_000, 1_000_000))
    return seed


def write_note(folder: Path, assignment: Assignment) -> None:
    """Store what was graded and with which seed."""
    folder.mkdir(parents=True, exist_ok=True)
    titles = ", ".join(f'"{part.title}"' for part in assignment.parts)
    (folder / NOTE).write_text(
        f"seed = {assignment.seed}\nexercises = [{titles}]\n", encoding="utf-8", newline="\n"
    )


# ------------------------------------------------------------------ the rubric


def rubric_of(file: Path, exercises: Sequence[Exercise]) -> dict[tuple[str, str], float]:
    """Read which share of the points a named misconception still earns.

    Args:
        file: CSV with the columns exercise, misconception (its sentence, or the name of the
            wrong answer), share (0.5 or 50%).
        exercises: what is graded.

    Returns:
        dict, (exercise's name, sentence of the misconception) -> share.

    Raises:
        RefusedError: a line does not fit.
    """
    shares = {}
    for number, row in enumerate(read_table(file), 1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or (number == 1 and cells[0].casefold() == "exercise"):
            continue
        if len(cells) < 3:
            raise RefusedError(
                say("{file}, line {n}: three columns are wanted.", file=file, n=number)
            )
        name, misconception, share = cells[:3]
        fits = [e for e in exercises if name in (e.name, e.name.rpartition(".")[2])]
        if len(fits) != 1:
            raise RefusedError(
                say("{file}, line {n}: no exercise {name}.", file=file, n=number, name=name)
            )
        known = {w.__name__: sentence_of(w) for w in fits[0].wrong}
        sentence = known.get(misconception, misconception)
        if sentence not in known.values():
            names = ", ".join(known)
            raise RefusedError(
                say(
                    "{file}, line {n}: {name} has no misconception {misconception}; it has "
                    "{names}.",
                    file=file,
                    n=number,
                    name=name,
                    misconception=misconception,
                    names=names,
                )
            )
        shares[(fits[0].name, say(sentence))] = _share(share, file, number)
    return shares


def _share(text, file, number):
    try:
        value = float(text.rstrip("% ").replace(",", ".")) / (100 if "%" in text else 1)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise RefusedError(
            say("{file}, line {n}: the share has to be from 0 to 1.", file=file, n=number)
        )
    return value
