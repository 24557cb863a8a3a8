"""What the demonstrations of the lessons compute in the browser is what NumPy computes."""

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from javascript import call, call_many, needs_node

from helpers.lessons.lesson02.demo import library
from helpers.lessons.lesson03.demo import two_matrices
from helpers.lessons.lesson04.demo import step_through, two_sliders
from helpers.lessons.lesson05.demo import scale_slider
from helpers.lessons.lesson07.demo import LENGTHS, MACHINES, price_calculator
from helpers.lessons.lesson07.figures import bytes_text
from helpers.lessons.lesson07.prices import MODELS, costs
from helpers.lessons.lesson08.demo import reorder
from helpers.numpy_attention import causal_mask, self_attention, sinusoidal_positions, softmax
from helpers.sentences import (
    CHANNELS,
    CONTENTS,
    FEATURES,
    GLOSSES,
    TOKENS,
    toy_embeddings,
    toy_matrices,
)

X = toy_embeddings()


def shown_by(function, *args, **kwargs):
    """The HTML of the one output, and the data that travels in it."""
    InteractiveShell.instance()
    with capture_output(stdout=False, stderr=False) as captured:
        function(*args, **kwargs)
    (output,) = captured.outputs
    page = output.data["text/html"]
    return page, json.loads(re.search(r'"application/json">(.*?)</script>', page)[1])


def test_each_demonstration_carries_its_numbers_and_a_gloss_for_every_token():
    matrices = toy_matrices()
    S = np.arange(9.0).reshape(3, 3)
    three = [TOKENS[j] for j in (0, 2, 8)]
    outputs = {
        "library": shown_by(library, np.eye(2), np.eye(2), [1, 0], ["a", "b"], ["c", "d"], "lrbt"),
        "matrices": shown_by(
            two_matrices, X, *matrices[:2], TOKENS, GLOSSES, FEATURES, CHANNELS, asking=8
        ),
        "steps": shown_by(step_through, S, np.eye(3), three, CONTENTS),
        "sliders": shown_by(two_sliders, np.arange(4.0).reshape(2, 2), TOKENS[:2], [1, 0]),
        "scale": shown_by(scale_slider, TOKENS, "他", np.random.default_rng(0)),
        "price": shown_by(price_calculator),
        "order": shown_by(reorder, X, *matrices, TOKENS, GLOSSES, CONTENTS),
    }
    for page, _ in outputs.values():
        assert '<img alt="' in page
    assert outputs["library"][1]["key_vectors"] == [[1, 0], [0, 1]]
    assert outputs["matrices"][1]["W_Q"] == matrices[0].tolist()
    assert outputs["steps"][1]["glosses"] == ["Xiaoming", "book", "he"]
    assert outputs["sliders"][1]["scores"] == [[2, 3], [0, 1]]
    assert outputs["sliders"][1]["glosses"] == ["Xiaoming", "[object]"]
    assert outputs["scale"][1]["glosses"] == list(GLOSSES)
    assert np.shape(outputs["scale"][1]["dots"]) == (12, 23, 10)
    assert list(outputs["price"][1]["models"]) == list(MODELS)
    assert outputs["order"][1]["glosses"] == list(GLOSSES)


@needs_node
@pytest.mark.parametrize("similarity", ["dot", "cosine", "distance"])
def test_lesson_02_looks_up_what_numpy_looks_up(similarity):
    rng = np.random.default_rng(0)
    query, keys, values = rng.normal(size=2), rng.normal(size=(5, 2)), rng.normal(size=(5, 3))
    scores = keys @ query
    if similarity == "cosine":
        scores = scores / np.linalg.norm(query) / np.linalg.norm(keys, axis=1)
    if similarity == "distance":
        scores = -np.linalg.norm(keys - query, axis=1)
    arrays = query.tolist(), keys.tolist(), values.tolist()
    sharpnesses = 0.0, 1.0, 12.5
    got = call_many("lesson02/demo.js", [("lookup", *arrays, s, similarity) for s in sharpnesses])
    for sharpness, result in zip(sharpnesses, got, strict=True):
        weights = softmax(sharpness * scores)
        np.testing.assert_allclose(result["weights"], weights, atol=1e-12)
        np.testing.assert_allclose(result["output"], weights @ values, atol=1e-12)


