"""What can go wrong in an installation: the messages of pip, each with its cause and its cure."""

from __future__ import annotations

import re

from helpers.language import say


class StartError(Exception):
    """Something the learner can put right: a text for the cause, one for the cure."""

    def __init__(self, cause, cure):
        super().__init__(f"{cause}\n{cure}")


def disk_full():
    """Return cause and cure of a full disk."""
    return (
        say("The disk is full."),
        say("Free about 3 GB, then run the same command again."),
    )


def no_venv():
    """Return cause and cure of a Python without its venv module."""
    return (
        say("This Python cannot make environments: its venv or ensurepip module is missing."),
        say(
            "On Debian and Ubuntu run `sudo apt install python3-venv`, then run the same "
            "command again."
        ),
    )


def _permission(match):
    return (
        say("This folder or its .venv may not be written to, or a program is using it."),
        say(
            "Close JupyterLab and whatever else uses the folder, or move the course to a folder "
            "of your own, then run the same command again."
        ),
    )


def _memory(match):
    return (
        say("There is not enough memory to install the packages."),
        say(
            "Close other programs until about 1 GB of memory is free, or give the container "
            "more, then run the same command again."
        ),
    )


def _long_path(match):
    return (
        say("A path has become longer than the 260 characters that Windows allows."),
        say(
            "Move the whole folder to a short path, for example C:\\course, then run the same "
            "command there."
        ),
    )


def _user(match):
    return (
        say("pip's own settings ask for a '--user' installation, which no environment allows."),
        say("Run `python3 -m pip config unset global.user`, then run the same command again."),
    )


def _settings(match):
    return (
        say("pip cannot read its own settings: {text}", text=match[0].strip()),
        say(
            "`python3 -m pip config debug` lists the files and variables they come from. "
            "Correct that one, then run the same command again."
        ),
    )


def _hashes_wanted(match):
    return (
        say("pip's own settings accept only packages with a hash, and the course's have none."),
        say("Unset PIP_REQUIRE_HASHES (in pip's settings: require-hashes), then run it again."),
    )


def _hashes_differ(match):
    return (
        say(
            "A package that was downloaded is not the one its index promised: the hashes do "
            "not match."
        ),
        say(
            "Most often a download was cut short or a mirror is out of step. Run "
            "`python3 -m pip cache purge`, choose another mirror or network if you can, then "
            "run the same command again."
        ),
    )


def _proxy(match):
    return (
        say("The proxy does not let pip through."),
        say(
            "Set HTTPS_PROXY to http://name:password@host:port as your network asks for it, or "
            "unset it where there is no proxy, then run the same command again."
        ),
    )


def _certificate(match):
    return (
        say("The package index shows a certificate that this Python does not trust."),
        say(
            "Check the clock of this machine. In a company or a school, ask for the file of its "
            "own certificate and name it in PIP_CERT. Then run the same command again."
        ),
    )


def _forbidden(match):
    return (
        say("The package index refuses to answer: {text}", text=match[0]),
        say(
            "Its address in pip's settings may be wrong or may want a password; a mirror may "
            "also block this network. Correct it (PIP_INDEX_URL, `python3 -m pip config list`), "
            "then run the same command again."
        ),
    )


def _no_index(match):
    return (
        say("pip's own settings forbid it to ask any package index (no-index)."),
        say(
            "Unset PIP_NO_INDEX, or put all packages into the folder that find-links names, "
            "then run the same command again."
        ),
    )


def _network(match):
    return (
        say("The Python package index cannot be reached."),
        say(
            "Check the network. A proxy goes into HTTPS_PROXY, a nearer mirror into "
            "PIP_INDEX_URL. Then run the same command again."
        ),
    )


def _server(match):
    return (
        say("The package index has a fault of its own: {text}", text=match[0]),
        say("Wait some minutes, or name a mirror in PIP_INDEX_URL, then run it again."),
    )


def _wrong_python(match):
    return (
        say("A package that the course needs has no build for this version of Python."),
        say("Use Python 3.11, 3.12, 3.13 or 3.14, then run the same command again."),
    )


