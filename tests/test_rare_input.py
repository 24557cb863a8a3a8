"""Input that is rare and must not go wrong in silence: NaN in some rows, numbers near the limit.

The oracle is the same computation on clean input, or on numbers of twice the width.
"""

import copy

import numpy as np
import pytest
import torch

from helpers import numpy_attention, torch_attention

LIBRARIES = ("numpy", "torch")
in_both = pytest.mark.parametrize("library", LIBRARIES)


def call(library, name, *arrays, **options):
    """Call the function of one library on arrays; tensors are turned round here."""
    if library == "numpy":
        return getattr(numpy_attention, name)(*arrays, **options)
    result = getattr(torch_attention, name)(*map(as_tensor, arrays), **options)
    return tuple(r.numpy() for r in result) if isinstance(result, tuple) else result.numpy()


def as_tensor(value):
    return torch.from_numpy(value) if isinstance(value, np.ndarray) else value


def random(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape)


@in_both
def test_nan_hidden_in_the_last_sentence_of_a_batch_leaves_its_visible_rows_alone(library):
    Q, K, V = random(0, 3, 4, 2), random(1, 3, 5, 2), random(2, 3, 5, 6)
    mask = np.ones((3, 4, 5), dtype=bool)
    mask[0, :, 1] = mask[2, :, 3] = False
    clean = call(library, "scaled_dot_product_attention", Q, K, V, mask)[0]
    K[0, 1] = V[0, 1] = V[2, 3] = np.nan
    K[2, 3] = np.inf
    output, weights = call(library, "scaled_dot_product_attention", Q, K, V, mask)
    blocked = call(library, "blocked_attention", Q, K, V, mask, block_size=2)
    np.testing.assert_allclose(output, clean, rtol=1e-12)
    np.testing.assert_allclose(blocked, clean, rtol=1e-12)
    assert not weights[2, :, 3].any()


@in_both
def test_a_token_of_nan_does_not_disturb_tokens_that_cannot_see_it(library):
    X, W = random(0, 2, 4, 3), random(1, 3, 2)
    mask = np.ones((2, 4, 4), dtype=bool)
    mask[:, :, 1] = False
    clean = call(library, "self_attention", X, W, W, W, mask)[0]
    X[1, 1] = np.nan
    output = call(library, "self_attention", X, W, W, W, mask)[0]
    np.testing.assert_allclose(output[0], clean[0], rtol=1e-12)
    np.testing.assert_allclose(output[1, [0, 2, 3]], clean[1, [0, 2, 3]], rtol=1e-12)
    assert np.isnan(output[1, 1]).all()


@in_both
@pytest.mark.parametrize("place", [(0, 0), (0, 3), (1, 2)])
def test_a_token_of_nan_does_not_cover_up_the_overflow_of_another(library, place):
    X, W = np.ones((2, 4, 3)), np.full((3, 2), 1e200)
    X[1, 1] = np.nan
    X[place] = 1e200
    with pytest.raises(ValueError, match="overflows"):
        call(library, "self_attention", X, W, W, W)


@in_both
@pytest.mark.parametrize("sign", [1, -1])
def test_dot_products_that_overflow_float32_by_their_number_of_terms_are_computed(library, sign):
    Q = np.full((1, 64), sign * 1e19, np.float32)
    K = np.stack([Q[0], Q[0] * np.float32(0.5)])
    V = np.array([[1.0], [2.0]], np.float32)
    assert 1e38 < float(np.finfo(np.float32).max) < 64 * 1e38 / 8
    assert call(library, "scaled_dot_product_attention", Q, K, V)[0].tolist() == [[1.0]]
    assert call(library, "blocked_attention", Q, K, V).tolist() == [[1.0]]


def test_backward_with_a_mask_for_each_sentence_ignores_the_nan_hidden_in_each():
    Q, K, V, d_output = (random(seed, 3, 4, 4) for seed in range(4))
    mask = np.ones((3, 4, 4), dtype=bool)
    mask[:, :, 2] = mask[1, 3] = mask[2, 0, 1] = False
    backward = numpy_attention.scaled_dot_product_attention_backward
    clean = backward(d_output, Q, K, V, mask)
    K[0, 2], V[1, 2], K[2, 2], Q[1, 3] = np.nan, np.inf, -np.inf, np.nan
    for got, wanted in zip(backward(d_output, Q, K, V, mask), clean, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-15)


