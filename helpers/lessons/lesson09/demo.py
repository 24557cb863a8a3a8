"""Lesson 09: two masks and what is left when both have to agree."""

import numpy as np

from helpers.course.explore import explore
from helpers.language import say
from helpers.lessons.lesson09.figures import mask_maps
from helpers.numpy_attention import causal_mask


def mask_explorer() -> None:
    """Show a causal mask, a padding mask and both together, with controls for sizes and sides."""

    def masks(queries, keys, corner, padding, side):
        causal = np.tri(queries, keys, dtype=bool) if corner == 0 else causal_mask(queries, keys)
        places = np.arange(keys) if side == 0 else np.arange(keys)[::-1]  # (n_k,)
        filled = np.broadcast_to(places >= padding, (queries, keys))
        return mask_maps(
            {say("causal"): causal, say("padding"): filled, say("both"): causal & filled}
        )

    explore(
        masks,
        queries=(1, 8),
        keys=(1, 8),
        corner=[(say("bottom right"), 1), (say("top left"), 0)],
        padding=(0, 4),
        side=[(say("right"), 1), (say("left"), 0)],
        start={"queries": 4, "keys": 6, "padding": 1},
        labels={
            "queries": say("queries"),
            "keys": say("keys"),
            "corner": say("causal mask hangs from"),
            "padding": say("keys that are padding"),
            "side": say("padding stands on the"),
        },
    )
