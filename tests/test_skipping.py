"""What a machine lacks is skipped, never failed, and named at the end of the run."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent
# Imitates an installation without torch, in pytest and in all it starts.
NO_TORCH = """
import functools
from importlib.machinery import PathFinder


def find(real, name, *rest):
    return None if name == "torch" else real(name, *rest)


PathFinder.find_spec = functools.partial(find, PathFinder.find_spec)
"""
FILES = {
    "sitecustomize.py": NO_TORCH,
    "test_top.py": "import torch\n\n\ndef test_it():\n    assert torch.ones(2).sum() == 2\n",
    "test_inside.py": (
        "import pytest\n\n\n"
        "def test_torch():\n    import torch.nn\n\n\n"
        "def test_optional():\n    pytest.importorskip('torch')\n\n\n"
        "@pytest.mark.parametrize('i', [1, 2])\n"
        "@pytest.mark.skipif(True, reason='needs Node')\n"
        "def test_node(i):\n    raise AssertionError\n\n\n"
        "def test_plain():\n    import json\n"
    ),
}


def notebook(code):
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "source": [code]}
    kernel = {"kernelspec": {"name": "python3", "display_name": "", "language": "python"}}
    cells = [{**cell, "execution_count": None}]
    return json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5})


def run(folder):
    """Run pytest in a folder with the plugin under test; return its exit code and report."""
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "heavy.ipynb").write_text(notebook("import torch"), encoding="utf-8")
    (folder / "light.ipynb").write_text(notebook("1 + 1"), encoding="utf-8")
    options = ["-p", "conftest", "-p", "no:cacheprovider", "--nbval-lax", "--nbval-current-env"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-c", os.devnull, "--rootdir", ".", "."],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(TESTS)])},
        capture_output=True,
        encoding="utf-8",
    )
    return done.returncode, done.stdout


def test_without_torch_what_needs_it_is_skipped_and_named_and_the_rest_runs(tmp_path):
    code, report = run(tmp_path)
    assert code == 0, report
    assert "2 passed, 6 skipped" in report
    named = report.partition("skipped on this machine")[2]
    assert re.search(r"^ +4  needs PyTorch, which is not installed", named, re.MULTILINE)
    assert re.search(r"^ +2  needs Node$", named, re.MULTILINE)
