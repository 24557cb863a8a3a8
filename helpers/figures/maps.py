"""Matrices as pictures: attention maps, one for each head, small matrices with numbers."""

import itertools
import textwrap

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import NullLocator

from helpers.figures.base import (
    COLOURS,
    INK,
    QUIET_INK,
    RULE,
    SIGNED_MAP,
    WEIGHT_MAP,
    as_labels,
    as_numbers,
    darker,
    new_figure,
    style,
    text_colour_on,
    text_width,
)

ROWS_LOOK = "query i: who looks"
COLUMNS_ARE_SEEN = "key j: who is looked at"
BLANK_BELOW = 0.005
LABEL_LENGTH = 1.5  # inches that "query i: who looks" needs beside the rows
_MARK = COLOURS["vermillion"]
_HIDDEN = {"facecolor": "#eef0f3", "edgecolor": "#a9b0ba", "hatch": "////", "linewidth": 0}


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
        glosses: n_q translations, shown after the row's token (and under the column's token).
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
    glosses = [""] * n_q if glosses is None else as_labels(glosses, "glosses", n_q, "row")
    if key_glosses is None:
        key_glosses = glosses if same_tokens else [""] * n_k
    key_glosses = as_labels(key_glosses, "key_glosses", n_k, "column")
    mark_row = _check_mark(mark_row, n_q)
    hidden = _check_mask(mask, (n_q, n_k))
    cmap, norm, name = _scale(weights[~hidden], signed, vmax, value_name)

    row_glosses = [textwrap.fill(gloss, 10) for gloss in glosses] if n_q <= 12 else glosses
    side = _side_width(tokens, row_glosses)
    room = (width_in or 7.2) - side - 0.95
    cell_w = max(0.2, min(0.6, room / n_k)) if n_k > 3 else min(0.9, room / n_k)
    cell_h = max(0.4, LABEL_LENGTH / n_q) if n_q <= 12 else max(0.21, 4.8 / n_q)
    width = width_in or max(2.6, side + 0.95 + cell_w * n_k)
    head = _head_height(key_tokens, key_glosses, cell_w)
    height = head + cell_h * n_q + (0.35 if title else 0) + (0.3 if hidden.any() else 0) + 0.2
    figure, axes = new_figure(width, height, title=title)

    if numbers is None:
        numbers = cell_w >= 0.38 and cell_h >= 0.26
    digits = _digits(weights[~hidden], norm) if numbers else None
    blanks = _draw_cells(axes, weights, hidden, cmap, norm, digits, weights_only=norm.vmin == 0)
    label_rows(axes, tokens, row_glosses, mark_row)
    _label_columns(axes, key_tokens, key_glosses, cell_w)
    axes.set_ylabel(ROWS_LOOK, color=QUIET_INK, labelpad=8)
    axes.set_xlabel(COLUMNS_ARE_SEEN, color=QUIET_INK, labelpad=7)
    if mark_row is not None:
        _frame_row(axes, mark_row, n_k)
    _colour_bar(figure, axes, cmap, norm, name)
    if hidden.any():
        _hidden_legend(figure)
    figure.caption = caption if caption is not None else _caption(
        weights, hidden, tokens, key_tokens, mark_row, norm.vmin == 0, blanks
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
        titles: h names of the maps; "head 1", "head 2", ... if None.
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
        titles = [f"head {h + 1}" for h in range(count)]
    titles = as_labels(titles, "titles", count, "map")
    mark_row = _check_mark(mark_row, n_q)
    hidden = _check_mask(mask, (n_q, n_k))
    cmap, norm, name = _scale(weights[:, ~hidden], signed, vmax, value_name)

    side = max(text_width(token, 9.5) for token in tokens)
    room = width_in - side - 1.15
    fits = max(1, int(room / (0.17 * n_k + 0.2)))
    columns = min(count, columns or fits)
    lines = -(-count // columns)
    columns = min(columns, -(-count // lines))
    cell = min(0.5, (room / columns - 0.2) / n_k, 4.6 / lines / n_q)
    cell = max(cell, LABEL_LENGTH / n_q, 0.12)
    sideways = _overlap(key_tokens, cell, 9.5)
    head = 0.35 + _tall(key_tokens, cell, 9.5)
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
        digits = _digits(weights[h][~hidden], norm) if numbers else None
        _draw_cells(ax, weights[h], hidden, cmap, norm, digits, weights_only=norm.vmin == 0)
        ax.set_aspect("equal")
        ax.set_title(titles[h], fontsize=10.5, fontweight="bold", pad=6)
        ax.xaxis.tick_top()
        ax.xaxis.set_label_position("top")
        ax.set_xticks(range(n_k), key_tokens, rotation=90 if sideways else 0)
        ax.set_yticks(range(n_q), tokens if h % columns == 0 else [""] * n_q)
        ax.tick_params(length=0, pad=3)
        if h == 0 or (h < columns and cell * n_k > LABEL_LENGTH):
            ax.set_xlabel(COLUMNS_ARE_SEEN, color=QUIET_INK, fontsize=9.5, loc="left")
        if h % columns == 0:
            ax.set_ylabel(ROWS_LOOK, color=QUIET_INK, fontsize=9.5)
        if mark_row is not None:
            _frame_row(ax, mark_row, n_k)
            ax.get_yticklabels()[mark_row].set(color=darker(_MARK), fontweight="bold")
    _colour_bar(figure, axes, cmap, norm, name)
    if hidden.any():
        _hidden_legend(figure)
    figure.caption = caption if caption is not None else (
        f"{count} maps of the same {n_q} tokens, in the same colours: {', '.join(titles)}. "
        "Compare the same row in each."
    )  # fmt: skip
    return figure


@style()
def grid_of_numbers(
    matrix,
    row_labels=None,
    column_labels=None,
    *,
    title="",
    row_name="",
    column_name="",
    signed=None,
    vmax=None,
    digits=None,
    mark_row=None,
    mark_column=None,
    caption="",
):
    """A small matrix with its numbers; the colour shows size and sign.

    Args:
        matrix: (rows, columns) numbers.
        row_labels: one label for each row.
        column_labels: one label for each column.
        title: short, at the top left.
        row_name: what the rows are, beside them.
        column_name: what the columns are, above them.
        signed: True for blue above and brown below zero; None looks at the values.
        vmax: the value of the darkest colour; the largest magnitude if None.
        digits: digits after the point; chosen from the values if None.
        mark_row: index of a row to frame.
        mark_column: index of a column to frame.
        caption: what to see.

    Returns:
        A CourseFigure.

    Raises:
        TypeError: if the matrix does not hold numbers.
        ValueError: if its shape or the number of labels does not fit.
    """
    panel = ("matrix", matrix, row_labels, column_labels)
    figure, (axes,) = _draw_matrices([panel], title, signed, vmax, digits, show_shapes=False)
    axes.set_ylabel(row_name, color=QUIET_INK, labelpad=8)
    axes.set_xlabel(column_name, color=QUIET_INK, labelpad=7)
    rows, columns = np.shape(matrix)
    if _check_mark(mark_row, rows) is not None:
        _frame_row(axes, _check_mark(mark_row, rows), columns)
    if _check_mark(mark_column, columns, "mark_column") is not None:
        j = _check_mark(mark_column, columns, "mark_column")
        axes.add_patch(_frame((j - 0.5, -0.5), 1, rows))
    figure.caption = caption
    return figure


@style()
def matrices(panels, *, title="", signed=None, vmax=None, digits=None, caption=""):
    """Matrices and the signs between them in one line, such as X · W_Q = Q.

    Args:
        panels: a list of signs ("·", "=") and of tuples (name, matrix), (name, matrix, row_labels)
            or (name, matrix, row_labels, column_labels); each matrix (rows, columns) of numbers.
        title: short, at the top left.
        signed: True for blue above and brown below zero; None looks at the values.
        vmax: the value of the darkest colour, the same in all; the largest magnitude if None.
        digits: digits after the point; chosen from the values if None.
        caption: what to see.

    Returns:
        A CourseFigure; each matrix has its name and shape above it.

    Raises:
        TypeError: if a matrix does not hold numbers.
        ValueError: if a shape, a panel or the number of labels does not fit.
    """
    figure, _ = _draw_matrices(panels, title, signed, vmax, digits, show_shapes=True)
    figure.caption = caption
    return figure


def _draw_matrices(panels, title, signed, vmax, digits, show_shapes):
    parts = [panel if isinstance(panel, str) else _check_panel(panel) for panel in panels]
    shown = [part for part in parts if not isinstance(part, str)]
    if not shown:
        raise ValueError("panels must hold at least one matrix, as a tuple (name, matrix).")
    everything = np.concatenate([matrix.ravel() for _, matrix, _, _ in shown])
    cmap, norm, _ = _scale(everything, signed, vmax, "")
    cells = sum(matrix.shape[1] for _, matrix, _, _ in shown)
    if digits is None:
        digits = min(_digits(everything, norm), 2 if cells <= 10 else 1)

    longest = max(len(f"{v:.{digits}f}") for v in everything[np.isfinite(everything)])
    sides = [
        max((text_width(r, 10) for r in rows or [""]), default=0) + 0.1 for _, _, rows, _ in shown
    ]
    signs = 0.3 * (len(parts) - len(shown))
    wanted = max(0.42, longest * 0.088 + 0.1)
    cell_w = min(wanted, (7.1 - sum(sides) - signs - 0.2) / cells)
    cell_h = 0.34
    font = min(9.5, 9.5 * cell_w / (longest * 0.088 + 0.06))
    tallest = max(matrix.shape[0] for _, matrix, _, _ in shown)

    widths, k = [], 0
    for part in parts:
        if isinstance(part, str):
            widths.append(0.3)
        else:
            name_width = text_width(part[0], 11) if show_shapes else 0
            widths.append(max(part[1].shape[1] * cell_w, name_width) + sides[k])
            k += 1
    columns = max(_tall(labels or [""], cell_w, 10) for *_, labels in shown)
    top = 0.55 if show_shapes else 0.3
    height = tallest * cell_h + columns + top + (0.35 if title else 0) + 0.15
    figure, axes = new_figure(
        max(2.0, sum(widths) + (0.3 if show_shapes else 0.6), min(5.0, text_width(title, 13))),
        height,
        1,
        len(parts),
        title=title,
        width_ratios=widths,
        squeeze=False,
    )
    drawn = []
    for part, ax in zip(parts, axes[0], strict=True):
        if isinstance(part, str):
            ax.set_axis_off()
            ax.text(0.5, 0.5, part, ha="center", va="center", fontsize=18, color=QUIET_INK)
            continue
        name, matrix, row_labels, column_labels = part
        rows, cols = matrix.shape
        hidden = np.zeros(matrix.shape, dtype=bool)
        _draw_cells(ax, matrix, hidden, cmap, norm, digits, weights_only=False, size=font)
        ax.set_aspect(cell_h / cell_w)
        ax.xaxis.tick_top()
        ax.xaxis.set_label_position("top")
        sideways = column_labels is not None and _overlap(column_labels, cell_w, 10)
        ax.set_xticks(range(cols), column_labels or [""] * cols, rotation=90 if sideways else 0)
        ax.set_yticks(range(rows), row_labels or [""] * rows)
        ax.tick_params(length=0, pad=4, labelsize=10)
        if show_shapes:
            ax.set_title(name, fontsize=11, fontweight="bold", pad=5)
            ax.xaxis.set_label_position("bottom")
            ax.set_xlabel(f"{rows} × {cols}", fontsize=9, color=QUIET_INK, loc="left")
        drawn.append(ax)
    return figure, drawn


def _check_panel(panel):
    if not isinstance(panel, tuple) or not 2 <= len(panel) <= 4:
        raise ValueError(
            "each panel must be a sign such as '=' or a tuple (name, matrix[, row_labels"
            f"[, column_labels]]), got {panel!r:.80}."
        )
    name, matrix, rows, columns = (*panel, None, None)[:4]
    matrix = as_numbers(matrix, f"the matrix {name!r}", 2)
    if rows is not None:
        rows = as_labels(rows, f"row labels of {name!r}", matrix.shape[0], "row")
    if columns is not None:
        columns = as_labels(columns, f"column labels of {name!r}", matrix.shape[1], "column")
    return name, matrix, rows, columns


def _check_tokens(tokens, key_tokens, n_q, n_k):
    if key_tokens is None and n_q != n_k:
        raise ValueError(
            f"weights has {n_q} rows and {n_k} columns: give key_tokens, "
            "the labels of the columns, too."
        )
    tokens = as_labels(tokens, "tokens", n_q, "row of weights")
    if key_tokens is None:
        return tokens, tokens
    return tokens, as_labels(key_tokens, "key_tokens", n_k, "column of weights")


def _check_mark(mark, count, name="mark_row"):
    if mark is None:
        return None
    if not -count <= mark < count:
        raise ValueError(f"{name} must be an index below {count}, got {mark}.")
    return int(mark) % count


def _check_mask(mask, shape):
    if mask is None:
        return np.zeros(shape, dtype=bool)
    mask = np.asarray(mask)
    if mask.dtype != np.bool_:
        raise TypeError(f"mask must be boolean (True = may attend), got dtype {mask.dtype}.")
    try:
        return ~np.broadcast_to(mask, shape)
    except ValueError as error:
        raise ValueError(f"mask must fit the shape {shape}, got {mask.shape}.") from error


def _scale(values, signed, vmax, value_name):
    finite = values[np.isfinite(values)]
    low, high = (finite.min(), finite.max()) if finite.size else (0.0, 1.0)
    if signed is None:
        signed = bool(low < 0 or high > 1 + 1e-6)
    if signed:
        limit = vmax or max(abs(low), abs(high)) or 1.0
        return SIGNED_MAP, Normalize(-limit, limit), "score" if value_name is None else value_name
    name = "weight, 0 to 1" if value_name is None else value_name
    return WEIGHT_MAP, Normalize(0, vmax or 1.0), name


def _digits(values, norm):
    if norm.vmin == 0 and norm.vmax <= 1:
        return 2
    finite = values[np.isfinite(values)]
    if np.allclose(finite, np.round(finite)):
        return 0
    return 1 if np.abs(finite).max(initial=0) >= 10 else 2


def _draw_cells(axes, values, hidden, cmap, norm, digits, *, weights_only, size=9.5):
    """Colours and numbers; returns whether a cell was left without its number."""
    rows, columns = values.shape
    picture = np.ma.masked_array(values, hidden | ~np.isfinite(values))
    axes.pcolormesh(
        np.arange(columns + 1) - 0.5, np.arange(rows + 1) - 0.5, picture, cmap=cmap, norm=norm,
        edgecolors="#e4e7ec", linewidth=0.6,
    )  # fmt: skip
    axes.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5))
    for spine in axes.spines.values():
        spine.set(visible=True, color=RULE)
    blanks = False
    for i, j in np.ndindex(rows, columns):
        if hidden[i, j]:
            axes.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, **_HIDDEN))
            continue
        if digits is None:
            continue
        if weights_only and abs(values[i, j]) < BLANK_BELOW:
            blanks = True
            continue
        text = _number(values[i, j], digits)
        colour = text_colour_on(cmap(norm(values[i, j])) if np.isfinite(values[i, j]) else "white")
        axes.text(j, i, text, ha="center", va="center", fontsize=size, color=colour)
    return blanks


