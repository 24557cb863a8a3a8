"""Tokens and their glosses beside rows and above columns."""

import itertools
from collections.abc import Sequence

from helpers.figures.base import COLOURS, QUIET_INK, as_labels, darker, text_width
from helpers.language import say
from helpers.sentences import known_gloss


def glosses_of(tokens: Sequence[str], glosses: Sequence[str] | None, name: str) -> list[str]:
    """The glosses given, or else those of the words that the course knows; `name` for messages."""
    if glosses is None:
        return [known_gloss(token) for token in tokens]
    return as_labels(glosses, name, len(tokens), say("token"))


def with_gloss(labels: Sequence[str]) -> list[str]:
    """Labels in one line with their gloss, where the course knows the word: 小明 Xiaoming."""
    return [f"{label} {known_gloss(label)}".rstrip() for label in labels]


def label_rows(axes, tokens, glosses, mark_row=None):
    """Token and gloss before each row, the gloss smaller and greyer.

    Args:
        axes: the axes; row i lies at y = i.
        tokens: one label for each row.
        glosses: one gloss for each row, possibly empty.
        mark_row: index of a row whose token is stressed.
    """
    gloss_points = 72 * max(text_width(g, 9) for g in glosses)
    axes.set_yticks(range(len(tokens)), tokens)
    axes.tick_params(axis="y", length=0, pad=gloss_points + 10 if any(glosses) else 6, labelsize=11)
    if any(glosses):
        axes.yaxis.remove_overlapping_locs = False
        axes.set_yticks(range(len(tokens)), glosses, minor=True, ha="left", linespacing=1.0)
        axes.tick_params(
            axis="y", which="minor", length=0, pad=gloss_points + 4, labelsize=9,
            labelcolor=QUIET_INK,
        )  # fmt: skip
    if mark_row is not None:
        axes.get_yticklabels()[mark_row].set(color=darker(COLOURS["vermillion"]), fontweight="bold")


def overlap(labels, cell_w, size):
    """Whether upright labels above columns of this width (inches) would touch."""
    widths = [max(text_width(label, size), 0.01) + 0.05 for label in labels]
    return any((a + b) / 2 > cell_w for a, b in itertools.pairwise(widths))


def label_height(labels, cell_w, size):
    """Height in inches of labels above columns, turned sideways where they would touch."""
    if not any(labels):
        return 0.0
    if overlap(labels, cell_w, size):
        return max(text_width(label, size) for label in labels) + 0.05
    return size * 1.25 / 72


def label_columns(axes, tokens, glosses, cell_w):
    """Token above each column, its gloss above the token, turned where it is too long."""
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    places = range(len(tokens))
    axes.set_xticks(places, tokens, rotation=90 if overlap(tokens, cell_w, 11) else 0)
    axes.tick_params(axis="x", length=0, pad=4, labelsize=11 if cell_w > 0.22 else 9.5)
    if any(glosses):
        turned = 90 if overlap(glosses, cell_w, 9) else 0
        axes.xaxis.remove_overlapping_locs = False
        axes.set_xticks(places, glosses, minor=True, rotation=turned, va="bottom")
        above = 8 + 72 * label_height(tokens, cell_w, 11)
        axes.tick_params(
            axis="x", which="minor", length=0, pad=above, labelsize=9, labelcolor=QUIET_INK
        )
