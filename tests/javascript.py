"""Call a function of a browser demonstration from a test, through Node."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from helpers.course.browser import with_shared

LESSONS = Path(__file__).resolve().parents[1] / "helpers" / "lessons"
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")


def call(script, function, *arguments):
    """Return what an exported function of helpers/lessons/<script> gives for these arguments."""
    module = with_shared(LESSONS / script)
    run = (
        f"\nprocess.stdout.write(JSON.stringify({function}(...{json.dumps(arguments)})));"
        "\nprocess.exit(0);"
    )
    result = subprocess.run(
        ["node", "--input-type=module", "-"],
        input=module + run,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)
