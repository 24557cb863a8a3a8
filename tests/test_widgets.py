"""Cards and controls: state, texts, what is left without widgets, errors that stay visible."""

import subprocess
import sys
import types

import matplotlib.pyplot as plt
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from ipywidgets.widgets.widget import _instances

from helpers.figures import bars
from helpers.questions import Question, find
from helpers.widgets import cards, explore, predict, quiz, reveal
from helpers.widgets.browser import browser_widget, show_in_browser

WIDGET = "application/vnd.jupyter.widget-view+json"
WHY = {
    "A": "It takes a score for a <share>.",
    "B": "Right: e² is about 7.4 & more.",
    "C": "Half right.",
}


@pytest.fixture(autouse=True)
def lesson(monkeypatch):
    """A lesson 99 with its questions, and no prediction made yet."""
    InteractiveShell.instance()
    module = types.ModuleType("helpers.questions.lesson99")
    module.QUESTIONS = {"99.1": Question("B", WHY), "99.q1": Question("B", WHY)}
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(cards, "_predictions", {})
    monkeypatch.setattr(cards, "_revealed", set())


def shown(call, *args, **kwargs):
    with capture_output(stdout=False, stderr=False) as captured:
        call(*args, **kwargs)
    return [output.data for output in captured.outputs]


def widgets_in(bundle, kind):
    def walk(widget):
        yield widget
        for child in getattr(widget, "children", ()):
            yield from walk(child)

    root = _instances[bundle[WIDGET]["model_id"]]
    return [w for w in walk(root) if type(w).__name__ == kind]


def click(bundle, letter):
    (button,) = [b for b in widgets_in(bundle, "Button") if b.description == letter]
    button.click()
    return button


def test_a_prediction_is_kept_can_be_changed_and_is_named_when_revealed():
    (card,) = shown(predict, "99.1", "ABC")
    click(card, "C")
    button = click(card, "A")
    assert button.icon == "check"
    assert "Your prediction: <b>A</b>" in widgets_in(card, "HTML")[1].value
    (result,) = shown(reveal, "99.1")
    text = result["text/html"]
    assert "You predicted <b>A</b>. What happened: <b>B</b>" in text
    before, after = text.split("<details", 1)
    assert "It takes a score for a &lt;share&gt;." in before
    assert "Right: e² is about 7.4 &amp; more." in before
    assert "Half right." in after


def test_a_right_prediction_folds_both_other_options():
    (card,) = shown(predict, "99.1", "ABC")
    click(card, "B")
    text = shown(reveal, "99.1")[0]["text/html"]
    before, after = text.split("<details", 1)
    assert "as you predicted" in before
    assert "A, C" in after


def test_after_the_result_the_prediction_no_longer_changes():
    (card,) = shown(predict, "99.1", "ABC")
    click(card, "A")
    shown(reveal, "99.1")
    assert click(card, "B").disabled
    assert "You predicted <b>A</b>" in shown(reveal, "99.1")[0]["text/html"]


def test_without_a_prediction_the_result_is_kind_and_complete():
    (result,) = shown(reveal, "99.1")
    assert "You had not committed to a prediction" in result["text/html"]
    assert "<b>B</b>" in result["text/html"]
    assert "<details" not in result["text/html"]
    for reason in WHY.values():
        assert reason in result["text/plain"]


def test_a_prediction_card_tells_no_answer():
    (card,) = shown(predict, "99.1", "ABC")
    for text in (card["text/html"], card["text/plain"]):
        assert "A, B, C" in text
        assert not any(reason[:12] in text for reason in WHY.values())


def test_a_quiz_card_keeps_every_answer_folded_and_explains_each():
    (card,) = shown(quiz, "99.q1", "ABC")
    assert WIDGET not in card
    assert card["text/html"].count("<details") == 3
    assert " open" not in card["text/html"].replace("then open", "")
    assert "&lt;share&gt;" in card["text/html"]
    assert "✓ B" in card["text/html"]
    assert "right" not in card["text/plain"].lower()


