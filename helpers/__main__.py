"""Start the course: make its environment in ``.venv``, then open JupyterLab or run the tests.

This file uses the standard library alone, and Python 3.8 can still read it: it has to run
before anything is installed, and to say so where Python is too old for the course.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

USAGE = """\
python3 -m helpers [options of JupyterLab]     open the course in JupyterLab
python3 -m helpers test [options of pytest]    run all tests

The first start makes the environment in .venv and needs a network. Later starts take seconds.
"""
ROOT = Path(__file__).resolve().parent.parent
FIRST_LESSON = Path("notebooks", "01_who_is_he.ipynb")
DISK_NEEDED = 2_000_000_000  # bytes
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
# Whoever sets one of these has decided where pip looks: the CPU index is then not tried.
PIP_SETTINGS = ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX", "CI")

AGAIN = "then run the same command again."
DISK_FULL = ("The disk is full.", f"Free about 3 GB, {AGAIN}")
NO_VENV = (
    "This Python cannot make environments: its venv or ensurepip module is missing.",
    f"On Debian and Ubuntu run `sudo apt install python3-venv`, {AGAIN}",
)
# What a failed step printed, its cause, its cure. The first match wins.
KNOWN_FAILURES = (
    (r"No space left|Errno 28\b|WinError 112|not enough space|Disk quota", *DISK_FULL),
    (
        r"Permission denied|Errno 13\b|WinError (5|32)\b|Access is denied|Read-only file system",
        "This folder or its .venv may not be written to, or a program is using it.",
        f"Close what uses it, or move the course to a folder of your own, {AGAIN}",
    ),
    (r"ensurepip is not available|No module named '?(venv|ensurepip)\b", *NO_VENV),
    (
        r"NewConnectionError|ConnectTimeout|ReadTimeout|Read timed out|Max retries exceeded"
        r"|getaddrinfo failed|name resolution|ProxyError|SSLError|CERTIFICATE_VERIFY"
        r"|Connection (reset|refused|aborted|broken)",
        "The Python package index cannot be reached.",
        "Check the network (a proxy goes into HTTPS_PROXY, a nearer mirror into PIP_INDEX_URL), "
        + AGAIN,
    ),
    (
        r"No matching distribution found|not a supported wheel|Requires-Python",
        "One of the packages has no build for this Python or this machine.",
        "Use a 64-bit Python 3.11, 3.12 or 3.13 (a Mac needs an Apple chip), " + AGAIN,
    ),
)


class StartError(Exception):
    """Something the learner can put right: one sentence for the cause, one for the cure."""

    def __init__(self, cause, cure):
        super().__init__(f"{cause}\n{cure}")


def main(arguments, run=None, root=ROOT, version=sys.version_info):
    """Open the course or test it; return the exit code."""
    if arguments[:1] in (["-h"], ["--help"]):
        print(USAGE, end="")
        return 0
    run = run or run_command
    testing = arguments[:1] == ["test"]
    try:
        python = prepare(root, testing, run, version)
        if testing:
            return run([python, "-m", "pytest", *arguments[1:]])
        say("Opening JupyterLab. To stop it: Ctrl-C twice in this window.")
        # Without a root, Lab would show the lesson's own folder alone.
        lab = ["-m", "jupyterlab", f"--ServerApp.root_dir={root}", str(root / FIRST_LESSON)]
        return run([python, *lab, *arguments])
    except StartError as error:
        say(f"\n{error}")
    except OSError as error:
        say(f"\n{explain(str(error))}")
    except KeyboardInterrupt:
        say("\nStopped. The next start puts right what was left unfinished.")
        return 130
    return 1


def prepare(root, testing, run, version):
    """Make ``.venv`` hold what the pins say, and return its Python.

    A stamp in it tells what it holds. The stamp is taken away before anything is changed
    and written last, so an environment without one is unfinished and made anew.
    """
    check_python(version)
    stamp = root / ".venv" / "installed.txt"
    wanted = fingerprint(root, version)
    held = stamp.read_text(encoding="utf-8").split() if stamp.is_file() else []
    usable = bool(held) and works(root, run, version)
    current = usable and held[0] == wanted
    if current and (not testing or "test" in held):
        return str(python_of(root))

    if shutil.disk_usage(root).free < DISK_NEEDED:
        raise StartError(*DISK_FULL)
    if stamp.is_file():
        stamp.unlink()
    if not usable:
        make = [sys.executable, "-m", "venv", "--clear", str(root / ".venv")]
        install("Making the environment .venv (a few seconds)", make, run)
    pip = [str(python_of(root)), "-m", "pip", "install", "--disable-pip-version-check"]
    pins = str(root / "requirements.txt")
    if not current:
        install_small_torch(pins, pip, run)
        rest = "Installing JupyterLab, NumPy, PyTorch and the rest (1.4 GB on disk, 2 to 5 minutes)"
        install(rest, [*pip, "-r", pins], run)
        own = [*pip, "--no-deps", "-e", str(root)]
        install("Installing the course's own package, helpers (seconds)", own, run)
    if testing:
        tools = [*pip, "-c", pins, "-e", f"{root}[test]"]
        install("Installing the test tools (less than a minute)", tools, run)
    stamp.write_text(" ".join([wanted, *["test"] * testing]) + "\n", encoding="utf-8")
    say("Everything is installed.\n")
    return str(python_of(root))


def install_small_torch(pins, pip, run):
    """On Linux, try to get PyTorch's small build first; if that fails the usual index follows."""
    if wants_cpu_index(sys.platform, os.environ):
        text = Path(pins).read_text(encoding="utf-8")
        torch = re.search(r"^torch==\S+", text, re.MULTILINE).group()
        quick = ["--no-deps", "--retries", "0", "--timeout", "5"]
        say("* Installing PyTorch's CPU build (0.2 GB to download, 1 to 3 minutes)")
        if run([*pip, "--index-url", CPU_INDEX, *quick, torch], show_progress) != 0:
            say("  Not to be had there. The usual index follows: its Linux build takes 3 GB.")


