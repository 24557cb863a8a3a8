"""Controls around a figure function: the picture follows the sliders."""

import html
from collections.abc import Callable, Mapping
from typing import Any

from helpers.course.cards import folded
from helpers.figures import CourseFigure
from helpers.language import say


def explore(
    figure_function: Callable[..., CourseFigure],
    *,
    start: Mapping[str, Any] | None = None,
    labels: Mapping[str, str] | None = None,
    **controls,
) -> None:
    """Show a figure with a control for each argument; without widgets, the figure alone.

    Args:
        figure_function: a function of the controls' names that returns a CourseFigure.
        start: {name: value} where a control does not start at its first value.
        labels: {name: text} shown beside the controls; the names otherwise.
        **controls: for each argument ``(low, high)`` or ``(low, high, step)`` for a slider, a list
            of values (or of ``(text, value)``) for a choice, or True / False for a tick box.

    Raises:
        TypeError: if a control is of none of these kinds, or the function returns no CourseFigure.
        ValueError: if a start value is none that the control can take.
        Exception: whatever the figure function raises for the first picture.
    """
    start, labels = dict(start or {}), dict(labels or {})
    for given, name in ((start, "start"), (labels, "labels")):
        unknown = given.keys() - controls.keys()
        if unknown:
            raise ValueError(
                say(
                    "{name} names {unknown}, but the controls are {controls}.",
                    name=name,
                    unknown=sorted(unknown),
                    controls=[*controls],
                )
            )
    settings = {
        name: _start_value(name, control, start.get(name, _UNSET))
        for name, control in controls.items()
    }
    figure = _drawn(figure_function, settings)
    _show(figure_function, figure, settings, controls, labels)


_UNSET = object()


def _start_value(name, control, wanted):
    if isinstance(control, bool):
        return control if wanted is _UNSET else bool(wanted)
    if isinstance(control, list) and control:
        values = [value for _, value in _options(control)]
        if wanted is _UNSET:
            return values[0]
        if wanted not in values:
            raise ValueError(
                say(
                    "start of {name} must be one of {values}, got {got}.",
                    name=repr(name),
                    values=values,
                    got=repr(wanted),
                )
            )
        return wanted
    numbers = (
        isinstance(control, tuple)
        and len(control) in (2, 3)
        and all(isinstance(v, int | float) and not isinstance(v, bool) for v in control)
    )
    if not numbers:
        raise TypeError(
            say(
                "control {name} must be (low, high), (low, high, step), a list of values, "
                "True or False, got {got}.",
                name=repr(name),
                got=repr(control),
            )
        )
    low, high = control[:2]
    if not low < high:
        raise ValueError(
            say(
                "control {name} must go from low to high, got {got}.",
                name=repr(name),
                got=repr(control),
            )
        )
    if wanted is _UNSET:
        return low
    if not low <= wanted <= high:
        raise ValueError(
            say(
                "start of {name} must lie from {low} to {high}, got {got}.",
                name=repr(name),
                low=low,
                high=high,
                got=repr(wanted),
            )
        )
    return wanted


def _options(control):
    pairs = all(isinstance(v, tuple) and len(v) == 2 and isinstance(v[0], str) for v in control)
    return list(control) if pairs else [(str(value), value) for value in control]


def _as_shown(control, value):
    """The text of the button that stands for a value, or the value itself."""
    if not isinstance(control, list):
        return value
    return next(text for text, option in _options(control) if option == value)


def _drawn(figure_function, settings) -> CourseFigure:
    figure = figure_function(**settings)
    if not isinstance(figure, CourseFigure):
        name = getattr(figure_function, "__name__", say("the function"))
        raise TypeError(
            say(
                "{name} must return a CourseFigure, got {kind}.",
                name=name,
                kind=type(figure).__name__,
            )
        )
    return figure


def _show(figure_function, figure, settings, controls, labels):
    """Controls and picture in one widget, so that a reload keeps them together; the still beside.

    The still, folded, is what remains where no kernel answers.
    """
    from IPython.display import display

    said = ", ".join(
        f"{labels.get(key, key)} = {_as_shown(controls[key], value)}"
        for key, value in settings.items()
    )
    panel = _panel(figure_function, figure, settings, controls, labels)
    if panel is None:
        display(figure)
        return
    if hasattr(panel, "_repr_mimebundle_"):
        sentence = say("With a running kernel, controls stand here: run this cell again.")
        fallback = {"text/html": f"<p>{html.escape(sentence)}</p>", "text/plain": sentence}
        display({**panel._repr_mimebundle_(), **fallback}, raw=True)
    else:  # ipywidgets 7
        display(panel)
    title = say("As a still picture, for {settings}", settings=said)
    note = say("If the controls do not answer, run this cell again.")
    inside = f"<p>{html.escape(note)}</p>{figure.to_html()}"
    display({"text/html": folded(title, inside) + _NAMES, "text/plain": title}, raw=True)


# ipywidgets gives the handle of a slider no name that a screen reader could say: it is the text
# beside it. The views are made after this script has run, and again after a reload.
_NAMES = """<script>(() => {
const here = document.currentScript?.closest(".jp-OutputArea-child, .output_area, .output");
const controls = here?.previousElementSibling;
const name = () => controls.querySelectorAll(".noUi-handle:not([aria-label])").forEach((handle) => {
const label = handle.closest(".widget-hslider")?.querySelector(".widget-label");
if (label) handle.setAttribute("aria-label", label.textContent);
});
if (!controls) return;
name();
new MutationObserver(name).observe(controls, { childList: true, subtree: true });
})()</script>"""


def _panel(figure_function, figure, settings, controls, labels):
    """The controls with the picture below them, or None without ipywidgets."""
    try:
        import ipywidgets as w
    except ImportError:
        return None
    knobs = {
        name: _knob(w, labels.get(name, name), control, settings[name])
        for name, control in controls.items()
    }
    picture, fault = w.HTML(figure.to_html()), w.HTML()

    def update(_change):
        try:
            drawn = _drawn(figure_function, {name: knob.value for name, knob in knobs.items()})
            picture.value = drawn.to_html()
            fault.value = ""
        except Exception as error:
            message = say(
                "⚠ The picture could not be drawn with these settings. {error}",
                error=f"{type(error).__name__}: {error}",
            )
            fault.value = (
                '<p role="alert" style="color:var(--jp-error-color1,#c62828);margin:4px 0">'
                f"{html.escape(message)}</p>"
            )

    for knob in knobs.values():
        knob.observe(update, "value")
    return w.VBox([*knobs.values(), fault, picture])


def _knob(w, label, control, value):
    style = {"description_width": "initial"}
    wide = w.Layout(width="460px", max_width="100%")
    if isinstance(control, bool):
        return w.Checkbox(value, description=label, indent=False)
    if isinstance(control, list):
        options = _options(control)
        few = len(options) <= 5 and sum(len(text) for text, _ in options) <= 40
        kind = w.ToggleButtons if few else w.Dropdown
        knob = kind(
            options=options, value=value, description=label, style=style,
            layout=w.Layout(width="auto"),
        )  # fmt: skip
        if few:
            knob.style.button_width = "auto"
        return knob
    low, high = control[:2]
    whole = all(isinstance(v, int) for v in control)
    step = control[2] if len(control) == 3 else (1 if whole else (high - low) / 100)
    kind = w.IntSlider if whole else w.FloatSlider
    return kind(value, min=low, max=high, step=step, description=label, style=style, layout=wide)
