"""`python3 -m helpers` installs when it must, only then, and explains every failure."""

import ast
import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from helpers import __main__ as launcher

ROOT = Path(__file__).resolve().parents[1]
PYTHON = (3, 11, 7)


class FakeRunner:
    """Stands in for the operating system: notes each command, fails where it is told to."""

    def __init__(self):
        self.commands = []
        self.fail_at, self.output, self.raises = None, "", None

    def __call__(self, command, on_line=None):
        assert isinstance(command, list)
        assert all(isinstance(part, str) for part in command)
        self.commands.append(command)
        text = " ".join(command)
        if self.fail_at and self.fail_at in text:
            if self.raises:
                raise self.raises
            for line in self.output.splitlines():
                if on_line:
                    on_line(line)
            return 1
        if "venv --clear" in text:
            python = launcher.python_of(Path(command[-1]).parent)
            python.parent.mkdir(parents=True, exist_ok=True)
            python.touch()
        return 0

    def installs(self):
        return [c for c in self.commands if "install" in c or "--clear" in c]


@pytest.fixture
def course(tmp_path, monkeypatch):
    for name in launcher.PIP_SETTINGS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(launcher.sys, "platform", "darwin")
    root = tmp_path / "self attention 课程"
    (root / "helpers").mkdir(parents=True)
    (root / "requirements.txt").write_text("numpy==2.0\ntorch==2.9.0\n", encoding="utf-8")
    (root / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
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


def test_first_start_installs_and_opens_lesson_one(course, run):
    assert start(course, run, "--no-browser", "--port", "9999") == 0
    environment, pins, own = run.installs()
    assert environment[:3] == [sys.executable, "-m", "venv"]
    assert pins[-2:] == ["-r", str(course / "requirements.txt")]
    assert own[-3:] == ["--no-deps", "-e", str(course)]
    lab = run.commands[-1]
    assert lab[:3] == [str(launcher.python_of(course)), "-m", "jupyterlab"]
    assert str(course / "notebooks" / "01_who_is_he.ipynb") in lab
    assert lab[-3:] == ["--no-browser", "--port", "9999"]


def test_second_start_installs_nothing(course, run):
    start(course, run)
    assert again(course).installs() == []


def test_tests_add_the_test_tools_once_and_pass_arguments_on(course, run):
    start(course, run)
    second = again(course, "test", "-k", "softmax")
    (tools,) = second.installs()
    assert tools[-1] == f"{course}[test]"
    assert second.commands[-1][1:] == ["-m", "pytest", "-k", "softmax"]
    assert again(course, "test").installs() == []
    assert again(course).installs() == []


def test_exit_code_is_that_of_pytest(course, run):
    start(course, run, "test")
    run.fail_at = "pytest"
    assert start(course, run, "test") == 1


@pytest.mark.parametrize("name", ["requirements.txt", "pyproject.toml"])
def test_changed_pins_are_installed_into_the_same_environment(course, run, name):
    start(course, run)
    with (course / name).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    installs = again(course).installs()
    assert len(installs) == 2
    assert not any("--clear" in command for command in installs)


def test_test_tools_survive_changed_pins(course, run):
    start(course, run, "test")
    (course / "requirements.txt").write_text("torch==2.9.1\n", encoding="utf-8")
    again(course)
    assert len(again(course, "test").installs()) == 1


def test_another_python_or_a_broken_environment_is_made_anew(course, run):
    start(course, run)
    run.fail_at = " -I -c "
    assert start(course, run, version=(3, 12, 0)) == 0
    assert any("--clear" in command for command in run.installs()[3:])
    launcher.python_of(course).unlink()
    assert "--clear" in again(course).installs()[0]


@pytest.mark.parametrize("step", ["venv --clear", "-r ", "--no-deps -e", "[test]"])
@pytest.mark.parametrize("raises", [None, KeyboardInterrupt()])
def test_what_was_left_half_made_is_made_anew(course, run, step, raises, capsys):
    run.fail_at, run.raises = step, raises
    assert start(course, run, "test") == (130 if raises else 1)
    assert ("Stopped." in capsys.readouterr().out) == bool(raises)
    assert "--clear" in again(course, "test").installs()[0]


@pytest.mark.parametrize(
    ("output", "cause", "cure"),
    [
        ("OSError: [Errno 28] No space left on device", "disk is full", "Free about"),
        ("OSError: [WinError 112] There is not enough space on the disk", "disk is full", "Free"),
        ("[Errno 13] Permission denied: '/x'", "may not be written", "folder of your own"),
        ("[WinError 5] Access is denied", "may not be written", "Close what uses it"),
        ("Error: ensurepip is not available.", "cannot make environments", "python3-venv"),
        (
            "Retrying after connection broken by 'NewConnectionError(...)'\n"
            "ERROR: No matching distribution found for numpy==2.0",
            "index cannot be reached",
            "Check the network",
        ),
        ("socket.gaierror: getaddrinfo failed", "index cannot be reached", "PIP_INDEX_URL"),
        ("ERROR: No matching distribution found for torch", "no build for this", "64-bit Python"),
        ("first\nsomething never seen before", "something never seen before", "Delete the folder"),
    ],
)
def test_each_failure_names_cause_and_cure(course, run, capsys, output, cause, cure):
    run.fail_at, run.output = " -r ", output
    assert start(course, run) == 1
    said = capsys.readouterr().out
    assert cause in said
    assert cure in said
    assert "Traceback" not in said


def test_errors_of_the_operating_system_are_explained(course, run, capsys):
    run.fail_at, run.raises = "venv --clear", PermissionError(13, "Permission denied")
    assert start(course, run) == 1
    assert "may not be written to" in capsys.readouterr().out


def test_full_disk_is_seen_before_anything_is_installed(course, run, capsys, monkeypatch):
    usage = type("Usage", (), {"free": 10**9})
    monkeypatch.setattr(launcher.shutil, "disk_usage", lambda path: usage)
    assert start(course, run) == 1
    assert "disk is full" in capsys.readouterr().out
    assert run.commands == []


def test_old_python_is_refused_by_name(course, run, capsys):
    assert start(course, run, version=(3, 9, 2)) == 1
    said = capsys.readouterr().out
    assert "needs Python 3.11 or newer, and this one is 3.9." in said
    assert run.commands == []


def test_missing_ensurepip_is_explained(course, run, capsys, monkeypatch):
    hidden = {"ensurepip"}
    monkeypatch.setattr(launcher, "find_spec", lambda n: None if n in hidden else find_spec(n))
    assert start(course, run) == 1
    assert "sudo apt install python3-venv" in capsys.readouterr().out


def test_package_without_its_folder_is_explained(course, run, capsys):
    (course / "requirements.txt").unlink()
    assert start(course, run) == 1
    assert "requirements.txt is not beside the folder helpers" in capsys.readouterr().out


@pytest.mark.parametrize("reachable", [True, False])
def test_linux_tries_the_cpu_index_for_torch_alone(course, run, monkeypatch, reachable):
    monkeypatch.setattr(launcher.sys, "platform", "linux")
    run.fail_at = None if reachable else launcher.CPU_INDEX
    assert start(course, run) == 0
    small, rest = run.installs()[1:3]
    assert small[-1] == "torch==2.9.0"
    assert "--no-deps" in small
    assert small[small.index("--retries") + 1] == "0"
    assert "-r" in rest
    assert launcher.CPU_INDEX not in rest


def test_cpu_index_is_left_alone_where_pip_is_directed():
    assert launcher.wants_cpu_index("linux", {})
    assert not launcher.wants_cpu_index("win32", {})
    assert not launcher.wants_cpu_index("darwin", {})
    for name in launcher.PIP_SETTINGS:
        assert not launcher.wants_cpu_index("linux", {name: "1"})


def test_progress_is_pips_output_made_short(capsys):
    launcher.show_progress("Collecting numpy==2.0")
    launcher.show_progress("  Downloading https://host/a/numpy-2.0.whl (16.9 MB)")
    launcher.show_progress("  Downloading small-1.0.whl (20 kB)")
    launcher.show_progress("Installing collected packages: a, b, c")
    assert capsys.readouterr().out.splitlines() == [
        "  downloading numpy-2.0.whl, 16.9 MB",
        "  packages to unpack: 3",
    ]


def test_child_output_is_read_as_utf8_and_its_exit_code_returned():
    lines = []
    code = "import sys; print('他', sys.flags.utf8_mode); sys.exit(7)"
    assert launcher.run_command([sys.executable, "-c", code], lines.append) == 7
    assert lines == ["他 1"]


def test_source_can_be_read_by_old_python_and_uses_no_shell():
    source = Path(launcher.__file__).read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 8))
    ast.parse((ROOT / "helpers" / "__init__.py").read_text("utf-8"), feature_version=(3, 8))
    keywords = {k.arg for n in ast.walk(tree) if isinstance(n, ast.Call) for k in n.keywords}
    assert "shell" not in keywords
    imported = {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    imported |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    assert {name.split(".")[0] for name in imported} <= sys.stdlib_module_names


def test_help_works_in_any_encoding_and_from_any_folder(tmp_path):
    settings = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONWARNDEFAULTENCODING": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error::EncodingWarning", "-m", "helpers", "--help"],
        cwd=tmp_path,
        env={**os.environ, **settings, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout == launcher.USAGE
    assert done.stderr == ""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals to send to one process")
def test_ctrl_c_leaves_the_running_program_to_stop_itself():
    child = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGINT, lambda *_: sys.exit(5))\n"
        "print('ready', flush=True)\n"
        "time.sleep(20)"
    )
    command = [sys.executable, "-c", child]
    parent = f"from helpers.__main__ import run_command; exit(run_command({command}))"
    process = subprocess.Popen(
        [sys.executable, "-c", parent],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout.readline() == b"ready\n"
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 5
    assert errors == b""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals to send to one process")
def test_ctrl_c_lets_pip_clear_away_its_temporary_files(tmp_path):
    cleared = tmp_path / "cleared"
    child = (
        "import pathlib, time\n"
        "try:\n"
        "    print('ready', flush=True)\n"
        "    time.sleep(20)\n"
        "except KeyboardInterrupt:\n"
        "    time.sleep(0.5)\n"
        f"    pathlib.Path({str(cleared)!r}).touch()"
    )
    command = [sys.executable, "-c", child]
    parent = (
        "import functools; "
        "from helpers.__main__ import run_command; "
        f"run_command({command}, functools.partial(print, flush=True))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", parent],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout.readline() == b"ready\n"
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert b"KeyboardInterrupt" in errors
    assert cleared.exists()
