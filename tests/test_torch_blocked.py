"""PyTorch attention block by block and token by token against the plain one."""

import pytest
import torch
from tensor_problems import assert_same, random, random_mask

from helpers.torch_attention import (
    KVCache,
    blocked_attention,
    causal_mask,
    scaled_dot_product_attention,
    self_attention,
)

torch.set_num_threads(1)


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
