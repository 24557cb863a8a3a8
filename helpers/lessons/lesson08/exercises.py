"""Exercises of lesson 08: order."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from helpers.course.exercise import Exercise

# -------------------------------------------------------------------------- permutation_gap


def permutation_gap(f, X, order):
    """Measure how far f is from doing the same to the words in any order."""
    return np.abs(f(X[order]) - f(X)[order]).max()


@dataclass(frozen=True)
class _Named:
    """A function of a table that shows itself in words when a check prints its input."""

    words: str
    function: Callable

    def __call__(self, X):
        return self.function(X)

    def __repr__(self):
        return f"({self.words})"


def _mix(X):
    """Attention of a table with itself, without matrices."""
    scores = X @ X.T / math.sqrt(X.shape[1])
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True) @ X


_RUNNING_SUM = _Named("running sum, from the first row to the last", lambda X: X.cumsum(axis=0))
_NUMBERED = _Named("adds its number to each row", lambda X: X + np.arange(len(X))[:, None])
_ATTENTION = _Named("attention of the rows to each other", _mix)
_PLACED = _Named(
    "attention of the rows, positions added", lambda X: _mix(X + np.arange(len(X))[:, None])
)
_FALLS = _Named("takes its number from each row", lambda X: X - np.arange(len(X))[:, None])


def _some_order(rng, n):
    """An order that does more than exchange words in pairs, so doing it twice does not undo it."""
    order = np.arange(n)
    while (order[order] == np.arange(n)).all():
        order = rng.permutation(n)
    return order


def _gap_inputs(rng):
    def draw(f, n, d):
        return {"f": f, "X": rng.normal(size=(n, d)).round(2), "order": _some_order(rng, n)}

    X = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0]])
    return (
        {"f": _RUNNING_SUM, "X": X, "order": np.array([1, 0, 2])},
        {"f": _RUNNING_SUM, "X": X, "order": np.array([1, 2, 0])},
        {"f": _NUMBERED, "X": X, "order": np.array([2, 0, 1])},
        {"f": _FALLS, "X": X[:, :1], "order": np.array([1, 2, 0])},
        draw(_ATTENTION, 5, 3),
        draw(_PLACED, 6, 2),
        draw(_RUNNING_SUM, 4, 4),
    )


def gap_to_unshuffled(f, X, order):
    """It compares with f(X) in the old order: that asks whether f is invariant, not equivariant."""
    return np.abs(f(X[order]) - f(X)).max()


def shuffled_twice(f, X, order):
    """It applies order once more to go back: that undoes a swap, but no other order."""
    return np.abs(f(X[order])[order] - f(X)).max()


def columns_shuffled(f, X, order):
    """It shuffles the columns: a word is a row."""
    columns = order[order < X.shape[1]]
    return np.abs(f(X[:, columns]) - f(X)[:, columns]).max()


def only_the_result(f, X, order):
    """It never shuffles the input: f has to see X[order]."""
    return np.abs(f(X)[order] - f(X)).max()


def only_the_input(f, X, order):
    """It compares X[order] with X: f is left out."""
    return np.abs(X[order] - X).max()


def without_abs(f, X, order):
    """It takes the largest difference without its absolute value: a drop does not count."""
    return (f(X[order]) - f(X)[order]).max()


def mean_gap(f, X, order):
    """It takes the mean of the differences; the largest one is wanted."""
    return np.abs(f(X[order]) - f(X)[order]).mean()


def reversed_only(f, X, order):
    """It ignores order and always reverses the rows."""
    return np.abs(f(X[::-1]) - f(X)[::-1]).max()


permutation_gap = Exercise(
    name="lesson08.permutation_gap",
    reference=permutation_gap,
    inputs=_gap_inputs,
    hints=(
        "Two ways lead to a shuffled output: shuffle the words and apply f, or apply f and "
        "shuffle its rows. When do both arrive at the same table?",
        "X[order] shuffles the rows. Compare f(X[order]) with f(X)[order], and return the "
        "largest absolute difference.",
    ),
    wrong=(
        gap_to_unshuffled,
        shuffled_twice,
        columns_shuffled,
        only_the_result,
        only_the_input,
        without_abs,
        mean_gap,
        reversed_only,
    ),
)

# ------------------------------------------------------------------------------ permute_mask


def permute_mask(mask, order):
    """Let the mask follow the words: rows and columns move alike."""
    return mask[..., order, :][..., order]


def _mask_inputs(rng):
    def draw(*shape):
        return {"mask": rng.random(shape) < 0.5, "order": _some_order(rng, shape[-1])}

    return (
        {"mask": np.tri(3, dtype=bool), "order": np.array([2, 0, 1])},
        {"mask": np.tri(4, dtype=bool), "order": np.array([1, 2, 3, 0])},
        draw(5, 5),
        draw(6, 6),
        draw(2, 4, 4),
        draw(4, 4, 4),
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
)

# ---------------------------------------------------------------------- sinusoidal_positions


def sinusoidal_positions(n, d_model):
    """Write each position as a row of waves, from fast to slow."""
    columns = np.arange(0, d_model, 2)
    angles = np.arange(n)[:, None] / 10000 ** (columns / d_model)
    positions = np.zeros((n, d_model))
    positions[:, 0::2] = np.sin(angles)
    positions[:, 1::2] = np.cos(angles[:, : d_model // 2])
    return positions


def _position_inputs(rng):
    return tuple(
        {"n": n, "d_model": d_model}
        for n, d_model in (
            (2, 4),
            (4, 8),
            (3, 2),
            (6, 4),
            (5, 7),
            (1, 3),
            (40, 16),
            (int(rng.integers(7, 12)), 6),
        )
    )


def _waves(n, d_model, exponents, first=0, base=10000):
    """Sines in even columns and cosines in odd ones, one exponent a column."""
    angles = np.arange(first, n + first)[:, None] / base**exponents
    odd = np.arange(d_model) % 2 == 1
    return np.where(odd, np.cos(angles), np.sin(angles))


def _pair(d_model):
    columns = np.arange(d_model)
    return (columns - columns % 2) / d_model


def exponent_twice_the_column(n, d_model):
    """The exponent is twice the column number: 2i is already the number of the sine's column."""
    return _waves(n, d_model, 2 * np.arange(d_model) / d_model)


