"""Asks axe-core, which a package of the test extra carries, about the outputs of a page."""

from importlib.resources import files

OUTPUTS = ".jp-OutputArea-output"


def serious_faults(lab, where: str = OUTPUTS) -> list[str]:
    """What axe-core calls serious or critical inside the outputs of a notebook."""
    if lab.page.evaluate("typeof window.axe") == "undefined":
        script = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
        lab.page.evaluate(script)
    found = lab.page.evaluate(
        "(where) => axe.run({ include: [[where]] }, { resultTypes: ['violations'] })", where
    )
    return [
        f"{fault['id']}: {node['html'][:160]} {node['failureSummary'][:160]}"
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]
