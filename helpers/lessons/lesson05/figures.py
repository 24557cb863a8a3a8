"""Pictures of lesson 05: scores before training, slopes, and what comes back to single rows."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from helpers.figures.base import (
    COLOURS,
    QUIET_INK,
    SIGNED_MAP,
    CourseFigure,
    as_labels,
    as_numbers,
    darker,
    new_figure,
    style,
)
from helpers.figures.labels import glosses_of, label_rows
from helpers.language import say
from helpers.sentences import known_gloss

_BAND = "#e9edf2"
_LINES = [COLOURS[name] for name in ("vermillion", "blue", "green", "purple", "orange", "black")]


@style()
def scores_and_weights(
    scores: np.ndarray | Sequence[float],
    tokens: Sequence[str],
    d_k: int,
    divisor_name: str,
    query: str,
) -> CourseFigure:
    """One row: its scores, its weights and the slope of each weight by each score.

    Args:
        scores: (n,) numbers, after the division.
        tokens: n strings.
        d_k: for the title.
        divisor_name: for the title.
        query: whose row it is.

    Returns:
        CourseFigure with three panels.
    """
    scores = as_numbers(scores, "scores", 1)
    tokens = as_labels(tokens, "tokens", len(scores), say("score"))
    exponentials = np.exp(scores - scores.max())
    weights = exponentials / exponentials.sum()
    slopes = np.diag(weights) - np.outer(weights, weights)
    caption = say(
        "The row of {query} before any training. Left: its scores, standard deviation "
        "{spread:.2f}. Middle: its weights; the largest is {largest:.2f}. Right: how much each "
        "weight (row) moves with each score (column), blue for up and brown for down; the size of "
        "the whole is {size:.3f}.",
        query=f"{query} {known_gloss(query)}".rstrip(),
        spread=scores.std(),
        largest=weights.max(),
        size=np.linalg.norm(slopes),
    )
    title = say("d_k = {d_k}, {divisor}", d_k=d_k, divisor=divisor_name)
    figure, panels = new_figure(
        7.2, 3.3, 1, 3, caption=caption, title=title, width_ratios=(1, 1, 0.9)
    )
    rows = np.arange(len(scores))
    for axes, values, name, colour in (
        (panels[0], scores, say("score"), COLOURS["orange"]),
        (panels[1], weights, say("weight"), COLOURS["blue"]),
    ):
        axes.barh(rows, values, color=colour, height=0.7)
        axes.axvline(0, color=QUIET_INK, linewidth=0.8)
        axes.set(ylim=(len(rows) - 0.5, -0.5), xlabel=name)
        axes.spines["left"].set_visible(False)
        _quiet(axes)
        axes.grid(axis="y", visible=False)
    panels[1].set_xlim(0, 1.02)
    label_rows(panels[0], tokens, glosses_of(tokens, None, "glosses"))
    panels[1].set_yticks([])
    _slope_map(panels[2], slopes)
    panels[2].set_xlabel(say("slope: weight by score"))
    return figure


@style()
def spread_of_scores(cases: Mapping[str, tuple[float, float, float, float]]) -> CourseFigure:
    """Where q·k / √d lies in several cases: mean ± standard deviation, and what theory says.

    Args:
        cases: name -> (mean, standard deviation, predicted mean, predicted deviation).

    Returns:
        CourseFigure: a dot and a bar a case, crosses for the prediction.
    """
    names = [say(name) for name in cases]
    values = as_numbers(list(cases.values()), "cases", 2)
    caption = say(
        "Dot and bar: mean and standard deviation of q·k after the division by √d, measured. "
        "Crosses: the same three places, predicted. The grey band, −1 to 1, is where the division "
        "should put it. Only the first case fills it."
    )
    figure, axes = new_figure(7.2, 0.9 + 0.42 * len(names), caption=caption)
    rows = np.arange(len(names))
    axes.axvspan(-1, 1, color=_BAND, zorder=0)
    mean, deviation, law, law_deviation = values.T
    axes.errorbar(
        mean, rows, xerr=deviation, fmt="o", color=COLOURS["blue"], elinewidth=3, markersize=7
    )
    for shift in (-1, 0, 1):
        axes.plot(
            law + shift * law_deviation, rows, "x", color=COLOURS["vermillion"], markersize=7,
            markeredgewidth=1.6,
        )  # fmt: skip
    for row, (m, s) in enumerate(zip(mean, deviation, strict=True)):
        text = f"{m:.1f} ± {s:.2f}".replace("-", "−")
        axes.annotate(
            text, (m + s, row), (14, 0), textcoords="offset points", va="center", fontsize=9.5
        )
    label_rows(axes, names, [""] * len(names))
    low, high = min(-4, (mean - deviation).min()), (mean + deviation).max()
    axes.set(ylim=(len(names) - 0.5, -0.5), xlim=(low - 1, high + 0.22 * (high - low)))
    axes.set_xlabel("q·k / √d")
    axes.spines["left"].set_visible(False)
    _quiet(axes)
    return figure


@style()
def start_spreads(spreads: Mapping[str, tuple[float, float, int]]) -> CourseFigure:
    """Standard deviation of the scores at the start, for several ways to begin.

    Args:
        spreads: name -> (measured for q·k, predicted for q·k, d_k).

    Returns:
        CourseFigure: for each start an empty dot (raw) and a full one (after the division).
    """
    names = [say(name) for name in spreads]
    caption = say(
        "Standard deviation of the scores before training, on a logarithmic axis. Open: q·k. "
        "Full: after the division by √d_k. Crosses: √d_k · rms(q) · rms(k). The grey band, a third "
        "to three, is where softmax is neither flat nor one-hot."
    )
    figure, axes = new_figure(7.2, 0.9 + 0.4 * len(names), caption=caption)
    axes.axvspan(1 / 3, 3, color=_BAND, zorder=0)
    for row, (measured, predicted, d_k) in enumerate(spreads.values()):
        after = measured / math.sqrt(d_k)
        axes.plot([after, measured], [row, row], color="#c9ced6", linewidth=1.5, zorder=1)
        axes.plot(
            measured, row, "o", markersize=9, color="white",
            markeredgecolor=COLOURS["vermillion"], markeredgewidth=2,
        )  # fmt: skip
        axes.plot(after, row, "o", markersize=9, color=COLOURS["blue"])
        axes.plot(predicted, row, "x", color=QUIET_INK, markersize=6)
    axes.set_xscale("log")
    label_rows(axes, names, [""] * len(names))
    axes.set(ylim=(len(names) - 0.5, -0.5), xlabel=say("standard deviation of the scores"))
    axes.spines["left"].set_visible(False)
    _quiet(axes)
    return figure


@style()
def jacobians(rows: Mapping[str, np.ndarray | Sequence[float]]) -> CourseFigure:
    """The Jacobians of several rows of weights as maps, with their sizes.

    Args:
        rows: name -> (n,) weights.

    Returns:
        CourseFigure: bars of the weights above, the map of the slopes below.
    """
    caption = say(
        "Top: rows of weights. Bottom: how much each weight moves with each score, blue for up, "
        "brown for down, all in the same colours. Size: the square root of the sum of all squares."
    )
    figure, panels = new_figure(
        7.2, 3.9, 2, len(rows), caption=caption, height_ratios=(1, 2.2), squeeze=False
    )
    for column, (name, weights) in enumerate(rows.items()):
        weights = as_numbers(weights, "weights", 1)
        slopes = np.diag(weights) - np.outer(weights, weights)
        top, bottom = panels[:, column]
        top.bar(np.arange(len(weights)), weights, color=_LINES[column % 6])
        top.set(ylim=(0, 1.05), xticks=[])
        top.set_title(say(name), fontweight="bold")
        _quiet(top)
        _slope_map(bottom, slopes)
        size = np.linalg.norm(slopes)
        bottom.set_xlabel(say("size {size:.3f}", size=size), fontsize=11)
    return figure


@style()
def row_gradients(norms: Mapping[str, np.ndarray | Sequence[float]]) -> CourseFigure:
    """Gradients of single rows, sorted: how large is that of the middle row, how large the top.

    Args:
        norms: divisor -> (rows,) numbers, the norm of the gradient at softmax's input.

    Returns:
        CourseFigure, logarithmic in the gradient.
    """
    medians = {name: np.median(values) for name, values in norms.items()}
    caption = say(
        "Each line: all rows, sorted by the size of the gradient that comes back to their scores. "
        "The dots mark the median row. The axis covers many powers of ten."
    )
    figure, axes = new_figure(7.2, 3.7, caption=caption)
    for k, (name, values) in enumerate(norms.items()):
        values = np.sort(as_numbers(values, "norms", 1))
        colour = _LINES[k % 6]
        percent = 100 * (np.arange(len(values)) + 0.5) / len(values)
        axes.plot(percent, np.maximum(values, 1e-14), color=colour, label=say(name))
        axes.plot(50, medians[name], "os"[k % 2], color=colour, markersize=9)
        lowest = medians[name] == min(medians.values())
        axes.annotate(
            say("median {size:.1g}", size=medians[name]), (50, medians[name]),
            (12, -14) if lowest else (-12, 14), ha="left" if lowest else "right", va="center",
            textcoords="offset points", color=darker(colour), fontweight="bold",
        )  # fmt: skip
    axes.set_yscale("log")
    low = max(1e-14, min(np.percentile(values, 10) for values in norms.values()))
    axes.set_ylim(low, None)
    axes.set_xlabel(say("rows, from the smallest gradient to the largest (percent)"))
    axes.set_ylabel(say("gradient by the row's scores"), rotation=0, ha="left", va="bottom")
    axes.yaxis.set_label_coords(0, 1.02)
    _quiet(axes)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower left", ncols=4)
    return figure


def _quiet(axes):
    """A grid, and ticks that do not shout."""
    axes.grid(True)
    axes.tick_params(length=0, which="both", labelcolor=QUIET_INK)


def _slope_map(axes, slopes, limit=0.25):
    """Draw a Jacobian as a map; 0.25 is the steepest slope a weight can have."""
    axes.imshow(slopes, cmap=SIGNED_MAP, vmin=-limit, vmax=limit)
    axes.set(xticks=[], yticks=[])
    for spine in axes.spines.values():
        spine.set_visible(True)
