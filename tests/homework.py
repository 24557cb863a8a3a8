"""Runs of the grader for its tests: a class in a folder, graded by the command itself."""

import csv
import tempfile
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

from helpers.homework import command
from helpers.homework.course_copy import copied

SEED = 738201
_COPIES = {}


def _copied_once(folder, exercises, with_sources=False):
    """The copy of the course, which takes a second, made once for the same exercises."""
    wanted = (*(exercise.name for exercise in exercises), with_sources)
    if wanted not in _COPIES:
        kept = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        _COPIES[wanted] = kept, copied(Path(kept.name), exercises, with_sources)
    return _COPIES[wanted][1]


def graded(source, *options, out=None, lessons=("04",), seed=SEED):
    """Grade a folder as the command does; return its exit code, rows of marks and folder."""
    out = out or source.parent / f"{source.stem}-marks"
    words = ["--lessons", *lessons] if lessons else []
    with patch.object(command, "copied", _copied_once):
        code = command.main([str(source), "--out", str(out), "--seed", str(seed), *options, *words])
    rows = []
    if (out / "marks.csv").exists():
        with (out / "marks.csv").open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    marks = {row["student"]: row for row in rows}
    return SimpleNamespace(code=code, rows=rows, marks=marks, out=out)
