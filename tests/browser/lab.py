"""One page with JupyterLab or Notebook 7 in it, driven as a learner drives it."""

from pathlib import Path

from browser.chromium import Watch
from browser.server import Server

# Of these keys one changes what is shown, wherever a control stands.
KEYS = {
    "slider": ["End", "Home", "ArrowRight"],
    "choice": ["End", "Home"],
    "tick": ["Space", "Space"],
    "handle": ["ArrowLeft", "ArrowUp"],
    "word": ["ArrowLeft", "ArrowRight"],
}

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
PATIENCE = 300_000  # milliseconds, of a notebook on a busy machine


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
            self.page.evaluate("(path) => course.open(path)", notebook)
        else:
            self.page.goto(self.server.page_of(notebook))
            self._wait(notebook)

    def _wait(self, notebook):
        self.page.wait_for_function("window.jupyterapp?.shell")
        self.page.evaluate("(path) => course.opened(path)", notebook)
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
        notebook = self.page.evaluate("course.panel.context.path")
        self.page.reload()
        self._wait(notebook)

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
        written = "([id, source]) => course.source(id) === source"
        self.page.wait_for_function(written, arg=[cell, source])

    def run_cell(self, cell: str) -> None:
        """Run one cell and wait for its end."""
        self.page.evaluate("(id) => course.runCell(id)", cell)

    def count(self) -> int:
        """The number of cells of the notebook."""
        return self.page.evaluate("course.count()")

    def close(self) -> None:
        """Close the notebook and end its kernel; the page stays."""
        self.page.evaluate("course.close()")

    def restart(self) -> None:
        """Restart the kernel, of which JupyterLab then complains."""
        self.watch.known.append("Could not restore the debugger state")
        self.page.evaluate("course.restart()")

    def demonstration(self, number: int, afresh: bool = False) -> "Driven":
        """The demonstration of this number on the page, counted from 0, brought into view.

        Args:
            number: of all that the page shows.
            afresh: whether its output is shown anew, so that it stands as at the start.
        """
        self.page.mouse.move(1, 1)  # what scrolls under the mouse would be pointed at
        host = self.page.locator("[data-demonstration]").nth(number)
        if afresh:
            host.evaluate("(host) => course.afresh(host)")
        return Driven(self, host.locator(":scope > .kit"))


def name_of(control: dict) -> str:
    """What a failed test calls it."""
    return f"{control['kind']} {control['text'][:30]}"


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
        """Where it is on the screen, scrolled into view, the mouse elsewhere: it would point."""
        self.page.mouse.move(1, 1)
        node = self.node(control)
        node.evaluate("(node) => node.scrollIntoView({ block: 'center', behavior: 'instant' })")
        return node.bounding_box()

    def settle(self) -> None:
        """Let pictures be drawn that wait for the next frame."""
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    def must_change(self, act, what: str) -> None:
        """Do something and wait until something else is shown, which is a picture and no NaN."""
        before = self.result()
        act()
        changed = self.root.evaluate("(root, before) => course.changed(root, before)", before)
        assert changed, f"{what}: nothing changes"
        text = self.root.inner_text()
        assert not any(wrong in text for wrong in ("NaN", "undefined", "Infinity")), what

    def press(self, control: dict) -> set[str]:
        """Give a control the focus and press its keys: all that is shown from first to last."""
        self.focus(control)
        seen = {self.result()}
        for key in KEYS[control["kind"]]:
            self.page.keyboard.press(key)
            self.settle()
            assert self.has_focus(), f"{name_of(control)}: {key} loses the focus"
            seen.add(self.result())
        return seen

    def answers(self) -> bool:
        """Whether the keys of its first control change what is shown."""
        return len(self.press(next(c for c in self.controls() if c["kind"] in KEYS))) > 1

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
