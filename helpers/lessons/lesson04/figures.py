"""The picture of lesson 04: a blend of values lies inside the region that they span."""

from collections.abc import Sequence

import numpy as np
from matplotlib.patches import Polygon

from helpers.figures.base import (
    COLOURS,
    QUIET_INK,
    CourseFigure,
    as_numbers,
    darker,
    new_figure,
    style,
)
from helpers.language import say


@style()
def blend(
    values: np.ndarray | Sequence[Sequence[float]], weights: np.ndarray | Sequence[float]
) -> CourseFigure:
    """Values as points in a plane, and their weighted average inside their hull.

    Args:
        values: (n, 2) numbers, the corners in order around the hull.
        weights: (n,) shares that add up to 1.

    Returns:
        CourseFigure: dot sizes show the weights, the cross is the output.
    """
    values = as_numbers(values, "values", 2)
    weights = as_numbers(weights, "weights", 1)
    output = weights @ values
    best = int(weights.argmax())
    caption = say(
        "The values as points; each dot's area is its weight. Their weighted average, the cross, "
        "lies inside the region they span, pulled most by value {best} with weight {weight:.2f}.",
        best=best,
        weight=weights[best],
    )
    figure, axes = new_figure(5.4, 3.6, caption=caption)
    axes.add_patch(
        Polygon(values, facecolor="#e8f1f8", edgecolor=COLOURS["sky"], linewidth=1.5, zorder=1)
    )
    for value in values:
        axes.plot(*zip(value, output, strict=True), color=QUIET_INK, linewidth=0.8, zorder=2)
    axes.scatter(*values.T, s=60 + 900 * weights, color=COLOURS["blue"], zorder=3)
    for j, (value, weight) in enumerate(zip(values, weights, strict=True)):
        below = value[1] < output[1]
        axes.annotate(
            say("value {j} · weight {weight:.2f}", j=j, weight=weight),
            value,
            (0, -24 if below else 22),
            textcoords="offset points",
            ha="center",
            va="center",
        )
    axes.scatter(*output, marker="X", s=150, color=COLOURS["vermillion"], zorder=4)
    axes.annotate(
        say("output"),
        output,
        (12, 8),
        textcoords="offset points",
        color=darker(COLOURS["vermillion"]),
        zorder=5,
    )
    axes.margins(0.25, 0.3)
    axes.set_xlabel(say("first number of the value"))
    axes.set_ylabel(say("second number of the value"))
    return figure
