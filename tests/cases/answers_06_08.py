"""Wrong answers nobody has declared, and right ones written in unusual ways: lessons 06 to 08."""

import math

import numpy as np
import torch

WRONG: dict[str, dict] = {}
RIGHT: dict[str, dict] = {}


def heads_of(X, num_heads):
    """Cut the columns into heads: (batch, num_heads, n, d_head)."""
    return np.stack(np.split(X, num_heads, axis=-1), axis=1)


def joined(heads):
    """Join heads: (batch, n, d_model)."""
    return np.concatenate(list(heads.swapaxes(0, 1)), axis=-1)


def shares_of(scores):
    """Softmax of the rows."""
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True)


# ------------------------------------------------------------------ lesson 06: split and merge

WRONG["lesson06.split_heads"] = {
    "pads with zeros": lambda X, h: heads_of(np.pad(X, [(0, 0), (0, 0), (0, -X.shape[2] % h)]), h),
    "the first sentence only": lambda X, h: heads_of(X[:1], h),
    "heads in reverse order": lambda X, h: heads_of(X, h)[:, ::-1],
    "columns of each head reversed": lambda X, h: heads_of(X, h)[..., ::-1],
    "two heads always": lambda X, h: heads_of(X, 2),
    "as many heads as columns of one": lambda X, h: heads_of(X, X.shape[2] // h),
    "tokens in reverse order": lambda X, h: heads_of(X, h)[:, :, ::-1],
    "refuses three heads": lambda X, h: heads_of(X, h) if h in (1, 2, 4) else int("x"),
    "refuses only too many heads": lambda X, h: (
        heads_of(X[..., : X.shape[2] // h * h], h) if h <= X.shape[2] else int("x")
    ),
}


def split_in_torch(X, num_heads):
    assert X.shape[-1] % num_heads == 0
    return torch.tensor(X).unflatten(-1, (num_heads, -1)).movedim(-2, 1)


def split_by_loops(X, num_heads):
    width, rest = divmod(X.shape[2], num_heads)
    if rest:
        raise TypeError("the heads would be of unequal width")
    places = [slice(h * width, (h + 1) * width) for h in range(num_heads)]
    return [[[list(token[place]) for token in sentence] for place in places] for sentence in X]


RIGHT["lesson06.split_heads"] = {
    "stack of split": heads_of,
    "PyTorch": split_in_torch,
    "loops and lists": split_by_loops,
}

WRONG["lesson06.merge_heads"] = {
    "the heads in reverse order": lambda X: joined(X[:, ::-1]),
    "the first sentence only": lambda X: joined(X[:1]),
    "the mean, repeated": lambda X: np.tile(X.mean(axis=1), X.shape[1]),
    "two heads only": lambda X: joined(X[:, :2]),
    "rows and columns of a head exchanged": lambda X: X.transpose(0, 3, 1, 2).reshape(
        len(X), X.shape[2], -1
    ),
    "one sentence after the other": lambda X: np.concatenate(X, axis=-1),
    "sorted columns": lambda X: np.sort(joined(X), axis=-1)[..., ::-1],
}
RIGHT["lesson06.merge_heads"] = {
    "concatenate": joined,
    "einsum": lambda X: np.einsum("bhnd->bnhd", X).reshape(len(X), X.shape[2], -1),
    "PyTorch": lambda X: torch.tensor(X).movedim(1, 2).flatten(2),
    "lists": lambda X: [[np.ravel(x[:, i]) for i in range(X.shape[2])] for x in X],
}

# ------------------------------------------------------------------ lesson 06: multi-head attention


def multi_head(change=None, after=None):
    """Multi-head attention; `change` sees scores and mask, `after` output and X."""

    def answer(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
        Q, K, V = (heads_of(X @ W, num_heads) for W in (W_Q, W_K, W_V))
        scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
        if change is not None:
            scores, mask = change(scores, mask)
        scores = scores if mask is None else np.where(mask, scores, -np.inf)
        output = joined(shares_of(scores) @ V) @ W_O
        return output if after is None else after(output, X)

    return answer


def queries_are_values(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    return multi_head()(X, W_Q, W_K, W_Q, W_O, num_heads, mask)


def w_o_by_columns(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    heads = heads_of(multi_head()(X, W_Q, W_K, W_V, np.eye(len(W_O)), num_heads, mask), num_heads)
    parts = np.split(W_O, num_heads, axis=1)
    return sum(heads[:, h] @ part.T for h, part in enumerate(parts))


def lower(scores, mask):
    causal = np.tri(scores.shape[-1], dtype=bool)
    return scores, causal if mask is None else mask & causal


WRONG["lesson06.multi_head_attention"] = {
    "adds X at the end": multi_head(after=lambda output, X: output + X),
    "divided by the heads": multi_head(lambda s, m: (s / s.shape[1], m)),
    "all heads use the first": multi_head(lambda s, m: (s[:, :1] + 0 * s, m)),
    "all sentences use the first": multi_head(lambda s, m: (s[:1] + 0 * s, m)),
    "always causal": multi_head(lower),
    "the mask turned over": multi_head(
        lambda s, m: (s, m if m is None else np.swapaxes(m, -1, -2))
    ),
    "hidden scores halved": multi_head(
        lambda s, m: (s if m is None else np.where(m, s, s / 2), None)
    ),
    "the mask of the first sentence": multi_head(lambda s, m: (s, m if np.ndim(m) < 4 else m[:1])),
    "a mask of four axes only": multi_head(lambda s, m: (s, m if np.ndim(m) == 4 else None)),
    "a mask of two axes only": multi_head(lambda s, m: (s, m if np.ndim(m) == 2 else None)),
    "scores cut at 50": multi_head(lambda s, m: (np.clip(s, -50, 50), m)),
    "queries as values": queries_are_values,
    "W_O cut by columns": w_o_by_columns,
    "rounded to whole scores": multi_head(lambda s, m: (s.round(), m)),
}


def one_head_after_the_other(X, W_Q, W_K, W_V, W_O, num_heads, *, mask=None):
    width, output = len(W_O) // num_heads, 0
    for h in range(num_heads):
        own = slice(h * width, (h + 1) * width)
        Q, K, V = X @ W_Q[:, own], X @ W_K[:, own], X @ W_V[:, own]
        scores = np.einsum("bid,bjd->bij", Q, K) / width**0.5
        if mask is not None:
            shape = (len(X), num_heads, *scores.shape[1:])
            scores = np.where(np.broadcast_to(mask, shape)[:, h], scores, -1e9)
        output = output + shares_of(scores) @ V @ W_O[own]
    return output


def fused_in_torch(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    X, W_Q, W_K, W_V, W_O = map(torch.tensor, (X, W_Q, W_K, W_V, W_O))
    Q, K, V = ((X @ W).unflatten(-1, (num_heads, -1)).transpose(1, 2) for W in (W_Q, W_K, W_V))
    mask = None if mask is None else torch.tensor(mask)
    attend = torch.nn.functional.scaled_dot_product_attention
    return attend(Q, K, V, attn_mask=mask).transpose(1, 2).flatten(2) @ W_O


def float32_and_weights(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    X, W_Q, W_K, W_V, W_O = map(np.float32, (X, W_Q, W_K, W_V, W_O))
    Q, K, V = (heads_of(X @ W, num_heads) for W in (W_Q, W_K, W_V))
    scores = np.einsum("bhid,bhjd->bhij", Q, K) / math.sqrt(Q.shape[-1])
    weights = shares_of(scores if mask is None else scores + np.where(mask, 0, -np.inf))
    return joined(weights @ V) @ W_O, weights


RIGHT["lesson06.multi_head_attention"] = {
    "a loop over heads, the mask by name": one_head_after_the_other,
    "PyTorch's own": fused_in_torch,
    "float32, weights beside": float32_and_weights,
}


def cost(parameters=None, operations=None, numbers=None):
    """The right counts with one of them exchanged."""

    def answer(n, d_model, num_heads):
        right = (
            4 * d_model * d_model,
            8 * n * d_model * d_model + 4 * n * n * d_model,
            num_heads * n * n,
        )
        new = (f and f(n, d_model, num_heads) for f in (parameters, operations, numbers))
        return tuple(r if x is None else x for r, x in zip(right, new, strict=True))

    return answer


WRONG["lesson06.multi_head_cost"] = {
    "with biases": cost(parameters=lambda n, d, h: 4 * d * d + 4 * d),
    "matrices of one head": cost(parameters=lambda n, d, h: 4 * d * d // h),
    "the softmax counted": cost(
        operations=lambda n, d, h: 8 * n * d * d + 4 * n * n * d + 5 * h * n * n
    ),
    "half of the pairs": cost(numbers=lambda n, d, h: h * n * (n + 1) // 2),
    "d_head times n": cost(numbers=lambda n, d, h: n * d),
    "squared heads": cost(numbers=lambda n, d, h: h * h * n * n),
    "values twice": cost(operations=lambda n, d, h: 8 * n * d * d + 6 * n * n * d),
    "the parameters as operations": cost(operations=lambda n, d, h: 4 * d * d + 4 * n * n * d),
}
RIGHT["lesson06.multi_head_cost"] = {
    "floats": lambda n, d, h: (4.0 * d**2, 4.0 * n * d * (2 * d + n), float(h * n**2)),
    "an array": lambda n, d, h: np.array([4 * d**2, 4 * n * d * (2 * d + n), h * n**2]),
    "a list": lambda n, d, h: [
        d * d * 4,
        sum([2 * n * d * d] * 4 + [4 * n * n * (d // h)] * h),
        n * h * n,
    ],
}

# ------------------------------------------------------------------ lesson 07


def model(share=None, tables=None, cache=None):
    """The right predictions with one of them exchanged."""

    def answer(n, d, h, layers, size):
        right = n / (n + 2 * d), h * n * n * size, 2 * layers * n * d * size
        new = (f and f(n, d, h, layers, size) for f in (share, tables, cache))
        return tuple(r if x is None else x for r, x in zip(right, new, strict=True))

    return answer


WRONG["lesson07.cost_model"] = {
    "layers in the share": model(share=lambda n, d, h, layers, size: n / (n + 2 * d * layers)),
    "pairs of one head": model(share=lambda n, d, h, layers, size: n / (n + 2 * d * h)),
    "in percent": model(share=lambda n, d, h, layers, size: 100 * n / (n + 2 * d)),
    "half of each table": model(tables=lambda n, d, h, layers, size: h * n * (n + 1) // 2 * size),
    "in GiB": model(cache=lambda n, d, h, layers, size: 2 * layers * n * d * size / 2**30),
    "four bytes always": model(tables=lambda n, d, h, layers, size: 4 * h * n * n),
    "cache of one head": model(
        cache=lambda n, d, h, layers, size: 2 * layers * n * (d // h) * size
    ),
    "table and cache together": model(
        tables=lambda n, d, h, layers, size: h * n * n * size + 2 * n * d * size
    ),
}
RIGHT["lesson07.cost_model"] = {
    "one over": lambda n, d, h, layers, size: (
        1 / (1 + 2 * d / n),
        h * n * n * size,
        2 * layers * n * d * size,
    ),
    "an array": lambda n, d, h, layers, size: np.array(
        [n / (n + 2.0 * d), 1.0 * h * n * n * size, 2.0 * layers * n * d * size]
    ),
    "head by head": lambda n, d, h, layers, size: (
        4 * n * n * d / (4 * n * n * d + 8 * n * d * d),
        sum(n * n * size for _ in range(h)),
        sum(2 * n * d * size for _ in range(layers)),
    ),
}


def step(seen=lambda t: slice(0, t + 1), scale=None, K_place=True, V_place=True, result=None):
    """One step of a cache that keeps keys and values in lists; one thing may be exchanged."""

    def answer(x, t, cache, W_Q, W_K, W_V, positions):
        keys, values = ([], []) if cache is None else cache
        placed = x + positions[t]
        keys = [*keys, (placed if K_place else x) @ W_K]
        values = [*values, (placed if V_place else x) @ W_V]
        K, V = np.array(keys)[seen(t)], np.array(values)[seen(t)]
        scores = K @ (placed @ W_Q) / math.sqrt(scale or len(K[0]))
        output = shares_of(scores) @ V
        return (output if result is None else result(output)), (keys, values)

    return answer


def room_for_eight(x, t, cache, W_Q, W_K, W_V, positions):
    K, V = (np.zeros((8, W.shape[1])) for W in (W_K, W_V)) if cache is None else cache
    placed = x + positions[t]
    K[t % 8], V[t % 8] = placed @ W_K, placed @ W_V
    length = min(t + 1, 8)
    return shares_of(K[:length] @ (placed @ W_Q) / math.sqrt(W_Q.shape[1])) @ V[:length], (K, V)


def forgets_to_forget():
    """Rows in a list outside: the second sequence still sees the first."""
    rows = []

    def answer(x, t, cache, W_Q, W_K, W_V, positions):
        rows.append(x + positions[t])
        X = np.array(rows)
        return shares_of(X @ W_K @ (rows[-1] @ W_Q) / math.sqrt(W_Q.shape[1])) @ X @ W_V, rows

    return answer


WRONG["lesson07.kv_cache"] = {
    "a window of 7": step(lambda t: slice(max(0, t - 6), t + 1)),
    "a window of 11": step(lambda t: slice(max(0, t - 10), t + 1)),
    "room for 8": room_for_eight,
    "every other key": step(lambda t: slice(t % 2, t + 1, 2)),
    "the root of d_model": step(scale=4.5),
    "keys without positions": step(K_place=False),
    "values without positions": step(V_place=False),
    "a state outside": forgets_to_forget(),
    "half the output": step(result=lambda output: output / 2),
    "without the first token": step(lambda t: slice(min(t, 1), t + 1)),
}


def keeps_the_words(x, t, cache, W_Q, W_K, W_V, positions):
    X = np.vstack([*([] if cache is None else [cache]), x + positions[t]])
    return shares_of(X @ W_K @ W_Q.T @ X[-1] / W_Q.shape[1] ** 0.5) @ X @ W_V, X


def grows_a_dictionary(x, t, cache, W_Q, W_K, W_V, positions):
    cache = {"K": [], "V": []} if cache is None else cache
    placed = x + positions[t]
    cache["K"].append(placed @ W_K)
    cache["V"].append(placed @ W_V)
    scores = np.array([key @ (placed @ W_Q) for key in cache["K"]]) / math.sqrt(W_K.shape[1])
    return np.average(cache["V"], axis=0, weights=shares_of(scores)), cache


def writes_into_a_buffer(x, t, cache, W_Q, W_K, W_V, positions):
    if cache is None:
        cache = np.zeros((len(positions), W_K.shape[1] + W_V.shape[1]), dtype=np.float32)
    placed = np.float32(x + positions[t])
    cache[t] = placed @ np.float32(np.hstack([W_K, W_V]))
    K, V = np.split(cache[: t + 1], [W_K.shape[1]], axis=1)
    scores = K @ (placed @ np.float32(W_Q)) / np.float32(math.sqrt(W_Q.shape[1]))
    return shares_of(scores) @ V, cache


def cache_in_torch(x, t, cache, W_Q, W_K, W_V, positions):
    x, W_Q, W_K, W_V, place = map(torch.tensor, (x, W_Q, W_K, W_V, positions[t]))
    x = (x + place)[None]
    K, V = (x @ W_K, x @ W_V) if cache is None else (
        torch.cat([cache[0], x @ W_K]), torch.cat([cache[1], x @ W_V]))  # fmt: skip
    return torch.nn.functional.scaled_dot_product_attention(x @ W_Q, K, V)[0], (K, V)


RIGHT["lesson07.kv_cache"] = {
    "keeps the words": keeps_the_words,
    "a dictionary that grows": grows_a_dictionary,
    "a buffer in float32": writes_into_a_buffer,
    "PyTorch": cache_in_torch,
    "lists": step(),
}


def merged(factors, largest=np.maximum):
    """Merge with factors of the two blocks that are computed from their maxima."""

    def answer(first, second):
        a, b = factors(first[0], second[0])
        return (
            largest(first[0], second[0]),
            a * first[1] + b * second[1],
            a[:, None] * first[2] + b[:, None] * second[2],
        )

    return answer


def factors(a, b, power=np.exp):
    """The right factors."""
    top = np.maximum(a, b)
    top = np.where(top == -np.inf, 0, top)
    return power(a - top), power(b - top)


WRONG["lesson07.merge_blocks"] = {
    "factors exchanged": merged(lambda a, b: factors(b, a)[::1]),
    "powers of two": merged(lambda a, b: factors(a, b, np.exp2)),
    "the sum of both as maximum": merged(factors, largest=np.logaddexp),
    "the smaller maximum": merged(
        lambda a, b: (np.exp(a - np.minimum(a, b)), np.exp(b - np.minimum(a, b)))
    ),
    "level 0": merged(lambda a, b: (np.exp(a), np.exp(b))),
    "the first maximum as level": merged(lambda a, b: (np.ones_like(a), np.exp(b - a))),
    "means": merged(lambda a, b: tuple(f / 2 for f in factors(a, b))),
    "only the second block": lambda first, second: second,
    "the winner takes all": merged(lambda a, b: (1.0 * (a >= b), 1.0 * (b > a))),
    "factors cut at exp(-5)": merged(
        lambda a, b: tuple(np.maximum(f, np.exp(-5)) for f in factors(a, b))
    ),
}


def from_logarithms(first, second):
    whole = np.logaddexp(first[0] + np.log(first[1]), second[0] + np.log(second[1]))
    largest = np.maximum(first[0], second[0])
    level = np.nan_to_num(largest, neginf=0.0)
    a, b = np.exp(first[0] - level), np.exp(second[0] - level)
    return largest, np.exp(whole - level), first[2] * a[:, None] + second[2] * b[:, None]


def cleans_up(first, second):
    top = np.maximum(first[0], second[0])
    a, b = np.nan_to_num(np.exp(first[0] - top)), np.nan_to_num(np.exp(second[0] - top))
    return top, a * first[1] + b * second[1], (a * first[2].T + b * second[2].T).T


def merge_in_float32(first, second):
    return merged(factors)(*(tuple(map(np.float32, part)) for part in (first, second)))


def merge_in_torch(first, second):
    (a, m, x), (b, n, y) = (map(torch.tensor, part) for part in (first, second))
    top = torch.maximum(a, b)
    shrinks = [torch.where(torch.isinf(part), 0.0, torch.exp(part - top)) for part in (a, b)]
    total = shrinks[0] * m + shrinks[1] * n
    return top, total, shrinks[0][:, None] * x + shrinks[1][:, None] * y


RIGHT["lesson07.merge_blocks"] = {
    "logarithms": from_logarithms,
    "NaN replaced": cleans_up,
    "float32": merge_in_float32,
    "PyTorch": merge_in_torch,
}


def whole_table(change=None, shares=shares_of):
    """Attention at once; `change` sees scores and mask."""

    def answer(Q, K, V, block_size, mask=None):
        scores = Q @ K.T / math.sqrt(Q.shape[1])
        if change is not None:
            scores, mask = change(scores, mask)
        return shares(scores if mask is None else np.where(mask, scores, -np.inf)) @ V

    return answer


def in_blocks(
    Q, K, V, block_size, mask=None, dtype=np.float64, start=-np.inf, running=True, backwards=False
):  # fmt: skip
    """Attention in blocks; the running maximum may be left out."""
    Q, K, V = (dtype(part) for part in (Q, K, V))
    top, total, mixed = np.full(len(Q), dtype(start)), dtype(0), dtype(0)
    starts = range(0, len(K), block_size)
    for at in reversed(starts) if backwards else starts:
        keys = slice(at, at + block_size)
        scores = Q @ K[keys].T / dtype(math.sqrt(Q.shape[1]))
        if mask is not None:
            scores = np.where(mask[:, keys], scores, dtype(-np.inf))
        new = np.maximum(top, scores.max(axis=1)) if running else scores.max(axis=1)
        level = np.where(np.isinf(new), dtype(0), new)
        old = np.where(np.isinf(top), dtype(0), np.exp(top - level))
        exps = np.exp(scores - level[:, None])
        total = total * old + exps.sum(axis=1)
        mixed = mixed * old[:, None] + exps @ V[keys]
        top = new
    return mixed / total[:, None]


def guarded_by_one_maximum(scores):
    exps = np.exp(scores - scores.max())
    total = exps.sum(axis=-1, keepdims=True)
    return exps / np.where(total == 0, 1, total)


WRONG["lesson07.online_softmax"] = {
    "the maximum of the block alone": lambda Q, K, V, size, mask=None: in_blocks(
        Q, K, V, size, mask, running=False
    ),
    "one maximum, zeros covered up": whole_table(shares=guarded_by_one_maximum),
    "the last key left out": lambda Q, K, V, size, mask=None: in_blocks(
        Q, K[:-1] if len(K) > 1 else K, V[:-1] if len(K) > 1 else V, size,
        mask if mask is None else mask[:, :-1],
    ),
    "scores cut at 700": whole_table(lambda s, m: (np.minimum(s, 700), m)),
    "the root of n_k": whole_table(lambda s, m: (s / math.sqrt(s.shape[1]), m)),
    "the mask of the first query": whole_table(lambda s, m: (s, m if m is None else m[:1])),
    "hidden scores at 0": whole_table(lambda s, m: (s if m is None else np.where(m, s, 0), None)),
    "zeros where the first block is hidden": lambda Q, K, V, size, mask=None: np.where(
        True if mask is None else mask[:, :size].any(axis=1, keepdims=True),
        whole_table()(Q, K, V, size, mask), 0,
    ),
    "causal always": whole_table(lambda s, m: (s, np.tri(*s.shape, dtype=bool))),
    "starts at -100": lambda Q, K, V, size, mask=None: in_blocks(Q, K, V, size, mask, start=-100.0),
}  # fmt: skip


def by_name(Q, K, V, *, block_size, mask=None):
    return in_blocks(Q, K, V, block_size, mask)


RIGHT["lesson07.online_softmax"] = {
    "the whole table": whole_table(),
    "float32": lambda Q, K, V, size, mask=None: in_blocks(Q, K, V, size, mask, dtype=np.float32),
    "backwards": lambda Q, K, V, size, mask=None: in_blocks(Q, K, V, size, mask, backwards=True),
    "hides with -1e9": whole_table(lambda s, m: (s if m is None else np.where(m, s, -1e9), None)),
    "options by name": by_name,
}

# ------------------------------------------------------------------ lesson 08

WRONG["lesson08.permutation_gap"] = {
    "yes or no": lambda f, X, order: np.allclose(f(X[order]), f(X)[order]),
    "the sum": lambda f, X, order: abs(f(X[order]) - f(X)[order]).sum(),
    "a distance": lambda f, X, order: np.linalg.norm(f(X[order]) - f(X)[order]),
    "the first word": lambda f, X, order: abs(f(X[order]) - f(X)[order])[0].max(),
    "the first column": lambda f, X, order: abs(f(X[order]) - f(X)[order])[:, 0].max(),
    "back and there": lambda f, X, order: abs(f(X[np.argsort(order)]) - f(X)[order]).max(),
    "the way back": lambda f, X, order: abs(
        f(X[np.argsort(order)]) - f(X)[np.argsort(order)]
    ).max(),
    "a share": lambda f, X, order: abs(f(X[order]) - f(X)[order]).max() / abs(f(X)).max(),
    "squared": lambda f, X, order: (abs(f(X[order]) - f(X)[order]) ** 2).max(),
    "largest numbers compared": lambda f, X, order: abs(f(X[order]).max() - f(X).max()),
    "absolute values compared": lambda f, X, order: (abs(f(X[order])) - abs(f(X)[order])).max(),
    "one decimal": lambda f, X, order: abs(f(X[order]) - f(X)[order]).max().round(1),
    "always zero": lambda f, X, order: 0.0,
}


def gap(f, X, order):
    """The right answer."""
    return abs(f(X[order]) - f(X)[order]).max()


def zero_if_close(f, X, order):
    return 0 if np.allclose(f(X[order]), f(X)[order]) else gap(f, X, order)


RIGHT["lesson08.permutation_gap"] = {
    "rounded": lambda f, X, order: round(float(gap(f, X, order)), 8),
    "exact zero": zero_if_close,
    "float32": lambda f, X, order: gap(f, np.float32(X), order),
    "rows one by one": lambda f, X, order: max(
        float(max(abs(f(X[order])[i] - f(X)[j]))) for i, j in enumerate(order)
    ),
}

WRONG["lesson08.permute_mask"] = {
    "two axes only": lambda mask, order: mask[np.ix_(order, order)],
    "rows there, columns back": lambda mask, order: mask[..., order, :][..., np.argsort(order)],
    "rows or columns": lambda mask, order: mask[..., order, :] | mask[..., order],
    "rows and columns": lambda mask, order: mask[..., order, :] & mask[..., order],
    "in numbers": lambda mask, order: 1.0 * mask[..., order, :][..., order],
    "exchanged": lambda mask, order: ~mask[..., order, :][..., order],
    "the batch moves too": lambda mask, order: mask[..., order, :][..., order][::-1],
    "three axes at most": lambda mask, order: (
        mask[order][:, order] if mask.ndim == 2 else mask[:, order][:, :, order]
    ),
    "causal again": lambda mask, order: np.tril(np.ones_like(mask)),
}
RIGHT["lesson08.permute_mask"] = {
    "take twice": lambda mask, order: mask.take(order, -1).take(order, -2),
    "PyTorch": lambda mask, order: torch.tensor(mask)[..., order, :][..., order],
    "a product": lambda mask, order: np.einsum(
        "ri,...ij,cj->...rc", np.eye(len(order))[order], mask, np.eye(len(order))[order]
    ) > 0.5,
    "entry by entry": lambda mask, order: np.moveaxis(
        np.array([[mask[..., i, j] for j in order] for i in order]), (0, 1), (-2, -1)
    ),
}  # fmt: skip


def waves(power=None, first=0, odd=np.cos, turn=1.0, dtype=float):
    """The table of sines and cosines, column by column."""

    def answer(n, d_model):
        places = np.arange(first, n + first)
        columns = []
        for c in range(d_model):
            exponent = (c - c % 2) / d_model if power is None else power(c, d_model)
            angle = turn * places / 10000.0**exponent
            columns.append(odd(angle) if c % 2 else np.sin(angle))
        return np.array(columns, dtype=dtype).T

    return answer


WRONG["lesson08.sinusoidal_positions"] = {
    "in degrees": waves(turn=math.pi / 180),
    "whole turns": waves(turn=2 * math.pi),
    "divided by d_model - 1": waves(lambda c, d: (c - c % 2) / max(d - 1, 1)),
    "divided by an even width": waves(lambda c, d: (c - c % 2) / (d + d % 2)),
    "sines everywhere": waves(odd=np.sin),
    "minus the cosine": waves(odd=lambda angle: -np.cos(angle)),
    "counted backwards": lambda n, d_model: waves()(n, d_model)[::-1],
    "float16": waves(dtype=np.float16),
    "columns in reverse": lambda n, d_model: waves()(n, d_model)[:, ::-1],
    "three decimals": lambda n, d_model: waves()(n, d_model).round(3),
    "an odd width ends with 0": lambda n, d_model: np.pad(
        waves()(n, d_model)[:, : d_model - d_model % 2], [(0, 0), (0, d_model % 2)]
    ),
    "the exponent of the widest even table": waves(lambda c, d: (c // 2) / (d // 2 or 1)),
}


def complex_turns(n, d_model):
    turns = np.exp(1j * np.outer(np.arange(n), 1e4 ** (-np.arange(0, d_model, 2) / d_model)))
    return np.stack([turns.imag, turns.real], axis=-1).reshape(n, -1)[:, :d_model]


def waves_in_torch(n, d_model):
    rate = torch.exp(-math.log(10000.0) * torch.arange(0, d_model, 2) / d_model)
    angles = torch.arange(n)[:, None] * rate
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]


RIGHT["lesson08.sinusoidal_positions"] = {
    "column by column": waves(),
    "complex numbers": complex_turns,
    "PyTorch in float32": waves_in_torch,
    "the cosine is a sine": waves(odd=lambda angle: np.sin(angle + math.pi / 2)),
}


def turning(angle=None, sign=1.0):
    """Blocks that turn each pair by an angle."""

    def answer(d_model, steps):
        M = np.zeros((d_model, d_model))
        for c in range(0, d_model, 2):
            t = steps / 10000 ** (c / d_model) if angle is None else angle(c, d_model, steps)
            M[c : c + 2, c : c + 2] = [
                [math.cos(t), -sign * math.sin(t)],
                [sign * math.sin(t), math.cos(t)],
            ]
        return M

    return answer


def fitted(rows):
    """Least squares on the first rows of the table."""

    def answer(d_model, steps):
        places = np.arange(max(0, -steps), max(0, -steps) + rows)
        table = waves()(int(places[-1]) + abs(steps) + 1, d_model)
        return np.linalg.lstsq(table[places], table[places + steps], rcond=None)[0]

    return answer


WRONG["lesson08.step_matrix"] = {
    "forwards only": turning(lambda c, d, k: abs(k) / 10000 ** (c / d)),
    "in degrees": turning(lambda c, d, k: k / 10000 ** (c / d) * math.pi / 180),
    "a first-order step": lambda d_model, steps: turning()(d_model, 1) * steps,
    "the table itself": lambda d_model, steps: waves()(d_model, d_model),
    "fitted on one row": fitted(1),
    "divided by the pairs": turning(lambda c, d, k: k / 10000 ** (c / (d // 2))),
    "one turn at most": turning(lambda c, d, k: min(k, 6) / 10000 ** (c / d)),
    "a mirror": lambda d_model, steps: (
        turning()(d_model, steps) @ np.diag([1, -1] * (d_model // 2))
    ),
    "nothing": lambda d_model, steps: np.eye(d_model),
}


def steps_multiplied(d_model, steps):
    one = turning()(d_model, 1)
    return np.linalg.matrix_power(one if steps >= 0 else np.linalg.inv(one), abs(steps))


def generator_exponential(d_model, steps):
    rates = torch.tensor(10000.0, dtype=torch.float64) ** (-torch.arange(0, d_model, 2) / d_model)
    blocks = [rate * torch.tensor([[0.0, -1.0], [1.0, 0.0]]) for rate in rates]
    return torch.matrix_exp(steps * torch.block_diag(*blocks))


RIGHT["lesson08.step_matrix"] = {
    "fitted on many rows": fitted(400),
    "one step again and again": steps_multiplied,
    "an exponential": generator_exponential,
    "float32": lambda d_model, steps: np.float32(turning()(d_model, steps)),
}
