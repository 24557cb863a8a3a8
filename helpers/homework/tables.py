"""The marks as CSV files: one for spreadsheets, and the teacher's own from Moodle and Canvas."""

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

from helpers.homework.assignment import Assignment
from helpers.homework.grading import Graded, summary
from helpers.homework.reading import RefusedError
from helpers.homework.students import Student, alike, decoded, delimiter, squeezed
from helpers.language import say

_MOODLE = {
    "key": ("identifier", "标识符", "识别码", "id"),
    "name": ("full name", "全名", "姓名", "vollständiger name", "nombre completo"),
    "number": ("id number", "学号", "编号", "id-nummer", "número de id"),
    "grade": ("grade", "成绩", "分数", "bewertung", "calificación"),
    "most": ("maximum grade", "最高分", "最高成绩", "满分", "bestwertung", "calificación máxima"),
    "comment": ("feedback comments", "反馈评论", "反馈意见", "feedback als kommentar",
                "comentarios de retroalimentación"),
}  # fmt: skip
_CANVAS_IDS = ("student", "id", "sis user id", "sis login id", "integration id", "root account",
               "section", "学生", "班级")  # fmt: skip
_CANVAS_NUMBER = _CANVAS_IDS[2]
_CANVAS_MOST = re.compile("points.possible")


def number(value: float) -> str:
    """Write points with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def harmless(text: str) -> str:
    """Keep a spreadsheet from running a text as a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) else text


def comment(graded: Graded) -> str:
    """Say in one line what each exercise came to."""
    if graded.problem:
        return graded.problem
    parts = []
    for result in graded.results.values():
        name = result.exercise.name.rpartition(".")[2]
        earned = f"{name} {number(result.points)}/{number(result.exercise.points)}"
        why = summary(result) if not result.hidden or result.named else ""
        parts.append(f"{earned}: {why}" if why else earned)
    return "; ".join(parts)


def marks_csv(assignment: Assignment, graded: Sequence[Graded]) -> bytes:
    """Write the marks of all students, a column an exercise."""
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\r\n")
    names = [exercise.name for exercise in assignment.exercises]
    table.writerow(
        [say("student"), say("number"), *names, say("points"), say("maximum"), say("remarks")]
    )
    for one in graded:
        earned = [number(one.results[n].points) if n in one.results else "" for n in names]
        total = "" if one.problem else number(one.points)
        student = one.student
        row = [student.name, student.number or student.key, *earned, total]
        row += [number(assignment.maximum), comment(one)]
        table.writerow([harmless(cell) for cell in row])
    return file.getvalue().encode("utf-8-sig")


# ------------------------------------------------------------------ Moodle


def moodle_csv(worksheet: Path, assignment: Assignment, graded: Sequence[Graded]) -> bytes:
    """Fill grade and comment into Moodle's grading worksheet; every other byte stays.

    Raises:
        RefusedError: it is no such worksheet.
    """
    text, kind = _read(worksheet)
    rows = raw_rows(text, delimiter(text))
    heads = [plain(cell.removeprefix("\ufeff")).strip().casefold() for cell in rows[0][:-1]]
    at = {
        column: next((heads.index(word) for word in words if word in heads), None)
        for column, words in _MOODLE.items()
    }
    if at["grade"] is None or (at["key"] is None and at["name"] is None):
        raise RefusedError(
            say("{file} is no grading worksheet of Moodle: no column for the grade.",
                file=worksheet)
        )  # fmt: skip
    for row in rows[1:]:
        cells = {c: plain(row[p]) for c, p in at.items() if p is not None and p < len(row) - 1}
        key = re.sub(r"\D", "", cells.get("key", ""))
        one = _of(graded, Student(cells.get("name", ""), cells.get("number", ""), key))
        if one is None or one.problem or "grade" not in cells:
            continue
        points = one.points
        most = cells.get("most", "").replace(",", ".")
        if re.fullmatch(r"\d+(\.\d+)?", most) and assignment.maximum:
            points *= float(most) / assignment.maximum
        written = number(points)
        if "," in cells.get("most", ""):
            written = written.replace(".", ",")
        row[at["grade"]] = _quoted(written, row[at["grade"]], delimiter(text))
        if "comment" in cells:
            row[at["comment"]] = _quoted(
                harmless(comment(one)), row[at["comment"]], delimiter(text)
            )
    joined = "".join(delimiter(text).join(row[:-1]) + row[-1] for row in rows)
    return joined.encode(kind)