def wants_cpu_index(platform, environment):
    """Whether to ask PyTorch's CPU index first: on Linux, if nobody has directed pip elsewhere."""
    return platform.startswith("linux") and not any(map(environment.get, PIP_SETTINGS))


def install(text, command, run):
    """Announce and run one step; raise StartError with cause and cure if it fails."""
    output = []

    def keep(line):
        output.append(line)
        show_progress(line)

    say(f"* {text}")
    if run(command, keep) != 0:
        raise explain("\n".join(output))


def show_progress(line):
    """Of pip's many lines, show the large downloads and the last, long step."""
    download = re.search(r"Downloading (?:\S*/)?(\S+) \(([\d.]+ [MG]B)\)", line)
    if download:
        say(f"  downloading {download.group(1)}, {download.group(2)}")
    elif line.startswith("Installing collected packages"):
        say(f"  packages to unpack: {line.count(',') + 1}")


def explain(output):
    """Turn what a failed step printed into a StartError."""
    for pattern, cause, cure in KNOWN_FAILURES:
        if re.search(pattern, output):
            return StartError(cause, cure)
    last = "\n  ".join([line for line in output.splitlines() if line.strip()][-8:])
    cause = f"The installation failed. The last it said:\n  {last}"
    return StartError(cause, f"Delete the folder .venv, {AGAIN}")


def check_python(version):
    """Refuse a Python that is too old or cannot make environments."""
    if tuple(version[:2]) < (3, 11):
        found = ".".join(map(str, version[:2]))
        cause = f"The course needs Python 3.11 or newer, and this one is {found}."
        cure = "Install a newer one from python.org and start with it: `python3.11 -m helpers`."
        raise StartError(cause, cure)
    if find_spec("venv") is None or find_spec("ensurepip") is None:
        raise StartError(*NO_VENV)


def fingerprint(root, version):
    """A hash of all that decides what is installed."""
    files = [root / "requirements.txt", root / "pyproject.toml"]
    for path in files:
        if not path.is_file():
            cure = "Start the course from its complete folder, as git clone makes it."
            raise StartError(f"{path.name} is not beside the folder helpers.", cure)
    parts = [str(tuple(version[:2])).encode(), *(path.read_bytes() for path in files)]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def works(root, run, version):
    """Whether the environment is this folder's, of this Python, and starts."""
    code = (
        "import os, sys, helpers; from importlib.util import find_spec; "
        f"sys.exit(not (sys.version_info[:2] == {tuple(version[:2])} and find_spec('jupyterlab')"
        f" and os.path.samefile(helpers.__file__, {str(root / 'helpers' / '__init__.py')!r})))"
    )
    python = python_of(root)
    return python.is_file() and run([str(python), "-I", "-c", code], lambda line: None) == 0


def python_of(root):
    """The path of the environment's Python."""
    return root / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def say(text):
    """Print at once, also where the output goes through a pipe."""
    print(text, flush=True)


def run_command(command, on_line=None):
    """Run a command in the course's folder; return its exit code.

    Its output goes line by line to ``on_line``, or to the terminal without one. Ctrl-C reaches
    the command as well: JupyterLab and pytest deal with it themselves and are waited for.
    """
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    process = subprocess.Popen(
        command,
        cwd=str(ROOT),
        env={**os.environ, "PYTHONUTF8": "1"},
        encoding="utf-8",
        errors="replace",
        **(pipes if on_line else {}),
    )
    try:
        for line in process.stdout or ():
            on_line(line.rstrip())
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                if on_line:
                    raise
    except KeyboardInterrupt:
        process.communicate()  # pip clears away its temporary files
        raise
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # JupyterLab stops with this program
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # a folder's name may not fit a console's encoding
    sys.exit(main(sys.argv[1:]))
