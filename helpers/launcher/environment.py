"""The environment ``.venv``: built aside, put in place when it is whole.

A new environment is made in ``.vnew``, also where an old one stands in ``.venv`` and works on.
When all is installed and starts, the paths written into it are turned into those of ``.venv``, a
stamp is written, and the folder is renamed: ``.venv`` to ``.vold``, ``.vnew`` to ``.venv``. So
``.venv`` is at any time either absent or whole, and a failure or an interruption leaves the old
one as it was. What an interruption leaves beside it the next start takes up: a ``.vnew`` with a
stamp is whole and is put in place, one without is deleted; a ``.vold`` without a ``.venv`` comes
back.

An environment holds its own path in two places: ``pyvenv.cfg`` and the programs beside its Python
(their first lines, the scripts that activate it, and on Windows the ``.exe`` files). The three
names have the same length, so replacing one by another leaves even an ``.exe`` intact. The course
itself is reached by a ``.pth`` file, which no later change of the path touches.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
from pathlib import Path

from helpers.language import say
from helpers.launcher import machine
from helpers.launcher.failures import StartError, explain
from helpers.launcher.lock import only_one
from helpers.launcher.processes import Progress, tell

PLACE, ASIDE, BEFORE = ".venv", ".vnew", ".vold"  # of one length, see above
STAMP, LOG = "installed.txt", ".venv.log"
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
CPU_INDEX_MINUTES = 10
# Whoever sets one of these has decided where pip looks: the CPU index is then not tried.
WHERE_PIP_LOOKS = r"(?m)^\S+\.(index-url|extra-index-url|find-links|no-index)='(?!'|0'|false')"
COURSE_PATH = Path(__file__).with_name("course_path.py")
# JupyterLab asks every newcomer whether to fetch its news, over the first lesson.
LAB_SETTINGS = '{"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": true}}\n'


def prepare(root: Path, testing: bool, run, version) -> str:
    """Make ``.venv`` hold what the pins say, and return its Python."""
    machine.check_python(version)
    this = machine.this_machine(version)
    source = machine.torch_source(this)
    pins = [pin for pin in pinned(root) if source != machine.NOWHERE or name_of(pin) != "torch"]
    wanted = fingerprint(
        this.python, this.free_threaded, *pins, COURSE_PATH.read_text("utf-8"), LAB_SETTINGS
    )
    tools = test_tools(root) if testing else []
    tools_wanted = fingerprint(wanted, *tools)
    place = root / PLACE

    def lacks():
        held = stamp_of(place)
        whole = held[:1] == [wanted] and works(place, root, run, version)
        return (not whole, testing and (not whole or held[1:] != [tools_wanted]))

    if any(lacks()):
        machine.check_room(root)
        with only_one(root, tell_waiting):
            take_up(root)
            packages, tests = lacks()
            if packages:
                if stamp_of(root / ASIDE)[:1] != [wanted]:
                    build(root, pins, source, wanted, run, version)
                put_in_place(root)
            if tests:
                options = ["-c", str(root / "requirements.txt"), *tools]
                what = say("Installing the test tools (less than a minute)")
                step(what, [*pip(place, root), *options], root, place, run)
                write_stamp(place, wanted, tools_wanted)
                remove(root / LOG)
            tell(say("Everything is installed.\n"))
    if source == machine.NOWHERE:
        tell(
            say(
                "PyTorch has no build for this machine and this Python. Everything else is "
                "installed; the lessons that need no PyTorch run (the table in README.md)."
            )
        )
    return str(python_of(place))


def tell_waiting() -> None:
    """Say what there is to wait for."""
    tell(say("Another start is making the environment of this folder. Waiting for it to finish."))


def pinned(root: Path) -> list[str]:
    """Read the lines of requirements.txt that name a package."""
    lines = read(root / "requirements.txt").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def test_tools(root: Path) -> list[str]:
    """Read the packages of pyproject.toml that only the tests need."""
    import tomllib

    return tomllib.loads(read(root / "pyproject.toml"))["project"]["optional-dependencies"]["test"]


def read(file: Path) -> str:
    """Return the text of a file that belongs beside the folder helpers."""
    if not file.is_file():
        raise StartError(
            say("{name} is not beside the folder helpers.", name=file.name),
            say("Start the course from its complete folder, as git clone makes it."),
        )
    return file.read_text(encoding="utf-8")


def name_of(pin: str) -> str:
    """Return the name of a pinned package."""
    return re.match(r"[\w.-]+", pin).group()


def fingerprint(*parts) -> str:
    """Return a hash of all that decides what is installed."""
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()


def stamp_of(place: Path) -> list[str]:
    """Return the fingerprints of what an environment holds; none if it is not whole."""
    stamp = place / STAMP
    return stamp.read_bytes().decode("utf-8", "replace").split() if stamp.is_file() else []


def write_stamp(place: Path, *fingerprints: str) -> None:
    """Write the stamp of a whole environment in one go."""
    draft = place / f"{STAMP}.new"
    draft.write_text("\n".join(fingerprints) + "\n", encoding="utf-8")
    draft.replace(place / STAMP)


def take_up(root: Path) -> None:
    """Put right what a start that was interrupted has left beside the environment."""
    place, aside, before = root / PLACE, root / ASIDE, root / BEFORE
    if before.is_dir() and not place.exists() and not stamp_of(aside):
        before.rename(place)
    remove(before)
    if not stamp_of(aside):
        remove(aside)


def put_in_place(root: Path) -> None:
    """Let the environment that was built aside take the place of the old one."""
    place, aside, before = root / PLACE, root / ASIDE, root / BEFORE
    if os.path.lexists(str(place)):
        place.rename(before)
    aside.rename(place)
    remove(before)


def remove(folder: Path) -> None:
    """Delete a folder, or the link or file that stands in its place, if it is there."""
    if folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(str(folder))
    elif os.path.lexists(str(folder)):
        folder.unlink()


def build(root: Path, pins, source, wanted, run, version) -> None:
    """Make a whole environment aside; leave nothing there if that fails."""
    aside = root / ASIDE
    remove(aside)
    remove(root / LOG)
    try:
        make = [sys.executable, "-m", "venv", "--prompt", PLACE, str(aside)]
        step(say("Making the environment (a few seconds)"), make, root, aside, run)
        temporary = aside / "tmp"
        temporary.mkdir()
        if not small_torch(root, pins, source, run) and source == machine.PYTORCH_ONLY:
            pins = [pin for pin in pins if name_of(pin) != "torch"]
            tell(say("  PyTorch is left out: the usual index has no build for this machine."))
        what = say("Installing JupyterLab, NumPy and the rest (1.4 GB on disk, 2 to 5 minutes)")
        step(what, [*pip(aside, root), *pins], root, aside, run)
        add_course(aside, root)
        if not works(aside, root, run, version):
            raise explain(say("The new environment does not start."))
        remove(temporary)
        settle(aside, root / PLACE)
        write_stamp(aside, wanted)
        remove(root / LOG)
    except BaseException:
        shutil.rmtree(str(aside), ignore_errors=True)
        raise


def pip(place: Path, root: Path) -> list[str]:
    """Return the start of a pip command, deaf to what PYTHONPATH adds."""
    python = [str(python_of(place)), "-I", "-X", "utf8", "-m", "pip"]
    return [*python, "--log", str(root / LOG), "--disable-pip-version-check", "install"]


def step(what, command, root, place, run, limit=None, quick=False) -> bool:
    """Announce and run one step. It raises StartError if it fails; a quick one returns False."""
    watch = Progress(place)
    tell(f"* {what}")
    settings = {"PIP_USER": "0", "PIP_NO_INPUT": "1"}
    temporary = place / "tmp"
    if os.name != "nt" and temporary.is_dir():
        settings["TMPDIR"] = str(
            temporary
        )  # the disk that was measured; it may be the only big one
    code = run(command, watch, limit, settings)
    if code and not quick:
        log = root / LOG
        said = log.read_bytes().decode("utf-8", "replace") if log.is_file() else ""
        unread = re.findall(r"Could not fetch URL.*", said)
        raise explain("\n".join([*pip_settings(place, run), *unread, *watch.lines]), code)
    return code == 0


def small_torch(root, pins, source, run) -> bool:
    """Try to get PyTorch's small build, on Linux and on Windows for ARM, from PyTorch's index.

    It is not tried where pip's own settings say where to look (its files and its variables alike)
    or under CI. If it is not to be had in time, the usual index follows.
    """
    torch = [pin for pin in pins if name_of(pin) == "torch"]
    directed = re.search(WHERE_PIP_LOOKS, "\n".join(pip_settings(root / ASIDE, run)))
    here = source == machine.PYTORCH_ONLY or (source and sys.platform.startswith("linux"))
    if not torch or not here or directed or os.environ.get("CI"):
        return False
    options = ["--no-deps", "--retries", "0", "--timeout", "5", "--index-url", CPU_INDEX]
    what = say(
        "Installing PyTorch's CPU build (0.2 GB to download, given up after {minutes} minutes)",
        minutes=CPU_INDEX_MINUTES,
    )
    command = [*pip(root / ASIDE, root), *options, *torch]
    limit = CPU_INDEX_MINUTES * 60
    done = step(what, command, root, root / ASIDE, run, limit=limit, quick=True)
    if not done and source == machine.USUAL:
        tell(say("  Not to be had there. The usual index follows: its Linux build takes 3 GB."))
    return done


def pip_settings(place: Path, run) -> list[str]:
    """Return pip's own settings, one a line: ``global.index-url='…'``, ``:env:.no-index='1'``."""
    if not python_of(place).is_file():
        return []
    watch = Progress(place)
    command = [str(python_of(place)), "-I", "-X", "utf8", "-m", "pip", "config", "list"]
    run(command, watch)
    return watch.lines


