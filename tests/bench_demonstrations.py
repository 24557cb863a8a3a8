"""How long a key press takes: python tests/bench_demonstrations.py (two minutes; needs Chromium).

For each demonstration in JupyterLab, an `explore` of ten bars, and `interact` with the same bars by
Matplotlib's inline back end: the time from the key to the new picture, the time of the script
alone, and how many pictures are shown while twenty key presses come one every 33 ms. On a busy
machine all times grow; compare the rows of one run.
"""

import math
import statistics
import tempfile
import time
from pathlib import Path

import nbformat
from browser.chromium import chromium
from browser.demos import all_demonstrations, notebook_of_all
from browser.lab import Lab
from browser.server import Server

INTERACT = """%matplotlib inline
import matplotlib.pyplot as plt
from ipywidgets import interact

def ten_bars(T):
    plt.barh(TOKENS, softmax(np.arange(10) / T))
    plt.show()

interact(ten_bars, T=(1, 20))"""

WATCH = (Path(__file__).parent / "browser" / "bench.js").read_text(encoding="utf-8")
KEYS = ["ArrowRight", "ArrowLeft"] * 10


def measured(page, root, node, from_kernel) -> dict:
    """Twenty key presses, each waited for, then twenty in a burst."""
    page.evaluate(WATCH, [root, from_kernel])
    node.focus()
    page.keyboard.press("Home")
    page.wait_for_timeout(1500)
    page.evaluate("bench.take()")
    for key in KEYS:
        page.keyboard.press(key)
        page.wait_for_function("bench.key === null", timeout=5000, polling=15)
        page.wait_for_timeout(40)
    single = page.evaluate("bench.take()")
    for key in KEYS if not from_kernel else ["ArrowRight"] * 19 + ["ArrowLeft"]:
        start = time.monotonic()
        page.keyboard.press(key)
        time.sleep(max(0, 0.033 - (time.monotonic() - start)))
    page.wait_for_timeout(2500)
    return single | {"burst": page.evaluate("bench.take()")["shown"]}


def tell(name, result):
    """Print one row of the table."""
    cells = []
    for numbers in (result["picture"], result["script"]):
        ordered = sorted(numbers) or [math.nan]
        cells.append(f"{statistics.median(ordered):7.1f} {ordered[int(0.9 * len(ordered))]:7.1f}")
    print(f"{name:26}{cells[0]}   {cells[1]}   {result['burst']:5}", flush=True)


def main():
    """Print the table."""
    notebook = notebook_of_all()
    notebook.cells.append(nbformat.v4.new_code_cell(INTERACT))
    print(f"{'milliseconds':26}{'key to picture':>15}   {'script':>15}   burst")
    print(f"{'':26}{'median':>7} {'p90':>7}   {'median':>7} {'p90':>7}   of 20")
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        nbformat.write(notebook, Path(folder) / "bench.ipynb")
        server = Server(Path(folder), Path(folder) / ".home")
        lab = Lab(browser, server)
        lab.open("bench.ipynb")
        lab.run()
        lab.cells()
        for number, name in enumerate(all_demonstrations()):
            driven = lab.demonstration(number)
            kinds = ("slider", "choice", "handle", "word")
            control = next(c for kind in kinds for c in driven.controls(kind))
            node = driven.node(control)
            if control["kind"] == "choice":
                node = node.query_selector("[role=radio][aria-checked=true]")
            tell(name, measured(lab.page, driven.root, node, from_kernel=False))
        for place, name in (-2, "explore, ten bars"), (-1, "interact, inline"):
            handles = lab.page.locator(".widget-hslider .noUi-handle")
            node = handles.nth(handles.count() + place).element_handle()
            root = node.evaluate_handle("(node) => node.closest('.jp-OutputArea')").as_element()
            root.scroll_into_view_if_needed()
            tell(name, measured(lab.page, root, node, from_kernel=True))
        server.close()


if __name__ == "__main__":
    main()
