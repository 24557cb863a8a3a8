"""Who handed a file in: names and numbers in file names, and the class list."""

import csv
import io
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from helpers.homework.reading import RefusedError
from helpers.language import say

_MOODLE = re.compile(r"^(?P<name>.+?)_(?P<key>\d+)_assignsubmission_[a-z]+_?(?P<rest>.*)$")
_CANVAS = re.compile(r"^(?P<name>[^_]+)_(?:LATE_)?(?P<key>\d+)_\d+_(?P<rest>.+)$")
_NUMBER = re.compile(r"(?<!\d)\d{6,20}(?!\d)")
_CHINESE = re.compile(r"[\u4e00-\u9fff]{2,}(?:·[\u4e00-\u9fff]+)*")
_NO_NAME = re.compile(
    r"作业|实验|练习|课程|提交|答案|最终|自注意力|注意力|第.{1,3}[次章课周]|副本|新建"
)
_COPY = re.compile(r"([ _-]*\(\d+\)|[ _-]*-? ?[Cc]opy\d*|[ _-]+副本)+$")
_HEADS = {
    "name": ("name", "student", "full name", "student name", "姓名", "学生姓名", "名字", "学生"),
    "number": ("id", "number", "student id", "id number", "student number", "学号", "sis user id"),
    "first": ("first name", "given name", "名"),
    "last": ("surname", "last name", "family name", "姓"),
}


@dataclass(frozen=True)
class Student:
    """Who handed something in.

    Attributes:
        name: as the file or the class list has it.
        number: a student's number, or "".
        key: the number by which the platform knows the student, or "".
    """

    name: str
    number: str = ""
    key: str = ""


def student_of(path: PurePosixPath, known: Sequence[str]) -> Student:
    """Read a student's name out of a file's place in the download.

    Args:
        path: below the folder or zip, without a common outer folder.
        known: stems of the course's own notebooks, which name no student.

    Returns:
        Student; where nothing else is found, the name is the file's.
    """
    for part in path.parts:
        stem = part.removesuffix(".ipynb").removesuffix(".zip")
        moodle = _MOODLE.match(stem)
        if moodle:
            return _numbered(moodle["name"].strip(), moodle["key"])
        canvas = _CANVAS.match(stem)
        if canvas:
            return _numbered(canvas["name"].strip(), canvas["key"])
    for part in path.parts:
        stem = part.removesuffix(".ipynb").removesuffix(".zip")
        number, name = _NUMBER.search(stem), _chinese(stem)
        if number and name:
            return Student(name, number[0])
        if number and len(number[0]) >= 8:
            rest = _trimmed(stem.replace(number[0], " "), known)
            return Student(rest or number[0], number[0])
    if len(path.parts) > 1:
        return Student(path.parts[0])
    stem = path.name.removesuffix(".ipynb")
    return Student(_chinese(stem) or _trimmed(stem, known) or stem)


def is_copy(name: str) -> bool:
    """Say whether a file's name looks like that of a copy or of a new, unnamed notebook."""
    stem = name.removesuffix(".ipynb")
    return bool(_COPY.search(stem)) or stem.lower().startswith(("untitled", "未命名"))


def _numbered(name, key):
    number, chinese = _NUMBER.search(name), _chinese(name)
    if number and chinese:
        return Student(chinese, number[0], key)
    return Student(name, "", key)


def _chinese(stem):
    for found in _CHINESE.finditer(stem):
        if 2 <= len(found[0]) <= 12 and not _NO_NAME.search(found[0]):
            return found[0]
    return ""


def _trimmed(stem, known):
    """Take the course's own file name and the marks of a copy out of a stem."""
    stem = _COPY.sub("", stem)
    for own in known:
        stem = stem.replace(own, " ")
    stem = stem.replace("_", " ")
    stem = re.sub(r"(?i)\b(homework|assignment|hw|lesson|notebook)[ _-]?\d*\b", " ", stem)
    stem = re.sub(r"(^|[ _-])\d{1,2}(?=$|[ _-])", " ", stem)
    return re.sub(r"[ _-]{2,}|^[ _-]+|[ _-]+$", " ", stem).strip()


def alike(name: str) -> str:
    """A form of a name that does not change with order, commas, capitals or accents."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    words = re.findall(r"[^\W_]+", plain.replace("'", "").replace("’", ""))
    return " ".join(sorted(words))


def squeezed(name: str) -> str:
    """The letters of a name alone, sorted by words, as Canvas puts them into file names."""
    return alike(name).replace(" ", "")


# ------------------------------------------------------------------ class lists


def read_table(file: Path) -> list[list[str]]:
    """Read a CSV file in UTF-8, UTF-16 or GBK, with commas, semicolons or tabs.

    Raises:
        RefusedError: it cannot be read.
    """
    try:
        data = file.read_bytes()
    except OSError as error:
        raise RefusedError(
            say("The file {file} cannot be read: {error}", file=file, error=error.strerror)
        ) from None
    return list(csv.reader(io.StringIO(decoded(data)), delimiter=delimiter(decoded(data))))


def decoded(data: bytes) -> str:
    """Decode a CSV file."""
    kinds = ("utf-16",) if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "gb18030")
    for kind in kinds:
        try:
            return data.decode(kind)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")


def delimiter(text: str) -> str:
    """Find what separates the columns: what stands in the first line most often."""
    first = text.split("\n", 1)[0]
    return max(",;\t", key=first.count)


def roster_of(file: Path) -> list[Student]:
    """Read a class list: a column of names, and perhaps one of numbers.

    Raises:
        RefusedError: there is no column of names.
    """
    rows = [row for row in read_table(file) if any(cell.strip() for cell in row)]
    heads = [cell.strip().casefold() for cell in rows[0]] if rows else []
    places = {
        kind: next((heads.index(word) for word in words if word in heads), None)
        for kind, words in _HEADS.items()
    }
    if places["name"] is None and places["last"] is None:
        raise RefusedError(
            say("The class list {file} needs a first line with a column called name.", file=file)
        )
    students = []
    for row in rows[1:]:
        cells = {k: row[p].strip() for k, p in places.items() if p is not None and p < len(row)}
        name = cells.get("name") or f"{cells.get('first', '')} {cells.get('last', '')}".strip()
        if name:
            students.append(Student(name, cells.get("number", "")))
    return students


def on_roster(student: Student, roster: Sequence[Student]) -> Student | None:
    """Find a student in the class list: by number, then by name; None if not, or if two fit."""
    numbers = {student.number, student.key} - {""}
    for fits in (
        lambda one: one.number in numbers,
        lambda one: alike(one.name) == alike(student.name),
        lambda one: _letters(one.name) == _letters(student.name),
    ):
        found = [one for one in roster if fits(one)]
        if len(found) == 1:
            return Student(found[0].name, found[0].number or student.number, student.key)
    return None


def _letters(name):
    return "".join(sorted(squeezed(name)))