def _number(value, digits):
    if np.isneginf(value):
        return "−∞"
    if np.isposinf(value):
        return "∞"
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", "−")


def _side_width(tokens, glosses):
    token = max(text_width(t, 11) for t in tokens)
    return token + max(text_width(g, 9) for g in glosses) + 0.55


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
        axes.get_yticklabels()[mark_row].set(color=darker(_MARK), fontweight="bold")


def _overlap(labels, cell_w, size):
    widths = [max(text_width(label, size), 0.01) + 0.05 for label in labels]
    return any((a + b) / 2 > cell_w for a, b in itertools.pairwise(widths))


def _tall(labels, cell_w, size):
    """Height in inches of labels above columns, turned sideways where they would overlap."""
    if not any(labels):
        return 0.0
    if _overlap(labels, cell_w, size):
        return max(text_width(label, size) for label in labels) + 0.05
    return size * 1.25 / 72


def _head_height(tokens, glosses, cell_w):
    return 0.4 + _tall(tokens, cell_w, 11) + _tall(glosses, cell_w, 9)


def _label_columns(axes, tokens, glosses, cell_w):
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    places = range(len(tokens))
    axes.set_xticks(places, tokens, rotation=90 if _overlap(tokens, cell_w, 11) else 0)
    axes.tick_params(axis="x", length=0, pad=4, labelsize=11 if cell_w > 0.22 else 9.5)
    if any(glosses):
        turned = 90 if _overlap(glosses, cell_w, 9) else 0
        axes.xaxis.remove_overlapping_locs = False
        axes.set_xticks(places, glosses, minor=True, rotation=turned, va="bottom")
        axes.tick_params(
            axis="x", which="minor", length=0, pad=8 + 72 * _tall(tokens, cell_w, 11), labelsize=9,
            labelcolor=QUIET_INK,
        )  # fmt: skip


