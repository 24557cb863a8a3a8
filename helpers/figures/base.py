"""What every figure of the course shares: the figure class, the style, the font, the colours.

A topic module builds on three things::

    @style()
    def my_figure(values):
        figure, axes = new_figure(7.2, 3.5, caption="What to see in it.")
        axes.plot(values, color=COLOURS["blue"])
        return figure

``style()`` changes matplotlib's settings only while the function runs. One inch is 100 CSS pixels,
so a width of 7.2 fills a notebook's column.
"""

import base64
import contextlib
import dataclasses
import functools
import html
import io
import json
import textwrap
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib import font_manager
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image

from helpers.figures.checks import as_labels, as_numbers, text_width
from helpers.figures.colours import (
    COLOURS,
    INK,
    PAPER,
    QUIET_INK,
    RULE,
    SIGNED_MAP,
    WEIGHT_MAP,
    darker,
    text_colour_on,
)
from helpers.language import say

# What topic modules take from here.
__all__ = [
    "COLOURS",
    "INK",
    "QUIET_INK",
    "RULE",
    "SIGNED_MAP",
    "WEIGHT_MAP",
    "CourseFigure",
    "as_labels",
    "as_numbers",
    "darker",
    "new_figure",
    "style",
    "text_colour_on",
    "text_width",
]

FONT_FAMILY = ["DejaVu Sans", "Course CJK"]
FONT_FILE = Path(__file__).parent.parent / "assets" / "CourseCJK-Regular.ttf"

CSS_PIXELS_PER_INCH = 100
DENSITY = 2  # picture pixels per CSS pixel: sharp on a high-density screen

_STYLE = {
    "font.family": FONT_FAMILY,
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": RULE,
    "axes.labelcolor": INK,
    "axes.labelsize": 10,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.prop_cycle": mpl.cycler(color=list(COLOURS.values())),
    "grid.color": "#e4e7ec",
    "grid.linewidth": 0.7,
    "hatch.linewidth": 0.7,
    "xtick.color": RULE,
    "ytick.color": RULE,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 9.5,
    "ytick.labelsize": 9.5,
    "legend.frameon": False,
    "legend.fontsize": 9.5,
    "lines.linewidth": 2.0,
    "lines.solid_capstyle": "round",
    "mathtext.default": "regular",
}


@functools.cache
def _course_settings() -> dict:
    """Matplotlib's defaults with the course's changes: a user's own style cannot leak in."""
    fonts = font_manager.fontManager
    fonts.addfont(FONT_FILE)
    # The one weight serves as bold too: otherwise matplotlib logs that it found no bold.
    fonts.ttflist.append(dataclasses.replace(fonts.ttflist[-1], weight=700))
    untouched = ("backend", "interactive", "toolbar", "timezone", "webagg", "tk.", "savefig.dir")
    defaults = {k: v for k, v in mpl.rcParamsDefault.items() if not k.startswith(untouched)}
    return defaults | _STYLE


@contextlib.contextmanager
def style():
    """The course's look, inside a ``with`` block or as a decorator; settings are restored after."""
    with mpl.rc_context():
        # The settings are valid already: validating 300 of them again would cost 10 ms a figure.
        dict.update(mpl.rcParams, _course_settings())
        yield


# Looks in the output before its own for the picture that this text describes.
_HAND_OVER = """<script>(() => {
const area = document.currentScript?.closest(".jp-OutputArea-child, .output_area, .output");
const image = area?.previousElementSibling?.querySelector("img");
if (image && !image.alt) image.alt = %s;
})()</script>"""


