"""Pictures of lesson 01: what a state forgets, and where 他 looks."""

import numpy as np

from helpers.figures.base import (
    COLOURS,
    QUIET_INK,
    as_labels,
    as_numbers,
    darker,
    new_figure,
    style,
)
from helpers.figures.charts import bars, curves

_FLOOR = 1e-16  # below this, two float64 states of size 1 are the same


def fading(gaps, strength):
    """How far apart two states stay that differ in the first word alone.

    Args:
        gaps: {name: (n,) numbers}, the distance between the states after each word.
        strength: float, by which the recurrent matrix was multiplied.

    Returns:
        CourseFigure, logarithmic in the distance.
    """
    gaps = {name: as_numbers(gap, "gaps", 1) for name, gap in gaps.items()}
    n = len(next(iter(gaps.values())))
    ends = ", ".join(f"{name}: {_in_words(gap[-1])}" for name, gap in gaps.items())
    return curves(
        np.arange(n),
        {name: np.where(gap > _FLOOR, gap, np.nan) for name, gap in gaps.items()},
        xlabel="words read since the first one",
        ylabel="distance between the two states",
        title=f"Recurrent strength {strength:.1f}",
        log_y=True,
        ylim=(_FLOOR, 1e2),
        x_ticks=range(0, n, 10),
        markers=False,
        caption="Two readers see the same words, apart from the first. Each line shows how far "
        f"apart their states are. After the last word ({ends}).",
    )


def _in_words(gap):
    return f"{gap:.0e}" if gap > _FLOOR else "no difference left"


def reach(distances, signal):
    """How strongly the end depends on a word, against its distance, before training.

    Args:
        distances: (n,) whole numbers from 1.
        signal: {name: (n,) or (seeds, n) numbers}, relative to distance 1.

    Returns:
        CourseFigure, logarithmic on both axes.
    """
    return curves(
        distances,
        signal,
        xlabel="distance d: how many words back",
        ylabel="dependence on that word, relative to d = 1",
        log_x=True,
        log_y=True,
        caption="How strongly the last state (for attention: the last output) depends on the word "
        "d places back, in untrained layers. RNN and GRU lose it step by step, attention does not.",
    )


@style()
def one_fact(fillers, accuracy, trained_up_to, chance):
    """How often readers still know one fact, against the number of filler words after it.

    Args:
        fillers: (n,) whole numbers, growing.
        accuracy: {name: (n,) numbers from 0 to 1}.
        trained_up_to: int, the most fillers that training showed.
        chance: float, how often a guess is right.

    Returns:
        CourseFigure; the places on the x axis are evenly spaced.
    """
    fillers = as_labels(fillers, "fillers", len(fillers), "point")
    places = np.arange(len(fillers))
    figure = _curves(
        places,
        accuracy,
        xlabel="filler words between the fact and the question",
        ylabel="right answers",
        references={"guessing": chance},
        ylim=(0, 1.06),
        x_ticks=places,
        caption="One fact, then words that mean nothing, then the question. Shaded: more fillers "
        "than training ever showed.",
    )
    axes = figure.axes[0]
    axes.set_xticks(places, fillers)
    seen = sum(int(count) <= trained_up_to for count in fillers)
    axes.axvspan(seen - 0.5, len(fillers) - 0.8, color="#eef0f3", zorder=0)
    axes.set_xlim(-0.2, len(fillers) - 0.8)
    return figure


def _curves(x, accuracy, **settings):
    """Curves whose first one is broad where another one would hide it."""
    figure = curves(x, accuracy, **settings)
    first, *others = (np.asarray(values) for values in accuracy.values())
    if any(np.abs(values - first).min() < 0.02 for values in others):
        figure.axes[0].lines[0].set(linewidth=5.5, markersize=9, alpha=0.55)
    return figure


