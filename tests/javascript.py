"""Call a function of a demonstration's script from a test, through Node."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from helpers.course.demonstration import module_of

HELPERS = Path(__file__).resolve().parents[1] / "helpers"
LESSONS = HELPERS / "lessons"
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")


def call(script, function, *arguments):
    """Return what a function of a script gives for these arguments.

    The script's path starts at helpers, or at helpers/lessons for that of a lesson.
    """
    return call_many(script, [(function, *arguments)])[0]


def call_many(script, calls):
    """Return what each of (function, *arguments) gives, in one run of the text that travels."""
    root = LESSONS if script.startswith("lesson0") else HELPERS
    lines = ",".join(f"{name}(...{json.dumps(arguments)})" for name, *arguments in calls)
    run = subprocess.run(
        ["node", "--input-type=module", "-"],
        input=f"{module_of(root / script)}process.stdout.write(JSON.stringify([{lines}]));",
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)
