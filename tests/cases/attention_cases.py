"""Numeric cases: mistakes in attention code that real learners made and reported.

Every expected value is computed here by a slow reference: plain Python loops over float64 numbers.
CASES is a list of dicts:

    id        short name
    op        what has to be computed, see below
    build     call it for a dict of fresh inputs
    expected  array from the loop reference
    tol       (rtol, atol), wide enough for float32
    note      what goes wrong in the typical wrong implementation
    source    the public report of the mistake
    flags     "finite" (no NaN or infinity allowed)

The ops (masks are boolean, True = may attend, broadcast to the scores (..., Lq, Lk)):

    attention, attention_weights   q (..., Lq, d), k (..., Lk, d), v (..., Lk, dv), keep, causal:
                         None, "bottom_right" (the last query lines up with the last key) or
                         "top_left" (is_causal=True in PyTorch)
    attention_grad       gradient of sum(out * g): 1-D, dq, dk, dv one after the other
    self_attention       x (L, d_in), w_q, w_k (d_in, d_k), w_v (d_in, d_v)
    mha, mha_weights     x (B, L, D), w_* (D, D) used as x @ w, n_heads, keep; weights (B, H, L, L)
    causal_mask          n_q, n_k -> bool (n_q, n_k), bottom right
    padding_mask         ids (B, L), pad_id -> bool (B, 1, 1, L)
    merge_heads          (B, H, L, d_head) -> (B, L, D)
    kv_cache             x (T, d), pe (T, d): one token after another, position t gets pe[t];
                         (T, d_v), equal to full causal attention
    online               q, k, v, block, keep: softmax over one block of keys after another
    sinusoid             n, d -> (n, d), sines in even columns, cosines in odd ones

A row with no key left: zeros.
"""

import itertools
import math

import numpy as np

# --------------------------------------------------------------------------- loop reference


def _row_softmax(vals, keep):
    """vals, keep: lists. Softmax over kept entries only; zeros if nothing is kept."""
    kept = [s for s, ok in zip(vals, keep, strict=True) if ok and s != -math.inf]
    if not kept:
        return [0.0] * len(vals)
    top = max(kept)
    e = [
        math.exp(s - top) if ok and s != -math.inf else 0.0
        for s, ok in zip(vals, keep, strict=True)
    ]
    tot = math.fsum(e)
    return [x / tot for x in e]


def _core(q, k, v, keep, scale):
    """2-D attention with loops: returns (out, weights) as lists of lists."""
    lq, lk, d = len(q), len(k), len(q[0])
    dv = len(v[0])
    out, wts = [], []
    for i in range(lq):
        s = []
        for j in range(lk):
            if keep[i][j]:
                x = math.fsum(q[i][t] * k[j][t] for t in range(d)) * scale
                s.append(x)
            else:
                s.append(0.0)
        w = _row_softmax(s, keep[i])
        wts.append(w)
        out.append([math.fsum(w[j] * v[j][c] for j in range(lk) if w[j] != 0.0) for c in range(dv)])
    return out, wts


def _f64(a):
    return np.asarray(a).astype(np.float64)


def _causal_keep(lq, lk, causal):
    keep = [[True] * lk for _ in range(lq)]
    if causal is None:
        return keep
    shift = lk - lq if causal == "bottom_right" else 0
    for i in range(lq):
        for j in range(lk):
            keep[i][j] = j <= i + shift
    return keep


