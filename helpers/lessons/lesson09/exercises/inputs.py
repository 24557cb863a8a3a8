"""Inputs for exercise 4 of lesson 09: matrices, masks of every shape, and rates of dropout."""

import numpy as np

from helpers.lessons.lesson09.exercises.runners import MATRICES


def inputs(rng):
    """Draw what the layer is tried on: first plain input, then masks, large scores, dropout."""

    def draw(batch, n, d_model, num_heads, **more):
        X = rng.normal(size=(batch, n, d_model)).round(1)
        matrices = {name: rng.normal(size=(d_model, d_model)).round(1) for name in MATRICES}
        return {"X": X} | matrices | {"num_heads": num_heads} | more

    def far(level, **more):
        """Two heads whose scores lie far from 0, each elsewhere; float32 holds them exactly."""
        given = draw(1, 5, 8, 2, **more)
        X = rng.integers(-1, 2, size=(1, 5, 8)).astype(float)
        X[..., 0] = 1.0
        for name, size in (("W_Q", abs(level)), ("W_K", level)):
            W = rng.integers(-1, 2, size=(8, 8)).astype(float)
            W[0], W[:, ::4], W[0, ::4] = 0.0, 0.0, (size, size / 2)
            given[name] = W
        return given | {"X": X}

    def dropping(d_model, num_heads, dropout):
        """Identities, so that the output shows the weights; queries and keys are any."""
        one, free = np.eye(d_model), rng.normal(size=(2, d_model, d_model))
        given = {"X": one[None], "W_Q": free[0], "W_K": free[1], "W_V": one, "W_O": one.copy()}
        return given | {"num_heads": num_heads, "dropout": dropout}

    def seen(*shape):
        """A mask by chance in which every query may see itself."""
        return (rng.random(shape) < 0.5) | np.eye(shape[-1], dtype=bool)

    padding = np.array([[True, True, False], [True, True, True]])[:, None, None, :]
    nothing = np.array([[True, True, True], [False, False, False]])[:, None, None, :]
    some = np.array([[True, False, True], [False, False, False], [False, True, True]])
    causal = np.tri(4, dtype=bool)
    first = rng.normal(size=(1, 4, 6)).round(1)
    shorter, longer = rng.normal(size=(1, 2, 6)).round(1), rng.normal(size=(3, 7, 6)).round(1)
    return (
        draw(1, 3, 4, 2),
        draw(2, 5, 12, 3),
        draw(1, 3, 4, 1),
        draw(1, 4, 6, 2, mask=causal),
        draw(2, 3, 4, 2, mask=padding),
        draw(2, 3, 4, 2, mask=nothing),
        draw(2, 3, 4, 2, mask=some),
        draw(2, 5, 12, 3, mask=seen(2, 3, 5, 5)),
        draw(2, 4, 6, 3, mask=seen(2, 1, 4, 4)),
        draw(3, 4, 8, 2, mask=seen(2, 4, 4)),
        far(64.0),
        far(-256.0, mask=seen(5, 5)),
        draw(1, 4, 6, 2, mask=causal.T.copy(), first_X=first, first_mask=causal),
        draw(1, 4, 6, 2, mask=causal, first_X=first),
        draw(1, 4, 6, 2, first_X=first, first_mask=causal),
        draw(2, 3, 6, 2, mask=padding, first_X=longer, first_mask=seen(3, 1, 1, 7)),
        draw(2, 5, 6, 3, first_X=shorter),
        dropping(6, 2, 0.2),
        dropping(6, 3, 0.0),
        dropping(6, 3, float(rng.integers(25, 40)) / 100),
    )
