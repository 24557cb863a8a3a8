"""NumPy attention against loops, against PyTorch, and against finite differences."""

import ast
import inspect
import itertools
import math
import tracemalloc
import warnings

import numpy as np
import pytest
import torch
import torch.nn.functional as F

import helpers.numpy_attention as attention
from helpers.numpy_attention import (
    KVCache,
    attention_backward,
    blocked_attention,
    causal_mask,
    merge_heads,
    multi_head_attention,
    padding_mask,
    scaled_dot_product_attention,
    scaled_dot_product_attention_backward,
    self_attention,
    sinusoidal_positions,
    softmax,
    softmax_backward,
    split_heads,
)

torch.set_num_threads(1)


# ---------------------------------------------------------------- oracles: one number at a time


def loop_softmax(row):
    """Softmax of a list of numbers; -inf gets 0, and a list of nothing but -inf gives zeros."""
    top = max(row, default=-math.inf)
    if top == -math.inf:
        return [0.0] * len(row)
    exponentials = [math.exp(x - top) for x in row]
    return [e / math.fsum(exponentials) for e in exponentials]


def loop_attention(Q, K, V, mask=None):
    """Attention with loops in float64; whatever is hidden is not even read."""
    batch = np.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2])
    (n_q, d_k), (n_k, d_v) = Q.shape[-2:], V.shape[-2:]
    Q, K, V = (np.broadcast_to(a, batch + a.shape[-2:]).astype(np.float64) for a in (Q, K, V))
    mask = np.broadcast_to(True if mask is None else mask, (*batch, n_q, n_k))
    output, weights = np.zeros((*batch, n_q, d_v)), np.zeros((*batch, n_q, n_k))
    for b in np.ndindex(batch):
        for i in range(n_q):
            scores = [-math.inf] * n_k
            for j in range(n_k):
                if mask[b][i, j]:
                    scores[j] = math.fsum(Q[b][i] * K[b][j]) / math.sqrt(d_k)
            weights[b][i] = loop_softmax(scores)
            for j in range(n_k):
                if mask[b][i, j]:
                    output[b][i] += weights[b][i, j] * V[b][j]
    return output, weights


def loop_multi_head(X, W_Q, W_K, W_V, W_O, num_heads, masks):
    """Multi-head attention of one sentence, one head after the other, each with its mask."""
    d_head, v_head = W_Q.shape[1] // num_heads, W_V.shape[1] // num_heads
    found, maps = [], []
    for h in range(num_heads):
        columns = slice(h * d_head, (h + 1) * d_head)
        value_columns = slice(h * v_head, (h + 1) * v_head)
        output, weights = loop_attention(
            X @ W_Q[:, columns], X @ W_K[:, columns], X @ W_V[:, value_columns], masks[h]
        )
        found.append(output)
        maps.append(weights)
    return np.concatenate(found, axis=-1) @ W_O, np.stack(maps)


def random(seed, *shape, dtype=np.float64, size=1.0):
    return (size * np.random.default_rng(seed).normal(size=shape)).astype(dtype)


def random_mask(seed, *shape):
    """A mask with about a third hidden, and the first query of each sentence sees nothing."""
    mask = np.random.default_rng(seed).random(shape) > 0.35
    mask[..., 0, :] = False
    return mask


def random_problem(seed):
    """Q, K, V and a mask (or None) of random sizes, with batch axes that broadcast."""
    rng = np.random.default_rng(seed)
    n_q, n_k, d_k, d_v = (int(n) for n in rng.integers(1, 8, size=4))
    batch = [(), (2,), (3, 2), (2, 1, 3)][seed % 4]
    smaller = tuple(1 if i % 2 else n for i, n in enumerate(batch))
    Q = rng.normal(size=(*batch, n_q, d_k))
    K = rng.normal(size=(*(smaller if seed % 3 == 0 else batch), n_k, d_k))
    V = rng.normal(size=(*batch, n_k, d_v))
    masks = [
        None,
        random_mask(seed, *batch, n_q, n_k),
        random_mask(seed, n_q, n_k),
        causal_mask(n_q, n_k),
        rng.random((*smaller, 1, n_k)) > 0.4,
        rng.random(n_k) > 0.4,
    ]
    return Q, K, V, masks[seed % len(masks)]


SEEDS = range(48)


# ---------------------------------------------------------------- softmax


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
def test_softmax_equals_loops_along_every_axis(axis):
    x = random(0, 3, 4, 5, size=4)
    x[0, 0, 0] = -np.inf
    wanted = np.apply_along_axis(lambda row: loop_softmax(row.tolist()), axis, x)
    np.testing.assert_allclose(softmax(x, axis=axis), wanted, rtol=1e-14)