def test_autograd_with_a_mask_for_each_sentence_ignores_the_nan_hidden_in_each():
    arrays = [random(seed, 3, 4, 4) for seed in range(3)]
    mask = np.ones((3, 4, 4), dtype=bool)
    mask[:, :, 2] = mask[2, 0, 1] = False
    clean = gradients(arrays, mask)
    arrays[1][0, 2], arrays[2][1, 2] = np.nan, np.inf
    for got, wanted in zip(gradients(arrays, mask), clean, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-15)


def gradients(arrays, mask):
    tensors = [torch.tensor(array, requires_grad=True) for array in arrays]
    output, _ = torch_attention.scaled_dot_product_attention(*tensors, torch.from_numpy(mask))
    output.square().sum().backward()
    return [tensor.grad.numpy() for tensor in tensors]


@in_both
def test_a_visible_infinite_value_keeps_its_sign_and_its_column(library):
    V = np.array([[1.0, 2.0, 3.0], [np.inf, 4.0, -np.inf], [np.nan, np.nan, np.nan]])
    mask = np.array([[True, False, False], [True, True, False]])
    Q, K = np.ones((2, 2)), np.ones((3, 2))
    output = call(library, "scaled_dot_product_attention", Q, K, V, mask)[0]
    blocked = call(library, "blocked_attention", Q, K, V, mask, block_size=2)
    assert output.tolist() == blocked.tolist() == [[1.0, 2.0, 3.0], [np.inf, 3.0, -np.inf]]


@in_both
def test_a_cache_keeps_a_wider_token_at_its_full_width(library):
    W, X = random(0, 3, 3).astype(np.float32), random(1, 2, 3)
    package, turn = {"numpy": (numpy_attention, np.asarray), "torch": (torch_attention, as_tensor)}[
        library
    ]
    cache = package.KVCache(*map(turn, (W, W, W)))
    cache.step(turn(X[0].astype(np.float32)))
    cache.step(turn(X[1]))
    np.testing.assert_allclose(np.asarray(cache.keys)[1], X[1] @ W.astype(np.float64), rtol=1e-12)


def test_softmax_backward_takes_one_row_and_refuses_a_single_number():
    got = numpy_attention.softmax_backward(np.array([0.5, 0.5]), np.array([1.0, 0.0]))
    assert got.tolist() == [0.25, -0.25]
    with pytest.raises(ValueError, match="weights"):
        numpy_attention.softmax_backward(1.0, 2.0)


@in_both
def test_sizes_just_below_zero_are_refused_and_bases_just_above_it_are_not(library):
    for sizes in ((-1,), (2, -1)):
        with pytest.raises(ValueError, match="n_"):
            call(library, "causal_mask", *sizes)
    positions = call(library, "sinusoidal_positions", 3, 4, base=0.5)
    np.testing.assert_allclose(positions[2, 2], np.sin(2 / 0.5**0.5), rtol=1e-6)


@in_both
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 4, 10, 11, 600])  # ten or eleven shares sum to more than 1
def test_an_average_of_the_largest_numbers_is_not_infinite(library, dtype, n):
    largest = np.finfo(dtype).max
    Q, K = np.zeros((2, 2), dtype), np.zeros((n, 2), dtype)
    V = np.stack([np.full(n, largest), np.full(n, -largest), np.ones(n)], axis=1).astype(dtype)
    output = call(library, "scaled_dot_product_attention", Q, K, V)[0]
    blocked = call(library, "blocked_attention", Q, K, V, block_size=100)
    for got in (output, blocked):
        assert got.dtype == dtype
        np.testing.assert_allclose(got / V[:2, :], 1, rtol=1e-3 if dtype == np.float16 else 1e-5)


