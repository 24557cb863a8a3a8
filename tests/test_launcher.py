"""`python3 -m helpers` installs when it must, only then, and puts in place only what is whole."""

import sys
from importlib.util import find_spec

import pytest
from launching import MAC, FakeRunner, again, make_environment, start

from helpers import __main__ as launcher
from helpers.launcher import commands, environment, machine


def left(root):
    return sorted(p.name for p in root.iterdir() if p.name in {".venv", ".vnew", ".vold"})


def test_first_start_installs_and_opens_lesson_one(course, run):
    assert start(course, run, "--no-browser", "--port", "9999") == 0
    make, pins = run.installs()
    assert make == [sys.executable, "-m", "venv", "--prompt", ".venv", str(course / ".vnew")]
    assert pins[-2:] == ["numpy==2.0", "torch==2.9.0"]
    lab = run.commands[-1]
    assert lab[:3] == [str(environment.python_of(course / ".venv")), "-m", "jupyterlab"]
    assert str(course / "notebooks" / "01_who_is_he.ipynb") in lab
    assert lab[-3:] == ["--no-browser", "--port", "9999"]
    assert left(course) == [".venv"]


def test_second_start_installs_nothing(course, run):
    start(course, run)
    assert again(course).installs() == []


def test_whole_environment_in_a_folder_without_write_access_is_used(course, run, monkeypatch):
    def refuse(root, on_wait):
        raise PermissionError(13, "Permission denied")

    start(course, run)
    monkeypatch.setattr(environment, "only_one", refuse)
    assert start(course, FakeRunner()) == 0


def test_tests_add_the_test_tools_once_and_pass_arguments_on(course, run):
    start(course, run)
    second = again(course, "test", "-k", "softmax")
    (tools,) = second.installs()
    assert tools[-1] == "pytest==9.2.0"
    side_by_side = ["-n", "2", "--dist", "loadscope"]
    assert second.commands[-1][1:] == ["-m", "pytest", *side_by_side, "-k", "softmax"]
    assert again(course, "test").installs() == []
    assert again(course).installs() == []


def test_failing_test_tools_leave_the_environment_whole(course, run):
    start(course, run)
    broken = FakeRunner()
    broken.fail_at = "pytest==9.2.0"
    assert start(course, broken, "test") == 1
    assert again(course).installs() == []


def test_exit_code_is_that_of_pytest(course, run):
    start(course, run, "test")
    run.fail_at = "-m pytest"
    assert start(course, run, "test") == 1


def test_changed_pins_are_installed_aside_and_a_failure_keeps_the_old_environment(course, run):
    start(course, run)
    (course / ".venv" / "old").touch()
    (course / "requirements.txt").write_text("numpy==2.1\ntorch==2.9.0\n", encoding="utf-8")
    broken = FakeRunner()
    broken.fail_at = "numpy==2.1"
    assert start(course, broken) == 1
    assert (course / ".venv" / "old").exists()
    assert left(course) == [".venv"]
    assert len(again(course).installs()) == 2
    assert not (course / ".venv" / "old").exists()


def test_a_comment_among_the_pins_installs_nothing(course, run):
    start(course, run)
    with (course / "requirements.txt").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert again(course).installs() == []


def test_another_python_or_a_broken_environment_is_made_anew(course, run, monkeypatch):
    start(course, run)
    other = MAC._replace(python=(3, 12))
    monkeypatch.setattr(machine, "this_machine", lambda version: other)
    assert len(again(course, version=(3, 12, 0)).installs()) == 2
    environment.python_of(course / ".venv").unlink()
    assert len(again(course, version=(3, 12, 0)).installs()) == 2


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe\x00broken", b"\x00" * 50])
def test_damaged_stamp_means_not_whole(course, run, damage):
    start(course, run)
    (course / ".venv" / environment.STAMP).write_bytes(damage)
    assert len(again(course).installs()) == 2
    assert again(course).installs() == []


@pytest.mark.parametrize("step", ["-m venv", "numpy==2.0", " -I -X utf8 -c "])
@pytest.mark.parametrize("raises", [None, KeyboardInterrupt()])
def test_nothing_half_made_is_ever_in_place(course, run, step, raises, capsys):
    run.fail_at, run.raises = step, raises
    assert start(course, run) == (130 if raises else 1)
    assert ("Stopped." in capsys.readouterr().out) == bool(raises)
    assert left(course) == []
    assert len(again(course).installs()) == 2


def test_killed_start_leaves_what_the_next_one_clears(course, run):
    make_environment(course / ".vnew")  # no stamp: it was killed while it installed
    assert start(course, run) == 0
    assert left(course) == [".venv"]


def test_start_killed_between_the_two_renames_loses_neither_environment(course, run):
    start(course, run)
    (course / ".venv").rename(course / ".vnew")  # whole, not yet in place
    make_environment(course / ".vold")
    assert again(course).installs() == []
    assert left(course) == [".venv"]
    (course / ".venv").rename(course / ".vold")  # the old one alone is left
    assert again(course).installs() == []
    assert left(course) == [".venv"]


def test_whole_environment_that_could_not_be_put_in_place_waits_for_the_next_start(
    course, run, monkeypatch, capsys
):
    def in_use(root):
        raise PermissionError(13, "Access is denied", str(root))

    with monkeypatch.context() as patch:
        patch.setattr(environment, "put_in_place", in_use)
        assert start(course, run) == 1
    assert "Close JupyterLab" in capsys.readouterr().out
    assert left(course) == [".vnew"]
    assert again(course).installs() == []


