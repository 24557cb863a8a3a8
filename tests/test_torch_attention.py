"""PyTorch attention against torch's own functions and layers, and against the NumPy version."""

import itertools

import pytest
import torch
import torch.nn.functional as F
from tensor_problems import (
    SEEDS,
    as_numpy,
    assert_same,
    generator,
    random,
    random_mask,
    random_problem,
)
from torch import nn

import helpers.numpy_attention as numpy_attention
import helpers.torch_attention as attention
from helpers.torch_attention import (
    MultiHeadAttention,
    SelfAttention,
    blocked_attention,
    causal_mask,
    merge_heads,
    multi_head_attention,
    padding_mask,
    scaled_dot_product_attention,
    self_attention,
    softmax,
    split_heads,
)

torch.set_num_threads(1)


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
    layer = MultiHeadAttention(4, 1, dropout=0.5, generator=generator(0)).double()
    X = random(1, 5, 4)
    output, weights = layer(X)
    assert (weights == 0).any()
    assert_same(output.detach(), (weights[0] @ X @ layer.W_V @ layer.W_O).detach())


@pytest.mark.parametrize("p", [-0.1, 1, 1.5])
def test_dropout_outside_its_range_is_refused(p):
    with pytest.raises(ValueError, match="dropout must be at least 0 and below 1"):
        MultiHeadAttention(8, 2, dropout=p)
    with pytest.raises(TypeError, match="dropout must be a number, got True"):
        MultiHeadAttention(8, 2, dropout=True)
