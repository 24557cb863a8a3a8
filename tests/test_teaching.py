"""What `teach` writes: whole, with every question, and with no answer where none may stand."""

import html
import importlib
import inspect
import json
import re
from html.parser import HTMLParser

import pytest

from helpers.course.exercise import Exercise
from helpers.teaching import command, pages
from helpers.teaching.guide import WEEKS, guide_page
from helpers.teaching.lesson import LESSONS, NOTEBOOKS, TeachingError, lesson_of
from helpers.teaching.note import plan_of
from helpers.teaching.notes import NOTES
from helpers.teaching.pages import inline, page

KINDS = {"notes.html", "sheet.html", "key.html", "moodle.gift.txt", "qti.zip"}


@pytest.fixture(scope="module", params=LESSONS)
def lesson(request):
    return lesson_of(request.param)


@pytest.fixture
def sheet(lesson):
    return pages.sheet_page(lesson)


class Balanced(HTMLParser):
    """Every element that is opened is closed, and nothing is fetched."""

    def __init__(self, text):
        super().__init__()
        self.open, self.fetched = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.fetched += [value for name, value in attrs if name in ("src", "href")]
        if tag not in {"meta", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def declared(number):
    """Questions and exercises of a lesson, not by way of what is tested."""
    module = importlib.import_module(f"helpers.lessons.lesson{number}")
    questions = importlib.import_module(f"helpers.lessons.lesson{number}.questions").QUESTIONS
    found = [getattr(module, name) for name in module.__all__]
    return questions, [value for value in found if isinstance(value, Exercise)]


@pytest.mark.parametrize("number", LESSONS)
def test_all_files_of_a_lesson_are_written_and_the_same_each_time(number, tmp_path, capsys):
    for folder in ("a", "b"):
        assert command.main([number, "--bank", "--out", str(tmp_path / folder)]) == 0
    written = {path.name: path.read_bytes() for path in (tmp_path / "a").iterdir()}
    assert set(written) == {f"lesson{number}-{kind}" for kind in KINDS}
    assert written == {path.name: path.read_bytes() for path in (tmp_path / "b").iterdir()}
    assert len(capsys.readouterr().out.splitlines()) == 2 * len(KINDS)


def test_pages_are_well_formed_and_fetch_nothing(lesson, sheet):
    notes = pages.notes_page(lesson, NOTES[lesson.number])
    for text in (notes, sheet, pages.key_page(lesson), guide_page()):
        read = Balanced(text)
        assert not read.open
        assert not read.fetched
        assert "@import" not in text
        assert "url(" not in text
        assert "color-scheme:light dark" in text
        assert "@media print" in text


def test_the_sheet_asks_every_question_and_answers_it_after_the_page_break(lesson, sheet):
    assert ".answers{break-before:page}" in sheet
    first, second = sheet.split('<section class="answers">')
    questions, _ = declared(lesson.number)
    assert re.findall(r"<b>([\w.]+)</b>", first) == [
        *[name for name in questions if "q" not in name],
        *[name for name in questions if "q" in name],
    ]
    for name, question in questions.items():
        assert inline(question.ask) in first
        assert all(inline(option) in first for option in question.options.values())
        assert f"{name}: {question.answer} is right" in second
        assert all(html.escape(why, quote=False) in second for why in question.why.values())


def test_page_one_of_the_sheet_gives_no_answer_away(lesson, sheet):
    first = sheet.split('<section class="answers">')[0].partition("<body>")[2]
    questions, _ = declared(lesson.number)
    for name, question in questions.items():
        assert not re.search(rf"{re.escape(name)}: [A-Z] ", first)
        assert not any(html.escape(why, quote=False) in first for why in question.why.values())
    shapes = re.findall(r'<div class="question"><b>[\w.]+</b> &nbsp; .*?<br>(.*?)</div>', first)
    assert len(shapes) == len(questions)
    for shown in shapes:  # each option looks alike: a letter and its text
        starts = [re.match(r"([A-Z]) &nbsp; ", line) for line in shown.split("<br>")]
        letters = [start[1] for start in starts]
        assert letters == sorted(letters)


def test_the_key_holds_the_source_of_every_reference_and_every_letter(lesson):
    key = pages.key_page(lesson)
    questions, exercises = declared(lesson.number)
    assert exercises
    for exercise in exercises:
        source = inspect.getsource(exercise.reference)
        assert html.escape(inspect.cleandoc(source).splitlines()[0], quote=False) in key
        last = source.rstrip().splitlines()[-1].strip()
        assert html.escape(last, quote=False) in key
        assert f"<h2>{exercise.name.partition('.')[2]} (points:" in key
    assert all(f"{name}: {q.answer} is right" in key for name, q in questions.items())


def test_notes_name_what_the_lesson_declares(lesson):
    note = NOTES[lesson.number]
    questions, exercises = declared(lesson.number)
    wrong = {(e.name.partition(".")[2], w.__name__) for e in exercises for w in e.wrong}
    assert note.vote in questions
    assert "q" not in note.vote, "the vote is a prediction"
    assert len({(one.exercise, one.wrong) for one in note.misconceptions}) == 3
    assert {(one.exercise, one.wrong) for one in note.misconceptions} <= wrong
    named = set(re.findall(r"\b\d+\.q?\d+\b", " ".join(note.texts)))
    assert named <= set(questions), "a question that the words name is gone"
    assert 130 <= len(" ".join(note.texts).split()) <= 260
    headings = [stretch.heading for stretch in lesson.stretches]
    marked = re.findall(r"\*([^*]+)\*", " ".join(note.texts))
    assert set(marked) <= set(headings), "what stands in italics is a heading of the notebook"


def test_notes_show_the_words_the_vote_and_three_misconceptions(lesson):
    note = NOTES[lesson.number]
    text = pages.notes_page(lesson, note)
    assert all(inline(words) in text for words in note.texts)
    assert inline(lesson.questions[note.vote].ask) in text
    for one in note.misconceptions:
        assert inline(lesson.misconception(one.exercise, one.wrong)) in text


@pytest.mark.parametrize("length", [45, 90])
def test_a_plan_fits_its_length_keeps_the_order_and_asks_for_the_vote(lesson, length):
    vote = NOTES[lesson.number].vote
    plan = plan_of(lesson, vote, length)
    assert plan.minutes <= length
    assert plan.minutes > 0.6 * length or not plan.left
    assert any(vote in stretch.asks for stretch in plan.kept)
    headings = [stretch.heading for stretch in lesson.stretches]
    places = [headings.index(stretch.heading) for stretch in plan.kept]
    assert places == sorted(places)
    assert len(plan.kept) + len(plan.left) == len(headings)


def test_headings_are_those_of_the_notebook_and_the_minutes_add_up(lesson):
    (file,) = NOTEBOOKS.glob(f"{lesson.number}_*.ipynb")
    text = "\n".join(
        "".join(cell["source"])
        for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]
        if cell["cell_type"] == "markdown"
    )
    headings = re.findall(r"^#{2,3} (.*)$", text, flags=re.MULTILINE)
    assert [stretch.heading for stretch in lesson.stretches] == ["", *headings]
    minutes = importlib.import_module("helpers.lessons.minutes")
    times = minutes.time_of(file)
    whole = sum(t.minutes for t in times) - sum(t.machine_seconds for t in times) / 60
    assert sum(stretch.minutes for stretch in lesson.stretches) == pytest.approx(whole, abs=0.01)


