"""Right answers that are written in another way than the reference are accepted."""

import importlib
import math
import statistics

import numpy as np
import pytest
import torch

ANSWERS = []


def answers(place):
    """Register the function that follows as a right answer to an exercise, "lesson.name"."""

    def register(function):
        ANSWERS.append(pytest.param(place, function, id=f"{place}-{function.__name__}"))
        return function

    return register


@pytest.mark.parametrize(("place", "answer"), ANSWERS)
def test_a_right_answer_written_in_another_way_is_accepted(place, answer):
    lesson, name = place.split(".")
    exercise = getattr(importlib.import_module(f"helpers.lessons.{lesson}"), name)
    verdict = exercise.check(answer)
    assert verdict.correct, str(verdict)
    assert all(exercise.accepts(answer, seed) for seed in range(10))


def table(rows):
    return [list(row) for row in rows]


def softmax_of(row):
    largest = max(row)
    shares = [math.exp(score - largest) for score in row]
    return [share / sum(shares) for share in shares]


@answers("lesson01.last_states")
def all_states_and_then_a_choice(batch, lengths, W_h, W_x):
    batch, W_h, W_x = (torch.tensor(np.array(a)) for a in (batch, W_h, W_x))
    states = [torch.zeros(len(batch), len(W_h), dtype=batch.dtype)]
    for t in range(batch.shape[1]):
        states.append(torch.tanh(states[-1] @ W_h + batch[:, t] @ W_x))
    return torch.stack(states)[torch.tensor(np.array(lengths)), torch.arange(len(batch))]


@answers("lesson01.state_shares")
def read_with_unit_vectors(keep):
    h = [0.0] * len(keep)
    for j, k in enumerate(keep):
        h = [k * float(old) + (1 - k) * (i == j) for i, old in enumerate(h)]
    return h


@answers("lesson01.state_shares")
def backwards_in_one_go(keep):
    left = np.cumprod(np.append(1.0, np.asarray(keep)[::-1]))
    return -np.diff(left)[::-1]


@answers("lesson01.look_back")
def averages(relevance, X):
    return [np.average(X, axis=0, weights=row) for row in relevance]


@answers("lesson01.look_back")
def divides_at_the_end(relevance, X):
    relevance, X = torch.tensor(relevance), torch.tensor(X)
    return (relevance @ X) / relevance.sum(1)[:, None]


@answers("lesson01.signal_left")
def singular_values(W_h, steps):
    powers = [np.linalg.matrix_power(W_h, d) for d in range(steps + 1)]
    return [np.linalg.svd(power, compute_uv=False)[0] for power in powers]


@answers("lesson02.hard_lookup")
def best_so_far(query, keys, values):
    best, found = -math.inf, None
    for key, value in zip(keys, values, strict=True):
        if (score := sum(key * query)) > best:
            best, found = score, value
    return list(found)


@answers("lesson02.soft_lookup")
def weighted_average(query, keys, values, sharpness):
    shares = softmax_of([sharpness * sum(key * query) for key in keys])
    return np.average(values, axis=0, weights=shares)


@answers("lesson02.lookup_all")
def one_query_after_the_other(Q, K, V):
    weights = [softmax_of([sum(q * k) for k in K]) for q in Q]
    return [sum(w * v for w, v in zip(row, V, strict=True)) for row in weights], weights


@answers("lesson02.lookup_all")
def the_librarys_attention_with_scale_one(Q, K, V):
    Q, K, V = map(torch.tensor, (Q, K, V))
    attend = torch.nn.functional.scaled_dot_product_attention
    return attend(Q, K, V, scale=1.0), (Q @ K.T).softmax(-1)


@answers("lesson02.distance_scores")
def all_differences(Q, K):
    return -((Q[:, None] - K[None]) ** 2).sum(-1) / 2


@answers("lesson02.distance_scores")
def distances_squared(Q, K):
    return -0.5 * torch.cdist(torch.tensor(Q), torch.tensor(K)) ** 2


@answers("lesson03.project")
def one_wide_product(X, W_Q, W_K, W_V):
    widths = np.cumsum([W_Q.shape[1], W_K.shape[1]])
    return np.split(X @ np.hstack([W_Q, W_K, W_V]), widths, axis=1)


@answers("lesson03.two_rules")
def one_channel_used():
    W_Q, W_K = np.zeros((6, 2)), np.zeros((6, 2))
    W_Q[5, 0], W_Q[3, 0] = 30, -30
    W_K[0, 0], W_K[5, 0] = 1, -2
    return W_Q, W_K