def _frame(corner, width, height):
    return Rectangle(corner, width, height, fill=False, edgecolor=_MARK, linewidth=2.2,
                     clip_on=False, zorder=5)  # fmt: skip


def _frame_row(axes, row, columns):
    axes.add_patch(_frame((-0.5, row - 0.5), columns, 1))


def _colour_bar(figure, axes, cmap, norm, name):
    bar = figure.colorbar(ScalarMappable(norm, cmap), ax=axes, aspect=28, pad=0.02, fraction=0.05)
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0, labelsize=9, labelcolor=QUIET_INK)
    bar.ax.yaxis.set_minor_locator(NullLocator())
    bar.set_label(name, color=QUIET_INK, fontsize=9.5)


def _hidden_legend(figure):
    patch = Patch(**_HIDDEN, label="hatched: hidden by the mask, may not be looked at")
    figure.legend(handles=[patch], loc="outside lower left", labelcolor=INK, handlelength=1.6)


def _caption(weights, hidden, tokens, key_tokens, mark_row, are_weights, blanks):
    what = "how row i shares out its attention" if are_weights else "the score of query i and key j"
    parts = [f"Each cell: {what}."]
    if mark_row is not None:
        kind = "weight" if are_weights else "score"
        row = np.where(hidden[mark_row] | np.isnan(weights[mark_row]), -np.inf, weights[mark_row])
        best = int(row.argmax())
        if np.isfinite(row[best]):
            parts.append(
                f"Framed: {tokens[mark_row]}. Its largest {kind} is {_number(row[best], 2)}, "
                f"on {key_tokens[best]}."
            )
    if blanks:
        parts.append("Cells without a number are below 0.005.")
    if hidden.any():
        parts.append("Hatched cells are hidden by the mask.")
    return " ".join(parts)
