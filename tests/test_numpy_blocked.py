"""NumPy attention block by block and token by token against the plain one."""

import tracemalloc

import numpy as np
import pytest
from attention_oracles import SEEDS, loop_attention, random, random_mask, random_problem

from helpers.numpy_attention import (
    KVCache,
    blocked_attention,
    causal_mask,
    scaled_dot_product_attention,
    self_attention,
)

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
