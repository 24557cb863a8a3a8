"""PyTorch attention: hidden rows, dtypes, what is refused, what is promised of all."""

import inspect

import pytest
import torch
from tensor_problems import (
    FLOATS,
    assert_same,
    generator,
    random,
    random_mask,
)

import helpers.numpy_attention as numpy_attention
import helpers.torch_attention as attention
from helpers.torch_attention import (
    KVCache,
    MultiHeadAttention,
    SelfAttention,
    blocked_attention,
    causal_mask,
    merge_heads,
    multi_head_attention,
    padding_mask,
    scaled_dot_product_attention,
    self_attention,
    sinusoidal_positions,
    softmax,
    split_heads,
)

torch.set_num_threads(1)


# ---------------------------------------------------------------- hidden rows, empty rows, range


def test_gradients_stay_finite_through_queries_that_see_nothing():
    mask = torch.tensor([[True, False, False], [False] * 3, [True] * 3])
    for attend in (scaled_dot_product_attention, blocked_attention):
        Q, K, V = (random(seed, 3, 2).requires_grad_() for seed in range(3))
        result = attend(Q, K, V, mask)
        output = result[0] if isinstance(result, tuple) else result
        assert output[1].tolist() == [0, 0]
        output.square().sum().backward()
        assert all(t.grad.isfinite().all() for t in (Q, K, V))
        assert not Q.grad[1].any()
    x = torch.full((2, 3), -torch.inf, requires_grad=True)
    softmax(x).sum().backward()
    assert not x.grad.any()


@pytest.mark.parametrize("bad", [torch.nan, torch.inf, -torch.inf])
@pytest.mark.parametrize("dtype", FLOATS)
def test_hidden_rows_do_not_leak(bad, dtype):
    Q, K, V = (random(seed, 2, 6, 4, dtype=dtype) for seed in range(3))
    mask = causal_mask(6)
    clean, _ = scaled_dot_product_attention(Q, K, V, mask)
    K[0, 3], V[0, 3, 1], V[0, 5] = bad, bad, bad
    output, _ = scaled_dot_product_attention(Q, K, V, mask)
    blocked = blocked_attention(Q, K, V, causal=True, block_size=2)
    for got in (output, blocked):
        assert_same(got[1].double(), clean[1].double(), rtol=2e-2, atol=1e-2)
        assert_same(got[0, :3].double(), clean[0, :3].double(), rtol=2e-2, atol=1e-2)
        assert not got[0, 3:, 1].isfinite().any()


def test_padding_that_holds_nan_reaches_neither_output_nor_gradients():
    mask = torch.tensor([True, True, False])
    Q, K, V = (random(seed, 2, 3, 4) for seed in range(3))
    results = []
    for bad in (0.0, torch.nan, torch.inf):
        K[:, 2], V[:, 2] = bad, bad
        leaves = [t.clone().requires_grad_() for t in (Q, K, V)]
        output, _ = scaled_dot_product_attention(*leaves, mask)
        output.square().sum().backward()
        results.append((output.detach(), *(t.grad for t in leaves)))
    assert_same(results[1], results[0])
    assert_same(results[2], results[0])


def test_float16_neither_overflows_nor_turns_nan():
    huge = torch.full((2, 64), 65504.0, dtype=torch.float16)
    output, weights = scaled_dot_product_attention(huge, huge, huge)
    assert torch.equal(output, huge)
    assert weights.tolist() == [[0.5, 0.5]] * 2
    layer = MultiHeadAttention(4, 2, generator=generator(0)).half()
    with torch.no_grad():
        layer.W_O.mul_(0.25)
    output, weights = layer(torch.full((3, 4), 6e4, dtype=torch.float16))
    assert output.isfinite().all()
    assert weights.isfinite().all()


def test_scores_beyond_float32_are_computed_and_beyond_float64_refused():
    Q = torch.tensor([[1e25, 1e25]])
    K = torch.tensor([[1e25, -1e25], [1e25, 2e25], [2e25, 2e25]])
    V = torch.tensor([[1.0], [2.0], [3.0]])
    assert scaled_dot_product_attention(Q, K, V)[0].tolist() == [[3.0]]
    assert blocked_attention(Q, K, V).tolist() == [[3.0]]
    Q, K, V = (1e180 * Q.double(), 1e180 * K.double(), V.double())
    for attend in (scaled_dot_product_attention, blocked_attention):
        with pytest.raises(ValueError, match=r"dot products overflow torch\.float64"):
            attend(Q, K, V)
    with pytest.raises(ValueError, match=r"X @ W overflows torch\.float64"):
        self_attention(K, *[K[:2]] * 3)


def test_without_keys_and_without_queries():
    output, weights = scaled_dot_product_attention(
        torch.ones(2, 4), torch.ones(0, 4), torch.ones(0, 3)
    )
    assert output.tolist() == [[0.0] * 3] * 2
    assert weights.shape == (2, 0)
    assert blocked_attention(torch.ones(2, 4), torch.ones(0, 4), torch.ones(0, 3)).eq(0).all()
    assert blocked_attention(torch.ones(0, 4), torch.ones(2, 4), torch.ones(2, 3)).shape == (0, 3)


