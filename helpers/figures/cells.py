"""What maps and tables of numbers share: colours, cells with their numbers, frames."""

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.collections import PolyCollection
from matplotlib.colors import Normalize
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import NullLocator

from helpers.figures.base import (
    COLOURS,
    INK,
    QUIET_INK,
    RULE,
    SIGNED_MAP,
    WEIGHT_MAP,
    text_colour_on,
)
from helpers.language import say

BLANK_BELOW = 0.005
MARK = COLOURS["vermillion"]
HIDDEN = {"facecolor": "#eef0f3", "edgecolor": "#a9b0ba", "hatch": "////", "linewidth": 0}


def checked_mark(mark, count, name="mark_row"):
    """The index counted from the start, or None; ValueError if it is outside."""
    if mark is None:
        return None
    if not -count <= mark < count:
        raise ValueError(
            say(
                "{name} must be an index below {count}, got {mark}.",
                name=name,
                count=count,
                mark=mark,
            )
        )
    return int(mark) % count


def hidden_cells(mask, shape):
    """The cells that a mask (True = may attend) hides, as a boolean array of this shape."""
    if mask is None:
        return np.zeros(shape, dtype=bool)
    mask = np.asarray(mask)
    if mask.dtype != np.bool_:
        raise TypeError(
            say("mask must be boolean (True = may attend), got dtype {dtype}.", dtype=mask.dtype)
        )
    try:
        return ~np.broadcast_to(mask, shape)
    except ValueError as error:
        raise ValueError(
            say("mask must fit the shape {shape}, got {got}.", shape=shape, got=mask.shape)
        ) from error


def colour_scale(values, signed, vmax, value_name):
    """Colour map, norm and name of the values: weights from 0, scores around 0."""
    finite = values[np.isfinite(values)]
    low, high = (finite.min(), finite.max()) if finite.size else (0.0, 1.0)
    if signed is None:
        signed = bool(low < 0 or high > 1 + 1e-6)
    if signed:
        limit = vmax or max(abs(low), abs(high)) or 1.0
        return (
            SIGNED_MAP,
            Normalize(-limit, limit),
            say("score") if value_name is None else value_name,
        )
    plain = say("weight") if vmax else say("weight, 0 to 1")
    name = plain if value_name is None else value_name
    return WEIGHT_MAP, Normalize(0, vmax or 1.0), name


def digits_for(values, norm):
    """How many digits after the point these values need."""
    if norm.vmin == 0 and norm.vmax <= 1:
        return 2
    finite = values[np.isfinite(values)]
    if np.allclose(finite, np.round(finite)):
        return 0
    return 1 if np.abs(finite).max(initial=0) >= 10 else 2


def draw_cells(axes, values, hidden, cmap, norm, digits, *, weights_only, size=9.5):
    """Colours and numbers; returns whether a cell was left without its number."""
    rows, columns = values.shape
    picture = np.ma.masked_array(values, hidden | ~np.isfinite(values))
    axes.pcolormesh(
        np.arange(columns + 1) - 0.5, np.arange(rows + 1) - 0.5, picture, cmap=cmap, norm=norm,
        edgecolors="#e4e7ec", linewidth=0.6,
    )  # fmt: skip
    axes.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5))
    for spine in axes.spines.values():
        spine.set(visible=True, color=RULE)
    if hidden.any():
        corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
        squares = np.argwhere(hidden)[:, None, ::-1] + corners
        axes.add_collection(PolyCollection(squares, **HIDDEN), autolim=False)
    blanks = False
    if digits is None:
        return blanks
    for i, j in np.argwhere(~hidden):
        if weights_only and abs(values[i, j]) < BLANK_BELOW:
            blanks = True
            continue
        text = number_text(values[i, j], digits)
        colour = text_colour_on(cmap(norm(values[i, j])) if np.isfinite(values[i, j]) else "white")
        axes.text(j, i, text, ha="center", va="center", fontsize=size, color=colour)
    return blanks


def number_text(value, digits):
    """The number as a cell shows it, with a real minus sign and ∞."""
    if np.isneginf(value):
        return "−∞"
    if np.isposinf(value):
        return "∞"
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", "−")


def frame(corner, width, height):
    """A rectangle that stresses cells."""
    return Rectangle(corner, width, height, fill=False, edgecolor=MARK, linewidth=2.2,
                     clip_on=False, zorder=5)  # fmt: skip


def frame_row(axes, row, columns):
    """Frame one row of cells."""
    axes.add_patch(frame((-0.5, row - 0.5), columns, 1))


def colour_bar(figure, axes, cmap, norm, name):
    """The slim bar beside maps that says what a colour is worth."""
    bar = figure.colorbar(ScalarMappable(norm, cmap), ax=axes, aspect=28, pad=0.02, fraction=0.05)
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0, labelsize=9, labelcolor=QUIET_INK)
    bar.ax.yaxis.set_minor_locator(NullLocator())
    bar.set_label(name, color=QUIET_INK, fontsize=9.5)


def hidden_legend(figure):
    """The line below a map that says what hatching means."""
    patch = Patch(**HIDDEN, label=say("hatched: hidden by the mask, may not be looked at"))
    figure.legend(handles=[patch], loc="outside lower left", labelcolor=INK, handlelength=1.6)
