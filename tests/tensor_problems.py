"""Random tensors and problems on which PyTorch attention is tried, and how results are compared."""

import numpy as np
import torch

from helpers.torch_attention import causal_mask

SEEDS = range(36)
HALVES = [torch.float16, torch.bfloat16]
FLOATS = [*HALVES, torch.float32, torch.float64]


def random(seed, *shape, dtype=torch.float64):
    return torch.randn(*shape, dtype=torch.float64, generator=generator(seed)).to(dtype)


def generator(seed):
    return torch.Generator().manual_seed(seed)


def random_mask(seed, *shape):
    """A mask with about a third hidden, and the first query of each sentence sees nothing."""
    mask = torch.rand(*shape, generator=generator(seed)) > 0.35
    mask[..., 0, :] = False
    return mask


def random_problem(seed):
    """Q, K, V and a mask (or None) of random sizes, with any number of batch axes."""
    n_q, n_k, d_k, d_v = torch.randint(1, 8, (4,), generator=generator(seed)).tolist()
    batch = [(), (2,), (3, 2), (2, 1, 3)][seed % 4]
    Q, K = random(seed, *batch, n_q, d_k), random(seed + 100, *batch, n_k, d_k)
    V = random(seed + 200, *batch, n_k, d_v)
    masks = [
        None,
        random_mask(seed, *batch, n_q, n_k),
        random_mask(seed, n_q, n_k),
        causal_mask(n_q, n_k),
        torch.rand(n_k, generator=generator(seed)) > 0.4,
    ]
    return Q, K, V, masks[seed % len(masks)]


def as_numpy(*tensors):
    return [None if t is None else t.detach().numpy() for t in tensors]


def assert_same(got, wanted, rtol=1e-12, atol=1e-12):
    """Compare tensors or arrays, alone or in tuples."""
    pairs = zip(got, wanted, strict=True) if isinstance(got, tuple) else [(got, wanted)]
    for a, b in pairs:
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=rtol, atol=atol)
