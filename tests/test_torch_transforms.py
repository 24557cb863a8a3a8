"""PyTorch attention where no number can be looked at: vmap, torch.func, export, compile, meta.

The oracle is the same call on ordinary tensors.
"""

import copy
import itertools
import warnings

import pytest
import torch
from tensor_problems import assert_same, generator, random, random_mask
from torch.func import functional_call, grad, vmap

from helpers.torch_attention import (
    KVCache,
    MultiHeadAttention,
    blocked_attention,
    causal_mask,
    multi_head_attention,
    padding_mask,
    scaled_dot_product_attention,
    self_attention,
    sinusoidal_positions,
    softmax,
    split_heads,
)

torch.set_num_threads(1)

X = random(0, 3, 5, 8)
MASK = random_mask(1, 3, 5, 5)  # the first query of each sentence sees nothing
W = [random(seed, 8, 8) for seed in range(2, 6)]
LAYER = MultiHeadAttention(8, 2, generator=generator(6)).double()
for parameter in LAYER.parameters():
    parameter.requires_grad_(False)

CALLS = {
    "softmax": lambda x, mask: softmax(x.masked_fill(x > 1, -torch.inf), axis=-2),
    "attention": lambda x, mask: scaled_dot_product_attention(x, x, x, mask),
    "blocked": lambda x, mask: blocked_attention(x, x, x, mask, True, 2),
    "self": lambda x, mask: self_attention(x, *W[:3], mask),
    "heads": lambda x, mask: multi_head_attention(x, *W, 2, mask.unsqueeze(-3)),
    "split": lambda x, mask: split_heads(x, 4),
    "module": lambda x, mask: LAYER(x, mask.unsqueeze(-3)),
}
on_every_call = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())


@on_every_call
def test_vmap_over_sentences_equals_the_batch(call):
    assert_same(vmap(call)(X, MASK), call(X, MASK))


@on_every_call
def test_a_graph_without_a_break_equals_the_eager_call(call):
    torch.compiler.reset()
    assert_same(torch.compile(call, backend="eager", fullgraph=True)(X, MASK), call(X, MASK))


@on_every_call
def test_the_meta_device_tells_the_shapes(call):
    meta = torch.nn.Module.to(copy.deepcopy(LAYER), "meta")
    matrices = [w.to("meta") for w in W]
    x, mask = X.to("meta"), MASK.to("meta")
    name = next(name for name, value in CALLS.items() if value is call)
    moved = {
        "self": lambda: self_attention(x, *matrices[:3], mask),
        "heads": lambda: multi_head_attention(x, *matrices, 2, mask[:, None]),
        "module": lambda: meta(x, MASK[:, None]),  # a mask is moved to the device of X
    }
    got, wanted = moved.get(name, lambda: call(x, mask))(), call(X, MASK)
    pairs = zip(got, wanted, strict=True) if isinstance(got, tuple) else [(got, wanted)]
    for a, b in pairs:
        assert a.is_meta
        assert (a.shape, a.dtype) == (b.shape, b.dtype)


def test_gradients_for_each_sentence_equal_one_backward_pass_after_the_other():
    def loss(parameters, x, mask):
        return functional_call(LAYER, parameters, (x, mask))[0].square().sum()

    parameters = dict(LAYER.named_parameters())
    got = vmap(grad(loss), in_dims=(None, 0, 0))(parameters, X, MASK)
    for b in range(len(X)):
        leaves = {name: p.clone().requires_grad_() for name, p in parameters.items()}
        loss(leaves, X[b], MASK[b]).backward()
        for name, leaf in leaves.items():
            assert got[name][b].isfinite().all()
            assert_same(got[name][b], leaf.grad, rtol=1e-10, atol=1e-10)


def test_nan_in_padding_is_kept_away_also_where_it_cannot_be_seen():
    keys = torch.tensor([True, True, True, True, False])
    dirty = X.clone()
    dirty[:, 4] = torch.nan
    wanted, _ = scaled_dot_product_attention(X, X, X, keys)
    got, _ = vmap(lambda q, k: scaled_dot_product_attention(q, k, k, keys))(X, dirty)
    assert_same(got, wanted)


@pytest.mark.parametrize("strict", [False, True])
def test_an_exported_module_serves_other_lengths(strict):
    class Causal(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = LAYER

        def forward(self, x):
            return self.layer(x, causal_mask(x.shape[-2]))[0]

    sizes = {0: torch.export.Dim("batch"), 1: torch.export.Dim("n")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch's own
        program = torch.export.export(Causal(), (X,), dynamic_shapes=(sizes,), strict=strict)
    other = random(7, 4, 6, 8)
    assert_same(program.module()(other), Causal()(other))


def test_a_compiled_module_trains_and_drops():
    torch.compiler.reset()
    layer = MultiHeadAttention(8, 2, dropout=0.5, generator=generator(8)).double()
    output, weights = torch.compile(layer, backend="eager", fullgraph=True)(X)
    output.sum().backward()
    assert (weights == 0).any()
    assert all(p.grad.isfinite().all() for p in layer.parameters())


def test_masks_positions_and_cache_compile():
    torch.compiler.reset()
    cache, other = KVCache(*W[:3]), KVCache(*W[:3])
    ids = torch.tensor([[4, 1, 0]])

    def compute(ids, x):
        return padding_mask(ids, 0), sinusoidal_positions(3, 4), cache.step(x)

    got = torch.compile(compute, backend="eager", fullgraph=True)(ids, X[0, 0])
    assert_same(got, (padding_mask(ids, 0), sinusoidal_positions(3, 4), other.step(X[0, 0])))
    assert len(cache) == 1


def test_a_number_too_large_is_still_refused_under_grad_alone():
    def loss(x):
        return self_attention(x, *W[:3])[0].sum()

    for transform, size in itertools.product((grad, torch.func.jacrev), (1.0, 1e308)):
        compute = transform(loss)
        if size == 1.0:
            assert compute(X).isfinite().all()
            continue
        with pytest.raises(ValueError, match="X @ W overflows"):
            compute(torch.full((3, 8), size, dtype=torch.float64))
