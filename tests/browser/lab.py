"""One page with JupyterLab or Notebook 7 in it, driven as a learner drives it."""

from pathlib import Path

from browser.chromium import Watch
from browser.server import Server

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
PATIENCE = 120_000  # milliseconds, of a notebook on a busy machine


class Lab:
    """A page of a server; every fault of the page is kept until it is asked for.

    Args:
        browser: Playwright's.
        server: whose notebooks are shown.
    """

    def __init__(self, browser, server: Server):
        self.server, self.watch = server, Watch(server.address)
        self.page = browser.new_page(viewport={"width": 1280, "height": 900}, has_touch=True)
        self.page.set_default_timeout(PATIENCE)
        self.page.add_init_script(SCRIPT)
        self.watch.on(self.page)
        self._shown = False

    def open(self, notebook: str) -> None:
        """Show a notebook of the server's folder, in the page that is there if there is one."""
        if self._shown:
            self.page.evaluate("(path) => course.opened(path)", notebook)
        else:
            self.page.goto(self.server.page_of(notebook))
            self._wait()

    def _wait(self):
        self.page.wait_for_function("window.jupyterapp?.shell?.currentWidget?.content?.widgets")
        self.page.evaluate("course.opened()")
        self._shown = True

    def run(self) -> None:
        """Run all cells, wait for the end, save."""
        self.page.evaluate("course.run()")

    def cells(self) -> list[dict]:
        """What lab.js tells about each code cell, each having been in view."""
        self.page.evaluate("course.visit()")
        return self.page.evaluate("course.cells()")

    def reload(self) -> None:
        """Load the page again; the kernel lives on."""
        self.page.reload()
        self._wait()

    def command(self, name: str, **arguments) -> None:
        """Let the application run one of its commands."""
        self.page.evaluate(
            "([name, more]) => jupyterapp.commands.execute(name, more).then(() => null)",
            [name, arguments],
        )

    def write(self, cell: str, source: str) -> None:
        """Replace what stands in a cell by typing."""
        self.page.evaluate("(id) => course.edit(id)", cell)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(source)

    def run_cell(self, cell: str) -> None:
        """Run one cell and wait for its end."""
        self.page.evaluate("(id) => course.runCell(id)", cell)

    def count(self) -> int:
        """The number of cells of the notebook."""
        return self.page.evaluate("course.count()")

    def close(self) -> None:
        """Close the notebook and end its kernel; the page stays."""
        self.page.evaluate("course.close()")

    def demonstration(self, number: int) -> "Driven":
        """The demonstration of this number on the page, counted from 0, brought into view."""
        return Driven(self, self.page.locator("[data-demonstration] > .kit").nth(number))


class Driven:
    """One demonstration and its controls: ``{"kind", "probe", "text"}`` each."""

    def __init__(self, lab: Lab, root):
        self.lab, self.page = lab, lab.page
        self.root = root.element_handle()
        self.root.scroll_into_view_if_needed()

    def result(self, typed: bool = True) -> str:
        """What is shown, without the controls; with the numbers that can be typed, or without."""
        return self.root.evaluate("(root, typed) => course.result(root, typed)", typed)

    def controls(self, kind: str = "") -> list[dict]:
        """Those that can be used now, of one kind or of all."""
        self.settle()
        found = self.root.evaluate("(root) => course.controls(root)")
        return [control for control in found if kind in ("", control["kind"])]

    def node(self, control: dict):
        """The element of a control."""
        return self.root.query_selector(f"[data-probe='{control['probe']}']")

    def box(self, control: dict) -> dict:
        """Where it is on the screen, scrolled into view."""
        node = self.node(control)
        node.evaluate("(node) => node.scrollIntoView({ block: 'center', behavior: 'instant' })")
        return node.bounding_box()

    def settle(self) -> None:
        """Let pictures be drawn that wait for the next frame."""
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    def focus(self, control: dict) -> None:
        """Give it the focus as the Tab key would: in a group, to the chosen one."""
        self.node(control).evaluate(
            "(node) => (node.matches('[role=radiogroup]') "
            "? node.querySelector('[aria-checked=true]') : node).focus()"
        )

    def has_focus(self) -> bool:
        """Whether the focus is inside."""
        return self.root.evaluate("(root) => root.contains(document.activeElement)")

    def touch(self, *points: tuple[float, float]) -> None:
        """Put a finger on the first point, move it over the others, take it away."""
        session = self.page.context.new_cdp_session(self.page)
        kinds = ["touchStart", *["touchMove"] * (len(points) - 1)]
        for kind, (x, y) in zip(kinds, points, strict=True):
            touches = {"type": kind, "touchPoints": [{"x": x, "y": y}]}
            session.send("Input.dispatchTouchEvent", touches)
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        session.detach()

    def drag(self, *points: tuple[float, float]) -> None:
        """Press the mouse on the first point, move it over the others, let it go."""
        (x, y), *rest = points
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        for x, y in rest:
            self.page.mouse.move(x, y)
        self.page.mouse.up()