def test_every_plan_of_weeks_gives_each_lesson_once():
    for count, weeks in WEEKS.items():
        assert len(weeks) == count
        assert sorted(re.findall(r"\d\d", " ".join(weeks))) == list(LESSONS)


def test_the_guide_names_memory_link_mirror_offline_and_limits(tmp_path, capsys):
    assert command.main(["--guide", "--out", str(tmp_path)]) == 0
    text = (tmp_path / "guide.html").read_text(encoding="utf-8")
    wanted = ("http_timeout = 120", "git-pull?repo=", "PIP_INDEX_URL", "pip download", "The limits")
    assert all(words in text for words in wanted)
    assert [path.name for path in tmp_path.iterdir()] == ["guide.html"]


def test_an_unknown_lesson_is_refused_in_a_sentence(tmp_path, capsys):
    assert command.main(["04", "11", "--out", str(tmp_path / "out")]) == 2
    assert "There is no lesson 11" in capsys.readouterr().err
    assert not (tmp_path / "out").exists(), "nothing is half written"
    with pytest.raises(TeachingError, match=r"softmax\.nothing"):
        lesson_of("4").misconception("softmax", "nothing")


def test_markdown_of_questions_becomes_html_and_signs_stay_signs():
    assert inline("*a* **b** `c<d` e * f * g") == (
        "<em>a</em> <b>b</b> <code>c&lt;d</code> e * f * g"
    )
    assert "<title>a &lt; b</title>" in page("a < b", "")