def test_softmax_does_not_overflow_and_loses_no_row():
    x = np.array([[0.0, 1.0], [1e4, 1e4 + 1], [-1e4, -1e4 + 1], [1e308, -1e308]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        weights = softmax(x)
    np.testing.assert_allclose(weights[:3], np.tile(loop_softmax([0.0, 1.0]), (3, 1)))
    assert weights[3].tolist() == [1.0, 0.0]


def test_softmax_of_infinities():
    inf = np.inf
    x = np.array([[-inf, -inf, -inf], [inf, 1.0, inf], [-inf, inf, 0.0], [0.0, -inf, 0.0]])
    wanted = [[0, 0, 0], [0.5, 0, 0.5], [0, 1, 0], [0.5, 0, 0.5]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert softmax(x).tolist() == wanted
        assert softmax(x.astype(np.float32)).dtype == np.float32


def test_softmax_keeps_nan_in_its_own_row():
    weights = softmax([[np.nan, 0.0], [0.0, 0.0], [np.inf, np.nan]])
    assert np.isnan(weights[[0, 2]]).all()
    assert weights[1].tolist() == [0.5, 0.5]


def test_softmax_of_uint8_does_not_wrap():
    np.testing.assert_allclose(
        softmax(np.array([3, 1, 2], np.uint8)), loop_softmax([3, 1, 2]), rtol=1e-14
    )


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3)])
def test_softmax_of_nothing_is_nothing(shape):
    assert softmax(np.zeros(shape)).shape == shape


def test_softmax_refuses_axes_that_do_not_exist():
    with pytest.raises(ValueError, match=r"axis = 2 does not exist: x has shape \(3, 4\), 2 axes"):
        softmax(np.zeros((3, 4)), axis=2)
    with pytest.raises(ValueError, match=r"axis = -1 does not exist: x has shape \(\)"):
        softmax(1.0)
    for axis in (True, None, 1.0, (0, 1)):
        with pytest.raises(TypeError, match="axis must be one whole number"):
            softmax(np.zeros((3, 4)), axis=axis)


# ---------------------------------------------------------------- masks


def test_causal_mask_hangs_from_the_bottom_right():
    for n_q, n_k in itertools.product(range(6), repeat=2):
        mask = causal_mask(n_q, n_k)
        assert mask.dtype == bool
        assert mask.shape == (n_q, n_k)
        for i, j in np.ndindex(n_q, n_k):
            assert mask[i, j] == (n_q - 1 - i <= n_k - 1 - j)
    assert np.array_equal(causal_mask(4), causal_mask(4, 4))


def test_causal_mask_with_more_queries_than_keys_leaves_the_first_queries_blind():
    assert causal_mask(4, 2).tolist() == [
        [False, False],
        [False, False],
        [True, False],
        [True, True],
    ]


@pytest.mark.parametrize("n", [2.0, "2", None, True, np.True_])
def test_causal_mask_refuses_what_is_no_whole_number(n):
    with pytest.raises(TypeError, match="n_q must be a whole number"):
        causal_mask(n)


def test_causal_mask_refuses_negative_sizes():
    with pytest.raises(ValueError, match="n_k must be at least 0, got -1"):
        causal_mask(2, -1)


def test_padding_mask_hides_pad_and_nothing_else():
    ids = np.array([[5, 0, 7, 1], [4, 1, 1, 1]])
    mask = padding_mask(ids, pad_id=1)
    assert mask.shape == (2, 1, 1, 4)
    assert mask[:, 0, 0].tolist() == [[True, True, True, False], [True, False, False, False]]
    assert padding_mask(ids.tolist(), np.int64(1)).tolist() == mask.tolist()


def test_padding_mask_of_small_integers_does_not_wrap():
    assert padding_mask(np.array([[255, 0]], np.uint8), -1).all()


@pytest.mark.parametrize(
    ("ids", "pad_id", "error", "message"),
    [
        ([[1.0, 2.0]], 0, TypeError, "ids must be integers, got dtype float64"),
        ([[True, False]], 0, TypeError, "ids must be integers, got dtype bool"),
        ([1, 2], 0, ValueError, r"ids must have shape \(batch, n\), got \(2,\)"),
        ([[1, 2]], 0.0, TypeError, "pad_id must be an integer, got 0.0"),
        ([[1, 2]], True, TypeError, "pad_id must be an integer, got True"),
        ([[1, 2], [3]], 0, ValueError, "ids must be a regular array"),
    ],
)
def test_padding_mask_refuses_bad_input(ids, pad_id, error, message):
    with pytest.raises(error, match=message):
        padding_mask(ids, pad_id)


# ---------------------------------------------------------------- attention