@in_both
def test_a_visible_infinite_value_stays_infinite_beside_the_largest_number(library):
    largest = np.finfo(np.float32).max
    V = np.array([[largest, np.inf], [largest, 1.0], [largest, 1.0]], np.float32)
    K = np.zeros((3, 2), np.float32)
    output = call(library, "scaled_dot_product_attention", K, K, V)[0]
    blocked = call(library, "blocked_attention", K, K, V)
    assert output.tolist() == blocked.tolist() == [[float(largest), np.inf]] * 3


@pytest.mark.parametrize("seed", range(12))
def test_a_module_refuses_what_the_function_refuses_and_is_finite_otherwise(seed):
    generator = torch.Generator().manual_seed(seed)
    layer = torch_attention.MultiHeadAttention(4, 2, generator=generator)
    X = 1e38 * torch.randn(3, 4, generator=generator).clamp(-3, 3)
    matrices = (layer.W_Q, layer.W_K, layer.W_V, layer.W_O)
    try:
        wanted = torch_attention.multi_head_attention(X, *matrices, 2)
    except ValueError:
        with pytest.raises(ValueError, match=r"overflows torch\.float32"):
            layer(X)
    else:
        assert all(
            torch.equal(a, b) and a.isfinite().all() for a, b in zip(layer(X), wanted, strict=True)
        )
    with pytest.raises(ValueError, match="overflows"):
        layer(3e38 * torch.sign(layer.W_Q[:, :1]).T)


@in_both
def test_a_result_that_float16_cannot_hold_is_refused(library):
    X, W = np.full((2, 2), 300, np.float16), np.full((2, 2), 300, np.float16)
    with pytest.raises(ValueError, match=r"result overflows (torch\.)?float16"):
        call(library, "self_attention", X, W, W, W)
    output = call(library, "self_attention", X, W, W, W.astype(np.float32))[0]
    assert output.tolist() == [[180000.0] * 2] * 2


def test_dropout_that_carries_values_past_the_largest_number_is_refused():
    torch.manual_seed(0)
    layer = torch_attention.MultiHeadAttention(2, 1, dropout=0.5)
    with torch.no_grad():
        for W in layer.parameters():
            W.copy_(torch.eye(2))
    X = torch.full((8, 2), 3e38)
    with pytest.raises(ValueError, match="weighted values overflow"):
        layer(X)
    assert layer.eval()(X)[0].isfinite().all()


def test_gradients_that_overflow_are_refused():
    X, W, d_output = np.ones((2, 2)), np.full((2, 2), 1e150), np.full((2, 2), 1e200)
    with pytest.raises(ValueError, match="gradients overflow float64"):
        numpy_attention.attention_backward(d_output, X, 0 * W, 0 * W, W)
    with pytest.raises(ValueError, match="gradients overflow float64"):
        numpy_attention.softmax_backward([0.1, 0.9], [1.7e308, -1.7e308])


@in_both
def test_a_copied_cache_and_its_original_go_their_own_ways(library):
    W, X = random(0, 3, 3), random(1, 5, 3)
    package, turn = {"numpy": (numpy_attention, np.asarray), "torch": (torch_attention, as_tensor)}[
        library
    ]
    fresh = copy.copy(package.KVCache(*map(turn, (W, W, W))))
    cache = package.KVCache(*map(turn, (W, W, W)))
    for cache_now in (cache, fresh):
        cache_now.step(turn(X[0]))
    for make in (copy.copy, copy.deepcopy):
        twin = make(cache)
        twin.step(turn(X[1]))
        cache.step(turn(X[2]))
        for kept, last in ((twin, 1), (cache, 2)):
            np.testing.assert_allclose(np.asarray(kept.keys)[-1], X[last] @ W, rtol=1e-12)
            np.testing.assert_allclose(np.asarray(kept.values)[-1], X[last] @ W, rtol=1e-12)
        assert len(twin) == len(cache)
    assert len(fresh) == 1
    assert len(cache) == 3


@in_both
def test_a_base_that_makes_the_angles_infinite_is_refused(library):
    for base in (1e-320, 10**400):
        with pytest.raises(ValueError, match="base"):
            call(library, "sinusoidal_positions", 3, 400, base=base)
    assert np.isfinite(call(library, "sinusoidal_positions", 3, 4, base=1e-300)).all()
