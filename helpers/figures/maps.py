"""Attention maps: one for a matrix of weights or scores, several for heads."""

import textwrap

import numpy as np

from helpers.figures.base import (
    QUIET_INK,
    as_labels,
    as_numbers,
    darker,
    new_figure,
    style,
    text_width,
)
from helpers.figures.cells import (
    MARK,
    checked_mark,
    colour_bar,
    colour_scale,
    digits_for,
    draw_cells,
    frame_row,
    hidden_cells,
    hidden_legend,
    number_text,
)
from helpers.figures.labels import (
    glosses_of,
    label_columns,
    label_height,
    label_rows,
    overlap,
    with_gloss,
)
from helpers.language import say, together

LABEL_LENGTH = 1.5  # inches that "query i: who looks" needs beside the rows


@style()
def attention_map(
    weights,
    tokens,
    *,
    key_tokens=None,
    glosses=None,
    key_glosses=None,
    mark_row=None,
    mask=None,
    title="",
    signed=None,
    numbers=None,
    vmax=None,
    value_name=None,
    width_in=None,
    caption=None,
):
    """One attention map: a row for each token that looks, a column for each that is looked at.

    Args:
        weights: (n_q, n_k) numbers, weights or scores; (h, n_q, n_k) gives one map for each head.
        tokens: n_q labels of the rows, and of the columns unless ``key_tokens`` is given.
        key_tokens: n_k labels of the columns.
        glosses: n_q translations, shown after the row's token (and under the column's token);
            None takes those of the words that the course knows.
        key_glosses: n_k translations of the columns, if ``key_tokens`` is given.
        mark_row: index of a row to frame.
        mask: (n_q, n_k) bool, True = may attend; the other cells are hatched and empty.
        title: short, at the top left.
        signed: True for scores, which may be negative; False for weights; None looks at the values.
        numbers: whether cells show their numbers; None shows them where they fit.
        vmax: the value of the darkest colour; 1 for weights, the largest magnitude for scores.
        value_name: what the colour bar says.
        width_in: the figure's width in inches, at most about 7.2.
        caption: what to see; made from the values if it is None.

    Returns:
        A CourseFigure.

    Raises:
        TypeError: if the weights are not numbers, or the mask is not boolean.
        ValueError: if a shape or the number of labels does not fit, or mark_row is outside.
    """
    weights = as_numbers(weights, "weights", (2, 3))
    if weights.ndim == 3:
        return head_maps(
            weights, tokens, key_tokens=key_tokens, mark_row=mark_row, mask=mask, title=title,
            signed=signed, vmax=vmax, value_name=value_name, width_in=width_in or 7.2,
            caption=caption,
        )  # fmt: skip
    n_q, n_k = weights.shape
    tokens, key_tokens = _check_tokens(tokens, key_tokens, n_q, n_k)
    same_tokens = key_tokens == tokens
    glosses = glosses_of(tokens, glosses, "glosses")
    if key_glosses is None and same_tokens:
        key_glosses = glosses
    key_glosses = glosses_of(key_tokens, key_glosses, "key_glosses")
    mark_row = checked_mark(mark_row, n_q)
    hidden = hidden_cells(mask, (n_q, n_k))
    cmap, norm, name = colour_scale(weights[~hidden], signed, vmax, value_name)

    row_glosses = [textwrap.fill(gloss, 10) for gloss in glosses] if n_q <= 12 else glosses
    side = (
        max(text_width(t, 11) for t in tokens) + max(text_width(g, 9) for g in row_glosses) + 0.55
    )
    room = (width_in or 7.2) - side - 0.95
    cell_w = max(0.17, min(0.6, room / n_k)) if n_k > 3 else min(0.9, room / n_k)
    cell_h = max(0.4, LABEL_LENGTH / n_q) if n_q <= 12 else max(0.21, 4.8 / n_q)
    width = width_in or max(2.6, side + 0.95 + cell_w * n_k)
    head = 0.4 + label_height(key_tokens, cell_w, 11) + label_height(key_glosses, cell_w, 9)
    height = head + cell_h * n_q + (0.35 if title else 0) + (0.3 if hidden.any() else 0) + 0.2
    figure, axes = new_figure(width, height, title=title)

    if numbers is None:
        numbers = cell_w >= 0.38 and cell_h >= 0.26
    digits = digits_for(weights[~hidden], norm) if numbers else None
    blanks = draw_cells(axes, weights, hidden, cmap, norm, digits, weights_only=norm.vmin == 0)
    label_rows(axes, tokens, row_glosses, mark_row)
    label_columns(axes, key_tokens, key_glosses, cell_w)
    axes.set_ylabel(rows_look(), color=QUIET_INK, labelpad=8)
    axes.set_xlabel(columns_are_seen(), color=QUIET_INK, labelpad=7)
    if mark_row is not None:
        frame_row(axes, mark_row, n_k)
    colour_bar(figure, axes, cmap, norm, name)
    if hidden.any():
        hidden_legend(figure)
    lookers, seen = _named(tokens, glosses), _named(key_tokens, key_glosses)
    figure.caption = caption if caption is not None else _caption(
        weights, hidden, lookers, seen, mark_row, norm.vmin == 0, blanks
    )  # fmt: skip
    return figure


