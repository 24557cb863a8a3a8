"""What comes back through softmax: slopes, gradients of single rows, gradients of a matrix."""

import numpy as np

from helpers.figures.base import QUIET_INK, as_numbers, darker, new_figure, style
from helpers.lessons.lesson05.figures._panels import (
    dimension_axis,
    looks,
    name_above,
    quiet,
    slope_map,
)


@style()
def jacobians(rows):
    """The Jacobians of several rows of weights as maps, with their sizes.

    Args:
        rows: dict name -> (n,) weights.

    Returns:
        CourseFigure: bars of the weights above, the map of the slopes below.
    """
    caption = (
        "Top: rows of weights. Bottom: how much each weight moves with each score, blue for up, "
        "brown for down, all in the same colours. Size: the square root of the sum of all squares."
    )
    figure, panels = new_figure(
        7.2, 3.9, 2, len(rows), caption=caption, height_ratios=(1, 2.2), squeeze=False
    )
    look = looks(rows)
    for column, (name, weights) in enumerate(rows.items()):
        weights = as_numbers(weights, "weights", 1)
        slopes = np.diag(weights) - np.outer(weights, weights)
        top, bottom = panels[:, column]
        top.bar(np.arange(len(weights)), weights, color=look[name]["color"])
        top.set(ylim=(0, 1.05), xticks=[])
        top.set_title(name, fontweight="bold")
        quiet(top)
        slope_map(bottom, slopes)
        bottom.set_xlabel(f"size {np.linalg.norm(slopes):.3f}", fontsize=11)
    return figure


@style()
def jacobian_by_dimension(dimensions, sizes):
    """Median size of the softmax Jacobian against d_k, one panel a length, one line a divisor.

    Args:
        dimensions: (m,) ints.
        sizes: dict n -> dict divisor -> (m,) numbers above 0.

    Returns:
        CourseFigure, logarithmic both ways.
    """
    caption = (
        "How much a typical row of weights moves when its scores move: the median size of the "
        "Jacobian. Without the division it falls off a cliff, the later the longer the row; before "
        "the cliff it can be the largest of the three."
    )
    figure, panels = new_figure(
        7.2, 3.4, 1, len(sizes), caption=caption, sharey=True, squeeze=False
    )
    look = looks(next(iter(sizes.values())))
    for axes, (n, lines) in zip(panels[0], sizes.items(), strict=True):
        for name, values in lines.items():
            axes.plot(dimensions, values, label=name, **look[name])
        axes.set_yscale("log")
        dimension_axis(axes, dimensions)
        axes.set_ylim(1e-4, 2)
        axes.set_title(f"n = {n}", fontweight="bold", pad=24)
    name_above(panels[0, 0], "size of the Jacobian")
    figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside lower left", ncols=4)
    return figure


@style()
def row_gradients(norms):
    """Gradients of single rows, sorted: how large is that of the middle row, how large the top.

    Args:
        norms: dict divisor -> (rows,) numbers, the norm of the gradient by q·k of each row.

    Returns:
        CourseFigure, logarithmic in the gradient.
    """
    medians = {name: np.median(values) for name, values in norms.items()}
    caption = (
        "Each line: all rows, sorted by the size of the gradient that comes back to their q·k. "
        "The dots mark the median row. The axis covers many powers of ten: the line without the "
        "division starts far below the other one and ends above it."
    )
    figure, axes = new_figure(7.2, 3.7, caption=caption)
    look = looks(norms)
    for name, values in norms.items():
        values = np.sort(as_numbers(values, "norms", 1))
        colour = look[name]["color"]
        percent = 100 * (np.arange(len(values)) + 0.5) / len(values)
        axes.plot(percent, np.maximum(values, 1e-14), color=colour, label=name)
        axes.plot(50, medians[name], look[name]["marker"], color=colour, markersize=9)
        lowest = medians[name] == min(medians.values())
        axes.annotate(
            f"median {medians[name]:.1g}", (50, medians[name]), (12, -14) if lowest else (-12, 14),
            ha="left" if lowest else "right", va="center", textcoords="offset points",
            color=darker(colour), fontweight="bold",
        )  # fmt: skip
    axes.set_yscale("log")
    low = max(1e-14, min(np.percentile(values, 10) for values in norms.values()))
    axes.set_ylim(low, None)
    axes.set_xlabel("rows, from the smallest gradient to the largest (percent)")
    name_above(axes, "gradient by the row's q·k")
    quiet(axes)
    axes.legend(loc="lower right")
    return figure


@style()
def gradient_ratios(dimensions, middle, whole):
    """Without the division over with it: the median row's gradient, and that of W_Q.

    Args:
        dimensions: (m,) ints.
        middle: dict n -> (m,) ratios for the median row.
        whole: dict n -> (m,) ratios for the norm of the gradient by W_Q.

    Returns:
        CourseFigure with two panels.
    """
    caption = (
        "Gradient without the division, divided by the gradient with it (dashed: equal). Left: "
        "the median row. In short rows it dies, in long ones much later. Right: the matrix W_Q "
        "that all rows share. Its gradient is larger everywhere."
    )
    figure, panels = new_figure(7.2, 3.5, 1, 2, caption=caption)
    look = looks(middle)
    for axes, values, title in (
        (panels[0], middle, "the median row"),
        (panels[1], whole, "all of W_Q"),
    ):
        for n, ratios in values.items():
            axes.plot(dimensions, ratios, label=f"n = {n}", **look[n])
        axes.axhline(1, color=QUIET_INK, linestyle=(0, (4, 3)), linewidth=1.2)
        axes.set_yscale("log")
        dimension_axis(axes, dimensions, ticks=6)
        axes.set_title(title, fontweight="bold", pad=24)
        name_above(axes, "without / with")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower left", ncols=4)
    return figure
