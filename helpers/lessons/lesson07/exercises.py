"""Exercises of lesson 07: what attention costs, and what of it can be saved."""

import math

import numpy as np

from helpers.course.exercise import Exercise

# ------------------------------------------------------------------------------- cost_model


def cost_model(n, d_model, num_heads, layers, bytes_a_number):
    """Predict the share of the pairs, the bytes of the score tables and those of the cache."""
    projections = 8 * n * d_model**2  # Q, K, V and W_O
    pairs = 4 * n**2 * d_model  # scores, and the sum of values
    tables = num_heads * n**2 * bytes_a_number
    cache = 2 * layers * n * d_model * bytes_a_number
    return pairs / (projections + pairs), tables, cache


def _cost_inputs(rng):
    def sizes(n, d_model, num_heads, layers, bytes_a_number):
        return {
            "n": n,
            "d_model": d_model,
            "num_heads": num_heads,
            "layers": layers,
            "bytes_a_number": bytes_a_number,
        }

    return (
        sizes(10, 6, 2, 3, 4),
        sizes(1, 1, 1, 1, 1),
        sizes(4096, 4096, 32, 32, 2),
        sizes(1_000_000, 128, 4, 12, 2),
        sizes(int(rng.integers(20, 90)), 8, 4, int(rng.integers(2, 6)), 4),
    )


def _costs(n, d_model, num_heads, layers, bytes_a_number, share=None, tables=None, cache=None):
    """The right answer with one part exchanged."""
    right = (
        n / (n + 2 * d_model),
        num_heads * n**2 * bytes_a_number,
        2 * layers * n * d_model * bytes_a_number,
    )
    given = (share, tables, cache)
    return tuple(r if g is None else g for r, g in zip(right, given, strict=True))


def w_o_forgotten(n, d_model, num_heads, layers, bytes_a_number):
    """Three projections are counted; W_O is the fourth."""
    share = 4 * n / (6 * d_model + 4 * n)
    return _costs(n, d_model, num_heads, layers, bytes_a_number, share=share)


def scores_only(n, d_model, num_heads, layers, bytes_a_number):
    """Only the scores are counted as pairs; mixing the values takes as many operations again."""
    share = n / (4 * d_model + n)
    return _costs(n, d_model, num_heads, layers, bytes_a_number, share=share)


def ratio_instead_of_share(n, d_model, num_heads, layers, bytes_a_number):
    """It divides the pairs by the projections; a share is a part of both together."""
    return _costs(n, d_model, num_heads, layers, bytes_a_number, share=n / (2 * d_model))


def share_of_the_projections(n, d_model, num_heads, layers, bytes_a_number):
    """That is the share of the projections; the share of the pairs is wanted."""
    share = 2 * d_model / (n + 2 * d_model)
    return _costs(n, d_model, num_heads, layers, bytes_a_number, share=share)


def pairs_times_heads(n, d_model, num_heads, layers, bytes_a_number):
    """It multiplies the pairs by the heads; each head is h times narrower, so this cancels."""
    share = num_heads * n / (num_heads * n + 2 * d_model)
    return _costs(n, d_model, num_heads, layers, bytes_a_number, share=share)


def one_table(n, d_model, num_heads, layers, bytes_a_number):
    """It stores one score table; every head has its own."""
    return _costs(n, d_model, num_heads, layers, bytes_a_number, tables=n**2 * bytes_a_number)


def tables_of_all_layers(n, d_model, num_heads, layers, bytes_a_number):
    """It keeps the score tables of all layers; one layer's are gone before the next begins."""
    tables = layers * num_heads * n**2 * bytes_a_number
    return _costs(n, d_model, num_heads, layers, bytes_a_number, tables=tables)


def table_as_wide_as_d(n, d_model, num_heads, layers, bytes_a_number):
    """A score table is n by n; its width does not depend on d_model."""
    tables = num_heads * n * d_model * bytes_a_number
    return _costs(n, d_model, num_heads, layers, bytes_a_number, tables=tables)


