"""Whatever holds numbers gives the right result or a clear error, in both libraries."""

import array
import decimal
import fractions
import warnings

import numpy as np
import pytest
import torch

from helpers import numpy_attention, torch_attention

BOTH = pytest.mark.parametrize(
    "library", [numpy_attention, torch_attention], ids=["numpy", "torch"]
)

ROWS = [[3, 1, 2], [0, 5, 4]]
WANTED = np.exp(ROWS) / np.exp(ROWS).sum(axis=1, keepdims=True)


def read_only(a):
    a.flags.writeable = False
    return a


RIGHT = {
    "lists": ROWS,
    "tuples": tuple(map(tuple, ROWS)),
    "float lists": np.array(ROWS, float).tolist(),
    "a list of arrays": [np.array(row, float) for row in ROWS],
    "a list of reversed arrays": [np.array(row[::-1], float)[::-1] for row in ROWS],
    "a tensor": torch.tensor(ROWS),
    "a tensor of uint16": torch.tensor(ROWS, dtype=torch.uint16),
    "lists of NumPy's numbers": [[np.longdouble(x) for x in row] for row in ROWS],
    "a row of NumPy's numbers": [np.longdouble(3), np.longdouble(1), np.longdouble(2)],
    "negative strides": np.array(ROWS, float)[::-1, ::-1].copy()[::-1, ::-1],
    "columns apart": np.repeat(np.array(ROWS, float), 2, axis=1)[:, ::2],
    "read-only": read_only(np.array(ROWS, float)),
    "no masked entry": np.ma.array(ROWS, mask=False),
    "a buffer": memoryview(array.array("d", [3, 1, 2])),
}
KINDS = "i1 i2 i4 i8 u1 u2 u4 >i4 >f4 >f8 f2 f4 f8 g"
RIGHT |= {kind: np.array(ROWS, kind) for kind in KINDS.split(" ")}

REFUSED = {
    "None": None,
    "text": "text",
    "texts": [["3", "1"]],
    "complex numbers": np.array(ROWS, complex),
    "objects": np.array(ROWS, object),
    "decimals": [[decimal.Decimal(3), decimal.Decimal(1)]],
    "fractions": [[fractions.Fraction(3, 2)]],
    "numbers of 40 digits": [[10**40, 1]],
    "dates": np.array(["2020-01-01"], "M8[D]"),
    "times": np.array([3, 1], "m8[s]"),
    "records": np.zeros(2, [("a", float)]),
    "masked entries": np.ma.array(ROWS, mask=[[0, 0, 1], [0, 0, 0]]),
    "masked entries in a list": [np.ma.array([3.0, 1.0], mask=[0, 1])],
    "a masked number": [3.0, np.ma.masked],
    "rows of unequal length": [[1.0], [1.0, 2.0]],
    "a sparse tensor": torch.eye(2).to_sparse(),
    "a tensor of complex numbers": torch.ones(2, dtype=torch.complex64),
    "a mapping": {"a": 1.0},
    "a set": {1.0, 2.0},
}


@BOTH
@pytest.mark.parametrize("value", RIGHT.values(), ids=RIGHT.keys())
def test_numbers_of_any_type_give_the_right_weights(library, value):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        weights = np.asarray(library.softmax(value))
    wanted = WANTED if weights.ndim == 2 else WANTED[0]
    tolerance = 1e-3 if weights.dtype == np.float16 else 1e-6
    np.testing.assert_allclose(weights.astype(float), wanted, rtol=tolerance)


@BOTH
@pytest.mark.parametrize("value", REFUSED.values(), ids=REFUSED.keys())
def test_what_holds_no_plain_numbers_is_refused_by_name(library, value):
    with pytest.raises((TypeError, ValueError), match=r"^x (has|is|must)"):
        library.softmax(value)
    with pytest.raises((TypeError, ValueError), match=r"^V (has|is|must)"):
        library.scaled_dot_product_attention([[1.0]], [[1.0]], value)


