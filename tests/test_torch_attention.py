"""PyTorch attention against torch's own functions and layers, and against the NumPy version."""

import inspect
import itertools

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

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

SEEDS = range(36)
HALVES = [torch.float16, torch.bfloat16]
FLOATS = [*HALVES, torch.float32, torch.float64]


def random(seed, *shape, dtype=torch.float64):
    return torch.randn(*shape, dtype=torch.float64, generator=generator(seed)).to(dtype)


def generator(seed):
    return torch.Generator().manual_seed(seed)


def random_mask(seed, *shape):
    """A mask with about a third hidden, and the first query of each sentence sees nothing."""
    mask = torch.rand(*shape, generator=generator(seed)) > 0.35
    mask[..., 0, :] = False
    return mask


def random_problem(seed):
    """Q, K, V and a mask (or None) of random sizes, with any number of batch axes."""
    n_q, n_k, d_k, d_v = torch.randint(1, 8, (4,), generator=generator(seed)).tolist()
    batch = [(), (2,), (3, 2), (2, 1, 3)][seed % 4]
    Q, K = random(seed, *batch, n_q, d_k), random(seed + 100, *batch, n_k, d_k)
    V = random(seed + 200, *batch, n_k, d_v)
    masks = [
        None,
        random_mask(seed, *batch, n_q, n_k),
        random_mask(seed, n_q, n_k),
        causal_mask(n_q, n_k),
        torch.rand(n_k, generator=generator(seed)) > 0.4,
    ]
    return Q, K, V, masks[seed % len(masks)]


def as_numpy(*tensors):
    return [None if t is None else t.detach().numpy() for t in tensors]


def assert_same(got, wanted, rtol=1e-12, atol=1e-12):
    """Compare tensors or arrays, alone or in tuples."""
    pairs = zip(got, wanted, strict=True) if isinstance(got, tuple) else [(got, wanted)]
    for a, b in pairs:
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=rtol, atol=atol)


# ---------------------------------------------------------------- the same numbers as in NumPy


@pytest.mark.parametrize("seed", SEEDS)
def test_attention_agrees_with_numpy(seed):
    problem = random_problem(seed)
    arrays = as_numpy(*problem)
    assert_same(
        scaled_dot_product_attention(*problem),
        numpy_attention.scaled_dot_product_attention(*arrays),
    )
    for causal, block_size in itertools.product((False, True), (1, 2, 3, 100)):
        assert_same(
            blocked_attention(*problem, causal=causal, block_size=block_size),
            numpy_attention.blocked_attention(*arrays, causal=causal, block_size=block_size),
        )


@pytest.mark.parametrize("seed", range(12))
def test_layers_agree_with_numpy(seed):
    n, num_heads = 1 + seed % 6, [1, 2, 4][seed % 3]
    X = random(seed, *[(), (2,), (2, 3)][seed % 3], n, 8)
    matrices = [random(seed + k, 8, 8) for k in range(1, 5)]
    mask = [None, causal_mask(n), random_mask(seed, n, n)][seed % 3]
    numpy_X, numpy_mask, *numpy_matrices = as_numpy(X, mask, *matrices)
    assert_same(
        self_attention(X, *matrices[:3], mask),
        numpy_attention.self_attention(numpy_X, *numpy_matrices[:3], numpy_mask),
    )
    assert_same(
        multi_head_attention(X, *matrices, num_heads, mask),
        numpy_attention.multi_head_attention(numpy_X, *numpy_matrices, num_heads, numpy_mask),
        atol=1e-11,
    )
    heads = split_heads(X, num_heads)
    assert_same(heads, numpy_attention.split_heads(numpy_X, num_heads))
    assert torch.equal(merge_heads(heads), X)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmax_agrees_with_numpy_also_at_infinity(axis):
    inf = torch.inf
    x = torch.tensor([[0.0, -inf, 1.0], [-inf, -inf, -inf], [inf, 2.0, inf], [1e4, 1e4, -inf]])
    x = torch.cat([x.double(), random(0, 4, 3)])
    assert_same(softmax(x, axis=axis), numpy_attention.softmax(x.numpy(), axis=axis))
    assert softmax(x, axis=-1)[1].tolist() == [0, 0, 0]
    assert softmax(x, axis=-1)[2].tolist() == [0.5, 0, 0.5]


def test_softmax_keeps_nan_in_its_own_row():
    weights = softmax(torch.tensor([[torch.nan, torch.inf], [0.0, 0.0]]))
    assert weights[0].isnan().all()
    assert weights[1].tolist() == [0.5, 0.5]