def numbers_not_bytes(n, d_model, num_heads, layers, bytes_a_number):
    """It counts numbers; each of them takes several bytes."""
    return _costs(n, d_model, num_heads, layers, 1)


def keys_only(n, d_model, num_heads, layers, bytes_a_number):
    """It keeps the keys alone; the values have to be kept as well."""
    cache = layers * n * d_model * bytes_a_number
    return _costs(n, d_model, num_heads, layers, bytes_a_number, cache=cache)


def cache_of_one_layer(n, d_model, num_heads, layers, bytes_a_number):
    """It keeps the cache of one layer; every layer has keys and values of its own."""
    cache = 2 * n * d_model * bytes_a_number
    return _costs(n, d_model, num_heads, layers, bytes_a_number, cache=cache)


def cache_times_heads(n, d_model, num_heads, layers, bytes_a_number):
    """It multiplies the cache by the heads; together all heads have d_model columns."""
    cache = 2 * layers * num_heads * n * d_model * bytes_a_number
    return _costs(n, d_model, num_heads, layers, bytes_a_number, cache=cache)


def queries_kept_too(n, d_model, num_heads, layers, bytes_a_number):
    """It keeps Q as well; the query of an old token is never needed again."""
    cache = 3 * layers * n * d_model * bytes_a_number
    return _costs(n, d_model, num_heads, layers, bytes_a_number, cache=cache)


cost_model = Exercise(
    name="lesson07.cost_model",
    reference=cost_model,
    inputs=_cost_inputs,
    returns=("share of the pairs", "table bytes", "cache bytes"),
    hints=(
        "Operations first. A product of (a, b) and (b, c) takes 2abc of them. Which four products "
        "have a matrix W in them, and which two are between tokens?",
        "Projections: four times 2 · n · d_model². Pairs: scores and weighted sum, each "
        "2 · n² · d_model over all heads together. The layers cancel in the share.",
        "Tables: every head of the layer at work has n² scores. Cache: each layer keeps K and V, "
        "and each of them is (n, d_model).",
    ),
    wrong=(
        w_o_forgotten,
        scores_only,
        ratio_instead_of_share,
        share_of_the_projections,
        pairs_times_heads,
        one_table,
        tables_of_all_layers,
        table_as_wide_as_d,
        numbers_not_bytes,
        keys_only,
        cache_of_one_layer,
        cache_times_heads,
        queries_kept_too,
    ),
)

# --------------------------------------------------------------------------------- kv_cache


def kv_cache(x, t, cache, W_Q, W_K, W_V, positions):
    """Take in token number t with the keys and values of the tokens before it."""
    x = x + positions[t]  # (d_model,)
    q, k, v = x @ W_Q, x @ W_K, x @ W_V  # (d_k,), (d_k,), (d_v,)
    K = k[None] if cache is None else np.vstack([cache[0], k])  # (t + 1, d_k)
    V = v[None] if cache is None else np.vstack([cache[1], v])  # (t + 1, d_v)
    scores = K @ q / math.sqrt(len(q))  # (t + 1,)
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum() @ V, (K, V)


def _token_by_token(answer, sequences, W_Q, W_K, W_V, positions):
    """Run an answer over one sequence after the other, token by token."""
    outputs = []
    for sequence in sequences:
        cache = None
        for t, x in enumerate(sequence):
            output, cache = answer(x, t, cache, W_Q, W_K, W_V, positions)
            outputs.append(output)
    return np.array(outputs)


