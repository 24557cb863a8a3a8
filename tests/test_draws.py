"""Random inputs of exercises keep what their names promise."""

import importlib

import numpy as np
import pytest

from helpers.course.draws import shares


@pytest.mark.parametrize("seed", range(40))
def test_drawn_shares_add_up_to_one_and_have_one_largest(seed):
    rows = shares(np.random.default_rng(seed), 5, 4)
    np.testing.assert_allclose(rows.sum(axis=-1), 1, rtol=0, atol=1e-15)
    assert (rows > 0).all()
    assert ((rows == rows.max(axis=-1, keepdims=True)).sum(axis=-1) == 1).all()


@pytest.mark.parametrize("seed", range(5))
def test_entries_and_dot_products_of_the_pairs_have_mean_zero(seed):
    exercise = importlib.import_module("helpers.lessons.lesson05.exercises").dot_variance
    for case in exercise.cases(seed):
        means = [*case["Q"].mean(axis=0), *case["K"].mean(axis=0), (case["Q"] * case["K"]).mean()]
        np.testing.assert_allclose(means, 0, atol=1e-12)
