"""The check of written pages names each fault; notebooks are run or reused; flip-books."""

from itertools import product

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from helpers.course.explore import explore
from helpers.figures import CourseFigure
from helpers.site import checking, command, fonts, running
from helpers.site import flip_book as book
from helpers.site.lessons import SiteError

GOOD = '<a href="other.html#there">x</a><a href="https://a.b/c">y</a><b id="here">z</b>'
OTHER = '<h2 id="there">other</h2>'


def written(around, page):
    """The faults of two pages in a folder, beside which there is a file."""
    (around / "beside.html").write_text(OTHER, encoding="utf-8")
    folder = around / "pages"
    folder.mkdir()
    (folder / "index.html").write_text(fonts.faces(page) + page, encoding="utf-8")
    (folder / "other.html").write_text(OTHER, encoding="utf-8")
    return checking.faults_of(folder)


def test_a_page_that_stands_alone_has_no_fault(tmp_path):
    assert written(tmp_path, GOOD + "<p>他 √</p><img src='data:image/png;base64,AA=='>") == []


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('<img src="https://a.b/c.png">', "asks for https://a.b/c.png"),
        ('<img src="picture.png">', "asks for picture.png"),
        ('<link rel="stylesheet" href="//a.b/c.css">', "asks for //a.b/c.css"),
        ("<style>p { background: url(https://a.b/c) }</style>", "asks for https://a.b/c"),
        ("<style>@import 'c.css';</style>", "asks for 'c.css'"),
        ('<p style="background: url(c.png)">x</p>', "asks for c.png"),
        ("<script>fetch('x')</script>", "asks for fetch("),
        ("<script type='module'>import { a } from './b.js';</script>", "asks for import"),
        ('<form action="https://a.b/c"></form>', "asks for https://a.b/c"),
        ('<a href="nowhere.html">x</a>', "leads nowhere: nowhere.html"),
        ('<a href="../beside.html">x</a>', "leads nowhere: ../beside.html"),
        ('<a href="javascript:void(0)">x</a>', "leads nowhere: javascript:void(0)"),
        ('<a href="other.html#gone">x</a>', "leads to no heading: other.html#gone"),
        ('<a href="#gone">x</a>', "leads to no heading: #gone"),
        ('<a href="https://x.org/gh/OWNER/REPO">x</a>', "not named yet"),
        ('<b id="here">x</b>', "two elements are called here"),
        ("<p>\ue000</p>", "no font has \ue000"),
        (f"<p>{'x' * checking.MOST_BYTES}</p>", "more than 2000000"),
    ],
)
def test_the_check_names_each_fault(tmp_path, more, told):
    (fault,) = written(tmp_path, GOOD + more)
    assert fault.startswith("index.html: ")
    assert told in fault


def test_a_character_that_the_pages_own_fonts_lack_is_a_fault(tmp_path):
    (tmp_path / "index.html").write_text(f"<style>{fonts.faces('他')}</style>他书", "utf-8")
    assert checking.faults_of(tmp_path) == ["index.html: its fonts lack 书"]


def test_the_command_says_by_its_exit_code_what_came_out(tmp_path, capsys):
    assert command.main([str(tmp_path), "--check"]) == 2
    assert "no index.html" in capsys.readouterr().err
    written(tmp_path, '<a href="#gone">x</a>')
    assert command.main([str(tmp_path / "pages"), "--check"]) == 1
    assert "leads to no heading" in capsys.readouterr().err


@pytest.fixture
def runs(monkeypatch):
    """Names of the notebooks that were run, each being given a result without a kernel."""
    names = []

    def run(notebook, folder, place):
        names.append(place)
        for cell in notebook.cells[1:]:
            cell.outputs = [nbformat.v4.new_output("stream", text=f"run {len(names)}")]
        return notebook

    monkeypatch.setattr(running, "_run", run)
    return names


def notebook(text="old", code="1 + 1"):
    return new_notebook(cells=[new_markdown_cell(text), new_code_cell(code)])


def test_results_are_reused_while_the_code_is_the_same_and_texts_are_todays(tmp_path, runs):
    for text in ("old", "new"):
        done = running.executed(notebook(text), tmp_path, tmp_path / "kept", "deeper/01_x")
        assert runs == ["deeper/01_x"]
        assert done.cells[0].source == text
        assert done.cells[1].outputs[0].text == "run 1"
    done = running.executed(notebook(code="1 + 2"), tmp_path, tmp_path / "kept", "deeper/01_x")
    assert done.cells[1].outputs[0].text == "run 2"
    running.executed(notebook(code="1 + 2"), tmp_path, tmp_path / "kept", "deeper/01_x")
    assert len(runs) == 2
    running.executed(notebook(), tmp_path, None, "deeper/01_x")
    assert len(runs) == 3


EXPLORE = """from helpers.course.explore import explore
from helpers.figures import bars
explore(lambda n: bars([n, 1], ["a", "b"], caption=f"n is {n}"), n=(1, 3))"""


