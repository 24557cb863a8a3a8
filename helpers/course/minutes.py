"""How long a lesson takes, computed from its notebook by one rule for all lessons."""

import ast
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

WORDS_A_MINUTE = 160
SECONDS_A_CODE_LINE = 5
SECONDS_A_PICTURE = 45
SECONDS_A_QUESTION = 60
SECONDS_AN_EXERCISE = 180
SECONDS_A_REFERENCE_LINE = 20
_PICTURES = re.compile(r"helpers\.figures|helpers\.course\.(explore|machine)|\.(figures|demo)$")


@dataclass
class Time:
    """What a stretch of a lesson asks of the learner.

    Attributes:
        words: of the text, and of the cards that its cells show.
        code_lines: lines to read.
        pictures: figures, demonstrations and controls.
        questions: predictions and closing questions.
        exercises: lines of the reference of each exercise.
        machine_seconds: what the cells take to run.
    """

    words: int = 0
    code_lines: int = 0
    pictures: int = 0
    questions: int = 0
    exercises: list[int] = field(default_factory=list)
    machine_seconds: float = 0.0

    @property
    def minutes(self) -> float:
        """All of it in minutes."""
        seconds = (
            self.words / WORDS_A_MINUTE * 60
            + self.code_lines * SECONDS_A_CODE_LINE
            + self.pictures * SECONDS_A_PICTURE
            + self.questions * SECONDS_A_QUESTION
            + len(self.exercises) * SECONDS_AN_EXERCISE
            + sum(self.exercises) * SECONDS_A_REFERENCE_LINE
            + self.machine_seconds
        )
        return seconds / 60


def lesson_time(
    cells: Sequence[Mapping],
    questions: Mapping,
    claims: Mapping,
    exercises: Mapping[str, Callable],
    machine_seconds: float,
) -> tuple[Time, Time]:
    """Count what a notebook asks for.

    Args:
        cells: the notebook's cells, each with "cell_type" and "source" (text or lines).
        questions: the lesson's questions by id.
        claims: the lesson's claims by id.
        exercises: the reference of each of the lesson's exercises by the exercise's name.
        machine_seconds: seconds that the whole notebook runs on a quiet machine.

    Returns:
        The lesson, and apart from it what stands below the heading "Homework".
    """
    lesson, homework = Time(machine_seconds=machine_seconds), Time()
    drawing: set[str] = set()
    part = lesson
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            for stretch in re.split(r"^(?=## )", source, flags=re.MULTILINE):
                if re.match(r"## Homework\b", stretch):
                    part = homework
                elif re.match(r"## ", stretch):
                    part = lesson
                part.words += words_of(stretch)
            continue
        tree = ast.parse(source)
        drawing |= _drawing_names(tree)
        if any(isinstance(node, ast.Import | ast.ImportFrom) for node in tree.body):
            continue
        part.code_lines += sum(bool(line.strip()) for line in source.splitlines())
        _count(tree, part, drawing, questions, claims, exercises)
    return lesson, homework


def words_of(text: str) -> int:
    """Count what is read aloud: words, numbers, and Chinese tokens; no links, no formulas' signs.

    Args:
        text: Markdown or plain text.
    """
    text = re.sub(r"\]\([^)]*\)", "]", text)
    return len(re.findall(r"[^\W_](?:[\w'’.,-]*[^\W_])?", text))


def _count(node, part, *known):
    """Count the calls in a piece of code; what a picture is given is part of that picture."""
    if isinstance(node, ast.Call) and _count_call(node, part, *known):
        return
    for child in ast.iter_child_nodes(node):
        _count(child, part, *known)


def _count_call(node, part, drawing, questions, claims, exercises):
    """Count one call; say whether it is a picture."""
    called = ast.unparse(node.func)
    first = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
    method = called.rpartition(".")[2]
    if method in ("predict", "quiz") and first in questions:
        part.questions += 1
        if method == "quiz":
            part.words += _read_on_a_card(questions[first])
    elif method == "reveal" and first in questions:
        part.words += _read_on_a_card(questions[first])
    elif method == "claim" and first in claims:
        part.words += words_of(claims[first].says)
    elif method == "check" and called.count(".") == 2:
        reference = exercises[called.split(".")[1]]
        source = inspect.getsource(reference).splitlines()
        part.exercises.append(sum(bool(line.strip()) for line in source))
    elif called.partition(".")[0] in drawing:
        part.pictures += 1
        return True
    return False


def _read_on_a_card(question):
    """The reason of the right answer and, on the average, that of one other."""
    right = words_of(question.why[question.answer])
    others = [words_of(text) for letter, text in question.why.items() if letter != question.answer]
    return right + round(sum(others) / len(others))


def _drawing_names(tree):
    """Names of a cell's imports that draw something."""
    names = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                if _PICTURES.search(node.module) or _PICTURES.search(whole):
                    names.add(alias.asname or alias.name)
    return names
