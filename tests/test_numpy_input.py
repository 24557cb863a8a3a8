"""NumPy attention: the dtypes that come back, what is refused, what is promised of all."""

import ast
import inspect
from pathlib import Path

import numpy as np
import pytest
from attention_oracles import (
    loop_attention,
    random,
    random_mask,
)

import helpers.numpy_attention as attention
from helpers.numpy_attention import (
    KVCache,
    attention_backward,
    blocked_attention,
    causal_mask,
    door,
    merge_heads,
    multi_head_attention,
    padding_mask,
    scaled_dot_product_attention,
    scaled_dot_product_attention_backward,
    self_attention,
    softmax,
    softmax_backward,
    split_heads,
)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_dtype_that_goes_in_comes_out(dtype):
    X, W = random(0, 4, 4, dtype=dtype), random(1, 4, 4, dtype=dtype)
    cache = KVCache(W, W, W)
    results = [
        softmax(X),
        *scaled_dot_product_attention(X, X, X, causal_mask(4)),
        *self_attention(X, W, W, W),
        split_heads(X, 2),
        merge_heads(X[None]),
        *multi_head_attention(X, W, W, W, W, 2),
        blocked_attention(X, X, X, causal=True),
        cache.step(X[0]),
        cache.step(X[1]),
        softmax_backward(X, X),
        *scaled_dot_product_attention_backward(X, X, X, X),
        *attention_backward(X, X, W, W, W),
    ]
    assert {a.dtype for a in results} == {np.dtype(dtype)}


def test_mixed_dtypes_become_the_wider_one():
    a16, a32, a64 = (np.ones((2, 2), dtype) for dtype in (np.float16, np.float32, np.float64))
    assert scaled_dot_product_attention(a16, a32, a16)[0].dtype == np.float32
    assert scaled_dot_product_attention(a16, a32, a64)[1].dtype == np.float64
    assert blocked_attention(a16, a16, a32).dtype == np.float32
    assert KVCache(a32, a32, a32).step(a64[0]).dtype == np.float64


def test_integers_and_lists_are_computed_in_float64():
    big = np.array([[100, 100]], np.int8)  # 100 · 100 wraps in int8
    output, weights = scaled_dot_product_attention(big, [[100, 100], [99, 99]], [[1], [2]])
    wanted, _ = loop_attention(
        *(np.array(a) for a in ([[100, 100]], [[100, 100], [99, 99]], [[1], [2]]))
    )
    assert output.dtype == weights.dtype == np.float64
    np.testing.assert_allclose(output, wanted)
    assert scaled_dot_product_attention([[True]], [[True]], [[True]])[0].tolist() == [[1.0]]
    swapped = np.ones((2, 2), ">f4")
    assert scaled_dot_product_attention(swapped, swapped, swapped)[0].dtype == np.float32


@pytest.mark.parametrize(
    "bad", [np.ones((2, 2), complex), np.array([["a", "b"]]), np.array([[None, 1]]), None, "text"]
)
def test_what_is_no_real_number_is_refused_by_name(bad):
    good = np.ones((2, 2))
    for name, arguments in (("Q", (bad, good, good)), ("V", (good, good, bad))):
        for attend in (scaled_dot_product_attention, blocked_attention):
            with pytest.raises(TypeError, match=f"{name} has dtype .*: real numbers are wanted"):
                attend(*arguments)
    with pytest.raises(TypeError, match="x has dtype"):
        softmax(bad)
    with pytest.raises(TypeError, match="W_K has dtype"):
        self_attention(good, good, bad, good)
    with pytest.raises(TypeError, match="X has dtype"):
        split_heads(bad, 1)


def test_ragged_lists_are_refused():
    with pytest.raises(ValueError, match="K must be a regular array, with rows of equal length"):
        scaled_dot_product_attention([[1.0]], [[1.0], [1.0, 2.0]], [[1.0]])


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        (((2, 4), (2, 3), (2, 3)), "K has d_k = 3 but Q has d_k = 4: a query can only be compared"),
        (((2, 4), (3, 4), (2, 4)), "V has 2 rows but K has 3: every key needs its own value"),
        (((4,), (3, 4), (3, 4)), r"Q must have shape \(..., n_q, d_k\), got \(4,\)"),
        (((2, 4), (4,), (3, 4)), r"K must have shape \(..., n_k, d_k\), got \(4,\)"),
        (((2, 4), (3, 4), (3,)), r"V must have shape \(..., n_k, d_v\), got \(3,\)"),
        (((2, 0), (2, 0), (2, 1)), "d_k = 0: there is nothing to compare"),
        (((2, 2, 4), (3, 2, 4), (2, 4)), r"batch axes of Q \(2,\), K \(3,\) and V \(\)"),
    ],
)
@pytest.mark.parametrize("attend", [scaled_dot_product_attention, blocked_attention])
def test_shapes_that_do_not_fit_are_refused(attend, shapes, message):
    with pytest.raises(ValueError, match=message):
        attend(*(np.ones(shape) for shape in shapes))