def _attend(q, k, v, keep=None, causal=None):
    q, k, v = _f64(q), _f64(k), _f64(v)
    lq, lk = q.shape[-2], k.shape[-2]
    lead = np.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    if keep is not None:
        lead = np.broadcast_shapes(lead, np.asarray(keep).shape[:-2])
    base = np.array(_causal_keep(lq, lk, causal))
    m = np.broadcast_to(
        base if keep is None else (np.asarray(keep).astype(bool) & base), (*lead, lq, lk)
    )
    q = np.broadcast_to(q, lead + q.shape[-2:])
    k = np.broadcast_to(k, lead + k.shape[-2:])
    v = np.broadcast_to(v, lead + v.shape[-2:])
    out = np.zeros((*lead, lq, v.shape[-1]))
    wts = np.zeros((*lead, lq, lk))
    scale = 1.0 / math.sqrt(q.shape[-1])
    for ix in np.ndindex(*lead):
        o, w = _core(
            q[ix].tolist(),
            k[ix].tolist(),
            v[ix].tolist(),
            m[ix].tolist(),
            scale,
        )
        out[ix], wts[ix] = o, w
    return out, wts


def _matmul(a, b):
    a, b = _f64(a).tolist(), _f64(b).tolist()
    return np.array(
        [
            [math.fsum(a[i][t] * b[t][j] for t in range(len(b))) for j in range(len(b[0]))]
            for i in range(len(a))
        ]
    )


def ref_softmax(x, axis=-1):
    x = _f64(x)
    y = np.moveaxis(x, axis, -1)
    out = np.zeros_like(y)
    for ix in np.ndindex(*y.shape[:-1]):
        row = y[ix].tolist()
        out[ix] = _row_softmax(row, [True] * len(row))
    return np.moveaxis(out, -1, axis)


def ref_scores(q, k):
    q, k = _f64(q), _f64(k)
    lead = np.broadcast_shapes(q.shape[:-2], k.shape[:-2])
    q = np.broadcast_to(q, lead + q.shape[-2:])
    k = np.broadcast_to(k, lead + k.shape[-2:])
    out = np.zeros((*lead, q.shape[-2], k.shape[-2]))
    for ix in np.ndindex(*out.shape):
        i, j = ix[-2], ix[-1]
        out[ix] = math.fsum((q[ix[:-2]][i] * k[ix[:-2]][j]).tolist()) / math.sqrt(q.shape[-1])
    return out


def ref_attention(q, k, v, keep=None, causal=None):
    return _attend(q, k, v, keep, causal)[0]


def ref_attention_weights(q, k, v, keep=None, causal=None):
    return _attend(q, k, v, keep, causal)[1]


def ref_attention_grad(q, k, v, g, keep=None):
    """Analytic gradient with loops, 2-D inputs only."""
    q, k, v, g = map(_f64, (q, k, v, g))
    out, w = _attend(q, k, v, keep)
    scale = 1.0 / math.sqrt(q.shape[-1])
    dq, dk, dv = np.zeros_like(q), np.zeros_like(k), np.zeros_like(v)
    for i in range(q.shape[0]):
        for j in range(k.shape[0]):
            if w[i, j] == 0.0:
                continue
            gv = math.fsum(g[i, c] * v[j, c] for c in range(v.shape[1]))
            go = math.fsum(g[i, c] * out[i, c] for c in range(v.shape[1]))
            ds = w[i, j] * (gv - go)
            for t in range(q.shape[1]):
                dq[i, t] += ds * k[j, t] * scale
                dk[j, t] += ds * q[i, t] * scale
            for c in range(v.shape[1]):
                dv[j, c] += w[i, j] * g[i, c]
    return np.concatenate([dq.ravel(), dk.ravel(), dv.ravel()])


def ref_self_attention(x, w_q, w_k, w_v, keep=None):
    return _attend(_matmul(x, w_q), _matmul(x, w_k), _matmul(x, w_v), keep)[0]


