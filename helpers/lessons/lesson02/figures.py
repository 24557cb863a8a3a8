"""Pictures of lesson 02: books on a plane, a query, and how much each book gives."""

import numpy as np

from helpers.figures.base import (
    COLOURS,
    QUIET_INK,
    RULE,
    as_labels,
    as_numbers,
    darker,
    new_figure,
    style,
)
from helpers.language import say


@style()
def library_plane(keys, query, weights, titles, directions=("", "", "", "")):
    """Keys as points on a plane, the query as an arrow, each point's area its weight.

    Args:
        keys: (n, 2) numbers, one point a book.
        query: (2,) numbers, the tip of the arrow.
        weights: (n,) shares that add up to 1.
        titles: n strings.
        directions: four strings: what lies left, right, below and above.

    Returns:
        CourseFigure.

    Raises:
        ValueError: if the numbers of keys, weights and titles differ.
    """
    keys, query = as_numbers(keys, "keys", 2), as_numbers(query, "query", 1)
    weights = as_numbers(weights, "weights", 1)
    titles = as_labels(titles, "titles", len(keys), "key")
    if len(weights) != len(keys):
        raise ValueError(
            say(
                "weights must hold one share a key: {n}, got {got}.",
                n=len(keys),
                got=len(weights),
            )
        )
    best = int(weights.argmax())
    caption = say(
        "The arrow is the query. Each book's disc grows with its weight: "
        "{book} gets the most, {weight:.2f}.",
        book=titles[best],
        weight=weights[best],
    )
    figure, axes = new_figure(6.0, 5.2, caption=caption)
    left, right, below, above = directions
    axes.axhline(0, color=RULE, zorder=0)
    axes.axvline(0, color=RULE, zorder=0)
    axes.scatter(*keys.T, s=40 + 3000 * weights, color=COLOURS["sky"], alpha=0.45, zorder=1)
    axes.scatter(*keys.T, s=26, color=COLOURS["blue"], zorder=3)
    for key, title, weight in zip(keys, titles, weights, strict=True):
        axes.annotate(
            f"{title} {weight:.2f}", key, (0, 9), textcoords="offset points", ha="center", zorder=4
        )
    axes.annotate(
        "",
        query,
        (0, 0),
        arrowprops={"arrowstyle": "-|>", "color": COLOURS["vermillion"], "linewidth": 2.2},
        zorder=5,
    )
    axes.annotate(
        say("query"), query, (0, -14), textcoords="offset points", ha="center",
        color=darker(COLOURS["vermillion"]), zorder=5,
    )  # fmt: skip
    reach = 1.15 * max(np.abs(keys).max(), np.abs(query).max(), 1.0)
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xticks=[], yticks=[])
    axes.set_xlabel(f"← {left}          {right} →", color=QUIET_INK)
    axes.set_ylabel(f"← {below}          {above} →", color=QUIET_INK)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    return figure
