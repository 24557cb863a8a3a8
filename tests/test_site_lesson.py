"""A page shows what the notebook shows: one lesson, run once, is compared with its page."""

import base64
import re

import nbformat
import pytest
from bs4 import BeautifulSoup
from import_graph import ROOT

from helpers.site import pages, running
from helpers.site.checking import MOST_BYTES
from helpers.site.lessons import lessons_of

PLACE = "04_score_normalise_sum"
CALLS = ("predict", "reveal", "quiz", "predictions", "table")
CALL = re.compile(rf"lesson04\.({'|'.join(CALLS)})\(.*\)")


@pytest.fixture(scope="module")
def notebook():
    """The lesson with its results."""
    path = ROOT / "notebooks" / f"{PLACE}.ipynb"
    return running.executed(nbformat.read(path, as_version=4), path.parent, None, PLACE)


@pytest.fixture(scope="module")
def written(notebook):
    """Its page as text."""
    lessons = tuple(lessons_of(ROOT / "notebooks"))
    lesson = next(lesson for lesson in lessons if lesson.place == PLACE)
    copy = nbformat.from_dict(notebook)
    return pages.lesson_page(copy, lesson, pages.Edition("en", ("en",), lessons))


@pytest.fixture(scope="module")
def page(written):
    """Its page, read by another library; without what a reader turns on."""
    read = BeautifulSoup(written, "html.parser")
    for meaning in read.select("rt"):
        meaning.extract()
    return read


def words(text):
    """The words and numbers of a text, in order."""
    return re.findall(r"\w+", text)


def read_markdown(source):
    """The words of a text cell, without its marks, its formulas and where its links lead."""
    text = re.sub(r"\$\$.*?\$\$|\$[^$\n]+\$", " ", source, flags=re.DOTALL)
    text = re.sub(r"\]\([^)]*\)", "] ", text)
    text = re.sub(r"^\s*\d+\.\s", " ", text, flags=re.MULTILINE)  # the browser numbers a list
    return words(re.sub(r"</?\w+>|[*_`]{1,2}(?=\W|\w)", lambda m: _kept(m[0]), text))


def _kept(mark):
    return "_" if "_" in mark else " "


def test_every_text_is_there_word_for_word_and_in_order(notebook, page):
    for formula in page.select(".text math"):
        formula.extract()
    cells = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    texts = page.select("main .text")
    for cell, text in zip(cells, texts, strict=True):
        assert words(text.get_text(" ")) == read_markdown(cell.source)


def test_every_figure_is_there_as_it_was_drawn_with_its_words(notebook, page):
    drawn = [
        (output.data["image/png"].strip(), output.metadata["image/png"]["alt"])
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    assert len(drawn) >= 2
    shown = [(i["src"].partition(",")[2], i["alt"]) for i in page.select(".picture img")]
    assert [(base64.b64decode(data), alt) for data, alt in shown] == [
        (base64.b64decode(data), alt) for data, alt in drawn
    ]


def test_every_table_and_number_is_there(notebook, page):
    rows, numbers = [], []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if (
                "<table" in data.get("text/html", "")
                and "data-demonstration" not in data["text/html"]
            ):
                made = BeautifulSoup(data["text/html"], "html.parser")
                rows += [words(row.get_text(" ")) for row in made.select("tr")]
            elif set(data) == {"text/plain"}:
                numbers.append(data["text/plain"])
    assert len(rows) > 20
    assert len(numbers) >= 4
    assert [words(r.get_text(" ")) for r in page.select(".rich table tr")] == rows
    assert [p.get_text() for p in page.select("pre.printed")] == numbers


def test_every_line_of_code_is_there_but_the_calls_that_the_page_answers_itself(notebook, page):
    shown = [
        box.get_text().strip() for box in page.select(".code") if not box.find_parent("section")
    ]
    sources = [cell.source.strip() for cell in notebook.cells if cell.cell_type == "code"]
    wanted = [s for s in sources if not CALL.fullmatch(s) and ".check(" not in s]
    assert shown == wanted
    assert len(sources) - len(wanted) > 10


def test_every_demonstration_is_there(notebook, page):
    outputs = [
        output.data["text/html"]
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "data-demonstration" in output.get("data", {}).get("text/html", "")
    ]
    assert outputs
    shown = [str(host["data-demonstration"]) for host in page.select("[data-demonstration]")]
    assert shown == [re.search(r'data-demonstration="(\w+)"', made)[1] for made in outputs]


def test_the_page_is_small_enough_to_be_sent(written):
    assert len(written.encode()) <= MOST_BYTES