def _mha(x, w_q, w_k, w_v, w_o, n_heads, keep=None):
    x = _f64(x)
    bsz, length, dim = x.shape
    dh = dim // n_heads
    out = np.zeros((bsz, length, dim))
    wts = np.zeros((bsz, n_heads, length, length))
    full = (
        np.ones((bsz, n_heads, length, length), bool)
        if keep is None
        else np.broadcast_to(np.asarray(keep).astype(bool), (bsz, n_heads, length, length))
    )
    for b in range(bsz):
        q, k, v = _matmul(x[b], w_q), _matmul(x[b], w_k), _matmul(x[b], w_v)
        cat = np.zeros((length, dim))
        for h in range(n_heads):
            c = slice(h * dh, (h + 1) * dh)
            o, w = _core(
                q[:, c].tolist(),
                k[:, c].tolist(),
                v[:, c].tolist(),
                full[b, h].tolist(),
                1.0 / math.sqrt(dh),
            )
            cat[:, c] = o
            wts[b, h] = w
        out[b] = _matmul(cat, w_o)
    return out, wts


def ref_mha(x, w_q, w_k, w_v, w_o, n_heads, keep=None):
    return _mha(x, w_q, w_k, w_v, w_o, n_heads, keep)[0]


def ref_mha_weights(x, w_q, w_k, w_v, w_o, n_heads, keep=None):
    return _mha(x, w_q, w_k, w_v, w_o, n_heads, keep)[1]


def ref_causal_mask(n_q, n_k):
    return np.array(_causal_keep(n_q, n_k, "bottom_right"), bool).reshape(n_q, n_k)


def ref_padding_mask(ids, pad_id):
    ids = np.asarray(ids)
    out = np.zeros((ids.shape[0], 1, 1, ids.shape[1]), bool)
    for b, j in itertools.product(range(ids.shape[0]), range(ids.shape[1])):
        out[b, 0, 0, j] = bool(ids[b, j] != pad_id)
    return out


def ref_split_heads(x, n_heads):
    x = np.asarray(x)
    bsz, length, dim = x.shape
    dh = dim // n_heads
    out = np.zeros((bsz, n_heads, length, dh), x.dtype)
    for b, h, i, c in np.ndindex(*out.shape):
        out[b, h, i, c] = x[b, i, h * dh + c]
    return out


def ref_merge_heads(x):
    x = np.asarray(x)
    bsz, nh, length, dh = x.shape
    out = np.zeros((bsz, length, nh * dh), x.dtype)
    for b, h, i, c in np.ndindex(*x.shape):
        out[b, i, h * dh + c] = x[b, h, i, c]
    return out


def ref_kv_cache(x, pe, w_q, w_k, w_v):
    h = _f64(x) + _f64(pe)
    return _attend(_matmul(h, w_q), _matmul(h, w_k), _matmul(h, w_v), causal="bottom_right")[0]


def ref_online(q, k, v, block, keep=None):
    return _attend(q, k, v, keep)[0]


def ref_sinusoid(n, d):
    out = np.zeros((n, d))
    for p in range(n):
        for c in range(d):
            ang = p / 10000.0 ** ((c - c % 2) / d)
            out[p, c] = math.sin(ang) if c % 2 == 0 else math.cos(ang)
    return out


REFERENCE = {name[4:]: fn for name, fn in list(globals().items()) if name.startswith("ref_")}

# --------------------------------------------------------------------------- registry

CASES: list[dict] = []


def case(name, op, note, source, tol=(1e-5, 1e-6), flags=()):
    def deco(build):
        CASES.append(
            {
                "id": name,
                "op": op,
                "build": build,
                "expected": REFERENCE[op](**build()),
                "tol": tol,
                "note": note,
                "source": source,
                "flags": tuple(flags),
            }
        )
        return build

    return deco


def _r(seed, *shape, s=1.0):
    return np.random.default_rng(seed).normal(size=shape) * s


def _ws(seed, d_in, d_out=None, n=3, s=0.6):
    d_out = d_in if d_out is None else d_out
    return [_r(seed + t, d_in, d_out, s=s) for t in range(n)]


# --------------------------------------------------------------------------- softmax axis, overflow


