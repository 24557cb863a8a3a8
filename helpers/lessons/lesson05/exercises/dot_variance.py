"""Exercise: the variance of dot products, measured and predicted."""

import math

import numpy as np

from helpers.course.exercise import Example, Exercise


def dot_variance(Q, K):
    """Measure the variance of q·k over pairs of rows, and predict it from the entries."""
    measured = (Q * K).sum(axis=1).var()
    predicted = Q.shape[1] * Q.var() * K.var()
    return measured, predicted


def _dot_variance_inputs(rng):
    def draw(pairs, d, q_size=1.0, k_size=1.0):
        """Every column of Q, and every one of K, holds the same numbers in another order."""
        q, k = rng.normal(size=(2, pairs // 4, 1))
        order = np.argsort(rng.random((2, pairs // 4, d)), axis=1)
        return every_sign((q_size * q[order[0], 0]).round(3), (k_size * k[order[1], 0]).round(3))

    def every_sign(q, k):
        """Each pair with all four signs: entries and dot products have a mean of exactly 0."""
        return {"Q": np.vstack([q, -q, q, -q]), "K": np.vstack([k, k, -k, -k])}

    return (
        every_sign(np.array([[1.0, 2.0], [2.0, 1.0]]), np.array([[1.0, 2.0], [2.0, 1.0]])),
        every_sign(np.array([[7.0, 7.0, -7.0]]), np.array([[-20.0, 20.0, 20.0]])),
        draw(8, 3),
        draw(4, 4, 2.0),
        draw(12, 8, 2.0, 0.5),
        draw(8000, 16, 0.1, 3.0),
    )


def _many_pairs():
    """Return pairs of 16 entries of ±2 and ±3 whose products do not vary together."""
    signs = np.ones((1, 1))
    for _ in range(5):
        signs = np.kron(signs, np.array([[1, 1], [1, -1]]))  # columns at right angles
    pattern = np.where(np.arange(16) % 2, 3.0, -3.0)
    return {"Q": 2 * signs[:, 1:17], "K": np.tile(pattern, (32, 1))}


def only_d(Q, K):
    """The prediction is d alone; that forgets how large the entries of Q and K are."""
    return (Q * K).sum(axis=-1).var(), float(Q.shape[-1])


def standard_deviations(Q, K):
    """It multiplies standard deviations where variances are wanted."""
    return (Q * K).sum(axis=-1).var(), Q.shape[-1] * Q.std() * K.std()


def square_root_of_d(Q, K):
    """It predicts the square root of d; that is the growth of the standard deviation."""
    return (Q * K).sum(axis=-1).var(), math.sqrt(Q.shape[-1]) * Q.var() * K.var()


def measures_the_deviation(Q, K):
    """It measures the standard deviation; its square, the variance, is wanted."""
    return (Q * K).sum(axis=-1).std(), Q.shape[-1] * Q.var() * K.var()


def all_pairs(Q, K):
    """Q times K transposed compares every q with every k; only row i with row i is wanted."""
    return (Q @ K.T).var(), Q.shape[-1] * Q.var() * K.var()


def variance_of_products(Q, K):
    """It measures the variance of the single products; they have to be added up first."""
    return (Q * K).var(), Q.shape[-1] * Q.var() * K.var()


def adds_the_pairs(Q, K):
    """It adds up along the pairs (axis 0); the products of one pair lie along the last axis."""
    return (Q * K).sum(axis=0).var(), Q.shape[-1] * Q.var() * K.var()


def number_of_pairs(Q, K):
    """It takes the number of pairs for d; d is the number of entries of one vector."""
    return (Q * K).sum(axis=-1).var(), Q.shape[0] * Q.var() * K.var()


def adds_the_variances(Q, K):
    """It adds the variances of q and k; for a product of two numbers they multiply."""
    return (Q * K).sum(axis=-1).var(), Q.shape[-1] * (Q.var() + K.var())


def divides_by_one_less(Q, K):
    """It divides by the number of pairs minus 1; np.var divides by the number itself."""
    return (Q * K).sum(axis=1).var(ddof=1), Q.shape[1] * Q.var() * K.var()


def measures_twice(Q, K):
    """The prediction is the measurement again; it may use the single entries only."""
    measured = (Q * K).sum(axis=1).var()
    return measured, measured


def from_the_products(Q, K):
    """It takes d times the variance of the products; predict it from Q and K apart."""
    return (Q * K).sum(axis=1).var(), Q.shape[1] * (Q * K).var()


dot_variance = Exercise(
    name="lesson05.dot_variance",
    reference=dot_variance,
    inputs=_dot_variance_inputs,
    returns=("measured", "predicted"),
    hints=(
        "Row i of Q meets row i of K: multiply entry by entry, then add up along one row.",
        "One product of independent entries with mean 0 has the variance var(q) · var(k). How "
        "many such products are added up?",
        "Variances of independent numbers add: the prediction is d · Q.var() · K.var(), with d = "
        "Q.shape[1].",
    ),
    examples=(Example(_many_pairs(), ("576", "576")),),
    wrong=(
        only_d,
        standard_deviations,
        square_root_of_d,
        measures_the_deviation,
        all_pairs,
        variance_of_products,
        adds_the_pairs,
        number_of_pairs,
        adds_the_variances,
        divides_by_one_less,
        measures_twice,
        from_the_products,
    ),
)
