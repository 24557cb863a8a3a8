"""Exercises of lesson 05: why the scores are divided by √d_k."""

import math

import numpy as np

from helpers.course.draws import shares
from helpers.course.exercise import Exercise

# ------------------------------------------------------------------------------- dot_variance


def dot_variance(Q, K):
    """Measure the variance of q·k over pairs of rows, and predict it from the entries."""
    measured = (Q * K).sum(axis=-1).var()
    predicted = Q.shape[-1] * Q.var() * K.var()
    return measured, predicted


def _dot_variance_inputs(rng):
    def draw(pairs, d, q_size=1.0, k_size=1.0):
        q, k = rng.normal(size=(2, pairs // 4, d))
        return every_sign((q_size * q).round(3), (k_size * k).round(3))

    def every_sign(q, k):
        """Each pair with all four signs: entries and dot products have a mean of exactly 0."""
        return {"Q": np.vstack([q, -q, q, -q]), "K": np.vstack([k, k, -k, -k])}

    return (
        every_sign(np.array([[1.0, 2.0]]), np.array([[2.0, 1.0]])),
        draw(8, 3),
        draw(4, 4, 2.0),
        draw(12, 8, 2.0, 0.5),
        draw(8000, 16, 0.1, 3.0),
    )


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
        "Q.shape[-1].",
    ),
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
    ),
)

# ------------------------------------------------------------------------------ scaled_scores


def scaled_scores(X, W_Q, W_K):
    """Compare every token with every token, on a scale that does not depend on d_k."""
    Q, K = X @ W_Q, X @ W_K
    return Q @ np.swapaxes(K, -1, -2) / math.sqrt(W_K.shape[-1])


def _scaled_scores_inputs(rng):
    def draw(*batch_and_n, d_model, d_k):
        return {
            "X": rng.normal(size=(*batch_and_n, d_model)).round(2),
            "W_Q": rng.normal(size=(d_model, d_k)).round(2),
            "W_K": rng.normal(size=(d_model, d_k)).round(2),
        }

    return (
        {"X": np.array([[1.0, 0.0], [0.0, 2.0]]), "W_Q": np.eye(2), "W_K": np.eye(2)},
        draw(3, d_model=4, d_k=4),
        draw(4, d_model=8, d_k=2),
        draw(3, d_model=2, d_k=9),
        draw(2, 3, d_model=6, d_k=4),
        draw(4, 4, d_model=4, d_k=4),
    )


def _compare(X, W_Q, W_K, divisor):
    return (X @ W_Q) @ np.swapaxes(X @ W_K, -1, -2) / divisor


def not_divided(X, W_Q, W_K):
    """The division is missing: scores grow with the square root of d_k."""
    return _compare(X, W_Q, W_K, 1.0)


def divided_by_d_k(X, W_Q, W_K):
    """It divides by d_k, or twice by its root; the typical score grows with the root once."""
    return _compare(X, W_Q, W_K, W_Q.shape[-1])


def divided_by_root_d_model(X, W_Q, W_K):
    """It divides by the root of d_model, the width of X; the products that are added are d_k."""
    return _compare(X, W_Q, W_K, math.sqrt(X.shape[-1]))


def divided_by_root_n(X, W_Q, W_K):
    """It divides by the root of the number of tokens; a score does not depend on it."""
    return _compare(X, W_Q, W_K, math.sqrt(X.shape[-2]))


def divided_by_measured_spread(X, W_Q, W_K):
    """It divides by the spread these scores happen to have; the rule needs d_k only."""
    scores = _compare(X, W_Q, W_K, 1.0)
    return scores / scores.std()


def multiplied(X, W_Q, W_K):
    """It multiplies by the root of d_k where it should divide; the scores grow even faster."""
    return _compare(X, W_Q, W_K, 1 / math.sqrt(W_Q.shape[-1]))


def every_axis_turned(X, W_Q, W_K):
    """K.T reverses the batch axis as well; swap the last two axes only."""
    return (X @ W_Q) @ (X @ W_K).T / math.sqrt(W_Q.shape[-1])


def keys_ask(X, W_Q, W_K):
    """Queries and keys are exchanged: row i must belong to the query of token i."""
    return _compare(X, W_K, W_Q, math.sqrt(W_Q.shape[-1]))


scaled_scores = Exercise(
    name="lesson05.scaled_scores",
    reference=scaled_scores,
    inputs=_scaled_scores_inputs,
    hints=(
        "How many products are added up in one score: as many as X has columns, or as W_Q has?",
        "d_k is the length of one query, that is W_Q.shape[-1]. Divide once, by its square root.",
        "With a batch before the tokens, K.T would turn too much: np.swapaxes(K, -1, -2).",
    ),
    wrong=(
        not_divided,
        divided_by_d_k,
        divided_by_root_d_model,
        divided_by_root_n,
        divided_by_measured_spread,
        multiplied,
        every_axis_turned,
        keys_ask,
    ),
)

# --------------------------------------------------------------------------- softmax_jacobian


def softmax_jacobian(p):
    """Slope of each weight of one row by each of its scores."""
    return np.diag(p) - np.outer(p, p)


def _softmax_jacobian_inputs(rng):
    return (
        {"p": np.array([0.5, 0.5])},
        {"p": np.array([0.7, 0.2, 0.1])},
        {"p": shares(rng, 4)},
        {"p": np.array([1.0, 0.0, 0.0])},
        {"p": np.array([1.0])},
    )


def diagonal_only(p):
    """It keeps p (1 - p) on the diagonal; a score also lowers the weights of the others."""
    return np.diag(p * (1 - p))


