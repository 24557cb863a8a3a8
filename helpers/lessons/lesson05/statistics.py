"""How large scores are, what softmax makes of them, and which gradient comes back (NumPy only).

``divisor`` is always the number by which q·k is divided before softmax: 1, √d_k or d_k. Where
several are compared, ``divisors`` is a dictionary from a name to a function of d_k, and all of them
see the same random numbers.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from helpers.numpy_attention import softmax, softmax_backward

# ------------------------------------------------------------------ entries that depend


def neighbours_alike(
    rng: np.random.Generator, shape: tuple[int, int], correlation: float
) -> np.ndarray:
    """Entries of mean 0 and variance 1 in which each resembles the one before it.

    Args:
        rng: numpy Generator.
        shape: (pairs, d); the entries of a row are related, the rows are independent.
        correlation: float from 0 to 1 (exclusive), between neighbours; entries i and j of a row
            have the correlation ``correlation ** |i - j|``.

    Returns:
        float64 array of that shape.
    """
    fresh = rng.normal(size=shape) * math.sqrt(1 - correlation**2)
    entries = np.empty(shape)
    entries[:, 0] = fresh[:, 0] / math.sqrt(1 - correlation**2)
    for i in range(1, shape[1]):
        entries[:, i] = correlation * entries[:, i - 1] + fresh[:, i]
    return entries


# ------------------------------------------------------------------------- what softmax makes of it


def entropy_share(weights: np.ndarray | Sequence) -> np.ndarray:
    """How evenly rows of weights are spread: 1 for equal weights, 0 for one that has everything.

    Args:
        weights: (..., n), each row adding up to 1; n at least 2.

    Returns:
        (...) float64: the entropy of each row, divided by the largest possible one, ln n.
    """
    weights = np.asarray(weights, dtype=float)
    logs = np.log(weights, out=np.zeros_like(weights), where=weights > 0)
    return -(weights * logs).sum(axis=-1) / math.log(weights.shape[-1])


def jacobian_norm(weights: np.ndarray | Sequence) -> np.ndarray:
    """Size of the softmax Jacobian diag(p) - p pᵀ, without building it.

    Args:
        weights: (..., n), each row p adding up to 1.

    Returns:
        (...) float64: the Frobenius norm for each row. Accurate also where one weight is nearly 1.
    """
    weights = np.sort(np.asarray(weights, dtype=float), axis=-1)
    largest, others = weights[..., -1:], weights[..., :-1]
    # 1 - p_i of the largest weight, and sums without it, are added up from the small numbers:
    # a difference of numbers close to 1 would leave nothing but rounding.
    rest = np.concatenate([1 - others, others.sum(axis=-1, keepdims=True)], axis=-1)
    diagonal = ((weights * rest) ** 2).sum(axis=-1)
    squares = others**2
    total = squares.sum(axis=-1)
    among_others = np.maximum(total**2 - (squares**2).sum(axis=-1), 0)
    return np.sqrt(diagonal + 2 * largest[..., 0] ** 2 * total + among_others)


@dataclass(frozen=True)
class WeightStatistics:
    """What softmax makes of random scores, one number for each dimension.

    Attributes:
        largest: (m,) mean of the largest weight of a row.
        entropy: (m,) mean of `entropy_share`.
        jacobian: (m,) median of `jacobian_norm`.
    """

    largest: np.ndarray
    entropy: np.ndarray
    jacobian: np.ndarray


def weights_by_dimension(
    n: int,
    dimensions: Sequence[int],
    divisors: Mapping[str, Callable],
    rng: np.random.Generator,
) -> dict[str, WeightStatistics]:
    """Compare divisors on rows of n scores between random queries and keys.

    Args:
        n: int, number of keys.
        dimensions: (m,) ints, values of d_k.
        divisors: dict name -> function of d_k.
        rng: numpy Generator.

    Returns:
        dict name -> WeightStatistics.
    """
    groups, rows = 4, 128  # queries share keys in groups
    columns = {name: [] for name in divisors}
    for d in dimensions:
        queries, keys = (groups, rows // groups, d), (groups, n, d)
        dots = (rng.normal(size=queries) @ rng.normal(size=keys).mT).reshape(-1, n)  # (rows, n)
        for name, divisor in divisors.items():
            weights = softmax(dots / divisor(d))
            row = (
                weights.max(axis=-1).mean(),
                entropy_share(weights).mean(),
                np.median(jacobian_norm(weights)),
            )
            columns[name].append(row)
    return {name: WeightStatistics(*np.array(rows).T) for name, rows in columns.items()}


# ------------------------------------------------------------------------ which gradient comes back


@dataclass(frozen=True)
class StartGradients:
    """Gradients of a random loss at the start of training.

    Attributes:
        rows: (sentences * n,) norm of the gradient at softmax's input, for each query.
        W_Q: norm of the gradient of the same loss by W_Q.
        W_V: norm of the gradient of the same loss by W_V.
    """

    rows: np.ndarray
    W_Q: float
    W_V: float


def gradients_at_start(
    n: int,
    d: int,
    divisors: Mapping[str, Callable],
    rng: np.random.Generator,
    sentences: int = 1,
) -> dict[str, StartGradients]:
    """Send a random gradient back through untrained self-attention.

    X has entries of variance 1, W_Q, W_K and W_V have entries of variance 1/d, so that the entries
    of queries and keys have variance 1. The loss is the sum of output * G for a random G.

    Args:
        n: int, tokens a sentence.
        d: int, d_model = d_k = d_v.
        divisors: dict name -> function of d_k.
        rng: numpy Generator.
        sentences: int, how many sentences share the loss.

    Returns:
        dict name -> StartGradients.
    """
    X = rng.normal(size=(sentences, n, d))
    W_Q, W_K, W_V = rng.normal(size=(3, d, d)) / math.sqrt(d)
    G = rng.normal(size=(sentences, n, d))
    K = X @ W_K  # (sentences, n, d)
    dots = (X @ W_Q) @ K.mT  # (sentences, n, n)
    d_weights = G @ (X @ W_V).mT  # (sentences, n, n)
    result = {}
    for name, divisor in divisors.items():
        weights = softmax(dots / divisor(d))
        d_scores = softmax_backward(weights, d_weights)  # (sentences, n, n)
        d_W_Q = (X.mT @ (d_scores @ K / divisor(d))).sum(axis=0)
        d_W_V = (X.mT @ (weights.mT @ G)).sum(axis=0)
        rows = np.linalg.norm(d_scores, axis=-1).ravel()
        result[name] = StartGradients(rows, np.linalg.norm(d_W_Q), np.linalg.norm(d_W_V))
    return result


# ------------------------------------------------------------------------------------- other starts


STARTS = {
    # name: (d_model, d_k, standard deviation of the entries of W, root mean square of x)
    "W variance 1/d": (512, 512, 512**-0.5, 1.0),
    "PyTorch Linear": (512, 512, (3 * 512) ** -0.5, 1.0),
    "PyTorch MHA": (512, 64, (2 * 512) ** -0.5, 1.0),
    "W std 0.02": (768, 64, 0.02, 1.0),
    "W and X std 0.02": (512, 512, 0.02, 0.02),
}


def predicted_spread(d_model: int, d_k: int, w_std: float, x_rms: float) -> float:
    """Standard deviation of q·k at the start of training, from the sizes alone.

    Args:
        d_model: int, length of a row of X.
        d_k: int, length of a query.
        w_std: float, standard deviation of the entries of W_Q and W_K.
        x_rms: float, root mean square of the entries of X.

    Returns:
        float: √d_k · rms(q) · rms(k), where rms(q) = rms(k) = w_std · √d_model · x_rms.
    """
    rms = w_std * math.sqrt(d_model) * x_rms
    return math.sqrt(d_k) * rms**2


def measured_spread(
    d_model: int, d_k: int, w_std: float, x_rms: float, rng: np.random.Generator
) -> float:
    """Standard deviation of q·k for random X, W_Q and W_K; arguments as in `predicted_spread`.

    Args:
        d_model: int.
        d_k: int.
        w_std: float.
        x_rms: float.
        rng: numpy Generator.

    Returns:
        float, over all scores of 256 queries and 256 keys.
    """
    W_Q, W_K = rng.normal(size=(2, d_model, d_k)) * w_std
    queries, keys = rng.normal(size=(2, 256, d_model)) * x_rms
    return float(((queries @ W_Q) @ (keys @ W_K).T).std())