def _cache_inputs(rng):
    def draw(lengths, d_model=4, d_k=3, d_v=2, level=1.0, **given):
        return {
            "sequences": [rng.normal(size=(n, d_model)).round(2) for n in lengths],
            "W_Q": (level * rng.normal(size=(d_model, d_k))).round(2),
            "W_K": rng.normal(size=(d_model, d_k)).round(2),
            "W_V": rng.normal(size=(d_model, d_v)).round(2),
            "positions": rng.normal(size=(12, d_model)).round(2),
        } | given

    return (
        draw([1]),
        draw([2]),
        draw([5], positions=np.zeros((12, 4))),
        draw([5]),
        draw([6], d_model=3, d_k=5, d_v=3),
        draw([3, 4]),
        draw([4], level=400.0),
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


kv_cache = Exercise(
    name="lesson07.kv_cache",
    reference=kv_cache,
    inputs=_cache_inputs,
    runner=_token_by_token,
    hints=(
        "Of token t you need the query, the key and the value. Of the earlier tokens: which of "
        "the three does the new row of scores need?",
        "Add positions[t] to x first. Then one new row for K and one for V: "
        "np.vstack([cache[0], k]) puts it below. With cache None there is nothing above it.",
        "scores = K @ q / math.sqrt(len(q)) is one row. Softmax, times V. Return the output and, "
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
    ),
    points=2,
)

# -------------------------------------------------------------------------------- merge_blocks


def merge_blocks(first, second):
    """Put together what two blocks of keys have found for the same queries."""
    largest = np.maximum(first[0], second[0])  # (n,)
    level = np.where(largest == -np.inf, 0.0, largest)  # nothing seen in either block
    total, mixed = 0.0, 0.0
    for block_largest, block_total, block_mixed in (first, second):
        shrink = np.exp(block_largest - level)  # (n,)
        total = total + shrink * block_total
        mixed = mixed + shrink[:, None] * block_mixed
    return largest, total, mixed


def _merge_inputs(rng):
    def block(scores, V):
        """What a block of keys finds: its largest scores, totals, mixed values."""
        largest = scores.max(axis=1)
        exponentials = np.exp(scores - np.where(largest == -np.inf, 0.0, largest)[:, None])
        return largest, exponentials.sum(axis=1), exponentials @ V

    def draw(n, k1, k2, d_v, level=0.0, **_):
        scores = (2 * rng.normal(size=(n, k1 + k2)) + level).round(1)
        V = rng.normal(size=(k1 + k2, d_v)).round(1)
        return scores, V, k1

    def pair(scores, V, k1):
        return {"first": block(scores[:, :k1], V[:k1]), "second": block(scores[:, k1:], V[k1:])}

    rising = np.array([[0.0, 1.0, 3.0], [2.0, 1.0, 2.0]])
    falling = np.array([[5.0, 4.0, 1.0], [1.0, 0.0, -1.0]])
    hidden = np.array([[-np.inf, -np.inf, 1.0], [0.5, 1.0, -np.inf]])
    empty = np.array([[-np.inf, -np.inf, -np.inf], [0.0, 1.0, 2.0]])
    V = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]])
    return (
        pair(rising, V, 2),
        pair(falling, V, 1),
        pair(*draw(3, 3, 2, 2)),
        pair(*draw(2, 2, 2, 3, level=-900.0)),
        pair(*draw(2, 1, 3, 2, level=900.0)),
        pair(*draw(4, 5, 1, 1)),
        pair(hidden, V, 2),
        pair(empty, V, 1),
    )


def _merged(first, second, shrinks, largest=None):
    """Merge with other factors than the right ones."""
    largest = np.maximum(first[0], second[0]) if largest is None else largest
    total = sum(s * part[1] for s, part in zip(shrinks, (first, second), strict=True))
    mixed = sum(s[:, None] * part[2] for s, part in zip(shrinks, (first, second), strict=True))
    return largest, total, mixed


def _shrinks(first, second):
    """The right factors of the two blocks."""
    largest = np.maximum(first[0], second[0])
    level = np.where(largest == -np.inf, 0.0, largest)
    return [np.exp(part[0] - level) for part in (first, second)]


def added_as_they_are(first, second):
    """It adds totals that were measured from different levels; each must shrink first."""
    return _merged(first, second, [np.ones_like(first[0])] * 2)


def total_shrinks_alone(first, second):
    """The totals shrink, the mixed values do not; both are sums of the same exponentials."""
    largest, total, _ = _merged(first, second, _shrinks(first, second))
    return largest, total, first[2] + second[2]


