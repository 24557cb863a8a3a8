"""Bars and curves, as all lessons share them."""

import numpy as np
from matplotlib.patheffects import withStroke
from matplotlib.ticker import LogFormatterMathtext, NullFormatter

from helpers.figures.base import (
    COLOURS,
    QUIET_INK,
    as_labels,
    as_numbers,
    darker,
    new_figure,
    style,
)
from helpers.figures.labels import glosses_of, label_rows
from helpers.language import say, together

_LINES = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")


@style()
def bars(
    values,
    labels,
    *,
    glosses=None,
    mark=None,
    title="",
    xlabel=None,
    xmax=None,
    reference=None,
    digits=2,
    width_in=6.4,
    caption="",
):
    """Horizontal bars with their numbers: one row of attention, or several sets compared.

    Args:
        values: (n,) numbers, or a dictionary {name of the set: (n,) numbers}.
        labels: n labels, from top to bottom.
        glosses: n translations, shown after the labels; None takes those the course knows.
        mark: index of a bar to stress.
        title: short, at the top left.
        xlabel: what the length means; None says that they are weights.
        xmax: where the axis ends; found from the values if None.
        reference: (value, name) of a dashed line, such as (0.1, "equal shares").
        digits: digits after the point.
        width_in: the figure's width in inches.
        caption: what to see.

    Returns:
        A CourseFigure.

    Raises:
        TypeError: if the values are not numbers.
        ValueError: if the numbers of values and labels differ, or mark is outside.
    """
    sets = values if isinstance(values, dict) else {"": values}
    sets = {name: as_numbers(v, "values", 1) for name, v in sets.items()}
    n = len(next(iter(sets.values())))
    for name, v in sets.items():
        if len(v) != n:
            raise ValueError(
                say(
                    "values of {name} must be {n} numbers, as the first set, got {got}.",
                    name=repr(name),
                    n=n,
                    got=len(v),
                )
            )
    labels = as_labels(labels, "labels", n, say("bar"))
    xlabel = say("weight") if xlabel is None else xlabel
    glosses = glosses_of(labels, glosses, "glosses")
    if mark is not None and not -n <= mark < n:
        raise ValueError(say("mark must be an index below {n}, got {mark}.", n=n, mark=mark))
    thick = 0.74 / len(sets)
    bar_inches = 0.34 if len(sets) == 1 else 0.21 * len(sets) + 0.08
    extra = (0.35 if title else 0) + (0.3 if len(sets) > 1 or reference else 0)
    figure, axes = new_figure(width_in, n * bar_inches + 0.65 + extra, title=title, caption=caption)
    everything = np.concatenate(list(sets.values()))
    low, high = min(0.0, np.nanmin(everything)), max(0.0, np.nanmax(everything))
    high = high if xmax is None else xmax
    span = (high - low) or 1.0
    hatches = ("", "////", "...", "xxx")
    for k, (name, v) in enumerate(sets.items()):
        places = np.arange(n) + (k - (len(sets) - 1) / 2) * thick
        colours = [list(COLOURS.values())[k]] * n
        if mark is not None and len(sets) == 1:
            colours[mark] = COLOURS["vermillion"]
        axes.barh(
            places, v, height=thick * 0.92, color=colours, label=name or None,
            hatch=hatches[k % 4], edgecolor="white", linewidth=0,
        )  # fmt: skip
        for place, value in zip(places, v, strict=True):
            text = f"{value:.{digits}f}".replace("-", "−")
            left = value < 0
            axes.annotate(
                text, (value, place), (-4 if left else 4, 0), textcoords="offset points",
                va="center", ha="right" if left else "left", fontsize=9.5 if len(sets) < 3 else 9,
                path_effects=[withStroke(linewidth=3, foreground="white")],
            )  # fmt: skip
    axes.set(ylim=(n - 0.5, -0.5), xlim=(low - (span * 0.12 if low < 0 else 0), high + span * 0.12))
    label_rows(axes, labels, glosses)
    if mark is not None:
        axes.get_yticklabels()[mark].set(fontweight="bold")
    axes.spines["bottom"].set_visible(False)
    axes.spines["left"].set_visible(False)
    axes.axvline(0, color=QUIET_INK, linewidth=0.8)
    axes.grid(axis="x")
    axes.tick_params(axis="x", length=0, labelcolor=QUIET_INK)
    axes.set_xlabel(xlabel, color=QUIET_INK)
    if reference is not None:
        value, name = reference
        axes.axvline(value, color=QUIET_INK, linestyle=(0, (4, 3)), linewidth=1.2, label=name)
    if len(sets) > 1 or reference is not None:
        figure.legend(loc="outside lower left", ncols=4, handlelength=1.6)
    read = [f"{label} {gloss}".rstrip() for label, gloss in zip(labels, glosses, strict=True)]
    figure.alt = _describe_bars(sets, read, xlabel, digits)
    return figure


