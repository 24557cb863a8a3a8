"""A missing Chromium is skipped by name, or fails by name where it is required."""

import pytest

from browser import chromium


class Playwright:
    """Has downloaded nothing."""

    class chromium:  # noqa: N801
        executable_path = "/no/such/browser"


@pytest.fixture
def nothing_installed(monkeypatch):
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(chromium.shutil, "which", lambda name: None)


@pytest.mark.parametrize(
    ("wanted", "outcome"), [("", pytest.skip.Exception), ("required", pytest.fail.Exception)]
)
def test_without_chromium_the_tests_are_skipped_or_fail_and_say_why(monkeypatch, wanted, outcome):
    monkeypatch.setenv(chromium.REQUIRED, wanted)
    with pytest.raises(outcome, match="Chromium"):
        chromium.missing("Chromium")


def test_nothing_installed_is_noticed(nothing_installed):
    assert chromium.path_of_chromium(Playwright) is None


def test_the_variable_comes_first(monkeypatch, nothing_installed, tmp_path):
    (tmp_path / "mine").touch()
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "mine"))
    assert chromium.path_of_chromium(Playwright) == str(tmp_path / "mine")


def test_what_a_page_asks_elsewhere_is_a_fault():
    watch = chromium.Watch("http://127.0.0.1:8888")
    for url in ("http://127.0.0.1:8888/api", "data:,", "https://example.org/x.js"):
        watch._asked(url)
    assert watch.take() == ["asked https://example.org/x.js"]
    assert watch.take() == []


class Raised:
    """An error of a page, as Playwright hands it over."""

    def __init__(self, script):
        frame = f"at http://127.0.0.1:8888/{script}.js?v=1:5:2"
        called = "\n".join(
            f"    at {name} ({frame[3:]})" for name in ("d", "e.emit", "o.emit", "_.load")
        )
        text = "TypeError: Cannot read properties of undefined (reading 'schema')"
        self.stack = f"{text}\n    {frame}\n{called}"


def test_only_the_early_shortcuts_of_notebook_7_are_overlooked():
    watch = chromium.Watch("http://127.0.0.1:8888")
    watch._raised(Raised("static/notebook/notebook_core.1a"))
    assert watch.take() == []
    watch._raised(Raised("static/lab/main.1a"))
    assert len(watch.take()) == 1


def test_what_a_test_expects_is_overlooked_by_its_page_alone():
    mine, other = (chromium.Watch("http://127.0.0.1:8888") for _ in range(2))
    mine.known.append("widget model not found")
    for watch in (mine, other):
        watch._said("console: Error: widget model not found")
    assert (len(mine.take()), len(other.take())) == (0, 1)
