"""What only rare numbers need: infinities, overflow, NaN behind a mask.

Each function looks once whether all is finite, and if so returns the plain formula. While tracing
or compiling, under vmap and on the meta device no number can be looked at: there nothing is
refused or recomputed in float64, and only NaN that no query at all may see is kept away.
"""

import math

import torch


def number_in(tensor):
    """Return the one number in a tensor, or None where no number can be looked at."""
    if torch.compiler.is_compiling() or torch.jit.is_tracing():
        return None
    try:
        return tensor.item()
    except RuntimeError:  # vmap, the meta device and fake tensors refuse
        return None


def is_finite(tensor):
    """Tell whether the numbers and their sum are finite; None where they cannot be looked at."""
    total = number_in(tensor.detach().sum())
    return None if total is None else math.isfinite(total)


def softmax(x, axis):
    """Softmax that gives +inf entries equal shares, and zeros (also as gradients) to empty rows."""
    shared = (x == math.inf).any(dim=axis, keepdim=True) & ~x.isnan().any(dim=axis, keepdim=True)
    x = torch.where(shared, only_plus_infinity(x), x)
    empty = (x == -math.inf).all(dim=axis, keepdim=True)  # rows with nothing to attend to
    weights = torch.softmax(x.masked_fill(empty, 0.0), dim=axis)
    return weights.masked_fill(empty, 0.0)


def only_plus_infinity(x):
    """Return 0 where x is +inf, and -inf elsewhere."""
    return torch.full_like(x, -math.inf).masked_fill(x == math.inf, 0.0)


def minus_largest(x, largest):
    """Return x - largest, with -inf - -inf = -inf and +inf - +inf = 0."""
    x = torch.where(largest == math.inf, only_plus_infinity(x), x)
    return x - largest.masked_fill(largest.isinf(), 0.0)


def refuse_overflow(product, X, W):
    """Return X @ W; refuse it if finite numbers became infinite."""
    if is_finite(product) is False and W.isfinite().all():
        good_rows = X.isfinite().all(dim=-1)
        if not product[good_rows].isfinite().all():
            raise ValueError(f"X @ W overflows {product.dtype}: its numbers are too large.")
    return product


def without_overflow(scores, Q, K, mask):
    """Return the scores as they are, or computed in float64 if their dtype was too narrow."""
    if is_finite(scores) is not False:
        return scores
    if scores.dtype != torch.float64:
        return (Q.double() / math.sqrt(Q.shape[-1])) @ K.double().transpose(-1, -2)
    finite_query = Q.isfinite().all(dim=-1).unsqueeze(-1)
    finite_key = K.isfinite().all(dim=-1).unsqueeze(-2)
    overflow = ~scores.isfinite() & finite_query & finite_key
    if (overflow if mask is None else overflow & mask).any():
        raise ValueError(
            f"Q and K hold numbers so large that their dot products overflow {scores.dtype}."
        )
    return scores


def scores_may_overflow(Q, K):
    """Tell whether a dot product of these queries and keys could pass the largest number."""
    bound = largest_size(Q) * largest_size(K) * Q.shape[-1]
    return not bound < torch.finfo(Q.dtype).max


def largest_size(a):
    """Return the largest absolute value as a float; 0 where none can be looked at."""
    return number_in(a.detach().abs().max()) or 0.0 if a.numel() else 0.0


def clear_hidden(rows, mask):
    """Put zeros into rows that no query sees, unless all rows are finite.

    Otherwise they would reach the gradients: 0 × NaN = NaN.
    """
    if mask is None or is_finite(rows):
        return rows
    unseen = ~mask.any(dim=-2) if mask.ndim > 1 else ~mask
    return torch.where(unseen.unsqueeze(-1), 0.0, rows)


def average(weights, V, mask):
    """Return weights @ V; where each row of weights sums to 1, the result cannot overflow.

    Hidden rows are left out, also where they hold NaN.
    """
    output = weights @ V
    if is_finite(output) is not False:
        return output
    quarter = visible_sum(weights, V / 4, mask)
    beyond = quarter.abs() > 1.001 * (torch.finfo(quarter.dtype).max / 4)
    if beyond.any() and V.isfinite().all():  # dropout makes the weights that stay larger
        raise ValueError(f"The weighted values overflow {output.dtype}: V is too large.")
    return scaled_back(quarter, 4)


def scaled_back(average, scale):
    """Return scale · average; what rounding carried past the largest number becomes that number."""
    largest = torch.finfo(average.dtype).max / scale
    return scale * torch.where(average.isinf(), average, average.clamp(-largest, largest))


def small_enough_to_sum(V):
    """Return V and 1, or V divided by a power of 2, and that power, if its sum might overflow."""
    n_k = V.shape[-2]
    if largest_size(V) * n_k < torch.finfo(V.dtype).max:
        return V, 1
    scale = 2.0 ** math.ceil(math.log2(4 * n_k))
    return V / scale, scale


def visible_sum(weights, rows, mask):
    """Return weights @ rows, leaving out the rows that are hidden, also where they hold NaN.

    A weight of zero is not enough to leave a row out: 0 × NaN = NaN.
    """
    total = weights @ rows
    if mask is None or is_finite(total) is not False:
        return total
    finite = rows.isfinite().all(dim=-1, keepdim=True)  # (..., n_k, 1)
    total = weights @ torch.where(finite, rows, 0.0)
    mask = mask.expand(torch.broadcast_shapes(mask.shape, weights.shape))
    for j in (~finite).reshape(-1, rows.shape[-2]).any(dim=0).nonzero().flatten().tolist():
        row = torch.where(finite[..., j : j + 1, :], 0.0, rows[..., j : j + 1, :])
        total = total + weights[..., j : j + 1] * torch.where(mask[..., j : j + 1], row, 0.0)
    return total
