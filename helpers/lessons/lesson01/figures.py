"""Pictures of lesson 01: what a state forgets, and where 他 looks."""

from collections.abc import Mapping, Sequence

import numpy as np

from helpers.figures import bars, curves
from helpers.figures.base import CourseFigure, as_labels, as_numbers, style
from helpers.language import say
from helpers.sentences import GLOSSES, TOKENS

_FLOOR = 1e-16  # below this, two float64 states of size 1 are the same


def row_of_he(shares: Sequence[float] | np.ndarray) -> CourseFigure:
    """How much 他 takes of each token of the running sentence: shares (10,)."""
    best = int(np.argmax(shares))
    caption = say(
        "What 他 (he) takes of each token; together 1. Most, {share:.2f}, of {token} ({gloss}).",
        share=shares[best],
        token=TOKENS[best],
        gloss=GLOSSES[best],
    )
    return bars(shares, TOKENS, glosses=GLOSSES, xmax=1, caption=caption)


def fading(gaps: Mapping[str, Sequence[float] | np.ndarray], strength: float) -> CourseFigure:
    """How far apart two states stay that differ in the first word alone.

    Args:
        gaps: {name: (n,) numbers}, the distance between the states after each word.
        strength: float, by which the recurrent matrix was multiplied.

    Returns:
        CourseFigure, logarithmic in the distance.
    """
    gaps = {say(name): as_numbers(gap, "gaps", 1) for name, gap in gaps.items()}
    n = len(next(iter(gaps.values())))
    ends = ", ".join(f"{name}: {_in_words(gap[-1])}" for name, gap in gaps.items())
    return curves(
        np.arange(n),
        {name: np.where(gap > _FLOOR, gap, np.nan) for name, gap in gaps.items()},
        xlabel=say("words read since the first one"),
        ylabel=say("distance between the two states"),
        title=say("Recurrent strength {strength:.1f}", strength=strength),
        log_y=True,
        ylim=(_FLOOR, 1e2),
        x_ticks=range(0, n, 10),
        markers=False,
        caption=say(
            "Two readers see the same words, apart from the first. Each line shows how far apart "
            "their states are. After the last word ({ends}).",
            ends=ends,
        ),
    )


def _in_words(gap):
    return f"{gap:.0e}" if gap > _FLOOR else say("no difference left")


def reach(distances: Sequence[int], signal: Mapping[str, np.ndarray]) -> CourseFigure:
    """How strongly the end depends on a word, against its distance, before training.

    Args:
        distances: (n,) whole numbers from 1.
        signal: {name: (n,) or (seeds, n) numbers}, relative to distance 1.

    Returns:
        CourseFigure, logarithmic on both axes.
    """
    return curves(
        distances,
        {say(name): values for name, values in signal.items()},
        xlabel=say("distance d: how many words back"),
        ylabel=say("dependence on that word, relative to d = 1"),
        log_x=True,
        log_y=True,
        caption=say(
            "How strongly the last state (for attention: the last output) depends on the word d "
            "places back, in untrained layers."
        ),
    )


@style()
def one_fact(
    fillers: Sequence[int],
    accuracy: Mapping[str, Sequence[float]],
    trained_up_to: int,
    chance: float,
) -> CourseFigure:
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
    figure = _right_answers(
        places,
        accuracy,
        chance,
        xlabel=say("filler words between the fact and the question"),
        x_ticks=places,
        caption=say(
            "One fact, then words that mean nothing, then the question. Shaded: more fillers than "
            "training ever showed."
        ),
    )
    axes = figure.axes[0]
    axes.set_xticks(places, fillers)
    seen = sum(int(count) <= trained_up_to for count in fillers)
    axes.axvspan(seen - 0.5, len(fillers) - 0.8, color="#eef0f3", zorder=0)
    axes.set_xlim(-0.2, len(fillers) - 0.8)
    return figure


def by_number(
    counts: Sequence[int], accuracy: Mapping[str, Sequence[float]], chance: float
) -> CourseFigure:
    """How often readers are right, against how many facts a story has.

    Args:
        counts: (n,) whole numbers.
        accuracy: {name: (n,) numbers from 0 to 1}, the mean over all facts of a story.
        chance: float, how often a guess is right.

    Returns:
        CourseFigure.
    """
    return _right_answers(
        counts,
        accuracy,
        chance,
        xlabel=say("facts in the story"),
        x_ticks=counts,
        caption=say(
            "The more facts a story has, the smaller the part of them that a state holds. The "
            "number in the name is the size of the state."
        ),
    )


def by_distance(accuracy: Mapping[str, np.ndarray], chance: float) -> CourseFigure:
    """How often readers are right about each fact of a story, against its distance.

    Args:
        accuracy: {name: (facts,) numbers from 0 to 1}, entry d for the fact d places back.
        chance: float, how often a guess is right.

    Returns:
        CourseFigure with 16 places on the x axis, however many facts there are.
    """
    accuracy = {name: as_numbers(v, "accuracy", 1) for name, v in accuracy.items()}
    facts = len(next(iter(accuracy.values())))
    spans = ", ".join(f"{say(k)} {v.min():.2f} – {v.max():.2f}" for k, v in accuracy.items())
    figure = _right_answers(
        np.arange(facts),
        accuracy,
        chance,
        xlabel=say("distance: facts told after this one"),
        title=say("{facts} facts in the story", facts=facts),
        x_ticks=range(16),
        caption=say(
            "Left: the fact told last; right: the one told first. Right answers: {spans}.",
            spans=spans,
        ),
    )
    figure.axes[0].set_xlim(-0.4, 15.4)
    return figure


def _right_answers(x, accuracy, chance, **settings):
    """Curves of right answers; the first one is broad where another one would hide it."""
    figure = curves(
        x,
        {say(name): values for name, values in accuracy.items()},
        ylabel=say("right answers"),
        references={say("guessing"): chance},
        ylim=(0, 1.06),
        height_in=3.9,
        **settings,
    )
    first, *others = (np.asarray(values) for values in accuracy.values())
    if any(np.abs(values - first).min() < 0.02 for values in others):
        figure.axes[0].lines[0].set(linewidth=5.5, markersize=9, alpha=0.55)
    return figure