def test_no_card_writes_a_formula_into_html():
    outputs = shown(predict, "99.1", "ABC") + shown(quiz, "99.q1", "ABC") + shown(reveal, "99.1")
    assert not any("$" in output["text/html"] for output in outputs)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: predict("99.7", "ABC"), "no question '99.7'.*99.1, 99.q1"),
        (lambda: predict("77.1", "ABC"), "lesson 77 has no question.*none"),
        (lambda: reveal("first"), "looks like '4.1'"),
        (lambda: predict("99.1", "AB"), "has the options 'ABC', got 'AB'"),
        (lambda: quiz("99.q1", "ABCD"), "has the options 'ABC', got 'ABCD'"),
        (lambda: Question("D", WHY), "answer must be one of"),
        (lambda: Question("A", {"A": "only"}), "at least two"),
        (lambda: Question("A", {"A": "", "C": ""}), "in a row"),
    ],
)
def test_unknown_questions_and_letters_are_refused_with_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_an_error_inside_a_lessons_questions_is_not_hidden(monkeypatch):
    monkeypatch.delitem(sys.modules, "helpers.questions.lesson99")

    class Broken:
        @staticmethod
        def find_spec(name, path=None, target=None):
            if name == "helpers.questions.lesson99":
                raise ModuleNotFoundError("no numpyy", name="numpyy")

    monkeypatch.setattr(sys, "meta_path", [Broken, *sys.meta_path])
    with pytest.raises(ModuleNotFoundError, match="numpyy"):
        find("99.1")


def temperature_bars(t, normalise=True, which="a"):
    if t > 4:
        raise ValueError("too <hot>")
    return bars(np.array([1.0, 2.0]) / t, ["他", "她"], title=which, caption=f"t = {t:g}")


def test_explore_shows_controls_and_a_picture_that_follows_them():
    with capture_output(stdout=False, stderr=False) as captured:
        explore(
            temperature_bars, t=(0.5, 5.0), normalise=True, which=["a", "b"],
            start={"t": 2.0}, labels={"t": "temperature"},
        )  # fmt: skip
        controls = captured.outputs[0].data
        (slider,) = widgets_in(controls, "FloatSlider")
        assert (slider.value, slider.description) == (2.0, "temperature")
        slider.value = 4.0
    first, second = captured.outputs[1:]
    assert 'alt="t = 2"' in first.data["text/html"]
    assert 'alt="t = 4"' in second.data["text/html"]
    assert second.update
    assert first.transient == second.transient  # the same place on the page
    assert plt.get_fignums() == []


def test_an_error_while_exploring_is_shown_escaped_and_goes_away():
    with capture_output(stdout=False, stderr=False) as captured:
        explore(temperature_bars, t=(0.5, 5.0))
        controls = captured.outputs[0].data
        (slider,), (fault,) = widgets_in(controls, "FloatSlider"), widgets_in(controls, "HTML")
        slider.value = 4.5
        assert "ValueError: too &lt;hot&gt;" in fault.value
        assert 'role="alert"' in fault.value
        slider.value = 3.0
        assert fault.value == ""


def test_an_error_in_the_first_picture_stops_the_cell():
    with pytest.raises(ValueError, match="too <hot>"):
        explore(temperature_bars, t=(4.5, 5.0))


@pytest.mark.parametrize(
    ("controls", "kind", "value"),
    [
        ({"t": (1, 3)}, "IntSlider", 1),
        ({"t": (1.0, 3.0, 0.5)}, "FloatSlider", 1.0),
        ({"t": [1, 2]}, "ToggleButtons", 1),
        ({"t": [("one", 1), ("two", 2)]}, "ToggleButtons", 1),
        ({"t": [1.0 + k / 10 for k in range(9)]}, "Dropdown", 1.0),
        ({"t": [1], "normalise": False}, "Checkbox", False),
    ],
)
def test_each_kind_of_control(controls, kind, value):
    outputs = shown(explore, temperature_bars, **controls)
    (knob,) = widgets_in(outputs[0], kind)
    assert knob.value == value


