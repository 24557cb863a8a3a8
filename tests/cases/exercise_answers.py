"""Right and wrong answers to the exercises, collected from public bug reports and questions.

A checker must reject every wrong answer and accept every unusual one. KINDS[kind] holds

    reference   an implementation of its own, for comparison with the course's
    inputs      list of dicts: id, make -> fresh arguments, must_raise
    wrong       list of dicts: id, fn, note (what is wrong with it), source (where it was seen)
    unusual     list of dicts: id, fn, note (right, but written in another way)

Conventions: boolean masks with True = may look, weights used as x @ w, causal masks aligned
bottom-right, and zeros for a query that may look at nothing.
"""

import math

import numpy as np

KINDS: dict[str, dict] = {}


def kind(name):
    KINDS[name] = {"reference": None, "inputs": [], "wrong": [], "unusual": []}


def reference(k):
    def deco(fn):
        KINDS[k]["reference"] = fn
        return fn

    return deco


def wrong(k, id, note, source=""):
    def deco(fn):
        KINDS[k]["wrong"].append({"id": id, "fn": fn, "note": note, "source": source})
        return fn

    return deco


def unusual(k, id, note):
    def deco(fn):
        KINDS[k]["unusual"].append({"id": id, "fn": fn, "note": note})
        return fn

    return deco


def given(k, id, must_raise=False):
    def deco(fn):
        KINDS[k]["inputs"].append({"id": id, "make": fn, "must_raise": must_raise})
        return fn

    return deco


def _r(seed, *shape, s=1.0):
    return np.random.default_rng(seed).normal(size=shape) * s


def _sm(s, axis=-1):
    """stable softmax that gives zeros for a row of -inf; used inside the solutions below"""
    m = np.max(s, axis=axis, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(m), m, 0.0))
    t = e.sum(axis=axis, keepdims=True)
    return np.divide(e, t, out=np.zeros_like(e), where=t > 0)


def _raw(s, axis=-1):
    """what most people type: subtract the row maximum, no guard for empty rows"""
    e = np.exp(s - s.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


# ------------------------------------------------------------------ 1 softmax
# softmax(x, axis=-1) -> array of the same shape
kind("softmax")


@given("softmax", "vector")
def _():
    return {"x": np.array([1.0, 2.0, 3.0])}


@given("softmax", "matrix_2x3")
def _():
    return {"x": _r(1, 2, 3)}


@given("softmax", "square_3x3")
def _():
    return {"x": _r(2, 3, 3, s=2.0)}


@given("softmax", "axis0_2x3")
def _():
    return {"x": _r(3, 2, 3), "axis": 0}


@given("softmax", "batch_2x3x4")
def _():
    return {"x": _r(4, 2, 3, 4)}


@given("softmax", "large_1e4")
def _():
    return {"x": np.array([[10000.0, 10001.0, 10002.0], [9999.0, 10001.0, 10000.0]])}


@given("softmax", "rows_far_apart")
def _():
    return {"x": np.array([[0.0, 1.0, 2.0], [10000.0, 10001.0, 10002.0]])}


@given("softmax", "very_negative")
def _():
    return {"x": np.array([[-1000.0, -1001.0, -1003.0]])}


@given("softmax", "integers")
def _():
    return {"x": np.array([[1, 2, 3], [4, 4, 4]])}


@given("softmax", "minus_inf_entry")
def _():
    return {"x": np.array([[0.0, -np.inf, 1.0]])}


@reference("softmax")
def softmax_ref(x, axis=-1):
    x = np.asarray(x, dtype=np.float64)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "softmax",
    "sm_axis0",
    "always normalises the first axis",
    "nerminnuraydogan/vision-transformer#1",
)
def sm_axis0(x, axis=-1):
    e = np.exp(x - np.max(x, axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)


@wrong(
    "softmax",
    "sm_lastonly",
    "ignores the axis argument",
    "xmu-xiaoma666/External-Attention-pytorch#18",
)
def sm_lastonly(x, axis=-1):
    return softmax_ref(x, -1)


@wrong(
    "softmax", "sm_global", "divides by the sum of the whole array", "gjylt/DoubleAttentionNet#3"
)
def sm_global(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum()


@wrong("softmax", "sm_nomax", "no maximum subtracted: overflow", "numenta/nupic-legacy#3818")
def sm_nomax(x, axis=-1):
    e = np.exp(np.asarray(x, float))
    return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "softmax",
    "sm_nokeepdims",
    "keepdims forgotten: silent on square arrays, error otherwise",
    "DeNA/HandyRL#209",
)
def sm_nokeepdims(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis)


@wrong("softmax", "sm_log", "returns the logarithm of the softmax")
def sm_log(x, axis=-1):
    x = np.asarray(x, float)
    z = x - x.max(axis=axis, keepdims=True)
    return z - np.log(np.exp(z).sum(axis=axis, keepdims=True))


@wrong(
    "softmax", "sm_int_out", "result stored in an array of the input's dtype: integers round to 0"
)
def sm_int_out(x, axis=-1):
    out = np.empty_like(x)
    out[...] = softmax_ref(x, axis)
    return out


@unusual("softmax", "sm_u_lse", "exp(x - logsumexp)")
def sm_u_lse(x, axis=-1):
    x = np.asarray(x, float)
    m = x.max(axis=axis, keepdims=True)
    return np.exp(x - (m + np.log(np.exp(x - m).sum(axis=axis, keepdims=True))))


@unusual("softmax", "sm_u_loops", "pure Python loops via apply_along_axis")
def sm_u_loops(x, axis=-1):
    def row(a):
        top = max(a.tolist())
        e = [math.exp(t - top) for t in a.tolist()]
        return np.array([t / sum(e) for t in e])

    return np.apply_along_axis(row, axis, np.asarray(x, float))


# ------------------------------------------------------------------ 2 scores
# scores(q, k) -> (..., Lq, Lk) scaled dot products
kind("scores")


@given("scores", "q2_k3_d4")
def _():
    return {"q": _r(10, 2, 4), "k": _r(11, 3, 4)}


@given("scores", "square_3x3_d3")
def _():
    return {"q": _r(12, 3, 3), "k": _r(13, 3, 3)}


@given("scores", "d8")
def _():
    return {"q": _r(14, 4, 8), "k": _r(15, 4, 8)}


@given("scores", "batch_2_q3_k5_d4")
def _():
    return {"q": _r(16, 2, 3, 4), "k": _r(17, 2, 5, 4)}


@given("scores", "cube_3_3_3")
def _():
    return {"q": _r(18, 3, 3, 3), "k": _r(19, 3, 3, 3)}


@given("scores", "heads_2_2_4_3")
def _():
    return {"q": _r(20, 2, 2, 4, 3), "k": _r(21, 2, 2, 4, 3)}


@given("scores", "integers")
def _():
    return {"q": np.array([[1, 2], [3, 4]]), "k": np.array([[1, 0], [2, 5], [7, 1]])}


@reference("scores")
def scores_ref(q, k):
    q, k = np.asarray(q, float), np.asarray(k, float)
    return q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])