@needs_node
def test_lesson_02_gives_equal_weights_to_a_query_without_a_direction():
    got = call("lesson02/demo.js", "lookup", [0, 0], [[1, 0], [0, 2]], [[1], [3]], 5, "cosine")
    assert got["weights"] == [0.5, 0.5]


@needs_node
@pytest.mark.parametrize("asking", [0, 6, 8])
def test_lesson_03_shows_scores_both_ways_and_weights(asking):
    rng = np.random.default_rng(asking)
    W_Q, W_K = rng.normal(size=(6, 4)), rng.normal(size=(6, 4))
    scores = X @ W_Q @ W_K.T @ X.T / math.sqrt(4)
    got = call("lesson03/demo.js", "look", X.tolist(), W_Q.tolist(), W_K.tolist(), asking)
    np.testing.assert_allclose(got["query"], X[asking] @ W_Q, atol=1e-12)
    np.testing.assert_allclose(got["scores"], scores[asking], atol=1e-12)
    np.testing.assert_allclose(got["back"], scores[:, asking], atol=1e-12)
    np.testing.assert_allclose(got["weights"], softmax(scores)[asking], atol=1e-12)


@needs_node
def test_lesson_03_stays_finite_at_the_largest_numbers_that_can_be_typed():
    largest = np.full((6, 4), 1000.0).tolist()
    got = call("lesson03/demo.js", "look", X.tolist(), largest, largest, 8)
    assert sum(got["weights"]) == pytest.approx(1)


@needs_node
@pytest.mark.parametrize("level", [0.0, 1000.0, -1000.0])
def test_lesson_04_steps_are_those_of_loops(level):
    rng = np.random.default_rng(1)
    scores, values = rng.normal(scale=3, size=(3, 3)) + level, rng.normal(size=(3, 2))
    got = call("lesson04/demo.js", "stages", scores.tolist(), values.tolist())
    for i in range(3):
        powers = [math.exp(scores[i, j] - max(scores[i])) for j in range(3)]
        weights = [e / math.fsum(powers) for e in powers]
        mixed = [math.fsum(weights[j] * values[j, c] for j in range(3)) for c in range(2)]
        np.testing.assert_allclose(got["exponentials"][i], powers, atol=1e-12)
        np.testing.assert_allclose(got["weights"][i], weights, atol=1e-12)
        np.testing.assert_allclose(got["output"][i], mixed, atol=1e-12)


@needs_node
def test_lesson_04_explains_every_step_in_words_and_numbers():
    stages = call("lesson04/demo.js", "stages", [[4, 2], [0, 1]], [[1], [3]])
    steps = [("explain", step, 0, ["小明 Xiaoming", "他 he"], stages) for step in range(5)]
    told = call_many("lesson04/demo.js", steps)
    assert [numbers for _, numbers in told] == [
        "4.00   2.00",
        "4.00 − 4.00   2.00 − 4.00",
        "exp(0.00)   exp(−2.00)",
        "1.00 / 1.14   0.14 / 1.14",
        "0.88 · 小明 Xiaoming + 0.12 · 他 he",
    ]
    for sentence, _ in told:
        assert sentence.endswith(".")
        assert not re.search(r"undefined|NaN|[{}]", sentence)


@needs_node
@pytest.mark.parametrize(("place", "T"), [(-20, 0.1), (0, 1.0), (7, 10**0.35), (20, 10.0)])
def test_lesson_04_shares_follow_what_is_added_and_the_temperature(place, T):
    scores = np.random.default_rng(place + 20).normal(scale=3, size=10).tolist()
    assert call("lesson04/sliders.js", "temperature", place) == pytest.approx(T)
    got = call_many("lesson04/sliders.js", [("sharesOf", scores, add, T) for add in (0, -100, 100)])
    powers = [math.exp((score - max(scores)) / T) for score in scores]
    for shares in got:  # whatever is added
        np.testing.assert_allclose(shares, np.array(powers) / math.fsum(powers), atol=1e-12)


