"""What demonstrations and an explore are after a reload, a restart, on a new server, untrusted."""

import pytest

from browser.conftest import ALL
from browser.demos import all_demonstrations
from browser.lab import Lab
from browser.server import Server

COUNT = len(all_demonstrations())
NO_KERNEL = "widget model not found"  # what an explore says in the console where its kernel is gone
STALE = ("model not found", "Error displaying widget")


def facts(lab):
    """The cells with demonstrations, and the last cell: the explore."""
    cells = lab.cells()
    return [cell for cell in cells if cell["demonstrations"]], cells[-1]


def assert_alive(lab):
    """Every demonstration of the page has started once, has lost its still, and answers."""
    demonstrations, _ = facts(lab)
    assert len(demonstrations) == COUNT
    for cell in demonstrations:
        assert (cell["kits"], cell["stills"]) == (1, 0), cell["source"]
        assert not any(stale in cell["text"] for stale in STALE)
    for number, cell in enumerate(demonstrations):
        assert lab.demonstration(number).answers(), cell["source"]
    assert lab.watch.take() == []


def by_key(page):
    page.locator(".widget-hslider .noUi-handle").last.focus()
    page.keyboard.press("ArrowRight")


def by_mouse(page):
    box = page.locator(".widget-hslider .noUi-target").last.bounding_box()
    page.mouse.click(box["x"] + 0.7 * box["width"], box["y"] + box["height"] / 2)


def assert_explore_agrees(lab, move):
    """The control of the explore stands where its picture says, and moves it."""
    page = lab.page
    readout = page.locator(".widget-hslider .widget-readout").last
    readout.scroll_into_view_if_needed()
    picture = page.locator(".widget-html img").last
    value = readout.text_content()
    assert picture.get_attribute("alt") == f"T = {value}"
    move(page)
    page.wait_for_function(
        "(value) => { const last = (what) => [...document.querySelectorAll(what)].at(-1);"
        " const told = last('.widget-hslider .widget-readout').textContent;"
        " return told !== value && last('.widget-html img').alt === `T = ${told}`; }",
        arg=value,
    )


def assert_still_of_explore(lab):
    """Beside the explore stands its picture, folded, whatever became of the controls."""
    _, explore = facts(lab)
    assert explore["images"][-1]["width"] > 0
    assert explore["images"][-1]["alt"] == "T = 1"
    assert "run this cell again" in explore["text"]


def test_reload_with_the_kernel_alive_keeps_controls_and_pictures_together(everything):
    everything.watch.known.append(NO_KERNEL)  # until ipywidgets has asked the kernel
    everything.reload()
    assert_alive(everything)
    assert_explore_agrees(everything, by_key)
    _, explore = facts(everything)
    assert not any(stale in explore["text"] for stale in STALE)
    everything.watch.known.remove(NO_KERNEL)


def test_after_a_restart_they_are_alive_and_the_explore_says_what_to_do(everything):
    everything.restart()
    assert_alive(everything)
    assert_still_of_explore(everything)


def test_scrolled_away_and_back_they_are_alive(everything):
    everything.page.evaluate("course.scroll('full')")
    try:
        for _ in range(2):
            everything.page.evaluate("course.visit()")
        first = "course.panel.content.widgets.find((cell) => course.shows(cell))"
        everything.page.evaluate(
            f"course.panel.content.scrollToItem(0).then(() => {first}.node.scrollIntoView())"
        )
        everything.page.wait_for_function("document.querySelector('[data-demonstration] > .kit')")
        assert everything.demonstration(0).answers()
        assert everything.watch.take() == []
    finally:
        everything.page.evaluate("course.scroll('contentVisibility')")


def test_a_second_view_is_alive_and_the_first_stays_so(everything):
    page = everything.page
    everything.page.evaluate(
        "{ const { content } = course.panel;"
        " content.activeCellIndex = content.widgets.findIndex((cell) => course.shows(cell)); }"
    )
    kits = "document.querySelectorAll('[data-demonstration] > .kit').length"
    before = page.evaluate(kits)
    notebook = page.evaluate("course.panel.id")
    everything.command("notebook:create-output-view")
    try:
        page.wait_for_function(f"{kits} === {before + 1}")
        host = page.locator(".jp-LinkedOutputView [data-demonstration]")
        assert host.locator(":scope > .kit").count() == 1
        slider = host.locator("input[type=range]").first
        told = host.locator("output").first
        value = told.inner_text()
        slider.focus()
        page.keyboard.press("ArrowRight")
        assert told.inner_text() != value
        assert everything.watch.take() == []
    finally:
        page.evaluate("course.closeViews()")
        page.evaluate("(id) => jupyterapp.shell.activateById(id)", notebook)


@pytest.fixture
def elsewhere(browser, server, everything, tmp_path):
    """Shows the saved notebook on another server; `home` is what that server trusts."""
    opened = []

    def show(home, application="jupyterlab"):
        again = Server(server.folder, home, application)
        opened.append(again)
        lab = Lab(browser, again)
        opened.append(lab.page)
        lab.open(ALL)
        return lab

    yield show
    for one in reversed(opened):
        one.close()


def test_on_a_new_server_they_are_alive_and_the_explore_has_its_still(elsewhere, home):
    lab = elsewhere(home)
    lab.watch.known.append(NO_KERNEL)
    assert_alive(lab)
    assert_still_of_explore(lab)


def test_untrusted_every_still_stays_and_says_what_to_do(elsewhere, tmp_path):
    lab = elsewhere(tmp_path / "stranger")
    demonstrations, _ = facts(lab)
    assert len(demonstrations) == COUNT
    for cell in demonstrations:
        assert cell["kits"] == 0
        assert [image["width"] > 0 and image["alt"] != "" for image in cell["images"]] == [True]
        assert "run this cell" in cell["text"]
        assert not any(stale in cell["text"] for stale in STALE)
    assert_still_of_explore(lab)
    assert lab.watch.take() == []


def test_in_notebook_7_they_are_alive_and_keep_their_keys(elsewhere, home):
    pytest.importorskip("notebook", reason="needs Notebook 7, which the test extra brings")
    lab = elsewhere(home, "notebook")
    lab.watch.known.append(NO_KERNEL)
    assert_alive(lab)
    lab.watch.known.clear()
    count = lab.count()
    for number in range(COUNT):
        driven = lab.demonstration(number)
        for control in {c["kind"]: c for c in driven.controls()}.values():
            driven.focus(control)
            for key in "abddx":
                lab.page.keyboard.press(key)
            assert lab.count() == count, (number, control)
    lab.run()
    assert_alive(lab)
    assert_explore_agrees(lab, by_mouse)  # Notebook 7 keeps the arrow keys from ipywidgets
