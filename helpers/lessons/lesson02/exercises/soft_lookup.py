"""Exercise 2 of lesson 02."""

import numpy as np

from helpers.course.exercise import Exercise
from helpers.numpy_attention import softmax


def soft_lookup(query, keys, values, sharpness):
    """Blend all values by the shares that softmax makes of sharpened similarities."""
    shares = softmax(sharpness * (keys @ query))
    return shares @ values


def _soft_inputs(rng):
    def draw(n, d_k, d_v, sharpness):
        return {
            "query": rng.normal(size=d_k).round(2),
            "keys": rng.normal(size=(n, d_k)).round(2),
            "values": rng.normal(size=(n, d_v)).round(2),
            "sharpness": sharpness,
        }

    return (
        {
            "query": np.array([1.0, 0.0]),
            "keys": np.array([[1.0, 0.0], [0.0, 1.0]]),
            "values": np.array([[10.0], [20.0]]),
            "sharpness": 1.0,
        },
        {
            "query": np.array([0.5, -1.0]),
            "keys": np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -2.0]]),
            "values": np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 5.0], [4.0, 4.0, 4.0]]),
            "sharpness": 3.0,
        },
        {
            "query": np.array([0.5, -1.0, 2.0]),
            "keys": np.array(
                [[1.0, 0, 1], [0.0, 1, 0], [-1.0, -2, 0], [0.5, 0.5, -1], [2.0, 2, 0]]
            ),
            "values": np.array([[1.0, -6], [0.0, 3], [50.0, 4], [-7.0, 0], [2.0, 2]]),
            "sharpness": 0.0,
        },
        draw(4, 4, 4, 2.0),
        draw(6, 3, 2, 0.5),
        {
            "query": np.array([1.0, 2.0]),
            "keys": np.array([[100.0, 300.0], [100.0, 300.5], [-200.0, 0.0]]),
            "values": np.array([[1.0, -1.0], [2.0, -2.0], [3.0, -3.0]]),
            "sharpness": 2.0,
        },
        {
            "query": np.array([1.0, 2.0]),
            "keys": np.array([[-4000.0, -3500.0], [-4001.0, -3500.0], [-5000.0, -6000.0]]),
            "values": np.array([[1.0, -1.0, 40.0], [2.0, -2.0, 0.0], [3.0, -3.0, 0.0]]),
            "sharpness": 1.0,
        },
    )


def blends_the_labels(query, keys, values, sharpness):
    """It blends the keys: a mixture of labels, not of contents."""
    return softmax(sharpness * (keys @ query)) @ keys


def forgets_the_sharpness(query, keys, values, sharpness):
    """The sharpness changes nothing: multiply the scores by it, before softmax."""
    return softmax(keys @ query) @ values


def sharpens_afterwards(query, keys, values, sharpness):
    """It multiplies the shares by the sharpness: they no longer add up to 1."""
    return sharpness * softmax(keys @ query) @ values


def divides_by_it(query, keys, values, sharpness):
    """It divides by the sharpness: then a larger one makes the lookup less decided."""
    return softmax((keys @ query) / max(sharpness, 1e-9)) @ values


def shares_without_exp(query, keys, values, sharpness):
    """It divides the scores by their sum: negative scores give negative shares."""
    scores = sharpness * (keys @ query)
    return (scores / scores.sum() if scores.sum() else np.full(len(keys), np.nan)) @ values


def takes_the_best_only(query, keys, values, sharpness):
    """It returns the best value alone: that is a hard lookup."""
    return values[np.argmax(keys @ query)]


def divides_by_root_d_k(query, keys, values, sharpness):
    """It divides the scores by the root of d_k; here nothing but the sharpness scales them."""
    return softmax(sharpness * (keys @ query) / np.sqrt(len(query))) @ values


def raw_exp(query, keys, values, sharpness):
    """exp grows too large, or all its results are 0; subtract the largest score before exp."""
    exps = np.exp(sharpness * (keys @ query))
    return exps / exps.sum() @ values


soft_lookup = Exercise(
    name="lesson02.soft_lookup",
    reference=soft_lookup,
    inputs=_soft_inputs,
    hints=(
        "First the scores, one a key. Then the shares. Then the blend.",
        "Multiply the scores by the sharpness before softmax sees them.",
        "shares @ values adds up share times value over all books.",
    ),
    wrong=(
        blends_the_labels,
        forgets_the_sharpness,
        sharpens_afterwards,
        divides_by_it,
        shares_without_exp,
        takes_the_best_only,
        divides_by_root_d_k,
        raw_exp,
    ),
)
