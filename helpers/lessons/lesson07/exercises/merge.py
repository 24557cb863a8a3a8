"""Exercise 3 of lesson 07: two blocks become one."""

import numpy as np

from helpers.course.exercise import Example, Exercise


def merge_blocks(first, second):
    """Put together what two blocks of keys have found for the same queries."""
    largest = np.maximum(first[0], second[0])  # (n,)
    level = np.where(largest == -np.inf, 0.0, largest)  # nothing seen in either block
    left, right = np.exp(first[0] - level), np.exp(second[0] - level)  # (n,), (n,)
    total = left * first[1] + right * second[1]  # (n,)
    mixed = left[:, None] * first[2] + right[:, None] * second[2]  # (n, d_v)
    return largest, total, mixed


def _merge_inputs(rng):
    def block(scores, V):
        """What a block of keys finds: its largest scores, totals, mixed values."""
        largest = scores.max(axis=1)
        exponentials = np.exp(scores - np.where(largest == -np.inf, 0.0, largest)[:, None])
        return largest, exponentials.sum(axis=1), exponentials @ V

    def draw(n, k1, k2, d_v, level=0.0):
        eighths = (16 * rng.normal(size=(n, k1 + k2))).round()  # exact in float32 as well
        scores = eighths / 8 + np.broadcast_to(level, n)[:, None]
        V = rng.normal(size=(k1 + k2, d_v)).round(1)
        return scores, V, k1

    def pair(scores, V, k1):
        return {"first": block(scores[:, :k1], V[:k1]), "second": block(scores[:, k1:], V[k1:])}

    rising = np.array([[0.0, 1.0, 3.0], [2.0, 1.0, 2.0]])
    falling = np.array([[5.0, 4.0, 1.0], [1.0, 0.0, -1.0]])
    hidden = np.array([[-np.inf, -np.inf, 1.0], [0.5, 1.0, -np.inf]])
    empty = np.array([[-np.inf, -np.inf, -np.inf], [0.0, 1.0, 2.0]])
    apart = np.array([[-40.0, -30.0, 2.0], [3.0, -9.0, -40.0]])
    V = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]])
    return (
        pair(rising, V, 2),
        pair(falling, V, 1),
        pair(*draw(3, 3, 2, 2)),
        pair(*draw(2, 2, 2, 3, level=-900.0)),
        pair(*draw(2, 1, 3, 2, level=900.0)),
        pair(*draw(4, 5, 1, 1)),
        pair(*draw(3, 2, 4, 3, level=[-900.0, 0.0, 900.0])),
        pair(hidden, V, 2),
        pair(empty, V, 1),
        pair(apart, V, 2),
    )


def _merged(first, second, shrinks, largest=None):
    """Merge with other factors than the right ones."""
    largest = np.maximum(first[0], second[0]) if largest is None else largest
    total = sum(s * part[1] for s, part in zip(shrinks, (first, second), strict=True))
    mixed = sum(s[:, None] * part[2] for s, part in zip(shrinks, (first, second), strict=True))
    return largest, total, mixed


def _shrinks(first, second):
    """The right factors of the two blocks."""
    largest = np.maximum(first[0], second[0])
    level = np.where(largest == -np.inf, 0.0, largest)
    return [np.exp(part[0] - level) for part in (first, second)]


def added_as_they_are(first, second):
    """It adds totals that were measured from different levels; each must shrink first."""
    return _merged(first, second, [np.ones_like(first[0])] * 2)


def total_shrinks_alone(first, second):
    """The totals shrink, the mixed values do not; both are sums of the same exponentials."""
    largest, total, _ = _merged(first, second, _shrinks(first, second))
    return largest, total, first[2] + second[2]


def mixed_shrinks_alone(first, second):
    """The mixed values shrink, the totals do not; both are sums of the same exponentials."""
    largest, _, mixed = _merged(first, second, _shrinks(first, second))
    return largest, first[1] + second[1], mixed