def test_run_for_a_page_an_explore_is_a_flip_book_and_no_widget(tmp_path):
    done = running.executed(notebook(code=EXPLORE), tmp_path, tmp_path / "kept", "01_x")
    assert [cell.source for cell in done.cells] == ["old", EXPLORE]
    (output,) = done.cells[1].outputs
    assert set(output.data) == {"text/html", "text/plain"}
    for text in ("data-demonstration", "n is 1", "n is 2", "n is 3"):
        assert text in output.data["text/html"]
    assert nbformat.read(tmp_path / "kept" / "01_x.ipynb", 4).cells[1].outputs == [output]


def test_a_cell_that_fails_is_named_and_nothing_is_kept(tmp_path):
    with pytest.raises(SiteError, match=r"A cell of 01_x failed: ZeroDivisionError: division by"):
        running.executed(notebook(code="1 / 0"), tmp_path, tmp_path / "kept", "01_x")
    assert not (tmp_path / "kept").exists()


CONTROLS = [
    (
        {"row": [("a", 8), ("b", 4)], "add": (-100, 100), "T": (0.1, 10.0, 0.1)},
        {"add": 0, "T": 1.0},
    ),
    ({"steps": (0, 60), "size": [0.2, 1.0, 5.0]}, {"size": 1.0}),
    ({"strength": (0.5, 1.5, 0.1), "turns": False}, {"strength": 0.9}),
    ({"blocks": (1, 10), "size": [2, 1, 5]}, {"blocks": 4}),
    ({"x": (0, 1)}, {}),
    ({"x": (0.0, 1.0)}, {"x": 0.123}),
    ({"on": True}, {}),
    ({"q": (1, 8), "k": (1, 8), "p": (0, 4), "a": ["x", "y"], "b": ["x", "y"]}, {"q": 4, "k": 6}),
]


def drawn_by(monkeypatch, controls, start):
    """The data of the flip-book of an explore, and the settings of each picture that was drawn."""
    data, settings = [], []

    def draw(**chosen):
        settings.append(chosen)
        grey = len(settings) / 99  # no two pictures are the same
        caption = str(sorted(chosen.items()))
        return CourseFigure(figsize=(0.2, 0.2), facecolor=(grey, grey, grey), caption=caption)

    monkeypatch.setattr(book, "demonstration", lambda script, still, **more: data.append(more))
    monkeypatch.setattr("helpers.course.explore._show", book.show)
    explore(draw, start=start, **controls)
    return data[0], settings[1:]  # the first one is the still picture


@pytest.mark.parametrize(("controls", "start"), CONTROLS, ids=lambda x: " ".join(x))
def test_a_flip_book_shows_all_choices_and_both_ends_in_few_pictures(monkeypatch, controls, start):
    data, settings = drawn_by(monkeypatch, controls, start)
    assert len(settings) == len(data["places"]) <= book.MOST
    first = {
        name: start.get(name, c[0] if not isinstance(c, bool) else c)
        for name, c in controls.items()
    }
    for name, control in controls.items():
        seen = {chosen[name] for chosen in settings}
        if isinstance(control, tuple):
            few = sum(isinstance(other, tuple) for other in controls.values()) > 2
            assert {control[few], control[1], first[name]} <= seen
            assert len(seen) > 4 or few or control == (0, 1)
        elif isinstance(control, bool):
            assert seen == {True, False}
        else:
            assert seen == {v[1] if isinstance(v, tuple) else v for v in control}
    sliders = [name for name, control in controls.items() if isinstance(control, tuple)]
    for chosen in settings:
        assert sum(chosen[name] != first[name] for name in sliders) <= 1


@pytest.mark.parametrize(("controls", "start"), CONTROLS[:3], ids=lambda x: " ".join(x))
def test_each_position_leads_to_the_picture_of_its_settings(monkeypatch, controls, start):
    data, settings = drawn_by(monkeypatch, controls, start)
    found = {}
    for place, picture in data["places"].items():
        names = [c["names"][int(k)] for c, k in zip(data["controls"], place.split(), strict=True)]
        found[tuple(names)] = data["captions"][picture]
    wanted = {}
    for chosen in settings:
        names = []
        for name, value in chosen.items():
            texts = (
                {v[1]: v[0] for v in controls[name] if isinstance(v, tuple)}
                if name == "row"
                else {}
            )
            names.append(texts.get(value, str(value).replace("-", "−")))
        wanted[tuple(names)] = str(sorted(chosen.items()))
    assert found == wanted


def test_too_many_choices_are_refused_by_a_sentence():
    controls = {"a": list(range(6)), "b": list(range(5))}
    assert len(list(product(*controls.values()))) > book.MOST
    with pytest.raises(ValueError, match="25 pictures"):
        book.positions({"a": 0, "b": 0}, controls)
    assert len(book.positions({"a": 0}, {"a": list(range(25))})["a"]) == 25
