"""Pictures of lesson 08: a sentence in two orders, waves that mark places, who hits."""

import math

import numpy as np

from helpers.figures.base import (
    COLOURS,
    INK,
    QUIET_INK,
    SIGNED_MAP,
    as_labels,
    as_numbers,
    darker,
    new_figure,
    style,
    text_width,
)
from helpers.figures.cells import MARK, colour_bar, colour_scale, draw_cells, frame_row
from helpers.figures.charts import curves
from helpers.figures.labels import label_height, overlap, with_gloss
from helpers.figures.maps import columns_are_seen, rows_look
from helpers.figures.tables import grid_of_numbers
from helpers.language import say

_ONE_OF_TWO = math.log(2)  # the loss of a guess between two
_CHANCE = 0.5  # right without knowing the order
_WAVES = (0, 2, 4, 6)  # columns that are drawn as curves


@style()
def two_orders(weights, shuffled, tokens, order, *, follow=0):
    """The attention map of a sentence, and beside it that of the same words in another order.

    Args:
        weights: (n, n) weights of the sentence.
        shuffled: (n, n) weights of the words in the other order.
        tokens: n labels, in the sentence's order.
        order: n whole numbers; place i of the other order holds the token `order[i]`.
        follow: index of the token whose row is framed in both maps.

    Returns:
        A CourseFigure.

    Raises:
        ValueError: if a shape does not fit, or order does not hold each place once.
    """
    maps = [as_numbers(weights, "weights", 2), as_numbers(shuffled, "shuffled", 2)]
    n = len(maps[0])
    tokens = with_gloss(as_labels(tokens, "tokens", n, say("row of weights")))
    order = _checked_order(order, n)
    for name, values in zip(("weights", "shuffled"), maps, strict=True):
        if values.shape != (n, n):
            raise ValueError(
                say(
                    "{name} must have the shape {shape}, got {got}.",
                    name=name, shape=(n, n), got=values.shape,
                )
            )  # fmt: skip
    cmap, norm, name = colour_scale(np.stack(maps), False, 1.0, None)
    side = max(text_width(token, 10) for token in tokens)
    cell = min(0.34, (7.2 - 2 * side - 1.2) / (2 * n))
    head = 0.75 + label_height(tokens, cell, 10)
    figure, axes = new_figure(7.2, cell * n + head + 0.2, 1, 2)
    sideways = 90 if overlap(tokens, cell, 10) else 0
    labels = [tokens, [tokens[i] for i in order]]
    for ax, values, names, title in zip(
        axes, maps, labels, (say("as it was"), say("shuffled")), strict=True
    ):
        hidden = np.zeros((n, n), dtype=bool)
        draw_cells(ax, values, hidden, cmap, norm, None, weights_only=True)
        ax.set_aspect("equal")
        ax.set_title(title, fontsize=10.5, fontweight="bold", pad=6)
        ax.xaxis.tick_top()
        ax.xaxis.set_label_position("top")
        ax.set_xticks(range(n), names, rotation=sideways)
        ax.set_yticks(range(n), names)
        ax.tick_params(length=0, pad=3, labelsize=10)
        ax.set_xlabel(columns_are_seen(), color=QUIET_INK, fontsize=9.5, loc="left")
        row = names.index(tokens[follow])
        frame_row(ax, row, n)
        ax.get_yticklabels()[row].set(color=darker(MARK), fontweight="bold")
    axes[0].set_ylabel(rows_look(), color=QUIET_INK, fontsize=9.5)
    colour_bar(figure, axes, cmap, norm, name)
    best = tokens[int(maps[0][follow].argmax())]
    other = labels[1][int(maps[1][labels[1].index(tokens[follow])].argmax())]
    figure.caption = say(
        "The same words in two orders, each with its attention map. The framed row is that of "
        "{row}. It looks most at {left} on the left, at {right} on the right.",
        row=tokens[follow], left=best, right=other,
    )  # fmt: skip
    return figure


def row_gaps(gaps, words):
    """How far each word's new vector moves when two words of the sentence change places.

    Args:
        gaps: {name of the model: (n,) numbers, at least 0}.
        words: n labels.

    Returns:
        A CourseFigure: one row a model, one column a word.

    Raises:
        ValueError: if the numbers of gaps and words differ.
    """
    table = np.stack([as_numbers(row, name, 1) for name, row in gaps.items()])
    return grid_of_numbers(
        table, list(gaps), words, signed=False, digits=2,
        row_name=say("model"), column_name=say("word"),
        caption=say(
            "How far the new vector of each word moves when the two people change places. 0.00 "
            "means that this word's vector does not know which sentence it stands in."
        ),
    )  # fmt: skip


