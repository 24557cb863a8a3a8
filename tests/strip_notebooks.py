"""Bring notebooks into the form that is committed: ``python tests/strip_notebooks.py [file ...]``.

Outputs, run counters and all that an editor adds go; sources and cell ids stay. Without a file
name all lessons are stripped.
"""

import json
import sys
from pathlib import Path

LESSONS = Path(__file__).resolve().parents[1] / "notebooks"
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def stripped(text):
    """Return the text of a notebook file without outputs and passing metadata."""
    notebook = json.loads(text)
    notebook["metadata"] = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    for cell in notebook["cells"]:
        cell["metadata"] = {}
        if cell["cell_type"] == "code":
            cell.update(outputs=[], execution_count=None)
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:] or sorted(LESSONS.glob("*.ipynb"))):
        path.write_text(stripped(path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
