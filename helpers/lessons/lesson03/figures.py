"""Pictures of lesson 03: features and channels, what makes up a score, which name is found."""

import numpy as np
from matplotlib.patheffects import withStroke

from helpers.figures.base import (
    COLOURS,
    QUIET_INK,
    SIGNED_MAP,
    as_labels,
    as_numbers,
    new_figure,
    style,
    text_width,
)
from helpers.figures.charts import bars
from helpers.figures.labels import glosses_of, label_rows, with_gloss
from helpers.figures.tables import grid_of_numbers, matrices

_HATCHES = ("", "////", "....", "xxxx")


def token_features(X, tokens, features):
    """The vectors of a sentence: which token has which feature.

    Args:
        X: (n, d_model) numbers.
        tokens: n labels.
        features: d_model names of the columns.

    Returns:
        A CourseFigure.

    Raises:
        ValueError: if the numbers of labels do not fit the shape of X.
    """
    return grid_of_numbers(
        X, tokens, features, row_name="token", column_name="feature",
        caption="One row a token, one column a feature: the vector that stands for each token.",
    )  # fmt: skip


def feature_matrix(W, features, columns, does, *, mark_row=None):
    """A matrix that is read by features: what each of them asks for, offers or hands over.

    Args:
        W: (d_model, d) numbers.
        features: d_model names of the rows.
        columns: d names of the columns.
        does: what a feature does with a column, such as "asks for".
        mark_row: index of a row to frame.

    Returns:
        A CourseFigure.

    Raises:
        ValueError: if the numbers of labels do not fit the shape of W.
    """
    return grid_of_numbers(
        W, features, columns, row_name="feature", column_name=does, mark_row=mark_row,
        caption=f"A row says what a feature {does}: blue as far as it does, brown where it "
        "takes away.",
    )  # fmt: skip


def sentence_times_matrix(X, W, tokens, features, columns, *, names=("X", "W_Q", "Q")):
    """A whole sentence multiplied by one matrix.

    Args:
        X: (n, d_model) numbers.
        W: (d_model, d) numbers.
        tokens: n labels.
        features: d_model names.
        columns: d names.
        names: what X, W and their product are called.

    Returns:
        A CourseFigure: X · W = product.

    Raises:
        ValueError: if X and W cannot be multiplied, or labels do not fit.
    """
    X, W = as_numbers(X, "X", 2), as_numbers(W, "W", 2)
    if X.shape[1] != len(W):
        raise ValueError(f"X has {X.shape[1]} columns, but W has {len(W)} rows; they must agree.")
    return matrices(
        [(names[0], X, tokens, features), "·", (names[1], W, None, columns), "=",
         (names[2], X @ W, None, columns)],
        caption=f"A row of {names[2]} is the sum of the rows of {names[1]}, each as many times "
        f"as the same row of {names[0]} says. No row sees another one.",
    )  # fmt: skip


def handed_over(weights, V, token, tokens, contents, *, name="V"):
    """One token's weights, the values they mix, and what comes out.

    Args:
        weights: (n,) numbers, the weights that one token gives.
        V: (n, d_v) numbers.
        token: the token that looks.
        tokens: n labels.
        contents: d_v names of the columns of V.
        name: what the values are called.

    Returns:
        A CourseFigure: weights · V = output.

    Raises:
        ValueError: if weights and V do not fit each other, or labels do not fit.
    """
    weights, V = as_numbers(weights, "weights", 1), as_numbers(V, "V", 2)
    if len(weights) != len(V):
        raise ValueError(f"there are {len(weights)} weights, but V has {len(V)} rows.")
    return matrices(
        [(f"weights of {token}", weights[None], None, tokens), "·", (name, V, tokens, contents),
         "=", ("output", weights[None] @ V, None, contents)],
        caption=f"The rows of {name}, mixed by the weights that {with_gloss([token])[0]} gives.",
    )  # fmt: skip


