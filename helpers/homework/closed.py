"""What the process that runs answers may not do, and which library functions are closed to it.

This keeps honest mistakes and simple tricks away from marks and files. It is no sandbox for
hostile code: for that, grade inside a container.
"""

import importlib.abc
import importlib.util
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from helpers.language import say

_HERE = os.path.normcase(str(Path(__file__).resolve().parents[1]))  # the copy's folder helpers
_BETWEEN = re.compile(r"[\\/](course|homework|exercises)[\\/]")  # calls answers: not library code
_STARTS = {"os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.startfile"}
_STARTS |= {"subprocess.Popen", "os.kill", "os.killpg", "socket.connect", "socket.bind"}
_CHANGES = {"os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.chmod", "os.truncate"}
_CHANGES |= {"os.link", "os.symlink", "shutil.rmtree", "shutil.move", "shutil.copyfile"}
_OTHERS_MEMORY = re.compile(r"/proc/\d+")

_forbidden: set[str] = set()


class ClosedError(PermissionError):
    """Something that an answer may not do while it is graded."""


def forbid(names: Sequence[str]) -> None:
    """Choose the library functions that are closed to the cells from now on."""
    _forbidden.clear()
    _forbidden.update(names)


def own_use(name: str) -> None:
    """Stand at the start of a library function: refuse calls that come from the learner's cells.

    Raises:
        ClosedError: the function is the answer that is asked for.
    """
    if name not in _forbidden:
        return
    frame = sys._getframe(2)
    while frame is not None:
        file = os.path.normcase(frame.f_code.co_filename)
        if file.startswith("<cell"):
            break
        if file.startswith(_HERE):
            if _BETWEEN.search(file[len(_HERE) :]):
                break
            return
        frame = frame.f_back
    raise ClosedError(say("{name} of the library is what this exercise asks for", name=name))


def close(scratch: Path, hidden: Sequence[Path]) -> None:
    """Close files, processes and the network for the rest of this process.

    Args:
        scratch: the only folder in which files may be written.
        hidden: folders whose files may not be read, what is in an environment aside.
    """
    inside = str(scratch.resolve())
    shut = [str(Path(folder).resolve()) for folder in hidden]
    open_again = [str(Path(folder).resolve()) for folder in {sys.prefix, sys.base_prefix, _HERE}]

    def below(path, folders):
        return any(path == f or path.startswith(f + os.sep) for f in folders)

    def watch(event, given):
        if event in _STARTS:
            raise ClosedError(say("{event} is closed while an answer is graded", event=event))
        if event not in _CHANGES and event != "open":
            return
        path = given[0]
        if isinstance(path, int) or path is None:
            return
        path = os.path.realpath(os.fsdecode(path))
        writes = event in _CHANGES
        if event == "open":
            mode, flags = given[1] or "", given[2] or 0
            writes = any(sign in mode for sign in "wax+") or flags & (os.O_WRONLY | os.O_RDWR)
        if writes and not below(path, [inside]) and path != os.devnull:
            raise ClosedError(say("files are closed while an answer is graded"))
        if (below(path, shut) and not below(path, [inside, *open_again])) or (
            _OTHERS_MEMORY.match(path) and not path.startswith(f"/proc/{os.getpid()}/")
        ):
            raise ClosedError(say("files are closed while an answer is graded"))

    sys.meta_path[:] = [f for f in sys.meta_path if "editable" not in repr(f)]
    sys.meta_path.insert(0, _WithoutFiles())
    sys.addaudithook(watch)


class _WithoutFiles(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Takes the functions that read files past Python out of torch as it is loaded."""

    def find_spec(self, name, path=None, target=None):
        if name != "torch" or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None:
            self.loader, spec.loader = spec.loader, self
        return spec

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        self.loader.exec_module(module)

        def refused(*arguments, **options):
            raise ClosedError(say("files are closed while an answer is graded"))

        storages = [v for v in vars(module).values() if isinstance(v, type)]
        for place in (module, *storages, module._VF, module.ops.aten):
            for name in ("from_file", "_new_shared_filename"):
                if hasattr(place, name):
                    try:
                        setattr(place, name, refused)
                    except (AttributeError, TypeError):  # a built-in type keeps its own
                        continue
