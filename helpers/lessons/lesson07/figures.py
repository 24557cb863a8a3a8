"""Pictures of lesson 07: what attention costs as the text grows, and the running softmax."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from helpers.figures.base import (
    COLOURS,
    QUIET_INK,
    CourseFigure,
    as_labels,
    as_numbers,
    darker,
    new_figure,
    style,
)
from helpers.figures.charts import curves
from helpers.figures.tables import grid_of_numbers
from helpers.language import say, together
from helpers.sentences import known_gloss

_PREFIXES = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB")


def bytes_text(amount: float) -> str:
    """An amount of memory in words, such as "64 MiB".

    Args:
        amount: bytes, at least 0.
    """
    power = 0 if amount < 1 else min(int(math.log2(amount) // 10), len(_PREFIXES) - 1)
    value = amount / 2 ** (10 * power)
    return f"{value:.3g} {_PREFIXES[power]}" if value < 1000 else f"{value:,.0f} {_PREFIXES[power]}"


@style()
def two_bills(
    sizes: Sequence[int],
    projections: Sequence[float],
    pairs: Sequence[float],
    counted: Sequence[float],
    d_model: int,
) -> CourseFigure:
    """Operations of a layer against its length: the two bills, and their sum as counted.

    Args:
        sizes: (m,) numbers of tokens.
        projections: (m,) operations predicted for the products with W.
        pairs: (m,) operations predicted for the products between tokens.
        counted: (m,) operations counted while the layer ran.
        d_model: int, width of a token.

    Returns:
        CourseFigure, logarithmic both ways; a line marks n = 2 · d_model.
    """
    counted = as_numbers(counted, "counted", 1)
    figure = curves(
        sizes,
        {say("projections"): projections, say("pairs"): pairs},
        xlabel=say("n, the number of tokens"),
        ylabel=say("operations in matrix products"),
        log_x=True,
        log_y=True,
        markers=False,
        height_in=3.9,
        caption=say(
            "Lines: predicted. Dots: both together, counted while the layer ran. Where the lines "
            "cross, at n = 2 · d_model = {crossing}, each of the two takes half.",
            crossing=2 * d_model,
        ),
    )
    axes = figure.axes[0]
    axes.plot(sizes, counted, "o", color=COLOURS["black"], markersize=5, zorder=4)
    axes.axvline(2 * d_model, color=QUIET_INK, linestyle=(0, (4, 3)), linewidth=1.2)
    axes.text(
        2 * d_model * 0.93, axes.get_ylim()[1], "2 · d_model", color=QUIET_INK, ha="right", va="top"
    )
    return figure


def against_length(
    sizes: Sequence[int],
    series: Mapping[str, Sequence[float]],
    quantity: str,
    references: Mapping[str, Sequence[float]] | None = None,
    note: str = "",
) -> CourseFigure:
    """Time or memory against the length, one line a way of computing it.

    Args:
        sizes: (m,) numbers of tokens.
        series: {name: (m,) seconds or bytes}; NaN leaves a gap.
        quantity: "time" or "memory".
        references: {name: (m,) seconds or bytes} of thin dashed lines.
        note: a sentence about this run, put before the caption.

    Returns:
        CourseFigure, logarithmic both ways, in milliseconds or MiB.

    Raises:
        ValueError: if the quantity is another one.
    """
    units = {
        "time": (1e3, say("milliseconds")),
        "memory": (2.0**-20, say("MiB at the worst moment")),
    }
    if quantity not in units:
        raise ValueError(
            say("quantity must be 'time' or 'memory', got {quantity!r}.", quantity=quantity)
        )
    scale, unit = units[quantity]
    caption = {
        "time": say(
            "Both axes grow by factors: a straight line is a power of n, and the steeper the "
            "higher the power. One thread each."
        ),
        "memory": say(
            "What was really allocated, above the input. A line of slope 2 grows with the table, "
            "one of slope 1 with the text."
        ),
    }[quantity]
    return curves(
        sizes,
        {say(name): scale * as_numbers(v, name, 1) for name, v in series.items()},
        xlabel=say("n, the number of tokens"),
        ylabel=unit,
        log_x=True,
        log_y=True,
        references={say(n): scale * as_numbers(v, n, 1) for n, v in (references or {}).items()},
        height_in=3.9,
        caption=together(note, caption),
    )


def slope_table(slopes: Mapping[str, Sequence[float]], ranges: Sequence[str]) -> CourseFigure:
    """Slopes on logarithmic axes, one row a way of computing, one column a range of n.

    Args:
        slopes: {name: (k,) slopes}; NaN where there are too few points.
        ranges: k strings.

    Returns:
        CourseFigure.
    """
    ranges = as_labels(ranges, "ranges", len(next(iter(slopes.values()))), say("column"))
    return grid_of_numbers(
        list(slopes.values()),
        [say(name) for name in slopes],
        ranges,
        column_name=say("slope for n from … to …"),
        signed=False,
        vmax=3,
        digits=2,
        caption=say(
            "Slopes of the lines above, fitted by range. Slope 1: twice the length, twice as "
            "much. Slope 2: four times as much."
        ),
    )


@style()
def running_row(
    scores: np.ndarray | Sequence[float], tokens: Sequence[str], block_size: int, blocks: int
) -> CourseFigure:
    """One row of scores while the keys pass by in blocks: what has been added up so far.

    Args:
        scores: (n,) numbers, the row.
        tokens: n strings, the keys.
        block_size: int, keys in a block.
        blocks: int, how many blocks have passed; after the last key, the last block counts.

    Returns:
        CourseFigure: exp(score - largest so far) of each key seen; the total as a sentence.

    Raises:
        ValueError: if block_size or blocks is below 1.
    """
    scores = as_numbers(scores, "scores", 1)
    tokens = as_labels(tokens, "tokens", len(scores), say("score"))
    if block_size < 1 or blocks < 1:
        raise ValueError(
            say(
                "block_size and blocks must be at least 1, got {block_size}, {blocks}.",
                block_size=block_size,
                blocks=blocks,
            )
        )
    blocks = min(blocks, -(-len(scores) // block_size))
    seen, earlier = min(blocks * block_size, len(scores)), (blocks - 1) * block_size
    largest = scores[:seen].max()
    before = scores[:earlier].max() if earlier else -math.inf
    exponentials = np.exp(scores[:seen] - largest)
    shrink = math.exp(before - largest)
    if not earlier:
        change = say("It is the first, so there was nothing to shrink.")
    elif shrink < 1:
        change = say(
            "It brought a larger score, so the old total was first multiplied by "
            "exp({before:.1f} − {largest:.1f}) = {shrink:.3f}.",
            before=before,
            largest=largest,
            shrink=shrink,
        )
    else:
        change = say("It brought no larger score, so the old total was kept as it is.")
    state = say(
        "Blocks passed: {blocks}. Largest score so far {largest:.1f}, total so far {total:.3f}.",
        blocks=blocks,
        largest=largest,
        total=exponentials.sum(),
    )
    caption = together(state, say("Orange: the newest block."), change)
    figure, axes = new_figure(7.2, 3.0, caption=caption)
    places = np.arange(len(scores))
    colours = [COLOURS["blue"]] * earlier + [COLOURS["orange"]] * (seen - earlier)
    axes.bar(places[:seen], exponentials, color=colours, width=0.72)
    for place in range(len(scores)):
        text = f"{exponentials[place]:.3f}" if place < seen else say("not yet")
        height = exponentials[place] if place < seen else 0.0
        axes.annotate(
            text, (place, height), (0, 4), textcoords="offset points", ha="center", fontsize=9.5,
            color=darker(colours[place], 0.6) if place < seen else QUIET_INK,
        )  # fmt: skip
    for edge in range(block_size, len(scores), block_size):
        axes.axvline(edge - 0.5, color=QUIET_INK, linewidth=0.9, linestyle=(0, (4, 3)))
    scored = zip(tokens, scores, strict=True)
    labels = [f"{token}\n{known_gloss(token)}\n{score:.1f}" for token, score in scored]
    axes.set_xticks(places, [label.replace("-", "−") for label in labels])
    axes.tick_params(length=0)
    axes.set_xlim(-0.6, len(scores) - 0.4)
    axes.set_ylim(0, 1.16)
    axes.set_xlabel(say("keys in blocks, and their scores"))
    axes.set_ylabel(say("exp(score − largest so far)"), rotation=0, ha="left", va="bottom")
    axes.yaxis.set_label_coords(0, 1.02)
    return figure


@style()
def memory_bars(needs: Mapping[str, float], machines: Mapping[str, int], said: str) -> CourseFigure:
    """What a model's attention needs in memory, beside the memory of some machines.

    Args:
        needs: {what: bytes}.
        machines: {name: bytes}, at least two, rising; marked by lines.
        said: what model and length these are, a sentence.

    Returns:
        CourseFigure with a logarithmic axis of bytes.
    """
    amounts = as_numbers(list(needs.values()), "needs", 1)
    largest = max(*amounts, *machines.values())
    marks = ", ".join(f"{name} {bytes_text(size)}" for name, size in machines.items())
    caption = together(
        said,
        say("The axis grows by factors of 1024."),
        say("Dashed: the memory of a typical machine of each kind ({marks}).", marks=marks),
    )
    figure, axes = new_figure(7.2, 1.25 + 0.42 * len(needs), caption=caption)
    rows = np.arange(len(needs))
    low = 2.0**10
    colours = [COLOURS["vermillion"], COLOURS["green"], COLOURS["blue"], COLOURS["purple"]]
    axes.set_xscale("log", base=2)
    axes.barh(rows, np.maximum(amounts - low, 0), left=low, color=colours, height=0.62)
    for row, amount in zip(rows, amounts, strict=True):
        axes.annotate(
            bytes_text(amount), (max(amount, low), row), (5, 0), textcoords="offset points",
            va="center", bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.2},
        )  # fmt: skip
    sides = ["right", *["center"] * (len(machines) - 2), "left"]
    for (name, size), side in zip(machines.items(), sides, strict=True):
        axes.axvline(size, color=QUIET_INK, linestyle=(0, (4, 3)), linewidth=1.2, zorder=0)
        axes.annotate(
            name, (size, 1), (0, 3), xycoords=("data", "axes fraction"),
            textcoords="offset points", ha=side, va="bottom", color=QUIET_INK,
        )  # fmt: skip
    ticks = [2.0 ** (10 * power) for power in range(1, 6)]
    axes.set_xlim(low, max(2.0**50, largest * 64))
    axes.set_xticks(ticks, [f"1 {_PREFIXES[p]}" for p in range(1, 6)])
    axes.minorticks_off()
    axes.set_yticks(rows, list(needs))
    axes.tick_params(length=0)
    axes.set_ylim(len(needs) - 0.5, -0.5)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")
    return figure
