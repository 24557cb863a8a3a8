"""How long grading takes, and every declared wrong answer through the real flow.

``python tests/bench_grading.py`` grades each solved lesson and a class of 30 with two endless
loops and a flood, and prints CPU seconds. ``python tests/bench_grading.py wrong lesson04 …`` grades
all declared wrong answers, or those of the lessons named; ``mutants`` grades all mutants.
"""

import re
import sys
import tempfile
import time
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import psutil  # noqa: E402
from cases.equal_mutants import EQUAL  # noqa: E402
from cases.submission_variants import GOOD  # noqa: E402
from mutants import LESSONS, mutants  # noqa: E402
from submissions import dumped, filled, lesson_notebook, save, solved, written  # noqa: E402

from helpers.homework.assignment import Assignment, Part, lesson_part  # noqa: E402
from helpers.homework.collect import File  # noqa: E402
from helpers.homework.command import main  # noqa: E402
from helpers.homework.course_copy import copied  # noqa: E402
from helpers.homework.grading import Grader, Result  # noqa: E402
from helpers.homework.process import Place  # noqa: E402
from helpers.homework.reading import notebook_of  # noqa: E402
from helpers.homework.students import Student  # noqa: E402

SEED = 738201
_NEVER_RAN = re.compile("NameError|ImportError|ModuleNotFoundError|no attribute 'reference'")


def grader_of(lessons, folder):
    """Return a grader for some lessons, with its copy of the course in a folder."""
    parts = tuple(lesson_part(lesson) for lesson in lessons)
    assignment = Assignment(parts, SEED)
    return Grader(assignment, Place(copied(Path(folder), assignment.exercises), (ROOT,)))


def result_of(grader, exercise, source) -> Result:
    """Grade one answer, written into its lesson's notebook, through the real flow."""
    lesson, _, name = exercise.name.partition(".")
    notebook = notebook_of(dumped(filled(lesson_notebook(lesson), {name: source})))
    file = File(PurePosixPath("hw.ipynb"), Student("x"), notebook)
    part = Part(lesson, (exercise,))
    return grader.grade(file.student, [(part, file)]).results[exercise.name]


def wrong_results(grader, chosen):
    """Grade declared wrong answers; `chosen` takes an exercise and picks some of them."""
    for exercise in grader.assignment.exercises:
        name = exercise.name.partition(".")[2]
        for wrong in chosen(exercise):
            yield exercise, wrong, result_of(grader, exercise, written(wrong, name))


def mutant_result(grader, exercise, mutant) -> Result:
    """Grade one mutant of a reference, with what it needs of its module written in."""
    name = exercise.name.partition(".")[2]
    return result_of(grader, exercise, written(exercise.reference, name, mutant.source))


def computed():
    """CPU seconds of this process and of those it has waited for."""
    times = psutil.Process().cpu_times()
    return times.user + times.system + times.children_user + times.children_system


def bench_lessons():
    """Print what each solved lesson costs."""
    for lesson in LESSONS:
        with tempfile.TemporaryDirectory() as folder:
            grader = grader_of([lesson], folder)
            notebook = notebook_of(dumped(solved(lesson)))
            file = File(PurePosixPath("hw.ipynb"), Student("x"), notebook)
            grader.grade(file.student, [(grader.assignment.parts[0], file)])  # inputs are made once
            before = computed()
            graded = grader.grade(file.student, [(grader.assignment.parts[0], file)])
            most = grader.assignment.maximum
            print(f"{lesson}: {graded.points:g} of {most:g}, {computed() - before:.2f} s")


def bench_class():
    """Print what a class of 30 costs, two with endless loops and one with a flood."""
    loop = "def softmax(x, axis=-1):\n    while True: pass"
    flood = GOOD.replace("    e =", "    for i in range(20_000): print(i, 'x' * 60)\n    e =")
    with tempfile.TemporaryDirectory() as folder:
        for number in range(30):
            notebook = solved("lesson04")
            source = {3: loop, 17: loop, 23: flood}.get(number)
            if source:
                notebook = filled(lesson_notebook("lesson04"), {"softmax": source})
            save(notebook, Path(folder, "HW", f"Student {number:02d}", "hw.ipynb"))
        before, began = computed(), time.monotonic()
        main([str(Path(folder, "HW")), "--lessons", "04", "--jobs", "2"])
        print(f"class of 30: {time.monotonic() - began:.0f} s, {computed() - before:.0f} s of CPU")


def bench_answers(lessons, kind):
    """Print every declared wrong answer, or mutant, that earns points, never ran or has no name."""
    total = named = earned = 0
    for lesson in lessons or LESSONS:
        with tempfile.TemporaryDirectory() as folder:
            grader = grader_of([lesson], folder)
            if kind == "wrong":
                found = (
                    (exercise.name, wrong.__name__, result)
                    for exercise, wrong, result in wrong_results(grader, lambda e: e.wrong)
                )
            else:
                found = (
                    (exercise.name, mutant.change, mutant_result(grader, exercise, mutant))
                    for exercise in grader.assignment.exercises
                    for mutant in mutants(exercise)
                    if (exercise.name, mutant.change) not in EQUAL
                )
            for name, answer, result in found:
                total, named = total + 1, named + result.named
                earned += result.points > 0
                fails = result.state == "not attempted" or _NEVER_RAN.search(result.sentence)
                never_ran = fails and "-> nothing" not in answer  # a line that is gone: as it is
                if result.points or never_ran or (kind == "wrong" and not result.named):
                    print(f"{name} {answer}: {result.points:g} points, {result.sentence}")
    print(f"{total} answers, {earned} with points, {named} named")
    return int(earned > 0)


if __name__ == "__main__":
    if sys.argv[1:2] in (["wrong"], ["mutants"]):
        sys.exit(bench_answers(sys.argv[2:], sys.argv[1]))
    bench_lessons()
    bench_class()
