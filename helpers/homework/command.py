"""The command ``grade``: from a folder of notebooks to marks, feedback and what to teach next."""

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from helpers.course.console import printable
from helpers.homework import pages, tables
from helpers.homework.answers import attempts, mentions
from helpers.homework.assignment import (
    Assignment,
    Part,
    lesson_part,
    own_part,
    rubric_of,
    seed_in,
    write_note,
)
from helpers.homework.collect import File, best_first, collected
from helpers.homework.course_copy import ROOT, copied
from helpers.homework.grading import Graded, Grader, summary
from helpers.homework.process import LimitError, Place, Worker, words_of
from helpers.homework.reading import RefusedError
from helpers.homework.students import Student, alike, roster_of
from helpers.language import say


def main(arguments: Sequence[str]) -> int:
    """Grade what the arguments name.

    Returns:
        0 if every notebook was graded, 1 if a file was refused, 2 if nothing could be graded.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    wanted = _options().parse_args(arguments)
    try:
        return _grade(wanted)
    except RefusedError as refused:
        print(printable(str(refused)), file=sys.stderr)
        return 2


def _options():
    options = argparse.ArgumentParser(
        prog=say("python3 -m helpers grade"),
        description=say("Grade homework: marks, feedback, and what to teach next."),
    )
    add = options.add_argument
    add("source", type=Path, help=say("folder, zip or notebook"))
    add("--lessons", nargs="+", default=[], metavar="04", help=say("the lessons to grade"))
    add("--exercises", type=Path, help=say("a Python file with exercises of your own"))
    add("--roster", type=Path, help=say("the class list, a CSV file with names and numbers"))
    add("--rubric", type=Path, help=say("a CSV file: exercise, misconception, share of points"))
    add("--moodle", type=Path, help=say("Moodle's grading worksheet, to be filled in"))
    add("--canvas", type=Path, help=say("Canvas's gradebook export, to be filled in"))
    add("--jobs", type=int, default=1, help=say("how many notebooks are graded at a time"))
    add("--seed", type=int, help=say("of the inputs that nobody has seen; drawn by itself"))
    add("--out", type=Path, help=say("the folder for marks and feedback"))
    add("--in", dest="inside", default="", metavar="COMMAND",
        help=say("a command that starts a container, for code that you do not trust"))  # fmt: skip
    return options


def _grade(wanted):
    began = time.monotonic()
    parts = [lesson_part(word) for word in wanted.lessons]
    if wanted.exercises:
        parts.append(own_part(wanted.exercises))
    if not parts:
        raise RefusedError(say("Name what to grade, for example --lessons 04."))
    source = wanted.source.expanduser()
    title = source.resolve().name.removesuffix(".zip").removesuffix(".ipynb")
    out = wanted.out or source.resolve().parent / f"{title}-graded"
    if source.is_dir() and source.resolve() in (out.resolve(), *out.resolve().parents):
        raise RefusedError(say("The folder of marks may not lie among the files: --out."))
    seed = seed_in(out, [part.title for part in parts], wanted.seed)
    assignment = Assignment(tuple(parts), seed)
    if wanted.rubric:
        assignment = replace(assignment, shares=rubric_of(wanted.rubric, assignment.exercises))
    roster = roster_of(wanted.roster) if wanted.roster else []
    own = sorted(path.stem for path in (ROOT / "notebooks").glob("[0-9]*.ipynb"))
    for table, export in ((tables.moodle_csv, wanted.moodle), (_canvas, wanted.canvas)):
        if export:
            table(export, assignment, [])  # a wrong file is named before an hour of grading
    files = collected(source, own, roster)
    work = _plan(files, assignment.parts)
    _opening(assignment, files, work, out)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        course = copied(Path(folder), assignment.exercises, bool(wanted.inside))
        hidden = [ROOT, source, out, *([wanted.exercises] if wanted.exercises else [])]
        place = Place(course, tuple(hidden), words_of(wanted.inside))
        _tried(place)
        graded = _graded(Grader(assignment, place), work, max(1, wanted.jobs))
    graded += _others(files, graded, roster)
    graded.sort(key=lambda one: (alike(one.student.name), one.student.number, one.student.key))
    written = _written(wanted, out, title, assignment, graded)
    return _closing(files, graded, assignment, written, time.monotonic() - began)


def _canvas(export, assignment, graded, title=""):
    return tables.canvas_csv(export, title or export.stem, assignment, graded)


def _plan(files: Sequence[File], parts: Sequence[Part]):
    """Choose one notebook a student and lesson; say of every other file why it is left out."""
    groups: dict[tuple, list[File]] = {}
    serves: dict[int, list[Part]] = {}
    for file in files:
        if file.notebook is None:
            continue
        serves[id(file)] = [part for part in parts if _belongs(file, part)]
        if serves[id(file)]:
            who = file.student
            groups.setdefault((alike(who.name), who.number, who.key), []).append(file)
        else:
            names = ", ".join(e.name.rpartition(".")[2] for part in parts for e in part.exercises)
            file.refused = say("It is another notebook: it defines none of {names}.", names=names)
    work = []
    for group in groups.values():
        chosen = []
        for part in parts:
            fits = [file for file in best_first(group) if part in serves[id(file)]]
            begun = [file for file in fits if attempts(file.notebook, part.exercises)]
            chosen.extend((part, file) for file in (begun or fits)[:1])
        graded = {id(file): file for _, file in chosen}
        other = next(iter(graded.values())).path
        for file in group:
            if id(file) not in graded:
                file.ignored = say(
                    "Another notebook of the same student is graded: {other}.", other=other
                )
        work.append((group[0].student, chosen))
    return work


def _belongs(file, part):
    code = "\n".join(cell.text for cell in file.notebook.cells if cell.code)
    lessons = set(re.findall(r"\blesson\d\d\b", code))
    if part.title in lessons:
        return True
    own = not lessons or not part.questions
    return own and mentions(file.notebook, part.exercises) > 0


def _tried(place):
    """Find out at once whether the command of --in starts."""
    if not place.command:
        return
    try:
        Worker(place).end()
    except (OSError, LimitError) as error:
        raise RefusedError(
            say("The command of --in does not start a Python with NumPy: {error}", error=error)
        ) from None


def _graded(grader, work, jobs):
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda one: grader.grade(*one), work))


def _others(files, graded, roster):
    """Results without marks: students whose files were refused, or who handed in nothing."""
    seen = {(alike(one.student.name), one.student.number) for one in graded}
    others = []
    nothing = say("nothing handed in")
    refused = [(file.student, file.refused) for file in files if file.refused]
    for student, problem in [*refused, *((one, nothing) for one in roster)]:
        key = (alike(student.name), student.number)
        if key not in seen:
            seen.add(key)
            others.append(Graded(student, problem=problem))
    return others


# ------------------------------------------------------------------ what is written and said


def _written(wanted, out, title, assignment, graded):
    """Write all files; return their names."""
    write_note(out, assignment)
    notes = [say("Seed {seed}", seed=assignment.seed)]
    made = {
        "marks.csv": tables.marks_csv(assignment, graded),
        "class.html": pages.class_page(title, assignment, graded, notes).encode(),
    }
    if wanted.moodle:
        made["moodle.csv"] = tables.moodle_csv(wanted.moodle, assignment, graded)
    if wanted.canvas:
        made["canvas.csv"] = _canvas(wanted.canvas, assignment, graded, title)
    for name, data in made.items():
        (out / name).write_bytes(data)
    folder = out / "feedback"
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.html"):
        old.unlink()
    taken = set()
    for one in graded:
        if not one.problem:
            name = _file_name(one.student, taken)
            (folder / name).write_bytes(pages.feedback(one, assignment).encode())
    return [*sorted(made), "feedback/"]


def _file_name(student: Student, taken: set[str]) -> str:
    """A name for a student's page that every system takes."""
    parts = [student.name, student.number or student.key]
    stem = re.sub(r"[^\w() -]", "", " ".join(part for part in parts if part)).strip()[:80]
    stem = stem or "student"
    name, count = stem, 1
    while name.casefold() in taken:
        count += 1
        name = f"{stem} {count}"
    taken.add(name.casefold())
    return f"{name}.html"