@answers("lesson03.same_scores")
def both_turned_round(W_Q, W_K):
    return -W_Q, -W_K


@answers("lesson03.same_scores")
def louder_and_softer(W_Q, W_K):
    return table(W_Q * 4), table(W_K / 4)


@answers("lesson03.same_scores")
def mixed_in_float32(W_Q, W_K):
    W_Q, W_K = np.float32(W_Q), np.float32(W_K)
    A = np.random.default_rng(0).normal(size=(W_Q.shape[1],) * 2).astype(np.float32)
    return W_Q @ A, W_K @ np.linalg.inv(A).T


@answers("lesson03.fewest_channels")
def columns_of_the_table(W_Q, W_K):
    M, chosen = W_Q @ W_K.T, []
    rank = np.linalg.matrix_rank(M)
    for column in range(M.shape[1]):
        if np.linalg.matrix_rank(M[:, [*chosen, column]]) > len(chosen):
            chosen.append(column)
    assert len(chosen) == rank
    return M[:, chosen], np.linalg.lstsq(M[:, chosen], M, rcond=None)[0].T


@answers("lesson03.ask_another")
def the_query_made_smaller(X, Y, W_Q, W_K, W_V):
    Q = np.float32(X @ W_Q) / math.sqrt(W_K.shape[1])
    shares = np.exp(Q @ (Y @ W_K).T)
    shares = shares / shares.sum(axis=1, keepdims=True)
    return table(shares @ (Y @ W_V)), torch.tensor(shares)


@answers("lesson03.both_ways")
def the_whole_table_and_the_identity(W_Q, W_K):
    return W_Q @ W_K.T + W_K @ W_Q.T, np.eye(len(W_Q))


@answers("lesson04.scores")
def keys_made_smaller(Q, K):
    return np.einsum("...id,...jd->...ij", Q, K / math.sqrt(K.shape[-1]))


@answers("lesson04.temperature_for")
def bisection_of_the_logarithm(scores, share):
    low, high = -20.0, 20.0
    for _ in range(100):
        middle = (low + high) / 2
        if max(softmax_of([s / math.exp(middle) for s in scores])) > share:
            low = middle
        else:
            high = middle
    return math.exp(low)


@answers("lesson05.dot_variance")
def mean_squares(Q, K):
    dots = [sum(pair) for pair in Q * K]
    return statistics.pvariance(dots), Q.shape[1] * (Q**2).mean() * (K**2).mean()


@answers("lesson05.dot_variance")
def standard_deviations(Q, K):
    return np.einsum("pd,pd->p", Q, K).std() ** 2, Q.shape[1] * (Q.std() * K.std()) ** 2


@answers("lesson05.dot_variance")
def predicted_column_by_column(Q, K):
    dots = [float(np.dot(q, k)) for q, k in zip(Q, K, strict=True)]
    return np.var(dots), (Q.var(axis=0) * K.var(axis=0)).sum()


@answers("lesson05.frozen_on_wrong")
def row_after_row(weights, right):
    rows, rights = weights.reshape(-1, weights.shape[-1]), np.ravel(right)
    pairs = zip(rows, rights, strict=True)
    counted = [row[np.arange(len(row)) != r].max() > 0.99 for row, r in pairs]
    return sum(counted) / len(counted)


@answers("lesson05.frozen_on_wrong")
def largest_of_the_others(weights, right):
    others = torch.tensor(weights).scatter(-1, torch.tensor(right)[..., None], 0.0)
    return (others.amax(-1) > 0.99).double().mean()


@answers("lesson05.start_std")
def one_root_after_the_other(d_model, d_k, divisor):
    return np.float32(divisor**0.5 * d_k**-0.25 / np.sqrt(d_model))


@answers("lesson05.undo_temperature")
def squares_minus_squared_means(Q, K):
    dots = torch.tensor(Q) @ torch.tensor(K).T
    return (dots**2).mean(1).sub(dots.mean(1) ** 2).mean().sqrt()


@answers("lesson06.multi_head_cost")
def counted_head_by_head(n, d_model, num_heads):
    d_head, operations = d_model // num_heads, 0
    for _ in range(num_heads):
        operations += 3 * 2 * n * d_model * d_head + 2 * 2 * n * n * d_head
    return 3 * d_model**2 + d_model**2, operations + 2 * n * d_model**2, n**2 * num_heads


