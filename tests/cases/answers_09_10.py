"""Wrong answers nobody has declared, and right ones written in unusual ways: lessons 09 and 10."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers import torch_attention

WRONG: dict[str, dict] = {}
RIGHT: dict[str, dict] = {}

# ------------------------------------------------------------------ lesson 09: masks


def late(n_q, n_k=None, k=0):
    """The right mask, its edge moved by k."""
    n_k = n_q if n_k is None else n_k
    return np.arange(n_k) <= np.arange(n_q)[:, None] + n_k - n_q + k


WRONG["lesson09.causal_mask"] = {
    "the edge on the other side": lambda n_q, n_k=None: np.tri(
        n_q, n_q if n_k is None else n_k, 0 if n_k is None else n_q - n_k, dtype=bool
    ),
    "no empty rows": lambda n_q, n_k=None: late(n_q, n_k) | (np.arange(n_k or n_q) == 0),
    "a window of four": lambda n_q, n_k=None: late(n_q, n_k) & ~late(n_q, n_k, -4),
    "one key for all": lambda n_q, n_k=None: late(n_q, n_k) & (np.arange(n_k or n_q) == 0),
    "as many queries as keys": lambda n_q, n_k=None: np.tri(n_k or n_q, dtype=bool),
    "the last rows of a square": lambda n_q, n_k=None: np.tri(n_k or n_q, dtype=bool)[-n_q:],
    "small integers": lambda n_q, n_k=None: late(n_q, n_k).astype(np.uint8),
    "a batch axis in front": lambda n_q, n_k=None: late(n_q, n_k)[None],
    "n_k shifted": lambda n_q, n_k=None: late(n_q, n_k and n_k - 1),
}


def causal_rows(n_q, n_k=None):
    n_k = n_q if n_k is None else n_k
    seen = [max(0, n_k - n_q + i + 1) for i in range(n_q)]
    return [[True] * count + [False] * (n_k - count) for count in seen]


def causal_by_name(n_q, *, n_k=None):
    n_k = n_q if n_k is None else n_k
    return torch.ones(n_q, n_k).tril(diagonal=n_k - n_q).bool()


RIGHT["lesson09.causal_mask"] = {
    "comparison": late,
    "lists": causal_rows,
    "PyTorch, n_k by name": causal_by_name,
    "turned round": lambda n_q, n_k=None: (
        ~np.triu(np.ones((n_q, n_k or n_q), dtype=bool), (n_k or n_q) - n_q + 1)
    ),
}

WRONG["lesson09.padding_mask"] = {
    "larger ids only": lambda ids, pad_id: (ids > pad_id)[:, None, None],
    "not zero": lambda ids, pad_id: ids.astype(bool)[:, None, None],
    "up to the first padding": lambda ids, pad_id: np.cumprod(ids != pad_id, axis=1).astype(bool)[
        :, None, None
    ],
    "the first key is always open": lambda ids, pad_id: (
        (ids != pad_id) | (np.arange(ids.shape[1]) == 0)
    )[:, None, None],
    "the first sentence for all": lambda ids, pad_id: (ids[:1] != pad_id)[:, None, None],
    "the padding may see padding": lambda ids, pad_id: (
        (ids != pad_id)[:, None, None] | (ids == pad_id)[:, None, :, None]
    ),
    "ids with the digit": lambda ids, pad_id: np.array(
        [[str(pad_id) not in str(i) for i in row] for row in ids.tolist()]
    )[:, None, None],
    "two heads": lambda ids, pad_id: np.stack([ids != pad_id] * 2, axis=1)[:, :, None],
    "a head for each token": lambda ids, pad_id: (ids != pad_id)[:, None, None, None],
    "from the last row": lambda ids, pad_id: (ids != ids[-1, -1])[:, None, None],
}
RIGHT["lesson09.padding_mask"] = {
    "all queries written out": lambda ids, pad_id: np.repeat(
        (ids != pad_id)[:, None, None], ids.shape[1], axis=2
    ),
    "PyTorch": lambda ids, pad_id: torch.tensor(ids).ne(pad_id).unflatten(0, (-1, 1, 1)),
    "lists": lambda ids, pad_id: [[[[i != pad_id for i in row]]] for row in ids.tolist()],
}

# ------------------------------------------------------------------ lesson 09: batched attention


def attend(change=None, after=None, mask_as=None):
    """Attention; `change` sees the scores, `mask_as` the mask, `after` the weights."""

    def answer(Q, K, V, mask=None):
        mask = mask if mask is None or mask_as is None else mask_as(mask)
        scores = (Q / math.sqrt(Q.shape[-1])) @ K.swapaxes(-1, -2)
        scores = scores if change is None else change(scores)
        scores = scores if mask is None else np.where(mask, scores, -np.inf)
        top = scores.max(axis=-1, keepdims=True)
        exps = np.exp(scores - np.where(top == -np.inf, 0, top))
        total = exps.sum(axis=-1, keepdims=True)
        weights = exps / np.where(total == 0, 1, total)
        weights = weights if after is None else after(weights)
        return weights @ V, weights

    return answer


def renormalises(Q, K, V, mask=None):
    weights = attend()(Q, K, V)[1] * (1 if mask is None else mask)
    total = weights.sum(axis=-1, keepdims=True)
    weights = weights / np.where(total == 0, 1, total)
    return weights @ V, weights


def one_batch_axis(Q, K, V, mask=None):
    if Q.ndim > 3:
        shape, mask = Q.shape[:-2], mask if mask is None else mask.reshape(-1, *mask.shape[-2:])
        output, weights = attend()(*(A.reshape(-1, *A.shape[-2:]) for A in (Q, K, V)), mask)
        return output.reshape(*shape, *output.shape[1:]), weights.reshape(
            *shape, *weights.shape[1:]
        )
    return attend()(Q, K, V, mask)


WRONG["lesson09.batched_attention"] = {
    "scores cut at 700": attend(lambda s: np.clip(s, -700, 700)),
    "scores cut from below": attend(lambda s: np.maximum(s, -1e4)),
    "small weights left out": attend(after=lambda w: np.where(w < 1e-3, 0, w)),
    "three decimals": attend(after=lambda w: w.round(3)),
    "the first head for all": attend(after=lambda w: w if w.ndim < 4 else w[:, :1] + 0 * w),
    "the mask needs four axes": attend(
        mask_as=lambda m: m if m.ndim in (2, 4) else m[None] & True | True
    ),
    "a mask that hides queries": attend(mask_as=lambda m: m.any(axis=-1, keepdims=True)),
    "an even share of nothing": attend(
        after=lambda w: np.where(w.sum(-1, keepdims=True) == 0, 1 / w.shape[-1], w)
    ),
    "hidden first, then renormalised": renormalises,
    "batches flattened, the mask too": one_batch_axis,
    "float16 throughout": lambda Q, K, V, mask=None: attend()(
        *(np.float16(A) for A in (Q, K, V)), mask
    ),
    "the mask of the first sentence": attend(mask_as=lambda m: m[:1] if m.ndim > 2 else m),
}


def einsum_in_float32(Q, K, V, mask=None):
    Q, K, V = map(np.float32, (Q, K, V))
    scores = np.einsum("...id,...jd->...ij", Q / np.float32(Q.shape[-1] ** 0.5), K)
    open_ = np.broadcast_to(True if mask is None else mask, scores.shape)
    scores = np.where(open_, scores, np.float32(-1e30))
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True)) * open_
    weights = exps / np.maximum(exps.sum(axis=-1, keepdims=True), np.float32(1e-30))
    return np.einsum("...ij,...jv->...iv", weights, V), weights


def query_by_query(Q, K, V, mask=None):
    scores_shape = (*Q.shape[:-1], K.shape[-2])
    open_ = np.broadcast_to(True if mask is None else mask, scores_shape)
    weights = np.zeros(scores_shape)
    for place in np.ndindex(scores_shape[:-1]):
        seen = np.flatnonzero(open_[place])
        if len(seen):
            scores = K[place[:-1]][seen].astype(float) @ Q[place] / math.sqrt(Q.shape[-1])
            exps = np.exp(scores - scores.max())
            weights[(*place, seen)] = exps / exps.sum()
    return weights @ V, weights


def attend_in_torch(Q, K, V, *, mask=None):
    Q, K, V = (torch.tensor(A, dtype=torch.float64) for A in (Q, K, V))
    mask = torch.ones(1, dtype=bool) if mask is None else torch.tensor(mask)
    output = F.scaled_dot_product_attention(Q, K, V, mask.expand(*Q.shape[:-1], K.shape[-2]))
    scores = (Q / Q.shape[-1] ** 0.5 @ K.mT).masked_fill(~mask, -math.inf)
    return output, scores.softmax(-1).nan_to_num()


RIGHT["lesson09.batched_attention"] = {
    "einsum in float32": einsum_in_float32,
    "query by query": query_by_query,
    "PyTorch, the mask by name": attend_in_torch,
}

# ------------------------------------------------------------------ lesson 09: the layer


class Layer(nn.Module):
    """A right layer, written in small methods that the wrong ones below replace."""

    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads, self.p = num_heads, dropout
        for name in "QKVO":
            self.register_parameter(f"W_{name}", nn.Parameter(torch.rand(d_model, d_model) - 0.5))

    def project(self, X, name):
        return X @ getattr(self, name)

    def cut(self, X):
        return X.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def shares(self, scores, mask):
        if mask is None:
            return scores.softmax(-1)
        weights = torch.where(mask, scores, -1e30).softmax(-1)
        return torch.where(mask, weights, 0.0)

    def drop(self, weights):
        keep = torch.rand_like(weights) >= self.p
        return weights * keep / (1 - self.p) if self.training else weights

    def mix(self, weights, V):
        return weights @ V

    def forward(self, X, mask=None):
        Q, K, V = (self.cut(self.project(X, f"W_{name}")) for name in "QKV")
        scores = torch.einsum("bhid,bhjd->bhij", Q, K) / Q.shape[-1] ** 0.5
        weights = self.drop(self.shares(scores, mask))
        return self.mix(weights, V).transpose(1, 2).flatten(2) @ self.W_O, weights


class OnlyTheOutputDetached(Layer):
    def forward(self, X, mask=None):
        output, weights = super().forward(X, mask)
        return output.detach(), weights


class WeightsCutOff(Layer):
    def mix(self, weights, V):
        return weights.detach() @ V


class QueriesCutOff(Layer):
    def project(self, X, name):
        return X @ (self.W_Q.detach() if name == "W_Q" else getattr(self, name))


class OutputMatrixFrozen(Layer):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, dropout)
        self.W_O.requires_grad_(False)


class NoGradInside(Layer):
    @torch.no_grad()
    def project(self, X, name):
        return super().project(X, name)


class GradientOfValuesHalved(Layer):
    def mix(self, weights, V):
        return weights @ (V / 2 + V.detach() / 2)


class GradientOfKeysLost(Layer):
    def project(self, X, name):
        W = getattr(self, name)
        return X @ (W.detach() + 0 * W if name == "W_K" else W)


class DropsTheOutput(Layer):
    def drop(self, weights):
        return weights

    def forward(self, X, mask=None):
        output, weights = super().forward(X, mask)
        return F.dropout(output, self.p, self.training), weights


class DropsTheValues(Layer):
    def drop(self, weights):
        return weights

    def mix(self, weights, V):
        return weights @ F.dropout(V, self.p, self.training)


class DropsTheScores(Layer):
    def shares(self, scores, mask):
        return super().shares(F.dropout(scores, self.p, self.training), mask)

    def drop(self, weights):
        return weights


class DropsAndRenormalises(Layer):
    def drop(self, weights):
        kept = super().drop(weights)
        return kept / kept.sum(-1, keepdim=True).clamp(min=1e-9) if self.training else weights


class AlwaysAHalf(Layer):
    def drop(self, weights):
        return F.dropout(weights, training=self.training)


class TakesTheShareThatStays(Layer):
    def drop(self, weights):
        return F.dropout(weights, 1 - self.p, self.training)


class DividedByP(Layer):
    def drop(self, weights):
        keep = torch.rand_like(weights) >= self.p
        return weights * keep / self.p if self.training and self.p else weights


class MultipliedByTheRest(Layer):
    def drop(self, weights):
        keep = torch.rand_like(weights) >= self.p
        return weights * keep * (1 - self.p) if self.training else weights


class TheSameEveryTime(Layer):
    def drop(self, weights):
        draw = torch.Generator().manual_seed(0)
        keep = torch.rand(weights.shape, generator=draw, dtype=weights.dtype) >= self.p
        return weights * keep / (1 - self.p) if self.training else weights


class TheSameForTheBatch(Layer):
    def drop(self, weights):
        return weights * F.dropout(torch.ones_like(weights[:1]), self.p, self.training)


class TheSameForTheHeads(Layer):
    def drop(self, weights):
        return weights * F.dropout(torch.ones_like(weights[:, :1]), self.p, self.training)


class WholeColumns(Layer):
    def drop(self, weights):
        return weights * F.dropout(torch.ones_like(weights[:, :, :1]), self.p, self.training)


class ReturnsTheOldWeights(Layer):
    def forward(self, X, mask=None):
        output, _ = super().forward(X, mask)
        training, self.training = self.training, False
        weights = super().forward(X, mask)[1]
        self.training = training
        return output, weights


class EvalAndTrainExchanged(Layer):
    def drop(self, weights):
        return F.dropout(weights, self.p, not self.training)


class NeverBackToEval(Layer):
    def drop(self, weights):
        self.seen = getattr(self, "seen", False) or self.training
        return F.dropout(weights, self.p, self.seen)


class DropsByDefault(Layer):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__(d_model, num_heads, dropout)


class FirstMaskForEver(Layer):
    def shares(self, scores, mask):
        self.mask = getattr(self, "mask", mask)
        return super().shares(scores, self.mask)


class FirstCausalMaskForEver(Layer):
    def shares(self, scores, mask):
        if mask is not None and mask.dim() == 2:
            mask = self.mask = getattr(self, "mask", mask)
        return super().shares(scores, mask)


class FirstLengthForEver(Layer):
    def forward(self, X, mask=None):
        self.n = getattr(self, "n", X.shape[1])
        return super().forward(X[:, : self.n], mask)


class OneMaskForTheHeads(Layer):
    def shares(self, scores, mask):
        if mask is not None and mask.dim() == 4 and mask.shape[1] > 1:
            raise ValueError("one mask for all heads, please")
        return super().shares(scores, mask)


class OneMaskForTheBatch(Layer):
    def shares(self, scores, mask):
        return super().shares(scores, mask[:1] if mask is not None and mask.dim() == 4 else mask)


class MasksOfFourAxes(Layer):
    def shares(self, scores, mask):
        assert mask is None or mask.dim() == 4
        return super().shares(scores, mask)


class RawExponentials(Layer):
    def shares(self, scores, mask):
        exps = scores.exp() if mask is None else scores.exp() * mask
        return exps / exps.sum(-1, keepdim=True).clamp(min=1e-300)


class OneMaximumForAll(Layer):
    def shares(self, scores, mask):
        exps = (scores - scores.max()).exp()
        exps = exps if mask is None else exps * mask
        return exps / exps.sum(-1, keepdim=True).clamp(min=1e-300)


class HidesWithTooLittle(Layer):
    def shares(self, scores, mask):
        if mask is None:
            return scores.softmax(-1)
        return torch.where(mask, torch.where(mask, scores, -1e4).softmax(-1), 0.0)


class CleansUpTheGradient(Layer):
    def shares(self, scores, mask):
        if mask is None:
            return scores.softmax(-1)
        return scores.masked_fill(~mask, -math.inf).softmax(-1).nan_to_num() * 1.0


class HeadsShareOneMatrix(Layer):
    def cut(self, X):
        return X.unflatten(-1, (-1, self.num_heads)).permute(0, 3, 1, 2)


class AddsTheInput(Layer):
    def forward(self, X, mask=None):
        output, weights = super().forward(X, mask)
        return output + X, weights


class OneMapForAll(Layer):
    def forward(self, X, mask=None):
        output, weights = super().forward(X, mask)
        return output, weights.mean(1)


class StartsFromZero(Layer):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, dropout)
        for parameter in self.parameters():
            nn.init.zeros_(parameter)


WRONG["lesson09.MultiHeadAttention"] = {
    kind.__name__: kind
    for kind in (
        OnlyTheOutputDetached, WeightsCutOff, QueriesCutOff, OutputMatrixFrozen, NoGradInside,
        GradientOfValuesHalved, GradientOfKeysLost, DropsTheOutput, DropsTheValues, DropsTheScores,
        DropsAndRenormalises, AlwaysAHalf, TakesTheShareThatStays, DividedByP, MultipliedByTheRest,
        TheSameEveryTime, TheSameForTheBatch, TheSameForTheHeads, WholeColumns,
        ReturnsTheOldWeights, EvalAndTrainExchanged, NeverBackToEval, DropsByDefault,
        FirstMaskForEver, FirstCausalMaskForEver, FirstLengthForEver, OneMaskForTheHeads,
        OneMaskForTheBatch, MasksOfFourAxes, RawExponentials, OneMaximumForAll,
        HidesWithTooLittle, HeadsShareOneMatrix, AddsTheInput, OneMapForAll, StartsFromZero,
    )
}  # fmt: skip


class WithDropoutLayer(Layer):
    """nn.Dropout, options by name only, a loop over the heads."""

    def __init__(self, d_model, num_heads, *, dropout=0.0):
        super().__init__(d_model, num_heads)
        self.dropping = nn.Dropout(dropout)

    def drop(self, weights):
        return self.dropping(weights)

    def mix(self, weights, V):
        return torch.stack([w @ v for w, v in zip(weights.unbind(1), V.unbind(1), strict=True)], 1)

    def forward(self, X, *, mask=None):
        return super().forward(X, mask)


class WithPyTorchsAttention(Layer):
    """PyTorch's own function wherever it can give the output: all but dropout."""

    def forward(self, X, mask=None):
        output, weights = super().forward(X, mask)
        if self.training and self.p:
            return output, weights
        Q, K, V = (self.cut(X @ W) for W in (self.W_Q, self.W_K, self.W_V))
        n = X.shape[1]
        own = None if mask is None else mask.expand(len(X), self.num_heads, n, n)
        heads = F.scaled_dot_product_attention(Q, K, V, attn_mask=own)
        return heads.movedim(1, 2).flatten(2) @ self.W_O, weights


