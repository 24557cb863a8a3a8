"""Start the course: make its environment in ``.venv``, then open JupyterLab or run the tests."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from helpers.language import say
from helpers.launcher import commands
from helpers.launcher.environment import prepare
from helpers.launcher.failures import StartError, explain
from helpers.launcher.processes import run_command, tell

ROOT = Path(__file__).resolve().parent.parent


def main(arguments, run=run_command, root=ROOT, version=sys.version_info) -> int:
    """Run one command in the environment of the course; return the exit code."""
    if arguments[:1] in (["-h"], ["--help"]):
        print(commands.usage(), end="")
        return 0
    try:
        command, rest = commands.chosen(arguments)
        started = command.arguments(root, rest)
        python = prepare(root, command.tools, run, version)
        if not command.word:
            tell(say("Opening JupyterLab. To stop it: Ctrl-C twice in this window."))
        return run([python, *started])
    except StartError as error:
        tell(f"\n{error}")
    except OSError as error:
        tell(f"\n{explain(str(error))}")
    except KeyboardInterrupt:
        tell("\n" + say("Stopped. The next start puts right what was left unfinished."))
        return 130
    return 1


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # JupyterLab stops with this program
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # a folder's name may not fit a console's encoding
    sys.exit(main(sys.argv[1:]))