def outer_product_missing(p):
    """It subtracts p_j squared in every row; entry (i, j) needs the product p_i p_j."""
    return np.diag(p) - p * p


def plus_for_minus(p):
    """It adds the outer product; the others lose what one gains, so it must be subtracted."""
    return np.diag(p) + np.outer(p, p)


def identity_for_diagonal(p):
    """The identity stands where diag(p) belongs: a token of weight 0 has no slope at all."""
    return np.eye(len(p)) - np.outer(p, p)


def sign_turned(p):
    """The sign is turned: raising a score raises its own weight."""
    return np.outer(p, p) - np.diag(p)


def takes_scores(p):
    """It takes p for scores and applies softmax; p already holds the weights."""
    exponentials = np.exp(p - np.max(p))
    weights = exponentials / exponentials.sum()
    return np.diag(weights) - np.outer(weights, weights)


def only_the_outer_product(p):
    """It returns the outer product alone, with a minus: the diagonal is missing its p."""
    return -np.outer(p, p)


softmax_jacobian = Exercise(
    name="lesson05.softmax_jacobian",
    reference=softmax_jacobian,
    inputs=_softmax_jacobian_inputs,
    hints=(
        "Entry (i, j): how much does weight i move when score j rises a little? On the diagonal "
        "p_i (1 - p_i), elsewhere -p_i p_j.",
        "np.outer(p, p) is the table of all products p_i p_j.",
        "p_i (1 - p_i) = p_i - p_i p_i. So the whole table is a diagonal minus the outer product.",
    ),
    wrong=(
        diagonal_only,
        outer_product_missing,
        plus_for_minus,
        identity_for_diagonal,
        sign_turned,
        takes_scores,
        only_the_outer_product,
    ),
)

# ---------------------------------------------------------------------------- undo_temperature


def undo_temperature(Q, K):
    """Find the divisor that gives the scores, within a row, a mean variance of 1."""
    dots = Q @ K.T
    return math.sqrt(dots.var(axis=-1).mean())


def _undo_temperature_inputs(rng):
    def draw(n_q, n_k, d):
        return rng.normal(size=(n_q, d)), rng.normal(size=(n_k, d))

    plain_q, plain_k = draw(40, 60, 64)
    wide_q, wide_k = draw(40, 60, 400)
    small_q, small_k = draw(30, 50, 16)
    moved_q, moved_k = draw(50, 40, 100)
    shared = rng.normal(size=(1, 32))
    alike_q, alike_k = draw(20, 30, 32)
    return (
        {"Q": np.array([[2.0, 0.0], [0.0, 4.0]]), "K": np.array([[1.0, 1.0], [-1.0, -1.0]])},
        {"Q": plain_q, "K": plain_k},
        {"Q": wide_q, "K": wide_k},
        {"Q": small_q * 0.02, "K": small_k * 0.02},
        {"Q": moved_q + 2.0, "K": moved_k + 2.0},
        {"Q": alike_q + 3 * shared, "K": alike_k},
    )


def _spread_is_one(got, arguments):
    if not isinstance(got, np.ndarray) or got.ndim or got.dtype == bool:
        return "One number is wanted: the temperature."
    if not 0 < got < np.inf:
        return f"A temperature must be a positive number, but {float(got):.4g} came back."
    rows = arguments["Q"] @ arguments["K"].T / got
    variance = ((rows - rows.mean(axis=-1, keepdims=True)) ** 2).mean()
    if abs(variance - 1) > 1e-3:
        return (
            f"After dividing by {float(got):.4g}, the variance within a row is {variance:.4g} on "
            "average; 1 is wanted, to within 0.001."
        )
    return None


def root_of_d(Q, K):
    """It returns the root of d; that is right for independent entries of variance 1 only."""
    return math.sqrt(Q.shape[-1])


def d_itself(Q, K):
    """It returns d; the typical score grows with the square root of d."""
    return float(Q.shape[-1])


def over_the_whole_table(Q, K):
    """It takes the spread of the whole table; softmax never sees the level of a row."""
    return float((Q @ K.T).std())


def the_variance(Q, K):
    """It returns the variance; dividing by T divides the variance by T squared."""
    return float((Q @ K.T).var(axis=-1).mean())


def mean_of_the_deviations(Q, K):
    """It averages the rows' standard deviations; the mean of the variances has to become 1."""
    return float((Q @ K.T).std(axis=-1).mean())


def within_a_column(Q, K):
    """It measures the spread within a column; softmax compares the keys of one row."""
    return math.sqrt((Q @ K.T).var(axis=0).mean())


def the_factor(Q, K):
    """It returns the factor to multiply by; the divisor, 1 over it, is wanted."""
    return 1 / math.sqrt((Q @ K.T).var(axis=-1).mean())


undo_temperature = Exercise(
    name="lesson05.undo_temperature",
    reference=undo_temperature,
    inputs=_undo_temperature_inputs,
    judge=_spread_is_one,
    hints=(
        "Some inputs are those of the lesson, and the answer comes out near the root of d. Others "
        "break its premises: there d alone cannot tell, but the scores can.",
        "Softmax ignores what all scores of a row have in common. Which axis of Q @ K.T holds the "
        "scores of one row?",
        "Take the variance along the last axis, average it over the rows, and remember that "
        "dividing by T divides a variance by T squared.",
    ),
    wrong=(
        root_of_d,
        d_itself,
        over_the_whole_table,
        the_variance,
        mean_of_the_deviations,
        within_a_column,
        the_factor,
    ),
    points=2,
)