@pytest.mark.parametrize(
    ("error", "kwargs", "sentence"),
    [
        (TypeError, {"t": "abc"}, "control 't' must be"),
        (TypeError, {"t": (1, True)}, "control 't' must be"),
        (ValueError, {"t": (3, 1)}, "from low to high"),
        (ValueError, {"t": (1, 3), "start": {"t": 9}}, "lie from 1 to 3"),
        (ValueError, {"t": [1, 2], "start": {"t": 3}}, r"one of \[1, 2\]"),
        (ValueError, {"t": (1, 3), "start": {"u": 9}}, "controls are"),
        (ValueError, {"t": (1, 3), "labels": {"u": "x"}}, "controls are"),
    ],
)
def test_wrong_controls_are_refused_with_a_sentence(error, kwargs, sentence):
    with pytest.raises(error, match=sentence):
        explore(temperature_bars, **kwargs)


def test_a_function_without_a_course_figure_is_refused():
    with pytest.raises(TypeError, match="must return a CourseFigure, got int"):
        explore(lambda t: t, t=(1, 2))


SCRIPT = "export default { render({ model, el }) { el.textContent = model.get('names') } }"


def test_a_browser_demonstration_carries_its_data_and_a_still_picture(tmp_path):
    script = tmp_path / "demo.js"
    script.write_text(SCRIPT, encoding="utf-8")
    picture = temperature_bars(1)
    live, still = shown(
        show_in_browser, script, static=picture, values=np.eye(2), names=("小明", "他")
    )
    widget = _instances[live[WIDGET]["model_id"]]
    assert widget.values == [[1, 0], [0, 1]]
    assert widget.names == ["小明", "他"]
    assert {"values", "names"} <= set(widget.keys)
    assert "still picture is below" in live["text/html"]
    assert "<details>" in still["text/html"]
    assert 'alt="t = 1"' in still["text/html"]


def test_two_demonstrations_do_not_share_their_data():
    one, two = (browser_widget(SCRIPT, {"a": value}) for value in (1, 2))
    assert (one.a, two.a) == (1, 2)


WITHOUT_WIDGETS = """
import sys
sys.modules["ipywidgets"] = sys.modules["anywidget"] = None
import pathlib, types
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
InteractiveShell.instance()
from helpers.figures import bars
from helpers.questions import Question
from helpers.widgets import explore, predict, quiz, reveal
from helpers.widgets.browser import show_in_browser
module = types.ModuleType("helpers.questions.lesson99")
module.QUESTIONS = {"99.1": Question("A", {"A": "yes", "B": "no"})}
sys.modules[module.__name__] = module
with capture_output() as seen:
    predict("99.1", "AB")
    reveal("99.1")
    quiz("99.1", "AB")
    explore(lambda t: bars([t, 1], ["a", "b"], caption="the picture"), t=(1, 2))
    show_in_browser(pathlib.Path(sys.argv[1]), static=bars([1], ["a"], caption="the still"))
bundles = [output.data for output in seen.outputs]
assert not any("application/vnd.jupyter.widget-view+json" in b for b in bundles)
assert all("text/html" in b and "text/plain" in b for b in bundles)
assert "t = 1" in bundles[3]["text/plain"]
assert 'alt="the picture"' in bundles[4]["text/html"]
assert 'alt="the still"' in bundles[5]["text/html"] and "<details" not in bundles[5]["text/html"]
print(len(bundles))
"""


def test_everything_still_reads_without_ipywidgets_and_anywidget(tmp_path):
    script = tmp_path / "demo.js"
    script.write_text(SCRIPT, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_WIDGETS, str(script)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "6"
