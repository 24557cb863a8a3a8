"""The pages of the reading edition in Chromium, opened from the disk with the network off."""

import shutil
from pathlib import Path

import nbformat
import pytest
from reading import CORE

from browser.axe import serious_faults
from browser.chromium import Watch
from browser.demos import all_demonstrations, notebook_of_all
from helpers.site import command

LESSON, ALL = CORE[3], "99_all"
PAGES = ("index", "notices", LESSON.stem, ALL)
LOOKS = [(1280, "light"), (390, "dark")]
SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
REFUSED = (
    "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } });"
)


@pytest.fixture(scope="module")
def folder(browser, tmp_path_factory):
    """The pages of one lesson, of all demonstrations, and the index."""
    notebooks = tmp_path_factory.mktemp("reading") / "notebooks"
    notebooks.mkdir()
    shutil.copy(LESSON, notebooks)
    everything = notebook_of_all()
    everything.cells.insert(0, nbformat.v4.new_markdown_cell("# All demonstrations"))
    nbformat.write(everything, notebooks / f"{ALL}.ipynb")
    command.write(notebooks.parent / "out", None, notebooks=notebooks)
    return notebooks.parent / "out"


class Reader:
    """A page of a browser without a network; its faults are kept until they are asked for."""

    def __init__(self, browser, folder, width=1280, theme="light", script=""):
        self.folder, self.watch = folder, Watch(folder.as_uri())
        self.context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=theme,
            reduced_motion="reduce",
            offline=True,
        )
        self.page = self.context.new_page()
        self.page.add_init_script(SCRIPT + script)
        self.watch.on(self.page)

    def open(self, name):
        """Show a page, all of whose demonstrations have started."""
        self.page.goto((self.folder / f"{name}.html").as_uri())
        self.page.wait_for_function(
            "!document.querySelector('[data-demonstration]:not([data-live])')"
        )

    def see(self, selector):
        """Whether the first such element is seen."""
        return self.page.locator(selector).first.is_visible()

    def commit(self, question, letter):
        """Choose a letter of a prediction."""
        self.page.click(f'.predict[data-question="{question}"] [data-letter="{letter}"]')

    def text(self, selector):
        """The text of the first such element."""
        return self.page.locator(selector).first.inner_text()


@pytest.fixture
def reader(browser, folder):
    """Makes readers, who leave at the end without a fault."""
    made = []

    def arrive(**options):
        made.append(Reader(browser, folder, **options))
        return made[-1]

    yield arrive
    faults = [fault for one in made for fault in one.watch.take()]
    for one in made:
        one.context.close()
    assert faults == []


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_every_page_fits_the_screen_and_axe_finds_nothing_serious(reader, width, theme):
    one = reader(width=width, theme=theme)
    for name in PAGES:
        one.open(name)
        one.page.evaluate("document.querySelectorAll('.predict .skip').forEach((b) => b.click())")
        assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        assert one.page.evaluate("document.documentElement.dataset.theme") == theme
        assert serious_faults(one, "body") == [], name


def test_predictions_hold_back_release_are_counted_and_remembered(reader):
    one = reader()
    one.open(LESSON.stem)
    held = '.held[data-question="4.1"]'
    assert not one.see(held)
    assert "Predicted before the answer: 0" in one.text("[data-count]")
    one.commit("4.1", "B")
    assert one.see(held)
    assert not one.see('.held[data-question="4.2"]')
    assert "You predicted B, and that is what happened" in one.text(f"{held} .reveal")
    one.commit("4.2", "A")
    assert "You predicted A. What happened: C" in one.text('.reveal[data-question="4.2"]')
    one.commit("4.3", "")
    assert "You have not predicted" in one.text('.reveal[data-question="4.3"]')
    assert "Predicted before the answer: 2. Right: 1." in one.text("[data-count]")
    one.open(LESSON.stem)
    assert one.see(held)
    assert "Predicted before the answer: 2. Right: 1." in one.text("[data-count]")
    one.open("index")
    assert "2 of 3" in one.text(".done")
    kept = one.page.evaluate("Object.keys(localStorage)")
    assert kept
    assert all(name.startswith("self-attention-course:") for name in kept)
    one.page.click("[data-forget]")
    assert one.page.evaluate("localStorage.length") == 0
    one.open(LESSON.stem)
    assert not one.see(held)


