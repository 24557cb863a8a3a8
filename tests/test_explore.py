"""Controls around pictures: state, what is left without widgets, errors that stay visible."""

import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from ipywidgets.widgets.widget import _instances

from helpers.course.explore import explore
from helpers.figures import bars

WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(autouse=True)
def shell():
    """A shell, as displaying needs one."""
    InteractiveShell.instance()


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
        panel, still = (output.data for output in captured.outputs)
        (slider,) = widgets_in(panel, "FloatSlider")
        assert (slider.value, slider.description) == (2.0, "temperature")
        picture = widgets_in(panel, "HTML")[-1]
        assert 'alt="t = 2"' in picture.value
        slider.value = 4.0
        assert 'alt="t = 4"' in picture.value
    assert len(captured.outputs) == 2
    assert "<details" in still["text/html"]
    assert 'alt="t = 2"' in still["text/html"]
    assert "temperature = 2.0, normalise = True, which = a" in still["text/html"]
    assert "run this cell again" in still["text/html"]
    assert plt.get_fignums() == []


def test_the_still_names_the_button_and_not_the_value_behind_it():
    named = [("left", "a"), ("right", "b")]
    _, still = shown(explore, temperature_bars, t=(0.5, 4), which=named, start={"which": "b"})
    assert "which = right" in still["text/html"]
    assert "which = b" not in still["text/html"]


def test_an_error_while_exploring_is_shown_escaped_and_goes_away():
    with capture_output(stdout=False, stderr=False) as captured:
        explore(temperature_bars, t=(0.5, 5.0))
        controls = captured.outputs[0].data
        (slider,), (fault, _) = widgets_in(controls, "FloatSlider"), widgets_in(controls, "HTML")
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


WITHOUT_WIDGETS = """
import sys
sys.modules["ipywidgets"] = None
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
InteractiveShell.instance()
from helpers.figures import bars
from helpers.course.explore import explore
with capture_output() as seen:
    explore(lambda t: bars([t, 1], ["a", "b"], caption="the picture"), t=(1, 2))
bundles = [output.data for output in seen.outputs]
assert not any("application/vnd.jupyter.widget-view+json" in b for b in bundles)
assert "image/png" in bundles[0]
assert "the picture" in bundles[0]["text/plain"]
assert "the picture" in bundles[1]["text/html"]
print(len(bundles))
"""


def test_explore_still_reads_without_ipywidgets():
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_WIDGETS],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "2"
