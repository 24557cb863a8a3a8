"""Bring notebooks into the form that is committed: ``python tests/strip_notebooks.py [file ...]``.

Outputs, run counters and all that an editor adds go; sources and cell ids stay; the first code
cell is folded; a file that lost its ids, as Colab saves it, gets new ones. Without a file name all
notebooks are stripped.
"""

import json
import sys
from pathlib import Path

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
FOLDED = {"jupyter": {"source_hidden": True}}


def stripped(text):
    """Return the text of a notebook file without outputs and passing metadata."""
    notebook = json.loads(text)
    notebook["metadata"] = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    notebook.update(nbformat=4, nbformat_minor=5)
    used = {cell.get("id") for cell in notebook["cells"]}
    folded = False
    for number, cell in enumerate(notebook["cells"]):
        cell["metadata"] = {}
        if not cell.get("id"):
            cell["id"] = next(
                name for k in range(len(used) + 1) if (name := f"cell-{number + k}") not in used
            )
            used.add(cell["id"])
        if cell["cell_type"] == "code":
            cell.update(outputs=[], execution_count=None)
            if not folded:
                cell["metadata"], folded = FOLDED, True
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:] or sorted(NOTEBOOKS.rglob("*.ipynb"))):
        path.write_text(stripped(path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
