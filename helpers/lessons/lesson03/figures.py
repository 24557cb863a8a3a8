"""Pictures of lesson 03: features, parts of a score, what is handed over, who is found."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.patheffects import withStroke

from helpers.course.machine import name_model, sentence_machine
from helpers.figures.base import (
    COLOURS,
    QUIET_INK,
    SIGNED_MAP,
    CourseFigure,
    as_labels,
    as_numbers,
    new_figure,
    style,
    text_width,
)
from helpers.figures.labels import glosses_of, label_rows, with_gloss
from helpers.figures.tables import grid_of_numbers, matrices
from helpers.language import say
from helpers.sentences import CHARACTERS, CONTENTS, FEATURES, NAMES, PRONOUNS, TOKENS
from helpers.training.coreference import Coreference

_HATCHES = ("", "////", "....", "xxxx")


def token_features(X: np.ndarray) -> CourseFigure:
    """The hand-made vectors of the running sentence, (n, d_model): who has which feature."""
    return grid_of_numbers(
        X,
        TOKENS,
        [say(feature) for feature in FEATURES],
        row_name=say("token"),
        column_name=say("feature"),
        digits=1,
        caption=say("One row a token, one column a feature: the vector that stands for a token."),
    )


def handed_over(weights: np.ndarray, V: np.ndarray, row: int) -> CourseFigure:
    """One token's weights (n,), the values (n, d_v) that they mix, and what comes out."""
    token = with_gloss([TOKENS[row]])[0]
    contents = [say(content) for content in CONTENTS]
    return matrices(
        [
            (
                say("weights and V"),
                np.column_stack([weights, V]),
                TOKENS,
                [say("weight"), *contents],
            ),
            "→",
            (say("output"), weights[None] @ V, None, contents),
        ],
        caption=say(
            "The rows of V, each multiplied by the weight that {token} gives it, and added up.",
            token=token,
        ),
    )


@style()
def channel_scores(
    parts: np.ndarray,
    tokens: Sequence[str],
    channels: Sequence[str],
    *,
    glosses: Sequence[str],
    asking: str,
) -> CourseFigure:
    """Scores of one query, split into what each channel adds or takes away.

    Args:
        parts: (n, d_k) numbers; part (j, c) is what channel c adds to the score for token j.
        tokens: n labels.
        channels: d_k names of the channels.
        glosses: n translations, shown after the tokens.
        asking: the token whose query it is, for the caption.

    Returns:
        A CourseFigure: one bar a token, one colour a channel, the score as a dot with its number.

    Raises:
        TypeError: if the parts are not numbers.
        ValueError: if the numbers of tokens, glosses or channels do not fit.
    """
    parts = as_numbers(parts, "parts", 2)
    n, d_k = parts.shape
    tokens = as_labels(tokens, "tokens", n, say("row of parts"))
    channels = as_labels(channels, "channels", d_k, say("column of parts"))
    glosses = glosses_of(tokens, glosses, "glosses")
    scores = parts.sum(axis=1)
    best = int(scores.argmax())
    caption = say(
        "The query of {token} against every key. Each colour is one channel: asked times offered. "
        "The dot is their sum, the score; the largest is {score}, for {best}.",
        token=with_gloss([asking])[0],
        score=_signed(scores[best]),
        best=with_gloss(tokens)[best],
    )
    figure, axes = new_figure(7.2, 0.34 * n + 1.05, caption=caption)
    places = np.arange(n)
    right, left = np.zeros(n), np.zeros(n)
    for c, name in enumerate(channels):
        part = parts[:, c]
        start = np.where(part >= 0, right, left)
        axes.barh(
            places, part, left=start, height=0.62, color=list(COLOURS.values())[c % 7],
            hatch=_HATCHES[c % 4], edgecolor="white", linewidth=0, label=name,
        )  # fmt: skip
        right, left = right + np.maximum(part, 0), left + np.minimum(part, 0)
    axes.scatter(
        scores,
        places,
        s=46,
        color=COLOURS["black"],
        edgecolor="white",
        zorder=3,
        label=say("score"),
    )
    for place, score in enumerate(scores):
        below = score < 0
        axes.annotate(
            _signed(score), (left[place] if below else right[place], place),
            (-9 if below else 9, 0), textcoords="offset points", va="center",
            ha="right" if below else "left", fontsize=9.5,
            path_effects=[withStroke(linewidth=3, foreground="white")],
        )  # fmt: skip
    span = (right.max() - left.min()) or 1.0
    axes.set(
        ylim=(n - 0.5, -0.5),
        xlim=(left.min() - 0.13 * span, right.max() + 0.13 * span),
        xlabel=say("what a channel adds to the score"),
    )
    label_rows(axes, tokens, glosses)
    axes.axvline(0, color=QUIET_INK, linewidth=0.8)
    axes.grid(axis="x")
    axes.tick_params(axis="x", length=0, labelcolor=QUIET_INK)
    axes.spines[["bottom", "left"]].set_visible(False)
    figure.legend(loc="outside lower left", ncols=d_k + 1, handlelength=1.6)
    return figure


