"""Several heads: the columns shared out among them, and put together again."""

from helpers.torch_attention._checks import (
    as_count,
    as_floats,
    as_tensor,
    check_divides,
    check_input,
    check_matrix,
    check_projections,
)
from helpers.torch_attention.core import project, scaled_dot_product_attention


def split_heads(X, num_heads):
    """Give each head its own columns: head h gets columns h·d_head … (h+1)·d_head - 1.

    Args:
        X: (..., n, d_model).
        num_heads: how many heads; must divide d_model.

    Returns:
        A copy (..., num_heads, n, d_head) of the same dtype, d_head = d_model / num_heads.

    Raises:
        TypeError: X without real numbers, or num_heads not a whole number.
        ValueError: X with fewer than two axes, or num_heads that does not divide d_model.
    """
    X = as_tensor("X", X)
    check_matrix("X", X, "n, d_model")
    num_heads = as_count("num_heads", num_heads, least=1)
    *batch, n, d_model = X.shape
    check_divides(num_heads, "d_model", d_model)
    heads = X.reshape(*batch, n, num_heads, d_model // num_heads)  # (..., n, num_heads, d_head)
    return heads.transpose(-2, -3).clone()  # (..., num_heads, n, d_head)


def merge_heads(X):
    """Put the heads' columns side by side again: the inverse of `split_heads`.

    Args:
        X: (..., num_heads, n, d_head).

    Returns:
        A copy (..., n, num_heads · d_head) of the same dtype.

    Raises:
        TypeError: X without real numbers.
        ValueError: X with fewer than three axes.
    """
    X = as_tensor("X", X)
    if X.ndim < 3:
        raise ValueError(f"X must have shape (..., num_heads, n, d_head), got {tuple(X.shape)}.")
    *batch, num_heads, n, d_head = X.shape
    tokens = X.transpose(-2, -3).clone()  # (..., n, num_heads, d_head)
    return tokens.reshape(*batch, n, num_heads * d_head)  # (..., n, d_model)


def multi_head_attention(X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """Let several heads attend side by side, and mix what they found with W_O.

    "Attention Is All You Need", section 3.2.2. Each head scales by the root of its own width.

    Args:
        X: one row a token (..., n, d_model).
        W_Q: (d_model, d_model); the columns of head h are h·d_head … (h+1)·d_head - 1.
        W_K: (d_model, d_model).
        W_V: (d_model, d_model).
        W_O: (d_model, d_model).
        num_heads: how many heads; must divide d_model.
        mask: boolean, broadcast to (..., num_heads, n, n). True = may attend. A mask for each
            sentence (batch, n, n) needs an axis for the heads: ``mask[:, None]``.

    Returns:
        output (..., n, d_model) and weights (..., num_heads, n, n), one map a head.

    Raises:
        TypeError: a tensor without real numbers, a mask that is not boolean, num_heads not whole.
        ValueError: shapes that do not fit, or numbers so large that they overflow.
    """
    num_heads = as_count("num_heads", num_heads, least=1)
    dtype, X, W_Q, W_K, W_V, W_O = as_floats(X=X, W_Q=W_Q, W_K=W_K, W_V=W_V, W_O=W_O)
    check_projections(W_Q, W_K, W_V)
    check_input(X, W_Q)
    check_output_matrix(W_V, W_O, num_heads)
    Q = split_heads(project(X, W_Q), num_heads)  # (..., num_heads, n, d_head)
    K = split_heads(project(X, W_K), num_heads)  # (..., num_heads, n, d_head)
    V = split_heads(project(X, W_V), num_heads)  # (..., num_heads, n, d_head)
    heads, weights = scaled_dot_product_attention(Q, K, V, mask)
    output = project(merge_heads(heads), W_O)  # (..., n, d_model)
    return output.to(dtype), weights.to(dtype)


def check_output_matrix(W_V, W_O, num_heads):
    """Refuse a W_O that cannot take what the heads give, or values the heads cannot share."""
    check_divides(num_heads, "the number of columns of W_V", W_V.shape[1])
    if W_O.ndim != 2:
        shape = tuple(W_O.shape)
        raise ValueError(f"W_O must have the two axes (d_model, d_out), got shape {shape}.")
    if W_O.shape[0] != W_V.shape[1]:
        raise ValueError(
            f"W_O has {W_O.shape[0]} rows but W_V has {W_V.shape[1]} columns: "
            "W_O mixes the heads' columns, as many as W_V makes."
        )
