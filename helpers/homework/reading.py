"""Read a submitted notebook, whatever editor saved it, or refuse it in one sentence."""

import ast
import json
import re
import unicodedata
from dataclasses import dataclass

from helpers.language import say

_MOST = 100 << 20  # bytes
_CONFLICT = re.compile(r"^(<{7}|>{7})( |$)", re.MULTILINE)
_BODY_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun")
_ASSIGNED_MAGIC = re.compile(r"^(\s*[\w., ]+=\s*)[%!].*$")


class RefusedError(Exception):
    """The file cannot be graded; the text is one sentence that says why."""


@dataclass(frozen=True)
class Cell:
    """One cell: its number in the notebook from 1, its kind, and its text as plain Python."""

    number: int
    code: bool
    text: str
    broken: str = ""  # why it is not Python, or ""


@dataclass(frozen=True)
class Notebook:
    """The cells of a submitted notebook."""

    cells: tuple[Cell, ...]

    @property
    def code(self) -> list[Cell]:
        """The code cells that are Python."""
        return [cell for cell in self.cells if cell.code and not cell.broken]

    def predictions(self) -> dict[str, str]:
        """The letters that stand in its cells: question -> letter, "?" where none was chosen."""
        found: dict[str, str] = {}
        for cell in self.code:
            for node in ast.walk(ast.parse(cell.text)):
                if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "predict":
                    given = [*node.args, *(k.value for k in node.keywords)]
                    values = [getattr(part, "value", None) for part in given]
                    if values and isinstance(values[0], str):
                        letter = str(values[1]) if len(values) > 1 else "?"
                        letter = unicodedata.normalize("NFKC", letter).strip().upper()
                        found[values[0]] = letter if len(letter) == 1 else "?"
        return found


def notebook_of(data: bytes) -> Notebook:
    """Read a notebook file.

    Args:
        data: its bytes; format 4, with or without a byte order mark, any line ends.

    Raises:
        RefusedError: it is no readable notebook.
    """
    if len(data) > _MOST:
        raise RefusedError(say("The file is larger than 100 MB."))
    if not data.strip():
        raise RefusedError(say("The file is empty."))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RefusedError(
            say("The file's encoding is not UTF-8; open it in Jupyter and save it again.")
        ) from None
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        if _CONFLICT.search(text.replace("\r", "")):
            raise RefusedError(say("Merge conflict marks stand in the file.")) from None
        raise RefusedError(say("The file is no whole notebook; was it cut off?")) from None
    if not isinstance(read, dict) or not isinstance(read.get("cells"), list):
        raise RefusedError(say("The file is no notebook of format 4."))
    cells = []
    for number, raw in enumerate(read["cells"], 1):
        if not isinstance(raw, dict):
            continue
        source = raw.get("source", "")
        parts = source if isinstance(source, list) else [source]
        text = "".join(part for part in parts if isinstance(part, str))
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if _CONFLICT.search(text):
            raise RefusedError(say("Merge conflict marks stand in cell {number}.", number=number))
        if raw.get("cell_type") == "code":
            cells.append(Cell(number, True, *python_of(text)))
        else:
            cells.append(Cell(number, False, text))
    return Notebook(tuple(cells))


def python_of(text: str) -> tuple[str, str]:
    """Take IPython's own lines (%, ! and ?) out of a cell.

    Returns:
        its Python, each line where it was, and why it is none, or "".
    """
    lines = text.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    if lines[first].startswith("%%"):
        if lines[first].split()[0] not in _BODY_MAGICS:
            return "", ""
        lines[first] = ""
    for _ in range(len(lines) + 1):
        try:
            tree = ast.parse("\n".join(lines))
            compile(tree, "<cell>", "exec")
        except SyntaxError as error:
            place = (error.lineno or 1) - 1
            if not _taken_out(lines, min(place, len(lines) - 1)):
                return "\n".join(lines), say(
                    "line {line}: {error}", line=error.lineno or 1, error=error.msg
                )
        except (ValueError, RecursionError, MemoryError) as error:
            return "\n".join(lines), type(error).__name__
        else:
            break
    return "\n".join(lines), ""


def _taken_out(lines, place):
    """Replace one of IPython's lines at or just before a place; say whether there was one."""
    for number in (place, place - 1):
        line = lines[number] if number >= 0 else ""
        code = line.strip()
        blank = line[: len(line) - len(line.lstrip())]
        assigned = _ASSIGNED_MAGIC.match(line)
        if assigned:
            lines[number] = assigned[1] + "None"
            return True
        if code.startswith(("%", "!", "?")) or (code.endswith("?") and "#" not in code):
            lines[number] = f"{blank}pass"
            return True
    return False
