"""Small matrices with their numbers, alone or as a product side by side."""

import numpy as np

from helpers.figures.base import QUIET_INK, as_labels, as_numbers, new_figure, style, text_width
from helpers.figures.cells import (
    checked_mark,
    colour_scale,
    digits_for,
    draw_cells,
    frame,
    frame_row,
    number_text,
)
from helpers.figures.labels import label_height, overlap, with_gloss
from helpers.language import say


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
    mark_row = checked_mark(mark_row, rows)
    mark_column = checked_mark(mark_column, columns, "mark_column")
    if mark_row is not None:
        frame_row(axes, mark_row, columns)
    if mark_column is not None:
        axes.add_patch(frame((mark_column - 0.5, -0.5), 1, rows))
    alt = say("A table of numbers, {rows} × {columns}.", rows=rows, columns=columns)
    figure.caption, figure.alt = caption, alt
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
    shapes = (
        p if isinstance(p, str) else f"{p[0]} ({' × '.join(map(str, np.shape(p[1])))})"
        for p in panels
    )
    figure.caption = caption
    figure.alt = say("Matrices: {shapes}.", shapes=" ".join(shapes))
    return figure


def _draw_matrices(panels, title, signed, vmax, digits, show_shapes):
    parts = [panel if isinstance(panel, str) else _check_panel(panel) for panel in panels]
    shown = [part for part in parts if not isinstance(part, str)]
    if not shown:
        raise ValueError(say("panels must hold at least one matrix, as a tuple (name, matrix)."))
    everything = np.concatenate([matrix.ravel() for _, matrix, _, _ in shown])
    cmap, norm, _ = colour_scale(everything, signed, vmax, "")
    cells = sum(matrix.shape[1] for _, matrix, _, _ in shown)
    if digits is None:
        digits = min(digits_for(everything, norm), 2 if cells <= 10 else 1)

    longest = max(len(number_text(v, digits)) for v in everything)
    sides = [max(text_width(r, 10) for r in rows or [""]) + 0.1 for _, _, rows, _ in shown]
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
    columns = max(label_height(labels or [""], cell_w, 10) for *_, labels in shown)
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
        draw_cells(ax, matrix, hidden, cmap, norm, digits, weights_only=False, size=font)
        ax.set_aspect(cell_h / cell_w)
        ax.xaxis.tick_top()
        ax.xaxis.set_label_position("top")
        sideways = column_labels is not None and overlap(column_labels, cell_w, 10)
        ax.set_xticks(range(cols), column_labels or [""] * cols, rotation=90 if sideways else 0)
        ax.set_yticks(range(rows), row_labels or [""] * rows)
        ax.tick_params(length=0, pad=4, labelsize=10)
        if show_shapes:
            ax.set_title(name, fontsize=11, fontweight="bold", pad=5)
            ax.xaxis.set_label_position("bottom")
            ax.set_xlabel(f"{rows} × {cols}", fontsize=9, color=QUIET_INK, loc="left")
        drawn.append(ax)
    figure.draw_without_rendering()  # cells of a fixed shape need a second round of layout
    return figure, drawn


def _check_panel(panel):
    if not isinstance(panel, tuple) or not 2 <= len(panel) <= 4:
        raise ValueError(
            say(
                "each panel must be a sign such as '=' or a tuple (name, matrix[, row_labels"
                "[, column_labels]]), got {panel}.",
                panel=f"{panel!r:.80}",
            )
        )
    name, matrix, rows, columns = (*panel, None, None)[:4]
    matrix = as_numbers(matrix, name, 2)
    if rows is not None:
        rows = with_gloss(as_labels(rows, name, matrix.shape[0], say("row")))
    if columns is not None:
        columns = with_gloss(as_labels(columns, name, matrix.shape[1], say("column")))
    return name, matrix, rows, columns
