"""What this machine can hold: its Python, its folder, its disk, a build of PyTorch."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from helpers.language import say
from helpers.launcher.failures import StartError, disk_full, no_venv

DISK_NEEDED = 2_000_000_000  # bytes
# Windows allows 259 characters a path. The longest one inside a package is torch's, with 167.
LONGEST_INSIDE = 167
LONGEST_ROOT = 258 - LONGEST_INSIDE - len(r"\.venv\Lib\site-packages" + "\\")
# Where builds of the pinned torch are: at the usual package index, at PyTorch's alone, nowhere.
USUAL, PYTORCH_ONLY, NOWHERE = "usual", "pytorch", "nowhere"
INTEL, ARM = {"x86_64", "amd64"}, {"aarch64", "arm64"}


class Machine(NamedTuple):
    """What decides whether a package has a build for this Python."""

    system: str  # "Linux", "Windows", "Darwin"
    processor: str  # "x86_64", "arm64", … of the Python, in lower case
    python: tuple  # (3, 11)
    system_version: tuple = ()  # of the C library glibc on Linux, () without it; of macOS
    bits: int = 64
    free_threaded: bool = False


def this_machine(version) -> Machine:
    """Describe the machine that runs this Python."""
    system, processor = platform.system(), platform.machine().lower()
    found = ""
    if system == "Windows":  # an Intel Python runs on an ARM machine too: the Python counts
        processor = sysconfig.get_platform().rpartition("-")[2]
    elif system == "Darwin":
        found = platform.mac_ver()[0]
    else:
        try:
            name, _, found = (os.confstr("CS_GNU_LIBC_VERSION") or "").partition(" ")
            found = found if name == "glibc" else ""
        except (AttributeError, ValueError, OSError):  # musl has no such entry
            found = ""
    return Machine(
        system,
        processor,
        tuple(version[:2]),
        tuple(int(part) for part in found.split(".")[:2] if part.isdigit()),
        64 if sys.maxsize > 2**32 else 32,
        bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    )


def torch_source(machine: Machine) -> str:
    """Where the pinned torch has a build for a machine: USUAL, PYTORCH_ONLY or NOWHERE.

    This is what the two indexes list for torch 2.13.0.
    """
    low, high = ((3, 14) if machine.free_threaded else (3, 11)), (3, 14)
    if machine.bits != 64 or not low <= machine.python <= high:
        return NOWHERE
    if machine.system == "Linux":
        there = machine.processor in INTEL | ARM and machine.system_version >= (2, 28)
        return USUAL if there else NOWHERE
    if machine.system == "Darwin":
        # A Python built long ago is told that every newer macOS is 10.16.
        recent = machine.system_version >= (14,) or machine.system_version == (10, 16)
        return USUAL if recent and machine.processor in ARM else NOWHERE
    if machine.system == "Windows" and machine.processor in ARM:
        return NOWHERE if machine.free_threaded else PYTORCH_ONLY
    return USUAL if machine.system == "Windows" and machine.processor in INTEL else NOWHERE


def check_python(version) -> None:
    """Refuse a Python that is too old or cannot make environments."""
    if tuple(version[:2]) < (3, 11):
        found = ".".join(map(str, version[:2]))
        raise StartError(
            say("The course needs Python 3.11 or newer, and this one is {found}.", found=found),
            say("Install a newer one from python.org and start with it: python3.11 -m helpers."),
        )
    if find_spec("venv") is None or find_spec("ensurepip") is None:
        raise StartError(*no_venv())


def check_room(root: Path) -> None:
    """Refuse a folder where the environment cannot fit: too deep for Windows, or a full disk."""
    if platform.system() == "Windows" and not long_paths() and len(str(root)) > LONGEST_ROOT:
        raise StartError(
            say(
                "The path of this folder has {length} characters. Windows allows 260 in all, and "
                "PyTorch needs so many that only {most} are left for the folder: {root}",
                length=len(str(root)),
                most=LONGEST_ROOT,
                root=root,
            ),
            say(
                "Move the whole folder to a short path, for example C:\\course, then run the "
                "same command there. Nothing has been installed."
            ),
        )
    if shutil.disk_usage(root).free < DISK_NEEDED:
        raise StartError(*disk_full())


def long_paths() -> bool:
    """Whether this Windows has lifted its limit on the length of paths."""
    try:
        import winreg

        place = r"SYSTEM\CurrentControlSet\Control\FileSystem"
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, place) as key:
            return bool(winreg.QueryValueEx(key, "LongPathsEnabled")[0])
    except (ImportError, OSError):
        return False
