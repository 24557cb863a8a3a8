"""Who learns, how fast, and what becomes of the scores meanwhile."""

import numpy as np

from helpers.figures.base import COLOURS, QUIET_INK, new_figure, style
from helpers.figures.charts import bars
from helpers.lessons.lesson05.figures._panels import looks, name_above, quiet


@style()
def learning_curves(runs, chance=0.125):
    """Share of right answers against the step: one panel a d_k, one thin line a seed.

    Args:
        runs: sequence of objects with name, d_k and accuracy (one number a step).
        chance: float, what guessing reaches.

    Returns:
        CourseFigure.
    """
    names = list(dict.fromkeys(run.name for run in runs))
    dimensions = list(dict.fromkeys(run.d_k for run in runs))
    look = looks(names)
    caption = (
        "Right answers while training, one thin line a seed. A line ends when 95 % are right, or "
        "after the last step. Dashed: guessing."
    )
    figure, panels = new_figure(
        7.2, 3.2, 1, len(dimensions), caption=caption, sharex=True, sharey=True, squeeze=False
    )
    for axes, d_k in zip(panels[0], dimensions, strict=True):
        for name in names:
            for k, run in enumerate(r for r in runs if (r.name, r.d_k) == (name, d_k)):
                steps = np.arange(1, len(run.accuracy) + 1)
                axes.plot(
                    steps, run.accuracy, color=look[name]["color"], linewidth=0.9,
                    label=None if k else name,
                )  # fmt: skip
        axes.axhline(chance, color=QUIET_INK, linestyle=(0, (4, 3)), linewidth=1)
        axes.set_xlabel("step")
        axes.set_title(f"d_k = {d_k}", fontweight="bold", pad=24)
        quiet(axes)
    panels[0, 0].set(xlim=(0, max(len(run.accuracy) for run in runs)), ylim=(0, 1.02))
    name_above(panels[0, 0], "right answers")
    legend = figure.legend(
        *panels[0, 0].get_legend_handles_labels(), loc="outside lower left", ncols=5
    )
    for line in legend.get_lines():
        line.set_linewidth(2.5)
    return figure


@style()
def steps_needed(runs, limit):
    """Steps until 95 % are right, one dot a seed; what never got there sits on the upper edge.

    Args:
        runs: sequence of objects with name, d_k and solved_after (int or None).
        limit: int, the number of steps after which training ended.

    Returns:
        CourseFigure.
    """
    names = list(dict.fromkeys(run.name for run in runs))
    dimensions = list(dict.fromkeys(run.d_k for run in runs))
    look = looks(names)
    caption = (
        f"Steps until 95 % of the answers are right, one mark a seed. In the grey band: not within "
        f"{limit} steps. The line joins the medians."
    )
    figure, axes = new_figure(7.2, 3.8, caption=caption)
    never = limit * 1.35
    axes.axhspan(limit * 1.08, limit * 1.7, color="#e9edf2", zorder=0)
    for k, name in enumerate(names):
        places = np.arange(len(dimensions)) + (k - (len(names) - 1) / 2) * 0.2
        medians = []
        for place, d_k in zip(places, dimensions, strict=True):
            steps = [r.solved_after for r in runs if (r.name, r.d_k) == (name, d_k)]
            heights = [never if s is None else s for s in steps]
            jitter = (np.arange(len(heights)) - (len(heights) - 1) / 2) * 0.03
            axes.plot(
                place + jitter, heights, look[name]["marker"], color=look[name]["color"],
                markersize=5.5, label=None if medians else name,
            )  # fmt: skip
            medians.append(np.median(heights))
        axes.plot(places, medians, color=look[name]["color"], linewidth=1.2, alpha=0.6)
    axes.set_yscale("log")
    ticks = [t for t in (10, 30, 100, 300, 1000) if t <= limit]
    axes.set_yticks([*ticks, never], [*map(str, ticks), "never"])
    axes.minorticks_off()
    axes.set_ylim(8, limit * 1.7)
    axes.set_xticks(np.arange(len(dimensions)), [str(d) for d in dimensions])
    axes.set_xlabel("d_k")
    name_above(axes, "steps until 95 % are right")
    quiet(axes)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower left", ncols=5)
    return figure


def agreement_of_batches(cosines, d_ks):
    """How alike the gradients of two batches are before training, as bars.

    Args:
        cosines: dict divisor -> (m,) numbers from -1 to 1.
        d_ks: (m,) ints, what the numbers of a divisor belong to.

    Returns:
        CourseFigure.
    """
    lowest = min((values[-1], name) for name, values in cosines.items())
    return bars(
        cosines,
        [f"d_k = {d_k}" for d_k in d_ks],
        xlabel="cosine between the gradients of two batches",
        caption="Mean cosine between the gradients that two batches send to W_Q, before training. "
        f"At d_k = {d_ks[-1]} it is lowest for “{lowest[1]}”: {lowest[0]:.2f}.",
    )


@style()
def spread_in_training(run):
    """How the scores of one run spread while it learns, and where its weights go.

    Args:
        run: object with d_k, spread and right_weight (one number a step).

    Returns:
        CourseFigure with two panels.
    """
    caption = (
        f"One run at d_k = {run.d_k}, divided by √d_k. Left: the standard deviation of its scores, "
        f"{run.spread[0]:.2f} at the start and {run.spread[-1]:.2f} at the end. Right: the mean "
        "weight on the fact that holds the answer."
    )
    figure, panels = new_figure(7.2, 2.9, 1, 2, caption=caption)
    steps = np.arange(1, len(run.spread) + 1)
    for axes, values, name, colour in (
        (panels[0], run.spread, "standard deviation of the scores", "blue"),
        (panels[1], run.right_weight, "weight on the right fact", "green"),
    ):
        axes.plot(steps, values, color=COLOURS[colour])
        axes.set(xlabel="step", xlim=(0, None), ylim=(0, 1.08 * max(values)))
        name_above(axes, name)
        quiet(axes)
    panels[0].axhline(1, color=QUIET_INK, linestyle=(0, (4, 3)), linewidth=1.2)
    return figure