def by_number(counts, accuracy, chance):
    """How often readers are right, against how many facts a story has.

    Args:
        counts: (n,) whole numbers.
        accuracy: {name: (n,) numbers from 0 to 1}, the mean over all facts of a story.
        chance: float, how often a guess is right.

    Returns:
        CourseFigure.
    """
    return _curves(
        counts,
        accuracy,
        xlabel="facts in the story",
        ylabel="right answers, all facts together",
        references={"guessing": chance},
        ylim=(0, 1.06),
        x_ticks=counts,
        height_in=3.9,
        caption="The more facts a story has, the smaller the part of them that a state holds. "
        "The number after the name is the size of the state.",
    )


def by_distance(accuracy, chance):
    """How often readers are right about each fact of a story, against its distance.

    Args:
        accuracy: {name: (facts,) numbers from 0 to 1}, entry d for the fact d places back.
        chance: float, how often a guess is right.

    Returns:
        CourseFigure with 16 places on the x axis, however many facts there are.
    """
    accuracy = {name: as_numbers(v, "accuracy", 1) for name, v in accuracy.items()}
    facts = len(next(iter(accuracy.values())))
    spans = ", ".join(f"{name} {v.min():.2f} to {v.max():.2f}" for name, v in accuracy.items())
    figure = _curves(
        np.arange(facts),
        accuracy,
        xlabel="distance: facts told after this one",
        ylabel="right answers",
        title=f"{facts} facts in the story",
        references={"guessing": chance},
        ylim=(0, 1.06),
        x_ticks=range(16),
        height_in=3.9,
        caption=f"Left: the fact told last; right: the one told first. Right answers: {spans}.",
    )
    figure.axes[0].set_xlim(-0.4, 15.4)
    return figure


def rows_compared(rows, tokens, glosses):
    """Several attention rows over the same tokens, such as before and after training.

    Args:
        rows: {name: (n,) weights}.
        tokens: n strings.
        glosses: n strings.

    Returns:
        CourseFigure with one bar for each row and token.
    """
    tops = []
    for name, row in rows.items():
        best = int(np.argmax(row))
        looked_at = row[row > 0]
        if np.ptp(looked_at) < 0.05:
            tops.append(f"{name}: {looked_at.mean():.2f} on each of {len(looked_at)} tokens")
        else:
            tops.append(f"{name}: {row[best]:.2f} on {tokens[best]} ({glosses[best]})")
    return bars(
        rows,
        tokens,
        glosses=glosses,
        xmax=1.0,
        caption=f"The weights of one row; they add up to 1. {'; '.join(tops)}.",
    )


@style()
def padded_pairs(lengths, gaps):
    """How far apart the states of two different sentences are, against the padding after them.

    Args:
        lengths: (n,) whole numbers, padding after the sentence.
        gaps: (n,) numbers.

    Returns:
        CourseFigure.
    """
    lengths = as_labels(lengths, "lengths", len(gaps), "gap")
    gaps = as_numbers(gaps, "gaps", 1)
    caption = (
        "The same two sentences, put into batches whose longest sentence is longer and longer. "
        f"Their states are {gaps[0]:.2f} apart when alone, {gaps[-1]:.2f} in the longest batch."
    )
    figure, axes = new_figure(6.4, 2.9, caption=caption)
    places = np.arange(len(gaps))
    axes.bar(places, gaps, color=COLOURS["blue"], width=0.6)
    for place, gap in zip(places, gaps, strict=True):
        axes.annotate(
            f"{gap:.2f}", (place, gap), (0, 4), textcoords="offset points", ha="center",
            color=darker(COLOURS["blue"]),
        )  # fmt: skip
    axes.set_xticks(places, lengths)
    axes.tick_params(length=0, labelcolor=QUIET_INK)
    axes.set_ylim(0, gaps.max() * 1.18)
    axes.set_xlabel("length of the longest sentence in the batch")
    axes.set_ylabel("distance between the states", rotation=0, ha="left", va="bottom")
    axes.yaxis.set_label_coords(0, 1.02)
    axes.grid(axis="y")
    return figure
