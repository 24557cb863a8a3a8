"""Run one command, show how far it is, give it up when it takes too long."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import subprocess
import threading
import time
from pathlib import Path

from helpers.language import say

TICK = 20  # seconds without a line of output after which the progress is shown
TIME_IS_UP = "The time limit has been reached."


class Progress:
    """Keeps what a step prints and shows the little of it that tells how far it is."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.lines = []

    def line(self, text: str) -> None:
        """Take one line; of pip's many, show the large downloads and the last, long step."""
        self.lines.append(text)
        download = re.search(r"Downloading (?:\S*/)?(\S+) \(([\d.]+ [MG]B)\)", text)
        if download:
            tell(say("  downloading {name}, {size}", name=download[1], size=download[2]))
        elif text.startswith("Installing collected packages"):
            tell(say("  packages to unpack: {number}", number=text.count(",") + 1))

    def tick(self, seconds: float) -> None:
        """Nothing has been printed for a while: show the time and how much has arrived."""
        time_so_far = f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
        megabytes = round(size_of(self.folder) / 1e6)
        tell(say("  {time} min, {megabytes} MB so far", time=time_so_far, megabytes=megabytes))


def size_of(folder: Path) -> int:
    """Return the bytes of all files below a folder, those that vanish meanwhile left out."""
    total = 0
    for place, _, names in os.walk(str(folder)):
        for name in names:
            with contextlib.suppress(OSError):
                total += Path(place, name).lstat().st_size
    return total


def tell(text: str) -> None:
    """Print at once, also where the output goes through a pipe."""
    print(text, flush=True)


def run_command(command, watch=None, limit=None, settings=None) -> int:
    """Run a command in the folder of the course; return its exit code.

    Ctrl-C reaches the command as well: JupyterLab and pytest deal with it themselves and are
    waited for, pip clears away its temporary files.

    Args:
        command: the program and its arguments.
        watch: what takes its output, a Progress; without it the terminal does.
        limit: the seconds after which a watched command is stopped, however much it prints.
        settings: environment variables to set for it.
    """
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    process = subprocess.Popen(
        command,
        cwd=str(Path(__file__).resolve().parents[2]),
        env={**os.environ, "PYTHONUTF8": "1", **(settings or {})},
        encoding="utf-8",
        errors="replace",
        close_fds=not watch,  # what is watched inherits the lock of lock.py
        **(pipes if watch else {}),
    )
    try:
        if watch:
            _follow(process, watch, limit)
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                if watch:
                    raise
    except KeyboardInterrupt:
        process.wait()
        raise
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()


def _follow(process, watch, limit):
    """Hand each line to ``watch`` until there is no more or the time is up."""
    lines = queue.Queue()

    def read():
        for line in process.stdout:
            lines.put(line.rstrip())
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    start = quiet_since = time.monotonic()
    while True:
        try:
            line = lines.get(timeout=0.2)
            if line is None:
                return
            watch.line(line)
            quiet_since = time.monotonic()
        except queue.Empty:
            pass
        now = time.monotonic()
        if limit is not None and now - start > limit:
            watch.line(TIME_IS_UP)
            process.terminate()
            return
        if now - quiet_since > TICK:
            watch.tick(now - start)
            quiet_since = now
