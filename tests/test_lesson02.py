"""Lesson 02: what the browser computes is what NumPy computes, and the picture is right."""

import numpy as np
import pytest
from javascript import call, needs_node

from helpers.lessons.lesson02.figures import library_plane


def plain_lookup(query, keys, values, sharpness, similarity):
    """Loops over books, one number at a time."""
    scores = []
    for key in keys:
        dot = sum(a * b for a, b in zip(query, key, strict=True))
        if similarity == "cosine":
            dot /= np.hypot(*query) * np.hypot(*key)
        if similarity == "distance":
            dot = -np.hypot(key[0] - query[0], key[1] - query[1])
        scores.append(sharpness * dot)
    exponentials = [np.exp(score) for score in scores]
    weights = np.array(exponentials) / sum(exponentials)
    return weights, sum(w * np.array(v) for w, v in zip(weights, values, strict=True))


@needs_node
@pytest.mark.parametrize("similarity", ["dot", "cosine", "distance"])
def test_dragging_the_query_shows_the_weights_that_numpy_gives(similarity):
    rng = np.random.default_rng(0)
    for sharpness in (0.0, 1.0, 12.5):
        query, keys, values = rng.normal(size=2), rng.normal(size=(5, 2)), rng.normal(size=(5, 3))
        got = call(
            "lesson02/demo.js", "lookup", query.tolist(), keys.tolist(), values.tolist(), sharpness,
            similarity,
        )  # fmt: skip
        weights, output = plain_lookup(query, keys, values, sharpness, similarity)
        np.testing.assert_allclose(got["weights"], weights, atol=1e-12)
        np.testing.assert_allclose(got["output"], output, atol=1e-12)


@needs_node
def test_a_query_in_the_middle_has_no_direction_and_does_no_harm():
    got = call("lesson02/demo.js", "lookup", [0, 0], [[1, 0], [0, 2]], [[1], [3]], 5, "cosine")
    assert got["weights"] == [0.5, 0.5]


def test_picture_refuses_weights_that_do_not_belong_to_the_keys():
    with pytest.raises(ValueError, match="one share a key: 2, got 3"):
        library_plane(np.eye(2), [1, 0], [0.2, 0.3, 0.5], ["a", "b"])


def test_caption_names_the_book_that_gives_most():
    figure = library_plane(np.eye(2), [1, 0], [0.2, 0.8], ["ships", "fish"])
    assert "fish gets the most, 0.80" in figure.caption