def cosine_with_its_own_exponent(n, d_model):
    """Each cosine uses its own column number: sine and cosine of a pair must share one angle."""
    return _waves(n, d_model, np.arange(d_model) / d_model)


def cosine_of_the_next_pair(n, d_model):
    """Each cosine takes the angle of the next pair; it must share that of the sine before it."""
    columns = np.arange(d_model)
    return _waves(n, d_model, (columns + columns % 2) / d_model)


def sines_then_cosines(n, d_model):
    """All sines come first, then all cosines; they have to take turns, column by column."""
    waves = _waves(n, d_model, _pair(d_model))
    return np.hstack([waves[:, 0::2], waves[:, 1::2]])


def sine_and_cosine_exchanged(n, d_model):
    """Sine and cosine are exchanged: the sine stands in column 0."""
    angles = np.arange(n)[:, None] / 10000 ** _pair(d_model)
    return np.where(np.arange(d_model) % 2 == 1, np.sin(angles), np.cos(angles))


def only_even_widths(n, d_model):
    """It makes as many cosines as sines: an odd d_model has one sine more than cosines."""
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    positions = np.zeros((n, d_model))
    positions[:, 0::2] = np.sin(angles)
    positions[:, 1::2] = np.cos(angles)
    return positions


def counted_from_one(n, d_model):
    """It counts positions from 1; the first one is 0."""
    return _waves(n, d_model, _pair(d_model), first=1)


def base_one_thousand(n, d_model):
    """The base is 1,000; it should be 10,000."""
    return _waves(n, d_model, _pair(d_model), base=1000)


def growing_angles(n, d_model):
    """It multiplies by the power of 10,000: the waves must grow slower to the right, so divide."""
    return _waves(n, d_model, -_pair(d_model))


def positions_as_columns(n, d_model):
    """Rows and columns are exchanged: one row a position is wanted."""
    return _waves(n, d_model, _pair(d_model)).T


def exponent_from_the_number_of_pairs(n, d_model):
    """It divides the column number by the number of pairs; divide it by d_model."""
    return _waves(n, d_model, 2 * _pair(d_model))


sinusoidal_positions = Exercise(
    name="lesson08.sinusoidal_positions",
    reference=sinusoidal_positions,
    inputs=_position_inputs,
    hints=(
        "Make the table of angles first: one row a position, one column a pair. A column of "
        "positions divided by a row of powers gives such a table.",
        "np.arange(0, d_model, 2) holds the numbers 2i. positions[:, 0::2] are the even columns, "
        "positions[:, 1::2] the odd ones.",
        "With d_model = 7 there are four sines and three cosines: take the cosine of the first "
        "d_model // 2 columns of angles.",
    ),
    wrong=(
        exponent_twice_the_column,
        cosine_with_its_own_exponent,
        cosine_of_the_next_pair,
        sines_then_cosines,
        sine_and_cosine_exchanged,
        only_even_widths,
        counted_from_one,
        base_one_thousand,
        growing_angles,
        positions_as_columns,
        exponent_from_the_number_of_pairs,
    ),
)