@style()
def pronouns_and_names(panels: Mapping[str, np.ndarray]) -> CourseFigure:
    """How well the key of each name answers the query of each pronoun, for one or more models.

    Args:
        panels: {title: (3, 24) numbers}, for each model the scores from 他, 她, 它 to NAMES.

    Returns:
        CourseFigure: one map a model, all in the same colours.

    Raises:
        ValueError: if a panel has another shape.
    """
    names, pronouns = NAMES, list(PRONOUNS.values())
    groups = {say(group): len(members) for group, members in CHARACTERS.items()}
    wanted = (len(pronouns), len(names))
    data = {title: as_numbers(scores, title, 2) for title, scores in panels.items()}
    for title, scores in data.items():
        if scores.shape != wanted:
            raise ValueError(
                say(
                    "{title} must have the shape {wanted}, got {shape}.",
                    title=title,
                    wanted=wanted,
                    shape=scores.shape,
                )
            )
    limit = max(np.abs(scores).max() for scores in data.values()) or 1.0
    tall = max(text_width(name, 10) for name in with_gloss(names)) + 0.1
    each = 0.3 * len(pronouns) + tall + 0.55
    caption = say(
        "A row asks, a column answers; blue is a high score, brown one below zero. "
        "All maps share one scale, so a white map is one with scores near zero."
    )
    figure, axes = new_figure(7.2, each * len(data) + 0.3, len(data), 1, squeeze=False,
                              caption=caption)  # fmt: skip
    edges = np.cumsum([0, *groups.values()])
    for (title, scores), ax in zip(data.items(), axes[:, 0], strict=True):
        picture = ax.pcolormesh(
            scores, cmap=SIGNED_MAP, vmin=-limit, vmax=limit, edgecolors="#e4e7ec", linewidth=0.6
        )
        ax.invert_yaxis()
        ax.xaxis.tick_top()
        ax.set_xticks(np.arange(len(names)) + 0.5, with_gloss(names), rotation=90)
        ax.set_yticks(np.arange(len(pronouns)) + 0.5, with_gloss(pronouns))
        ax.tick_params(length=0, pad=4, labelsize=10)
        ax.set_title(say(title), fontweight="bold", pad=6)
        for spine in ax.spines.values():
            spine.set_visible(False)
        for edge in edges[1:-1]:
            ax.axvline(edge, color=QUIET_INK, linewidth=1.2)
    for start, end, name in zip(edges[:-1], edges[1:], groups, strict=True):
        ax.text((start + end) / 2, len(pronouns) + 0.25, name, ha="center", va="top",
                color=QUIET_INK, fontsize=9.5)  # fmt: skip
    bar = figure.colorbar(picture, ax=axes, aspect=24, pad=0.02, fraction=0.04)
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0, labelsize=9, labelcolor=QUIET_INK)
    bar.set_label(say("score"), color=QUIET_INK, fontsize=9.5)
    return figure


def machine(models: Mapping[str, Coreference]) -> None:
    """Show the sentence machine with one or more trained models, {name: model}."""
    sentence_machine({say(name): name_model(model) for name, model in models.items()})


def _signed(number):
    text = f"{number:.1f}"
    return (text.lstrip("-") if float(text) == 0 else text).replace("-", "−")
