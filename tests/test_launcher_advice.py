"""The launcher knows its machine, and names cause and cure of what pip really says."""

import re
import sys
from importlib.metadata import distributions
from importlib.util import find_spec

import pytest
from launching import MAC, start

from helpers.launcher import environment, machine
from helpers.launcher.failures import KNOWN, explain
from helpers.launcher.machine import NOWHERE, PYTORCH_ONLY, USUAL, Machine

REFUSED = (
    "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after "
    "connection broken by '{}': /simple/numpy/\n"
)
NONE_FOUND = (
    "ERROR: Could not find a version that satisfies the requirement numpy==2.4.6 "
    "(from versions: none)\nERROR: No matching distribution found for numpy==2.4.6"
)
UNREAD = "Could not fetch URL https://mirror.example/simple/numpy/: "
# What pip 23.2 and 24.2 print when the fault is really made, and words of cause and cure.
MESSAGES = {
    "disk full": (
        "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
        "disk is full",
        "Free about 3 GB",
    ),
    "disk full, Windows": (
        "OSError: [WinError 112] There is not enough space on the disk",
        "disk is full",
        "Free about 3 GB",
    ),
    "quota": ("OSError: [Errno 122] Disk quota exceeded", "disk is full", "Free about 3 GB"),
    "permission": (
        "ERROR: Could not install packages due to an OSError: [Errno 13] Permission denied: '/x'\n"
        "Consider using the `--user` option or check the permissions.",
        "may not be written",
        "folder of your own",
    ),
    "in use, Windows": (
        "PermissionError: [WinError 5] Access is denied: '.venv' -> '.vold'",
        "a program is using it",
        "Close JupyterLab",
    ),
    "long path": (
        "ERROR: Could not install packages due to an OSError: [Errno 2] No such file or directory: "
        "'C:\\\\a\\\\.venv\\\\Lib\\\\site-packages\\\\torch\\\\x.h'\n"
        "HINT: This error might have occurred since this system does not have Windows Long Path "
        "support enabled.",
        "longer than the 260 characters",
        "short path, for example C:\\course",
    ),
    "long name": (
        "FileNotFoundError: [WinError 206] The filename or extension is too long: 'C:\\\\a'",
        "longer than the 260 characters",
        "short path",
    ),
    "memory": (
        '  File "pip/_vendor/msgpack/fallback.py", line 671, in _unpack\nMemoryError',
        "not enough memory",
        "Close other programs",
    ),
    "no venv": ("Error: ensurepip is not available.", "cannot make env", "python3-venv"),
    "user": (
        "ERROR: Can not perform a '--user' install. User site-packages are not visible in this "
        "virtualenv.",
        "'--user' installation",
        "config unset global.user",
    ),
    "broken pip.conf": (
        "Configuration file could not be loaded.\nFile contains no section headers.\n"
        "file: 'pip.conf', line: 1\n'[global\\n'",
        "cannot read its own settings",
        "pip config debug",
    ),
    "broken setting": (
        "An error occurred during configuration: option timeout: invalid floating-point value: 'x'",
        "option timeout: invalid floating-point value: 'x'",
        "Correct that one",
    ),
    "hashes wanted": (
        "ERROR: Hashes are required in --require-hashes mode, but they are missing from some "
        "requirements.\n    numpy==2.4.6 --hash=sha256:ed8d5e",
        "only packages with a hash",
        "Unset PIP_REQUIRE_HASHES",
    ),
    "hashes differ": (
        "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If you have "
        "updated the package versions, please update the hashes.\n"
        "        Expected sha256 000\n             Got        ed8",
        "hashes do not match",
        "pip cache purge",
    ),
    "proxy refuses": (
        REFUSED.format(
            "ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed: 407 Proxy "
            "Authentication Required'))"
        )
        + NONE_FOUND,
        "proxy does not let pip through",
        "HTTPS_PROXY",
    ),
    "proxy is not there": (
        REFUSED.format(
            "ProxyError('Cannot connect to proxy.', NewConnectionError('<HTTPSConnection>: Failed "
            "to establish a new connection: [Errno 111] Connection refused'))"
        )
        + NONE_FOUND,
        "proxy does not let pip through",
        "unset it where there is no proxy",
    ),
    "proxy misspelt": (
        "ERROR: Could not install packages due to an OSError: Failed to parse: foo://x:y",
        "proxy does not let pip through",
        "http://name:password@host:port",
    ),
    "certificate": (
        REFUSED.format(
            "SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate "
            "verify failed: self-signed certificate (_ssl.c:1006)'))"
        )
        + UNREAD
        + "There was a problem confirming the ssl certificate: Max retries exceeded\n"
        + NONE_FOUND,
        "certificate that this Python does not trust",
        "PIP_CERT",
    ),
    "403 of an index": (
        UNREAD
        + "403 Client Error: Forbidden for url: https://mirror.example/simple/numpy/\n"
        + NONE_FOUND,
        "refuses to answer: 403 Client Error: Forbidden\n",
        "PIP_INDEX_URL",
    ),
    "403 of a file": (
        "ERROR: HTTP error 403 while getting https://mirror.example/numpy.whl\n"
        "ERROR: Could not install requirement numpy==2.4.6 because of HTTP error 403 Client Error: "
        "Forbidden for url: https://mirror.example/numpy.whl",
        "refuses to answer",
        "may want a password",
    ),
    "401": (
        UNREAD
        + "401 Client Error: Unauthorized for url: https://mirror.example/numpy/\n"
        + NONE_FOUND,
        "refuses to answer: 401",
        "may want a password",
    ),
    "503": (
        UNREAD
        + "503 Server Error: Service Unavailable for url: https://mirror.example/numpy/\n"
        + NONE_FOUND,
        "fault of its own: 503 Server Error: Service Unavailable",
        "Wait some minutes",
    ),
    "no index": (":env:.no-index='1'\n" + NONE_FOUND, "forbid it to ask", "Unset PIP_NO_INDEX"),
    "refused": (
        REFUSED.format(
            "NewConnectionError('<HTTPConnection>: Failed to establish a new connection: "
            "[Errno 111] Connection refused')"
        )
        + NONE_FOUND,
        "index cannot be reached",
        "Check the network",
    ),
    "no name": (
        REFUSED.format(
            "NewConnectionError('<HTTPSConnection>: Failed to establish a new connection: "
            "[Errno -2] Name or service not known')"
        )
        + NONE_FOUND,
        "index cannot be reached",
        "Check the network",
    ),
    "read timed out": (
        REFUSED.format('ReadTimeoutError("Read timed out. (read timeout=3.0)")') + NONE_FOUND,
        "index cannot be reached",
        "nearer mirror",
    ),
    "connection lost": (
        REFUSED.format("ProtocolError('Connection aborted.', RemoteDisconnected('Remote end'))")
        + NONE_FOUND,
        "index cannot be reached",
        "Check the network",
    ),
    "constraint": (
        "ERROR: Cannot install numpy==2.4.6 because these package versions have conflicting "
        "dependencies.\nERROR: ResolutionImpossible: for help visit https://example",
        "exclude each other",
        "shows a constraint",
    ),
    "wrong Python": (
        "ERROR: Ignored the following versions that require a different python version: 2.4.6 "
        "Requires-Python >=3.99\n" + NONE_FOUND,
        "no build for this version of Python",
        "3.11, 3.12, 3.13 or 3.14",
    ),
    "mirror without the version": (
        "ERROR: Could not find a version that satisfies the requirement torch==2.13.0 (from "
        "versions: 2.11.0, 2.12.0)\nERROR: No matching distribution found for torch==2.13.0",
        "no torch==2.13.0 for this machine; the newest it has is 2.12.0",
        "A mirror may be behind",
    ),
    "mirror without the package": (
        NONE_FOUND,
        "no build of numpy==2.4.6 at all",
        "name another in PIP_INDEX_URL",
    ),
    "never seen": (
        "first\nsomething never seen before",
        "something never seen before",
        ".venv.log",
    ),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_each_message_of_pip_names_cause_and_cure(course, run, capsys, name):
    run.output, cause, cure = MESSAGES[name]
    run.fail_at = "numpy==2.0"
    assert start(course, run) == 1
    said = capsys.readouterr().out
    assert cause in said
    assert cure in said
    assert "Traceback" not in said


def test_each_known_message_has_an_example():
    texts = [text for text, _, _ in MESSAGES.values()]
    first = {next((p for p, _ in KNOWN if re.search(p, text)), None) for text in texts}
    unused = {pattern for pattern, _ in KNOWN} - first
    # Two ways in which other versions of pip say that a package is missing.
    assert all("wanted" in pattern for pattern in unused)


@pytest.mark.parametrize("name", MESSAGES)
def test_no_advice_leads_back_to_where_the_learner_stands(name):
    advice = str(explain(MESSAGES[name][0]))
    assert not re.search(r"[Dd]elete", advice)
    assert re.search("run|try another", advice)


def test_why_an_address_was_not_read_is_found_in_pips_log(course, run, capsys):
    """pip itself keeps a refusal by the index to itself."""

    def failing(command, watch=None, limit=None, settings=None):
        if "numpy==2.0" in command:
            log = f"2026-01-01 {UNREAD}403 Client Error: Forbidden for url: https://x - skipping\n"
            (course / environment.LOG).write_bytes(b"\xff" + log.encode())
        return run(command, watch, limit, settings)

    run.fail_at, run.output = "numpy==2.0", NONE_FOUND
    assert start(course, failing) == 1
    assert "refuses to answer: 403 Client Error: Forbidden" in capsys.readouterr().out


@pytest.mark.parametrize("code", [-9, 137])
def test_installation_killed_by_the_system_lacked_memory(course, run, capsys, code):
    run.fail_at, run.code = "numpy==2.0", code
    assert start(course, run) == 1
    assert "not enough memory" in capsys.readouterr().out


def test_errors_of_the_operating_system_are_explained(course, run, capsys):
    run.fail_at, run.raises = "-m venv", PermissionError(13, "Permission denied")
    assert start(course, run) == 1
    assert "may not be written to" in capsys.readouterr().out


# The machine

LINUX, WINDOWS = Machine("Linux", "x86_64", (3, 11), (2, 36)), Machine("Windows", "amd64", (3, 11))


@pytest.mark.parametrize(
    ("machine_", "source"),
    [
        (LINUX, USUAL),
        (LINUX._replace(python=(3, 14), processor="aarch64"), USUAL),
        (LINUX._replace(python=(3, 14), free_threaded=True), USUAL),
        (LINUX._replace(python=(3, 13), free_threaded=True), NOWHERE),
        (LINUX._replace(python=(3, 15)), NOWHERE),
        (LINUX._replace(system_version=(2, 27)), NOWHERE),
        (LINUX._replace(system_version=()), NOWHERE),  # musl, as in Alpine
        (LINUX._replace(bits=32), NOWHERE),
        (LINUX._replace(processor="riscv64"), NOWHERE),
        (WINDOWS, USUAL),
        (WINDOWS._replace(processor="arm64"), PYTORCH_ONLY),
        (WINDOWS._replace(processor="win32", bits=32), NOWHERE),
        (MAC, USUAL),
        (MAC._replace(system_version=(26, 0)), USUAL),
        (MAC._replace(system_version=(13, 6)), NOWHERE),
        (MAC._replace(processor="x86_64"), NOWHERE),
        (Machine("FreeBSD", "amd64", (3, 11)), NOWHERE),
    ],
)
def test_torch_is_asked_for_where_it_has_a_build(machine_, source):
    assert machine.torch_source(machine_) == source


def test_this_machine_has_the_torch_that_is_installed_on_it():
    source = machine.torch_source(machine.this_machine(sys.version_info))
    assert source != NOWHERE or find_spec("torch") is None


def test_longest_path_of_any_package_is_the_one_that_the_limit_reckons_with():
    longest = max(
        len(str(file).replace("+cpu", ""))
        for package in distributions()
        for file in package.files or ()
        if "__pycache__" not in file.parts
    )
    assert longest <= machine.LONGEST_INSIDE
    assert machine.LONGEST_ROOT == 66


@pytest.mark.parametrize(
    ("system", "lifted", "extra", "refused"),
    [
        ("Windows", False, 1, True),
        ("Windows", False, 0, False),
        ("Windows", True, 1, False),
        ("Linux", False, 1, False),
    ],
)
def test_folder_too_deep_for_windows_is_refused_before_anything_is_installed(
    course,
    run,
    capsys,
    monkeypatch,
    system,
    lifted,
    extra,
    refused,
):
    monkeypatch.setattr(machine.platform, "system", lambda: system)
    monkeypatch.setattr(machine, "long_paths", lambda: lifted)
    monkeypatch.setattr(machine, "LONGEST_ROOT", len(str(course)) - extra)
    assert start(course, run) == int(refused)
    said = capsys.readouterr().out
    assert ("Windows allows 260 in all" in said) == refused
    assert ("C:\\course" in said) == refused
    assert bool(run.commands) != refused
