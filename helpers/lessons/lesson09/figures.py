"""Pictures of lesson 09: which query may look at which key."""

import numpy as np
from matplotlib.colors import Normalize
from matplotlib.patches import Patch

from helpers.figures.base import (
    INK,
    QUIET_INK,
    WEIGHT_MAP,
    as_labels,
    darker,
    new_figure,
    style,
    text_width,
)
from helpers.figures.cells import HIDDEN, MARK, draw_cells, frame_row
from helpers.figures.labels import label_height, overlap
from helpers.figures.maps import columns_are_seen, rows_look
from helpers.language import say, together

ALLOWED = 0.45  # of the colour map


@style()
def mask_maps(masks, row_labels=None, column_labels=None):
    """Masks side by side: coloured cells may be looked at, hatched cells are hidden.

    A row that may look at nothing is framed.

    Args:
        masks: {name: (n_q, n_k) bool}, all of one shape. True = may attend.
        row_labels: n_q labels; the numbers from 0 if None.
        column_labels: n_k labels; the numbers from 0 if None.

    Returns:
        CourseFigure.

    Raises:
        TypeError: if a mask is not boolean.
        ValueError: if there is no mask, or the masks differ in shape, or labels do not fit.
    """
    masks = {name: _as_mask(name, mask) for name, mask in masks.items()}
    shapes = {mask.shape for mask in masks.values()}
    if len(shapes) != 1:
        raise ValueError(say("masks must hold masks of one shape, got {got}.", got=sorted(shapes)))
    (n_q, n_k), count = shapes.pop(), len(masks)
    rows = [str(i) for i in range(n_q)] if row_labels is None else row_labels
    columns = [str(j) for j in range(n_k)] if column_labels is None else column_labels
    rows = as_labels(rows, "row_labels", n_q, say("row"))
    columns = as_labels(columns, "column_labels", n_k, say("column"))

    side = max(text_width(label, 10) for label in rows) + 0.45
    cell = min(0.36, (6.9 - side - 0.25 * (count - 1)) / (count * n_k))
    width = max(side + count * (max(n_k * cell, 1.35) + 0.12), 4.2)
    sideways = overlap(columns, cell, 10)
    height = max(n_q * cell, 1.5) + label_height(columns, cell, 10) + 1.2
    figure, axes = new_figure(width, height, 1, count, squeeze=False)
    for place, (ax, (name, mask)) in enumerate(zip(axes[0], masks.items(), strict=True)):
        values = np.full(mask.shape, ALLOWED)
        draw_cells(ax, values, ~mask, WEIGHT_MAP, Normalize(0, 1), None, weights_only=True)
        ax.set_aspect("equal")
        ax.xaxis.tick_top()
        ax.xaxis.set_label_position("top")
        ax.set_xticks(range(n_k), columns, rotation=90 if sideways else 0)
        ax.set_yticks(range(n_q), [""] * n_q if place else rows)
        ax.tick_params(length=0, pad=3, labelsize=10)
        ax.set_title(name, fontsize=10.5, fontweight="bold", pad=6)
        ax.set_xlabel(
            " " if place else columns_are_seen(), color=QUIET_INK, fontsize=9.5, loc="left"
        )
        if not place:
            ax.set_ylabel(rows_look(), color=QUIET_INK, fontsize=9.5)
        for i in np.flatnonzero(~mask.any(axis=1)):
            frame_row(ax, i, n_k)
    patches = [
        Patch(facecolor=WEIGHT_MAP(ALLOWED), label=say("may be looked at")),
        Patch(**HIDDEN, label=say("hidden")),
    ]
    if any((~mask.any(axis=1)).any() for mask in masks.values()):
        patches.append(Patch(fill=False, edgecolor=MARK, linewidth=2, label=say("sees nothing")))
    legend = figure.legend(
        handles=patches, loc="outside lower left", ncols=len(patches), labelcolor=INK
    )
    if len(patches) == 3:
        legend.get_texts()[-1].set_color(darker(MARK))
    figure.draw_without_rendering()  # cells of a fixed shape need a second round of layout
    figure.caption = _caption(masks)
    return figure


def _as_mask(name, mask):
    if hasattr(mask, "detach"):
        mask = mask.detach().cpu().numpy()
    mask = np.asarray(mask)
    if mask.dtype != np.bool_:
        raise TypeError(
            say(
                "The mask {name} must be boolean, got dtype {got}.", name=repr(name), got=mask.dtype
            )
        )
    if mask.ndim != 2 or not mask.size:
        raise ValueError(
            say(
                "The mask {name} must have shape (n_q, n_k), got {got}.",
                name=repr(name),
                got=mask.shape,
            )
        )
    return mask


def _caption(masks):
    sentences = []
    for name, mask in masks.items():
        sentences.append(
            say(
                "{name}: {open} of {all} cells may be looked at.",
                name=name,
                open=int(mask.sum()),
                all=mask.size,
            )
        )
        empty = int((~mask.any(axis=1)).sum())
        if empty:
            sentences.append(
                say("{name}: rows that may look at nothing: {empty}.", name=name, empty=empty)
            )
    return together(*sentences)
