"""Homework as it comes in: every file is graded, refused or ignored, and none is changed."""

import copy
import hashlib
import json
import os
import random
import subprocess
import sys
import zipfile
from pathlib import PurePosixPath

import pytest
from cases.submission_variants import GOOD, VARIANTS, WRONG, cell
from homework import graded
from reading import ROOT
from submissions import dumped, filled, lesson_notebook, save

from helpers.homework import grading
from helpers.homework.collect import collected
from helpers.homework.students import Student, on_roster, student_of

BASE = lesson_notebook("lesson04")
RIGHT = filled(BASE, {"softmax": GOOD})


@pytest.fixture(scope="module")
def variants(tmp_path_factory):
    """Grade a class in which every student hands in one of the variants."""
    folder = tmp_path_factory.mktemp("variants")
    for name, (change, _) in VARIANTS.items():
        for file, data in change(copy.deepcopy(RIGHT)).items():
            path = folder / "HW" / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    return graded(folder / "HW", "--jobs", "2")


@pytest.mark.parametrize("name", VARIANTS)
def test_s2_each_variant_of_a_submission_gets_what_it_deserves(variants, name):
    wanted, row = VARIANTS[name][1], variants.marks[name]
    if wanted in ("full", "nothing"):
        assert float(row["lesson04.softmax"]) == (1 if wanted == "full" else 0), row["remarks"]
    else:
        assert wanted in row["remarks"]
        assert row["points"] == "", "what is refused is no zero"


def test_s2_pages_of_feedback_stay_small_after_a_flood(variants):
    pages = list((variants.out / "feedback").iterdir())
    assert len(pages) == sum(wanted in ("full", "nothing") for _, wanted in VARIANTS.values())
    assert max(page.stat().st_size for page in pages) < 100_000


def test_s2_points_do_not_change_with_what_does_not_matter(tmp_path):
    answered = filled(
        BASE,
        {
            "softmax": "def softmax(x, axis=-1):\n    return my_shares(x, axis)",
            "scores": "def scores(Q, K):\n    return Q @ K.swapaxes(-1, -2) / root(K.shape[-1])",
            "quiet_softmax": WRONG.replace("softmax(x, axis=-1)", "quiet_softmax(x)"),
        },
    )
    helper = GOOD.replace("softmax", "my_shares")
    answered["cells"][1:1] = [cell(helper), cell("import math\nroot = math.sqrt")]
    save(answered, tmp_path / "HW" / "as it was" / "hw.ipynb")
    for seed in range(6):
        (tmp_path / "HW" / f"changed {seed}").mkdir()
        data = changed(copy.deepcopy(answered), random.Random(seed))
        (tmp_path / "HW" / f"changed {seed}" / "hw.ipynb").write_bytes(data)
    marks = graded(tmp_path / "HW", "--jobs", "2").marks
    assert marks["as it was"]["points"] == "2"
    for name, row in marks.items():
        assert {**row, "student": ""} == {**marks["as it was"], "student": ""}, name


def test_s2_a_name_may_mean_another_thing_below_the_answer(tmp_path):
    for name, helper in {
        "Anna": GOOD,
        "Ben": GOOD.replace(" - x.max(axis=axis, keepdims=True)", ""),
    }.items():
        own = helper.replace("softmax", "own")
        source = f"{own}\ndef softmax(x, axis=-1):\n    return own(x, axis)"
        answered = filled(BASE, {"softmax": source})
        answered["cells"].append(cell("own = np.ones(3)"))
        save(answered, tmp_path / "HW" / name / "hw.ipynb")
    marks = graded(tmp_path / "HW").marks
    assert marks["Anna"]["points"] == "1"
    assert marks["Ben"]["points"] == "0"
    assert "exp of the raw scores" in marks["Ben"]["remarks"], "the misconception is still named"