def test_what_another_start_has_made_meanwhile_is_not_made_again(course, run, monkeypatch):
    lock = environment.only_one

    def slow(root, on_wait):
        monkeypatch.setattr(environment, "only_one", lock)
        assert start(course, FakeRunner()) == 0  # the other one, in the time of waiting
        return lock(root, on_wait)

    monkeypatch.setattr(environment, "only_one", slow)
    assert start(course, run) == 0
    assert run.installs() == []


def test_settled_environment_names_its_final_place_everywhere(course, run):
    start(course, run)
    place = course / ".venv"
    python = environment.python_of(place)
    assert (python.parent / "jupyter").read_text(encoding="utf-8") == f"#!{python}\n"
    assert str(place) in (place / "pyvenv.cfg").read_text(encoding="utf-8")
    assert len({len(n) for n in (environment.PLACE, environment.ASIDE, environment.BEFORE)}) == 1


def test_missing_ensurepip_is_explained(course, run, capsys, monkeypatch):
    hidden = {"ensurepip"}
    monkeypatch.setattr(machine, "find_spec", lambda n: None if n in hidden else find_spec(n))
    assert start(course, run) == 1
    assert "sudo apt install python3-venv" in capsys.readouterr().out


def test_old_python_is_refused_by_name(course, run, capsys):
    assert start(course, run, version=(3, 9, 2)) == 1
    assert "needs Python 3.11 or newer, and this one is 3.9." in capsys.readouterr().out
    assert run.commands == []


def test_package_without_its_folder_is_explained(course, run, capsys):
    (course / "requirements.txt").unlink()
    assert start(course, run) == 1
    assert "requirements.txt is not beside the folder helpers" in capsys.readouterr().out


def test_full_disk_is_seen_before_anything_is_installed(course, run, capsys, monkeypatch):
    usage = type("Usage", (), {"free": 10**9})
    monkeypatch.setattr(machine.shutil, "disk_usage", lambda path: usage)
    assert start(course, run) == 1
    assert "disk is full" in capsys.readouterr().out
    assert run.commands == []


def test_pip_is_kept_from_user_folders_and_questions(course, run):
    start(course, run)
    settings = next(s for text, s in run.settings.items() if "numpy==2.0" in text)
    assert settings["PIP_USER"] == "0"
    assert settings["PIP_NO_INPUT"] == "1"


# PyTorch's own index


@pytest.mark.parametrize("reachable", [True, False])
def test_linux_tries_the_cpu_index_for_torch_alone_and_for_a_limited_time(
    course, run, monkeypatch, reachable
):
    monkeypatch.setattr(environment.sys, "platform", "linux")
    run.fail_at = None if reachable else environment.CPU_INDEX
    assert start(course, run) == 0
    small, rest = run.installs()[1:]
    assert small[-1] == "torch==2.9.0"
    assert "--no-deps" in small
    assert run.limits[" ".join(small)] == environment.CPU_INDEX_MINUTES * 60
    assert rest[-1] == "torch==2.9.0"
    assert environment.CPU_INDEX not in rest


@pytest.mark.parametrize(
    ("settings", "asked"),
    [
        ("", True),
        ("global.timeout='60'\n:env:.cert='/c.pem'", True),
        (":env:.extra-index-url=''", True),
        (":env:.no-index='0'", True),
        ("global.index-url='https://mirror.example/simple'", False),
        ("install.find-links='\\n/a b\\n/c'", False),
        (":env:.extra-index-url='https://mirror.example'", False),
        ("global.timeout='60'\nuser.no-index='true'", False),
    ],
)
def test_cpu_index_is_left_alone_where_pips_own_settings_say_where_to_look(
    course, run, monkeypatch, settings, asked
):
    monkeypatch.setattr(environment.sys, "platform", "linux")
    run.pip_settings = settings
    assert start(course, run) == 0
    assert any(environment.CPU_INDEX in command for command in run.commands) == asked


def test_cpu_index_is_left_alone_under_ci(course, run, monkeypatch):
    monkeypatch.setattr(environment.sys, "platform", "linux")
    monkeypatch.setenv("CI", "true")
    assert start(course, run) == 0
    assert len(run.installs()) == 2


def test_without_a_build_of_torch_everything_else_is_installed(course, run, monkeypatch, capsys):
    intel_mac = MAC._replace(processor="x86_64")
    monkeypatch.setattr(machine, "this_machine", lambda version: intel_mac)
    assert start(course, run, "test") == 0
    assert not any("torch==2.9.0" in command for command in run.commands)
    assert any("numpy==2.0" in command for command in run.commands)
    assert "lessons that need no PyTorch run" in capsys.readouterr().out
    assert again(course, "test").installs() == []


def test_windows_for_arm_gets_torch_from_pytorch_or_goes_without(course, run, monkeypatch):
    arm = machine.Machine("Windows", "arm64", (3, 12))
    monkeypatch.setattr(machine, "this_machine", lambda version: arm)
    assert start(course, run) == 0
    assert environment.CPU_INDEX in run.installs()[1]
    assert run.installs()[2][-1] == "torch==2.9.0"
    environment.remove(course / ".venv")
    run = FakeRunner()
    run.fail_at = environment.CPU_INDEX
    assert start(course, run) == 0
    assert run.installs()[2][-1] == "numpy==2.0"


def test_every_command_is_in_the_help(capsys):
    assert launcher.main(["--help"]) == 0
    said = capsys.readouterr().out
    for command in commands.commands():
        assert f"python3 -m helpers {command.word}".strip() in said
        assert command.about in said
