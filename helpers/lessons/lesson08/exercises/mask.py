"""Exercise 2 of lesson 08: a mask that moves with the words."""

import numpy as np

from helpers.course.exercise import Example, Exercise
from helpers.lessons.lesson08.exercises.orders import some_order


def permute_mask(mask, order):
    """Let the mask follow the words: rows and columns move alike."""
    return mask[..., order, :][..., order]


def _mask_inputs(rng):
    def draw(*shape):
        return {"mask": rng.random(shape) < 0.5, "order": some_order(rng, shape[-1])}

    return (
        {"mask": np.tri(3, dtype=bool), "order": np.array([2, 0, 1])},
        {"mask": np.tri(4, dtype=bool), "order": np.array([1, 2, 3, 0])},
        draw(5, 5),
        draw(6, 6),
        draw(2, 4, 4),
        draw(4, 4, 4),
        draw(2, 3, 5, 5),
        draw(4, 4, 4, 4),
    )


def rows_only(mask, order):
    """Only the rows move: who looks is right, who is looked at is still the old place."""
    return mask[..., order, :]


def columns_only(mask, order):
    """Only the columns move: who is looked at is right, who looks is still the old place."""
    return mask[..., order]


def mask_stays(mask, order):
    """The mask stays as it is: it then belongs to the places, not to the words."""
    return mask.copy()


def order_the_other_way(mask, order):
    """It moves rows and columns the wrong way round, as for going back to the first order."""
    back = np.argsort(order)
    return mask[..., back, :][..., back]


def turned_over(mask, order):
    """It also turns the mask over: the one who looks and the one looked at are exchanged."""
    return mask[..., order, :][..., order].swapaxes(-1, -2)


def first_two_axes(mask, order):
    """It moves the first two axes; with a batch in front, rows and columns are the last two."""
    return mask[order][:, order]


def pairs_picked(mask, order):
    """mask[order, order] picks one entry a word, the diagonal, and no table."""
    return mask[..., order, order]


permute_mask = Exercise(
    name="lesson08.permute_mask",
    reference=permute_mask,
    inputs=_mask_inputs,
    hints=(
        "Entry (r, c) of the new mask belongs to two words: the one that now stands at place r, "
        "and the one at place c. Where did they stand before?",
        "new[r, c] = mask[order[r], order[c]]. Which two steps of indexing do that for all r "
        "and c?",
        "mask[order] moves the rows and mask[:, order] the columns: do both. Write ... in front "
        "so that a batch axis is left alone.",
    ),
    wrong=(
        rows_only,
        columns_only,
        mask_stays,
        order_the_other_way,
        turned_over,
        first_two_axes,
        pairs_picked,
    ),
    examples=(
        Example(
            {"mask": np.tri(3, dtype=bool), "order": np.array([2, 0, 1])},
            ("True, True, True",),
            lambda mask: mask[0],
        ),
    ),
)