def changed(nb, rng):
    """Change what may not matter: order, metadata, ids, versions, magics, line ends."""
    rng.shuffle(nb["cells"])
    nb["nbformat_minor"] = rng.randrange(6)
    nb["metadata"] = {"kernelspec": {"name": rng.choice(["python3", "xpython", "ir"])}}
    for part in nb["cells"]:
        part["metadata"] = rng.choice([{}, {"id": "x"}, {"vscode": {"languageId": "python"}}])
        part["id"] = rng.choice([None, "a", "b"])
        if part["cell_type"] == "code" and rng.random() < 0.3:
            part["source"] = "%matplotlib inline\n" + "".join(part["source"]) + "\n!ls"
        if rng.random() < 0.5:
            part["source"] = "".join(part["source"]).splitlines(keepends=True)
    data = dumped(nb)
    if rng.random() < 0.5:
        data = json.dumps(nb).encode()
    return rng.choice([b"", b"\xef\xbb\xbf"]) + data.replace(b"\n", rng.choice([b"\n", b"\r\n"]))


# ------------------------------------------------------------------ S1 and S3: files


def test_s1_every_file_is_graded_refused_or_ignored_with_a_sentence(tmp_path, capsys):
    packed = tmp_path / "HW1.zip"
    with zipfile.ZipFile(packed, "w") as file:
        for name, data in {
            "HW1/Anna Berg_11_assignsubmission_file_/hw.ipynb": dumped(BASE),
            "HW1/Anna Berg_11_assignsubmission_file_/notes.pdf": b"%PDF",
            "HW1/Anna Berg_11_assignsubmission_file_/.ipynb_checkpoints/hw.ipynb": dumped(BASE),
            "HW1/Ben Okri_12_assignsubmission_file_/hw.ipynb": b"{",
            "HW1/王小明_13_assignsubmission_file_/other.ipynb": dumped({"cells": []}),
            "__MACOSX/HW1/._hw.ipynb": b"\0",
        }.items():
            file.writestr(name, data)
    run = graded(packed)
    said = capsys.readouterr().out
    assert run.code == 1, "something was refused"
    assert "Graded: 1. Refused: 2. Ignored: 3." in said
    for line in ("refused: Ben Okri", "refused: 王小明", "ignored: Anna Berg"):
        assert line in said
    assert said.count("ignored: ") == 3
    assert run.marks["Anna Berg"]["points"] == "0"
    assert run.marks["Ben Okri"]["points"] == ""


def test_s1_exit_codes(tmp_path, capsys):
    one = save(BASE, tmp_path / "Anna.ipynb")
    assert graded(one).code == 0
    assert graded(tmp_path / "nothing.zip").code == 2
    assert graded(one, lessons=("99",), out=tmp_path / "x").code == 2
    assert graded(one, lessons=(), out=tmp_path / "y").code == 2
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"PK")
    assert graded(broken).code == 2
    said = capsys.readouterr()
    assert "Traceback" not in said.out + said.err


@pytest.mark.parametrize("encoding", ["gbk", "ascii"])
def test_s1_the_output_fits_every_console(tmp_path, encoding):
    save(BASE, tmp_path / "HW" / "王小明 Ørsted ✔" / "hw.ipynb")
    run = subprocess.run(
        [sys.executable, "-m", "helpers.homework", tmp_path / "HW", "--lessons", "04"],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "Graded: 1" in run.stdout.decode(encoding)
    assert (tmp_path / "HW-graded" / "marks.csv").exists()


def test_s3_files_keep_their_hash_and_nothing_else_is_written(tmp_path):
    def hashes():
        return {
            path: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in tmp_path.rglob("*")
            if path.is_file() and "HW-marks" not in path.parts
        }

    save(RIGHT, tmp_path / "HW" / "Anna" / "hw.ipynb")
    save(BASE, tmp_path / "HW" / "Ben" / "hw.ipynb")
    before = hashes()
    run = graded(tmp_path / "HW")
    assert hashes() == before
    assert {path.name for path in run.out.iterdir()} == {
        "assignment.toml", "marks.csv", "class.html", "feedback",
    }  # fmt: skip
    assert graded(tmp_path / "HW").code == 0, "its own folder is filled again"


def test_s3_a_folder_with_something_else_is_refused(tmp_path):
    one = save(BASE, tmp_path / "Anna.ipynb")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    assert graded(one, out=tmp_path / "mine").code == 2
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]
    assert graded(one, out=tmp_path / "marks").code == 0
    assert graded(one, out=tmp_path / "marks", lessons=("05",)).code == 2
    assert graded(tmp_path, out=tmp_path / "inside").code == 2


