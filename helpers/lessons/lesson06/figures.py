"""Pictures of lesson 06: how heads are cut, which head serves which question, what they cost."""

import numpy as np
from matplotlib.colors import to_rgb

from helpers.figures.base import (
    COLOURS,
    WEIGHT_MAP,
    as_labels,
    as_numbers,
    darker,
    new_figure,
    style,
    text_colour_on,
)
from helpers.figures.charts import curves
from helpers.language import say

_HEAD_COLOURS = [COLOURS[name] for name in ("blue", "orange", "green", "purple")]


@style()
def landing(X, splits):
    """Where each number of X lands when it is cut into heads, for one or more ways of cutting.

    Args:
        X: (n, d_model) numbers, all different, so that each can be found again.
        splits: {name of the way: (num_heads, n, d_head) numbers}, at most 4 heads.

    Returns:
        CourseFigure: a line for each way; X at the left and the heads beside it, coloured by head.

    Raises:
        ValueError: if there are more than 4 heads, or a split does not hold the numbers of X.
    """
    X = as_numbers(X, "X", 2)
    splits = {name: as_numbers(split, name, 3) for name, split in splits.items()}
    for name, split in splits.items():
        if not np.array_equal(np.sort(split, axis=None), np.sort(X, axis=None)):
            raise ValueError(
                say(
                    "{name} must hold exactly the numbers of X, got shape {got}.",
                    name=name,
                    got=split.shape,
                )
            )
    n, d_model = X.shape
    num_heads = len(next(iter(splits.values())))
    if any(len(split) != num_heads for split in splits.values()) or num_heads > 4:
        raise ValueError(
            say(
                "splits must all have the same number of heads, at most 4, got {got}.",
                got=num_heads,
            )
        )
    cell = min(0.34, 6.4 / (2 * d_model + 0.7 * num_heads))
    height = len(splits) * (cell * n + 0.75)
    caption = say(
        "Each number says where it comes from: 23 is token 2, column 3. Its colour is the head in "
        "which it lands, of {num_heads}. Left: X, still whole. Right: the same numbers in heads. "
        "The right way colours whole columns; each head gets a part of every token.",
        num_heads=num_heads,
    )
    figure, axes = new_figure(
        7.2, height, len(splits), num_heads + 1, caption=caption, squeeze=False,
        width_ratios=[d_model] + [d_model / num_heads] * num_heads,
    )  # fmt: skip
    for line, (name, split) in zip(axes, splits.items(), strict=True):
        head_of = {value: h for h, part in enumerate(split) for value in part.ravel()}
        _coloured(line[0], X, head_of, say(name))
        for h, part in enumerate(split):
            _coloured(line[h + 1], part, head_of, say("head {h}", h=h))
        line[0].set_yticks(range(n), [say("token {i}", i=i) for i in range(n)])
        for panel in line[1:]:
            panel.set_yticks([])
    return figure


