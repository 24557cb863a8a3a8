"""One lesson as a teacher needs it: its headings with minutes, its questions, its exercises."""

import ast
import importlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from helpers.course.exercise import Exercise
from helpers.course.judging import sentence_of
from helpers.course.minutes import lesson_time
from helpers.course.questions import Question
from helpers.language import say

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"
LESSONS = tuple(f"{number:02d}" for number in range(1, 11))


class TeachingError(ValueError):
    """What was asked for cannot be made; the message says why."""


@dataclass(frozen=True)
class Stretch:
    """What stands between two headings of a notebook, how long it takes, and what it asks."""

    heading: str
    minutes: float
    asks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lesson:
    """What a lesson declares, and the notebook's headings.

    Attributes:
        number: such as "04".
        title: the notebook's first heading.
        stretches: in the notebook's order; the first one is what stands above all headings.
        questions: predictions and closing questions by their ids.
        exercises: by the names the notebook uses.
    """

    number: str
    title: str
    stretches: tuple[Stretch, ...]
    questions: Mapping[str, Question]
    exercises: Mapping[str, Exercise]

    @property
    def predictions(self) -> dict[str, Question]:
        """The questions that are asked before something is shown."""
        return {name: q for name, q in self.questions.items() if ".q" not in name}

    def misconception(self, exercise: str, wrong: str) -> str:
        """Return the sentence of one declared wrong answer, by the names of both."""
        for function in self.exercises[exercise].wrong if exercise in self.exercises else ():
            if function.__name__ == wrong:
                return sentence_of(function)
        raise TeachingError(
            say(
                "Lesson {number} has no wrong answer {exercise}.{wrong}.",
                number=self.number,
                exercise=exercise,
                wrong=wrong,
            )
        )


def lesson_of(word: str) -> Lesson:
    """Read a lesson.

    Args:
        word: its number, such as "04" or "4".

    Raises:
        TeachingError: there is no such lesson.
    """
    number = word.zfill(2)
    if number not in LESSONS:
        raise TeachingError(say("There is no lesson {word}; write for example 04.", word=word))
    name = f"helpers.lessons.lesson{number}"
    module = importlib.import_module(name)
    found = [value for value in vars(module).values() if isinstance(value, Exercise)]
    exercises = {exercise.name.partition(".")[2]: exercise for exercise in found}
    questions = importlib.import_module(f"{name}.questions").QUESTIONS
    claims = {claim.id: claim for claim in importlib.import_module(f"{name}.claims").CLAIMS}
    (notebook,) = NOTEBOOKS.glob(f"{number}_*.ipynb")
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    references = {exercise: value.reference for exercise, value in exercises.items()}
    title, stretches = stretches_of(cells, questions, claims, references)
    return Lesson(number, title, stretches, questions, exercises)


def stretches_of(
    cells: Sequence[Mapping], questions: Mapping, claims: Mapping, references: Mapping
) -> tuple[str, tuple[Stretch, ...]]:
    """Cut a notebook at its headings and compute the minutes of each stretch.

    Args:
        cells: the notebook's cells.
        questions: the lesson's questions by id.
        claims: the lesson's claims by id.
        references: the reference of each exercise by the exercise's name.

    Returns:
        The title, and the stretches; without the seconds that the machine computes.
    """
    title, parts, imports = "", [("", [])], []
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] != "markdown":
            body = ast.parse(source).body
            if any(isinstance(node, ast.Import | ast.ImportFrom) for node in body):
                imports.append(cell)
            parts[-1][1].append(cell)
            continue
        for text in re.split(r"^(?=#{1,3} )", source, flags=re.MULTILINE):
            heading = re.match(r"(#{1,3}) (.*)", text)
            if heading and heading[1] == "#":
                title = heading[2].strip()
            elif heading:
                parts.append((heading[2].strip(), []))
            parts[-1][1].append({"cell_type": "markdown", "source": text})
    stretches = []
    for heading, inside in parts:
        times = lesson_time([*imports, *inside], questions, claims, references, 0)
        code = "\n".join("".join(c["source"]) for c in inside if c["cell_type"] != "markdown")
        asks = tuple(re.findall(r"\.(?:predict|quiz)\(\"([\w.]+)\"", code))
        stretches.append(Stretch(heading, sum(time.minutes for time in times), asks))
    return title, tuple(stretches)
