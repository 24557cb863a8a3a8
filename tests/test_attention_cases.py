"""Mistakes that real learners made: neither implementation may repeat one of them."""

import numpy as np
import pytest
import torch
from cases.attention_cases import CASES

import helpers.numpy_attention as numpy_attention
import helpers.torch_attention as torch_attention


def visible(module, q, k, keep, causal):
    """Return the mask of a case; "top_left" is not what causal_mask makes, so it is made here."""
    n_q, n_k = q.shape[-2], k.shape[-2]
    mask = np.ones((n_q, n_k), bool)
    if causal == "bottom_right":
        mask = np.asarray(module.causal_mask(n_q, n_k))
    elif causal == "top_left":
        mask = np.tri(n_q, n_k, dtype=bool)
    return mask if keep is None else mask & keep


class NumpyAdapter:
    """The ops of the cases in terms of helpers.numpy_attention."""

    module = numpy_attention

    def wrap(self, a):
        return a

    def unwrap(self, a):
        return a

    def gradient(self, q, k, v, g, keep=None):
        gradients = self.module.scaled_dot_product_attention_backward(g, q, k, v, keep)
        return np.concatenate([d.ravel() for d in gradients])


class TorchAdapter:
    """The ops of the cases in terms of helpers.torch_attention."""

    module = torch_attention

    def wrap(self, a):
        return torch.tensor(a) if isinstance(a, np.ndarray) else a

    def unwrap(self, a):
        return a.numpy()

    def gradient(self, q, k, v, g, keep=None):
        q, k, v = (t.requires_grad_() for t in (q, k, v))
        output, _ = self.module.scaled_dot_product_attention(q, k, v, keep)
        (output * g).sum().backward()
        return torch.cat([t.grad.ravel() for t in (q, k, v)])


def run(adapter, op, inputs):
    """Compute one op of the cases; return an array."""
    m = adapter.module
    if op.startswith("attention") and op != "attention_grad":
        causal = inputs.pop("causal", None)
        inputs["mask"] = visible(m, inputs["q"], inputs["k"], inputs.pop("keep", None), causal)
    inputs = {name: adapter.wrap(value) for name, value in inputs.items()}

    def heads(x, w_q, w_k, w_v, w_o, n_heads, keep=None):
        return m.multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, keep)

    def log_weights(q, k):
        _, weights = m.scaled_dot_product_attention(q, k, k)
        return adapter.wrap(np.log(adapter.unwrap(weights)))

    def cached(x, pe, w_q, w_k, w_v):
        cache = m.KVCache(w_q, w_k, w_v)
        return adapter.wrap(np.stack([adapter.unwrap(cache.step(row)) for row in x + pe]))

    def attention(q, k, v, mask):
        return m.scaled_dot_product_attention(q, k, v, mask)

    ops = {
        "softmax": m.softmax,
        "scores": log_weights,
        "kv_cache": cached,
        "attention": lambda **kw: attention(**kw)[0],
        "attention_weights": lambda **kw: attention(**kw)[1],
        "attention_grad": adapter.gradient,
        "self_attention": lambda x, w_q, w_k, w_v: m.self_attention(x, w_q, w_k, w_v)[0],
        "mha": lambda **kw: heads(**kw)[0],
        "mha_weights": lambda **kw: heads(**kw)[1],
        "causal_mask": m.causal_mask,
        "padding_mask": m.padding_mask,
        "merge_heads": lambda x: m.merge_heads(x),
        "sinusoid": lambda n, d: m.sinusoidal_positions(n, d),
        "online": lambda q, k, v, block, keep=None: m.blocked_attention(
            q, k, v, keep, block_size=block
        ),
    }
    return adapter.unwrap(ops[op](**inputs))


@pytest.mark.parametrize("adapter", [NumpyAdapter(), TorchAdapter()], ids=["numpy", "torch"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_reported_mistake_is_not_repeated(case, adapter):
    inputs = case["build"]()
    got = np.asarray(run(adapter, case["op"], inputs))
    wanted = case["expected"]
    rtol, atol = case["tol"]
    assert got.shape == wanted.shape, case["note"]
    if wanted.dtype == bool:
        assert got.dtype == bool
        assert (got == wanted).all(), case["note"]
        return
    if case["op"] == "scores":  # the weights give the scores up to one constant a row
        got = got - got.mean(axis=-1, keepdims=True)
        wanted = wanted - wanted.mean(axis=-1, keepdims=True)
    assert np.isfinite(got).all(), case["note"]
    np.testing.assert_allclose(got, wanted, rtol=rtol, atol=atol, err_msg=case["note"])


def test_every_case_has_its_own_name():
    assert len({case["id"] for case in CASES}) == len(CASES) > 30
