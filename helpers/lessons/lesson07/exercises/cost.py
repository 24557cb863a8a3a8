"""Exercise 1 of lesson 07: a cost model."""

from helpers.course.exercise import Example, Exercise


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
        sizes(7, 15, 5, 3, 8),
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
    returns=("share_of_pairs", "table_bytes", "cache_bytes"),
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
    examples=(
        Example(
            {"n": 4096, "d_model": 4096, "num_heads": 32, "layers": 32, "bytes_a_number": 2},
            ("(0.333…, 1073741824, 2147483648)",),
        ),
    ),
)
