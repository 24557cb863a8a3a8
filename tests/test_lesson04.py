"""Lesson 04: the pictures are right."""

import math

import numpy as np
import pytest

from helpers import numpy_attention as attention
from helpers.lessons import lesson04
from helpers.lessons.lesson04 import rivals
from helpers.lessons.lesson04.figures import blend


def test_the_caption_of_the_blend_names_the_largest_weight():
    assert "value 1 with weight 0.70" in blend(np.eye(2), [0.3, 0.7]).caption


def distance_to_hull(point, corners, steps=4000):
    """How far a point lies from all averages of corners, the worst corner giving to the best."""
    shares = np.full(len(corners), 1 / len(corners))
    for _ in range(steps):
        slopes = corners @ (shares @ corners - point)
        towards, away = np.argmin(slopes), np.argmax(np.where(shares > 0, slopes, -np.inf))
        move = corners[towards] - corners[away]
        best = -(shares @ corners - point) @ move / max(move @ move, 1e-300)
        step = min(max(best, 0.0), shares[away])
        shares[towards] += step
        shares[away] -= step
        if step == 0:
            break
    return float(np.linalg.norm(shares @ corners - point))


@pytest.mark.parametrize(
    ("attend", "inside"),
    [
        (attention.self_attention, True),
        (rivals.hard_lookup, True),
        (rivals.rows_of_too_much, False),
        (rivals.nothing_comes_out, False),
        (rivals.columns_add_up, False),
        (rivals.some_weights_negative, False),
        (rivals.random_vectors, False),
        (rivals.values_and_input, False),
    ],
)
def test_who_leaves_the_hull_is_also_found_by_a_search_over_all_averages(attend, inside):
    rng = np.random.default_rng(0)
    words, W = rng.normal(size=(8, 16)), rng.normal(scale=0.8, size=(3, 16, 16))
    outputs = attend(words, *W)[0]
    furthest = max(distance_to_hull(output, words @ W[2]) for output in outputs)
    assert (furthest < 1e-3) == inside
    assert inside or furthest > 0.1


@pytest.mark.parametrize("scale", [1.0, 30.0, 20000.0])
def test_quiet_softmax_is_what_a_sink_of_score_zero_leaves(scale):
    scores = np.random.default_rng(0).normal(scale=scale, size=(4, 6))
    quiet = lesson04.quiet_softmax.reference(scores)
    for row, shares in zip(scores, quiet, strict=True):
        top = max(0.0, *row)
        powers = [math.exp(score - top) for score in row]
        total = math.fsum(powers) + math.exp(-top)
        np.testing.assert_allclose(shares, [power / total for power in powers], atol=1e-15)