def raw_rows(text: str, separator: str) -> list[list[str]]:
    """Split a CSV text into rows of cells as they are written; the last entry is the line's end."""
    rows, row, start, quoted, place = [], [], 0, False, 0
    while place < len(text):
        sign = text[place]
        if sign == '"':
            quoted = not quoted
        elif not quoted and sign == separator:
            row.append(text[start:place])
            start = place + 1
        elif not quoted and sign in "\r\n":
            end = "\r\n" if text[place : place + 2] == "\r\n" else sign
            rows.append([*row, text[start:place], end])
            place += len(end) - 1
            row, start = [], place + 1
        place += 1
    if row or start < len(text) or not rows:
        rows.append([*row, text[start:], ""])
    return rows


def plain(cell: str) -> str:
    """Read one cell as it is written."""
    cell = cell.strip()
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"')
    return cell


def _quoted(text, before, separator):
    if before.startswith('"') or any(sign in text for sign in (separator, '"', "\n", "\r")):
        return '"' + text.replace('"', '""') + '"'
    return text


def _read(file):
    try:
        data = file.read_bytes()
    except OSError as error:
        raise RefusedError(
            say("The file {file} cannot be read: {error}", file=file, error=error.strerror)
        ) from None
    for kind in ("utf-8", "gb18030"):
        try:
            return data.decode(kind), kind
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1"), "latin-1"


def _of(graded, student):
    """Find a student's results: by the platform's number, the student's number, then the name."""
    for fits in (
        lambda one: student.key and one.key == student.key,
        lambda one: student.number and one.number == student.number,
        lambda one: alike(one.name) == alike(student.name),
        lambda one: sorted(squeezed(one.name)) == sorted(squeezed(student.name)),
    ):
        found = [one for one in graded if fits(one.student)]
        if len(found) == 1:
            return found[0]
    return None


# ------------------------------------------------------------------ Canvas


def canvas_csv(export: Path, title: str, assignment: Assignment, graded: Sequence[Graded]) -> bytes:
    """Make a table for Canvas: the columns of its export that say who is who, and the marks.

    Args:
        export: the gradebook as Canvas exports it.
        title: of a new column, where the export has none that begins so.
        assignment: what was graded.
        graded: all students' results.

    Raises:
        RefusedError: it is no such export.
    """
    text = decoded(_bytes(export))
    rows = list(csv.reader(io.StringIO(text), delimiter=delimiter(text)))
    heads = [cell.strip() for cell in rows[0]] if rows else []
    ids = [i for i, head in enumerate(heads) if head.casefold() in _CANVAS_IDS]
    if len(ids) < 2:
        raise RefusedError(say("{file} is no gradebook of Canvas.", file=export))
    known = [
        i for i, head in enumerate(heads)
        if i not in ids and head.casefold().startswith(title.casefold())
    ]  # fmt: skip
    column = heads[known[0]] if len(known) == 1 else title
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\r\n")
    table.writerow([*(rows[0][i] for i in ids), column])
    most = assignment.maximum
    for row in rows[1:]:
        if not any(row):
            continue
        who = [row[i] if i < len(row) else "" for i in ids]
        cells = dict(zip((heads[i].casefold() for i in ids), who, strict=True))
        name = who[0].strip()
        if _CANVAS_MOST.search(name.casefold()) or not name:
            given = row[known[0]] if len(known) == 1 and known[0] < len(row) else ""
            most = float(given) if re.fullmatch(r"\d+(\.\d+)?", given) else most
            table.writerow([*who, number(most) if name else ""])
            continue
        student = Student(name, cells.get(_CANVAS_NUMBER, ""), cells.get("id", ""))
        one = _of(graded, student)
        scored = "" if one is None or one.problem else one.points * most / assignment.maximum
        table.writerow([*who, scored if scored == "" else number(scored)])
    return file.getvalue().encode("utf-8-sig")


def _bytes(file):
    try:
        return file.read_bytes()
    except OSError as error:
        raise RefusedError(
            say("The file {file} cannot be read: {error}", file=file, error=error.strerror)
        ) from None
