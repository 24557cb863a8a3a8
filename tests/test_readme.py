"""The README says what is so: links, commands, the lesson table."""

import re
from pathlib import Path

import pytest
from import_graph import ROOT, notebook_imports

README = (ROOT / "README.md").read_text(encoding="utf-8")
ROW = r"^\| \[(\d\d) [^]]+\]\((\S+?\.ipynb)\) \|.*\| (yes|no) \| (\d+) \|$"
ROWS = re.findall(ROW, README, re.MULTILINE)


def outside_code(text):
    return re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)


def test_every_notebook_is_in_the_lesson_table_and_the_other_way_round():
    there = [path.relative_to(ROOT).as_posix() for path in (ROOT / "notebooks").glob("*.ipynb")]
    assert [path for _, path, _, _ in ROWS] == sorted(there)


def test_lesson_numbers_are_those_of_the_files():
    for number, path, _, _ in ROWS:
        assert Path(path).name.startswith(f"{number}_")


@pytest.mark.parametrize(("path", "torch"), [(path, torch) for _, path, torch, _ in ROWS])
def test_needs_torch_column_is_what_the_notebook_imports(path, torch):
    imports = notebook_imports(ROOT / path)
    assert ("torch" in imports) == (torch == "yes")


@pytest.mark.parametrize(("path", "minutes"), [(path, minutes) for _, path, _, minutes in ROWS])
def test_minutes_are_those_the_lesson_itself_names(path, minutes):
    text = (ROOT / path).read_text(encoding="utf-8")
    assert re.search(r"About (\d+) minutes", text).group(1) == minutes


def test_every_link_and_picture_in_the_repository_exists():
    targets = re.findall(r"\]\((?!https?://|#)([^)#\s]+)", outside_code(README))
    assert targets
    missing = [target for target in targets if not (ROOT / target).exists()]
    assert not missing


def test_every_picture_has_words_for_those_who_do_not_see_it():
    assert all(len(alt) >= 20 for alt in re.findall(r"!\[([^]]*)\]\(notebooks/images", README))


def test_every_anchor_leads_to_a_heading():
    headings = re.findall(r"^#+ (.+)$", README, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", README)) <= anchors


def test_the_readmes_commands_are_the_ones_that_are_tested():
    commands = re.findall(r"^python3 -m helpers.*?$", README, re.MULTILINE)
    commands = [command.split("#")[0].strip() for command in commands]
    assert "python3 -m helpers" in commands
    assert "python3 -m helpers test" in commands
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert '"${PYTHON:-python3}" -m helpers test\n' in run
    for tool in ("ruff check .", "ruff format --check ."):
        assert f"-m {tool}" in run
        assert tool in README
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    assert "- run: bash .ci/run\n" in workflow
    assert ".ci/run" in README


def test_pip_and_conda_ways_name_the_files_that_exist():
    for part in ("pip install -r requirements.txt", "pip install --no-deps -e ."):
        assert part in README
    assert "conda env create -f environment.yml" in README
    name = re.search(r"^name: (.+)$", (ROOT / "environment.yml").read_text("utf-8"), re.MULTILINE)
    assert f"conda activate {name.group(1)}\n" in README