class OneWideProduct(Layer):
    """The three projections in one product; the parameters stay four."""

    def forward(self, X, mask=None):
        wide = X @ torch.cat([self.W_Q, self.W_K, self.W_V], dim=1)
        Q, K, V = (self.cut(part) for part in wide.chunk(3, dim=-1))
        weights = self.drop(self.shares(Q @ K.mT * Q.shape[-1] ** -0.5, mask))
        return torch.einsum("bhij,bhjd->bihd", weights, V).flatten(2) @ self.W_O, weights


class WithLinearLayers(Layer):
    """nn.Linear without biases, orthogonal at the start."""

    def __init__(self, d_model, num_heads, dropout=0.0):
        nn.Module.__init__(self)
        self.num_heads, self.p = num_heads, dropout
        for name in "QKVO":
            part = nn.Linear(d_model, d_model, bias=False)
            nn.init.orthogonal_(part.weight)
            setattr(self, f"W_{name}", part)

    def forward(self, X, mask=None):
        Q, K, V = (self.cut(part(X)) for part in (self.W_Q, self.W_K, self.W_V))
        weights = self.drop(self.shares(Q @ K.mT / Q.shape[-1] ** 0.5, mask))
        return self.W_O((weights @ V).transpose(1, 2).flatten(2)), weights


