"""The pages of the reading edition, made from a small made-up course without a kernel."""

import json
import re

import pytest
import yaml
from bs4 import BeautifulSoup
from import_graph import ROOT
from site_samples import PNG, first_lesson, made_up_course

from helpers.course.predictions import Predictions
from helpers.lessons import lesson04
from helpers.lessons.lesson04.questions import QUESTIONS
from helpers.site import cells, command, fonts, markdown, pages
from helpers.site.lessons import SiteError, lessons_of


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the made-up course, with its pages in "out"."""
    folder = tmp_path_factory.mktemp("site")
    notebooks, kept = made_up_course(folder)
    command.write(folder / "out", kept, "me/course", notebooks)
    return folder


def page_of(site, name="01_one"):
    return BeautifulSoup((site / "out" / f"{name}.html").read_text(encoding="utf-8"), "html.parser")


@pytest.fixture
def page(site):
    """The page of the first lesson."""
    return page_of(site)


def edition(site, *codes, binder=""):
    return pages.Edition(codes[-1], codes, tuple(lessons_of(site / "notebooks")), binder)


def test_every_page_is_written_and_the_check_finds_nothing(site):
    there = {p.relative_to(site / "out").as_posix() for p in (site / "out").rglob("*.html")}
    lessons = {"01_one.html", "02_two.html", "deeper/01_more.html"}
    assert there == lessons | {"index.html", "notices.html"}
    assert command.main([str(site / "out"), "--check"]) == 0


def test_what_stands_between_prediction_and_answer_is_held_back_and_nothing_else(page):
    (held,) = page.select(".held")
    assert held["data-question"] == page.select_one(".predict")["data-question"] == "4.1"
    assert [b["data-letter"] for b in page.select(".predict button")] == ["A", "B", "C", ""]
    for text in ("Held text.", "held cell", "Held comment."):
        assert text in held.get_text()
        assert page.get_text().count(text) == 1
    for text in ("More?", "Open again.", "NotImplementedError", "the quiz"):
        assert text not in held.get_text()
        assert text in page.get_text()


def test_an_answer_is_the_card_that_the_notebook_shows_for_each_letter(page):
    for letter in "ABC":
        predictions = Predictions(QUESTIONS)
        predictions.predict("4.1", letter)
        wanted = BeautifulSoup(predictions.reveal("4.1")._repr_html_(), "html.parser")
        assert page.select_one(
            f'.reveal template[data-letter="{letter}"]'
        ).decode_contents() == str(wanted)
    assert "You have not predicted yet" in page.select_one(".reveal [data-card]").get_text()


def test_predictions_are_counted_as_the_notebook_counts_them(page):
    place = page.select_one("[data-count]")
    asked = {name: q.answer for name, q in QUESTIONS.items() if ".q" not in name}
    assert json.loads(place["data-count"]) == asked
    empty = Predictions(QUESTIONS).summary()
    assert place["data-text"].format(asked=len(asked), made=0, right=0) == empty.plain
    assert "counted by the kernel" not in page.get_text()


def test_a_prediction_without_an_answer_is_an_error_and_so_is_an_answer_without_one():
    for source in ('lesson04.reveal("4.1")', 'lesson04.predict("4.1", "?")'):
        notebook = first_lesson()
        notebook.cells = [c for c in notebook.cells if c.source != source]
        with pytest.raises(SiteError, match="answer"):
            cells.parts_of(notebook)


def test_an_exercise_has_its_hints_and_its_solution_folded(page):
    folds = page.select(".exercise details")
    texts = [fold.get_text() for fold in folds]
    for hint, text in zip(lesson04.softmax.hints, texts[:-1], strict=True):
        assert hint in text
    assert lesson04.softmax.solution().source.strip() in texts[-1]
    assert not any(fold.has_attr("open") for fold in folds)
    assert "not attempted" not in page.get_text()


def test_code_results_and_pictures_stand_as_in_the_notebook(page):
    image = page.select_one(".picture img")
    assert image["src"] == f"data:image/png;base64,{PNG}"
    assert image["alt"] == "Bars of <shares> of 他"
    assert image["width"] == "720"
    assert page.select_one("pre.printed").get_text() == "{1: 2 < 3}"
    assert "show()  # (n, d_k)" in page.get_text()
    assert "import numpy" in page.select_one("details.imports").get_text()
    for call in ("predict(", "reveal(", "quiz(", "check("):
        assert call not in page.select_one("main").get_text()


def test_formulas_are_mathml(page):
    assert "$" not in page.select_one("main").get_text()
    inline, block = page.select("math")
    assert inline.select_one("mfrac msub mi").get_text() == "a"
    assert inline.select_one("mfrac msqrt msub mi.letter").get_text() == "d"
    assert block["display"] == "block"
    assert block.get_text() == "softmax(s)"


def test_chinese_words_bring_their_meaning_unless_it_stands_there_anyway(page):
    words = [(r.find(string=True), r.rt.get_text()) for r in page.select("main ruby")]
    assert words == [("他", "he"), ("小明", "Xiaoming"), ("书", "book")]
    assert not page.select("code ruby, .contents ruby")
    assert "ruby" not in markdown.glossed("<p>他们 and 他 (he)</p>")


def test_headings_can_be_linked_and_make_the_contents(page):
    headings = [h["id"] for h in page.select("main h2, main h3")]
    assert headings == ["step", "step-2"]
    assert [a["href"] for a in page.select(".contents a")] == ["#step", "#step-2"]


def test_links_lead_from_page_to_page(site, page):
    assert page.select_one(".text a")["href"] == "02_two.html"
    second = page_of(site, "02_two")
    assert [a["href"] for a in second.select(".text a")] == [
        "01_one.html#step",
        "deeper/01_more.html",
    ]
    assert markdown.page_address("https://a.b/c.ipynb") == "https://a.b/c.ipynb"
    steps = {a["rel"][0]: a["href"] for a in page_of(site, "deeper/01_more").select(".steps a")}
    assert steps == {"prev": "../01_one.html", "next": "../02_two.html"}
    assert [a["href"] for a in page.select(".steps a")] == ["02_two.html"]


def test_every_page_can_be_downloaded_and_opened_in_binder(site):
    for place in ("01_one", "02_two", "deeper/01_more"):
        binder, download = (a["href"] for a in page_of(site, place).select(".own a"))
        assert "/gh/me/course/" in binder
        assert binder.endswith(f"lab/tree/notebooks/{place}.ipynb")
        file = (site / "out" / place).parent / download
        assert file.read_bytes() == (site / "notebooks" / f"{place}.ipynb").read_bytes()


def test_a_repository_that_has_no_name_yet_is_not_linked(site):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    owned = pages.binder_link(text, "me/course")
    assert pages.binder_link(owned.replace("me/course", "OWNER/REPO")) == ""
    assert pages.binder_link(owned) == owned
    assert pages.binder_link("no address") == ""


def test_the_index_shows_the_machine_and_leads_to_every_lesson(site):
    index = page_of(site, "index")
    assert index.select_one(".machine").get_text() == "the machine"
    links = [a["href"] for a in index.select(".lessons a")]
    assert links == ["01_one.html", "02_two.html", "deeper/01_more.html"]
    assert "Who is 他" in index.select_one(".lessons p").get_text()
    asked = [json.loads(place["data-asked"]) for place in index.select("[data-asked]")]
    assert asked == [["4.1"], []]


def test_every_page_says_that_nothing_leaves_it_and_names_the_licences(site):
    for name in ("index", "notices", "01_one", "deeper/01_more"):
        foot = page_of(site, name).select_one("footer")
        assert "stays in this browser" in foot.get_text()
        assert foot.select_one("a")["href"].endswith("notices.html")
    notices = page_of(site, "notices").get_text()
    for part in ("SIL OPEN FONT LICENSE Version 1.1", "Bitstream Vera", "MIT License", "CC BY 4.0"):
        assert part in notices


def test_what_the_browser_stores_has_a_prefix_and_storage_may_be_refused():
    script = (ROOT / "helpers" / "site" / "page.js").read_text(encoding="utf-8")
    assert set(re.findall(r'PREFIX = "([^"]+)"', script)) == {"self-attention-course:"}
    assert set(re.findall(r"localStorage\.(?:get|set)Item\(([^,)]+)", script)) == {"PREFIX + name"}


def test_the_language_switch_waits_for_a_second_language(site):
    def switch(*codes):
        made = pages.notices_page(edition(site, *codes))
        return [a["href"] for a in BeautifulSoup(made, "html.parser").select(".languages a")]

    assert switch("en") == []
    assert switch("en", "zh") == ["../notices.html", "../zh/notices.html"]
    links = edition(site, "zh", "en").links("deeper/01_more.html")
    assert [x["link"] for x in links] == [
        "../../deeper/01_more.html",
        "../../en/deeper/01_more.html",
    ]


def test_the_fonts_of_a_page_have_its_characters_and_no_others():
    page = "<p>他 √ é</p><script>'\\u4e66'; /[\\u3000-\\u9fff\\uff00-\\uffef]/</script>"
    assert fonts.special_characters(page) == set("他√é书")
    made = fonts.faces(page)
    assert set("他√é书") <= fonts.embedded(made) <= set("他√é书 \r\x00")
    assert fonts.missing({"他", "√", "\ue000"}) == {"\ue000"}
    assert made.count("@font-face") == 2


def test_no_name_of_a_style_is_also_one_of_a_demonstration():
    css = (ROOT / "helpers" / "site" / "page.css").read_text(encoding="utf-8")
    own = set(re.findall(r"\.([a-z][a-z-]+)(?=[\s,:{.)\[>])", re.sub(r"\{[^}]*\}", "{", css)))
    assert {"page-bar", "held", "predict"} <= own
    scripts = [
        path.read_text(encoding="utf-8")
        for path in sorted((ROOT / "helpers").rglob("*.js"))
        if path.name != "page.js"
    ]
    used = {name for text in scripts for names in _names(text) for name in names.split()}
    assert {"kit", "bar", "spoken"} <= used
    assert not own & used


def _names(script):
    """What may be a class: the last text of make(…), and class attributes."""
    yield from re.findall(r'make\([^;\n]*"([a-z][a-z -]*)"\)', script)
    yield from re.findall(r'class(?:Name)?[:=]\s*["`]([a-z][a-z -]*)', script)
    yield from re.findall(r"make\([^;\n]*`([a-z]+) ", script)


def test_github_publishes_what_the_command_writes():
    file = ROOT / ".github" / "workflows" / "pages.yml"
    jobs = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"]
    steps = [step for job in jobs.values() for step in job["steps"]]
    (run,) = [step["run"] for step in steps if "helpers site" in step.get("run", "")]
    (upload,) = [step for step in steps if "upload-pages-artifact" in step.get("uses", "")]
    assert upload["with"]["path"] in run.split()
    assert any("deploy-pages" in step.get("uses", "") for step in steps)