@style()
def solved(results):
    """How often several models are right: one dot a seed, one line a kind of model.

    Args:
        results: {what sets a model apart: (seeds,) shares from 0 to 1}.

    Returns:
        A CourseFigure.

    Raises:
        ValueError: if there are no results, or one is not a share.
    """
    if not results:
        raise ValueError(say("results must hold at least one kind of model."))
    shares = {name: as_numbers(values, name, 1) for name, values in results.items()}
    for name, values in shares.items():
        if values.min() < 0 or values.max() > 1:
            raise ValueError(
                say("{name} must hold shares from 0 to 1, got {got}.", name=repr(name), got=values)
            )
    figure, ax = new_figure(7.2, 0.42 * len(shares) + 1.0)
    for line, values in enumerate(shares.values()):
        good = values.mean() > (1 + _CHANCE) / 2
        spread = np.linspace(-0.2, 0.2, len(values)) if len(values) > 1 else 0
        ax.scatter(
            values, line + spread, s=34, color=COLOURS["blue" if good else "vermillion"],
            marker="o" if good else "s", edgecolor="white", linewidth=0.6, zorder=3,
        )  # fmt: skip
    ax.axvline(_CHANCE, color=QUIET_INK, linestyle=(0, (4, 3)), linewidth=1.2)
    ax.annotate(
        say("knows the two, not the order"), (_CHANCE, 1), (0, 4),
        xycoords=("data", "axes fraction"),
        textcoords="offset points", ha="center", fontsize=9.5, color=QUIET_INK,
    )  # fmt: skip
    ax.set_yticks(range(len(shares)), list(shares))
    ax.set(
        xlim=(0, 1.03), ylim=(len(shares) - 0.5, -0.5), xlabel=say("right on new pairs of people")
    )
    ax.tick_params(length=0)
    ax.grid(axis="x")
    for edge in np.arange(0.5, len(shares) - 1):
        ax.axhline(edge, color="#e4e7ec", linewidth=0.7)
    ax.spines[["left", "bottom"]].set_visible(False)
    blind = [name for name, values in shares.items() if values.mean() <= (1 + _CHANCE) / 2]
    figure.caption = say(
        "One dot a seed. {solved} of {all} kinds of model tell who hits (blue dots); the others "
        "(red squares) stay at the dashed line or below.",
        solved=len(shares) - len(blind), all=len(shares),
    )  # fmt: skip
    return figure


def learning(losses):
    """The loss during training, for several strengths of the positions.

    Args:
        losses: {strength: (seeds, steps) numbers}.

    Returns:
        A CourseFigure.

    Raises:
        ValueError: if the losses differ in the number of steps.
    """
    rows = {f"× {strength:g}": as_numbers(v, "losses", 2) for strength, v in losses.items()}
    steps = np.arange(next(iter(rows.values())).shape[1])
    return curves(
        steps, rows, xlabel=say("step of training"), ylabel=say("loss"),
        markers=False, ylim=(0, 1.5),
        references={say("two people, one guess"): _ONE_OF_TWO},
        caption=say(
            "Loss while learning who hits, positions multiplied by the number at each line. Below "
            "the dashed line a model must know the order."
        ),
    )  # fmt: skip


@style()
def waves(positions):
    """Sinusoidal positions: the whole table, and some of its columns as curves.

    Args:
        positions: (n, d_model) numbers, a row for each position.

    Returns:
        A CourseFigure.

    Raises:
        ValueError: if positions is no table, or has fewer than 7 columns.
    """
    positions = as_numbers(positions, "positions", 2)
    n, d_model = positions.shape
    if d_model <= max(_WAVES):
        raise ValueError(say("positions must have 7 columns or more, got {got}.", got=d_model))
    figure, (left, right) = new_figure(7.2, 3.5, 1, 2, width_ratios=(1, 1.25))
    picture = left.pcolormesh(positions, cmap=SIGNED_MAP, vmin=-1, vmax=1)
    left.invert_yaxis()
    left.set(xlabel=say("column"), ylabel=say("position"))
    left.set_xticks(np.arange(0, d_model, 4) + 0.5, range(0, d_model, 4))
    left.set_yticks(np.arange(0, n, 8) + 0.5, range(0, n, 8))
    bar = figure.colorbar(picture, ax=left, aspect=28, pad=0.03, ticks=(-1, 0, 1))
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0, labelsize=9, labelcolor=QUIET_INK)
    bar.ax.set_yticklabels(["−1", "0", "1"])
    for k, column in enumerate(_WAVES):
        lift = -2.6 * k
        colour = list(COLOURS.values())[k]
        right.axhline(lift, color="#e4e7ec", linewidth=0.8)
        right.plot(positions[:, column] + lift, color=colour, marker="o", markersize=3)
        right.annotate(
            say("column {k}", k=column), (n - 1, lift), (8, 0),
            textcoords="offset points", va="center",
            color=darker(colour), fontweight="bold", annotation_clip=False,
        )  # fmt: skip
    right.set(xlabel=say("position"), yticks=[])
    right.spines["left"].set_visible(False)
    for axes in (left, right):
        axes.tick_params(length=0, labelcolor=INK)
        axes.spines["bottom"].set_visible(False)
    left.spines["left"].set_visible(False)
    figure.caption = say(
        "Left: a row for each position, no two rows alike. Right: some columns as waves; the "
        "further to the right a column stands in the table, the slower its wave."
    )
    return figure


def _checked_order(order, n):
    order = [int(place) for place in order]
    if sorted(order) != list(range(n)):
        raise ValueError(
            say("order must hold each of 0 … {last} once, got {got}.", last=n - 1, got=order)
        )
    return order