def test_where_storage_is_refused_a_page_works_and_forgets(reader):
    one = reader(script=REFUSED)
    one.open(LESSON.stem)
    one.commit("4.1", "A")
    assert one.see('.held[data-question="4.1"]')
    assert "Predicted before the answer: 1" in one.text("[data-count]")
    one.page.click("[data-switch=theme]")
    assert one.page.evaluate("document.documentElement.dataset.theme") == "dark"
    one.open(LESSON.stem)
    assert not one.see('.held[data-question="4.1"]')


def test_without_scripts_nothing_is_held_back(browser, folder):
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto((folder / f"{LESSON.stem}.html").as_uri())
    assert page.locator(".held").first.is_visible()
    assert not page.locator(".predict").first.is_visible()
    context.close()


def test_on_paper_nothing_is_held_back(reader):
    one = reader()
    one.open(LESSON.stem)
    one.page.emulate_media(media="print")
    assert one.see(".held")
    assert not one.see(".page-bar")


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_every_demonstration_and_flip_book_answers_keys_and_mouse(reader, width, theme):
    one = reader(width=width, theme=theme)
    one.open(ALL)
    names = [*all_demonstrations(), "explore"]
    kits = one.page.locator("[data-demonstration] > .kit")
    assert kits.count() == len(names)
    for number, name in enumerate(names):
        kit = kits.nth(number)
        kit.scroll_into_view_if_needed()
        assert kit.evaluate("demos.press"), f"{name}: no key changes anything"
        assert kit.evaluate("(kit) => kit.hasAttribute('data-dark')") == (theme == "dark")
        spots = kit.evaluate("demos.spots")
        before = kit.evaluate("demos.shown")
        for x, y in spots:
            box = kit.bounding_box()
            one.page.mouse.click(box["x"] + x, box["y"] + y)
            if kit.evaluate("demos.shown") != before:
                break
        else:
            pytest.fail(f"{name}: the mouse changes nothing at {spots}")


def test_the_machine_of_the_index_turns_he_into_she_at_once(reader):
    one = reader(width=390)
    one.open("index")
    machine = one.page.locator(".machine .kit")
    assert "小明" in machine.inner_text()
    machine.get_by_text("她", exact=False).first.click()
    assert "她 she looks at 小红 Xiaohong" in machine.inner_text()


def test_contents_follow_and_a_link_into_what_is_held_leads_to_its_question(reader):
    one = reader()
    one.open(LESSON.stem)
    here = ".contents [aria-current]"
    one.page.evaluate("document.getElementById('keep').scrollIntoView()")
    one.page.wait_for_function(f"document.querySelector('{here}')?.hash === '#keep'")
    one.page.evaluate("document.getElementById('step-1-score').scrollIntoView()")
    one.page.wait_for_function(f"document.querySelector('{here}')?.hash === '#step-1-score'")
    one.page.evaluate("document.querySelector('.held').id = 'inside'; location.hash = 'inside'")
    one.page.wait_for_function(
        "(({ top }) => top > 0 && top < innerHeight)"
        "(document.querySelector('.predict').getBoundingClientRect())"
    )


def test_switches_are_remembered_from_page_to_page(reader):
    one = reader()
    one.open(LESSON.stem)
    assert not one.see("ruby rt")
    one.page.click("[data-switch=meanings]")
    one.page.click("[data-switch=theme]")
    assert one.see("ruby rt")
    one.open("index")
    assert one.page.get_attribute("[data-switch=meanings]", "aria-pressed") == "true"
    assert one.page.evaluate("document.documentElement.dataset.theme") == "dark"