# ------------------------------------------------------------------ names


@pytest.mark.parametrize(
    ("path", "student"),
    [
        ("Anna Berg_123_assignsubmission_file_/hw.ipynb", Student("Anna Berg", "", "123")),
        ("O'Neil, A_7_assignsubmission_file_hw.ipynb", Student("O'Neil, A", "", "7")),
        ("bergananna_12345_678901_hw1.ipynb", Student("bergananna", "", "12345")),
        ("okriben_LATE_12345_678901_04_score.ipynb", Student("okriben", "", "12345")),
        ("20231234-王小明-作业4.ipynb", Student("王小明", "20231234")),
        ("王小明_20231234.ipynb", Student("王小明", "20231234")),
        ("作业4/20231234-王小明.ipynb", Student("王小明", "20231234")),
        ("Anna Berg/04_score_normalise_sum.ipynb", Student("Anna Berg")),
        ("04_score_normalise_sum - Anna Berg (1).ipynb", Student("Anna Berg")),
        ("欧阳小明.ipynb", Student("欧阳小明")),
        ("hw1_Anna_Berg.ipynb", Student("Anna Berg")),
    ],
)
def test_names_are_read_out_of_downloads(path, student):
    assert student_of(PurePosixPath(path), ["04_score_normalise_sum"]) == student


def test_names_meet_the_class_list_whatever_their_order():
    roster = [Student("O'Neil, A", "31"), Student("王小明", "32"), Student("Ørsted Ben", "33")]
    assert on_roster(Student("A ONeil"), roster).number == "31"
    assert on_roster(Student("小明王", "32"), roster).name == "王小明"
    assert on_roster(Student("ørstedben"), roster).number == "33"
    assert on_roster(Student("Somebody"), roster) is None


def test_a_zip_from_chinese_windows_keeps_its_names(tmp_path):
    packed = tmp_path / "hw.zip"
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("A" * 14 + "/hw.ipynb", dumped(BASE))
        file.writestr("B" * 14 + "/hw.ipynb", dumped(BASE))
    name = "20231234王小明".encode("gb18030")
    data = packed.read_bytes().replace(b"A" * 14, name).replace(b"B" * 14, b"20231235-Anna_")
    packed.write_bytes(data)
    names = {file.student.name for file in collected(packed, [])}
    assert names == {"王小明", "Anna"}


def test_who_hands_nothing_in_is_named(tmp_path):
    (tmp_path / "class.csv").write_text("学号,姓名\n20231234,王小明\n7,Anna Berg\n", "utf-8")
    save(BASE, tmp_path / "HW" / "20231234-王小明.ipynb")
    marks = graded(tmp_path / "HW", "--roster", str(tmp_path / "class.csv")).marks
    assert marks["王小明"]["points"] == "0"
    assert marks["Anna Berg"]["points"] == ""
    assert "nothing" in marks["Anna Berg"]["remarks"]


# ------------------------------------------------------------------ S7: limits


def test_s7_after_a_limit_the_next_exercise_is_graded_and_a_loop_costs_once(tmp_path, monkeypatch):
    monkeypatch.setattr(grading, "_CELL", 1.0)
    monkeypatch.setattr(grading, "_EXERCISE", 1.0)
    started = []
    worker = grading.Worker
    monkeypatch.setattr(grading, "Worker", lambda place: started.append(1) or worker(place))
    answers = {
        "scores": "factor = 1\nwhile factor: factor = 1\ndef scores(Q, K):\n    return factor * Q",
        "softmax": "def softmax(x, axis=-1):\n    return factor * x",
        "quiet_softmax": "def quiet_softmax(x):\n    while True: pass",
        "self_attention": "def self_attention(X, W_Q, W_K, W_V, mask=None):\n    return 1 / 0",
    }
    save(filled(BASE, answers), tmp_path / "HW" / "Anna" / "hw.ipynb")
    row = graded(tmp_path / "HW").marks["Anna"]
    assert row["points"] == "0"
    assert row["remarks"].count("did not end within 1 s") == 3
    assert "ZeroDivisionError" in row["remarks"]
    assert len(started) == 3, "one for each loop that ends a process, and one for the rest"
