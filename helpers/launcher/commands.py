"""The words that may follow ``python3 -m helpers``, and what each of them runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from helpers.language import say
from helpers.launcher.failures import StartError

FIRST_LESSON = Path("notebooks", "01_who_is_he.ipynb")


class Command(NamedTuple):
    """One word, what may follow it, and what the environment's Python then runs."""

    word: str  # "" for no word at all
    options: str
    about: str
    arguments: object  # a function: (root, what follows the word) -> arguments of the Python
    tools: bool = False  # whether it needs the packages that only the tests need


def commands() -> list[Command]:
    """Return all commands. A new one is one more line here, usually with ``module``."""
    return [
        Command(
            "",
            say("[notebook] [options of JupyterLab]"),
            say("open the course in JupyterLab"),
            lab,
        ),
        Command(
            "test",
            say("[options of pytest]"),
            say("run all tests, two files side by side (-n 0: one after another)"),
            module("pytest", "-n", "2", "--dist", "loadscope"),
            tools=True,
        ),
        Command(
            "grade",
            say("folder|zip|notebook --lessons 04"),
            say("grade homework: marks, feedback, what to teach next"),
            module("helpers.homework"),
        ),
        Command(
            "teach",
            say("04 [--bank] [--guide] [--out folder]"),
            say("write teacher's notes, prediction sheets, answer keys, question banks"),
            module("helpers.teaching"),
        ),
        Command(
            "site",
            say("[folder] [--executed folder] [--check]"),
            say("write the course as pages that anyone can open, and check them"),
            module("helpers.site"),
            tools=True,
        ),
        Command(
            "real",
            "",
            say("fetch the real model of an optional notebook, 83 MB; it asks first"),
            module("helpers.lessons.lesson10.real"),
        ),
    ]


def usage() -> str:
    """Return the help text: one line a command."""
    lines = [
        (f"python3 -m helpers {command.word}".strip() + f" {command.options}", command.about)
        for command in commands()
    ]
    width = max(len(line) for line, _ in lines)
    first = say("The first start makes the environment in .venv and needs a network.")
    return "\n".join([*(f"{line:{width}}   {about}" for line, about in lines), "", first, ""])


def chosen(arguments: list[str]) -> tuple[Command, list[str]]:
    """Return the command that the arguments name and what follows its word."""
    first = arguments[0] if arguments else ""
    opening, *others = commands()
    for command in others:
        if first == command.word:
            return command, arguments[1:]
    if not first or first.startswith("-") or first.lower().endswith(".ipynb"):
        return opening, arguments
    raise StartError(
        say("There is no command {word}.", word=first),
        say("This is what there is:\n\n{usage}", usage=usage()),
    )


def module(name: str, *first: str) -> object:
    """Return the arguments that run a module, with its first options and what follows the word."""
    return lambda root, rest: ["-m", name, *first, *rest]


def lab(root: Path, rest: list[str]) -> list[str]:
    """Return the arguments that open JupyterLab at a notebook, at lesson 01 if none is named.

    The server listens on this machine alone, unless an option says otherwise. JupyterLab refuses
    to start as root, which is the only user of many containers, unless it is told to.
    """
    hidden = hiding(root)
    if hidden:
        raise StartError(
            say(
                "The file {file} hides the course's package, which is called helpers too: no "
                "lesson can start.",
                file=hidden,
            ),
            say("Give it another name, then run the same command again."),
        )
    lesson, rest = notebook(root, rest)
    # Without a root, Lab would show the lesson's own folder alone.
    options = [f"--ServerApp.root_dir={root}"]
    given = {option.split("=")[0] for option in rest}
    if not given & {"--ip", "--ServerApp.ip"}:
        options.append("--ServerApp.ip=127.0.0.1")
    if getattr(os, "geteuid", lambda: 1)() == 0 and "--allow-root" not in given:
        options.append("--allow-root")
    return ["-m", "jupyterlab", *options, str(lesson), *rest]


def notebook(root: Path, rest: list[str]) -> tuple[Path, list[str]]:
    """Take a notebook that is named first out of the arguments, or take lesson 01."""
    if not rest or rest[0].startswith("-"):
        return root / FIRST_LESSON, rest
    for start in (Path.cwd(), root, root / "notebooks"):
        file = (start / rest[0]).resolve()
        if file.is_file():
            if root.resolve() not in file.parents:
                raise StartError(
                    say("The notebook {file} is not in the folder of the course.", file=file),
                    say("Copy it into the folder notebooks, then run the same command again."),
                )
            return file, rest[1:]
    raise StartError(
        say("There is no notebook {name}.", name=rest[0]),
        say("The lessons are in the folder notebooks, for example {name}.", name=FIRST_LESSON),
    )


def hiding(root: Path) -> Path | None:
    """Find a learner's file beside the notebooks that hides the package helpers."""
    for name in ("helpers.py", "helpers/__init__.py"):
        found = sorted((root / "notebooks").rglob(name))
        if found:
            return found[0]
    return None
