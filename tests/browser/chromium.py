"""Which Chromium the tests drive, and the faults of its pages that no test may overlook."""

import os
import re
import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

REQUIRED = "COURSE_BROWSER"  # "required": a missing browser is a failure; "off": leave them out
OPTIONS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def missing(what: str) -> None:
    """Skip by name, or fail by name where the browser is required."""
    if os.environ.get(REQUIRED) == "required":
        pytest.fail(f"The tests of the demonstrations need {what}.", pytrace=False)
    pytest.skip(f"needs {what}")


def path_of_chromium(playwright) -> str | None:
    """$CHROMIUM, or that of the system, or Playwright's own download; None if there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = (shutil.which(name) for name in names)
    places = (os.environ.get("CHROMIUM"), *found, playwright.chromium.executable_path)
    return next((place for place in places if place and Path(place).is_file()), None)


@contextmanager
def chromium():
    """A running Chromium; a missing one skips the test or fails it by name."""
    if os.environ.get(REQUIRED) == "off":
        pytest.skip("needs a browser, which COURSE_BROWSER=off leaves out")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("Playwright, which the test extra of pyproject.toml brings on Linux")
    with sync_playwright() as playwright:
        path = path_of_chromium(playwright)
        if path is None:
            missing("Chromium (install it, or set CHROMIUM to its path)")
        browser = playwright.chromium.launch(executable_path=path, args=OPTIONS)
        try:
            yield browser
        finally:
            browser.close()


# Notebook 7 looks at the settings of its keyboard shortcuts before it has loaded them
# (github.com/jupyter/notebook/issues/7862); nothing is lost, they are loaded a moment later.
EARLY_SHORTCUTS = re.compile(
    r"TypeError: Cannot read properties of undefined \(reading 'schema'\)\s+"
    r"at \S+/static/notebook/notebook_core\.\S+\s.*\s.*\.emit .*\s.*\.emit .*\s.*\.load "
)


class Watch:
    """Collects what pages complain about, and whom they ask beside their server.

    ``known`` holds what a test expects an application to complain about, in its own words.
    """

    def __init__(self, address: str):
        self.address, self.faults, self.known = address, [], []

    def on(self, page) -> None:
        """Watch a page from now on."""
        page.on("pageerror", self._raised)
        page.on(
            "console",
            lambda said: (
                said.type == "error" and self._said(f"console: {said.text} {said.location['url']}")
            ),
        )
        page.on("request", lambda request: self._asked(request.url))
        page.on("websocket", lambda socket: self._asked(socket.url.replace("ws:", "http:")))

    def _raised(self, error):
        if not EARLY_SHORTCUTS.match(error.stack or ""):
            self._said(f"error of the page: {error.stack or error}")

    def _said(self, text):
        if not any(known in text for known in self.known):
            self.faults.append(text)

    def _asked(self, url):
        if not url.startswith((f"{self.address}/", "data:", "blob:")):
            self.faults.append(f"asked {url}")

    def take(self) -> list[str]:
        """The faults since the last time."""
        faults, self.faults[:] = list(self.faults), []
        return faults
