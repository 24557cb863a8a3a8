"""How large scores are, and how softmax shares them out."""

import math

import numpy as np

from helpers.figures.base import COLOURS, QUIET_INK, as_labels, as_numbers, new_figure, style
from helpers.figures.charts import curves
from helpers.figures.labels import glosses_of, label_rows
from helpers.lessons.lesson05.figures._panels import (
    dimension_axis,
    looks,
    name_above,
    quiet,
    slope_map,
)


def variance_by_dimension(dimensions, variances):
    """Variance of q·k against d, one line a distribution, with the law "variance = d".

    Args:
        dimensions: (m,) ints.
        variances: dict name -> (m,) numbers.

    Returns:
        CourseFigure, logarithmic both ways.
    """
    dimensions = as_numbers(dimensions, "dimensions", 1)
    spread = np.concatenate([np.asarray(v) / dimensions for v in variances.values()])
    return curves(
        dimensions,
        variances,
        xlabel="d, the number of entries of q and of k",
        ylabel="variance of q·k",
        log_x=True,
        log_y=True,
        references={"variance = d": dimensions},
        x_ticks=[2, 8, 32, 128, 512, 2048],
        caption="Both axes grow by factors. All lines lie on the dashed one, whatever the entries "
        f"look like: variance / d stays between {spread.min():.2f} and {spread.max():.2f}.",
    )


@style()
def spread_of_scores(cases):
    """Where q·k / √d lies in several cases: mean ± standard deviation, and what theory says.

    Args:
        cases: dict name -> (mean, standard deviation, predicted mean, predicted deviation).

    Returns:
        CourseFigure: a dot and a bar a case, crosses for the prediction.
    """
    names = list(cases)
    values = as_numbers(list(cases.values()), "cases", 2)
    caption = (
        "Dot and bar: mean and standard deviation of q·k after the division by √d, measured. "
        "Crosses: the same three places, predicted. The grey band, −1 to 1, is where the division "
        "should put it. Only the first case fills it."
    )
    figure, axes = new_figure(7.2, 0.9 + 0.42 * len(names), caption=caption)
    rows = np.arange(len(names))
    axes.axvspan(-1, 1, color="#e9edf2", zorder=0)
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
    quiet(axes)
    return figure


@style()
def weights_by_dimension(dimensions, largest, entropy):
    """Largest weight and evenness of a row against d_k, one column a divisor, one line a length.

    Args:
        dimensions: (m,) ints.
        largest: dict divisor -> dict n -> (m,) numbers, the mean largest weight.
        entropy: dict divisor -> dict n -> (m,) numbers, the entropy over its maximum ln n.

    Returns:
        CourseFigure with two rows of panels.
    """
    names = list(largest)
    lengths = list(largest[names[0]])
    look = looks(lengths)
    caption = (
        "Top: the mean largest weight of a row of n scores (1: one token has everything). Bottom: "
        "how even the row is (1: all weights equal). Without the division, rows of every length "
        "end at one token. Divided by √d_k, nothing depends on d_k any more. Divided by d_k, all "
        "rows become flat."
    )
    if len(names) < 3:
        caption = caption.partition(" Without")[0]
    figure, panels = new_figure(
        7.2, 4.6, 2, len(names), caption=caption, sharex=True, sharey="row", squeeze=False
    )
    rows = ((largest, "largest weight"), (entropy, "entropy / ln n"))
    for line, (values, what) in enumerate(rows):
        for column, name in enumerate(names):
            axes = panels[line, column]
            for n in lengths:
                axes.plot(dimensions, values[name][n], label=f"n = {n}", **look[n])
            dimension_axis(axes, dimensions, name="d_k" if line else "")
            axes.set_ylim(-0.04, 1.06)
            if not column:
                name_above(axes, what)
            if not line:
                axes.set_title(name, fontweight="bold", pad=24)
    figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside lower left", ncols=3)
    return figure


@style()
def scores_and_weights(scores, tokens, d_k, divisor_name, query="他"):
    """One row: its scores, its weights and the slope of each weight by each score.

    Args:
        scores: (n,) numbers, after the division.
        tokens: n strings.
        d_k: int, for the title.
        divisor_name: str, for the title.
        query: str, whose row it is.

    Returns:
        CourseFigure with three panels.
    """
    scores = as_numbers(scores, "scores", 1)
    tokens = as_labels(tokens, "tokens", len(scores), "score")
    exponentials = np.exp(scores - scores.max())
    weights = exponentials / exponentials.sum()
    slopes = np.diag(weights) - np.outer(weights, weights)
    caption = (
        f"The row of {query} before any training. Left: its scores, standard deviation "
        f"{scores.std():.2f}. Middle: its weights; the largest is {weights.max():.2f}. Right: how "
        "much each weight (row) moves with each score (column), blue for up and brown for down; "
        f"the size of the whole is {np.linalg.norm(slopes):.3f}."
    )
    figure, panels = new_figure(
        7.2, 3.3, 1, 3, caption=caption, title=f"d_k = {d_k}, {divisor_name}",
        width_ratios=(1, 1, 0.9),
    )  # fmt: skip
    rows = np.arange(len(scores))
    for axes, values, name, colour in (
        (panels[0], scores, "score", COLOURS["orange"]),
        (panels[1], weights, "weight", COLOURS["blue"]),
    ):
        axes.barh(rows, values, color=colour, height=0.7)
        axes.axvline(0, color=QUIET_INK, linewidth=0.8)
        axes.set(ylim=(len(rows) - 0.5, -0.5), xlabel=name)
        axes.spines["left"].set_visible(False)
        quiet(axes)
        axes.grid(axis="y", visible=False)
    panels[1].set_xlim(0, 1.02)
    label_rows(panels[0], tokens, glosses_of(tokens, None, "glosses"))
    panels[1].set_yticks([])
    slope_map(panels[2], slopes)
    panels[2].set_xlabel("slope: weight by score")
    return figure


@style()
def start_spreads(spreads):
    """Standard deviation of the scores at the start, for several ways to begin.

    Args:
        spreads: dict name -> (measured for q·k, predicted for q·k, d_k).

    Returns:
        CourseFigure: for each start an empty dot (raw) and a full one (after the division).
    """
    names = list(spreads)
    caption = (
        "Standard deviation of the scores before training, on a logarithmic axis. Open: q·k. "
        "Full: after the division by √d_k. Crosses: √d_k · rms(q) · rms(k). The grey band, a third "
        "to three, is where softmax is neither flat nor one-hot."
    )
    figure, axes = new_figure(7.2, 0.9 + 0.4 * len(names), caption=caption)
    axes.axvspan(1 / 3, 3, color="#e9edf2", zorder=0)
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
    axes.set(ylim=(len(names) - 0.5, -0.5), xlabel="standard deviation of the scores")
    axes.spines["left"].set_visible(False)
    quiet(axes)
    return figure
