"""The launcher's words, its processes and its lock, with real processes and real folders."""

import ast
import io
import os
import re
import signal
import subprocess
import sys
import time
import venv
import zipfile
from pathlib import Path

import pytest
from launching import FakeRunner, start

from helpers.launcher import commands, environment, processes

ROOT = Path(__file__).resolve().parents[1]
SOURCES = [ROOT / "helpers" / name for name in ("__init__.py", "__main__.py", "language.py")]
SOURCES += sorted((ROOT / "helpers" / "launcher").glob("*.py"))
needs_signals = pytest.mark.skipif(os.name == "nt", reason="needs signals and locks of Unix")

# The words after the command


@pytest.mark.parametrize("word", ["tset", "grades", "lab", "Test", "9999", "课程"])
def test_unknown_word_is_an_error_with_the_list_of_what_there_is(course, run, capsys, word):
    assert start(course, run, word, "--no-browser") == 1
    said = capsys.readouterr().out
    assert f"There is no command {word}." in said
    assert commands.usage() in said
    assert run.commands == []


def lab_of(run):
    return run.commands[-1][3:]


@pytest.mark.parametrize("name", ["notebooks/05_x.ipynb", "05_x.ipynb"])
def test_named_notebook_is_opened_and_options_still_go_to_jupyterlab(course, run, name):
    file = course / "notebooks" / "05_x.ipynb"
    file.touch()
    assert start(course, run, name, "--port", "9999") == 0
    assert lab_of(run)[-3:] == [str(file.resolve()), "--port", "9999"]
    assert not any("01_who_is_he" in part for part in lab_of(run))


def test_notebook_that_is_not_there_or_outside_is_named(course, run, capsys, tmp_path):
    assert start(course, run, "notebooks/11_none.ipynb") == 1
    assert "There is no notebook notebooks/11_none.ipynb." in capsys.readouterr().out
    outside = tmp_path / "own.ipynb"
    outside.touch()
    assert start(course, run, str(outside)) == 1
    assert "is not in the folder of the course" in capsys.readouterr().out
    assert run.commands == []


@pytest.mark.parametrize(("user", "allowed"), [(0, True), (1000, False)])
def test_jupyterlab_is_allowed_as_root_and_only_then(course, run, monkeypatch, user, allowed):
    monkeypatch.setattr(commands.os, "geteuid", lambda: user, raising=False)
    start(course, run)
    assert ("--allow-root" in lab_of(run)) == allowed


def test_server_listens_on_this_machine_alone_unless_an_option_says_otherwise(course, run):
    start(course, run)
    assert "--ServerApp.ip=127.0.0.1" in lab_of(run)
    for option in ("--ip=0.0.0.0", "--ServerApp.ip=0.0.0.0"):
        start(course, run, option)
        assert [part for part in lab_of(run) if "ip=" in part] == [option]


@pytest.mark.parametrize("name", ["helpers.py", "deeper/helpers.py", "helpers/__init__.py"])
def test_learners_own_helpers_beside_the_notebooks_is_named(course, run, capsys, name):
    file = course / "notebooks" / name
    file.parent.mkdir(exist_ok=True)
    file.touch()
    assert start(course, run) == 1
    assert f"The file {file} hides the course's package" in capsys.readouterr().out
    assert start(course, run, "test") == 0