@case(
    "a01",
    "attention_weights",
    "square scores: a softmax over the query axis has the right shape but its COLUMNS sum to one",
    "nerminnuraydogan/vision-transformer#1; "
    "labmlai/annotated_deep_learning_paper_implementations#146",
)
def _():
    return {
        "q": np.array([[2.0, 0.0], [0.0, 2.0], [1.0, 1.0]]),
        "k": np.array([[1.0, 0.0], [0.0, 1.0], [3.0, 3.0]]),
        "v": np.eye(3),
    }


@case(
    "a01b",
    "softmax",
    "axis argument must be honoured (axis=0 here)",
    "hyunwoongko/transformer, jadore801120/attention-is-all-you-need-pytorch#52",
)
def _():
    return {"x": np.array([[0.0, 1.0, 2.0], [3.0, 1.0, -1.0], [0.5, 0.5, 0.5]]), "axis": 0}


@case(
    "a19",
    "softmax",
    "rows on very different levels: no max subtraction overflows row 2, subtracting the maximum of "
    "the WHOLE array underflows row 1 to 0/0",
    "apache/singa#540; numenta/nupic-legacy#3818",
    flags=("finite",),
)
def _():
    return {"x": np.array([[0.0, 1.0, 2.0, 3.0], [10000.0, 10001.0, 10002.0, 10003.0]]), "axis": -1}


@case(
    "a19b",
    "softmax",
    "all logits very negative",
    "githubharald/CTCWordBeamSearch#19",
    flags=("finite",),
)
def _():
    return {"x": np.array([[-1000.0, -1001.0, -1002.0]]), "axis": -1}


@case(
    "a19c",
    "softmax",
    "one entry is -inf: it gets weight 0 and nothing turns NaN",
    "pytorch/pytorch#25110",
    flags=("finite",),
)
def _():
    return {"x": np.array([[0.0, -np.inf, 1.0], [-np.inf, 5.0, -np.inf]]), "axis": -1}


# --------------------------------------------------------------------------- scaling


@case(
    "a02",
    "mha",
    "scores divided by sqrt(d_model) instead of sqrt(d_head): 4 heads, so off by a factor 2",
    "karpathy/ng-video-lecture#6; lucidrains/vit-pytorch#65; Graylab/DL4Proteins-notebooks#12",
)
def _():
    wq, wk, wv, wo = _ws(100, 16, n=4)
    return {"x": _r(30, 2, 5, 16), "w_q": wq, "w_k": wk, "w_v": wv, "w_o": wo, "n_heads": 4}


@case("a02b", "scores", "integer-looking scale: sqrt(8) is not 2 and not 8", "thegregyang/NTK4A#3")
def _():
    return {"q": _r(31, 4, 8), "k": _r(32, 4, 8)}


# --------------------------------------------------------------------------- heads


@case(
    "a03",
    "merge_heads",
    "B=1, H=2, L=2, d_head=2 with readable numbers: "
    "[[head0 tok0, head0 tok1],[head1 tok0, head1 tok1]]",
    "jsbaan/transformer-from-scratch#6; ajhalthor/Transformer-Neural-Network#4; "
    "649453932/Chinese-Text-Classification-Pytorch#10",
)
def _():
    return {"x": np.array([[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]])}


@case(
    "a03b",
    "mha",
    "number of heads equals sequence length: a missing transpose keeps every shape valid",
    "meta-pytorch/opacus#825",
)
def _():
    wq, wk, wv, wo = _ws(110, 6, n=4)
    return {"x": _r(35, 2, 3, 6), "w_q": wq, "w_k": wk, "w_v": wv, "w_o": wo, "n_heads": 3}


@case(
    "a14",
    "mha_weights",
    "one map per head (B,H,L,L), not the average over heads",
    "pytorch/pytorch#34537; pytorch/pytorch#47583",
)
def _():
    wq, wk, wv, wo = _ws(130, 8, n=4)
    return {"x": _r(37, 1, 4, 8), "w_q": wq, "w_k": wk, "w_v": wv, "w_o": wo, "n_heads": 2}


