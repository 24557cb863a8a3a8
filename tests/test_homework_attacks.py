"""S6: what tries to get a point without being right gets none, and changes nothing here."""

import sys

import numpy as np
import pytest
from cases.homework_attacks import ATTACKS, table_of_answers
from cases.submission_variants import GOOD
from homework import SEED, graded
from submissions import filled, lesson_notebook, save

from helpers.lessons import lesson04

BASE = lesson_notebook("lesson04")
WATCHED = ("helpers.course", "helpers.homework", "helpers.lessons.lesson04", "numpy", "json")


def known_answers():
    """The results of every public input, of the seeds that check and grade have used."""
    exercise = lesson04.softmax
    return {
        (np.asarray(case["x"], float).tobytes().hex(), case.get("axis", -1)): (
            exercise.reference(case["x"], case.get("axis", -1)).ravel().tolist()
        )
        for seed in (20, 21)
        for case in exercise.cases(seed)
    }


def state():
    """What the modules of this process hold."""
    return {
        (name, key): id(value)
        for name, module in list(sys.modules.items())
        if name.startswith(WATCHED)
        for key, value in list(vars(module).items())
        if callable(value)
    }


@pytest.fixture(scope="module")
def attacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("attacks")
    sources = {**ATTACKS, "a_table": table_of_answers(known_answers()), "honest": GOOD}
    for name, source in sources.items():
        save(filled(BASE, {"softmax": source}), folder / "HW" / name / "hw.ipynb")
    before = state()
    run = graded(folder / "HW", "--jobs", "2")
    after = state()
    run.changed = {key for key in before if after.get(key) != before[key]}
    return run


@pytest.mark.parametrize("name", [*ATTACKS, "a_table"])
def test_s6_an_attack_earns_nothing(attacked, name):
    assert attacked.marks[name]["points"] == "0", attacked.marks[name]["remarks"]


def test_s6_the_modules_of_the_judge_are_unchanged_and_an_honest_answer_is_graded(attacked):
    assert attacked.marks["honest"]["points"] == "1"
    assert attacked.changed == set()
    assert len(attacked.rows) == len(ATTACKS) + 2
    note = (attacked.out / "assignment.toml").read_text(encoding="utf-8")
    assert note.startswith(f"seed = {SEED}\n")


def test_s6_a_table_passes_check_so_only_inputs_that_nobody_has_seen_catch_it(attacked):
    names = {"np": np}
    exec(table_of_answers(known_answers()), names)
    assert lesson04.softmax.check(names["softmax"]).correct
    page = next((attacked.out / "feedback").glob("a_table*")).read_text(encoding="utf-8")
    assert "right on the inputs of check, and wrong on others" in page


def test_what_is_printed_in_a_hidden_call_is_nowhere_in_the_feedback(tmp_path):
    source = table_of_answers(known_answers()).replace(
        "    key =", "    print('input', np.asarray(x).ravel().tolist())\n    key ="
    )
    save(filled(BASE, {"softmax": source}), tmp_path / "HW" / "Anna" / "hw.ipynb")
    run = graded(tmp_path / "HW")
    page = next((run.out / "feedback").iterdir()).read_text(encoding="utf-8")
    assert "wrong on others" in page
    public = {str(v) for seed in (20,) for c in lesson04.softmax.cases(seed) for v in c["x"].flat}
    for case in lesson04.softmax.cases(SEED):
        for value in case["x"].flat:
            text = str(value)
            assert len(text) < 4 or text in public or text not in page
    assert "input" not in page.replace("inputs of check", "")


def test_no_line_of_a_reference_stands_in_the_feedback(attacked):
    lines = [
        line.strip()
        for line in lesson04.softmax.solution().source.splitlines()
        if len(line.strip()) >= 25 and '"""' not in line and not line.startswith("def")
    ]
    assert lines
    for page in (attacked.out / "feedback").iterdir():
        text = page.read_text(encoding="utf-8")
        assert not [line for line in lines if line in text], page.name
        assert "http" not in text, "a page needs no network"