def second_is_always_larger(first, second):
    """Only the first block shrinks, as if the second always had the larger maximum."""
    shrinks = [np.exp(first[0] - second[0]), np.ones_like(first[0])]
    return _merged(first, second, shrinks)


def factor_upside_down(first, second):
    """The factor is upside down: exp(old - new) shrinks, exp(new - old) grows."""
    largest = np.maximum(first[0], second[0])
    return _merged(first, second, [np.exp(largest - part[0]) for part in (first, second)])


def ratio_of_the_maxima(first, second):
    """It shrinks by the ratio of the maxima; a difference of scores is a ratio of shares."""
    largest = np.maximum(first[0], second[0])
    return _merged(first, second, [part[0] / largest for part in (first, second)])


def maxima_added(first, second):
    """It adds the two maxima; the larger of the two is the maximum of both blocks."""
    return _merged(first, second, _shrinks(first, second), largest=first[0] + second[0])


def never_below_zero(first, second):
    """It keeps the maximum at 0 or above; a row of negative scores then vanishes."""
    largest = np.maximum(np.maximum(first[0], second[0]), 0.0)
    return _merged(first, second, [np.exp(p[0] - largest) for p in (first, second)], largest)


def already_divided(first, second):
    """It divides by the total already; that comes once, after the last block."""
    largest, total, mixed = _merged(first, second, _shrinks(first, second))
    return largest, total, mixed / np.where(total == 0, 1.0, total)[:, None]


def mean_of_the_blocks(first, second):
    """It averages the mixed values of the two blocks; each counts by its total, not by half."""
    largest, total, _ = _merged(first, second, _shrinks(first, second))
    return largest, total, (first[2] + second[2]) / 2


def infinity_minus_infinity(first, second):
    """Where both blocks saw nothing it computes infinity minus infinity; zeros are wanted."""
    largest = np.maximum(first[0], second[0])
    return _merged(first, second, [np.exp(part[0] - largest) for part in (first, second)])


def one_level_for_all(first, second):
    """It measures all queries from one level, the largest of all; each query has its own."""
    largest = np.maximum(first[0], second[0])
    return _merged(first, second, [np.exp(p[0] - largest.max()) for p in (first, second)])


def without_a_column(first, second):
    """The factors need a column of their own, [:, None]: as a row they go along the values."""
    largest, total, _ = _merged(first, second, _shrinks(first, second))
    pairs = zip(_shrinks(first, second), (first, second), strict=True)
    return largest, total, sum(shrink * part[2] for shrink, part in pairs)


merge_blocks = Exercise(
    name="lesson07.merge_blocks",
    reference=merge_blocks,
    inputs=_merge_inputs,
    returns=("largest", "total", "mixed"),
    hints=(
        "The largest score of both blocks is easy. From which level was each block's total "
        "measured, and from which level must it be measured now?",
        "A block shrinks by exp(its own largest - the new largest). For one of the two that is "
        "exp(0) = 1. Total and mixed shrink by the same factor.",
        "A block in which a query saw nothing has largest -inf and total 0; exp(-inf) = 0 is fine. "
        "Only if both are -inf the difference is not a number: take 0 for the new level there.",
    ),
    wrong=(
        added_as_they_are,
        total_shrinks_alone,
        mixed_shrinks_alone,
        second_is_always_larger,
        factor_upside_down,
        ratio_of_the_maxima,
        maxima_added,
        never_below_zero,
        already_divided,
        mean_of_the_blocks,
        infinity_minus_infinity,
        one_level_for_all,
        without_a_column,
    ),
    examples=(
        Example(
            {
                "first": (np.ones(1), np.ones(1), np.ones((1, 2))),
                "second": (np.array([3.0]), np.ones(1), np.ones((1, 2))),
            },
            ("3", "1.135"),
            lambda both: both[:2],
        ),
    ),
)
