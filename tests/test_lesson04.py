"""Lesson 04: what the browser computes is what the loops give, and the pictures are right."""

import math

import numpy as np
import pytest
from javascript import call, needs_node

from helpers import numpy_attention as attention
from helpers.lessons import lesson04
from helpers.lessons.lesson04 import rivals
from helpers.lessons.lesson04.figures import blend


@needs_node
@pytest.mark.parametrize("level", [0.0, 1000.0, -1000.0])
def test_stepping_through_shows_the_numbers_that_loops_give(level):
    rng = np.random.default_rng(1)
    scores = rng.normal(scale=3, size=(3, 3)) + level
    values = rng.normal(size=(3, 2))
    got = call("lesson04/demo.js", "stages", scores.tolist(), values.tolist())
    for i in range(3):
        exponentials = [math.exp(scores[i, j] - max(scores[i])) for j in range(3)]
        weights = [e / math.fsum(exponentials) for e in exponentials]
        output = [math.fsum(weights[j] * values[j, c] for j in range(3)) for c in range(2)]
        np.testing.assert_allclose(got["exponentials"][i], exponentials, atol=1e-12)
        np.testing.assert_allclose(got["weights"][i], weights, atol=1e-12)
        np.testing.assert_allclose(got["output"][i], output, atol=1e-12)


@needs_node
@pytest.mark.parametrize("step", range(5))
def test_every_step_explains_the_chosen_row(step):
    stages = call("lesson04/demo.js", "stages", [[4, 2], [0, 1]], [[1], [3]])
    sentence, arithmetic = call("lesson04/demo.js", "explain", step, 0, ["小明", "他"], stages)
    assert sentence
    assert arithmetic
    assert "undefined" not in sentence + arithmetic


@needs_node
def test_numbers_are_written_with_a_true_minus_and_no_negative_zero():
    assert call("lesson04/demo.js", "shown", -1.5) == "−1.50"
    assert call("lesson04/demo.js", "shown", -0.0001) == "0.00"


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