def test_masks_and_positions_agree_with_numpy():
    for n_q, n_k in itertools.product(range(5), repeat=2):
        mask = causal_mask(n_q, n_k)
        assert mask.dtype == torch.bool
        assert_same(mask, numpy_attention.causal_mask(n_q, n_k))
    ids = torch.tensor([[5, 0, 7, 1], [4, 1, 1, 1]])
    assert_same(padding_mask(ids, 1), numpy_attention.padding_mask(ids.numpy(), 1))
    assert padding_mask(torch.tensor([[255]], dtype=torch.uint8), -1).all()
    for n, d_model, base in ((7, 8, 1e4), (50, 5, 1e4), (3, 1, 7), (0, 4, 1e4)):
        got, wanted = (
            module.sinusoidal_positions(n, d_model, base) for module in (attention, numpy_attention)
        )
        assert got.dtype == torch.float32
        assert_same(got, wanted, atol=1e-7)


# ---------------------------------------------------------------- the same numbers as in torch


@pytest.mark.parametrize("seed", SEEDS)
def test_output_and_gradients_equal_torch_sdpa(seed):
    Q, K, V, mask = random_problem(seed)
    upstream = random(seed, *Q.shape[:-1], V.shape[-1])
    full = None if mask is None else mask.expand(*Q.shape[:-1], K.shape[-2])
    outputs, gradients = [], []
    for attend in (
        lambda q, k, v: scaled_dot_product_attention(q, k, v, mask)[0],
        lambda q, k, v: blocked_attention(q, k, v, mask, block_size=3),
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, attn_mask=full),
    ):
        leaves = [t.clone().requires_grad_() for t in (Q, K, V)]
        output = attend(*leaves)
        output.backward(upstream)
        outputs.append(output.detach())
        gradients.append(tuple(t.grad for t in leaves))
    for output, gradient in zip(outputs[:2], gradients[:2], strict=True):
        assert_same(output, outputs[2])
        assert_same(gradient, gradients[2])


@pytest.mark.parametrize("masked", [False, True])
def test_multi_head_module_equals_torch_layer_with_the_same_weights(masked):
    ours = MultiHeadAttention(8, 4, generator=generator(0)).double()
    theirs = nn.MultiheadAttention(8, 4, bias=False, batch_first=True, dtype=torch.float64)
    X = random(1, 2, 5, 8)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([ours.W_Q.T, ours.W_K.T, ours.W_V.T]))
        theirs.out_proj.weight.copy_(ours.W_O.T)
        hidden = ~causal_mask(5) if masked else None  # True = hidden, there
        wanted = theirs(X, X, X, attn_mask=hidden, average_attn_weights=False)
        got = ours(X, causal_mask(5) if masked else None)
    assert_same(got, wanted)


def test_modules_equal_the_functions():
    X, mask = random(0, 2, 5, 8), causal_mask(5)
    one = SelfAttention(8, 3, 4, generator=generator(1)).double()
    many = MultiHeadAttention(8, 2, generator=generator(2)).double()
    with torch.no_grad():
        assert_same(one(X, mask), self_attention(X, one.W_Q, one.W_K, one.W_V, mask))
        wanted = multi_head_attention(X, many.W_Q, many.W_K, many.W_V, many.W_O, 2, mask)
        assert_same(many(X, mask), wanted)
    assert {name for name, _ in one.named_parameters()} == {"W_Q", "W_K", "W_V"}
    assert {name for name, _ in many.named_parameters()} == {"W_Q", "W_K", "W_V", "W_O"}
    assert tuple(one.W_V.shape) == (8, 4)
    assert tuple(SelfAttention(8, 3).W_V.shape) == (8, 3)


def test_modules_start_the_same_from_the_same_seed():
    first, second = (MultiHeadAttention(8, 2, generator=generator(5)) for _ in range(2))
    for a, b in zip(first.parameters(), second.parameters(), strict=True):
        assert torch.equal(a, b)
        assert a.requires_grad
    wide = SelfAttention(400, 50, generator=generator(0))
    assert wide.W_Q.std().item() == pytest.approx(400**-0.5, rel=0.05)


@pytest.mark.parametrize("name", ["d_in", "d_k", "d_v"])
def test_modules_of_width_one_work_and_of_width_zero_are_refused(name):
    widths = {"d_in": 1, "d_k": 1, "d_v": 1}
    assert SelfAttention(**widths)(torch.ones(2, 1))[0].shape == (2, 1)
    assert MultiHeadAttention(1, 1)(torch.ones(2, 1))[0].shape == (2, 1)
    with pytest.raises(ValueError, match=f"{name} must be at least 1, got 0"):
        SelfAttention(**(widths | {name: 0}))
    with pytest.raises(ValueError, match="d_model must be at least 1, got 0"):
        MultiHeadAttention(0, 1)


