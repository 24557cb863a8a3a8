"""What a machine lacks is skipped, and named at the end of the run."""

import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest
from import_graph import notebook_imports
from launching import course, run  # noqa: F401  (fixtures of the launcher's tests)

NO_TORCH = "needs PyTorch, which is not installed (it may have no build for this machine)"


class SkipWithoutTorch:
    """Turns `import torch` into a skip, of a test or of a whole file of tests."""

    def find_spec(self, name, path=None, target=None):
        """Leave every import but that of torch to others."""
        if name == "torch":
            pytest.skip(NO_TORCH, allow_module_level=True)


def pytest_configure(config):
    """Where there is no torch, watch for what imports it."""
    config.without_torch = find_spec("torch") is None
    if config.without_torch:
        sys.meta_path.insert(0, SkipWithoutTorch())


def pytest_collection_modifyitems(config, items):
    """Skip the tests that run a notebook in a process of its own, if it needs torch."""
    if config.without_torch:
        needs = {}
        for item in items:
            parameters = getattr(item, "callspec", None)
            named = list(parameters.params.values()) if parameters else []
            for file in [item.path, *(v for v in named if isinstance(v, Path))]:
                if file.suffix == ".ipynb":
                    if file not in needs:
                        needs[file] = "torch" in notebook_imports(file)
                    if needs[file]:
                        item.add_marker(pytest.mark.skip(reason=NO_TORCH))


def pytest_terminal_summary(terminalreporter):
    """Name what was skipped: one line a reason, with the number of tests."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in skipped
        if isinstance(report.longrepr, tuple)
    )
    if reasons:
        terminalreporter.section("skipped on this machine: tests, or whole files of tests")
        for reason, count in reasons.most_common():
            terminalreporter.line(f"{count:5d}  {reason}")