@pytest.mark.parametrize("seed", SEEDS)
def test_attention_equals_loops(seed):
    Q, K, V, mask = random_problem(seed)
    output, weights = scaled_dot_product_attention(Q, K, V, mask)
    wanted_output, wanted_weights = loop_attention(Q, K, V, mask)
    np.testing.assert_allclose(output, wanted_output, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(weights, wanted_weights, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("seed", SEEDS)
def test_attention_equals_torch(seed):
    Q, K, V, mask = random_problem(seed)
    if mask is not None:
        mask = np.broadcast_to(mask, (*Q.shape[:-1], K.shape[-2]))
    K_full = np.broadcast_to(K, (*Q.shape[:-2], *K.shape[-2:]))
    wanted = F.scaled_dot_product_attention(
        *(torch.tensor(a) for a in (Q, K_full, V)),
        attn_mask=None if mask is None else torch.tensor(mask),
    )
    output, _ = scaled_dot_product_attention(Q, K, V, mask)
    np.testing.assert_allclose(output, wanted.numpy(), rtol=1e-12, atol=1e-14)


def test_each_sentence_of_a_batch_is_computed_as_if_alone():
    Q, K, V = (random(seed, 5, 5, 5) for seed in range(3))  # a cube hides a wrong transpose
    output, weights = scaled_dot_product_attention(Q, K, V, causal_mask(5))
    for b in range(5):
        alone = scaled_dot_product_attention(Q[b], K[b], V[b], causal_mask(5))
        np.testing.assert_allclose(output[b], alone[0], rtol=1e-12)
        np.testing.assert_allclose(weights[b], alone[1], rtol=1e-12)


def test_one_token_attends_to_itself():
    V = random(0, 1, 3)
    output, weights = scaled_dot_product_attention([[5.0]], [[7.0]], V)
    assert weights.tolist() == [[1.0]]
    assert np.array_equal(output, V)
    assert not np.shares_memory(output, V)


def test_without_keys_and_without_queries():
    output, weights = scaled_dot_product_attention(
        np.ones((2, 4)), np.ones((0, 4)), np.ones((0, 3))
    )
    assert output.tolist() == [[0.0] * 3] * 2
    assert weights.shape == (2, 0)
    output, weights = scaled_dot_product_attention(
        np.ones((0, 4)), np.ones((2, 4)), np.ones((2, 3))
    )
    assert (output.shape, weights.shape) == ((0, 3), (0, 2))


def test_a_query_that_sees_nothing_gets_zeros_and_no_warning():
    Q, K, V = (random(seed, 3, 4) for seed in range(3))
    mask = np.array([[True, True, False], [False] * 3, [True] * 3])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        output, weights = scaled_dot_product_attention(Q, K, V, mask)
    assert not output[1].any()
    assert not weights[1].any()
    np.testing.assert_allclose(weights.sum(axis=-1), [1, 0, 1])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_hidden_rows_do_not_leak(bad, dtype):
    Q, K, V = (random(seed, 2, 6, 4, dtype=dtype) for seed in range(3))
    mask = causal_mask(6)
    clean_output, clean_weights = scaled_dot_product_attention(Q, K, V, mask)
    K[0, 3], V[0, 3, 1], V[0, 5] = bad, bad, bad
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        output, weights = scaled_dot_product_attention(Q, K, V, mask)
        blocked = blocked_attention(Q, K, V, causal=True, block_size=2)
    np.testing.assert_allclose(output[1], clean_output[1], rtol=1e-3)
    for rows in (output[0, :3], blocked[0, :3]):
        np.testing.assert_allclose(rows, clean_output[0, :3], rtol=2e-3, atol=1e-3)
    np.testing.assert_allclose(weights[0, :3], clean_weights[0, :3], rtol=2e-3)
    assert not np.isfinite(output[0, 3:, 1]).any()


def test_nan_in_a_visible_value_stays_visible():
    V = np.array([[1.0, 2.0], [np.nan, 3.0]])
    output, _ = scaled_dot_product_attention(np.ones((2, 2)), np.ones((2, 2)), V, causal_mask(2))
    assert output[0].tolist() == [1.0, 2.0]
    assert np.isnan(output[1, 0])
    assert output[1, 1] == pytest.approx(2.5)


def test_float16_neither_overflows_nor_turns_nan():
    Q, K = np.full((1, 64), 40, np.float16), np.full((3, 64), 40, np.float16)
    K[1], K[2] = 39, -40
    V = np.array([[1], [2], [4]], np.float16)
    output, weights = scaled_dot_product_attention(Q, K, V)
    assert output.tolist() == [[1.0]]
    assert weights.dtype == output.dtype == np.float16
    huge = np.full((2, 64), 65504, np.float16)
    output, weights = scaled_dot_product_attention(huge, huge, huge)
    assert np.array_equal(output, huge)
    assert weights.tolist() == [[0.5, 0.5]] * 2
    assert blocked_attention(huge, huge, huge, block_size=1).tolist() == huge.tolist()


def test_float16_projections_beyond_its_range_are_computed():
    X, W = np.array([[300.0, 300.0], [1.0, 0.0]], np.float16), np.eye(2, dtype=np.float16)
    W_Q = W * np.float16(300)  # X @ W_Q holds 90000
    output, weights = self_attention(X, W_Q, W_Q, W)
    assert np.isfinite(output).all()
    np.testing.assert_allclose(weights[0], [1.0, 0.0])


def test_float32_scores_beyond_its_range_are_computed():
    Q = np.array([[1e25, 1e25]], np.float32)
    K = np.array([[1e25, -1e25], [1e25, 2e25], [2e25, 2e25]], np.float32)
    V = np.array([[1.0], [2.0], [3.0]], np.float32)
    for output in (scaled_dot_product_attention(Q, K, V)[0], blocked_attention(Q, K, V)):
        assert output.dtype == np.float32
        assert output.tolist() == [[3.0]]


def test_float64_scores_beyond_its_range_are_refused_not_guessed():
    Q, V = np.array([[1e200, 1e200]]), np.ones((2, 1))
    K = np.array([[1e200, 0.0], [2e200, 0.0]])
    for attend in (scaled_dot_product_attention, blocked_attention):
        with pytest.raises(ValueError, match="dot products overflow float64"):
            attend(Q, K, V)
    output, _ = scaled_dot_product_attention(Q, K, V, [[False, False]])
    assert output.tolist() == blocked_attention(Q, K, V, [[False, False]]).tolist() == [[0.0]]
    with pytest.raises(ValueError, match="X @ W overflows float64"):
        self_attention(K, K, K, K)


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


# ---------------------------------------------------------------- self-attention and heads


@pytest.mark.parametrize("seed", range(12))
def test_self_attention_equals_loops(seed):
    n, d_in, d_k, d_v = (int(k) for k in np.random.default_rng(seed).integers(1, 7, size=4))
    X = random(seed, 2, n, d_in)
    W_Q, W_K, W_V = random(1, d_in, d_k), random(2, d_in, d_k), random(3, d_in, d_v)
    mask = [None, causal_mask(n)][seed % 2]
    got = self_attention(X, W_Q, W_K, W_V, mask)
    wanted = loop_attention(X @ W_Q, X @ W_K, X @ W_V, mask)
    for a, b in zip(got, wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        (((3, 4), (5, 2), (5, 2), (5, 2)), "X has rows of width 4 but W_Q has 5 rows"),
        (((4,), (4, 2), (4, 2), (4, 2)), r"X must have shape \(..., n, d_in\), got \(4,\)"),
        (((3, 4), (4, 2), (4, 3), (4, 2)), "W_K gives d_k = 3 but W_Q gives d_k = 2"),
        (((3, 4), (4, 2), (5, 2), (4, 2)), "W_K has 5 rows but W_Q has 4: all three project"),
        (((3, 4), (4, 2), (4, 2), (4,)), r"W_V must have the two axes \(d_in, d_out\)"),
        (
            ((3, 4), (2, 4, 2), (4, 2), (4, 2)),
            r"W_Q must have the two axes .* got shape \(2, 4, 2\)",
        ),
    ],
)
def test_self_attention_refuses_matrices_that_do_not_fit(shapes, message):
    arrays = [np.ones(shape) for shape in shapes]
    with pytest.raises(ValueError, match=message):
        self_attention(*arrays)
    with pytest.raises(ValueError, match=message):
        attention_backward(arrays[0], *arrays)


def test_padding_mask_without_its_heads_axis_fits_self_attention():
    X, W = random(0, 2, 3, 4), random(1, 4, 4)
    mask = padding_mask([[1, 2, 0], [3, 0, 0]], 0)
    with pytest.raises(ValueError, match="may have no further axes"):
        self_attention(X, W, W, W, mask)
    _, weights = self_attention(X, W, W, W, mask[:, 0])
    assert not weights[0, :, 2].any()
    assert not weights[1, :, 1:].any()


@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
@pytest.mark.parametrize("num_heads", [1, 2, 3, 6])
def test_split_heads_hands_out_neighbouring_columns(batch, num_heads):
    X = random(0, *batch, 4, 6)
    heads = split_heads(X, num_heads)
    d_head = 6 // num_heads
    assert heads.shape == (*batch, num_heads, 4, d_head)
    for h in range(num_heads):
        assert np.array_equal(heads[..., h, :, :], X[..., h * d_head : (h + 1) * d_head])
    assert np.array_equal(merge_heads(heads), X)


def test_editing_split_or_merged_heads_leaves_the_input_alone():
    X = random(0, 3, 4)
    before = X.copy()
    for num_heads in (1, 2, 4):
        heads = split_heads(X, num_heads)
        merged = merge_heads(heads)
        assert not np.shares_memory(heads, X)
        assert not np.shares_memory(merged, heads)
        heads[:] = merged[:] = 0
    assert np.array_equal(X, before)


@pytest.mark.parametrize(
    ("num_heads", "error", "message"),
    [
        (4, ValueError, "num_heads = 4 does not divide .*= 6"),
        (0, ValueError, "num_heads must be at least 1, got 0"),
        (-2, ValueError, "num_heads must be at least 1, got -2"),
        (True, TypeError, "num_heads must be a whole number, got True"),
        (2.0, TypeError, "num_heads must be a whole number, got 2.0 of type float"),
        ("2", TypeError, "num_heads must be a whole number"),
        (None, TypeError, "num_heads must be a whole number"),
    ],
)
def test_bad_numbers_of_heads_are_refused(num_heads, error, message):
    X, W = np.ones((3, 6)), np.ones((6, 6))
    with pytest.raises(error, match=message):
        split_heads(X, num_heads)
    with pytest.raises(error, match=message):
        multi_head_attention(X, W, W, W, W, num_heads)


def test_heads_refuse_arrays_with_too_few_axes():
    with pytest.raises(ValueError, match=r"X must have shape \(..., n, d_model\), got \(6,\)"):
        split_heads(np.ones(6), 2)
    with pytest.raises(ValueError, match=r"X must have shape \(..., num_heads, n, d_head\), got"):
        merge_heads(np.ones((3, 6)))


@pytest.mark.parametrize("num_heads", [1, 2, 4])
@pytest.mark.parametrize("masked", [False, True])
def test_multi_head_attention_equals_one_head_after_the_other(num_heads, masked):
    X = random(0, 3, 5, 8)
    W_Q, W_K, W_V, W_O = (random(seed, 8, 8) for seed in range(1, 5))
    mask = random_mask(9, 3, num_heads, 5, 5) if masked else None
    output, weights = multi_head_attention(X, W_Q, W_K, W_V, W_O, num_heads, mask)
    assert weights.shape == (3, num_heads, 5, 5)
    for b in range(3):
        seen = mask[b] if masked else [None] * num_heads
        one, maps = loop_multi_head(X[b], W_Q, W_K, W_V, W_O, num_heads, seen)
        np.testing.assert_allclose(weights[b], maps, rtol=1e-11, atol=1e-14)
        np.testing.assert_allclose(output[b], one, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("masked", [False, True])
def test_multi_head_attention_equals_torch(masked):
    X = random(0, 2, 5, 8)
    W_Q, W_K, W_V, W_O = (random(seed, 8, 8) for seed in range(1, 5))
    layer = torch.nn.MultiheadAttention(8, 4, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.tensor(np.concatenate([W_Q.T, W_K.T, W_V.T])))
        layer.out_proj.weight.copy_(torch.tensor(W_O.T))
        x = torch.tensor(X)
        hidden = torch.tensor(~causal_mask(5)) if masked else None  # True = hidden, there
        wanted = layer(x, x, x, attn_mask=hidden, average_attn_weights=False)
    got = multi_head_attention(X, W_Q, W_K, W_V, W_O, 4, causal_mask(5) if masked else None)
    for a, b in zip(got, wanted, strict=True):
        np.testing.assert_allclose(a, b.numpy(), rtol=1e-10, atol=1e-13)


def test_multi_head_attention_allows_other_widths():
    X, W_Q, W_K = random(0, 5, 3), random(1, 3, 4), random(2, 3, 4)
    W_V, W_O = random(3, 3, 6), random(4, 6, 7)
    got = multi_head_attention(X, W_Q, W_K, W_V, W_O, 2, causal_mask(5))
    wanted = loop_multi_head(X, W_Q, W_K, W_V, W_O, 2, [causal_mask(5)] * 2)
    for a, b in zip(got, wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-13)


def test_multi_head_attention_refuses_an_output_matrix_that_does_not_fit():
    X, W = np.ones((3, 6)), np.ones((6, 6))
    with pytest.raises(ValueError, match="W_O has 5 rows but W_V has 6 columns"):
        multi_head_attention(X, W, W, W, np.ones((5, 6)), 2)
    with pytest.raises(ValueError, match="W_O must have the two axes"):
        multi_head_attention(X, W, W, W, np.ones(6), 2)
    with pytest.raises(ValueError, match="does not divide the number of columns of W_V = 5"):
        multi_head_attention(X, W, W, np.ones((6, 5)), np.ones((5, 6)), 2)


# ---------------------------------------------------------------- positions


@pytest.mark.parametrize(
    ("n", "d_model", "base"), [(7, 8, 1e4), (50, 5, 1e4), (3, 1, 1e4), (6, 4, 7)]
)
def test_positions_equal_the_formula(n, d_model, base):
    got = sinusoidal_positions(n, d_model, base)
    assert got.shape == (n, d_model)
    for p, c in np.ndindex(n, d_model):
        angle = p / base ** (2 * (c // 2) / d_model)
        assert got[p, c] == pytest.approx(math.cos(angle) if c % 2 else math.sin(angle), abs=1e-12)


def test_no_positions_at_all():
    assert sinusoidal_positions(0, 4).shape == (0, 4)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((-1, 4), ValueError, "n must be at least 0"),
        ((3, 0), ValueError, "d_model must be at least 1"),
        ((3.0, 4), TypeError, "n must be a whole number"),
        ((3, 4, 0), ValueError, "base must be positive and finite, got 0.0"),
        ((3, 4, math.inf), ValueError, "base must be positive and finite"),
        ((3, 4, "10"), TypeError, "base must be a number, got '10'"),
        ((3, 4, None), TypeError, "base must be a number, got None"),
    ],
)
def test_positions_refuse_bad_input(arguments, error, message):
    with pytest.raises(error, match=message):
        sinusoidal_positions(*arguments)


# ---------------------------------------------------------------- block by block


@pytest.mark.parametrize("seed", SEEDS)
def test_blocked_attention_equals_loops_on_any_problem(seed):
    Q, K, V, mask = random_problem(seed)
    causal = seed % 5 == 0
    both = mask
    if causal:
        future_hidden = causal_mask(Q.shape[-2], K.shape[-2])
        both = future_hidden if mask is None else mask & future_hidden
    wanted, _ = loop_attention(Q, K, V, both)
    for block_size in (1, 2, 3, 100):
        got = blocked_attention(Q, K, V, mask, causal, block_size)
        np.testing.assert_allclose(got, wanted, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("n_k", [300, 513, 700])
@pytest.mark.parametrize("causal", [False, True])
def test_blocked_attention_equals_naive_at_every_block_size(n_k, causal):
    n_q = 513  # two full blocks of queries and one row
    Q, K, V = random(0, n_q, 4, size=3), random(1, n_k, 4, size=3), random(2, n_k, 3)
    mask = random_mask(3, n_q, n_k)
    mask[:, :20] = False  # the first blocks are hidden
    both = mask & causal_mask(n_q, n_k) if causal else mask
    wanted, _ = scaled_dot_product_attention(Q, K, V, both)
    for block_size in (2, 3, 7, 64, n_k, n_k + 5):
        got = blocked_attention(Q, K, V, mask, causal=causal, block_size=block_size)
        np.testing.assert_allclose(got, wanted, rtol=1e-10, atol=1e-13)
    got = blocked_attention(Q, K, V, causal=causal, block_size=100)
    wanted, _ = scaled_dot_product_attention(Q, K, V, causal_mask(n_q, n_k) if causal else None)
    np.testing.assert_allclose(got, wanted, rtol=1e-10, atol=1e-13)


def test_blocked_attention_rescales_when_a_larger_score_appears():
    Q, V = np.array([[1.0], [-1.0]]), np.arange(6.0)[:, None]
    K = np.array([[-800.0], [1.0], [5.0], [400.0], [800.0], [799.0]])
    wanted, _ = loop_attention(Q, K, V)
    for block_size in range(1, 7):
        np.testing.assert_allclose(blocked_attention(Q, K, V, block_size=block_size), wanted)


def test_blocked_attention_treats_infinite_scores_as_softmax_does():
    Q, V = np.ones((1, 1)), np.arange(5.0)[:, None]
    K = np.array([[1.0], [np.inf], [0.0], [np.inf], [-np.inf]])
    for block_size in range(1, 6):
        assert blocked_attention(Q, K, V, block_size=block_size).tolist() == [[2.0]]
    assert scaled_dot_product_attention(Q, K, V)[0].tolist() == [[2.0]]
    lowest = blocked_attention(Q, K[4:], V[4:])
    assert lowest.tolist() == scaled_dot_product_attention(Q, K[4:], V[4:])[0].tolist() == [[0.0]]


def test_blocked_attention_does_not_see_the_future_it_skips():
    Q, K, V = (random(seed, 600, 4) for seed in range(3))
    before = blocked_attention(Q, K, V, causal=True, block_size=50)
    K[400:], V[400:] = np.nan, np.nan
    after = blocked_attention(Q, K, V, causal=True, block_size=50)
    assert np.isnan(after[400:]).all()
    np.testing.assert_allclose(after[:400], before[:400], rtol=1e-12)


def test_blocked_attention_without_keys_and_without_queries():
    nothing = blocked_attention(np.ones((2, 4)), np.ones((0, 4)), np.ones((0, 3)))
    assert nothing.tolist() == [[0.0] * 3] * 2
    assert blocked_attention(np.ones((0, 4)), np.ones((2, 4)), np.ones((2, 3))).shape == (0, 3)


def peak_memory(compute):
    """Return the result and the largest amount of memory allocated on the way, in bytes."""
    tracemalloc.start()
    try:
        result = compute()
        return result, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("options", [{}, {"causal": True}, {"mask": True}], ids=str)
def test_blocked_attention_never_holds_the_square(options):
    n, d = 4096, 64
    Q, K, V = (random(seed, n, d, dtype=np.float32) for seed in range(3))
    mask = causal_mask(n) if options.get("mask") else None
    causal = bool(options.get("causal"))
    output, peak = peak_memory(lambda: blocked_attention(Q, K, V, mask, causal))
    assert peak < 0.05 * 4 * n * n
    seen = causal_mask(n) if options else None
    rows = slice(1000, 1010)
    wanted, _ = scaled_dot_product_attention(Q[rows], K, V, None if seen is None else seen[rows])
    np.testing.assert_allclose(output[rows], wanted, atol=1e-5)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"block_size": 0}, ValueError, "block_size must be at least 1, got 0"),
        ({"block_size": 2.0}, TypeError, "block_size must be a whole number"),
        ({"block_size": True}, TypeError, "block_size must be a whole number"),
        ({"causal": 1}, TypeError, "causal must be True or False, got 1"),
        ({"causal": None}, TypeError, "causal must be True or False, got None"),
    ],
)
def test_blocked_attention_refuses_bad_options(options, error, message):
    X = np.ones((3, 4))
    with pytest.raises(error, match=message):
        blocked_attention(X, X, X, **options)


