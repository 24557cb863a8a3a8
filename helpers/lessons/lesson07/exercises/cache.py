"""Exercise 2 of lesson 07: one step of the cache."""

import math

import numpy as np

from helpers import numpy_attention
from helpers.course.exercise import Exercise
from helpers.lessons.lesson07.exercises.runners import token_by_token


def kv_cache(x, t, cache, W_Q, W_K, W_V, positions):
    """Take in token number t with the keys and values of the tokens before it."""
    x = x + positions[t]  # (d_model,)
    q, k, v = x @ W_Q, x @ W_K, x @ W_V  # (d_k,), (d_k,), (d_v,)
    K = k[None] if cache is None else np.vstack([cache[0], k])  # (t + 1, d_k)
    V = v[None] if cache is None else np.vstack([cache[1], v])  # (t + 1, d_v)
    weights = numpy_attention.softmax(K @ q / len(q) ** 0.5)  # (t + 1,)
    return weights @ V, (K, V)


def _cache_inputs(rng):
    def draw(lengths, d_model=4, d_k=3, d_v=2, **given):
        return {
            "sequences": [rng.normal(size=(n, d_model)).round(2) for n in lengths],
            "W_Q": rng.normal(size=(d_model, d_k)).round(2),
            "W_K": rng.normal(size=(d_model, d_k)).round(2),
            "W_V": rng.normal(size=(d_model, d_v)).round(2),
            "positions": rng.normal(size=(14, d_model)).round(2),
        } | given

    def far(level):
        """One sequence with scores far above and far below 0; float32 holds them exactly."""
        given = draw([5], d_model=5, d_k=4)
        given["sequences"] = [rng.integers(-1, 2, size=(5, 5)).astype(float)]
        given["positions"] = rng.integers(-1, 2, size=(14, 5)).astype(float)
        given["sequences"][0][:, 0], given["positions"][:, 0] = (1.0, -1.0, 1.0, 1.0, -1.0), 0.0
        for name, size in (("W_Q", abs(level)), ("W_K", level)):
            W = rng.integers(-1, 2, size=(5, 4)).astype(float)
            W[0], W[:, 0], W[0, 0] = 0.0, 0.0, size
            given[name] = W
        return given

    return (
        draw([1]),
        draw([2]),
        draw([5], positions=np.zeros((14, 4))),
        draw([5]),
        draw([6], d_model=3, d_k=5, d_v=3),
        draw([3, 4]),
        draw([12]),
        draw([12, 2], d_model=3, d_k=3, d_v=3),
        far(64.0),
        far(-64.0),
    )


def _step(
    x, t, cache, W_Q, W_K, W_V, positions, at=None, sees=None, scale=None, keep=None, query=None
):
    """One step of the cache with one part exchanged."""
    place = t if at is None else at
    h = x if place is None else x + positions[place]
    q, k, v = (h if query is None else query) @ W_Q, h @ W_K, h @ W_V
    K = k[None] if cache is None else np.vstack([cache[0], k])
    V = v[None] if cache is None else np.vstack([cache[1], v])
    seen_K, seen_V = (K, V) if sees is None else sees(K, V)
    scores = seen_K @ q / (math.sqrt(len(q)) if scale is None else scale(seen_K))
    exponentials = np.exp(scores - scores.max())
    kept = (K, V) if keep is None else keep(K, V)
    return exponentials / exponentials.sum() @ seen_V, kept


def position_always_zero(x, t, cache, W_Q, W_K, W_V, positions):
    """Every new token gets position 0; token t belongs to position t."""
    return _step(x, t, cache, W_Q, W_K, W_V, positions, at=0)


def position_one_too_far(x, t, cache, W_Q, W_K, W_V, positions):
    """The position is counted one too far: the first token is number 0."""
    return _step(x, t, cache, W_Q, W_K, W_V, positions, at=t + 1)


def position_counted_twice(x, t, cache, W_Q, W_K, W_V, positions):
    """The length of the cache is added to t, which counts the earlier tokens twice."""
    return _step(x, t, cache, W_Q, W_K, W_V, positions, at=2 * t)