@case(
    "a14b",
    "mha",
    "the output with a causal mask must be the same whether or not weights are asked for",
    "keras-team/keras#23038; pytorch/pytorch#160064",
)
def _():
    wq, wk, wv, wo = _ws(140, 8, n=4)
    return {
        "x": _r(38, 1, 4, 8),
        "w_q": wq,
        "w_k": wk,
        "w_v": wv,
        "w_o": wo,
        "n_heads": 2,
        "keep": np.tril(np.ones((4, 4), bool))[None, None],
    }


# --------------------------------------------------------------------------- projections


@case(
    "a15",
    "self_attention",
    "d_in=5, d_out=3: a transposed weight only shows when it is not square",
    "rasbt/LLMs-from-scratch#857; skyzh/tiny-llm#41",
)
def _():
    wq, wk, wv = _ws(160, 5, 3)
    return {"x": _r(40, 4, 5), "w_q": wq, "w_k": wk, "w_v": wv}


@case(
    "a15b",
    "self_attention",
    "square, non-symmetric weights: x @ w and x @ w.T both run",
    "rasbt/LLMs-from-scratch#857",
)
def _():
    return {
        "x": np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
        "w_q": np.array([[0.0, 2.0], [0.0, 0.0]]),
        "w_k": np.array([[0.0, 1.0], [0.0, 0.0]]),
        "w_v": np.array([[1.0, 3.0], [5.0, 7.0]]),
    }


# --------------------------------------------------------------------------- mask meaning


@case(
    "a04",
    "attention",
    "True means KEEP here; the opposite reading looks only into the future",
    "rasbt/LLMs-from-scratch#1061; pytorch/pytorch#170415",
)
def _():
    return {
        "q": _r(50, 1, 1, 4, 3),
        "k": _r(51, 1, 1, 4, 3),
        "v": np.arange(12.0).reshape(1, 1, 4, 3),
        "keep": np.tril(np.ones((4, 4), bool)),
    }


@case(
    "a05",
    "attention",
    "boolean mask added to the scores as 0/1 hides nothing",
    "huggingface/transformers#41443; huggingface/diffusers#14342; timeseriesAI/tsai#171",
)
def _():
    return {
        "q": np.ones((1, 2)),
        "k": np.ones((3, 2)),
        "v": np.array([[1.0], [2.0], [300.0]]),
        "keep": np.array([[True, True, False]]),
    }


@case(
    "a06",
    "attention",
    "one query row is fully masked: softmax of all -inf is 0/0",
    "pytorch/pytorch#41508; pytorch/pytorch#103963",
    flags=("finite"),
)
def _():
    return {
        "q": _r(58, 3, 2),
        "k": _r(59, 3, 2),
        "v": _r(60, 3, 2),
        "keep": np.array([[True, True, False], [False, False, False], [True, True, True]]),
    }


@case(
    "a06b",
    "attention",
    "an empty sentence in the batch must not disturb the other sentence",
    "pytorch/pytorch#63271; pytorch/pytorch#27968",
    flags=("finite"),
)
def _():
    return {
        "q": _r(61, 2, 1, 3, 2),
        "k": _r(62, 2, 1, 3, 2),
        "v": _r(63, 2, 1, 3, 2),
        "keep": np.array([[True, True, False], [False, False, False]])[:, None, None, :],
    }


@case(
    "a12",
    "attention",
    "mask applied after the softmax: rows no longer sum to one",
    "huggingface/pytorch-image-models#2236; abisee/pointer-generator#88",
)
def _():
    return {
        "q": np.array([[1.0, 0.0]]),
        "k": np.array([[0.0, 0.0], [0.0, 0.0], [6.0, 0.0]]),
        "v": np.array([[1.0], [3.0], [100.0]]),
        "keep": np.array([[True, True, False]]),
    }


# --------------------------------------------------------------------------- padding mask