@needs_node
@pytest.mark.parametrize("d", [2, 64, 4096])
def test_lesson_05_rows_are_those_of_numpy_for_each_division(d):
    dots = np.random.default_rng(d).normal(size=10) * math.sqrt(d)
    for mode, divisor in enumerate((1, math.sqrt(d), d)):
        assert call("lesson05/demo.js", f"MODES[{mode}].divisor", d) == pytest.approx(divisor)
        law = call("lesson05/demo.js", f"MODES[{mode}].law", d)
        assert law == pytest.approx(math.sqrt(d) / divisor)
        got = call("lesson05/demo.js", "row", dots.tolist(), divisor)
        weights = softmax(dots / divisor)
        slopes = np.diag(weights) - np.outer(weights, weights)
        np.testing.assert_allclose(got["weights"], weights, atol=1e-12)
        np.testing.assert_allclose(got["slopes"], slopes, atol=1e-12)
        assert got["spread"] == pytest.approx((dots / divisor).std())
        assert got["size"] == pytest.approx(np.linalg.norm(slopes), abs=1e-12)


@needs_node
@pytest.mark.parametrize("n", [10, 1000, 1_000_000])
def test_lesson_07_calculates_the_prices_of_numpy(n):
    for name, model in MODELS.items():
        for each in (model, model.with_kv(1), replace(model, causal=False, bytes=4)):
            got = call("lesson07/demo.js", "costs", n, each.sizes())
            assert got == pytest.approx(costs(n, each), rel=1e-12), name


@needs_node
def test_lesson_07_writes_amounts_for_readers():
    amounts = [0, 1, 999, 1024, 1536, 2**20, 5 * 2**30 + 1, 2**40, 3 * 2**51]
    written = call_many("lesson07/demo.js", [("bytesText", amount) for amount in amounts])
    assert written == [bytes_text(amount).replace(",", "") for amount in amounts]
    powers = call_many("lesson07/demo.js", [("powerText", v) for v in (1234, 1e14, 5.28e17)])
    assert powers == ["1234", "10¹⁴", "5.3 · 10¹⁷"]
    seconds = 0.048, 90, 5400, 86400 * 400
    times = call_many("lesson07/demo.js", [("durationText", second) for second in seconds])
    assert times == ["48 ms", "90 s", "90 minutes", "400 days"]


@needs_node
def test_lesson_07_draws_every_amount_inside_its_axis():
    longest, largest = max(LENGTHS.values()), replace(MODELS["DeepSeek-V3"], bytes=4).with_kv(128)
    largest = [costs(longest, largest)[what] for what in ("tables", "cache", "weights")]
    places = [call("lesson07/demo.js", "across", v) for v in (0.5, *MACHINES.values(), *largest)]
    assert min(places) == 0
    assert max(places) <= 100
    assert places[1:4] == sorted(places[1:4])
    assert all(model.heads % model.kv == 0 for model in MODELS.values())


@needs_node
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("strength", [0, 0.37])
def test_lesson_08_attends_and_moves_as_numpy_does(causal, strength):
    rng = np.random.default_rng(5)
    matrices = [rng.normal(size=size) for size in ((6, 4), (6, 4), (6, 3))]
    places = strength * sinusoidal_positions(10, 6)
    mask = causal_mask(10) if causal else None
    order = rng.permutation(10)
    given = X.tolist(), [W.tolist() for W in matrices], order.tolist(), causal, strength
    shown, moved = call_many("lesson08/demo.js", [("attend", *given), ("moved", *given)])
    output, weights = self_attention(X[order] + places, *matrices, mask)
    np.testing.assert_allclose(shown["output"], output, atol=1e-12)
    np.testing.assert_allclose(shown["weights"], weights, atol=1e-12)
    first = self_attention(X + places, *matrices, mask)[0]
    wanted = np.abs(output - first[order]).max(axis=1)[np.argsort(order)]
    np.testing.assert_allclose(moved, wanted, atol=1e-12)


@needs_node
@pytest.mark.parametrize("width", [1, 6, 7])
def test_lesson_08_adds_the_positions_of_numpy(width):
    got = call("lesson08/demo.js", "positions", 12, width)
    np.testing.assert_allclose(got, sinusoidal_positions(12, width), atol=1e-12)


@needs_node
def test_lesson_08_takes_a_word_out_and_puts_it_in_again():
    moves = [("move", [0, 1, 2, 3], start, end) for start, end in ((0, 2), (3, 0), (1, 1))]
    assert call_many("lesson08/demo.js", moves) == [[1, 2, 0, 3], [3, 0, 1, 2], [0, 1, 2, 3]]
