"""The files that make an environment are well formed and agree; what is committed is clean."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from strip_notebooks import stripped

from helpers.launcher.environment import LAB_SETTINGS

ROOT = Path(__file__).resolve().parents[1]
ALLOWED = {
    *("README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff"),
    *("environment.yml", "pyproject.toml", "requirements.txt"),
    *("notebooks", "helpers", "tests", "binder"),
}
BINARY = {".ttf", ".png", ".npz"}
# Pieced together, so that this file does not hold what it forbids.
MACHINE_PATH = re.compile(
    "|".join(rf"(?<![\w.])/{d}/" for d in ("work", "root", "home", "Users"))
    + r"|\b[A-Z]:\\{1,2}Users"
)


def committed_files():
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, encoding="utf-8"
    )
    names = [name for name in listing.stdout.split("\0") if name]
    return [ROOT / name for name in names if (ROOT / name).is_file()]


def conda_dependencies():
    data = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    pip = [entry["pip"] for entry in data["dependencies"] if isinstance(entry, dict)]
    conda = [entry for entry in data["dependencies"] if isinstance(entry, str)]
    assert len(pip) == 1
    return data, conda, pip[0]


def pins(lines):
    return {
        requirement.name: str(requirement.specifier)
        for requirement in map(Requirement, lines)
        if not (requirement.marker or requirement.url or requirement.extras)
    }


def required_lines():
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_requirements_are_exact_pins_of_what_pyproject_names():
    required = [Requirement(line) for line in required_lines()]
    accepted = {r.name: r.specifier for r in map(Requirement, project()["dependencies"])}
    assert {r.name for r in required} == set(accepted)
    for r in required:
        (pin,) = r.specifier
        assert pin.operator == "=="
        assert accepted[r.name].contains(pin.version), r


def test_conda_brings_only_python_and_pip():
    data, conda, _ = conda_dependencies()
    assert set(data) == {"name", "channels", "dependencies"}
    assert conda == ["python=3.11", "pip"]
    assert data["channels"] == ["conda-forge", "nodefaults"]


def test_conda_environment_has_the_pins_of_requirements():
    _, _, pip = conda_dependencies()
    options = [line for line in pip if line.startswith("-")]
    assert options == pip[:1] == ["--extra-index-url https://download.pytorch.org/whl/cpu"]
    assert pins(pip[1:]) == pins(required_lines())


def test_python_of_conda_satisfies_pyproject():
    assert Requirement(f"python{project()['requires-python']}").specifier.contains("3.11")


def test_binder_environment_is_a_twin():
    twin = (ROOT / "binder" / "environment.yml").read_bytes()
    assert twin == (ROOT / "environment.yml").read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="repo2docker does not run on Windows")
def test_repo2docker_reads_the_binder_folder_as_intended(monkeypatch):
    from repo2docker.app import Repo2Docker
    from repo2docker.buildpacks import CondaBuildPack

    monkeypatch.chdir(ROOT)
    app = Repo2Docker()
    packs = (make(app.base_image) for make in app.buildpacks)
    pack = next(pack for pack in packs if pack.detect())
    pack.platform = "linux/amd64"
    assert type(pack) is CondaBuildPack
    assert pack.binder_dir == "binder"
    assert pack.python_version == "3.11"
    assert list(pack.get_post_build_scripts()) == ["binder/postBuild"]
    (disabled,) = json.loads(LAB_SETTINGS)["disabledExtensions"]  # no news there either
    assert disabled in (ROOT / "binder" / "postBuild").read_text(encoding="utf-8")
    dockerfile = pack.render({"NB_UID": "1000", "NB_USER": "jovyan"})
    assert "env update" in dockerfile
    assert "binder/environment.yml" in dockerfile


def test_binder_link_stands_in_one_place():
    link = re.compile(r"mybinder\.org/v2/gh/[\w-]+/[\w.-]+/\S*")
    texts = [p for p in committed_files() if p.suffix not in BINARY and p != Path(__file__)]
    found = [m for p in texts for m in link.findall(p.read_text(encoding="utf-8"))]
    assert len(found) == 1, found
    assert "urlpath=lab/tree/notebooks/01_who_is_he.ipynb" in found[0]


def test_top_level_holds_only_what_a_visitor_expects():
    names = {path.relative_to(ROOT).parts[0] for path in committed_files()}
    assert {name for name in names if not name.startswith(".")} <= ALLOWED


def test_committed_files_are_plain_utf8_without_paths_of_a_machine():
    bad = []
    for path in committed_files():
        if path.suffix in BINARY:
            continue
        data = path.read_bytes()
        text = data.decode("utf-8")  # raises with the file's name in the traceback's locals
        if text.startswith("\ufeff"):
            bad.append(f"{path.name}: byte order mark")
        if b"\r" in data:
            bad.append(f"{path.name}: Windows line ends")
        bad += [f"{path.name}: {match}" for match in MACHINE_PATH.findall(text)]
    assert not bad


def test_notebooks_are_stripped():
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        text = path.read_text(encoding="utf-8")
        assert json.loads(stripped(text)) == json.loads(text), path.name


def test_stripping_keeps_sources_and_ids_and_folds_the_first_code_cell():
    cell = {"cell_type": "code", "source": ["1 + 1  # 他"]}
    full = {**cell, "execution_count": 3, "metadata": {"tags": ["x"]}, "outputs": [{"text": "2"}]}
    cells = [{**full, "id": name} for name in "ab"]
    notebook = {"cells": cells, "metadata": {"widgets": {}}, "nbformat": 4, "nbformat_minor": 5}
    folded, open_ = json.loads(stripped(json.dumps(notebook)))["cells"]
    clean = {**cell, "execution_count": None, "outputs": []}
    assert folded == {**clean, "id": "a", "metadata": {"jupyter": {"source_hidden": True}}}
    assert open_ == {**clean, "id": "b", "metadata": {}}
    assert stripped(stripped(json.dumps(notebook))) == stripped(json.dumps(notebook))


def test_stripping_gives_back_what_colab_takes_away():
    cell = {"cell_type": "markdown", "metadata": {"id": "x"}, "source": ["a"]}
    notebook = {"cells": [cell, cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 0}
    read = json.loads(stripped(json.dumps(notebook)))
    assert read["nbformat_minor"] == 5
    assert len({cell["id"] for cell in read["cells"]}) == 2


def test_scripts_may_be_executed():
    for name in (".ci/run", "binder/postBuild"):
        listing = subprocess.run(
            ["git", "ls-files", "-s", "--", name], cwd=ROOT, capture_output=True, encoding="utf-8"
        )
        if not (ROOT / ".git").exists():
            pytest.skip("not a git checkout")
        assert listing.stdout.startswith("100755"), name


def test_importing_helpers_imports_nothing_heavy():
    code = "import sys, helpers; print(sorted({'numpy', 'torch', 'matplotlib'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == b"[]"