# ------------------------------------------------------------------------------- step_matrix


def step_matrix(d_model, steps):
    """Turn each pair of columns by its own angle: one matrix for every position."""
    M = np.zeros((d_model, d_model))
    for column in range(0, d_model, 2):
        turn = steps / 10000 ** (column / d_model)
        cos, sin = np.cos(turn), np.sin(turn)
        M[column : column + 2, column : column + 2] = [[cos, -sin], [sin, cos]]
    return M


def _step_inputs(rng):
    return (
        {"d_model": 2, "steps": 1},
        {"d_model": 4, "steps": 1},
        {"d_model": 4, "steps": 3},
        {"d_model": 6, "steps": -2},
        {"d_model": 8, "steps": 0},
        {"d_model": 10, "steps": int(rng.integers(4, 20))},
    )


def _moves_every_row(got, arguments):
    d_model, steps = arguments["d_model"], arguments["steps"]
    if isinstance(got, tuple) or got.shape != (d_model, d_model):
        shape = "several results" if isinstance(got, tuple) else f"shape {got.shape}"
        return f"One matrix of shape {(d_model, d_model)} is wanted, not {shape}."
    rows = _waves(60, d_model, _pair(d_model), first=20)
    wanted = _waves(60, d_model, _pair(d_model), first=20 + steps)
    off = np.abs(rows @ got - wanted)
    if not off.max() < 1e-4:
        place = int(off.max(axis=1).argmax())
        return (
            f"Row {20 + place} times the matrix is not row {20 + place + steps}: "
            f"it is off by up to {off[place].max():.2g}."
        )
    return None


def _turned(d_model, turn_of, sign=1):
    """Turn every pair; `turn_of` gives the angle for a column number."""
    M = np.zeros((d_model, d_model))
    for column in range(0, d_model, 2):
        cos, sin = math.cos(turn_of(column)), math.sin(turn_of(column))
        M[column : column + 2, column : column + 2] = [[cos, -sign * sin], [sign * sin, cos]]
    return M


def backwards(d_model, steps):
    """It turns the other way: back by `steps`. For rows, the minus stands above the diagonal."""
    return _turned(d_model, lambda column: steps / 10000 ** (column / d_model), sign=-1)


def one_angle_for_all(d_model, steps):
    """All pairs turn by the same angle; each pair has a speed of its own."""
    return _turned(d_model, lambda column: steps)


def one_step_only(d_model, steps):
    """It goes one step on, whatever `steps` says."""
    return _turned(d_model, lambda column: 1 / 10000 ** (column / d_model))


def rows_moved(d_model, steps):
    """It rolls the columns along; the numbers inside a row have to turn."""
    return np.roll(np.eye(d_model), steps, axis=1)


def pairs_far_apart(d_model, steps):
    """It pairs column i with column i + d_model/2; sine and cosine stand side by side."""
    M = np.zeros((d_model, d_model))
    half = d_model // 2
    for i in range(half):
        turn = steps / 10000 ** (2 * i / d_model)
        M[i, i] = M[i + half, i + half] = math.cos(turn)
        M[i, i + half], M[i + half, i] = -math.sin(turn), math.sin(turn)
    return M


def column_number_doubled(d_model, steps):
    """The exponent is twice the sine's column number: that is one factor of 2 too many."""
    return _turned(d_model, lambda column: steps / 10000 ** (2 * column / d_model))


step_matrix = Exercise(
    name="lesson08.step_matrix",
    reference=step_matrix,
    inputs=_step_inputs,
    judge=_moves_every_row,
    hints=(
        "Look at one pair: sin(a) and cos(a) have to become sin(a + t) and cos(a + t). Which two "
        "formulas from school say what these are?",
        "sin(a + t) = sin(a) cos(t) + cos(a) sin(t), cos(a + t) = cos(a) cos(t) − sin(a) sin(t). "
        "For a row (sin a, cos a) times a 2 × 2 matrix, that is [[cos t, −sin t], [sin t, cos t]].",
        "Put one such block for each pair on the diagonal, with t = steps / 10000 ** (2i/d_model).",
    ),
    wrong=(
        backwards,
        one_angle_for_all,
        one_step_only,
        rows_moved,
        pairs_far_apart,
        column_number_doubled,
    ),
    points=2,
)
