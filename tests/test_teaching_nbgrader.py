"""S10: nbgrader around `grade`. Without nbgrader only what needs it is skipped, by name."""

import csv
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.teaching import command
from helpers.teaching.lesson import LESSONS, NOTEBOOKS, lesson_of
from helpers.teaching.nbgrader_source import guard_cells, guarded

needs_nbgrader = pytest.mark.skipif(
    importlib.util.find_spec("nbgrader") is None, reason="nbgrader, of the extra teach, is missing"
)
NAME = "04_score_normalise_sum"
TITLE = "lesson04"
NAMES = {
    "ada": ('O\'Neil, "Ada"', "A, B"),
    "ben": ("=1+1", "@Ben"),
    "cho": ("王", "小明"),
    "dan": ("", ""),
}
SHOWN = {**NAMES, "ben": ("'=1+1", "'@Ben")}


def public(number="04"):
    (file,) = NOTEBOOKS.glob(f"{number}_*.ipynb")
    return json.loads(file.read_text(encoding="utf-8"))


def solved(lesson):
    """The public notebook with the references pasted in at its end."""
    made = public(lesson.number)
    code = [exercise.solution().source for exercise in lesson.exercises.values()]
    for place, source in enumerate(code):
        made["cells"].append(
            {
                "cell_type": "code",
                "execution_count": None,
                "id": f"mine-{place}",
                "metadata": {},
                "outputs": [],
                "source": source,
            }
        )
    return made


@pytest.mark.parametrize("number", LESSONS)
def test_s10_each_released_cell_to_grade_fails_when_it_is_run(number):
    lesson = lesson_of(number)
    cells = guard_cells(lesson)
    assert len(cells) == len(lesson.exercises)
    for cell in cells:
        with pytest.raises(RuntimeError, match="is graded by the course"):
            exec(cell["source"], {})
    points = [cell["metadata"]["nbgrader"]["points"] for cell in cells]
    assert points == [exercise.points for exercise in lesson.exercises.values()]


def test_s10_cells_to_grade_come_back_after_any_treatment():
    lesson = lesson_of("04")
    released = guarded(public(), lesson)
    guards = guard_cells(lesson)
    assert released["cells"][-len(guards) :] == guards
    stripped = json.loads(json.dumps(released))
    for cell in stripped["cells"]:
        cell["metadata"] = {}
    emptied = json.loads(json.dumps(released))
    emptied["cells"][-1]["source"] = "5"
    doubled = {**released, "cells": [*released["cells"], *released["cells"][-3:]]}
    for treated in (public(), stripped, emptied, doubled):
        assert [cell["source"] for cell in guarded(treated, lesson)["cells"]] == [
            cell["source"] for cell in released["cells"]
        ]


def run(folder, *words):
    """Run nbgrader without an activated environment."""
    kept = {key: value for key, value in os.environ.items() if key in ("SYSTEMROOT", "TEMP")}
    home = folder.parent / "home"
    home.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *words],
        cwd=folder,
        env={**kept, "HOME": str(home), "PATH": os.defpath},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def export(folder):
    code, said = run(folder, "export")
    assert code == 0, said
    with (folder / "grades.csv").open(encoding="utf-8-sig", newline="") as opened:
        rows = list(csv.DictReader(opened))
    assert not [row for row in rows if None in row or None in row.values()], "columns have moved"
    assert {row["student_id"]: (row["last_name"], row["first_name"]) for row in rows} == SHOWN
    return {row["student_id"]: row["score"] for row in rows}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course folder with four students: solved, untouched, without metadata, conflict marks."""
    folder = tmp_path_factory.mktemp("nbgrader") / "course"
    assert command.main(["04", "--nbgrader", "--out", str(folder)]) == 0
    code, said = run(folder, "generate_assignment", TITLE, "--create")
    assert code == 0, said
    lesson = lesson_of("04")
    released = (folder / "release" / TITLE / f"{NAME}.ipynb").read_text(encoding="utf-8")
    handed = {
        "ada": json.dumps(guarded(solved(lesson), lesson)),
        "ben": released,
        "cho": json.dumps(solved(lesson)),
        "dan": "<<<<<<< HEAD\n" + released,
    }
    for student, text in handed.items():
        file = folder / "submitted" / student / TITLE / f"{NAME}.ipynb"
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
        last, first = NAMES[student]
        words = ["db", "student", "add", student, f"--last-name={last}", f"--first-name={first}"]
        code, said = run(folder, *words)
        assert code == 0, said
    return folder


def test_another_lesson_in_the_same_course_folder_keeps_the_seed(tmp_path, capsys):
    texts = set()
    for number in ("04", "03"):
        assert command.main([number, "--nbgrader", "--out", str(tmp_path)]) == 0
        texts.add((tmp_path / "nbgrader_config.py").read_text(encoding="utf-8"))
    assert len(texts) == 1
    assert len(list((tmp_path / "source").iterdir())) == 2


@needs_nbgrader
def test_s10_marks_are_those_of_grade_and_a_refusal_is_an_empty_mark(course, tmp_path):
    folder = shutil.copytree(course, tmp_path / "course")
    run(folder, "autograde", TITLE)
    most = float(sum(exercise.points for exercise in lesson_of("04").exercises.values()))
    wanted = {"ada": str(most), "ben": "0.0", "cho": str(most), "dan": ""}
    assert export(folder) == wanted
    file = folder / "submitted" / "ada" / TITLE / f"{NAME}.ipynb"
    file.write_text("<<<<<<< HEAD\n", encoding="utf-8")
    run(folder, "autograde", TITLE, "--student", "ada", "--force")
    assert export(folder) == {**wanted, "ada": ""}, "an earlier mark stands for a refused file"


@needs_nbgrader
def test_s10_an_autograde_without_our_configuration_gives_no_marks(course, tmp_path):
    folder = shutil.copytree(course, tmp_path / "course")
    (folder / "nbgrader_config.py").write_text("c = get_config()\n", encoding="utf-8")
    beside = os.pathsep.join([str(Path(sys.executable).parent), os.defpath])
    for words in (["autograde", TITLE, "--student", "ada"], ["export"]):
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *words],
            cwd=folder,
            env={"PATH": beside, "HOME": str(tmp_path)},
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, "it has to run: a mark of something that failed proves nothing"
    with (folder / "grades.csv").open(encoding="utf-8", newline="") as opened:
        scores = {row["student_id"]: row["score"] for row in csv.DictReader(opened)}
    assert scores == dict.fromkeys(NAMES, "0.0"), "a course without our export: never a mark"
