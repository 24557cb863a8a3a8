"""What only rare numbers need: infinities, overflow, NaN behind a mask.

Each function looks once whether all is finite, and if so returns the plain formula.
"""

import math

import numpy as np


def minus_largest(x, largest):
    """Return x - largest as a new array, with -inf - -inf = -inf and +inf - +inf = 0."""
    if np.isfinite(largest).all():
        return x - largest
    if np.isposinf(largest).any():
        only_infinite = np.where(np.isposinf(x), 0, np.full_like(x, -np.inf))
        x = np.where(np.isposinf(largest), only_infinite, x)
    return x - np.where(np.isinf(largest), 0, largest)


def refuse_overflow(product, X, W):
    """Return X @ W; refuse it if finite numbers became infinite."""
    if not np.isfinite(product.sum()) and np.isfinite(W).all():
        good_rows = np.isfinite(X).all(axis=-1)
        if not np.isfinite(product[good_rows]).all():
            raise ValueError(f"X @ W overflows {product.dtype}: its numbers are too large.")
    return product


def without_overflow(scores, Q, K, mask):
    """Return the scores as they are, or computed in float64 if float32 was too narrow for them."""
    if np.isfinite(scores.sum()):
        return scores
    if scores.dtype == np.float32:
        Q, K = Q.astype(np.float64), K.astype(np.float64)
        return (Q / math.sqrt(Q.shape[-1])) @ K.swapaxes(-1, -2)
    refuse_infinite_scores(scores, Q, K, mask)
    return scores


def refuse_infinite_scores(scores, Q, K, mask):
    """Refuse a visible score that is not finite although its query and key are."""
    finite_query = np.isfinite(Q).all(axis=-1)[..., :, None]
    finite_key = np.isfinite(K).all(axis=-1)[..., None, :]
    overflow = ~np.isfinite(scores) & finite_query & finite_key
    if (overflow if mask is None else overflow & mask).any():
        raise ValueError(
            f"Q and K hold numbers so large that their dot products overflow {scores.dtype}."
        )


def average(weights, V, mask):
    """Return weights @ V where each row of weights sums to 1, so that the result cannot overflow.

    Hidden rows are left out, also where they hold NaN.
    """
    output = weights @ V
    if np.isfinite(output.sum()):
        return output
    return scaled_back(visible_sum(weights, V / 4, mask), 4)


def scaled_back(average, scale):
    """Return scale · average; what rounding carried past the largest number becomes that number."""
    largest = np.finfo(average.dtype).max / scale
    return scale * np.where(np.isinf(average), average, np.clip(average, -largest, largest))


def small_enough_to_sum(V):
    """Return V and 1, or V divided by a power of 2, and that power, if its sum might overflow."""
    n_k = V.shape[-2]
    if largest_size(V) * n_k < float(np.finfo(V.dtype).max):
        return V, 1
    scale = 2.0 ** math.ceil(math.log2(4 * n_k))
    return V / scale, scale


def scores_may_overflow(Q, K):
    """Tell whether a dot product of these queries and keys could pass the largest number."""
    bound = largest_size(Q) * largest_size(K) * Q.shape[-1]
    return not bound < float(np.finfo(Q.dtype).max)


def largest_size(a):
    """Return the largest absolute value as a float, without an array of absolute values."""
    return max(float(a.max(initial=0)), -float(a.min(initial=0)))


def visible_sum(weights, rows, mask):
    """Return weights @ rows, leaving out the rows that are hidden, also where they hold NaN.

    A weight of zero is not enough to leave a row out: 0 × NaN = NaN.
    """
    total = weights @ rows
    if mask is None or np.isfinite(total.sum()):
        return total
    finite = np.isfinite(rows).all(axis=-1, keepdims=True)  # (..., n_k, 1)
    total = weights @ np.where(finite, rows, 0)
    mask = np.broadcast_to(mask, np.broadcast_shapes(mask.shape, weights.shape))
    for j in np.flatnonzero(~finite.all(axis=tuple(range(finite.ndim - 2))).ravel()):
        row = np.where(finite[..., j : j + 1, :], 0, rows[..., j : j + 1, :])
        total += np.where(mask[..., j : j + 1], weights[..., j : j + 1] * row, 0)
    return total


def refuse_infinite_gradients(gradients, arrays):
    """Return the gradients; refuse them if finite arrays gave one that is not finite."""
    for gradient in gradients:
        if np.isfinite(gradient.sum()) or np.isfinite(gradient).all():
            continue
        if all(np.isfinite(array).all() for array in arrays):
            raise ValueError(f"The gradients overflow {gradient.dtype}: the numbers are too large.")
    return gradients