@style()
def head_maps(
    weights,
    tokens,
    *,
    key_tokens=None,
    titles=None,
    mark_row=None,
    mask=None,
    title="",
    signed=None,
    vmax=None,
    value_name=None,
    columns=None,
    width_in=7.2,
    caption=None,
):
    """Several maps of the same tokens side by side, for example one for each head.

    Args:
        weights: (h, n_q, n_k) numbers, weights or scores.
        tokens: n_q labels of the rows, and of the columns unless ``key_tokens`` is given.
        key_tokens: n_k labels of the columns.
        titles: h names of the maps; "head 0", "head 1", ... if None.
        mark_row: index of a row to frame, in every map.
        mask: (n_q, n_k) bool, True = may attend; the other cells are hatched.
        title: short, at the top left.
        signed: True for scores, False for weights, None looks at the values.
        vmax: the value of the darkest colour, the same in all maps.
        value_name: what the colour bar says.
        columns: maps in one line; chosen from their number if None.
        width_in: the figure's width in inches.
        caption: what to see; a standing sentence if it is None.

    Returns:
        A CourseFigure.

    Raises:
        TypeError: if the weights are not numbers, or the mask is not boolean.
        ValueError: if a shape or the number of labels does not fit, or mark_row is outside.
    """
    weights = as_numbers(weights, "weights", 3)
    count, n_q, n_k = weights.shape
    tokens, key_tokens = _check_tokens(tokens, key_tokens, n_q, n_k)
    if titles is None:
        titles = [say("head {h}", h=h) for h in range(count)]
    titles = as_labels(titles, "titles", count, "map")
    tokens, key_tokens = with_gloss(tokens), with_gloss(key_tokens)
    mark_row = checked_mark(mark_row, n_q)
    hidden = hidden_cells(mask, (n_q, n_k))
    cmap, norm, name = colour_scale(weights[:, ~hidden], signed, vmax, value_name)

    side = max(text_width(token, 9.5) for token in tokens)
    room = width_in - side - 1.15
    columns = min(count, columns or max(1, int(room / (0.17 * n_k + 0.2))))
    lines = -(-count // columns)
    columns = min(columns, -(-count // lines))
    cell = min(0.5, (room / columns - 0.2) / n_k, 4.6 / lines / n_q)
    cell = max(cell, LABEL_LENGTH / n_q, 0.12)
    sideways = overlap(key_tokens, cell, 9.5)
    head = 0.35 + label_height(key_tokens, cell, 9.5)
    height = lines * (cell * n_q + head) + 0.3 + (0.35 if title else 0)
    figure, axes = new_figure(
        min(width_in, side + 1.15 + columns * (max(cell * n_k, LABEL_LENGTH) + 0.2)),
        height + (0.3 if hidden.any() else 0),
        lines,
        columns,
        title=title,
        squeeze=False,
    )
    numbers = cell >= 0.38
    for h, ax in enumerate(axes.flat):
        if h >= count:
            ax.set_axis_off()
            continue
        digits = digits_for(weights[h][~hidden], norm) if numbers else None
        draw_cells(ax, weights[h], hidden, cmap, norm, digits, weights_only=norm.vmin == 0)
        ax.set_aspect("equal")
        ax.set_title(titles[h], fontsize=10.5, fontweight="bold", pad=6)
        ax.xaxis.tick_top()
        ax.xaxis.set_label_position("top")
        ax.set_xticks(range(n_k), key_tokens, rotation=90 if sideways else 0)
        ax.set_yticks(range(n_q), tokens if h % columns == 0 else [""] * n_q)
        ax.tick_params(length=0, pad=3)
        if h < columns:
            fits = h == 0 or cell * n_k > LABEL_LENGTH
            seen = columns_are_seen() if fits else " "
            ax.set_xlabel(seen, color=QUIET_INK, fontsize=9.5, loc="left")
        if h % columns == 0:
            ax.set_ylabel(rows_look(), color=QUIET_INK, fontsize=9.5)
        if mark_row is not None:
            frame_row(ax, mark_row, n_k)
            ax.get_yticklabels()[mark_row].set(color=darker(MARK), fontweight="bold")
    colour_bar(figure, axes, cmap, norm, name)
    if hidden.any():
        hidden_legend(figure)
    figure.caption = caption if caption is not None else (
        say(
            "{count} maps of the same {n} tokens, in the same colours: {titles}. "
            "Compare the same row in each.",
            count=count, n=n_q, titles=", ".join(titles),
        )
    )  # fmt: skip
    return figure


def _check_tokens(tokens, key_tokens, n_q, n_k):
    if key_tokens is None and n_q != n_k:
        raise ValueError(
            say(
                "weights has {rows} rows and {columns} columns: give key_tokens, "
                "the labels of the columns, too.",
                rows=n_q, columns=n_k,
            )
        )  # fmt: skip
    tokens = as_labels(tokens, "tokens", n_q, say("row of weights"))
    if key_tokens is None:
        return tokens, tokens
    return tokens, as_labels(key_tokens, "key_tokens", n_k, say("column of weights"))


def _named(tokens, glosses):
    """Each token with the gloss that the map shows beside it."""
    return [f"{token} {gloss}".rstrip() for token, gloss in zip(tokens, glosses, strict=True)]


def _caption(weights, hidden, lookers, seen, mark_row, are_weights, blanks):
    if are_weights:
        parts = [say("Each cell: how row i shares out its attention.")]
    else:
        parts = [say("Each cell: the score of query i and key j.")]
    if mark_row is not None:
        row = np.where(hidden[mark_row] | np.isnan(weights[mark_row]), -np.inf, weights[mark_row])
        best = int(row.argmax())
        if np.isfinite(row[best]):
            value = number_text(row[best], 2)
            at = {"row": lookers[mark_row], "value": value, "best": seen[best]}
            if are_weights:
                parts.append(say("Framed: {row}. Its largest weight is {value}, on {best}.", **at))
            else:
                parts.append(say("Framed: {row}. Its largest score is {value}, on {best}.", **at))
    if blanks:
        parts.append(say("Cells without a number are below 0.005."))
    if hidden.any():
        parts.append(say("Hatched cells are hidden by the mask."))
    return together(*parts)


def rows_look() -> str:
    """What stands beside the rows of every map."""
    return say("query i: who looks")


def columns_are_seen() -> str:
    """What stands above the columns of every map."""
    return say("key j: who is looked at")
