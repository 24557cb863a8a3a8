"""NumPy's softmax, masks and attention against loops and against PyTorch."""

import itertools
import warnings

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from attention_oracles import SEEDS, loop_attention, loop_softmax, random, random_problem

from helpers.numpy_attention import (
    blocked_attention,
    causal_mask,
    padding_mask,
    scaled_dot_product_attention,
    self_attention,
    softmax,
)

torch.set_num_threads(1)


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
