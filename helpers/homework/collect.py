"""Collect what was handed in: a folder, a zip or one notebook; nothing is written."""

import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from helpers.homework.reading import Notebook, RefusedError, notebook_of
from helpers.homework.students import Student, is_copy, on_roster, student_of
from helpers.language import say

_MOST, _MOST_FILES = 2 << 30, 20_000  # bytes of a zip, unpacked


@dataclass
class File:
    """One file that was found.

    Attributes:
        path: its place in the folder or zip.
        student: whose it is.
        notebook: its cells, or None.
        refused, ignored: why it is not graded, in one sentence, or "".
        time: when it was last changed, to put files of one student in order.
    """

    path: PurePosixPath
    student: Student
    notebook: Notebook | None = None
    refused: str = ""
    ignored: str = ""
    time: float = 0.0


def collected(source: Path, own: Sequence[str], roster: Sequence[Student] = ()) -> list[File]:
    """Find and read all files that were handed in.

    Args:
        source: folder, zip or notebook.
        own: stems of the course's own notebooks.
        roster: the class list, if there is one.

    Returns:
        list of File in the order of their names; each readable notebook with its cells.

    Raises:
        RefusedError: there is no such place, or nothing in it.
    """
    found = sorted(_files(source), key=lambda entry: entry[0].as_posix())
    if not found:
        raise RefusedError(say("There is no file in {source}.", source=source))
    outer = _outer([path for path, _, _ in found if not _ignored(path)], own)
    files = []
    for path, time, read in found:
        inside = PurePosixPath(*path.parts[min(outer, len(path.parts) - 1) :])
        student = student_of(inside, own)
        student = on_roster(student, roster) or student
        file = File(path, student, time=time)
        files.append(file)
        file.ignored = _ignored(path)
        if file.ignored:
            continue
        try:
            file.notebook = notebook_of(read())
        except RefusedError as refused:
            file.refused = str(refused)
        except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
            # RuntimeError: a zip with a password
            file.refused = say("The file cannot be read: {error}", error=str(error)[:200])
    return files


def _ignored(path):
    if any(part.startswith((".", "__MACOSX")) for part in path.parts[:-1]) or path.name[0] == ".":
        if ".ipynb_checkpoints" in path.parts:
            return say("It is a checkpoint copy, which Jupyter makes by itself.")
        return say("It is a hidden file of the system.")
    if path.suffix.lower() != ".ipynb":
        return say("It is not a notebook (.ipynb).")
    return ""


def _outer(paths, own):
    """Count the outer folders that all files share and that name no student."""
    depth = 0
    while paths and all(len(path.parts) > depth + 2 for path in paths):
        names = {path.parts[depth] for path in paths}
        below = {path.parts[depth + 1] for path in paths}
        if len(names) > 1 or len(below) < 2:
            break
        depth += 1
    if not depth and len(paths) > 1 and all(len(path.parts) == 2 for path in paths):
        # one folder around everything, such as HW1/Anna.ipynb; or all files of one student
        owners = {path.parts[0] for path in paths}
        named = not any(path.name.startswith(tuple(own)) for path in paths)
        depth = int(len(owners) == 1 and named and not student_of(PurePosixPath(*owners), ()).key)
    return depth


def _files(source: Path) -> Iterator[tuple[PurePosixPath, object, object]]:
    """Yield each file's place, time and a function that reads it."""
    if source.is_dir():
        for file in sorted(source.rglob("*")):
            if file.is_file():
                place = PurePosixPath(file.relative_to(source).as_posix())
                if place.suffix.lower() == ".zip":
                    yield from _unpacked(file, place.with_suffix(""), place)
                else:
                    yield place, file.stat().st_mtime, file.read_bytes
    elif source.suffix.lower() == ".zip" and source.is_file():
        try:
            yield from _zipped(zipfile.ZipFile(source), PurePosixPath())
        except zipfile.BadZipFile:
            raise RefusedError(say("{source} is no whole zip file.", source=source)) from None
    elif source.is_file():
        yield PurePosixPath(source.name), source.stat().st_mtime, source.read_bytes
    else:
        raise RefusedError(say("There is no {source}.", source=source))


def _unpacked(data, inside, place):
    """The files of a zip inside a folder or another zip; the zip itself if it is broken."""
    try:
        yield from _zipped(zipfile.ZipFile(data), inside)
    except zipfile.BadZipFile:
        yield place.with_suffix(".ipynb"), 0.0, lambda: b"PK"


def _zipped(packed: zipfile.ZipFile, inside: PurePosixPath):
    entries = [entry for entry in packed.infolist() if not entry.is_dir()]
    if sum(entry.file_size for entry in entries) > _MOST or len(entries) > _MOST_FILES:
        raise RefusedError(say("The zip would be larger than 2 GB when it is unpacked."))
    for entry in entries:
        parts = [part for part in PurePosixPath(_name(entry)).parts if part not in ("/", "..")]
        place = inside.joinpath(*parts)
        if place.suffix.lower() == ".zip" and not inside.parts:
            yield from _unpacked(io.BytesIO(packed.read(entry)), place.with_suffix(""), place)
        else:
            yield place, _time(entry), lambda entry=entry: packed.read(entry)


def _time(entry):
    try:
        return datetime(*entry.date_time).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def _name(entry):
    """The name of a file in a zip; Chinese Windows writes it in GBK and does not say so."""
    name = entry.filename.replace("\\", "/")
    if entry.flag_bits & 0x800:
        return name
    try:
        raw = name.encode("cp437")
    except UnicodeEncodeError:
        return name
    for kind in ("utf-8", "gb18030"):
        try:
            return raw.decode(kind)
        except UnicodeDecodeError:
            continue
    return name


def best_first(files: Sequence[File]) -> list[File]:
    """Put notebooks of one student in order: no mere copies, then the newest, then by name."""
    by_name = sorted(files, key=lambda file: file.path.as_posix())
    newest = sorted(by_name, key=lambda file: file.time, reverse=True)
    return sorted(newest, key=lambda file: is_copy(file.path.name))
