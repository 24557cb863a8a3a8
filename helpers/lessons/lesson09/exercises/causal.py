"""Exercise 1 of lesson 09: the causal mask."""

import numpy as np

from helpers.course.exercise import Example, Exercise
from helpers.language import say


def drawn(got, want):
    """Draw a mask that came back beside the wanted one."""
    from helpers.lessons.lesson09.figures import mask_maps

    return mask_maps({say("came back"): got, say("wanted"): want})


def causal_mask(n_q, n_k=None):
    """Let the last query see all keys, and each query before it one key fewer."""
    n_k = n_q if n_k is None else n_k
    return np.tri(n_q, n_k, k=n_k - n_q, dtype=bool)


def _causal_inputs(rng):
    return (
        {"n_q": 3},
        {"n_q": 1},
        {"n_q": 1, "n_k": 5},
        {"n_q": 2, "n_k": 5},
        {"n_q": 4, "n_k": 4},
        {"n_q": 4, "n_k": 2},
        {"n_q": 5, "n_k": 12},
        {"n_q": int(rng.integers(5, 9))},
        {"n_q": 3, "n_k": int(rng.integers(6, 12))},
    )


def _tri(n_q, n_k, k):
    return np.tri(n_q, n_q if n_k is None else n_k, k, dtype=bool)


def _late(n_q, n_k):
    return 0 if n_k is None else n_k - n_q


def marks_the_hidden(n_q, n_k=None):
    """True marks what is hidden; here True means "may attend"."""
    return ~_tri(n_q, n_k, _late(n_q, n_k))


def looks_ahead(n_q, n_k=None):
    """It keeps the upper triangle: each token sees itself and the future."""
    return np.triu(np.ones((n_q, n_q if n_k is None else n_k), dtype=bool))


def hides_itself(n_q, n_k=None):
    """The diagonal is hidden too: no token sees itself, and the first one sees nothing."""
    return _tri(n_q, n_k, _late(n_q, n_k) - 1)


def one_too_many(n_q, n_k=None):
    """Each token sees one token of the future."""
    return _tri(n_q, n_k, _late(n_q, n_k) + 1)


def hangs_top_left(n_q, n_k=None):
    """It lines up the first query with the first key; the last ones belong together."""
    return _tri(n_q, n_k, 0)


def mirrored(n_q, n_k=None):
    """It is the mirror image: the first key should be the one that everybody sees."""
    return _tri(n_q, n_k, _late(n_q, n_k))[:, ::-1]


def always_square(n_q, n_k=None):
    """It ignores n_k: the mask needs a column for each key."""
    return np.tri(n_q, dtype=bool)


def ones_and_zeros(n_q, n_k=None):
    """It returns the numbers 1 and 0: a boolean array is wanted (dtype=bool)."""
    return _tri(n_q, n_k, _late(n_q, n_k)).astype(float)


def numbers_to_add(n_q, n_k=None):
    """It returns 0 and minus infinity, to be added to scores; True and False are wanted."""
    return np.where(_tri(n_q, n_k, _late(n_q, n_k)), 0.0, -np.inf)


causal_mask = Exercise(
    name="lesson09.causal_mask",
    reference=causal_mask,
    inputs=_causal_inputs,
    show=drawn,
    hints=(
        "Start square. Which NumPy function makes a lower triangle of ones? Should the diagonal "
        "belong to it?",
        "np.tri(n_q, n_k, k) moves the edge of the triangle k columns to the right.",
        "The last query, row n_q - 1, has to see the last key, column n_k - 1. Without k the edge "
        "of row i is at column i. So k = n_k - n_q, and dtype=bool.",
    ),
    wrong=(
        marks_the_hidden,
        looks_ahead,
        hides_itself,
        one_too_many,
        hangs_top_left,
        mirrored,
        always_square,
        ones_and_zeros,
        numbers_to_add,
    ),
    examples=(
        Example({"n_q": 2, "n_k": 4}, ("[[True, True, True, False], [True, True, True, True]]",)),
    ),
)