def mixed_shrinks_alone(first, second):
    """The mixed values shrink, the totals do not; both are sums of the same exponentials."""
    largest, _, mixed = _merged(first, second, _shrinks(first, second))
    return largest, first[1] + second[1], mixed


def second_is_always_larger(first, second):
    """Only the first block shrinks, as if the second always had the larger maximum."""
    shrinks = [np.exp(first[0] - second[0]), np.ones_like(first[0])]
    return _merged(first, second, shrinks)


def factor_upside_down(first, second):
    """The factor is upside down: exp(old - new) shrinks, exp(new - old) grows."""
    largest = np.maximum(first[0], second[0])
    return _merged(first, second, [np.exp(largest - part[0]) for part in (first, second)])


def ratio_of_the_maxima(first, second):
    """It shrinks by the ratio of the maxima; a difference of scores is a ratio of shares."""
    largest = np.maximum(first[0], second[0])
    return _merged(first, second, [part[0] / largest for part in (first, second)])


def maxima_added(first, second):
    """It adds the two maxima; the larger of the two is the maximum of both blocks."""
    return _merged(first, second, _shrinks(first, second), largest=first[0] + second[0])


def never_below_zero(first, second):
    """It keeps the maximum at 0 or above; a row of negative scores then vanishes."""
    largest = np.maximum(np.maximum(first[0], second[0]), 0.0)
    return _merged(first, second, [np.exp(p[0] - largest) for p in (first, second)], largest)


def already_divided(first, second):
    """It divides by the total already; that comes once, after the last block."""
    largest, total, mixed = _merged(first, second, _shrinks(first, second))
    return largest, total, mixed / np.where(total == 0, 1.0, total)[:, None]


def mean_of_the_blocks(first, second):
    """It averages the mixed values of the two blocks; each counts by its total, not by half."""
    largest, total, _ = _merged(first, second, _shrinks(first, second))
    return largest, total, (first[2] + second[2]) / 2


def infinity_minus_infinity(first, second):
    """Where both blocks saw nothing it computes infinity minus infinity; zeros are wanted."""
    largest = np.maximum(first[0], second[0])
    return _merged(first, second, [np.exp(part[0] - largest) for part in (first, second)])


merge_blocks = Exercise(
    name="lesson07.merge_blocks",
    reference=merge_blocks,
    inputs=_merge_inputs,
    returns=("largest", "total", "mixed"),
    hints=(
        "The largest score of both blocks is easy. From which level was each block's total "
        "measured, and from which level must it be measured now?",
        "A block shrinks by exp(its own largest - the new largest). For one of the two that is "
        "exp(0) = 1. Total and mixed shrink by the same factor.",
        "A block in which a query saw nothing has largest -inf and total 0; exp(-inf) = 0 is fine. "
        "Only if both are -inf the difference is not a number: take 0 for the new level there.",
    ),
    wrong=(
        added_as_they_are,
        total_shrinks_alone,
        mixed_shrinks_alone,
        second_is_always_larger,
        factor_upside_down,
        ratio_of_the_maxima,
        maxima_added,
        never_below_zero,
        already_divided,
        mean_of_the_blocks,
        infinity_minus_infinity,
    ),
)

# ------------------------------------------------------------------------------ online_softmax


def online_softmax(Q, K, V, block_size, mask=None):
    """Compute attention while the keys pass by in blocks."""
    largest = np.full((len(Q), 1), -np.inf)
    total = np.zeros((len(Q), 1))
    mixed = np.zeros((len(Q), V.shape[1]))
    for start in range(0, len(K), block_size):
        keys = slice(start, start + block_size)
        scores = Q @ K[keys].T / math.sqrt(Q.shape[1])  # (n_q, block)
        if mask is not None:
            scores = np.where(mask[:, keys], scores, -np.inf)
        new = np.maximum(largest, scores.max(axis=1, keepdims=True))
        level = np.where(new == -np.inf, 0.0, new)  # nothing seen yet
        shrink, exponentials = np.exp(largest - level), np.exp(scores - level)
        total = total * shrink + exponentials.sum(axis=1, keepdims=True)
        mixed = mixed * shrink + exponentials @ V[keys]
        largest = new
    return mixed / total