def test_a_module_learns():
    layer = MultiHeadAttention(8, 2, generator=generator(0))
    X, target = random(1, 4, 5, 8, dtype=torch.float32), random(2, 4, 5, 8, dtype=torch.float32)
    optimizer = torch.optim.Adam(layer.parameters(), lr=0.01)
    losses = []
    for _ in range(30):
        optimizer.zero_grad()
        loss = F.mse_loss(layer(X)[0], target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.8 * losses[0]


# ---------------------------------------------------------------- dropout


def test_dropout_only_while_training():
    layer = MultiHeadAttention(8, 2, dropout=0.5, generator=generator(0)).double()
    plain = MultiHeadAttention(8, 2, generator=generator(0)).double()
    X = random(1, 1, 6, 8)
    with torch.no_grad():
        _, whole = plain.train()(X)
        _, in_evaluation = layer.eval()(X)
        torch.manual_seed(0)
        layer.train()
        runs = torch.stack([layer(X)[1] for _ in range(2000)])
    assert_same(in_evaluation, whole)
    assert_same(in_evaluation.sum(-1), torch.ones(1, 2, 6))
    assert_same(runs.mean(0), whole, rtol=0, atol=0.05)
    kept = runs != 0
    assert 0.45 < kept.double().mean() < 0.55
    assert_same(runs[kept], (2 * whole).expand_as(runs)[kept])


def test_output_uses_the_weights_that_are_returned():
    torch.manual_seed(0)
    Q, K, V = (random(seed, 5, 4) for seed in range(3))
    output, weights = scaled_dot_product_attention(Q, K, V, dropout_p=0.5)
    assert (weights == 0).any()
    assert_same(output, weights @ V)


@pytest.mark.parametrize("p", [-0.1, 1, 1.5])
def test_dropout_outside_its_range_is_refused(p):
    with pytest.raises(ValueError, match="dropout must be at least 0 and below 1"):
        MultiHeadAttention(8, 2, dropout=p)
    X = torch.ones(2, 2)
    with pytest.raises(ValueError, match="dropout_p must be at least 0 and below 1"):
        scaled_dot_product_attention(X, X, X, dropout_p=p)
    with pytest.raises(TypeError, match="dropout must be a number, got True"):
        MultiHeadAttention(8, 2, dropout=True)


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
    output, weights = layer(torch.full((3, 4), 6e4, dtype=torch.float16))
    assert weights.isfinite().all()
    with torch.no_grad():
        layer.W_O.zero_()
    assert layer(torch.full((3, 4), 6e4, dtype=torch.float16))[0].isfinite().all()


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


# ---------------------------------------------------------------- blocks and cache


@pytest.mark.parametrize("causal", [False, True])
def test_blocked_attention_equals_naive_over_several_blocks_of_queries(causal):
    n_q, n_k = 513, 300
    Q, K, V = random(0, n_q, 4), random(1, n_k, 4), random(2, n_k, 3)
    mask = random_mask(3, n_q, n_k)
    mask[:, :20] = False  # the first blocks are hidden
    both = mask & causal_mask(n_q, n_k) if causal else mask
    wanted, _ = scaled_dot_product_attention(Q, K, V, both)
    for block_size in (7, 64, n_k, n_k + 5):
        assert_same(blocked_attention(Q, K, V, mask, causal, block_size), wanted)


@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
def test_cache_equals_causal_attention_at_every_prefix(batch):
    n = 40  # more than the first buffer holds
    X = random(0, *batch, n, 4)
    matrices = random(1, 4, 3), random(2, 4, 3), random(3, 4, 5)
    wanted, _ = self_attention(X, *matrices, causal_mask(n))
    cache = KVCache(*matrices)
    assert cache.keys is cache.values is None
    for t in range(n):
        assert_same(cache.step(X[..., t, :]), wanted[..., t, :])
        assert len(cache) == t + 1
    assert_same(cache.keys, X @ matrices[1])
    assert_same(cache.values, X @ matrices[2])


def test_cache_does_not_follow_later_changes_of_its_matrices():
    W, x = random(0, 3, 3), random(1, 3)
    cache, other = KVCache(W, W, W), KVCache(W.clone(), W.clone(), W.clone())
    cache.step(x)
    other.step(x)
    W.zero_()
    cache.keys.zero_()
    assert torch.equal(cache.step(2 * x), other.step(2 * x))


def test_cache_refuses_tokens_that_do_not_fit_and_widens_for_wider_ones():
    W = random(0, 4, 4, dtype=torch.float32)
    cache = KVCache(W, W, W)
    with pytest.raises(ValueError, match=r"x must be one token of shape \(..., 4\), got shape"):
        cache.step(torch.ones(3))
    X = random(1, 2, 4)
    assert cache.step(X[0].float()).dtype == torch.float32
    with pytest.raises(ValueError, match=r"x has batch shape \(2,\) but the earlier tokens have"):
        cache.step(torch.ones(2, 4))
    assert len(cache) == 1
    wanted, _ = self_attention(X, W, W, W)
    assert_same(cache.step(X[1]), wanted[1], rtol=1e-5, atol=1e-6)


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