def row_by_model(rows, tokens, glosses, looking):
    """The weights of one token's row in several models.

    Args:
        rows: {name of the model: (n,) numbers}.
        tokens: n labels.
        glosses: n translations.
        looking: the token whose row it is.

    Returns:
        A CourseFigure.

    Raises:
        ValueError: if the numbers of weights and labels differ.
    """
    largest = ", ".join(f"{np.max(row):.2f} {name}" for name, row in rows.items())
    *_, last = rows.values()
    return bars(
        rows, tokens, glosses=glosses, xlabel=f"weight that {looking} gives",
        caption=f"The row of {with_gloss([looking])[0]}. Its largest weight is {largest}, "
        f"there on {with_gloss(tokens)[int(np.argmax(last))]}.",
    )  # fmt: skip


@style()
def channel_scores(parts, tokens, channels, *, glosses=None, asking="", title=""):
    """Scores of one query, split into what each channel adds or takes away.

    Args:
        parts: (n, d_k) numbers; part (j, c) is what channel c adds to the score for token j.
        tokens: n labels.
        channels: d_k names of the channels.
        glosses: n translations, shown after the tokens.
        asking: the token whose query it is, for the caption.
        title: short, at the top left.

    Returns:
        A CourseFigure: one bar a token, one colour a channel, the score as a dot with its number.

    Raises:
        TypeError: if the parts are not numbers.
        ValueError: if the numbers of tokens, glosses or channels do not fit.
    """
    parts = as_numbers(parts, "parts", 2)
    n, d_k = parts.shape
    tokens = as_labels(tokens, "tokens", n, "row of parts")
    channels = as_labels(channels, "channels", d_k, "column of parts")
    glosses = glosses_of(tokens, glosses, "glosses")
    scores = parts.sum(axis=1)
    best = int(scores.argmax())
    who = f" of {asking}" if asking else ""
    caption = (
        f"The query{who} against every key. Each colour is one channel: asked times offered. "
        f"The dot is their sum, the score; the largest is {_signed(scores[best])}, "
        f"for {with_gloss(tokens)[best]}."
    )
    height = 0.34 * n + 1.05 + (0.35 if title else 0)
    figure, axes = new_figure(7.2, height, title=title, caption=caption)
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
        scores, places, s=46, color=COLOURS["black"], edgecolor="white", zorder=3, label="score"
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
        xlabel="what a channel adds to the score",
    )
    label_rows(axes, tokens, glosses)
    axes.axvline(0, color=QUIET_INK, linewidth=0.8)
    axes.grid(axis="x")
    axes.tick_params(axis="x", length=0, labelcolor=QUIET_INK)
    axes.spines[["bottom", "left"]].set_visible(False)
    figure.legend(loc="outside lower left", ncols=d_k + 1, handlelength=1.6)
    return figure


@style()
def pronouns_and_names(panels, pronouns, names, groups):
    """How well the key of each name answers the query of each pronoun, for one or more models.

    Args:
        panels: {title: (p, m) numbers}, for each model the scores from p pronouns to m names.
        pronouns: p labels, who looks.
        names: m labels, who is looked at; written from top to bottom.
        groups: {name of the group: how many names in a row belong to it}, m in all.

    Returns:
        A CourseFigure: one map a model, all in the same colours.

    Raises:
        TypeError: if the scores are not numbers.
        ValueError: if a panel's shape does not fit the labels, or groups do not cover the names.
    """
    names = [str(name) for name in names]
    pronouns = [str(pronoun) for pronoun in pronouns]
    wanted = (len(pronouns), len(names))
    data = {title: as_numbers(scores, f"panel {title!r}", 2) for title, scores in panels.items()}
    for title, scores in data.items():
        if scores.shape != wanted:
            raise ValueError(f"panel {title!r} must have the shape {wanted}, got {scores.shape}.")
    if sum(groups.values()) != len(names):
        raise ValueError(
            f"groups must cover the {len(names)} names, but they cover {sum(groups.values())}."
        )
    limit = max(np.abs(scores).max() for scores in data.values()) or 1.0
    tall = max(text_width(name, 10) for name in with_gloss(names)) + 0.1
    each = 0.3 * len(pronouns) + tall + 0.55
    caption = (
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
        ax.set_title(title, fontweight="bold", pad=6)
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
    bar.set_label("score", color=QUIET_INK, fontsize=9.5)
    return figure


def _signed(number):
    text = f"{number:.1f}"
    return (text.lstrip("-") if float(text) == 0 else text).replace("-", "−")
