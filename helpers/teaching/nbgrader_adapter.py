"""nbgrader around `grade`: its database and its export, the marks of this course.

It needs the extra ``teach``. The answers run as in ``python3 -m helpers grade``: no kernel is
started, and cells are found by names, not by metadata.
"""

import csv
import json
import os
import sys
import tempfile
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins.export import ExportPlugin
from nbgrader.preprocessors import (
    AssignLatePenalties,
    LimitOutput,
    NbGraderPreprocessor,
    SaveAutoGrades,
)
from traitlets import Integer

from helpers.homework.assignment import Assignment, lesson_part
from helpers.homework.collect import collected
from helpers.homework.course_copy import copied
from helpers.homework.grading import Graded, Grader
from helpers.homework.process import Place
from helpers.homework.reading import RefusedError
from helpers.homework.tables import harmless
from helpers.language import say
from helpers.teaching.lesson import ROOT, lesson_of
from helpers.teaching.nbgrader_source import GUARD, guarded

_COLUMNS = (
    "assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email",
    "raw_score", "late_submission_penalty", "score", "max_score",
)  # fmt: skip


class PutGuardsBack(NbGraderPreprocessor):
    """In place of nbgrader's sanitizing: the cells to grade as they were released, at the end."""

    def preprocess(self, nb: object, resources: dict) -> tuple:
        """Drop what became of the cells to grade, and put them in as they are declared."""
        _forget(resources)
        made = guarded(json.loads(nbformat.writes(nb)), _lesson(resources))
        return nbformat.from_dict(made), resources


class GradeAside(NbGraderPreprocessor):
    """In place of nbgrader's execution: the course's grader fills the cells to grade."""

    seed = Integer(0, help="of the inputs that nobody has seen").tag(config=True)

    def preprocess(self, nb: object, resources: dict) -> tuple:
        """Write the points of each exercise below its cell.

        Raises:
            RefusedError: the notebook cannot be graded; nbgrader then names it as failed.
        """
        graded = self._graded(nb, resources)
        results = {name.partition(".")[2]: one for name, one in graded.results.items()}
        for cell in nb.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
            if name.startswith(GUARD):
                result = results[name.removeprefix(GUARD)]
                data = {"text/plain": str(float(result.points))}
                said = nbformat.v4.new_output("display_data", {"text/plain": result.sentence})
                points = nbformat.v4.new_output("execute_result", data)
                cell.outputs = [said, points] if result.sentence else [points]
        return nb, resources

    def _graded(self, nb, resources) -> Graded:
        part = lesson_part(_lesson(resources).number)
        assignment = Assignment((part,), self.seed)
        about = resources["nbgrader"]
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            handed = Path(folder, "handed")
            handed.mkdir()
            (handed / f"{about['notebook']}.ipynb").write_text(nbformat.writes(nb), "utf-8")
            (file,) = collected(handed, ())
            if file.refused:
                raise RefusedError(file.refused)
            course = copied(Path(folder), assignment.exercises)
            hidden = (ROOT, Path(resources["metadata"]["path"]), handed)
            graded = Grader(assignment, Place(course, hidden)).grade(file.student, [(part, file)])
        if graded.problem:
            raise RefusedError(graded.problem)
        return graded


class MarksExport(ExportPlugin):
    """nbgrader's columns, as any table program reads them; an empty mark where nothing was graded.

    nbgrader's own table does not quote a name with a comma, and gives 0 for a refusal.
    """

    def export(self, gradebook: Gradebook) -> None:
        """Write the table."""
        with Path(self.to or "grades.csv").open("w", encoding="utf-8-sig", newline="") as file:
            table = csv.writer(file, lineterminator="\r\n")
            table.writerow(_COLUMNS)
            for assignment in gradebook.assignments:
                for student in gradebook.students:
                    if self._is_wanted(assignment.name, student.id):
                        table.writerow(self._row(gradebook, assignment, student))

    def _is_wanted(self, assignment, student):
        asked = (self.assignment, assignment), (self.student, student)
        return all(not names or name in map(str, names) for names, name in asked)

    def _row(self, gradebook, assignment, student):
        marks = {"max_score": assignment.max_score}
        if self._is_graded(gradebook, assignment.name, student.id):
            handed = gradebook.find_submission(assignment.name, student.id)
            penalty = handed.late_submission_penalty or 0.0
            marks |= {
                "timestamp": handed.timestamp,
                "raw_score": handed.score,
                "late_submission_penalty": penalty,
                "score": max(0.0, handed.score - penalty),
            }
        texts = {
            "assignment": assignment.name,
            "duedate": assignment.duedate,
            "student_id": student.id,
            "last_name": student.last_name,
            "first_name": student.first_name,
            "email": student.email,
        }
        row = {name: harmless(str(text or "")) for name, text in texts.items()} | marks
        return [row.get(name, "") for name in _COLUMNS]

    def _is_graded(self, gradebook, assignment, student):
        """Tell whether every exercise of a submission has a mark, by program or by hand.

        A submission that cannot be read keeps its earlier marks in nbgrader's database, but
        nbgrader takes away what it had written for it.
        """
        try:
            submission = gradebook.find_submission(assignment, student)
        except MissingEntry:
            return False
        course = self.parent.coursedir
        folder = Path(course.format_path(course.autograded_directory, student, assignment))
        return all(
            grade.manual_score is not None
            or (grade.auto_score is not None and (folder / f"{notebook.name}.ipynb").is_file())
            for notebook in submission.notebooks
            for grade in notebook.grades
        )


def configure(config: object, seed: int) -> None:
    """Set nbgrader up for the course.

    Args:
        config: what ``get_config()`` gives in ``nbgrader_config.py``.
        seed: of the inputs that nobody has seen.
    """
    # nbgrader calls alembic by its bare name, which only an activated environment finds
    beside = str(Path(sys.executable).parent)
    os.environ["PATH"] = os.pathsep.join([beside, os.environ.get("PATH", "")])
    config.Autograde.sanitize_preprocessors = [PutGuardsBack]
    config.Autograde.autograde_preprocessors = [
        GradeAside,
        LimitOutput,
        SaveAutoGrades,
        AssignLatePenalties,
    ]
    config.GradeAside.seed = seed
    config.ExportApp.plugin_class = MarksExport


def _lesson(resources):
    number = resources["nbgrader"]["notebook"][:2]
    if not number.isdigit():
        raise RefusedError(say("The notebook's name begins with no number of a lesson."))
    return lesson_of(number)


def _forget(resources):
    """Take an earlier mark back, so that a refusal leaves none."""
    about = resources["nbgrader"]
    with Gradebook(about["db_url"]) as book:
        submission = book.find_submission_notebook(
            about["notebook"], about["assignment"], about["student"]
        )
        for grade in submission.grades:
            grade.auto_score, grade.needs_manual_grade = None, True
        book.db.commit()
