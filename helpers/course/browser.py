"""Demonstrations that compute in the browser, with anywidget.

The pattern for a topic module::

    def plane(keys, values):
        '''What it shows; every argument's shape.'''
        show_in_browser(
            Path(__file__).with_suffix(".js"),
            static=library_figure(keys, values),
            keys=keys, values=values,
        )

``plane.js`` stands beside ``plane.py`` and exports ``default { render({ model, el }) {...} }``;
``model.get("keys")`` is the array as nested lists. In front of it stands ``shared.js`` with
`make` and `svg`; an element of the class ``demonstration`` gets frame and buttons from
``shared.css``. Rules for its author:

* Stop ``keydown`` on every range input: ``input.addEventListener("keydown", e =>
  e.stopPropagation())``. JupyterLab takes the arrow keys otherwise.
* Colours that depend on the theme come from ``var(--jp-content-font-color1, #222)`` and
  ``var(--jp-layout-color1, #fff)``; look at it in the light and the dark theme.
* All that can be dragged can also be moved with the keyboard (``tabindex``, arrow keys, a visible
  focus) and by touch (pointer events, ``touch-action: none``); it has a role and an aria-label.
* Text in an SVG uses the browser's fonts: ``font-family: var(--jp-content-font-family,
  sans-serif)``.
* Return a function that removes whatever listens outside ``el``.
* What it computes is also computed by helpers in NumPy, and a test compares the two.
"""

from pathlib import Path

import numpy as np

from helpers.figures import CourseFigure


def show_in_browser(script: Path, *, static: CourseFigure, **data) -> None:
    """Show a demonstration and, folded below it, a still picture; without anywidget the picture.

    Args:
        script: the JavaScript module.
        static: the picture that says the same without a kernel or without anywidget.
        **data: what the script reads with ``model.get``: arrays, numbers, strings, lists, dicts.

    Raises:
        FileNotFoundError: if there is no such script.
    """
    from IPython.display import display

    still = static.to_bundle()
    widget = browser_widget(with_shared(script), data)
    if widget is not None:
        sentence = "This demonstration moves when a kernel runs. The still picture is below."
        fallback = {"text/html": f"<p>{sentence}</p>", "text/plain": sentence}
        live, _ = widget._repr_mimebundle_()
        display({**live, **fallback}, raw=True)
        still["text/html"] = (
            '<details><summary style="cursor:pointer;opacity:.8">As a still picture</summary>'
            f"{still['text/html']}</details>"
        )
    display(still, raw=True)


def with_shared(script: Path) -> str:
    """The text of a script behind what all scripts share.

    Args:
        script: the JavaScript module.

    Returns:
        The text of one JavaScript module.
    """
    files = Path(__file__).with_name("shared.js"), Path(script)
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def browser_widget(source: str, data: dict):
    """The anywidget of a script and its data.

    Args:
        source: the JavaScript module's text.
        data: {name: array, number, string, list or dict}.

    Returns:
        The widget, each entry of ``data`` a synchronised trait; None if anywidget is missing.
    """
    try:
        import anywidget
        import traitlets
    except ImportError:
        return None
    css = Path(__file__).with_name("shared.css").read_text(encoding="utf-8")
    traits = {name: traitlets.Any(_as_plain(value)).tag(sync=True) for name, value in data.items()}
    kind = type("Demonstration", (anywidget.AnyWidget,), {"_esm": source, "_css": css, **traits})
    return kind()


def _as_plain(value):
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, dict):
        return {name: _as_plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_as_plain(entry) for entry in value]
    return value
