"""Runs of the grader for its tests: a class in a folder, graded by the command itself."""

import csv
from types import SimpleNamespace

from helpers.homework.command import main

SEED = 738201


def graded(source, *options, out=None, lessons=("04",), seed=SEED):
    """Grade a folder as the command does; return its exit code, rows of marks and folder."""
    out = out or source.parent / f"{source.stem}-marks"
    code = main([str(source), "--out", str(out), "--seed", str(seed), *options,
                 *(["--lessons", *lessons] if lessons else [])])  # fmt: skip
    rows = []
    if (out / "marks.csv").exists():
        with (out / "marks.csv").open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    marks = {row["student"]: row for row in rows}
    return SimpleNamespace(code=code, rows=rows, marks=marks, out=out)