@pytest.mark.parametrize(
    ("mask", "error", "message"),
    [
        (np.ones((3, 3), int), TypeError, r"boolean .*True = may attend.*mask\.astype\(bool\)"),
        ([[1, 0, 1]], TypeError, r"dtype int64.*mask\.astype\(bool\)"),
        (
            np.zeros((3, 3)),
            TypeError,
            r"additive mask \(0 = may attend, -inf = hidden\) take mask == 0",
        ),
        (np.full((3, 3), -np.inf, np.float32), TypeError, "take mask == 0"),
        (True, TypeError, r"got the single value True. See causal_mask\(n\)"),
        ("causal", TypeError, "must be a boolean array"),
        (np.ones((3, 3), object), TypeError, "must be a boolean array"),
        ([[True], [True, False]], ValueError, "rows of equal length"),
        (np.ones((2, 3), bool), ValueError, r"mask has shape \(2, 3\).*scores of shape \(3, 3\)"),
        (np.ones((3, 4), bool), ValueError, r"mask has shape \(3, 4\)"),
        (np.ones((2, 3, 3), bool), ValueError, r"may have no further axes"),
        (np.ones((1, 1, 1, 3), bool), ValueError, r"may have no further axes"),
    ],
)
@pytest.mark.parametrize("attend", [scaled_dot_product_attention, blocked_attention])
def test_what_is_no_fitting_boolean_mask_is_refused(attend, mask, error, message):
    X = np.ones((3, 4))
    with pytest.raises(error, match=message):
        attend(X, X, X, mask)


def test_mask_may_be_nested_lists_or_one_row():
    Q, K, V = (random(seed, 3, 2) for seed in range(3))
    as_list = scaled_dot_product_attention(Q, K, V, causal_mask(3).tolist())
    assert np.array_equal(as_list[0], scaled_dot_product_attention(Q, K, V, causal_mask(3))[0])
    _, weights = scaled_dot_product_attention(Q, K, V, [True, True, False])
    assert not weights[:, 2].any()


# ---------------------------------------------------------------- promises about all of them


def test_no_function_changes_its_input_or_returns_it():
    X, W, mask = random(0, 4, 4), random(1, 4, 4), random_mask(2, 4, 4)
    ids = np.array([[1, 2]])
    for a in (X, W, mask, ids):
        a.flags.writeable = False  # a write would raise
    cache = KVCache(W, W, W)
    results = [
        softmax(X),
        padding_mask(ids, 1),
        *scaled_dot_product_attention(X, X, X, mask),
        *self_attention(X, W, W, W, mask),
        split_heads(X, 1),
        merge_heads(X[None]),
        *multi_head_attention(X, W, W, W, W, 1, mask),
        blocked_attention(X, X, X, mask, block_size=2),
        cache.step(X[0]),
        softmax_backward(X, X),
        *scaled_dot_product_attention_backward(X, X, X, X, mask),
        *attention_backward(X, X, W, W, W, mask),
    ]
    for result in results:
        assert result.flags.writeable
        assert not any(np.shares_memory(result, a) for a in (X, W, mask, ids))


def test_every_public_function_says_what_it_takes_returns_and_refuses():
    for name in attention.__all__:
        text = inspect.getdoc(getattr(attention, name))
        if name == "AttentionGradients":
            continue
        assert "Args:" in text, name
        assert "Raises:" in text, name


def test_scalar_roots_are_taken_with_math():
    """np.sqrt(d_k) is a float64 scalar and makes float32 scores float64."""
    files = list(Path(attention.__file__).parent.glob("*.py"))
    assert len(files) > 5
    for file in files:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        assert "np.sqrt" not in calls, file.name


def test_every_argument_is_converted_once(monkeypatch):
    names = []

    def as_array(name, value):
        names.append(name)
        return np.asarray(value)

    monkeypatch.setattr(door, "as_array", as_array)
    X, W = random(0, 4, 4), random(1, 4, 4)
    for call, wanted in (
        (lambda: self_attention(X, W, W, W), "X W_Q W_K W_V"),
        (lambda: multi_head_attention(X, W, W, W, W, 2), "X W_Q W_K W_V W_O"),
        (lambda: blocked_attention(X, X, X, block_size=1), "Q K V"),
        (lambda: attention_backward(X, X, W, W, W), "d_output X W_Q W_K W_V"),
        (lambda: KVCache(W, W, W).step(X[0]), "W_Q W_K W_V x"),
    ):
        names.clear()
        call()
        assert names == wanted.split()
