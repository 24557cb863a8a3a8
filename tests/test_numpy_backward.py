"""NumPy's backward pass against finite differences and against autograd."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from attention_oracles import SEEDS, random, random_mask, random_problem

from helpers.numpy_attention import (
    attention_backward,
    causal_mask,
    scaled_dot_product_attention_backward,
    self_attention,
    softmax,
    softmax_backward,
)

torch.set_num_threads(1)


# ---------------------------------------------------------------- backward


def central_differences(loss, array, step=1e-5):
    """Return the gradient of loss() by the entries of `array`, two evaluations an entry."""
    gradient = np.zeros_like(array)
    for index in np.ndindex(array.shape):
        kept = array[index]
        array[index] = kept + step
        above = loss()
        array[index] = kept - step
        below = loss()
        array[index] = kept
        gradient[index] = (above - below) / (2 * step)
    return gradient


def test_softmax_backward_equals_finite_differences():
    x, d_weights = random(0, 3, 4), random(1, 3, 4)
    got = softmax_backward(softmax(x), d_weights)
    wanted = central_differences(lambda: (softmax(x) * d_weights).sum(), x)
    np.testing.assert_allclose(got, wanted, atol=1e-8)
    np.testing.assert_allclose(got.sum(axis=-1), 0, atol=1e-14)


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("batch", [(), (2,)])
def test_attention_backward_equals_finite_differences(masked, batch):
    X = random(0, *batch, 4, 3)
    matrices = random(1, 3, 2), random(2, 3, 2), random(3, 3, 5)
    d_output = random(4, *batch, 4, 5)
    mask = random_mask(5, *batch, 4, 4) if masked else None
    gradients = attention_backward(d_output, X, *matrices, mask)
    assert gradients._fields == ("dX", "dW_Q", "dW_K", "dW_V")
    arrays = (X, *matrices)
    for array, gradient in zip(arrays, gradients, strict=True):
        wanted = central_differences(
            lambda: (self_attention(*arrays, mask)[0] * d_output).sum(), array
        )
        np.testing.assert_allclose(gradient, wanted, atol=1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_backward_equals_autograd(seed):
    Q, K, V, mask = random_problem(seed)
    d_output = random(seed, *Q.shape[:-1], V.shape[-1])
    q, k, v = (torch.tensor(a, requires_grad=True) for a in (Q, K, V))
    full = np.broadcast_to(True if mask is None else mask, (*Q.shape[:-1], K.shape[-2]))
    k_full = k.expand(*Q.shape[:-2], *K.shape[-2:])
    output = F.scaled_dot_product_attention(q, k_full, v, attn_mask=torch.tensor(full))
    output.backward(torch.tensor(d_output))
    gradients = scaled_dot_product_attention_backward(d_output, Q, K, V, mask)
    for array, gradient, wanted in zip((Q, K, V), gradients, (q, k, v), strict=True):
        assert gradient.shape == array.shape
        np.testing.assert_allclose(gradient, wanted.grad.numpy(), rtol=1e-8, atol=1e-11)


@pytest.mark.parametrize("masked", [False, True])
def test_attention_backward_equals_autograd(masked):
    arrays = [
        random(seed, *shape) for seed, shape in enumerate([(3, 6, 5), (5, 4), (5, 4), (5, 2)])
    ]
    d_output = random(9, 3, 6, 2)
    mask = causal_mask(6) if masked else np.ones((6, 6), bool)
    x, w_q, w_k, w_v = tensors = [torch.tensor(a, requires_grad=True) for a in arrays]
    F.scaled_dot_product_attention(
        x @ w_q, x @ w_k, x @ w_v, attn_mask=torch.tensor(mask)
    ).backward(torch.tensor(d_output))
    gradients = attention_backward(d_output, *arrays, mask if masked else None)
    for gradient, tensor in zip(gradients, tensors, strict=True):
        np.testing.assert_allclose(gradient, tensor.grad.numpy(), rtol=1e-8, atol=1e-11)


def test_backward_through_blind_queries_and_hidden_nan_is_finite():
    Q, K, V, d_output = (random(seed, 3, 3) for seed in range(4))
    mask = np.array([[True, True, False], [False] * 3, [True, True, False]])
    clean = scaled_dot_product_attention_backward(d_output, Q, K, V, mask)
    Q[1], K[2], V[2] = np.nan, np.nan, np.inf
    gradients = scaled_dot_product_attention_backward(d_output, Q, K, V, mask)
    for a, b in zip(gradients, clean, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-15)
    assert not gradients[0][1].any()
    assert not gradients[2][2].any()


def test_backward_refuses_gradients_of_another_shape():
    X, W = np.ones((3, 4)), np.ones((4, 2))
    with pytest.raises(ValueError, match=r"d_output must have the output's shape \(3, 2\), got"):
        attention_backward(np.ones((3, 3)), X, W, W, W)
    with pytest.raises(ValueError, match=r"weights \(3,\) and d_weights \(4,\) must have the same"):
        softmax_backward(np.ones(3), np.ones(4))
    with pytest.raises(TypeError, match="d_output has dtype"):
        attention_backward(np.ones((3, 2), complex), X, W, W, W)
