"""Demonstrations: HTML output that computes in the browser, with no kernel, no widget, no network.

The pattern, for ``demo.py`` beside ``demo.js`` (and ``demo.css``, if it wants one)::

    def library(keys, values):
        '''What it shows; every argument's shape.'''
        demonstration(
            Path(__file__).with_suffix(".js"),
            still=library_plane(keys, values),
            keys=keys, values=values,
        )

``demo.js`` imports what it needs from ``kit.js`` and exports ``render(root, data)``, which fills
the empty element ``root``; ``data.keys`` is the array as nested lists. Rules for its author:

* What it computes is computed by helpers in NumPy, too, and a test compares the two.
* A sentence that is shown is one string literal in ``say("…", {…})``.
* All that can be dragged is also moved with arrow keys and by touch, and has an aria-label.
* Colours are those of ``kit.css``; look at it in the light and the dark theme, 360 px wide.
"""

import hashlib
import html
import json
import re
from base64 import b64encode
from pathlib import Path

import numpy as np

from helpers.figures import CourseFigure
from helpers.language import language, say, translated

_IMPORT = re.compile(r'^import\s+\{[^}]*\}\s+from\s+"(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=function|const)", re.MULTILINE)
_BLANKS = re.compile(
    r'("(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|[ ]*//[^\n]*|[ ]*([=<>?:,&|*{}();])[ ]*'
)
_TEXT = re.compile(r'\bsay\(\s*("(?:[^"\\]|\\.)*")')


def demonstration(script: Path, *, still: CourseFigure, **data) -> None:
    """Display one HTML output: a still picture that the script replaces by the living thing.

    Where no script may run (a notebook that is not trusted, a viewer of files), the picture stays
    and a sentence says what to do.

    Args:
        script: the JavaScript module.
        still: the picture that says the same without moving.
        **data: what the script finds in ``data``: arrays, numbers, strings, None, lists, dicts.

    Raises:
        FileNotFoundError: there is no such script.
        ValueError: a number in the data is NaN or infinite, which JSON does not know.
    """
    from IPython.display import display

    text = say("[Demonstration] {caption}", caption=still.caption or still.alt)
    display({"text/html": page_of(script, still, data), "text/plain": text}, raw=True)


def page_of(script: Path, still: CourseFigure, data: dict) -> str:
    """The HTML of one demonstration."""
    try:
        told = json.dumps(
            as_plain(data), ensure_ascii=False, separators=(",", ":"), allow_nan=False
        )
    except ValueError as error:
        raise ValueError(
            say("A demonstration was given a number that is NaN or infinite.")
        ) from error
    told = told.replace("<", "\\u003c")  # no text in it can end the script element
    source, css = module_of(script), css_of(script)
    name = hashlib.sha256(f"{source}{css}{told}".encode()).hexdigest()[:12]
    css = css.replace(".kit", f".only{name}.kit")  # no other output, and no page, may undo it
    texts = json.dumps(_translations(script), ensure_ascii=False).replace("<", "\\u003c")
    return (
        f'<div data-demonstration="{name}">\n<style>\n{css}</style>\n{_still(still)}\n'
        f'<script type="application/json">{told}</script>\n'
        f'<script type="module">\n{source}demonstration("{name}", render, {texts});\n'
        "</script>\n</div>"
    )


def module_of(script: Path) -> str:
    """The text of one module: the script behind all that it imports, without comments."""
    return "".join(stripped(file.read_text(encoding="utf-8")) for file in scripts_of(script))


def stripped(source: str) -> str:
    """A script without imports, exports, comments, and blanks that say nothing.

    Strings stay as they are. A template must not hold another one.
    """
    lines = (line.strip() for line in _EXPORT.sub("", _IMPORT.sub("", source)).splitlines())
    text = "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))
    return _BLANKS.sub(lambda found: found[1] or found[2] or "", text)


def css_of(script: Path) -> str:
    """The style sheets that stand beside the script and beside all that it imports."""
    sheets = (file.with_suffix(".css") for file in scripts_of(script))
    text = "\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets if sheet.exists())
    return "".join(f"{line.strip()}\n" for line in text.splitlines() if line.strip())


def scripts_of(script: Path) -> list[Path]:
    """The script and all that it imports, each file once and behind those that it needs."""
    found: list[Path] = []

    def add(file):
        if file not in found:
            for needed in _IMPORT.findall(file.read_text(encoding="utf-8")):
                add((file.parent / needed).resolve())
            found.append(file)

    add(Path(__file__).with_name("kit.js").resolve())
    add(Path(script).resolve())
    return found


def texts_of(script: Path) -> list[str]:
    """The English texts that a script, with all that it imports, shows through ``say``."""
    sources = (file.read_text(encoding="utf-8") for file in scripts_of(script))
    found = (json.loads(text) for source in sources for text in _TEXT.findall(source))
    return list(dict.fromkeys(found))


def as_plain(value):
    """Arrays as nested lists, numbers of NumPy as numbers, also inside lists and dicts."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, dict):
        return {name: as_plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(entry) for entry in value]
    return value


def _translations(script):
    into = language()
    if into == "en":
        return {}
    pairs = ((text, translated(text, into)) for text in texts_of(script))
    return {english: text for english, text in pairs if english != text}


def _still(still: CourseFigure) -> str:
    """The picture as an <img>, its caption, and what to do where nothing moves."""
    width, height = still.css_size
    caption = html.escape(still.caption)
    told = html.escape(say("This picture comes alive when its cell is run: run this cell."))
    return (
        f'<figure class="still" style="margin:4px 0 10px;padding:0;max-width:{width}px">'
        f'<img alt="{caption or html.escape(still.alt)}" width="{width}" height="{height}" '
        f'src="data:image/png;base64,{b64encode(still.png_bytes()).decode("ascii")}" '
        'style="max-width:100%;height:auto;border-radius:6px;background:#fff">'
        f"<figcaption>{caption}<br><em>{told}</em></figcaption></figure>"
    )
