"""Self-attention, heads and positions in NumPy against loops and against PyTorch."""

import math

import numpy as np
import pytest
import torch
from attention_oracles import loop_attention, loop_multi_head, random, random_mask

from helpers.numpy_attention import (
    attention_backward,
    causal_mask,
    merge_heads,
    multi_head_attention,
    padding_mask,
    self_attention,
    sinusoidal_positions,
    split_heads,
)

torch.set_num_threads(1)


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
        (((3, 4), (4, 0), (4, 0), (4, 2)), "d_k = 0: there is nothing to compare"),
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
    with pytest.raises(ValueError, match="does not divide the number of columns of W_Q = 5"):
        multi_head_attention(X, np.ones((6, 5)), np.ones((6, 5)), W, W, 2)
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