# ---------------------------------------------------------------- dtypes


@pytest.mark.parametrize("dtype", FLOATS)
def test_dtype_that_goes_in_comes_out(dtype):
    X, W = random(0, 4, 4, dtype=dtype), random(1, 4, 4, dtype=dtype)
    results = [
        softmax(X),
        *scaled_dot_product_attention(X, X, X, causal_mask(4)),
        *self_attention(X, W, W, W),
        split_heads(X, 2),
        merge_heads(X[None]),
        *multi_head_attention(X, W, W, W, W, 2),
        blocked_attention(X, X, X, causal=True),
        KVCache(W, W, W).step(X[0]),
        *SelfAttention(4, 4).to(dtype)(X),
        *MultiHeadAttention(4, 2).to(dtype)(X),
    ]
    assert {t.dtype for t in results} == {dtype}


def test_mixed_dtypes_integers_and_lists():
    half, single, double = (torch.ones(2, 2, dtype=d) for d in (torch.float16, None, torch.float64))
    assert scaled_dot_product_attention(half, single, half)[0].dtype == torch.float32
    assert scaled_dot_product_attention(half, single, double)[1].dtype == torch.float64
    whole = torch.tensor([[100, 100]], dtype=torch.int8)  # 100 · 100 wraps in int8
    output, _ = scaled_dot_product_attention(whole, [[100, 100], [99, 99]], [[1], [2]])
    assert output.dtype == torch.get_default_dtype()
    assert output.tolist() == [[1.0]]
    assert_same(
        softmax(torch.tensor([3, 1, 2], dtype=torch.uint8)), softmax([3.0, 1.0, 2.0]), atol=1e-7
    )


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("mask", "error", "message"),
    [
        (torch.ones(3, 3, dtype=torch.int64), TypeError, r"True = may attend.*mask\.bool\(\)"),
        ([[1, 0, 1]], TypeError, r"dtype torch.int64.*mask\.bool\(\)"),
        (torch.zeros(3, 3), TypeError, r"additive mask .* take mask == 0"),
        (True, TypeError, r"got the single value True. See causal_mask\(n\)"),
        ("causal", TypeError, "mask must be a boolean tensor"),
        (
            torch.ones(2, 3, dtype=torch.bool),
            ValueError,
            r"mask has shape \(2, 3\), which does not",
        ),
        (torch.ones(2, 3, 3, dtype=torch.bool), ValueError, "may have no further axes"),
    ],
)
def test_what_is_no_fitting_boolean_mask_is_refused(mask, error, message):
    X = torch.ones(3, 4)
    for attend in (scaled_dot_product_attention, blocked_attention):
        with pytest.raises(error, match=message):
            attend(X, X, X, mask)
    with pytest.raises(error, match=message):
        SelfAttention(4, 4)(X, mask)


def test_mask_may_be_lists_or_a_numpy_array():
    X = random(0, 3, 4)
    wanted = scaled_dot_product_attention(X, X, X, causal_mask(3))
    assert_same(scaled_dot_product_attention(X, X, X, causal_mask(3).tolist()), wanted)
    assert_same(scaled_dot_product_attention(X, X, X, causal_mask(3).numpy()), wanted)


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        (((2, 4), (2, 3), (2, 3)), "K has d_k = 3 but Q has d_k = 4: a query can only be compared"),
        (((2, 4), (3, 4), (2, 4)), "V has 2 rows but K has 3: every key needs its own value"),
        (((4,), (3, 4), (3, 4)), r"Q must have shape \(..., n_q, d_k\), got \(4,\)"),
        (((2, 0), (2, 0), (2, 1)), "d_k = 0: there is nothing to compare"),
        (((2, 2, 4), (3, 2, 4), (2, 4)), r"batch axes of Q \(2,\), K \(3,\) and V \(\)"),
    ],
)
@pytest.mark.parametrize("attend", [scaled_dot_product_attention, blocked_attention])
def test_shapes_that_do_not_fit_are_refused(attend, shapes, message):
    with pytest.raises(ValueError, match=message):
        attend(*(torch.ones(shape) for shape in shapes))


