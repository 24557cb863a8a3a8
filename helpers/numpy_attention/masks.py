"""Masks: which query may attend to which key. True = may attend."""

import numpy as np

from helpers.numpy_attention._checks import as_count, as_regular


def causal_mask(n_q, n_k=None):
    """Let every token attend to itself and to earlier tokens only.

    The last query lines up with the last key (bottom right), as when a few new tokens follow
    many cached ones. With more queries than keys, the first n_q - n_k queries see nothing.

    Args:
        n_q: number of queries.
        n_k: number of keys; as many as queries if left out.

    Returns:
        bool (n_q, n_k), True = may attend.

    Raises:
        TypeError: a number that is not whole.
        ValueError: a number below 0.
    """
    n_q = as_count("n_q", n_q, least=0)
    n_k = n_q if n_k is None else as_count("n_k", n_k, least=0)
    return np.tri(n_q, n_k, k=n_k - n_q, dtype=bool)


def padding_mask(ids, pad_id):
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
    ids = as_regular("ids", ids)
    if ids.dtype.kind not in "iu":
        raise TypeError(f"ids must be integers, got dtype {ids.dtype}.")
    if ids.ndim != 2:
        raise ValueError(
            f"ids must have shape (batch, n), got {ids.shape}; one sentence is ids[None, :]."
        )
    if isinstance(pad_id, bool | np.bool_) or not isinstance(pad_id, int | np.integer):
        raise TypeError(f"pad_id must be an integer, got {pad_id!r}.")
    return (ids != int(pad_id))[:, None, None, :]