# ---------------------------------------------------------------- token by token


@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
def test_cache_equals_causal_attention_at_every_prefix(batch):
    n = 40  # more than the first buffer holds
    X = random(0, *batch, n, 4)
    W_Q, W_K, W_V = random(1, 4, 3), random(2, 4, 3), random(3, 4, 5)
    wanted, _ = self_attention(X, W_Q, W_K, W_V, causal_mask(n))
    cache = KVCache(W_Q, W_K, W_V)
    assert len(cache) == 0
    assert cache.keys is None
    for t in range(n):
        output = cache.step(X[..., t, :])
        assert len(cache) == t + 1
        assert output.shape == (*batch, 5)
        np.testing.assert_allclose(output, wanted[..., t, :], rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(cache.keys, X @ W_K, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(cache.values, X @ W_V, rtol=1e-12, atol=1e-14)


def test_cache_does_not_follow_later_changes_of_its_matrices():
    W, x = random(0, 3, 3), random(1, 3)
    cache, other = KVCache(W, W, W), KVCache(W.copy(), W.copy(), W.copy())
    cache.step(x)
    other.step(x)
    W[:] = 0
    assert np.array_equal(cache.step(2 * x), other.step(2 * x))
    with pytest.raises(ValueError, match="read-only"):
        cache.keys[0] = 0


def test_cache_widens_when_a_wider_token_arrives():
    W = random(0, 3, 3, dtype=np.float32)
    X = random(1, 3, 3)
    cache = KVCache(W, W, W)
    assert cache.step(X[0].astype(np.float32)).dtype == np.float32
    cache.step(X[1])
    wanted, _ = self_attention(X, W, W, W)
    got = cache.step(X[2])
    assert got.dtype == np.float64
    np.testing.assert_allclose(got, wanted[2], rtol=1e-6)


def test_cache_refuses_tokens_that_do_not_fit_and_stays_as_it_was():
    cache = KVCache(np.ones((4, 2)), np.ones((4, 2)), np.ones((4, 3)))
    for x in (np.ones(3), 1.0):
        with pytest.raises(ValueError, match=r"x must be one token of shape \(..., 4\), got shape"):
            cache.step(x)
    with pytest.raises(TypeError, match="x has dtype"):
        cache.step(["a"] * 4)
    with pytest.raises(ValueError, match="overflow float64"):
        cache.step(np.full((2, 4), 1e200))
    cache.step(np.ones(4))
    with pytest.raises(ValueError, match=r"x has batch shape \(2,\) but the earlier tokens have"):
        cache.step(np.ones((2, 4)))
    assert len(cache) == 1
    with pytest.raises(ValueError, match="W_K gives d_k = 3 but W_Q gives d_k = 2"):
        KVCache(np.ones((4, 2)), np.ones((4, 3)), np.ones((4, 3)))


# ---------------------------------------------------------------- backward


def central_differences(loss, array, step=1e-5):
    """Return the gradient of loss() by the entries of `array`, two evaluations an entry."""
    gradient = np.zeros_like(array)
    for index in np.ndindex(array.shape):
        kept = array[index]
        array[index] = kept + step
        above = loss()
        array[index] = kept - step
        below = loss()
        array[index] = kept
        gradient[index] = (above - below) / (2 * step)
    return gradient


def test_softmax_backward_equals_finite_differences():
    x, d_weights = random(0, 3, 4), random(1, 3, 4)
    got = softmax_backward(softmax(x), d_weights)
    wanted = central_differences(lambda: (softmax(x) * d_weights).sum(), x)
    np.testing.assert_allclose(got, wanted, atol=1e-8)
    np.testing.assert_allclose(got.sum(axis=-1), 0, atol=1e-14)


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("batch", [(), (2,)])
def test_attention_backward_equals_finite_differences(masked, batch):
    X = random(0, *batch, 4, 3)
    matrices = random(1, 3, 2), random(2, 3, 2), random(3, 3, 5)
    d_output = random(4, *batch, 4, 5)
    mask = random_mask(5, *batch, 4, 4) if masked else None
    gradients = attention_backward(d_output, X, *matrices, mask)
    assert gradients._fields == ("dX", "dW_Q", "dW_K", "dW_V")
    arrays = (X, *matrices)
    for array, gradient in zip(arrays, gradients, strict=True):
        wanted = central_differences(
            lambda: (self_attention(*arrays, mask)[0] * d_output).sum(), array
        )
        np.testing.assert_allclose(gradient, wanted, atol=1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_backward_equals_autograd(seed):
    Q, K, V, mask = random_problem(seed)
    d_output = random(seed, *Q.shape[:-1], V.shape[-1])
    q, k, v = (torch.tensor(a, requires_grad=True) for a in (Q, K, V))
    full = np.broadcast_to(True if mask is None else mask, (*Q.shape[:-1], K.shape[-2]))
    k_full = k.expand(*Q.shape[:-2], *K.shape[-2:])
    output = F.scaled_dot_product_attention(q, k_full, v, attn_mask=torch.tensor(full))
    output.backward(torch.tensor(d_output))
    gradients = scaled_dot_product_attention_backward(d_output, Q, K, V, mask)
    for array, gradient, wanted in zip((Q, K, V), gradients, (q, k, v), strict=True):
        assert gradient.shape == array.shape
        np.testing.assert_allclose(gradient, wanted.grad.numpy(), rtol=1e-8, atol=1e-11)


@pytest.mark.parametrize("masked", [False, True])
def test_attention_backward_equals_autograd(masked):
    arrays = [
        random(seed, *shape) for seed, shape in enumerate([(3, 6, 5), (5, 4), (5, 4), (5, 2)])
    ]
    d_output = random(9, 3, 6, 2)
    mask = causal_mask(6) if masked else np.ones((6, 6), bool)
    x, w_q, w_k, w_v = tensors = [torch.tensor(a, requires_grad=True) for a in arrays]
    F.scaled_dot_product_attention(
        x @ w_q, x @ w_k, x @ w_v, attn_mask=torch.tensor(mask)
    ).backward(torch.tensor(d_output))
    gradients = attention_backward(d_output, *arrays, mask if masked else None)
    for gradient, tensor in zip(gradients, tensors, strict=True):
        np.testing.assert_allclose(gradient, tensor.grad.numpy(), rtol=1e-8, atol=1e-11)


def test_backward_through_blind_queries_and_hidden_nan_is_finite():
    Q, K, V, d_output = (random(seed, 3, 3) for seed in range(4))
    mask = np.array([[True, True, False], [False] * 3, [True, True, False]])
    clean = scaled_dot_product_attention_backward(d_output, Q, K, V, mask)
    Q[1], K[2], V[2] = np.nan, np.nan, np.inf
    gradients = scaled_dot_product_attention_backward(d_output, Q, K, V, mask)
    for a, b in zip(gradients, clean, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-15)
    assert not gradients[0][1].any()
    assert not gradients[2][2].any()


def test_backward_refuses_gradients_of_another_shape():
    X, W = np.ones((3, 4)), np.ones((4, 2))
    with pytest.raises(ValueError, match=r"d_output must have the output's shape \(3, 2\), got"):
        attention_backward(np.ones((3, 3)), X, W, W, W)
    with pytest.raises(ValueError, match=r"weights \(3,\) and d_weights \(4,\) must have the same"):
        softmax_backward(np.ones(3), np.ones(4))
    with pytest.raises(TypeError, match="d_output has dtype"):
        attention_backward(np.ones((3, 2), complex), X, W, W, W)


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
    for name in attention.__all__:
        tree = ast.parse(inspect.getsource(inspect.getmodule(getattr(attention, name))))
        calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        assert "np.sqrt" not in calls
