"""A course folder and an operating system for the tests of the launcher: nothing is installed."""

import os
from pathlib import Path

import pytest

from helpers import __main__ as launcher
from helpers.launcher import environment, machine

PYTHON = (3, 11, 7)
MAC = machine.Machine("Darwin", "arm64", (3, 11), (14, 5))


class FakeRunner:
    """Stands in for the operating system: notes each command, fails where it is told to."""

    def __init__(self):
        self.commands, self.limits, self.settings = [], {}, {}
        self.fail_at, self.output, self.raises, self.code = None, "", None, 1
        self.pip_settings = ""

    def __call__(self, command, watch=None, limit=None, settings=None):
        assert isinstance(command, list)
        assert all(isinstance(part, str) for part in command)
        self.commands.append(command)
        text = " ".join(command)
        self.limits[text], self.settings[text] = limit, settings
        if self.fail_at and self.fail_at in text:
            if self.raises:
                raise self.raises
            for line in self.output.splitlines():
                watch.line(line)
            return self.code
        if "-m venv" in text:
            make_environment(Path(command[-1]))
        if text.endswith("pip config list"):
            for line in self.pip_settings.splitlines():
                watch.line(line)
        return 0

    def installs(self):
        return [c for c in self.commands if "install" in c or "venv" in c]


def make_environment(place):
    """Make what `python -m venv` makes, as far as the launcher looks at it."""
    python = environment.python_of(place)
    python.parent.mkdir(parents=True)
    python.touch()
    (python.parent / "jupyter").write_text(f"#!{python}\n", encoding="utf-8")
    (place / "pyvenv.cfg").write_text(f"command = python -m venv {place}\n", encoding="utf-8")
    library = place / ("Lib" if os.name == "nt" else "lib/python3")
    (library / "site-packages").mkdir(parents=True)


@pytest.fixture
def course(tmp_path, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(machine, "this_machine", lambda version: MAC)
    monkeypatch.setattr(environment.sys, "platform", "darwin")
    root = tmp_path / "self attention 课程"
    (root / "helpers").mkdir(parents=True)
    (root / "notebooks").mkdir()
    (root / "requirements.txt").write_text("# pins\nnumpy==2.0\ntorch==2.9.0\n", encoding="utf-8")
    tools = '[project]\n[project.optional-dependencies]\ntest = ["pytest==9.2.0"]\n'
    (root / "pyproject.toml").write_text(tools, encoding="utf-8")
    return root


@pytest.fixture
def run():
    return FakeRunner()


def start(root, run, *arguments, version=PYTHON):
    return launcher.main(list(arguments), run=run, root=root, version=version)


def again(root, *arguments, version=PYTHON):
    run = FakeRunner()
    assert start(root, run, *arguments, version=version) == 0
    return run
