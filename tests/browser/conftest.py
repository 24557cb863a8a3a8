"""One server and one browser for all tests here, and the notebook of all demonstrations."""

import shutil
from pathlib import Path

import nbformat
import pytest
from reading import CORE

from browser.chromium import chromium
from browser.demos import notebook_of_all
from browser.lab import Lab
from browser.server import Server

HERE = Path(__file__).parent
ALL = "all.ipynb"


def pytest_collection_modifyitems(items):
    """These tests come last: they look at notebooks that others have run."""
    items.sort(key=lambda item: HERE in item.path.parents)


@pytest.fixture(scope="package")
def browser():
    """Chromium, or a skip that says what is missing."""
    with chromium() as running:
        yield running


@pytest.fixture(scope="package")
def home(tmp_path_factory):
    """Settings of the server, and what it trusts."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="package")
def server(browser, home, tmp_path_factory):
    """JupyterLab over a copy of the notebooks and the notebook of all demonstrations."""
    folder = tmp_path_factory.mktemp("course") / "notebooks"
    folder.mkdir()
    for path in CORE:
        shutil.copy(path, folder)
    nbformat.write(notebook_of_all(), folder / ALL)
    running = Server(folder, home)
    yield running
    running.close()


@pytest.fixture(scope="package")
def lab(browser, server):
    """A page with JupyterLab in it."""
    return Lab(browser, server)


@pytest.fixture(scope="package")
def everything(browser, server):
    """A page with the notebook of all demonstrations, run and saved."""
    lab = Lab(browser, server)
    lab.open(ALL)
    lab.run()
    lab.cells()
    return lab
