"""One start at a time may change the environment of a folder; the others wait."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import tempfile
import time
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None
    import msvcrt

BUSY = {errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK}
PAUSE = 0.3  # seconds between two looks


@contextlib.contextmanager
def only_one(root: Path, on_wait):
    """Hold the lock of a folder while the block runs; wait while another start holds it.

    The operating system holds the lock for as long as its file is open, so it goes with the
    process, however that ends: no lock can be left behind. The file itself stays; it says nothing.
    pip inherits it (see run_command), so a pip that outlives a killed start still keeps others
    out. Where the folder's file system has no locks, a file among the temporary ones stands in.

    Args:
        root: the folder of the course.
        on_wait: called once, if there is something to wait for.
    """
    file = os.open(str(root / ".venv.lock"), os.O_RDWR | os.O_CREAT, 0o666)
    with contextlib.ExitStack() as opened:
        opened.callback(os.close, file)
        try:
            _wait(file, on_wait)
        except OSError:
            name = hashlib.sha256(os.fsencode(str(root))).hexdigest()[:16]
            place = Path(tempfile.gettempdir(), f"self-attention-{name}.lock")
            with contextlib.suppress(OSError):  # no locks here either: then without one
                file = os.open(str(place), os.O_RDWR | os.O_CREAT, 0o600)
                opened.callback(os.close, file)
                _wait(file, on_wait)
        yield


def _wait(file, on_wait):
    told = False
    while not _taken(file):
        if not told:
            on_wait()
            told = True
        time.sleep(PAUSE)


def _taken(file):
    """Try to take the lock; False if another process has it, OSError where there are no locks."""
    try:
        if fcntl:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.set_inheritable(file, True)
        else:
            os.lseek(file, 0, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    except OSError as error:
        if error.errno in BUSY:
            return False
        raise
    return True