def _online_inputs(rng):
    def draw(n_q, n_k, d_k, d_v, block_size, **mask):
        shapes = {"Q": (n_q, d_k), "K": (n_k, d_k), "V": (n_k, d_v)}
        arrays = {name: rng.normal(size=shape).round(2) for name, shape in shapes.items()}
        return arrays | {"block_size": block_size} | mask

    def column(q, keys, block_size, **mask):
        K = np.array(keys)[:, None]
        V = np.arange(2.0 * len(K)).reshape(-1, 2)
        return {"Q": np.array([[q]]), "K": K, "V": V, "block_size": block_size} | mask

    first_two_hidden = np.array([[False, False, True, True]])
    return (
        draw(2, 2, 2, 2, 2),
        column(1.0, [0.0, 1.0, 3.0, 4.0], 2),
        column(1.0, [4.0, 3.0, 1.0, 0.0], 2),
        draw(3, 4, 4, 2, 2),
        draw(2, 7, 3, 2, 3),
        draw(2, 4, 3, 4, 64),
        draw(1, 5, 2, 3, 1),
        column(40.0, [-30.0, -31.0, -30.05, -30.02], 2),
        column(100.0, [30.0, 30.01, 29.99, 10.0], 2),
        column(30.0, [9.0, 8.0, -40.0, -40.1], 2, mask=first_two_hidden),
        draw(4, 4, 3, 2, 2, mask=np.tri(4, dtype=bool)),
        draw(2, 6, 3, 2, 2, mask=np.array([[0, 0, 1, 1, 1, 0], [0, 0, 0, 0, 1, 1]], bool)),
    )


def _in_blocks(
    Q,
    K,
    V,
    block_size,
    mask=None,
    start_at=-np.inf,
    total_shrinks=True,
    mixed_shrinks=True,
    upside_down=False,
    guarded=True,
    scale=None,
):
    """Attention in blocks with one part exchanged; returns total and mixed before the division."""
    largest = np.full((len(Q), 1), start_at)
    total, mixed = np.zeros((len(Q), 1)), np.zeros((len(Q), V.shape[1]))
    for start in range(0, len(K), block_size):
        keys = slice(start, start + block_size)
        scores = Q @ K[keys].T / (math.sqrt(Q.shape[1]) if scale is None else scale)
        if mask is not None:
            scores = np.where(mask[:, keys], scores, -np.inf)
        new = np.maximum(largest, scores.max(axis=1, keepdims=True))
        level = np.where(new == -np.inf, 0.0, new) if guarded else new
        shrink = np.exp(largest - level)
        if upside_down:
            shrink = np.where(largest == -np.inf, 0.0, np.exp(level - largest))
        exponentials = np.exp(scores - level)
        total = total * (shrink if total_shrinks else 1) + exponentials.sum(1, keepdims=True)
        mixed = mixed * (shrink if mixed_shrinks else 1) + exponentials @ V[keys]
        largest = new
    return total, mixed


def never_shrinks(Q, K, V, block_size, mask=None):
    """What was added before a larger score came is not shrunk to the new level."""
    total, mixed = _in_blocks(Q, K, V, block_size, mask, total_shrinks=False, mixed_shrinks=False)
    return mixed / total


def only_the_total_shrinks(Q, K, V, block_size, mask=None):
    """The total shrinks when a larger score comes, the weighted sum of values does not."""
    total, mixed = _in_blocks(Q, K, V, block_size, mask, mixed_shrinks=False)
    return mixed / total


def only_the_values_shrink(Q, K, V, block_size, mask=None):
    """The weighted sum of values shrinks when a larger score comes, the total does not."""
    total, mixed = _in_blocks(Q, K, V, block_size, mask, total_shrinks=False)
    return mixed / total


def shrinks_upside_down(Q, K, V, block_size, mask=None):
    """The factor is upside down: it must be exp(old - new), which is at most 1."""
    total, mixed = _in_blocks(Q, K, V, block_size, mask, upside_down=True)
    return mixed / total


