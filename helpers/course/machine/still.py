"""The machine at rest: arcs and bars from one word of a sentence, as a figure."""

from helpers.figures.base import COLOURS, INK, QUIET_INK, CourseFigure, new_figure, style
from helpers.figures.colours import darker

LOOK = "#bd4400"  # whoever looks is orange here and in the browser, weight is blue
MOST = 16  # words that fit side by side


@style()
def sentence_picture(tokens, glosses, weights, row, *, title="", caption="") -> CourseFigure:
    """Draw who is looked at by one word.

    Args:
        tokens: n str.
        glosses: n str.
        weights: (n,) numbers from 0 to 1.
        row: int, the word that looks.
        title: str.
        caption: str.

    Returns:
        CourseFigure; of a long sentence it shows the part around the word that looks.
    """
    first = max(0, min(row - MOST // 2, len(tokens) - MOST))
    shown = range(first, min(len(tokens), first + MOST))
    width = max(5.0, 0.62 * len(shown) + 0.6)
    figure, axes = new_figure(width, 2.5, title=title, caption=caption)
    for x, j in enumerate(shown):
        weight, here = float(weights[j]), j == row
        if weight >= 0.004 and not here:
            _arc(axes, row - first, x, weight)
        ink = "white" if here else INK
        face = LOOK if here else (*_rgb(COLOURS["blue"]), 0.5 * min(1.0, weight))
        box = {"boxstyle": "round,pad=0.3", "facecolor": face, "edgecolor": "#d0d7de"}
        axes.text(x, 0, tokens[j], ha="center", va="center", fontsize=11, color=ink, bbox=box)
        axes.text(x, -0.42, glosses[j], ha="center", va="center", fontsize=7.5, color=QUIET_INK)
        axes.bar(x, weight * 0.55, 0.55, bottom=-1.25, color=COLOURS["blue"])
        axes.text(x, -1.42, f"{weight:.2f}", ha="center", va="center", fontsize=8.5, color=INK)
    axes.plot([-0.5, len(shown) - 0.5], [-1.25, -1.25], color="#d0d7de", lw=1)
    axes.set(xlim=(-0.6, len(shown) - 0.4), ylim=(-1.6, 1.5))
    axes.axis("off")
    return figure


def _arc(axes, start, end, weight):
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    rise = 0.5 + 1.3 * (abs(start - end) / MOST) ** 0.5
    points = [(start, 0.27), (start, 0.27 + rise), (end, 0.27 + rise), (end, 0.27)]
    path = Path(points, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
    look = {"edgecolor": COLOURS["blue"], "facecolor": "none", "alpha": 0.3 + 0.65 * weight}
    axes.add_patch(PathPatch(path, lw=max(0.8, 9 * weight), **look))


def _rgb(colour):
    return darker(colour, keep=1.0)