@style()
def curves(
    x,
    series,
    *,
    xlabel,
    ylabel,
    title="",
    log_x=False,
    log_y=False,
    references=None,
    ylim=None,
    x_ticks=None,
    markers=True,
    width_in=7.2,
    height_in=3.6,
    caption=None,
    axes=None,
):
    """Lines with their names at their ends; several seeds become a mean and a band.

    Args:
        x: (n,) numbers.
        series: {name: (n,) numbers or (seeds, n) numbers}; NaN leaves a gap.
        xlabel: what x is.
        ylabel: what y is.
        title: short, at the top left.
        log_x: True for a logarithmic x axis.
        log_y: True for a logarithmic y axis.
        references: {name: height or (n,) numbers}, drawn thin and dashed (chance, a prediction).
        ylim: (low, high) of the y axis.
        x_ticks: the places of the ticks; x itself if it holds at most ten numbers.
        markers: whether the measured points are marked.
        width_in: the figure's width in inches.
        height_in: its height.
        caption: what to see; for bands, what they are is said after it.
        axes: draw into these axes of a figure made with new_figure; None makes a new figure.

    Returns:
        The CourseFigure.

    Raises:
        TypeError: if x or a series does not hold numbers.
        ValueError: if a series does not fit x, or a logarithmic axis has nothing above zero.
    """
    x = as_numbers(x, "x", 1)
    if not isinstance(series, dict) or not series:
        raise ValueError(
            say("series must be a dictionary of names and numbers with at least one entry.")
        )
    data = {name: _check_series(v, name, x) for name, v in series.items()}
    if log_x and not (x > 0).any():
        raise ValueError(say("x must hold numbers above zero for a logarithmic axis."))
    if log_y and not any((v > 0).any() for v in data.values()):
        raise ValueError(say("series must hold numbers above zero for a logarithmic axis."))
    if axes is None:
        figure, axes = new_figure(width_in, height_in, title=title)
    else:
        figure = axes.figure
        axes.set_title(title, fontweight="bold", pad=24)
    axes.set_xscale("log" if log_x else "linear")
    axes.set_yscale("log" if log_y else "linear")
    ends = []
    most = 1
    for k, (name, v) in enumerate(data.items()):
        colour = list(COLOURS.values())[k % len(COLOURS)]
        mean = _ignore_gaps(np.mean, v)
        if len(v) > 1:
            most = max(most, len(v))
            axes.fill_between(
                x, _ignore_gaps(np.min, v), _ignore_gaps(np.max, v), color=colour, alpha=0.16,
                linewidth=0,
            )  # fmt: skip
        axes.plot(
            x, mean, color=colour, linestyle=_LINES[k // 7 % 4], label=name,
            marker=_MARKERS[k % 7] if markers else None, markersize=4.5,
        )  # fmt: skip
        ends.append((name, _last(x, mean), darker(colour), "bold"))
    for name, height in (references or {}).items():
        line = np.broadcast_to(np.asarray(height, dtype=float), x.shape)
        axes.plot(x, line, color=QUIET_INK, linestyle=(0, (4, 3)), linewidth=1.2, label=name)
        ends.append((name, _last(x, line), QUIET_INK, "normal"))
    axes.grid(True)
    axes.tick_params(length=0, which="both", labelcolor=QUIET_INK)
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel, rotation=0, ha="left", va="bottom")
    axes.yaxis.set_label_coords(0, 1.02)
    if ylim is not None:
        axes.set_ylim(*ylim)
    _place_ticks(axes, x, x_ticks, log_x, log_y)
    _name_lines(figure, axes, ends)
    band = say("Lines: the mean of {most} seeds; bands: smallest to largest.", most=most)
    own = [part for part in (caption, band if most > 1 else "") if part]
    figure.caption = figure.caption or together(*own)
    figure.alt = together(figure.alt, _describe_lines(x, data, xlabel, ylabel))
    return figure