def _version_missing(match):
    newest = match["found"].split(", ")[-1]
    return (
        say(
            "The package index has no {wanted} for this machine; the newest it has is {newest}.",
            wanted=match["wanted"],
            newest=newest,
        ),
        say(
            "A mirror may be behind: name another in PIP_INDEX_URL. Without a mirror the "
            "system or its Python is too old for this version: update it. Then run the same "
            "command again."
        ),
    )


def _package_missing(match):
    return (
        say(
            "The package index has no build of {wanted} at all for this Python and machine.",
            wanted=match["wanted"],
        ),
        say(
            "If pip's settings name a mirror, name another in PIP_INDEX_URL. Otherwise use a "
            "64-bit Python 3.11, 3.12, 3.13 or 3.14. Then run the same command again."
        ),
    )


def _conflict(match):
    return (
        say(
            "pip's own settings and the versions of the course exclude each other: {text}",
            text=match[0],
        ),
        say(
            "`python3 -m pip config list` shows a constraint. Take it away for this course, "
            "then run the same command again."
        ),
    )


_MISSING = r"satisfies the requirement (?P<wanted>\S+)[^\n]*\(from versions: "
# What a failed step printed, and what explains it. The first match wins: the particular stands
# before the general, and what pip says last of all ("No matching distribution") stands last.
KNOWN = (
    (r"No space left|Errno 28\b|WinError 112|not enough space|Disk quota", lambda m: disk_full()),
    (
        r"Windows Long Path support|WinError 206|(?i:file ?name or extension is too long)",
        _long_path,
    ),
    (r"MemoryError|Cannot allocate memory|Errno 12\b|WinError (8|1455)\b", _memory),
    (r"ensurepip is not available|No module named '?(venv|ensurepip)\b", lambda m: no_venv()),
    (r"Can not perform a '--user' install", _user),
    (
        r"Configuration file could not be loaded.*|error occurred during configuration: .*",
        _settings,
    ),
    (r"Hashes are required in --require-hashes mode", _hashes_wanted),
    (r"DO NOT MATCH THE HASHES|Expected sha256", _hashes_differ),
    (
        r"Permission denied|Errno 13\b|WinError (5|32)\b|Access is denied|Read-only file system",
        _permission,
    ),
    (r"ProxyError|Cannot connect to proxy|40[57] Proxy|Failed to parse: \S+|proxy URL", _proxy),
    (r"CERTIFICATE_VERIFY_FAILED|SSLError|confirming the ssl certificate|SSL module", _certificate),
    (r"40[13] Client Error[^\n]*?(?= for url|$)|HTTP error 40[13]|User for [^\n:]+:", _forbidden),
    (r"5\d\d Server Error[^\n]*?(?= for url|$)|HTTP error 5\d\d", _server),
    (r"(?s)\.no-index='(?i:1|true|yes|on)'.*from versions: none", _no_index),
    (
        r"NewConnectionError|ConnectTimeout|ReadTimeout|Read timed out|Max retries exceeded"
        r"|getaddrinfo failed|name resolution|Connection (reset|refused|aborted|broken)"
        r"|connection broken|IncompleteRead",
        _network,
    ),
    (r"ResolutionImpossible|conflicting dependencies", _conflict),
    (
        r"Ignored the following[^\n]*different python version|requires a different Python",
        _wrong_python,
    ),
    (_MISSING + r"(?!none)(?P<found>[^)]+)\)", _version_missing),
    (_MISSING, _package_missing),
    (r"No matching distribution found for (?P<wanted>\S+)", _package_missing),
    (r"(?P<wanted>\S+) is not a supported wheel", _package_missing),
)


def explain(output: str, code: int | None = None) -> StartError:
    """Turn what a failed step printed into a StartError.

    Args:
        output: its lines, and those of pip's log that say why an address was not read.
        code: how the step ended; -9 and 137 mean that the system killed it.
    """
    for pattern, advice in KNOWN:
        match = re.search(pattern, output)
        if match:
            return StartError(*advice(match))
    if code in (-9, 137):
        return StartError(*_memory(None))
    last = "\n  ".join([line for line in output.splitlines() if line.strip()][-8:])
    return StartError(
        say("The installation failed. The last it said:\n  {last}", last=last),
        say(
            "Nothing half made is left. All that pip said is in the file .venv.log. If the same "
            "comes again, try another Python (3.11, 3.12 or 3.13), or use Binder (README)."
        ),
    )