@pytest.mark.parametrize("name", ["helpers.py", "helpers/__init__.py", "other.py"])
def test_lesson_names_the_learners_own_helpers_when_it_imports_that(tmp_path, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine = 1\n", encoding="utf-8")
    code = (
        "import sys; sys.path[:0] = ['', sys.argv[1]]\n"
        "import course_path; course_path.add(sys.argv[2].encode())\n"
        "from helpers import language; print(language.__file__)"
    )
    paths = [str(ROOT / "helpers" / "launcher"), str(ROOT)]
    done = subprocess.run(
        [sys.executable, "-I", "-X", "utf8", "-c", code, *paths],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
    )
    if name == "other.py":
        assert done.returncode == 0, done.stderr
        return
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: The file ")
    assert Path(name).name in last
    assert "Give it another name" in last


@pytest.mark.parametrize("encoding", ["ascii", "gbk", "cp1252", "utf-8"])
@pytest.mark.parametrize("words", [["--help"], ["课程"]])
def test_every_console_shows_what_is_said(tmp_path, encoding, words):
    settings = {"PYTHONUTF8": "0", "PYTHONIOENCODING": encoding, "PYTHONWARNDEFAULTENCODING": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error::EncodingWarning", "-m", "helpers", *words],
        cwd=tmp_path,
        env={**os.environ, **settings, "PYTHONPATH": str(ROOT)},
        capture_output=True,
    )
    assert done.returncode == int(words != ["--help"])
    assert done.stderr == b""
    assert commands.usage() in done.stdout.decode(encoding).replace(os.linesep, "\n")


# What old Pythons must be able to read


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_launcher_can_be_read_by_old_python_and_uses_the_standard_library_alone(source):
    tree = ast.parse(source.read_text(encoding="utf-8"), feature_version=(3, 8))
    keywords = {k.arg for n in ast.walk(tree) if isinstance(n, ast.Call) for k in n.keywords}
    assert "shell" not in keywords
    imported = {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    imported |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    tops = {name.split(".")[0] for name in imported} - {"helpers"}
    if source.stem == "language":
        tops -= {"babel"}  # say() reads its catalogues with it, where it is installed
    assert tops <= sys.stdlib_module_names


# Processes


def test_child_output_is_read_as_utf8_and_its_exit_code_returned(tmp_path):
    watch = processes.Progress(tmp_path)
    code = "import os, sys; print('他', sys.flags.utf8_mode, os.environ['X']); sys.exit(7)"
    run = processes.run_command([sys.executable, "-c", code], watch, settings={"X": "set"})
    assert run == 7
    assert watch.lines == ["他 1 set"]


def test_command_that_is_too_slow_is_stopped_though_it_keeps_printing(tmp_path):
    code = "import time\nfor i in range(200):\n    print(i, flush=True)\n    time.sleep(0.1)"
    start_time = time.monotonic()
    watch = processes.Progress(tmp_path)
    assert processes.run_command([sys.executable, "-c", code], watch, limit=1.5) != 0
    assert time.monotonic() - start_time < 15
    assert watch.lines[-1] == processes.TIME_IS_UP


def test_silent_command_shows_the_time_and_how_much_has_arrived(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(processes, "TICK", 0.5)
    (tmp_path / "download").write_bytes(bytes(3_000_000))
    code = "import time; time.sleep(1.5)"
    processes.run_command([sys.executable, "-c", code], processes.Progress(tmp_path))
    assert re.search(r"^  0:0\d min, 3 MB so far$", capsys.readouterr().out, re.MULTILINE)


def test_progress_is_pips_output_made_short(capsys, tmp_path):
    watch = processes.Progress(tmp_path)
    watch.line("Collecting numpy==2.0")
    watch.line("  Downloading https://host/a/numpy-2.0.whl (16.9 MB)")
    watch.line("  Downloading small-1.0.whl (20 kB)")
    watch.line("Installing collected packages: a, b, c")
    assert capsys.readouterr().out.splitlines() == [
        "  downloading numpy-2.0.whl, 16.9 MB",
        "  packages to unpack: 3",
    ]


def interrupted(parent, wait_for):
    """Run a program, send Ctrl-C to it and its children; return its exit code and errors."""
    process = subprocess.Popen(
        [sys.executable, "-c", parent],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout.readline() == wait_for
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    return process.returncode, errors


@needs_signals
def test_ctrl_c_leaves_the_running_program_to_stop_itself():
    child = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGINT, lambda *_: sys.exit(5))\n"
        "print('ready', flush=True)\n"
        "time.sleep(20)"
    )
    command = [sys.executable, "-c", child]
    parent = f"from helpers.launcher.processes import run_command; exit(run_command({command}))"
    assert interrupted(parent, b"ready\n") == (5, b"")


@needs_signals
def test_ctrl_c_lets_pip_clear_away_its_temporary_files(tmp_path):
    cleared = tmp_path / "cleared"
    child = (
        "import pathlib, time\n"
        "try:\n"
        "    print('Downloading a (1 MB)', flush=True)\n"
        "    time.sleep(20)\n"
        "except KeyboardInterrupt:\n"
        "    time.sleep(0.5)\n"
        f"    pathlib.Path({str(cleared)!r}).touch()"
    )
    parent = (
        "from pathlib import Path; from helpers.launcher.processes import Progress, run_command; "
        f"run_command({[sys.executable, '-c', child]}, Progress(Path({str(tmp_path)!r})))"
    )
    _, errors = interrupted(parent, b"  downloading a, 1 MB\n")
    assert b"KeyboardInterrupt" in errors
    assert cleared.exists()


# The lock

HOLD = (
    "import sys, time; from pathlib import Path; from helpers.launcher.lock import only_one\n"
    "with only_one(Path(sys.argv[1]), lambda: print('waits', flush=True)):\n"
    "    print('has it', flush=True)\n"
    "    {then}"
)
# Some file systems of a network have no locks: here the first file that is locked lies on one.
WITHOUT_LOCKS = (
    "import errno, fcntl; real, files = fcntl.flock, []\n"
    "def flock(file, how):\n"
    "    files.append(file)\n"
    "    if file == files[0]: raise OSError(errno.ENOLCK, 'No locks available')\n"
    "    real(file, how)\n"
    "fcntl.flock = flock\n"
)


def holder(folder, then, before=""):
    """Start a process that takes the lock of a folder."""
    return subprocess.Popen(
        [sys.executable, "-c", before + HOLD.format(then=then), str(folder)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )


@pytest.mark.parametrize("before", ["", pytest.param(WITHOUT_LOCKS, marks=needs_signals)])
def test_second_start_waits_and_a_killed_one_leaves_no_lock_behind(tmp_path, before):
    first = holder(tmp_path, "time.sleep(60)", before)
    assert first.stdout.readline() == "has it\n"
    second = holder(tmp_path, "time.sleep(60)", before)
    try:
        assert second.stdout.readline() == "waits\n"
        first.kill()
        assert second.stdout.readline() == "has it\n"
    finally:
        for process in (first, second):
            process.kill()
            process.communicate()


@needs_signals
def test_pip_that_outlives_a_killed_start_keeps_the_next_one_waiting(tmp_path):
    child = [sys.executable, "-c", "import time; time.sleep(3)"]
    then = (
        "from helpers.launcher.processes import Progress, run_command; "
        f"run_command({child}, Progress(Path(sys.argv[1])))"
    )
    first = holder(tmp_path, then)
    assert first.stdout.readline() == "has it\n"
    time.sleep(0.5)
    first.kill()
    second = holder(tmp_path, "pass")
    said, _ = second.communicate(timeout=20)
    first.communicate()
    assert said == "waits\nhas it\n"


# A real environment


@pytest.mark.skipif(os.name == "nt", reason="the programs of Windows are imitated below")
def test_programs_of_an_environment_run_after_it_was_put_in_place(tmp_path):
    root = tmp_path / "self attention 课程"
    root.mkdir()
    aside, place = root / ".vnew", root / ".venv"
    venv.create(aside, with_pip=False)
    program = aside / "bin" / "program"
    # How pip writes the first line where the path has blanks.
    body = f"#!/bin/sh\n'''exec' \"{aside}/bin/python\" \"$0\" \"$@\"\n' '''\n"
    program.write_text(body + "import sys; print(sys.prefix)\n", encoding="utf-8")
    program.chmod(0o755)
    environment.settle(aside, place)
    environment.put_in_place(root)
    done = subprocess.run([place / "bin" / "program"], capture_output=True, encoding="utf-8")
    assert done.stdout.strip() == str(place)
    activate = f". '{place}/bin/activate'; command -v python"
    done = subprocess.run(["sh", "-c", activate], capture_output=True, encoding="utf-8")
    assert done.stdout.strip() == f"{place}/bin/python"


def test_exe_of_windows_stays_whole_when_its_path_is_changed(tmp_path, monkeypatch):
    aside, place = tmp_path / ".vnew", tmp_path / ".venv"
    FakeRunner()(["python", "-m", "venv", str(aside)])
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as opened:
        opened.writestr("__main__.py", "print(1)\n")
    first = b'#!"' + os.fsencode(str(aside / "python.exe")) + b'"\r\n'
    program = environment.python_of(aside).parent / "jupyter.exe"
    program.write_bytes(b"MZ" + bytes(100) + first + archive.getvalue())
    size = program.stat().st_size
    environment.settle(aside, place)
    assert program.stat().st_size == size
    assert first.replace(b".vnew", b".venv") in program.read_bytes()
    assert zipfile.ZipFile(program).read("__main__.py") == b"print(1)\n"
