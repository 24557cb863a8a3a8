"""A lesson as nbgrader's source: the public notebook and, at its end, one cell to grade each.

Such a cell fails by itself. nbgrader takes every cell that does not fail as solved, so whoever
grades without this course's preprocessors gives 0 to everybody, never full marks.
"""

import copy
import json
import re
from collections.abc import Mapping

from helpers.language import say
from helpers.teaching.lesson import NOTEBOOKS, ROOT, Lesson

GUARD = "course-guard-"
CONFIGURATION = "nbgrader_config.py"

_SETTINGS = """\
import sys

sys.path.insert(0, {root!r})
from helpers.teaching.nbgrader_adapter import configure

c = get_config()
c.CourseDirectory.course_id = "attention"
configure(c, seed={seed})
"""


def guard_cells(lesson: Lesson) -> list[dict]:
    """Make the cells that carry the points, one an exercise."""
    cells = []
    for name, exercise in lesson.exercises.items():
        sentence = say(
            "{name} is graded by the course, not by running this cell. Nothing is wrong.",
            name=exercise.name,
        )
        about = {
            "grade": True,
            "grade_id": f"{GUARD}{name}",
            "locked": True,
            "points": exercise.points,
            "schema_version": 3,
            "solution": False,
            "task": False,
            "cell_type": "code",
        }
        cells.append(
            {
                "cell_type": "code",
                "execution_count": None,
                "id": re.sub(r"\W", "-", f"{GUARD}{name}"),
                "metadata": {"nbgrader": about},
                "outputs": [],
                "source": f"raise RuntimeError({json.dumps(sentence)})",
            }
        )
    return cells


def guarded(notebook: Mapping, lesson: Lesson) -> dict:
    """Give a notebook its cells to grade, whatever became of them; the rest has no metadata.

    Args:
        notebook: as JSON; it is not changed.
        lesson: the lesson it is graded as.
    """
    made = copy.deepcopy(dict(notebook))
    guards = guard_cells(lesson)
    sources = {cell["source"] for cell in guards}
    kept = []
    for cell in made["cells"]:
        about = cell.get("metadata", {}).pop("nbgrader", {})
        ours = isinstance(about, dict) and str(about.get("grade_id", "")).startswith(GUARD)
        if not ours and "".join(cell["source"]) not in sources:
            kept.append(cell)
    made["cells"] = kept + guards
    return made


def course_files(lesson: Lesson, seed: int) -> dict[str, bytes]:
    """Make nbgrader's course folder for a lesson: its configuration and the source."""
    (file,) = NOTEBOOKS.glob(f"{lesson.number}_*.ipynb")
    made = guarded(json.loads(file.read_text(encoding="utf-8")), lesson)
    text = json.dumps(made, ensure_ascii=False, indent=1) + "\n"
    return {
        CONFIGURATION: _SETTINGS.format(root=str(ROOT), seed=seed).encode(),
        f"source/lesson{lesson.number}/{file.name}": text.encode(),
    }