@case(
    "a11",
    "padding_mask",
    "pad id is 1, and id 0 is a normal token",
    "hyunwoongko/transformer#40; bentrevett/pytorch-seq2seq#96",
)
def _():
    return {"ids": np.array([[5, 0, 7, 1], [4, 1, 1, 1], [9, 8, 0, 2]]), "pad_id": 1}


@case(
    "a11b",
    "attention",
    "B=L=3: (B,1,L,1) hides query rows instead of key columns",
    "lucidrains/x-transformers#172; hyunwoongko/transformer#40",
)
def _():
    return {
        "q": _r(71, 3, 2, 3, 4),
        "k": _r(72, 3, 2, 3, 4),
        "v": _r(73, 3, 2, 3, 4),
        "keep": np.array([[1, 1, 0], [1, 0, 0], [1, 1, 1]], bool)[:, None, None, :],
    }


# --------------------------------------------------------------------------- causal masks


@case(
    "a09",
    "attention",
    "one new query against 5 cached keys: it must see all of them",
    "pytorch/pytorch#103082; pytorch/pytorch#108108",
)
def _():
    return {
        "q": _r(80, 1, 3),
        "k": _r(81, 5, 3),
        "v": np.arange(5.0)[:, None],
        "causal": "bottom_right",
    }


@case(
    "a09b",
    "attention",
    "two queries, five keys: bottom-right, not top-left",
    "ml-explore/mlx#2835; apache/tvm#14907",
)
def _():
    return {"q": _r(82, 2, 3), "k": _r(83, 5, 3), "v": _r(84, 5, 2), "causal": "bottom_right"}


@case(
    "a09c",
    "attention",
    "the same sizes, top-left alignment (what is_causal=True does)",
    "pytorch/pytorch#126873",
)
def _():
    return {"q": _r(82, 2, 3), "k": _r(83, 5, 3), "v": _r(84, 5, 2), "causal": "top_left"}


@case(
    "a10",
    "causal_mask",
    "the diagonal belongs to the visible part: first row is [True, False, ...]",
    "pbloem/former#10; pytorch/tutorials#2250; karpathy/nanoGPT#170",
)
def _():
    return {"n_q": 4, "n_k": 4}


@case("a10b", "causal_mask", "length one", "pbloem/former#10")
def _():
    return {"n_q": 1, "n_k": 1}


@case("a10c", "causal_mask", "rectangular", "pytorch/pytorch#108108")
def _():
    return {"n_q": 2, "n_k": 5}


# --------------------------------------------------------------------------- gradients


@case(
    "a07",
    "attention_grad",
    "a fully masked row that is zeroed AFTER the softmax still sends NaN into every gradient",
    "pytorch/pytorch#31829; pytorch/pytorch#42323; pytorch/pytorch#68425",
    flags=("finite",),
)
def _():
    return {
        "q": _r(91, 3, 2),
        "k": _r(92, 3, 2),
        "v": _r(93, 3, 2),
        "g": _r(94, 3, 2),
        "keep": np.array([[True, False, False], [False, False, False], [True, True, True]]),
    }


@case("a07b", "attention_grad", "plain gradient, no mask", "tensorflow/tensorflow#11756")
def _():
    return {"q": _r(95, 3, 4), "k": _r(96, 5, 4), "v": _r(97, 5, 2), "g": _r(98, 3, 2)}


# --------------------------------------------------------------------------- dtypes


@case(
    "a08",
    "attention",
    "float16 inputs and a mask: -1e9 does not fit into float16",
    "NVIDIA/apex#1052; NVIDIA/apex#93; google/flax#982",
    tol=(4e-3, 4e-3),
    flags=("finite",),
)
def _():
    return {
        "q": _r(203, 4, 4).astype(np.float16),
        "k": _r(204, 4, 4).astype(np.float16),
        "v": _r(205, 4, 2).astype(np.float16),
        "keep": np.tril(np.ones((4, 4), bool)),
    }