def test_matrices_that_do_not_fit_are_refused():
    X, W = torch.ones(3, 4), torch.ones(4, 4)
    with pytest.raises(ValueError, match="X has rows of width 3 but W_Q has 4 rows"):
        self_attention(torch.ones(3, 3), W, W, W)
    with pytest.raises(ValueError, match="X has rows of width 3 but W_Q has 4 rows"):
        MultiHeadAttention(4, 2)(torch.ones(3, 3))
    with pytest.raises(ValueError, match="W_K gives d_k = 3 but W_Q gives d_k = 4"):
        self_attention(X, W, W[:, :3], W)
    with pytest.raises(ValueError, match="W_V has 3 rows but W_Q has 4"):
        self_attention(X, W, W, W[:3])
    with pytest.raises(ValueError, match=r"W_V must have the two axes"):
        self_attention(X, W, W, W[0])
    with pytest.raises(ValueError, match="W_O has 3 rows but W_V has 4 columns"):
        multi_head_attention(X, W, W, W, W[:3], 2)
    with pytest.raises(ValueError, match="W_O must have the two axes"):
        multi_head_attention(X, W, W, W, W[0], 2)
    with pytest.raises(ValueError, match="num_heads = 2 does not divide the number of columns"):
        multi_head_attention(X, W, W, W[:, :3], W[:3], 2)


@pytest.mark.parametrize(
    ("num_heads", "error", "message"),
    [
        (4, ValueError, "num_heads = 4 does not divide d_model = 6"),
        (0, ValueError, "num_heads must be at least 1, got 0"),
        (True, TypeError, "num_heads must be a whole number, got True"),
        (2.0, TypeError, "num_heads must be a whole number, got 2.0 of type float"),
    ],
)
def test_bad_numbers_of_heads_are_refused(num_heads, error, message):
    with pytest.raises(error, match=message):
        split_heads(torch.ones(3, 6), num_heads)
    with pytest.raises(error, match=message):
        MultiHeadAttention(6, num_heads)


def test_other_bad_arguments_are_refused():
    X = torch.ones(3, 4)
    with pytest.raises(TypeError, match=r"Q has dtype torch\.complex64: real numbers are wanted"):
        scaled_dot_product_attention(X.to(torch.complex64), X, X)
    with pytest.raises(TypeError, match="K must be a tensor of real numbers, got str"):
        scaled_dot_product_attention(X, "text", X)
    with pytest.raises(TypeError, match="x must be a tensor of real numbers, got NoneType"):
        softmax(None)
    with pytest.raises(ValueError, match=r"axis = 2 does not exist: x has shape \(3, 4\)"):
        softmax(X, axis=2)
    with pytest.raises(TypeError, match="axis must be one whole number"):
        softmax(X, axis=True)
    with pytest.raises(ValueError, match=r"X must have shape \(..., num_heads, n, d_head\)"):
        merge_heads(X)
    with pytest.raises(TypeError, match=r"n_q must be a whole number, got 2\.0"):
        causal_mask(2.0)
    with pytest.raises(TypeError, match=r"ids must be integers, got dtype torch\.float32"):
        padding_mask(X, 0)
    with pytest.raises(ValueError, match=r"ids must have shape \(batch, n\), got \(2,\)"):
        padding_mask(torch.tensor([1, 2]), 0)
    with pytest.raises(TypeError, match=r"pad_id must be an integer, got 0\.5"):
        padding_mask(torch.tensor([[1, 2]]), 0.5)
    with pytest.raises(ValueError, match="base must be positive and finite"):
        sinusoidal_positions(3, 4, base=0)
    with pytest.raises(TypeError, match="base must be a number"):
        sinusoidal_positions(3, 4, base=None)
    with pytest.raises(ValueError, match="block_size must be at least 1"):
        blocked_attention(X, X, X, block_size=0)
    with pytest.raises(TypeError, match="causal must be True or False, got 1"):
        blocked_attention(X, X, X, causal=1)
    with pytest.raises(TypeError, match="d_k must be a whole number"):
        SelfAttention(4, 2.0)


# ---------------------------------------------------------------- promises about all of them


def test_no_function_changes_its_input_or_returns_it():
    X, W, mask = random(0, 4, 4), random(1, 4, 4), random_mask(2, 4, 4)
    before = [t.clone() for t in (X, W, mask)]
    results = [
        softmax(X),
        *scaled_dot_product_attention(X, X, X, mask),
        *self_attention(X, W, W, W, mask),
        split_heads(X, 1),
        merge_heads(X[None]),
        *multi_head_attention(X, W, W, W, W, 1, mask),
        blocked_attention(X, X, X, mask, block_size=2),
        KVCache(W, W, W).step(X[0]),
    ]
    for result in results:
        result.fill_(7)  # editing a result must not reach the inputs
    assert all(torch.equal(a, b) for a, b in zip((X, W, mask), before, strict=True))


def test_names_and_leading_arguments_are_those_of_the_numpy_module():
    for name in attention.__all__:
        if name in ("SelfAttention", "MultiHeadAttention"):
            continue
        ours = inspect.signature(getattr(attention, name)).parameters.values()
        positional = [(p.name, p.default) for p in ours if p.kind != p.KEYWORD_ONLY]
        theirs = inspect.signature(getattr(numpy_attention, name)).parameters.values()
        assert positional == [(p.name, p.default) for p in theirs], name
    backward = {name for name in numpy_attention.__all__ if "ackward" in name}
    assert set(numpy_attention.__all__) - backward - {"AttentionGradients"} <= set(
        attention.__all__
    )