@answers("lesson07.cost_model")
def shortened_fraction(n, d_model, num_heads, layers, bytes_a_number):
    cache = layers * 2 * bytes_a_number * n * d_model
    return n / (n + 2 * d_model), float(num_heads * bytes_a_number * n * n), float(cache)


@answers("lesson07.merge_blocks")
def query_by_query(first, second):
    largest, totals, mixtures = [], [], []
    for a, total_a, mixed_a, b, total_b, mixed_b in zip(*first, *second, strict=True):
        top = max(a, b)
        left, right = (0.0 if x == -math.inf else math.exp(x - top) for x in (a, b))
        largest.append(top)
        totals.append(left * total_a + right * total_b)
        mixtures.append(left * mixed_a + right * mixed_b)
    return largest, totals, mixtures


@answers("lesson08.permutation_gap")
def shuffled_back(f, X, order):
    back = np.argsort(order)
    return np.abs(f(X[order])[back] - f(X)).max()


@answers("lesson08.permutation_gap")
def with_a_matrix(f, X, order):
    P = np.eye(len(X))[order]
    return float(np.linalg.norm((f(P @ X) - P @ f(X)).ravel(), np.inf))


@answers("lesson08.permute_mask")
def with_matrices(mask, order):
    P = np.eye(len(order), dtype=int)[order]
    return P @ mask @ P.T == 1


@answers("lesson08.permute_mask")
def an_open_mesh(mask, order):
    return mask[(..., *np.ix_(order, order))]


@answers("lesson08.step_matrix")
def sines_and_cosines_in_pairs(d_model, steps):
    turns = steps * 10000.0 ** (-np.arange(0, d_model, 2) / d_model)
    blocks = [np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]) for t in turns]
    return torch.block_diag(*map(torch.tensor, blocks))


@answers("lesson08.step_matrix")
def one_step_again_and_again(d_model, steps):
    one = sines_and_cosines_in_pairs(d_model, math.copysign(1, steps)).numpy()
    return np.linalg.matrix_power(one, abs(steps))


@answers("lesson10.softmax_backward")
def jacobian_of_every_row(weights, d_weights):
    diagonals = weights[..., None] * np.eye(weights.shape[-1])
    jacobians = diagonals - weights[..., None] * weights[..., None, :]
    return np.einsum("...ij,...j->...i", jacobians, d_weights)


@answers("lesson10.softmax_backward")
def autograd_from_the_logarithm(weights, d_weights):
    scores = torch.log(torch.tensor(weights)).requires_grad_()
    scores.softmax(-1).backward(torch.tensor(d_weights))
    return scores.grad


@answers("lesson10.softmax_backward")
def differences_in_pairs(weights, d_weights):
    gaps = d_weights[..., :, None] - d_weights[..., None, :]
    return weights * (gaps * weights[..., None, :]).sum(-1)


@answers("lesson10.attention_gradients")
def autograd(d_output, Q, K, V, mask=None):
    tensors = [torch.tensor(A, requires_grad=True) for A in (Q, K, V)]
    seen = torch.tensor(True if mask is None else mask)
    scores = tensors[0] @ tensors[1].mT / math.sqrt(Q.shape[-1])
    weights = scores.masked_fill(~seen, -1e30).softmax(-1) * seen
    return torch.autograd.grad(weights @ tensors[2], tensors, torch.tensor(d_output))


@answers("lesson10.exchange")
def masks_found_before(ids, first, second):
    result, ones, others = ids.copy(), ids == first, ids == second
    result[ones], result[others] = second, first
    return result


@answers("lesson10.rms_backward")
def jacobian_of_the_length(x, d_y):
    size = np.sqrt((x**2).mean(axis=-1))[..., None, None]
    y = x / size[..., 0]
    jacobian = (np.eye(x.shape[-1]) - y[..., None] * y[..., None, :] / x.shape[-1]) / size
    return (jacobian @ d_y[..., None])[..., 0]


@answers("lesson10.shared_backward")
def heads_below_each_other(d_output, Q, K, V):
    tensors = [torch.tensor(A, requires_grad=True) for A in (Q, K, V)]
    scores = torch.einsum("hid,jd->hij", *tensors[:2]) / math.sqrt(K.shape[1])
    output = scores.softmax(-1) @ tensors[2]
    return torch.autograd.grad(output, tensors, torch.tensor(d_output))