@wrong("scores", "sc_noscale", "no division at all")
def sc_noscale(q, k):
    return q @ np.swapaxes(k, -1, -2)


@wrong("scores", "sc_div_d", "divides by d, not sqrt(d)", "thegregyang/NTK4A#3")
def sc_div_d(q, k):
    return q @ np.swapaxes(k, -1, -2) / q.shape[-1]


@wrong("scores", "sc_mul", "multiplies by sqrt(d)")
def sc_mul(q, k):
    return q @ np.swapaxes(k, -1, -2) * np.sqrt(q.shape[-1])


@wrong("scores", "sc_len", "takes the number of tokens for d")
def sc_len(q, k):
    return q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-2])


@wrong("scores", "sc_dotT", ".T reverses ALL axes of a batched array", "MarcBS/keras#60")
def sc_dot_t(q, k):
    return q @ k.T / np.sqrt(q.shape[-1])


@wrong("scores", "sc_kq", "k @ q^T: keys in the rows", "karpathy/llm.c#531")
def sc_kq(q, k):
    return k @ np.swapaxes(q, -1, -2) / np.sqrt(q.shape[-1])


@wrong("scores", "sc_cosine", "cosine similarity")
def sc_cosine(q, k):
    s = q @ np.swapaxes(k, -1, -2)
    return s / (np.linalg.norm(q, axis=-1)[..., :, None] * np.linalg.norm(k, axis=-1)[..., None, :])


@unusual("scores", "sc_u_einsum", "einsum, query scaled first")
def sc_u_einsum(q, k):
    return np.einsum("...id,...jd->...ij", q * q.shape[-1] ** -0.5, k)


@unusual("scores", "sc_u_quarter", "d^(1/4) taken out of both sides")
def sc_u_quarter(q, k):
    c = q.shape[-1] ** 0.25
    return (q / c) @ np.moveaxis(k / c, -1, -2)


# ------------------------------------------------------------------ 3 self-attention
# self_attention(x, w_q, w_k, w_v, mask=None) -> (out, weights); mask is a bool KEEP mask
kind("self_attention")


@given("self_attention", "square_plain")
def _():
    return {"x": _r(30, 4, 4), "w_q": _r(31, 4, 4), "w_k": _r(32, 4, 4), "w_v": _r(33, 4, 4)}


@given("self_attention", "rect_5_to_3")
def _():
    return {"x": _r(34, 4, 5), "w_q": _r(35, 5, 3), "w_k": _r(36, 5, 3), "w_v": _r(37, 5, 2)}


@given("self_attention", "causal")
def _():
    return {
        "x": _r(38, 4, 3),
        "w_q": _r(39, 3, 3),
        "w_k": _r(40, 3, 3),
        "w_v": _r(41, 3, 3),
        "mask": np.tri(4, dtype=bool),
    }


@given("self_attention", "padding_row_vector")
def _():
    return {
        "x": _r(42, 3, 3),
        "w_q": _r(43, 3, 2),
        "w_k": _r(44, 3, 2),
        "w_v": _r(45, 3, 2),
        "mask": np.array([[True, True, False]]),
    }


@given("self_attention", "dominant_hidden_key")
def _():
    x = np.array([[1.0, 0.0], [0.0, 1.0], [8.0, 8.0]])
    return {
        "x": x,
        "w_q": np.eye(2),
        "w_k": np.eye(2),
        "w_v": np.eye(2),
        "mask": np.array([[True, True, False]] * 3),
    }


@given("self_attention", "empty_row")
def _():
    return {
        "x": _r(46, 3, 2),
        "w_q": _r(47, 2, 2),
        "w_k": _r(48, 2, 2),
        "w_v": _r(49, 2, 2),
        "mask": np.array([[True, True, True], [False, False, False], [True, False, False]]),
    }