RIGHT["lesson09.MultiHeadAttention"] = {
    "small methods": Layer,
    "nn.Dropout, by name": WithDropoutLayer,
    "PyTorch's attention": WithPyTorchsAttention,
    "one wide product": OneWideProduct,
    "nn.Linear": WithLinearLayers,
    "the library": torch_attention.MultiHeadAttention,
    # masked_fill stops the gradient of such rows, so replacing NaN is harmless here
    "NaN replaced behind masked_fill": CleansUpTheGradient,
}

# ------------------------------------------------------------------ lesson 10

WRONG["lesson10.softmax_backward"] = {
    "sign turned": lambda w, d: -w * (d - (w * d).sum(-1, keepdims=True)),
    "the last but one axis": lambda w, d: w * (d - (w * d).sum(-min(w.ndim, 2), keepdims=True)),
    "weights squared": lambda w, d: w**2 * (d - (w * d).sum(-1, keepdims=True)),
    "the whole table's average": lambda w, d: w * (d - (w * d).sum()),
    "the largest taken away": lambda w, d: w * (d - d.max(-1, keepdims=True)),
    "divided by the width": lambda w, d: w * (d - (w * d).mean(-1, keepdims=True)),
    "as if 1 - w were the rest": lambda w, d: (1 - w) * (d - (w * d).sum(-1, keepdims=True)),
    "three axes at most": lambda w, d: w * (d - (w * d).sum(min(w.ndim - 1, 2), keepdims=True)),
    "the forward pass again": lambda w, d: w * d / (w * d).sum(-1, keepdims=True),
}
RIGHT["lesson10.softmax_backward"] = {
    "einsum": lambda w, d: w * d - np.einsum("...i,...j,...j->...i", w, w, d),
    "float32": lambda w, d: np.float32(w) * np.float32(d - (w * d).sum(-1, keepdims=True)),
    "PyTorch": lambda w, d: torch.tensor(w).mul(torch.tensor(d - (w * d).sum(-1, keepdims=True))),
    "row by row": lambda w, d: np.apply_along_axis(
        lambda row: (np.diag(row[: len(row) // 2]) - np.outer(*[row[: len(row) // 2]] * 2))
        @ row[len(row) // 2 :],
        -1, np.concatenate([w, d], axis=-1),
    ),
}  # fmt: skip


def gradients(dQ=None, dK=None, dV=None, scale=None):
    """The three gradients; each may be computed in another way from all the parts."""

    def answer(d_output, Q, K, V, mask=None):
        root = math.sqrt(Q.shape[-1]) if scale is None else scale(Q, V)
        scores = Q @ K.mT / root
        mask = np.ones(scores.shape[-2:], dtype=bool) if mask is None else mask
        exps = np.exp(scores - scores.max(axis=-1, keepdims=True)) * mask
        total = exps.sum(axis=-1, keepdims=True)
        P = exps / (total + (total == 0))
        dP = d_output @ V.mT
        dS = P * (dP - (P * dP).sum(axis=-1, keepdims=True)) / root
        right = (dS @ K, dS.mT @ Q, P.mT @ d_output)
        new = (f and f(P, dP, dS, d_output, Q, K, V) for f in (dQ, dK, dV))
        return tuple(r if x is None else x for r, x in zip(right, new, strict=True))

    return answer


def fills_the_empty_row(d_output, Q, K, V, mask=None):
    """A query that sees nobody looks at all alike."""
    scores = Q @ K.mT / math.sqrt(Q.shape[-1])
    scores = scores if mask is None else np.where(mask, scores, -1e9)
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    P = exps / exps.sum(axis=-1, keepdims=True)
    dP = d_output @ V.mT
    dS = P * (dP - (P * dP).sum(axis=-1, keepdims=True)) / math.sqrt(Q.shape[-1])
    return dS @ K, dS.mT @ Q, P.mT @ d_output


WRONG["lesson10.attention_gradients"] = {
    "scaled by d_v": gradients(scale=lambda Q, V: math.sqrt(V.shape[-1])),
    "never scaled": gradients(scale=lambda Q, V: 1.0),
    "divided by d_k": gradients(scale=lambda Q, V: Q.shape[-1]),
    "the weights in place of the slopes": gradients(dQ=lambda P, dP, dS, dO, Q, K, V: P @ K),
    "slopes of the weights": gradients(dK=lambda P, dP, dS, dO, Q, K, V: dP.mT @ Q),
    "slopes of the scores for V": gradients(dV=lambda P, dP, dS, dO, Q, K, V: dS.mT @ dO),
    "queries from queries": gradients(dQ=lambda P, dP, dS, dO, Q, K, V: dS @ dS.mT @ Q),
    "signs turned": gradients(dK=lambda P, dP, dS, dO, Q, K, V: -dS.mT @ Q),
    "the mean over the queries": gradients(
        dV=lambda P, dP, dS, dO, Q, K, V: P.mT @ dO / Q.shape[-2]
    ),
    "even weights": gradients(dV=lambda P, dP, dS, dO, Q, K, V: (0 * P + 1 / K.shape[-2]).mT @ dO),
    "added up over the batch": gradients(
        dK=lambda P, dP, dS, dO, Q, K, V: 0 * K + (dS.mT @ Q).sum(axis=tuple(range(K.ndim - 2)))
    ),
    "an even look where nobody may be seen": fills_the_empty_row,
}


def nudged(d_output, Q, K, V, mask=None):
    def total(q, k, v):
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        seen = np.ones(scores.shape, dtype=bool) if mask is None else mask & (scores == scores)
        exps = np.exp(scores - scores.max(axis=-1, keepdims=True)) * seen
        weights = exps / np.maximum(exps.sum(axis=-1, keepdims=True), 1e-300)
        return float((weights @ v * d_output).sum())

    found = []
    for part, A in enumerate((Q, K, V)):
        slopes = np.zeros_like(A)
        for place in np.ndindex(A.shape):
            ends = []
            for step in (1e-5, -1e-5):
                moved = [Q.copy(), K.copy(), V.copy()]
                moved[part][place] += step
                ends.append(total(*moved))
            slopes[place] = (ends[0] - ends[1]) / 2e-5
        found.append(slopes)
    return found


def backward_in_float32(d_output, Q, K, V, mask=None):
    return gradients()(*map(np.float32, (d_output, Q, K, V)), mask)


def recorded(d_output, Q, K, V, mask=None):
    tensors = [torch.tensor(A, requires_grad=True) for A in (Q, K, V)]
    scores = tensors[0] @ tensors[1].mT / math.sqrt(Q.shape[-1])
    hidden = torch.zeros(scores.shape, dtype=torch.bool)
    hidden = hidden if mask is None else hidden | ~torch.tensor(mask)
    nobody = hidden.all(dim=-1, keepdim=True)
    weights = scores.masked_fill(hidden & ~nobody, -math.inf).softmax(dim=-1)
    output = weights.masked_fill(nobody, 0.0) @ tensors[2]
    return torch.autograd.grad(output, tensors, torch.tensor(d_output))


RIGHT["lesson10.attention_gradients"] = {
    "nudging": nudged,
    "float32": backward_in_float32,
    "by hand": gradients(),
    "PyTorch": recorded,
}


def replaced(ids, first, second, unused):
    """Exchange by way of a number that stands for nothing."""
    ids = np.where(ids == first, unused, ids)
    return np.where(ids == unused, second, np.where(ids == second, first, ids))


WRONG["lesson10.exchange"] = {
    "0 stands for nothing": lambda ids, first, second: replaced(ids, first, second, 0),
    "the largest stands for nothing": lambda ids, first, second: replaced(
        ids, first, second, ids.max()
    ),
    "as texts": lambda ids, first, second: [
        int(str(i).replace(str(first), "x").replace("x", str(second)))
        for i in ids.tolist()
    ],
    "0 is no word": lambda ids, first, second: [
        i and {first: second, second: first}.get(i, i) for i in ids.tolist()
    ],
    "one digit": lambda ids, first, second: np.where(
        ids % 10 == first, second, np.where(ids % 10 == second, first, ids)
    ),
    "both the same": lambda ids, first, second: np.where(
        (ids == first) | (ids == second), first, ids
    ),
    "the sentence reversed": lambda ids, first, second: ids[::-1],
    "only if both are there": lambda ids, first, second: (
        replaced(ids, first, second, -1) if first in ids and second in ids else ids
    ),
    "mirrored": lambda ids, first, second: first + second - ids,
    "neighbours": lambda ids, first, second: np.where(abs(ids - first) < 1, second, np.where(
        abs(ids - second) < 2, first, ids)),
}  # fmt: skip


def by_a_table(ids, first, second):
    table = np.arange(max(ids.max(), first, second) + 1)
    table[[first, second]] = table[[second, first]]
    return table[ids]


RIGHT["lesson10.exchange"] = {
    "-1 stands for nothing": lambda ids, first, second: replaced(ids, first, second, -1),
    "a table": by_a_table,
    "PyTorch": lambda ids, first, second: torch.where(
        torch.tensor(ids) == first,
        second,
        torch.where(torch.tensor(ids) == second, first, torch.tensor(ids)),
    ),
    "select": lambda ids, first, second: np.select(
        [ids == first, ids == second], [second, first], ids
    ),
}


WRONG["lesson10.rms_backward"] = {
    "sign turned": lambda x, d: -(d - x * (x * d).mean(-1, keepdims=True)
                                  / (x**2).mean(-1, keepdims=True)) / rms(x),
    "divided twice": lambda x, d: (d - x * (x * d).mean(-1, keepdims=True)
                                   / (x**2).mean(-1, keepdims=True)) / rms(x) ** 2,
    "to length 1": lambda x, d: (d - x * (x * d).sum(-1, keepdims=True)
                                 / (x**2).sum(-1, keepdims=True))
                                / np.sqrt((x**2).sum(-1, keepdims=True)),
    "the first axis": lambda x, d: (d - x * (x * d).mean(0) / (x**2).mean(0))
                                   / np.sqrt((x**2).mean(0)),
    "the whole table": lambda x, d: (d - x * (x * d).mean() / (x**2).mean())
                                    / np.sqrt((x**2).mean()),
    "the forward pass": lambda x, d: x / rms(x) * d,
}  # fmt: skip


def rms(x):
    return np.sqrt((x**2).mean(axis=-1, keepdims=True))


def rms_recorded(x, d_y):
    x = torch.tensor(x, requires_grad=True)
    y = x / x.square().mean(dim=-1, keepdim=True).sqrt()
    return torch.autograd.grad(y, x, torch.tensor(d_y))[0]


RIGHT["lesson10.rms_backward"] = {
    "PyTorch": rms_recorded,
    "a part along x taken out": lambda x, d: (
        (d - x * (x * d).sum(-1, keepdims=True) / (x**2).sum(-1, keepdims=True)) / rms(x)
    ),
    "float32": lambda x, d: np.float32(
        (d - x * (x * d).mean(-1, keepdims=True) / (x**2).mean(-1, keepdims=True)) / rms(x)
    ),
}


def head_by_head(together):
    """Each head by itself; what comes back to keys and values is put together at the end."""

    def answer(d_output, Q, K, V):
        found = [gradients()(d, q, K, V) for d, q in zip(d_output, Q, strict=True)]
        dQ, dK, dV = map(np.stack, zip(*found, strict=True))
        return dQ, together(dK), together(dV)

    return answer


WRONG["lesson10.shared_backward"] = {
    "the last head": head_by_head(lambda d: d[-1]),
    "the largest": head_by_head(lambda d: d.max(axis=0)),
    "along the keys": head_by_head(lambda d: 0 * d[0] + d.sum(axis=0).sum(axis=0)),
    "the root of the number of heads": head_by_head(lambda d: d.sum(axis=0) / len(d) ** 0.5),
    "one array a head": head_by_head(np.asarray),
}


def one_long_sentence(d_output, Q, K, V):
    """All heads are queries of one array: each row has its own weights anyway."""
    dQ, dK, dV = gradients()(d_output.reshape(-1, V.shape[1]), Q.reshape(-1, K.shape[1]), K, V)
    return dQ.reshape(Q.shape), dK, dV


RIGHT["lesson10.shared_backward"] = {
    "head by head": head_by_head(lambda d: d.sum(axis=0)),
    "one long sentence": one_long_sentence,
    "PyTorch": lambda d_output, *parts: torch.func.vjp(
        lambda q, k, v: F.scaled_dot_product_attention(q, k.expand(len(q), -1, -1), v.expand(
            len(q), -1, -1)), *map(torch.tensor, parts)
    )[1](torch.tensor(d_output)),
}  # fmt: skip