def add_course(place: Path, root: Path) -> None:
    """Let the environment find the package helpers where it lies; tell its JupyterLab no news."""
    inside = "Lib/site-packages" if os.name == "nt" else "lib/python*/site-packages"
    (packages,) = place.glob(inside)
    shutil.copyfile(str(COURSE_PATH), str(packages / "self_attention_course_path.py"))
    # An escaped bytes literal: Python reads these files in the encoding of the system.
    line = f"import self_attention_course_path as c; c.add({os.fsencode(str(root))!r})\n"
    (packages / "self_attention_course.pth").write_text(line, encoding="ascii")
    settings = place / "etc" / "jupyter" / "labconfig"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "page_config.json").write_text(LAB_SETTINGS, encoding="utf-8")


def settle(aside: Path, place: Path) -> None:
    """Turn the paths that an environment holds of itself into those of its final place."""
    old, new = os.fsencode(str(aside)), os.fsencode(str(place))
    for file in [aside / "pyvenv.cfg", *python_of(aside).parent.iterdir()]:
        if file.is_file() and not file.is_symlink():
            data = file.read_bytes()
            if old in data:
                file.write_bytes(data.replace(old, new))


def works(place: Path, root: Path, run, version) -> bool:
    """Whether the environment is this folder's, of this Python, and starts."""
    code = (
        "import os, sys, helpers; from importlib.util import find_spec; sys.exit(not ("
        f"sys.version_info[:2] == {tuple(version[:2])} and find_spec('jupyterlab')"
        " and os.path.samefile(helpers.__file__, sys.argv[1])))"
    )
    python, ours = python_of(place), root / "helpers" / "__init__.py"
    command = [str(python), "-I", "-X", "utf8", "-c", code, str(ours)]
    return python.is_file() and run(command, Progress(place)) == 0


def python_of(place: Path) -> Path:
    """Return the path of an environment's Python."""
    return place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