class CourseFigure(Figure):
    """A matplotlib figure that shows itself once, with a caption, on white in every theme.

    It is made without pyplot: nothing stays open, and no back end shows it a second time.

    Attributes:
        caption: str, what to see in the picture; shown below it and read out by screen readers.
        alt: str, read out where there is no caption; not shown.
    """

    def __init__(self, *args, caption: str = "", alt: str = "", **kwargs):
        with style():
            super().__init__(*args, **{"facecolor": PAPER} | kwargs)
        FigureCanvasAgg(self)
        self.caption, self.alt = caption, alt

    def draw(self, renderer):
        """Draw in the course's style, whatever the settings are at the time.

        Args:
            renderer: the back end's renderer.
        """
        with style():
            for text in self.findobj(Text):
                if "Course CJK" not in text.get_fontfamily():
                    text.set_fontfamily(FONT_FAMILY)
            super().draw(renderer)

    def png_bytes(self) -> bytes:
        """The picture as a PNG, opaque, with a palette, at twice the screen's density.

        Returns:
            The bytes of the file.
        """
        # savefig would lay out and draw twice: half of the time of a picture under a slider.
        buffer, dpi = io.BytesIO(), self.dpi
        try:
            self.dpi = CSS_PIXELS_PER_INCH * DENSITY
            self.canvas.draw()
            _few_colours(self.canvas.buffer_rgba()).save(buffer, "PNG")
        finally:
            self.dpi = dpi
        return buffer.getvalue()

    @property
    def css_size(self) -> tuple[int, int]:
        """Width and height on the screen in CSS pixels."""
        width, height = self.get_size_inches() * CSS_PIXELS_PER_INCH
        return round(width), round(height)

    def to_html(self) -> str:
        """The picture and its caption as one HTML figure with the picture inside."""
        width, height = self.css_size
        data = base64.b64encode(self.png_bytes()).decode("ascii")
        return (
            '<figure style="margin:4px 0 10px 0;padding:0">'
            f'<img alt="{html.escape(self._read_out())}" width="{width}" height="{height}" '
            f'src="data:image/png;base64,{data}" '
            'style="max-width:100%;height:auto;border-radius:6px;background:#fff">'
            f"{self._caption_html()}</figure>"
        )

    def to_bundle(self) -> tuple[dict[str, str], dict[str, dict]]:
        """The picture as an output of its own, and what belongs to it: size and alt text.

        It is an image, not HTML, so that it is stored once and every export can take it out.
        """
        width, height = self.css_size
        text = self._read_out()
        data = {
            "image/png": base64.b64encode(self.png_bytes()).decode("ascii"),
            "text/plain": say("[Figure] {what}", what=text),
        }
        return data, {"image/png": {"width": width, "height": height, "alt": text}}

    def below(self) -> dict[str, str]:
        """What follows the picture: its caption, and a script that hands over the alt text.

        JupyterLab shows an image output without one.
        """
        text = self._read_out()
        return {
            "text/html": f"{self._caption_html()}{_HAND_OVER % _in_script(text)}",
            "text/plain": self.caption,
        }

    def _read_out(self):
        return self.caption or self.alt

    def _caption_html(self):
        if not self.caption:
            return ""
        return (
            f'<div class="course-caption" style="max-width:{self.css_size[0]}px;margin:2px 0 8px;'
            "font-size:.93em;line-height:1.45;color:var(--jp-content-font-color1,inherit)"
            f'">{html.escape(self.caption)}</div>'
        )

    def _repr_mimebundle_(self, include=None, exclude=None) -> tuple:
        return self.to_bundle()

    def _ipython_display_(self):
        # Without this, the inline back end draws its own picture in the place of ours.
        from IPython.display import display

        data, metadata = self.to_bundle()
        display(data, metadata=metadata, raw=True)
        display(self.below(), raw=True)


def _few_colours(rgba):
    """The picture with its 256 commonest colours, and for the others the nearest one of these.

    Half of the bytes, and every area keeps its colour; a picture like a photograph stays as it is.
    """
    pixels = np.array(rgba)  # (height, width, 4)
    pixels[..., 3] = 0
    pixels = pixels.view("<u4")[..., 0]  # (height, width), one number a pixel
    found, counts = np.unique(pixels, return_counts=True)
    if len(found) > 8192:
        return Image.fromarray(np.asarray(rgba)).convert("RGB")
    kept = np.sort(found[np.argsort(counts)[-256:]])
    wanted, offered = (
        numbers.view(np.uint8).reshape(-1, 4)[:, :3].astype(np.float32) for numbers in (found, kept)
    )
    apart = (offered**2).sum(axis=1) - 2 * wanted @ offered.T  # squares, without those of `wanted`
    place = np.empty(2**24, np.uint8)  # of a pixel's number in the palette
    place[found] = apart.argmin(axis=1)
    picture = Image.fromarray(place[pixels])
    picture.putpalette(offered.astype(np.uint8).tobytes())
    return picture


def _in_script(text):
    """A text as a literal that no script element ends."""
    return json.dumps(text).replace("</", "<\\/")


@style()
def new_figure(
    width_in: float = 7.2,
    height_in: float = 3.6,
    rows: int = 1,
    cols: int = 1,
    *,
    title: str = "",
    caption: str = "",
    **subplots,
):
    """An empty figure in the course's style, and its axes.

    Args:
        width_in: width in inches; one inch is 100 CSS pixels.
        height_in: height in inches.
        rows: rows of axes.
        cols: columns of axes.
        title: short, shown at the top left.
        caption: what to see, in a sentence or two.
        **subplots: more arguments of ``Figure.subplots`` (``sharex``, ``width_ratios``, ...).

    Returns:
        The CourseFigure, and one Axes, or an array of Axes when there are several.
    """
    figure = CourseFigure(
        figsize=(width_in, height_in),
        dpi=CSS_PIXELS_PER_INCH,
        layout="constrained",
        facecolor=PAPER,
        caption=caption,
    )
    figure.get_layout_engine().set(w_pad=0.08, h_pad=0.08, wspace=0.04, hspace=0.04)
    axes = figure.subplots(rows, cols, **subplots)
    if title:
        lines = textwrap.fill(title, max(20, int(width_in * 11.5)))
        figure.suptitle(lines, x=0.012, ha="left", fontsize=12, fontweight="bold")
    return figure, axes