@BOTH
def test_a_mask_or_ids_with_masked_entries_are_refused_and_without_them_used(library):
    X, hidden = np.eye(2), np.ma.array([[True, True], [True, False]], mask=[[0, 0], [0, 1]])
    with pytest.raises(TypeError, match="mask is a masked array with 1 masked entries"):
        library.self_attention(X, X, X, X, hidden)
    with pytest.raises(TypeError, match="ids is a masked array"):
        library.padding_mask(np.ma.array([[1, 2]], mask=[[0, 1]]), 0)
    plain = np.ma.array([[True, False], [True, False]], mask=False)
    _, weights = library.self_attention(X, X, X, X, plain)
    assert weights.tolist() == [[1, 0], [1, 0]]


@pytest.mark.skipif(np.finfo(np.longdouble).max == np.finfo(float).max, reason="no longdouble here")
def test_torch_refuses_longdouble_numbers_that_float64_cannot_hold():
    with pytest.raises(TypeError, match="too large for float64"):
        torch_attention.softmax(np.array([np.longdouble("1e4000"), 0]))


def test_a_turned_round_mask_and_read_only_keys_reach_torch_without_a_warning():
    X, mask = np.eye(3), np.tri(3, dtype=bool)[::-1, ::-1]
    cache = numpy_attention.KVCache(X, X, X)
    cache.step(X[0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _, weights = torch_attention.scaled_dot_product_attention(X, X, X, mask)
        output, _ = torch_attention.scaled_dot_product_attention(cache.keys, X, X)
    np.testing.assert_array_equal(weights.numpy() > 0, np.tri(3, dtype=bool).T)
    assert output.shape == (1, 3)


def test_numpy_results_do_not_depend_on_what_the_caller_does_with_floating_point_errors():
    X, W = 60 * np.eye(4), np.eye(4)  # exp(-3600 / 2) is 0
    small = np.array([[-2000.0, 0.0], [1e308, -1e308], [-np.inf, -np.inf], [np.inf, 0.0]])
    tiny = np.full((2, 2), 1e-300)
    mask = np.array([[True] * 4, [False] * 4, [True, False, True, True], [True] * 4])
    dirty = X.copy()
    dirty[1] = np.nan

    def compute():
        cache = numpy_attention.KVCache(W, W, W)
        return [
            numpy_attention.softmax(small),
            *numpy_attention.scaled_dot_product_attention(X, dirty, dirty, mask),
            *numpy_attention.self_attention(tiny, tiny, tiny, tiny),
            *numpy_attention.multi_head_attention(X, W, W, W, W, 2, mask),
            *numpy_attention.self_attention(X.astype(np.float16), *[W.astype(np.float16)] * 3),
            numpy_attention.blocked_attention(X, X, X, mask, True, 2),
            numpy_attention.sinusoidal_positions(3, 4, 1e300),
            *(cache.step(x) for x in X),
            numpy_attention.softmax_backward(tiny, tiny),
            *numpy_attention.scaled_dot_product_attention_backward(X, X, X, X, mask),
            *numpy_attention.attention_backward(X, X, W, W, W, mask),
        ]

    usual = compute()
    with np.errstate(all="raise"):
        strict = compute()
    for a, b in zip(strict, usual, strict=True):
        np.testing.assert_array_equal(a, b)


@BOTH
@pytest.mark.parametrize("count", [2.5, "2", None, True, np.True_, np.array(2), torch.tensor(2)])
def test_what_is_no_plain_whole_number_is_refused_as_a_count_an_axis_and_an_id(library, count):
    X = np.eye(4)
    with pytest.raises(TypeError, match="num_heads must be a whole number"):
        library.split_heads(X, count)
    with pytest.raises(TypeError, match="axis must be one whole number"):
        library.softmax(X, count)
    with pytest.raises(TypeError, match="pad_id must be an integer"):
        library.padding_mask([[1, 2]], count)
    assert library.split_heads(X, np.uint8(2)).shape == (2, 4, 2)
