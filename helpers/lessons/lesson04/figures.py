"""Pictures of lesson 04: from scores to shares, and from shares to a blend of values."""

import numpy as np
from matplotlib.patches import Polygon

from helpers.figures.base import (
    COLOURS,
    QUIET_INK,
    as_labels,
    as_numbers,
    darker,
    new_figure,
    style,
)
from helpers.figures.charts import bars


def _shares(scores):
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


@style()
def softmax_steps(scores, labels):
    """One row of scores on its way through softmax: score, exponential, share.

    Args:
        scores: (n,) numbers.
        labels: n strings.

    Returns:
        CourseFigure with three panels of horizontal bars.
    """
    scores = as_numbers(scores, "scores", 1)
    labels = as_labels(labels, "labels", len(scores), "score")
    shares = _shares(scores)
    caption = (
        "The same row three times. Left: the scores, some below zero. Middle: e to the power of "
        f"each, all above zero, differences now ratios. Right: each divided by their sum; "
        f"the largest share, {shares.max():.2f}, is that of {labels[int(shares.argmax())]}."
    )
    figure, axes = new_figure(7.2, 0.9 + 0.26 * len(scores), 1, 3, sharey=True, caption=caption)
    panels = (
        ("score", scores, COLOURS["orange"], "{:.1f}"),
        ("exp(score)", np.exp(scores), COLOURS["sky"], "{:.1f}"),
        ("share: divided by the sum", shares, COLOURS["blue"], "{:.2f}"),
    )
    rows = np.arange(len(scores))
    for panel, (name, values, colour, pattern) in zip(axes, panels, strict=True):
        panel.barh(rows, values, color=colour, height=0.68)
        span = values.max() - min(values.min(), 0)
        panel.set_xlim(min(values.min(), 0) - 0.25 * span, values.max() + 0.25 * span)
        for row, value in zip(rows, values, strict=True):
            side, align = (1, "left") if value >= 0 else (-1, "right")
            text = pattern.format(value).replace("-", "−")
            panel.text(value + side * 0.03 * span, row, text, va="center", ha=align, fontsize=9)
        panel.axvline(0, color=QUIET_INK, linewidth=0.8)
        panel.set_xlabel(name)
        panel.tick_params(axis="y", length=0)
        panel.spines["left"].set_visible(False)
    axes[0].set_yticks(rows, labels)
    axes[0].invert_yaxis()
    axes[0].set_ylabel("key j: who is looked at")
    return figure


def temperature_bars(scores, labels, temperature):
    """The shares of one row of scores after dividing by a temperature.

    Args:
        scores: (n,) numbers.
        labels: n strings.
        temperature: float above 0.

    Returns:
        CourseFigure with one bar a key; a line marks equal shares, 1/n.

    Raises:
        ValueError: if the temperature is not above 0.
    """
    if not temperature > 0:
        raise ValueError(f"temperature must be above 0, got {temperature}.")
    shares = _shares(as_numbers(scores, "scores", 1) / temperature)
    best = labels[int(shares.argmax())]
    return bars(
        shares,
        labels,
        title=f"Row of shares at temperature {temperature:.1f}",
        xmax=1.0,
        reference=(1 / len(shares), "equal shares"),
        caption=f"At temperature {temperature:.1f}, {best} gets {shares.max():.2f} of the row. "
        "Low temperatures sharpen the row, high ones flatten it.",
    )


@style()
def content_share(factors, shares, weight):
    """How much of the result one token makes up, against the length of its value.

    Args:
        factors: (k,) lengths of the token's value, the others' being 1.
        shares: (k,) its part of the result, measured along the result.
        weight: float, its attention weight.

    Returns:
        CourseFigure, logarithmic in the length.
    """
    factors = as_numbers(factors, "factors", 1)
    shares = as_numbers(shares, "shares", 1)
    caption = (
        f"The weight is {weight:g} all along. The part of the result that comes from this token "
        f"falls from {shares.max():.2f} to {shares.min():.3f} as its value gets shorter."
    )
    figure, axes = new_figure(6.0, 3.2, caption=caption)
    axes.plot(factors, shares, "o-", color=COLOURS["blue"])
    for factor, share in zip(factors, shares, strict=True):
        axes.annotate(
            f"{share:.2f}", (factor, share), (0, 8), textcoords="offset points", ha="center"
        )
    axes.axhline(weight, color=COLOURS["vermillion"], linestyle="--")
    axes.text(factors.min(), weight - 0.03, f"weight {weight:g}", va="top", color=darker("#D55E00"))
    axes.set_xscale("log")
    axes.set_xticks(factors, [f"{f:g}" for f in factors])
    axes.minorticks_off()
    axes.set_ylim(-0.05, 1.15)
    axes.set_xlabel("length of the token's value (the others: 1)")
    axes.set_ylabel("its part of the result")
    axes.grid(axis="y")
    return figure


@style()
def blend(values, weights):
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
    caption = (
        "Four values as points; each dot's area is its weight. Their weighted average, the cross, "
        f"lies inside the region they span, nearest in pull to value {best} "
        f"with weight {weights[best]:.2f}."
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
            f"value {j} · weight {weight:.2f}",
            value,
            (0, -24 if below else 22),
            textcoords="offset points",
            ha="center",
            va="center",
        )
    axes.scatter(*output, marker="X", s=150, color=COLOURS["vermillion"], zorder=4)
    axes.annotate(
        "output", output, (12, 8), textcoords="offset points", color=darker("#D55E00"), zorder=5
    )
    axes.margins(0.25, 0.3)
    axes.set_xlabel("first number of the value")
    axes.set_ylabel("second number of the value")
    return figure
