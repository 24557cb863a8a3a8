"""Controls around a figure function: the picture follows the sliders."""

import html
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from helpers.figures import CourseFigure


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
            raise ValueError(f"{name} names {sorted(unknown)}, but the controls are {[*controls]}.")
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
            raise ValueError(f"start of {name!r} must be one of {values}, got {wanted!r}.")
        return wanted
    numbers = (
        isinstance(control, tuple)
        and len(control) in (2, 3)
        and all(isinstance(v, int | float) and not isinstance(v, bool) for v in control)
    )
    if not numbers:
        raise TypeError(
            f"control {name!r} must be (low, high), (low, high, step), a list of values, "
            f"True or False, got {control!r}."
        )
    low, high = control[:2]
    if not low < high:
        raise ValueError(f"control {name!r} must go from low to high, got {control!r}.")
    if wanted is _UNSET:
        return low
    if not low <= wanted <= high:
        raise ValueError(f"start of {name!r} must lie from {low} to {high}, got {wanted!r}.")
    return wanted


def _options(control):
    pairs = all(isinstance(v, tuple) and len(v) == 2 and isinstance(v[0], str) for v in control)
    return list(control) if pairs else [(str(value), value) for value in control]


def _drawn(figure_function, settings) -> CourseFigure:
    figure = figure_function(**settings)
    if not isinstance(figure, CourseFigure):
        name = getattr(figure_function, "__name__", "the function")
        raise TypeError(f"{name} must return a CourseFigure, got {type(figure).__name__}.")
    return figure


def _show(figure_function, figure, settings, controls, labels):
    """The controls, and below them the picture, an output of its own: it stays without them."""
    from IPython.display import display

    name = f"explore-{uuid.uuid4().hex}"
    said = ", ".join(f"{labels.get(key, key)} = {value}" for key, value in settings.items())
    sentence = f"The picture is drawn for {said}. With a running kernel, controls stand here."
    bundle = {"text/html": f"<p>{html.escape(sentence)}</p>", "text/plain": sentence}
    panel = _panel(figure_function, settings, controls, labels, name)
    if panel is not None:
        bundle = {**panel._repr_mimebundle_(), **bundle}
    display(bundle, raw=True)
    display(figure.to_bundle(), raw=True, display_id=name)


def _panel(figure_function, settings, controls, labels, picture):
    try:
        import ipywidgets as w
    except ImportError:
        return None
    from IPython.display import update_display

    knobs = {
        name: _knob(w, labels.get(name, name), control, settings[name])
        for name, control in controls.items()
    }
    fault = w.HTML()

    def update(_change):
        try:
            drawn = _drawn(figure_function, {name: knob.value for name, knob in knobs.items()})
            update_display(drawn.to_bundle(), raw=True, display_id=picture)
            fault.value = ""
        except Exception as error:
            message = html.escape(f"{type(error).__name__}: {error}")
            fault.value = (
                '<p role="alert" style="color:var(--jp-error-color1,#c62828);margin:4px 0">'
                f"⚠ The picture could not be drawn with these settings. {message}</p>"
            )

    for knob in knobs.values():
        knob.observe(update, "value")
    return w.VBox([*knobs.values(), fault])


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
