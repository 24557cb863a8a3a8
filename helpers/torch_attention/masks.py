"""Masks: which query may attend to which key. True = may attend."""

from __future__ import annotations

import torch
from numpy.typing import ArrayLike

from helpers import shapes
from helpers.torch_attention.door import INTEGERS, as_tensor


def causal_mask(n_q: int, n_k: int | None = None) -> torch.Tensor:
    """Let every token attend to itself and to earlier tokens only.

    The last query lines up with the last key (bottom right), as when a few new tokens follow
    many cached ones (``is_causal=True`` in torch lines up the first ones). With more queries than
    keys, the first n_q - n_k queries see nothing.

    Args:
        n_q: number of queries.
        n_k: number of keys; as many as queries if left out.

    Returns:
        bool (n_q, n_k), True = may attend.

    Raises:
        TypeError: a number that is not whole.
        ValueError: a number below 0.
    """
    n_q = shapes.as_count("n_q", n_q, least=0)
    n_k = n_q if n_k is None else shapes.as_count("n_k", n_k, least=0)
    return torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q)


def padding_mask(ids: ArrayLike, pad_id: int) -> torch.Tensor:
    """Hide the padding that fills up short sentences of a batch.

    Args:
        ids: integer token ids (batch, n).
        pad_id: the id that stands for padding.

    Returns:
        bool (batch, 1, 1, n): True where a key is a real token. The two axes of length 1 are
        heads and queries. For attention without heads, use ``mask[:, 0]``.

    Raises:
        TypeError: ids or pad_id that are not integers.
        ValueError: ids that are not (batch, n).
    """
    ids = as_tensor("ids", ids)
    if ids.dtype not in INTEGERS:
        raise TypeError(f"ids must be integers, got dtype {ids.dtype}.")
    shapes.check_ids(ids)
    return (ids.long() != shapes.as_id(pad_id))[:, None, None, :]