def _coloured(axes, values, head_of, title):
    colours = [[to_rgb(_HEAD_COLOURS[head_of[v]]) for v in row] for row in values]
    axes.imshow(np.array(colours), aspect="equal")
    for (i, j), value in np.ndenumerate(values):
        ink = text_colour_on(colours[i][j])
        axes.text(j, i, f"{value:02.0f}", ha="center", va="center", fontsize=9, color=ink)
    axes.set_xticks(np.arange(values.shape[1] + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(values.shape[0] + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=1.5)
    axes.tick_params(which="both", length=0)
    axes.set_xticks([])
    axes.spines[:].set_visible(False)
    axes.set_title(title, fontweight="bold")


@style()
def seed_dots(results):
    """One number for each seed and model, as dots on a line, with their mean.

    Args:
        results: {name of the model: (seeds,) shares of sentences with both answers right}, from top
            to bottom.

    Returns:
        CourseFigure.
    """
    results = {name: as_numbers(v, name, 1) for name, v in results.items()}
    means = ", ".join(f"{say(name)}: {v.mean():.2f}" for name, v in results.items())
    caption = say("A dot for each seed, a bar at their mean. {means}.", means=means)
    figure, axes = new_figure(7.2, 0.85 + 0.46 * len(results), caption=caption)
    for line, values in enumerate(results.values()):
        spread = line + np.linspace(-0.17, 0.17, len(values))
        axes.scatter(
            values, spread, s=42, color=COLOURS["blue"], alpha=0.75, zorder=3, clip_on=False
        )
        axes.plot([values.mean()] * 2, [line - 0.3, line + 0.3], color=COLOURS["vermillion"])
        axes.annotate(
            f"{values.mean():.2f}", (1.03, line), va="center", fontweight="bold",
            color=darker(COLOURS["vermillion"]), annotation_clip=False,
        )  # fmt: skip
    axes.set(
        xlim=(0, 1),
        ylim=(len(results) - 0.5, -0.5),
        xlabel=say("sentences with both answers right"),
    )
    axes.set_yticks(range(len(results)), [say(name) for name in results])
    axes.grid(axis="x")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure


@style()
def seed_tables(values, rows, columns, seeds, caption):
    """A small table of shares for each seed, side by side.

    Args:
        values: (seeds, rows, columns) shares from 0 to 1.
        rows: names of the rows.
        columns: names of the columns.
        seeds: the seeds, for the titles.
        caption: what to see.

    Returns:
        CourseFigure.
    """
    values = as_numbers(values, "values", 3)
    rows = as_labels(rows, "rows", values.shape[1], "row")
    columns = as_labels(columns, "columns", values.shape[2], "column")
    seeds = as_labels(seeds, "seeds", len(values), "table")
    figure, axes = new_figure(
        7.2, 1.15 + 0.36 * len(rows), 1, len(values), sharey=True, squeeze=False, caption=caption
    )
    for panel, table, seed in zip(axes[0], values, seeds, strict=True):
        panel.imshow(table, cmap=WEIGHT_MAP, vmin=0, vmax=1, aspect="auto")
        for (i, j), value in np.ndenumerate(table):
            ink = text_colour_on(WEIGHT_MAP(value))
            panel.text(j, i, f"{value:.2f}", ha="center", va="center", fontsize=9.5, color=ink)
        panel.set_title(say("seed {seed}", seed=seed), fontweight="bold")
        panel.set_xticks(range(len(columns)), columns)
        panel.set_yticks(range(len(rows)), rows)
        panel.tick_params(length=0)
    return figure


def weights_of_heads(weights, questions, seeds):
    """How much of its weight each head gives to each answer, one table a seed.

    Args:
        weights: (seeds, num_heads, questions) mean weights.
        questions: names of the questions.
        seeds: the seeds.

    Returns:
        CourseFigure.
    """
    heads = [say("head {h}", h=h) for h in range(np.shape(weights)[1])]
    caption = say(
        "Mean weight from the row that is asked to the word that answers, over unseen sentences. "
        "A dark cell: this head looks at this answer."
    )
    return seed_tables(weights, heads, map(say, questions), seeds, caption)


def without_each_head(complete, without, questions, seeds):
    """Share of right answers with all heads, and with each head silenced in turn.

    Args:
        complete: (seeds, questions) shares with all heads.
        without: (num_heads, seeds, questions) shares with one head's output set to zero.
        questions: names of the questions.
        seeds: the seeds.

    Returns:
        CourseFigure.
    """
    table = np.concatenate([np.asarray(complete)[None], np.asarray(without)]).swapaxes(0, 1)
    rows = [say("all heads"), *(say("without head {h}", h=h) for h in range(len(without)))]
    caption = say(
        "Share of unseen sentences in which each question is answered rightly. First row: the "
        "whole model. Below: one head's output set to zero, nothing trained again."
    )
    return seed_tables(table, rows, map(say, questions), seeds, caption)


def growth_with_heads(num_heads, measured):
    """What more heads multiply, on logarithmic axes.

    Args:
        num_heads: (k,) numbers of heads, the first being 1.
        measured: {what: (k,) amounts}; each is shown as a multiple of its first.

    Returns:
        CourseFigure.
    """
    num_heads = as_numbers(num_heads, "num_heads", 1)
    series = {name: as_numbers(v, name, 1) for name, v in measured.items()}
    return curves(
        num_heads,
        {say(name): values / values[0] for name, values in series.items()},
        xlabel=say("number of heads"),
        ylabel=say("times what one head needs"),
        log_x=True,
        log_y=True,
        title=say("What more heads multiply"),
        caption=say(
            "Each amount as a multiple of what one head needs, at the same d_model, on "
            "logarithmic axes. The time depends on the machine; the rest does not."
        ),
    )
