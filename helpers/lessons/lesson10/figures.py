"""Pictures of lesson 10: what next-word training does to the weights, and what changes undo."""

import numpy as np

from helpers.figures.base import COLOURS, QUIET_INK, as_numbers, new_figure, style
from helpers.figures.charts import curves
from helpers.language import say


@style()
def learning_curve(steps, loss, weight, accuracy=None):
    """The loss, and what the pronoun gives to its antecedent, while training goes on.

    Args:
        steps: (points,) numbers.
        loss: (points,) or (seeds, points) numbers.
        weight: (points,) or (seeds, points) numbers, from 0 to 1.
        accuracy: like weight: the share of right words after the pronoun; None to leave it out.

    Returns:
        CourseFigure with two panels.
    """
    weight = np.atleast_2d(as_numbers(weight, "weight", (1, 2)))
    caption = say(
        "Left: the loss of the next word falls. Right: meanwhile the weight from the pronoun to "
        "the character it stands for goes from {start:.2f} to {end:.2f}, though nothing in the "
        "loss asks for it.",
        start=weight[:, 0].mean(),
        end=weight[:, -1].mean(),
    )
    figure, (left, right) = new_figure(7.2, 3.2, 1, 2, caption=caption)
    step, share = say("training step"), say("share")
    curves(steps, {say("loss"): loss}, xlabel=step, ylabel=say("loss"), axes=left)
    shares = {} if accuracy is None else {say("right"): accuracy}
    shares[say("weight")] = weight
    curves(steps, shares, xlabel=step, ylabel=share, ylim=(-0.02, 1.05), axes=right)
    return figure


@style()
def compare_models(groups):
    """Right answers and weights of several kinds of models, one dot a seed.

    Args:
        groups: {name: list of evaluations with `accuracy`, `weight` and `rival_weight`}.

    Returns:
        CourseFigure with one row a measure and kind.
    """
    measures = (
        ("accuracy", say("right word after the pronoun")),
        ("weight", say("weight on the antecedent")),
        ("rival_weight", say("weight on the rival")),
    )
    colours = (COLOURS["blue"], COLOURS["orange"], COLOURS["green"], COLOURS["purple"])
    figure, axes = new_figure(7.2, 0.8 + 0.36 * len(measures) * (len(groups) + 0.4))
    ticks, labels, parts = [], [], []
    for m, (attribute, text) in enumerate(measures):
        for g, (name, evaluations) in enumerate(groups.items()):
            place = m * (len(groups) + 0.6) + g
            values = np.array([getattr(e, attribute) for e in evaluations])
            axes.plot([0, 1], [place, place], color="#e4e7ec", linewidth=1, zorder=0)
            axes.scatter(values, np.full(len(values), place), s=60, color=colours[g], alpha=0.75)
            axes.text(1.06, place, f"{np.nanmean(values):.2f}", va="center")
            ticks.append(place)
            labels.append(f"{text}: {say(name)}")
            parts.append(f"{text}, {say(name)}: {np.nanmean(values):.2f}")
    axes.set_yticks(ticks, labels)
    axes.invert_yaxis()
    axes.set_xlim(-0.03, 1.16)
    axes.set_xlabel(say("share, one dot a seed; the number is their mean"), color=QUIET_INK)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    figure.caption = say("One dot a seed. Means: {means}.", means="; ".join(parts))
    return figure


@style()
def interventions(groups):
    """What changing the sentence does to the weight and to the answer.

    Args:
        groups: {what was done: intervention, or a list of them, with `weights`, `kept` and
            `followed`}.

    Returns:
        CourseFigure with one group of bars a change.
    """
    figure, axes = new_figure(7.2, 0.9 + 0.75 * len(groups))
    series = (
        ("weight", say("weight on the antecedent's place"), COLOURS["blue"], ""),
        ("kept", say("answer: verb of the original character"), COLOURS["sky"], "////"),
        ("followed", say("answer: verb of whoever stands there now"), COLOURS["orange"], "..."),
    )
    parts = []
    for row, (name, found) in enumerate(groups.items()):
        found = found if isinstance(found, list) else [found]
        values = {
            "weight": np.mean([np.mean(one.weights) for one in found]),
            "kept": np.mean([one.kept for one in found]),
            "followed": np.mean([one.followed for one in found]),
        }
        for k, (key, text, colour, hatch) in enumerate(series):
            value = values[key]
            if np.isnan(value):
                continue
            axes.barh(
                row + 0.26 * (k - 1), value, height=0.24, color=colour, hatch=hatch,
                edgecolor="white", linewidth=0, label=text if row == 0 else None,
            )  # fmt: skip
            axes.text(value + 0.01, row + 0.26 * (k - 1), f"{value:.2f}", va="center", fontsize=9)
        told = say(
            "{change}: weight {weight:.2f}, original verb {kept:.2f}",
            change=say(name),
            weight=values["weight"],
            kept=values["kept"],
        )
        parts.append(told)
    axes.set_yticks(range(len(groups)), [say(name) for name in groups])
    axes.invert_yaxis()
    axes.set_xlim(0, 1.12)
    axes.set_xlabel(say("share"), color=QUIET_INK)
    axes.tick_params(axis="y", length=0)
    figure.legend(loc="outside lower left", ncols=1)
    figure.caption = say("What each change does. {found}.", found="; ".join(parts))
    return figure