@reference("self_attention")
def sa_ref(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    s = q @ k.T / np.sqrt(q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    w = _sm(s)
    return w @ v, w


def _sa(x, w_q, w_k, w_v, mask=None, softmax=_sm, hide=None, scale=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    s = q @ k.T / np.sqrt(q.shape[-1] if scale is None else scale)
    if mask is not None:
        s = np.where(mask, s, -np.inf) if hide is None else hide(s, mask)
    w = softmax(s)
    return w @ v, w


@wrong(
    "self_attention",
    "sa_axis0",
    "softmax over the queries",
    "labmlai/annotated_deep_learning_paper_implementations#146",
)
def sa_axis0(x, w_q, w_k, w_v, mask=None):
    return _sa(x, w_q, w_k, w_v, mask, softmax=lambda s: _sm(s, axis=0))


@wrong(
    "self_attention",
    "sa_qk_swapped",
    "rows are keys, columns are queries",
    "poloclub/transformer-explainer#19",
)
def sa_qk_swapped(x, w_q, w_k, w_v, mask=None):
    return _sa(x, w_k, w_q, w_v, mask)


@wrong(
    "self_attention",
    "sa_values_are_x",
    "mixes the inputs instead of the values",
    "Howuhh/faster-trajectory-transformer#6",
)
def sa_values_are_x(x, w_q, w_k, w_v, mask=None):
    w = _sa(x, w_q, w_k, w_v, mask)[1]
    return w @ x, w


@wrong(
    "self_attention",
    "sa_wT",
    "weights transposed before mixing",
    "lzw-all-in/anime_person_translation#3",
)
def sa_w_transposed(x, w_q, w_k, w_v, mask=None):
    w = _sa(x, w_q, w_k, w_v, mask)[1]
    return w.T @ (x @ w_v), w


@wrong("self_attention", "sa_noscale", "no scaling")
def sa_noscale(x, w_q, w_k, w_v, mask=None):
    return _sa(x, w_q, w_k, w_v, mask, scale=1.0)


@wrong("self_attention", "sa_polarity", "True read as 'hide'", "rasbt/LLMs-from-scratch#1061")
def sa_polarity(x, w_q, w_k, w_v, mask=None):
    return _sa(x, w_q, w_k, w_v, mask, hide=lambda s, m: np.where(m, -np.inf, s))


@wrong(
    "self_attention",
    "sa_after_softmax",
    "mask multiplied onto the weights, rows not renormalised",
    "huggingface/pytorch-image-models#2236",
)
def sa_after_softmax(x, w_q, w_k, w_v, mask=None):
    w = _sa(x, w_q, w_k, w_v)[1]
    w = w if mask is None else w * mask
    return w @ (x @ w_v), w


@wrong(
    "self_attention",
    "sa_add_bool",
    "bool mask added to the scores as 0/1",
    "huggingface/transformers#41443",
)
def sa_add_bool(x, w_q, w_k, w_v, mask=None):
    return _sa(x, w_q, w_k, w_v, mask, hide=lambda s, m: s + m)


@wrong(
    "self_attention",
    "sa_times_zero",
    "hidden scores set to 0, and exp(0) is 1",
    "huggingface/transformers#32598",
)
def sa_times_zero(x, w_q, w_k, w_v, mask=None):
    return _sa(x, w_q, w_k, w_v, mask, hide=lambda s, m: s * m)


@wrong(
    "self_attention",
    "sa_linear_layout",
    "x @ w.T as if the weights came from nn.Linear",
    "rasbt/LLMs-from-scratch#857",
)
def sa_linear_layout(x, w_q, w_k, w_v, mask=None):
    return _sa(x, w_q.T, w_k.T, w_v.T, mask)


@wrong(
    "self_attention",
    "sa_empty_row_nan",
    "no guard for a row without keys: NaN (only the empty_row input shows it)",
    "pytorch/pytorch#41508",
)
def sa_empty_row_nan(x, w_q, w_k, w_v, mask=None):
    return _sa(x, w_q, w_k, w_v, mask, softmax=_raw)


@unusual(
    "self_attention",
    "sa_u_after_renorm",
    "mask after exp, then renormalised: mathematically the same while one key is visible",
)
def sa_u_after_renorm(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    s = np.einsum("id,jd->ij", q, k) / math.sqrt(q.shape[-1])
    keep = np.ones_like(s) if mask is None else np.broadcast_to(mask, s.shape).astype(float)
    top = np.max(np.where(keep > 0, s, -np.inf), axis=1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    e = np.exp(np.minimum(s - top, 0.0)) * keep
    tot = e.sum(1, keepdims=True)
    w = e / np.where(tot == 0, 1.0, tot)
    return np.einsum("ij,jc->ic", w, v), w


@unusual("self_attention", "sa_u_loops", "one query at a time, only visible keys are touched")
def sa_u_loops(x, w_q, w_k, w_v, mask=None):
    n = len(x)
    m = np.ones((n, n), bool) if mask is None else np.broadcast_to(mask, (n, n))
    v = x @ w_v
    out, w = np.zeros((n, w_v.shape[1])), np.zeros((n, n))
    for i in range(n):
        js = np.flatnonzero(m[i])
        if js.size == 0:
            continue
        s = np.array([(x[i] @ w_q) @ (x[j] @ w_k) for j in js]) / math.sqrt(w_q.shape[1])
        p = np.exp(s - s.max())
        p /= p.sum()
        w[i, js] = p
        out[i] = p @ v[js]
    return out, w


# ------------------------------------------------------------------ 4 causal mask
# causal_mask(n_q, n_k=None) -> bool KEEP (n_q, n_k); n_k defaults to n_q; bottom-right aligned
kind("causal_mask")


@given("causal_mask", "4x4")
def _():
    return {"n_q": 4}


@given("causal_mask", "1x1")
def _():
    return {"n_q": 1}


@given("causal_mask", "1x5")
def _():
    return {"n_q": 1, "n_k": 5}


@given("causal_mask", "2x5")
def _():
    return {"n_q": 2, "n_k": 5}


@reference("causal_mask")
def cm_ref(n_q, n_k=None):
    n_k = n_q if n_k is None else n_k
    return np.tri(n_q, n_k, n_k - n_q, dtype=bool)


@wrong("causal_mask", "cm_inverted", "True marks the hidden part", "rasbt/LLMs-from-scratch#1061")
def cm_inverted(n_q, n_k=None):
    return ~cm_ref(n_q, n_k)


@wrong(
    "causal_mask", "cm_upper", "upper triangle kept: sees the future only", "karpathy/nanoGPT#170"
)
def cm_upper(n_q, n_k=None):
    n_k = n_q if n_k is None else n_k
    return np.triu(np.ones((n_q, n_k), bool))


@wrong(
    "causal_mask",
    "cm_strict",
    "diagonal excluded: the first token sees nothing",
    "pbloem/former#10",
)
def cm_strict(n_q, n_k=None):
    n_k = n_q if n_k is None else n_k
    return np.tri(n_q, n_k, n_k - n_q - 1, dtype=bool)


@wrong("causal_mask", "cm_leak_one", "one future token visible", "pytorch/tutorials#2250")
def cm_leak_one(n_q, n_k=None):
    n_k = n_q if n_k is None else n_k
    return np.tri(n_q, n_k, n_k - n_q + 1, dtype=bool)


@wrong(
    "causal_mask",
    "cm_topleft",
    "top-left alignment for rectangular masks",
    "pytorch/pytorch#103082",
)
def cm_topleft(n_q, n_k=None):
    return np.tri(n_q, n_q if n_k is None else n_k, dtype=bool)


@wrong("causal_mask", "cm_antidiagonal", "flipped left-right")
def cm_antidiagonal(n_q, n_k=None):
    return cm_ref(n_q, n_k)[:, ::-1]


@unusual("causal_mask", "cm_u_compare", "comparison of position vectors")
def cm_u_compare(n_q, n_k=None):
    n_k = n_q if n_k is None else n_k
    return np.arange(n_k)[None, :] <= np.arange(n_k - n_q, n_k)[:, None]


@unusual("causal_mask", "cm_u_not_triu", "negated strict upper triangle")
def cm_u_not_triu(n_q, n_k=None):
    n_k = n_q if n_k is None else n_k
    return ~np.triu(np.ones((n_q, n_k), bool), k=1 + n_k - n_q)


# ------------------------------------------------------------------ 5 padding mask


# padding_mask(ids, pad_id=0) -> bool KEEP mask, broadcasts to (B,H,Lq,Lk)
kind("padding_mask")


@given("padding_mask", "B2_L4")
def _():
    return {"ids": np.array([[5, 7, 0, 0], [3, 0, 0, 0]])}


@given("padding_mask", "B3_L3_square")
def _():
    return {"ids": np.array([[5, 7, 0], [3, 0, 0], [1, 2, 4]])}


@given("padding_mask", "pad_id_1_zero_is_a_token")
def _():
    return {"ids": np.array([[5, 0, 7, 1], [0, 1, 1, 1]]), "pad_id": 1}


@given("padding_mask", "H2_equals_B2")
def _():
    return {"ids": np.array([[5, 7], [3, 0]])}


@reference("padding_mask")
def pm_ref(ids, pad_id=0):
    return (ids != pad_id)[:, None, None, :]


@wrong("padding_mask", "pm_inverted", "True marks padding", "pytorch/pytorch#27968")
def pm_inverted(ids, pad_id=0):
    return (ids == pad_id)[:, None, None, :]


@wrong(
    "padding_mask",
    "pm_rows",
    "(B,1,L,1): hides query rows, not key columns",
    "hyunwoongko/transformer#40; bentrevett/pytorch-seq2seq#96",
)
def pm_rows(ids, pad_id=0):
    return (ids != pad_id)[:, None, :, None]


@wrong(
    "padding_mask",
    "pm_flat",
    "(B,L) without extra axes: error, or wrong without a word when B == L",
    "phlippe/uvadlc_notebooks#67",
)
def pm_flat(ids, pad_id=0):
    return ids != pad_id


@wrong("padding_mask", "pm_assumes_zero", "ids > 0 although pad_id is something else")
def pm_assumes_zero(ids, pad_id=0):
    return (ids > 0)[:, None, None, :]


@wrong("padding_mask", "pm_off_by_one", "one padding place too many is kept")
def pm_off_by_one(ids, pad_id=0):
    n = (ids != pad_id).sum(1)
    return (np.arange(ids.shape[1])[None, :] <= n[:, None])[:, None, None, :]


@unusual("padding_mask", "pm_u_expanded", "already expanded to (B,1,L,L)")
def pm_u_expanded(ids, pad_id=0):
    return np.repeat((ids != pad_id)[:, None, None, :], ids.shape[1], axis=2)


@unusual("padding_mask", "pm_u_loops", "loops, reshape at the end")
def pm_u_loops(ids, pad_id=0):
    rows = [[int(t) != pad_id for t in row] for row in ids]
    return np.array(rows, dtype=bool).reshape(len(rows), 1, 1, -1)


# ------------------------------------------------------------------ 6 split heads / merge heads
# split_heads(x, n_heads): (B,L,D) -> (B,H,L,D/H); ValueError if H does not divide D
kind("split_heads")
# merge_heads(x): (B,H,L,dh) -> (B,L,H*dh)
kind("merge_heads")


@given("split_heads", "B2_L4_D6_H3")
def _():
    return {"x": _r(60, 2, 4, 6), "n_heads": 3}


@given("split_heads", "L_equals_H")
def _():
    return {"x": _r(61, 1, 3, 6), "n_heads": 3}


@given("split_heads", "all_equal_2")
def _():
    return {"x": np.arange(16.0).reshape(2, 2, 4), "n_heads": 2}


@given("split_heads", "one_head")
def _():
    return {"x": _r(62, 2, 3, 4), "n_heads": 1}


@given("split_heads", "not_divisible", must_raise=True)
def _():
    return {"x": _r(63, 1, 2, 6), "n_heads": 4}


@given("merge_heads", "B2_H3_L4_dh2")
def _():
    return {"x": _r(64, 2, 3, 4, 2)}


@given("merge_heads", "H_equals_L")
def _():
    return {"x": _r(65, 1, 3, 3, 2)}


@given("merge_heads", "all_equal_2")
def _():
    return {"x": np.arange(16.0).reshape(2, 2, 2, 2)}


@reference("split_heads")
def sh_ref(x, n_heads):
    b, n, d = x.shape
    if d % n_heads:
        raise ValueError(f"d_model={d} is not divisible by n_heads={n_heads}")
    return x.reshape(b, n, n_heads, d // n_heads).transpose(0, 2, 1, 3)


@reference("merge_heads")
def mh_ref(x):
    b, h, n, d = x.shape
    return x.transpose(0, 2, 1, 3).reshape(b, n, h * d)


@wrong(
    "split_heads",
    "sh_view",
    "reshape straight to (B,H,L,dh)",
    "hyunwoongko/transformer#15; reczoo/FuxiCTR#30",
)
def sh_view(x, n_heads):
    b, n, d = x.shape
    return x.reshape(b, n_heads, n, d // n_heads)


@wrong("split_heads", "sh_no_transpose", "stops at (B,L,H,dh)", "datawhalechina/tiny-universe#21")
def sh_no_transpose(x, n_heads):
    b, n, d = x.shape
    return x.reshape(b, n, n_heads, d // n_heads)


@wrong("split_heads", "sh_heads_first", "(H,B,L,dh)", "lsdefine/attention-is-all-you-need-keras#36")
def sh_heads_first(x, n_heads):
    b, n, d = x.shape
    return x.reshape(b, n, n_heads, d // n_heads).transpose(2, 0, 1, 3)


@wrong("split_heads", "sh_truncates", "throws the remainder of D away instead of complaining")
def sh_truncates(x, n_heads):
    b, n, d = x.shape
    dh = d // n_heads
    return x[..., : dh * n_heads].reshape(b, n, n_heads, dh).transpose(0, 2, 1, 3)


@unusual("split_heads", "sh_u_stack", "list of column slices, stacked")
def sh_u_stack(x, n_heads):
    if x.shape[-1] % n_heads:
        raise ValueError("not divisible")
    return np.stack(np.split(x, n_heads, axis=-1), axis=1)


@unusual("split_heads", "sh_u_moveaxis", "moveaxis with -1 sizes")
def sh_u_moveaxis(x, n_heads):
    if x.shape[2] % n_heads != 0:
        raise ValueError("not divisible")
    return np.moveaxis(x.reshape(*x.shape[:2], n_heads, -1), -2, -3)


@wrong(
    "merge_heads",
    "mh_no_transpose",
    "reshape without swapping head and token axis",
    "jsbaan/transformer-from-scratch#6; ajhalthor/Transformer-Neural-Network#4",
)
def mh_no_transpose(x):
    b, h, n, d = x.shape
    return x.reshape(b, n, h * d)


@wrong(
    "merge_heads",
    "mh_wrong_axes",
    "swaps batch and heads",
    "gazelle93/Transformer-Various-Positional-Encoding#1",
)
def mh_wrong_axes(x):
    b, h, n, d = x.shape
    return x.transpose(1, 0, 2, 3).reshape(b, n, h * d)


@wrong("merge_heads", "mh_tokens", "concatenates along the tokens")
def mh_tokens(x):
    return np.concatenate([x[:, i] for i in range(x.shape[1])], axis=1)


@unusual("merge_heads", "mh_u_concat", "concatenate over a list of heads")
def mh_u_concat(x):
    return np.concatenate([x[:, i] for i in range(x.shape[1])], axis=-1)


@unusual("merge_heads", "mh_u_loops", "element by element")
def mh_u_loops(x):
    b, h, n, d = x.shape
    out = np.zeros((b, n, h * d))
    for i, j, k, c in np.ndindex(b, h, n, d):
        out[i, k, j * d + c] = x[i, j, k, c]
    return out


# ------------------------------------------------------------------ 7 multi-head attention
# multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, mask=None) -> output (B,L,D);
# mask broadcasts to (B,H,L,L)
kind("multi_head_attention")


def _mha_in(seed, b, n, d, h, mask=None):
    kw = {
        "x": _r(seed, b, n, d),
        "w_q": _r(seed + 1, d, d, s=0.7),
        "w_k": _r(seed + 2, d, d, s=0.7),
        "w_v": _r(seed + 3, d, d),
        "w_o": _r(seed + 4, d, d),
        "n_heads": h,
    }
    if mask is not None:
        kw["mask"] = mask
    return kw


@given("multi_head_attention", "B2_L5_D8_H2")
def _():
    return _mha_in(70, 2, 5, 8, 2)


@given("multi_head_attention", "H_equals_L_3")
def _():
    return _mha_in(75, 1, 3, 6, 3)


@given("multi_head_attention", "one_head")
def _():
    return _mha_in(80, 2, 3, 4, 1)


@given("multi_head_attention", "causal")
def _():
    return _mha_in(85, 1, 4, 6, 2, np.tri(4, dtype=bool))


@given("multi_head_attention", "padding_B1_H1")
def _():
    return _mha_in(
        90, 3, 3, 6, 3, np.array([[1, 1, 0], [1, 0, 0], [1, 1, 1]], bool)[:, None, None, :]
    )


@given("multi_head_attention", "odd_15_by_5")
def _():
    return _mha_in(100, 1, 7, 15, 5)


@reference("multi_head_attention")
def mha_ref(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    q, k, v = (sh_ref(x @ w, n_heads) for w in (w_q, w_k, w_v))
    s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    return mh_ref(_sm(s) @ v) @ w_o


def _mha(
    x,
    w_q,
    w_k,
    w_v,
    w_o,
    n_heads,
    mask=None,
    split=sh_ref,
    merge=mh_ref,
    scale=None,
    softmax=_sm,
    hide=lambda s, m: np.where(m, s, -np.inf),
    out=True,
):
    q, k, v = (split(x @ w, n_heads) for w in (w_q, w_k, w_v))
    s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1] if scale is None else scale)
    if mask is not None:
        s = hide(s, mask)
    y = merge(softmax(s) @ v)
    return y @ w_o if out else y


@wrong(
    "multi_head_attention",
    "mha_scale_dmodel",
    "divides by sqrt(d_model)",
    "lucidrains/vit-pytorch#65",
)
def mha_scale_dmodel(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    return _mha(x, w_q, w_k, w_v, w_o, n_heads, mask, scale=x.shape[-1])


@wrong(
    "multi_head_attention",
    "mha_no_wo",
    "output projection forgotten",
    "Kyubyong/transformer#17; karpathy/minGPT#118",
)
def mha_no_wo(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    return _mha(x, w_q, w_k, w_v, w_o, n_heads, mask, out=False)


@wrong(
    "multi_head_attention",
    "mha_merge",
    "heads merged without a transpose",
    "meta-pytorch/opacus#825",
)
def mha_merge(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    return _mha(x, w_q, w_k, w_v, w_o, n_heads, mask, merge=mh_no_transpose)


@wrong("multi_head_attention", "mha_split", "heads split by reshape", "reczoo/FuxiCTR#30")
def mha_split(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    return _mha(x, w_q, w_k, w_v, w_o, n_heads, mask, split=sh_view)


@wrong(
    "multi_head_attention",
    "mha_slice_input",
    "every head gets only its slice of the INPUT",
    "MarcoMeter/episodic-transformer-memory-ppo#22; aladdinpersson/Machine-Learning-Collection#3",
)
def mha_slice_input(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    dh = x.shape[-1] // n_heads
    block = np.kron(np.eye(n_heads), np.ones((dh, dh)))
    return _mha(x, w_q * block, w_k * block, w_v * block, w_o, n_heads, mask)


@wrong(
    "multi_head_attention",
    "mha_polarity",
    "True read as 'hide' (the nn.MultiheadAttention meaning)",
    "pytorch/pytorch#170415",
)
def mha_polarity(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    return _mha(x, w_q, w_k, w_v, w_o, n_heads, mask, hide=lambda s, m: np.where(m, -1e30, s))


@wrong("multi_head_attention", "mha_woT", "w_o transposed", "skyzh/tiny-llm#41")
def mha_wo_transposed(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    return _mha(x, w_q, w_k, w_v, w_o.T, n_heads, mask)


@unusual(
    "multi_head_attention",
    "mha_u_head_loop",
    "loop over heads with column slices, summing head @ rows of w_o",
)
def mha_u_head_loop(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    b, n, d = x.shape
    dh = d // n_heads
    m = (
        np.ones((b, n_heads, n, n), bool)
        if mask is None
        else np.broadcast_to(mask, (b, n_heads, n, n))
    )
    out = np.zeros((b, n, d))
    for h in range(n_heads):
        c = slice(h * dh, (h + 1) * dh)
        s = (x @ w_q[:, c]) @ (x @ w_k[:, c]).swapaxes(1, 2) / math.sqrt(dh)
        out += _sm(np.where(m[:, h], s, -np.inf)) @ (x @ w_v[:, c]) @ w_o[c]
    return out


@unusual(
    "multi_head_attention", "mha_u_einsum", "einsum with (D,H,dh) weights, heads kept on axis 2"
)
def mha_u_einsum(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    d = x.shape[-1]
    q, k, v = (np.einsum("bnd,dhc->bnhc", x, w.reshape(d, n_heads, -1)) for w in (w_q, w_k, w_v))
    s = np.einsum("bihc,bjhc->bhij", q, k) / math.sqrt(d // n_heads)
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    return np.einsum("bhij,bjhc,hcd->bid", _sm(s), v, w_o.reshape(n_heads, -1, d))


# ------------------------------------------------------------------ 8 kv cache
# kv_cache_step(x_t, t, cache, w_q, w_k, w_v, pe) -> (out_t, cache); first call gets cache=None;
# pe[t] is added to x_t before projecting
kind("kv_cache")


def _kv_in(seed, lens, d=4, dk=3, dv=2, same=False, pe=True):
    xs = [
        np.repeat(_r(seed, 1, d), n, 0) if same else _r(seed + i, n, d) for i, n in enumerate(lens)
    ]
    return {
        "xs": xs,
        "pe": _r(seed + 50, 12, d) if pe else np.zeros((12, d)),
        "w_q": _r(seed + 60, d, dk),
        "w_k": _r(seed + 61, d, dk),
        "w_v": _r(seed + 62, d, dv),
    }


@given("kv_cache", "T5")
def _():
    return _kv_in(110, [5])


@given("kv_cache", "T1")
def _():
    return _kv_in(112, [1])


@given("kv_cache", "T6_no_positions")
def _():
    return _kv_in(114, [6], pe=False)


@reference("kv_cache")
def kv_ref(x_t, t, cache, w_q, w_k, w_v, pe):
    h = x_t + pe[t]
    k_new, v_new = (h @ w_k)[None], (h @ w_v)[None]
    k = k_new if cache is None else np.concatenate([cache["k"], k_new])
    v = v_new if cache is None else np.concatenate([cache["v"], v_new])
    w = _sm(k @ (h @ w_q) / np.sqrt(w_q.shape[1]))
    return w @ v, {"k": k, "v": v}


def _kv(x_t, t, cache, w_q, w_k, w_v, pe, pos=None, attend=None, scale=None):
    h = x_t + pe[t if pos is None else pos]
    k = (h @ w_k)[None] if cache is None else np.concatenate([cache["k"], (h @ w_k)[None]])
    v = (h @ w_v)[None] if cache is None else np.concatenate([cache["v"], (h @ w_v)[None]])
    ka, va = (k, v) if attend is None else attend(k, v, cache)
    w = _sm(ka @ (h @ w_q) / np.sqrt(w_q.shape[1] if scale is None else scale(ka)))
    return w @ va, {"k": k, "v": v}


@wrong("kv_cache", "kv_pos_zero", "every new token gets position 0", "ml-explore/mlx-lm#93")
def kv_pos_zero(x_t, t, cache, w_q, w_k, w_v, pe):
    return _kv(x_t, t, cache, w_q, w_k, w_v, pe, pos=0)


@wrong("kv_cache", "kv_pos_plus1", "position counted one too far", "skyzh/tiny-llm#46")
def kv_pos_plus1(x_t, t, cache, w_q, w_k, w_v, pe):
    return _kv(x_t, t, cache, w_q, w_k, w_v, pe, pos=t + 1)


@wrong("kv_cache", "kv_no_self", "attends before appending: the token cannot see itself")
def kv_no_self(x_t, t, cache, w_q, w_k, w_v, pe):
    return _kv(
        x_t,
        t,
        cache,
        w_q,
        w_k,
        w_v,
        pe,
        attend=lambda k, v, c: (k[:-1], v[:-1]) if c is not None else (k, v),
    )


@wrong(
    "kv_cache",
    "kv_topleft",
    "top-left causal mask: the single query row sees key 0 only",
    "pytorch/pytorch#103082",
)
def kv_topleft(x_t, t, cache, w_q, w_k, w_v, pe):
    return _kv(x_t, t, cache, w_q, w_k, w_v, pe, attend=lambda k, v, c: (k[:1], v[:1]))


@wrong(
    "kv_cache", "kv_forgets", "cache replaced instead of extended", "lucidrains/x-transformers#219"
)
def kv_forgets(x_t, t, cache, w_q, w_k, w_v, pe):
    o, c = _kv(x_t, t, cache, w_q, w_k, w_v, pe)
    return o, {"k": c["k"][-1:], "v": c["v"][-1:]}


@wrong("kv_cache", "kv_scale_len", "scales by the cache length")
def kv_scale_len(x_t, t, cache, w_q, w_k, w_v, pe):
    return _kv(x_t, t, cache, w_q, w_k, w_v, pe, scale=len)


@unusual(
    "kv_cache", "kv_u_prealloc", "preallocated arrays written in place, length counter in the cache"
)
def kv_u_prealloc(x_t, t, cache, w_q, w_k, w_v, pe):
    if cache is None:
        cache = [np.zeros((64, w_k.shape[1])), np.zeros((64, w_v.shape[1])), 0]
    h = x_t + pe[t]
    n = cache[2]
    cache[0][n], cache[1][n] = h @ w_k, h @ w_v
    cache[2] = n + 1
    return _sm(cache[0][: n + 1] @ (h @ w_q) / math.sqrt(w_q.shape[1])) @ cache[1][: n + 1], cache


@unusual(
    "kv_cache",
    "kv_u_recompute",
    "stores the inputs and recomputes all keys and values (slow but right)",
)
def kv_u_recompute(x_t, t, cache, w_q, w_k, w_v, pe):
    xs = ([] if cache is None else list(cache)) + [x_t]
    h = np.array(xs) + pe[: len(xs)]
    w = _sm((h @ w_k) @ (h[-1] @ w_q) / math.sqrt(w_q.shape[1]))
    return w @ (h @ w_v), xs


# ------------------------------------------------------------------ 9 online softmax
# online_attention(q, k, v, block, mask=None) -> (Lq,dv); keys come in blocks,
# scores never stored whole
kind("online_softmax")


@given("online_softmax", "one_block")
def _():
    return {"q": _r(130, 3, 4), "k": _r(131, 4, 4), "v": _r(132, 4, 2), "block": 4}


@given("online_softmax", "two_equal_blocks")
def _():
    return {"q": _r(133, 3, 4), "k": _r(134, 4, 4), "v": _r(135, 4, 2), "block": 2}


@given("online_softmax", "max_grows")
def _():
    return {
        "q": np.array([[1.0], [2.0]]),
        "k": np.array([[0.0], [1.0], [5.0], [6.0], [20.0], [19.0]]),
        "v": np.arange(12.0).reshape(6, 2),
        "block": 2,
    }


@given("online_softmax", "max_shrinks")
def _():
    return {
        "q": np.array([[1.0], [-1.0]]),
        "k": np.array([[9.0], [8.0], [2.0], [1.0]]),
        "v": _r(136, 4, 2),
        "block": 2,
    }


@given("online_softmax", "ragged_7_by_3")
def _():
    return {"q": _r(137, 2, 3), "k": _r(138, 7, 3), "v": _r(139, 7, 2), "block": 3}


@given("online_softmax", "block_bigger_than_Lk")
def _():
    return {"q": _r(140, 2, 3), "k": _r(141, 4, 3), "v": _r(142, 4, 2), "block": 64}


@given("online_softmax", "all_very_negative")
def _():
    return {
        "q": np.array([[40.0]]),
        "k": np.array([[-30.0], [-31.0], [-30.05], [-30.02]]),
        "v": np.arange(4.0)[:, None],
        "block": 2,
    }


@given("online_softmax", "huge_scores")
def _():
    return {
        "q": np.array([[100.0]]),
        "k": np.array([[30.0], [30.01], [29.99], [10.0]]),
        "v": np.arange(4.0)[:, None],
        "block": 2,
    }


@given("online_softmax", "first_block_hidden")
def _():
    return {
        "q": _r(143, 2, 3),
        "k": _r(144, 6, 3),
        "v": _r(145, 6, 2),
        "block": 2,
        "mask": np.array([[0, 0, 1, 1, 1, 0], [0, 0, 0, 0, 1, 1]], bool),
    }


@given("online_softmax", "causal_mask")
def _():
    return {
        "q": _r(146, 4, 3),
        "k": _r(147, 4, 3),
        "v": _r(148, 4, 2),
        "block": 2,
        "mask": np.tri(4, dtype=bool),
    }


@reference("online_softmax")
def os_ref(q, k, v, block, mask=None):
    lq, lk = len(q), len(k)
    m = np.full((lq, 1), -np.inf)
    total = np.zeros((lq, 1))
    acc = np.zeros((lq, v.shape[1]))
    for a in range(0, lk, block):
        s = q @ k[a : a + block].T / np.sqrt(q.shape[1])
        if mask is not None:
            s = np.where(mask[:, a : a + block], s, -np.inf)
        m_new = np.maximum(m, s.max(1, keepdims=True))
        safe = np.where(np.isfinite(m_new), m_new, 0.0)
        p = np.exp(s - safe)
        r = np.exp(np.where(np.isfinite(m), m - safe, -np.inf))
        total = total * r + p.sum(1, keepdims=True)
        acc = acc * r + p @ v[a : a + block]
        m = m_new
    return np.divide(acc, total, out=np.zeros_like(acc), where=total > 0)


def _os(
    q,
    k,
    v,
    block,
    mask=None,
    m0=-np.inf,
    rescale_l=True,
    rescale_acc=True,
    running=True,
    final=True,
    flip=False,
    drop_tail=False,
    guard=True,
    hide=-np.inf,
):
    lq, lk = len(q), len(k)
    m, total, acc = np.full((lq, 1), m0), np.zeros((lq, 1)), np.zeros((lq, v.shape[1]))
    stop = lk // block * block if drop_tail else lk
    for a in range(0, stop, block):
        s = q @ k[a : a + block].T / np.sqrt(q.shape[1])
        if mask is not None:
            s = np.where(mask[:, a : a + block], s, hide)
        m_new = np.maximum(m, s.max(1, keepdims=True)) if running else s.max(1, keepdims=True)
        with np.errstate(all="ignore"):
            safe = np.where(np.isfinite(m_new), m_new, 0.0) if guard else m_new
            p = np.exp(s - safe)
            r = np.exp(m_new - m) if flip else np.exp(m - safe)
            if guard and not flip:
                r = np.where(np.isfinite(m), r, 0.0)
            if flip:
                r = np.where(np.isfinite(r), r, 0.0)
        total = total * (r if rescale_l else 1.0) + p.sum(1, keepdims=True)
        acc = acc * (r if rescale_acc else 1.0) + p @ v[a : a + block]
        m = m_new
    if not final:
        return acc
    with np.errstate(all="ignore"):
        return acc / total


@wrong("online_softmax", "os_no_rescale", "old sums never rescaled", "jax-ml/scaling-book#52")
def os_no_rescale(q, k, v, block, mask=None):
    return _os(q, k, v, block, mask, rescale_l=False, rescale_acc=False)


@wrong("online_softmax", "os_only_l", "denominator rescaled, numerator not")
def os_only_l(q, k, v, block, mask=None):
    return _os(q, k, v, block, mask, rescale_acc=False)


@wrong("online_softmax", "os_mean_of_blocks", "softmax inside each block, results averaged")
def os_mean_of_blocks(q, k, v, block, mask=None):
    outs = []
    for a in range(0, len(k), block):
        s = q @ k[a : a + block].T / np.sqrt(q.shape[1])
        if mask is not None:
            s = np.where(mask[:, a : a + block], s, -np.inf)
        outs.append(_sm(s) @ v[a : a + block])
    return np.mean(outs, axis=0)


@wrong("online_softmax", "os_no_division", "final division forgotten")
def os_no_division(q, k, v, block, mask=None):
    return _os(q, k, v, block, mask, final=False)


@wrong(
    "online_softmax",
    "os_start_zero",
    "running maximum starts at 0: very negative rows vanish",
    "Dao-AILab/flash-attention#2082",
)
def os_start_zero(q, k, v, block, mask=None):
    return _os(q, k, v, block, mask, m0=0.0)


@wrong(
    "online_softmax", "os_drop_tail", "ragged last block never visited", "FluxML/NNkernels.jl#16"
)
def os_drop_tail(q, k, v, block, mask=None):
    return _os(q, k, v, block, mask, drop_tail=True)


@wrong("online_softmax", "os_no_max", "no maximum at all")
def os_no_max(q, k, v, block, mask=None):
    total, acc = np.zeros((len(q), 1)), np.zeros((len(q), v.shape[1]))
    for a in range(0, len(k), block):
        s = q @ k[a : a + block].T / np.sqrt(q.shape[1])
        if mask is not None:
            s = np.where(mask[:, a : a + block], s, -np.inf)
        p = np.exp(s)
        total, acc = total + p.sum(1, keepdims=True), acc + p @ v[a : a + block]
    return acc / total


@unusual("online_softmax", "os_u_two_pass", "first pass finds the maximum, second pass sums")
def os_u_two_pass(q, k, v, block, mask=None):
    def blocks():
        for a in range(0, len(k), block):
            s = q @ k[a : a + block].T / math.sqrt(q.shape[1])
            yield (
                (s if mask is None else np.where(mask[:, a : a + block], s, -np.inf)),
                v[a : a + block],
            )

    m = np.max([s.max(1) for s, _ in blocks()], axis=0)[:, None]
    total = sum(np.exp(s - m).sum(1, keepdims=True) for s, _ in blocks())
    return sum(np.exp(s - m) @ vb for s, vb in blocks()) / total


@unusual(
    "online_softmax",
    "os_u_merge_lse",
    "normalised block results merged through their log-sum-exp, right to left",
)
def os_u_merge_lse(q, k, v, block, mask=None):
    out, lse = None, None
    for a in reversed(range(0, len(k), block)):
        s = q @ k[a : a + block].T / math.sqrt(q.shape[1])
        if mask is not None:
            s = np.where(mask[:, a : a + block], s, -np.inf)
        m = s.max(1, keepdims=True)
        m0 = np.where(np.isfinite(m), m, 0.0)
        e = np.exp(s - m0)
        t = e.sum(1, keepdims=True)
        o = np.divide(e @ v[a : a + block], t, out=np.zeros((len(q), v.shape[1])), where=t > 0)
        L = np.where(t > 0, m0 + np.log(np.where(t > 0, t, 1.0)), -np.inf)
        if out is None:
            out, lse = o, L
            continue
        new = np.logaddexp(lse, L)
        n0 = np.where(np.isfinite(new), new, 0.0)
        out, lse = out * np.exp(lse - n0) + o * np.exp(L - n0), new
    return out


# ------------------------------------------------------------------ 10 sinusoidal positions
# sinusoid(n, d) -> (n, d); even columns sin, odd columns cos, both of the pair share one frequency
kind("sinusoid")


@given("sinusoid", "n4_d8")
def _():
    return {"n": 4, "d": 8}


@given("sinusoid", "n6_d4")
def _():
    return {"n": 6, "d": 4}


@given("sinusoid", "n3_d2")
def _():
    return {"n": 3, "d": 2}


@given("sinusoid", "n100_d16")
def _():
    return {"n": 100, "d": 16}


@given("sinusoid", "odd_n5_d7")
def _():
    return {"n": 5, "d": 7}


@reference("sinusoid")
def pe_ref(n, d):
    ang = np.arange(n)[:, None] / 10000.0 ** (np.arange(0, d, 2)[None, :] / d)
    out = np.zeros((n, d))
    out[:, 0::2] = np.sin(ang)
    out[:, 1::2] = np.cos(ang[:, : d // 2])
    return out


def _pe(n, d, expo, base=10000.0, pos=None):
    p = np.arange(n)[:, None] if pos is None else pos
    ang = p / base**expo
    out = np.zeros((n, d))
    out[:, 0::2] = np.sin(ang[:, 0::2])
    out[:, 1::2] = np.cos(ang[:, 1::2])
    return out


@wrong(
    "sinusoid",
    "pe_double_exponent",
    "exponent 2*column/d for every column",
    "Kyubyong/transformer#38; shenweichen/DeepCTR#379",
)
def pe_double_exponent(n, d):
    return _pe(n, d, 2 * np.arange(d) / d)


@wrong(
    "sinusoid",
    "pe_column_exponent",
    "exponent column/d: the pair does not share a frequency",
    "maxjcohen/transformer#62",
)
def pe_column_exponent(n, d):
    return _pe(n, d, np.arange(d) / d)


@wrong(
    "sinusoid",
    "pe_next_pair_cos",
    "cosine taken with the next frequency (i+1)",
    "SamLynnEvans/Transformer#25",
)
def pe_next_pair_cos(n, d):
    c = np.arange(d)
    return _pe(n, d, (c - c % 2 + 2 * (c % 2)) / d)


@wrong("sinusoid", "pe_halves", "all sines first, then all cosines", "tensorflow/tensorflow#37191")
def pe_halves(n, d):
    r = pe_ref(n, d)
    return np.concatenate([r[:, 0::2], r[:, 1::2]], axis=1)


@wrong("sinusoid", "pe_swapped", "sin and cos exchanged")
def pe_swapped(n, d):
    c = np.arange(d)
    ang = np.arange(n)[:, None] / 10000.0 ** ((c - c % 2) / d)
    return np.where(c % 2 == 0, np.cos(ang), np.sin(ang))


@wrong(
    "sinusoid", "pe_even_only", "crashes for odd d (4 sines, 3 cosines)", "gc-os-ai/pyaptamer#607"
)
def pe_even_only(n, d):
    f = np.exp(-np.log(10000.0) * np.arange(0, d, 2) / d)
    out = np.zeros((n, d))
    out[:, 0::2] = np.sin(np.arange(n)[:, None] * f)
    out[:, 1::2] = np.cos(np.arange(n)[:, None] * f)
    return out


@unusual("sinusoid", "pe_u_exp_log", "frequencies through exp and log")
def pe_u_exp_log(n, d):
    f = np.exp(np.arange(0, d, 2) * (-math.log(10000.0) / d))
    out = np.empty((n, d))
    for p in range(n):
        out[p, 0::2] = np.sin(p * f)
        out[p, 1::2] = np.cos(p * f)[: d // 2]
    return out


@unusual("sinusoid", "pe_u_complex", "imaginary and real part of exp(i w p)")
def pe_u_complex(n, d):
    z = np.exp(1j * np.outer(np.arange(n), 10000.0 ** (-np.arange(0, d, 2) / d)))
    out = np.empty((n, 2 * z.shape[1]))
    out[:, 0::2], out[:, 1::2] = z.imag, z.real
    return out[:, :d]