def _tell(text):
    print(printable(text), flush=True)


def _opening(assignment, files, work, out):
    _tell(say("Files: {files}. Students with a notebook: {students}.",
              files=len(files), students=len(work)))  # fmt: skip
    for part in assignment.parts:
        listed = ", ".join(
            f"{e.name.rpartition('.')[2]} {tables.number(e.points)}" for e in part.exercises
        )
        points = tables.number(sum(exercise.points for exercise in part.exercises))
        _tell(
            say("  {part}: {listed}. Points: {points}.",
                part=part.title, listed=listed, points=points)
        )  # fmt: skip
    _tell(
        say(
            "  Seed {seed}, kept in {file}: the same marks when you run it again.",
            seed=assignment.seed,
            file=out / "assignment.toml",
        )
    )


def _closing(files, graded, assignment, written, seconds):
    """Say what each student has, which files were left out and why; return the exit code."""
    width = max((len(one.student.name) for one in graded), default=0)
    most = tables.number(assignment.maximum)
    for one in graded:
        if one.problem:
            _tell(f"  {one.student.name:{width}}  -  {one.problem}")
            continue
        wrong = [
            f"{result.exercise.name.rpartition('.')[2]}: {summary(result)}"
            for result in one.results.values()
            if result.state != "correct"
        ]
        missing = [part.title for part in assignment.parts
                   if not any(e.name in one.results for e in part.exercises)]  # fmt: skip
        wrong += [say("no notebook for {part}", part=title) for title in missing]
        line = f"  {one.student.name:{width}}  {tables.number(one.points)}/{most}  "
        _tell((line + "; ".join(wrong)).rstrip())
    for file in files:
        if file.refused:
            _tell(say("  refused: {student}, {file}: {why}",
                      student=file.student.name, file=file.path, why=file.refused))  # fmt: skip
        elif file.ignored:
            _tell(say("  ignored: {student}, {file}: {why}",
                      student=file.student.name, file=file.path, why=file.ignored))  # fmt: skip
    refused = sum(bool(file.refused) for file in files)
    ignored = sum(bool(file.ignored) for file in files)
    _tell(
        say(
            "Graded: {graded}. Refused: {refused}. Ignored: {ignored}. {seconds:.0f} s.",
            graded=len(files) - refused - ignored,
            refused=refused,
            ignored=ignored,
            seconds=seconds,
        )
    )
    _tell("  " + "  ".join(written))
    return 1 if refused else 0