@case(
    "a08b",
    "attention",
    "float16, dot products beyond 65504 before the division by sqrt(d)",
    "prescient-design/e3tools#3",
    tol=(4e-3, 4e-3),
    flags=("finite"),
)
def _():
    return {
        "q": np.full((1, 64), 40.0, np.float16),
        "k": np.stack([np.full(64, 40.0), np.full(64, 39.0), np.full(64, -40.0)]).astype(
            np.float16
        ),
        "v": np.array([[1.0], [2.0], [4.0]], np.float16),
    }


@case(
    "a18",
    "attention",
    "integer arrays in, floats out",
    "pytorch/pytorch#11951 (Long versus Float)",
)
def _():
    return {
        "q": np.array([[1, 0], [0, 2]]),
        "k": np.array([[1, 1], [2, 0], [0, 3]]),
        "v": np.array([[1], [2], [4]]),
    }


@case(
    "a18b",
    "attention",
    "float32 query with float64 keys and values",
    "ShusenTang/Dive-into-DL-PyTorch#31; OUCMachineLearning/OUCML#24",
)
def _():
    return {"q": _r(206, 2, 3).astype(np.float32), "k": _r(207, 3, 3), "v": _r(208, 3, 2)}


@case(
    "a13",
    "attention_weights",
    "dropout off (evaluation): rows sum to one; with dropout on only their mean does",
    "pytorch/pytorch#42929; karpathy/ng-video-lecture#30; facebookresearch/fairseq#351",
)
def _():
    return {"q": _r(212, 3, 4), "k": _r(213, 6, 4), "v": _r(214, 6, 2)}


# --------------------------------------------------------------------------- positions


@case(
    "a16",
    "sinusoid",
    "neighbouring sin/cos columns share one frequency: exponent 2*(c//2)/d, not 2*c/d",
    "Kyubyong/transformer#38; shenweichen/DeepCTR#379; SamLynnEvans/Transformer#25",
)
def _():
    return {"n": 6, "d": 8}


@case(
    "a16b",
    "sinusoid",
    "interleaved, not [all sines | all cosines]; 10000, not 1000",
    "tensorflow/tensorflow#37191; maxjcohen/transformer#62",
)
def _():
    return {"n": 50, "d": 4}


# --------------------------------------------------------------------------- cache


@case(
    "a17",
    "kv_cache",
    "each new token needs its own position; restarting at 0 or counting the prompt twice is wrong",
    "skyzh/tiny-llm#46; ml-explore/mlx-lm#93; lucidrains/x-transformers#219",
)
def _():
    wq, wk, wv = _ws(170, 4, 3)
    return {"x": _r(215, 6, 4), "pe": ref_sinusoid(6, 4), "w_q": wq, "w_k": wk, "w_v": wv}


# --------------------------------------------------------------------------- online softmax


@case(
    "a20",
    "online",
    "first block completely hidden and all later scores negative: a running maximum "
    "started at 0 (or -inf minus -inf) is wrong",
    "Dao-AILab/flash-attention#2082",
    flags=("finite",),
)
def _():
    return {
        "q": np.array([[30.0, 0.0]]),
        "k": np.array([[9.0, 0.0], [8.0, 0.0], [-40.0, 1.0], [-40.1, 2.0]]),
        "v": np.array([[5.0], [6.0], [1.0], [2.0]]),
        "block": 2,
        "keep": np.array([[False, False, True, True]]),
    }


@case(
    "a20b",
    "online",
    "the maximum grows from block to block: old sums must be rescaled",
    "jax-ml/scaling-book#52",
)
def _():
    return {
        "q": np.array([[1.0], [2.0]]),
        "k": np.array([[0.0], [1.0], [5.0], [6.0], [20.0], [19.0]]),
        "v": np.arange(6.0)[:, None],
        "block": 2,
    }