def _describe_bars(sets, labels, xlabel, digits):
    sentences = []
    for name, v in sets.items():
        pairs = zip(labels, v, strict=True)
        numbers = ", ".join(f"{label} {value:.{digits}f}" for label, value in pairs)
        said = f"{name} {xlabel}".strip()
        sentences.append(say("Bars of {said}: {numbers}.", said=said, numbers=numbers))
    return together(*sentences)


def _describe_lines(x, data, xlabel, ylabel):
    sentences = [say("Lines, {y} over {x}.", y=ylabel, x=xlabel)]
    for name, v in data.items():
        mean = _ignore_gaps(np.mean, v)
        there = np.flatnonzero(np.isfinite(mean))
        if there.size:
            first, last = there[[0, -1]]
            sentences.append(
                say(
                    "{name} goes from {y0:.3g} at {x0:g} to {y1:.3g} at {x1:g}.",
                    name=name, y0=mean[first], x0=x[first], y1=mean[last], x1=x[last],
                )
            )  # fmt: skip
    return together(*sentences)


def _check_series(values, name, x):
    values = np.atleast_2d(as_numbers(values, f"series {name!r}", (1, 2)))
    if values.shape[1] != len(x):
        raise ValueError(
            say(
                "series {name} must hold one number for each of the {n} values of x, "
                "got the shape {shape} (seeds, values).",
                name=repr(name), n=len(x), shape=values.shape,
            )
        )  # fmt: skip
    return values


def _ignore_gaps(function, values):
    empty = np.isnan(values).all(axis=0)
    result = np.full(values.shape[1], np.nan)
    columns = np.ma.masked_invalid(values[:, ~empty])
    result[~empty] = np.ma.filled(function(columns, axis=0), np.nan)
    return result


def _last(x, y):
    there = np.flatnonzero(np.isfinite(y))
    return (x[there[-1]], y[there[-1]]) if there.size else (np.nan, np.nan)


def _place_ticks(axes, x, x_ticks, log_x, log_y):
    if x_ticks is None and len(x) <= 10:
        x_ticks = x
    if x_ticks is not None:
        axes.set_xticks(x_ticks, [f"{t:g}".replace("-", "−") for t in x_ticks])
        axes.xaxis.set_minor_formatter(NullFormatter())
    elif log_x:
        axes.xaxis.set_major_formatter(LogFormatterMathtext())
    if log_y:
        axes.yaxis.set_minor_formatter(NullFormatter())


def _name_lines(figure, axes, ends):
    """Each line's name at its right end, pushed apart where two would overlap."""
    ends = [end for end in ends if np.isfinite(end[1]).all()]
    figure.draw_without_rendering()
    box = axes.get_window_extent()
    step = 13.5 * figure.dpi / 72
    wanted = [np.clip(axes.transData.transform(point)[1], box.y0, box.y1) for _, point, *_ in ends]
    order = np.argsort(wanted)
    placed = np.array(wanted, dtype=float)[order]
    for _ in range(60):
        for a in range(len(placed) - 1):
            overlap = step - (placed[a + 1] - placed[a])
            if overlap > 0.5:
                placed[a] -= overlap / 2
                placed[a + 1] += overlap / 2
    for place, k in zip(placed, order, strict=True):
        name, _, colour, weight = ends[k]
        axes.annotate(
            name, (1, (place - box.y0) / box.height), (7, 0), xycoords="axes fraction",
            textcoords="offset points", va="center", ha="left", fontsize=10, color=colour,
            fontweight=weight, annotation_clip=False,
        )  # fmt: skip