def starts_at_zero(Q, K, V, block_size, mask=None):
    """The running maximum starts at 0: where all scores are far below 0, everything vanishes."""
    total, mixed = _in_blocks(Q, K, V, block_size, mask, start_at=0.0)
    return mixed / total


def starts_at_zero_and_hides_it(Q, K, V, block_size, mask=None):
    """The running maximum starts at 0, and 0/0 is covered up by zeros."""
    total, mixed = _in_blocks(Q, K, V, block_size, mask, start_at=0.0)
    return mixed / np.where(total == 0, 1.0, total)


def hidden_block_gives_nan(Q, K, V, block_size, mask=None):
    """A first block that is hidden whole gives infinity minus infinity, and NaN for ever."""
    total, mixed = _in_blocks(Q, K, V, block_size, mask, guarded=False)
    return mixed / total


def averages_the_blocks(Q, K, V, block_size, mask=None):
    """It takes a softmax inside each block and averages the results; blocks are not equal."""
    outputs = []
    for start in range(0, len(K), block_size):
        keys = slice(start, start + block_size)
        seen = None if mask is None else mask[:, keys]
        total, mixed = _in_blocks(Q, K[keys], V[keys], block_size, seen)
        outputs.append(mixed / np.where(total == 0, 1.0, total))
    return np.mean(outputs, axis=0)


def not_divided(Q, K, V, block_size, mask=None):
    """The division by the total is missing at the end."""
    return _in_blocks(Q, K, V, block_size, mask)[1]


def last_block_dropped(Q, K, V, block_size, mask=None):
    """A last block that is shorter than the others is never visited."""
    stop = len(K) // block_size * block_size
    total, mixed = _in_blocks(Q, K[:stop], V[:stop], block_size, mask)
    return mixed / total


def no_running_maximum(Q, K, V, block_size, mask=None):
    """There is no running maximum: exp of a large score is too large for a float."""
    scores = Q @ K.T / math.sqrt(Q.shape[1])
    exponentials = np.exp(scores if mask is None else np.where(mask, scores, -np.inf))
    return exponentials @ V / exponentials.sum(axis=1, keepdims=True)


def block_not_scaled(Q, K, V, block_size, mask=None):
    """The scores are not divided by the square root of d_k."""
    total, mixed = _in_blocks(Q, K, V, block_size, mask, scale=1.0)
    return mixed / total


def blocks_ignore_the_mask(Q, K, V, block_size, mask=None):
    """The mask is not used."""
    total, mixed = _in_blocks(Q, K, V, block_size)
    return mixed / total


def blocks_hide_what_is_true(Q, K, V, block_size, mask=None):
    """It reads True in the mask as "hide"; here True means "may attend"."""
    total, mixed = _in_blocks(Q, K, V, block_size, None if mask is None else ~mask)
    return mixed / np.where(total == 0, 1.0, total)


online_softmax = Exercise(
    name="lesson07.online_softmax",
    reference=online_softmax,
    inputs=_online_inputs,
    hints=(
        "Keep three things a query: the largest score so far, the total of the exponentials, and "
        "the values mixed by them. What must happen to the last two when the first one grows?",
        "For each block: new = the larger of the old maximum and the block's. Multiply total and "
        "mixed by exp(old - new), then add the block's exp(scores - new). Divide at the very end.",
        "Start the maximum at -inf, not at 0. A query that has seen nothing yet still has -inf "
        "after the block: subtract 0 there, or infinity minus infinity turns into NaN.",
    ),
    wrong=(
        never_shrinks,
        only_the_total_shrinks,
        only_the_values_shrink,
        shrinks_upside_down,
        starts_at_zero,
        starts_at_zero_and_hides_it,
        hidden_block_gives_nan,
        averages_the_blocks,
        not_divided,
        last_block_dropped,
        no_running_maximum,
        block_not_scaled,
        blocks_ignore_the_mask,
        blocks_hide_what_is_true,
    ),
    points=2,
)
