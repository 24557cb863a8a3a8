"""Lesson 04: what the browser computes is what the loops give, and the pictures are right."""

import math

import numpy as np
import pytest
from javascript import call, needs_node

from helpers.lessons.lesson04.figures import blend, content_share, softmax_steps, temperature_bars


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


def test_temperature_picture_shows_the_share_it_names():
    figure = temperature_bars([1.0, 0.0], ["小明", "他"], temperature=0.5)
    share = math.exp(2) / (math.exp(2) + 1)
    assert f"小明 gets {share:.2f}" in figure.caption


def test_temperature_zero_is_refused():
    with pytest.raises(ValueError, match="above 0, got 0"):
        temperature_bars([1.0, 0.0], ["a", "b"], temperature=0)


def test_captions_say_what_the_numbers_are():
    assert "0.73, is that of a" in softmax_steps([1.0, 0.0], ["a", "b"]).caption
    assert "from 0.99 to 0.100" in content_share([1, 0.1], [0.99, 0.1], 0.8).caption
    assert "value 1 with weight 0.70" in blend(np.eye(2), [0.3, 0.7]).caption