def without_position(x, t, cache, W_Q, W_K, W_V, positions):
    """The position is not added at all."""
    return _step(x, t, cache, W_Q, W_K, W_V, np.zeros_like(positions))


def query_without_position(x, t, cache, W_Q, W_K, W_V, positions):
    """The query is made from x without its position; only key and value have it."""
    return _step(x, t, cache, W_Q, W_K, W_V, positions, query=x)


def cannot_see_itself(x, t, cache, W_Q, W_K, W_V, positions):
    """It attends before the new key and value are in the cache: a token also sees itself."""

    def earlier(K, V):
        return (K[:-1], V[:-1]) if len(K) > 1 else (K, V)

    return _step(x, t, cache, W_Q, W_K, W_V, positions, sees=earlier)


def first_key_only(x, t, cache, W_Q, W_K, W_V, positions):
    """Only key 0 is seen, as by a causal mask that hangs from the wrong corner."""
    return _step(x, t, cache, W_Q, W_K, W_V, positions, sees=lambda K, V: (K[:1], V[:1]))


def last_key_only(x, t, cache, W_Q, W_K, W_V, positions):
    """The token sees itself alone; the cache is not looked at."""
    return _step(x, t, cache, W_Q, W_K, W_V, positions, sees=lambda K, V: (K[-1:], V[-1:]))


def forgets_the_past(x, t, cache, W_Q, W_K, W_V, positions):
    """The new key and value replace the cache; they must be added to it."""
    return _step(
        x, t, cache, W_Q, W_K, W_V, positions, keep=lambda K, V: (K[-1:], V[-1:])
    )  # fmt: skip


def newest_token_first(x, t, cache, W_Q, W_K, W_V, positions):
    """The new key goes to the front and the new value to the end, so they no longer match."""
    return _step(x, t, cache, W_Q, W_K, W_V, positions, sees=lambda K, V: (K[::-1], V))


def scaled_by_the_length(x, t, cache, W_Q, W_K, W_V, positions):
    """It divides by the root of the number of tokens; d_k is the length of the query."""
    return _step(x, t, cache, W_Q, W_K, W_V, positions, scale=lambda K: math.sqrt(len(K)))


def step_not_scaled(x, t, cache, W_Q, W_K, W_V, positions):
    """The scores are not divided by the square root of d_k."""
    return _step(x, t, cache, W_Q, W_K, W_V, positions, scale=lambda K: 1.0)


def step_without_maximum(x, t, cache, W_Q, W_K, W_V, positions):
    """It takes exp of the raw scores: a large score is too large for a float."""
    h = x + positions[t]
    K = (h @ W_K)[None] if cache is None else np.vstack([cache[0], h @ W_K])
    V = (h @ W_V)[None] if cache is None else np.vstack([cache[1], h @ W_V])
    exponentials = np.exp(K @ (h @ W_Q) / math.sqrt(W_Q.shape[1]))
    return exponentials / exponentials.sum() @ V, (K, V)


def remembers_eight(x, t, cache, W_Q, W_K, W_V, positions):
    """It has room for the last eight tokens only; every token before may be attended to."""
    return _step(x, t, cache, W_Q, W_K, W_V, positions, keep=lambda K, V: (K[-8:], V[-8:]))


kv_cache = Exercise(
    name="lesson07.kv_cache",
    reference=kv_cache,
    inputs=_cache_inputs,
    runner=token_by_token,
    hints=(
        "Of token t you need the query, the key and the value. Of the earlier tokens: which of "
        "the three does the new row of scores need?",
        "Add positions[t] to x first. Then one new row for K and one for V: "
        "np.vstack([cache[0], k]) puts it below. With cache None there is nothing above it.",
        "K @ q / len(q) ** 0.5 is one row of scores. Softmax, times V. Return the output and, "
        "beside it, what the next call needs: (K, V).",
    ),
    wrong=(
        position_always_zero,
        position_one_too_far,
        position_counted_twice,
        without_position,
        query_without_position,
        cannot_see_itself,
        first_key_only,
        last_key_only,
        forgets_the_past,
        newest_token_first,
        scaled_by_the_length,
        step_not_scaled,
        step_without_maximum,
        remembers_eight,
    ),
    points=2,
)
