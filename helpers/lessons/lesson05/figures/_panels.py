"""What the panels of this topic share: colours of the divisors, axes in powers of two."""

from matplotlib.ticker import NullFormatter

from helpers.figures.base import COLOURS, QUIET_INK, SIGNED_MAP

MARKERS = ("o", "s", "^", "D", "v", "P")
_COLOURS = [COLOURS[c] for c in ("vermillion", "blue", "green", "purple", "orange", "black")]


def looks(names):
    """One colour and one marker a name: {name: {"color": …, "marker": …}}, always in this order."""
    return {
        name: {"color": _COLOURS[k % 6], "marker": MARKERS[k % 6], "markersize": 4.5}
        for k, name in enumerate(names)
    }


def dimension_axis(axes, dimensions, ticks=4, name="d_k"):
    """Make the x axis logarithmic, with a few of the dimensions as ticks."""
    axes.set_xscale("log")
    step = -(-len(dimensions) // ticks)
    shown = list(dimensions)[::-1][::step][::-1]
    axes.set_xticks(shown, [f"{d:g}" for d in shown])
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel(name)
    quiet(axes)


def quiet(axes):
    """A grid, and ticks that do not shout."""
    axes.grid(True)
    axes.tick_params(length=0, which="both", labelcolor=QUIET_INK)


def name_above(axes, text):
    """Write what y is above the axis, where it needs no turning of the head."""
    axes.set_ylabel(text, rotation=0, ha="left", va="bottom")
    axes.yaxis.set_label_coords(0, 1.02)


def slope_map(axes, slopes, limit=0.25):
    """Draw a Jacobian as a map; 0.25 is the steepest slope a weight can have."""
    axes.imshow(slopes, cmap=SIGNED_MAP, vmin=-limit, vmax=limit)
    axes.set(xticks=[], yticks=[])
    for spine in axes.spines.values():
        spine.set_visible(True)
