"""Lesson 03: its pictures, its claims on other seeds, and what its text says."""

import math
import warnings

import numpy as np
import pytest

from helpers.lessons import lesson03
from helpers.lessons.lesson03 import figures as projections
from helpers.numpy_attention import softmax
from helpers.sentences import (
    CHANNELS,
    CHARACTERS,
    CONTENTS,
    FEATURES,
    GLOSSES,
    NAMES,
    PRONOUNS,
    RUNNING_SENTENCE,
    TOKENS,
    toy_embeddings,
    toy_matrices,
)
from helpers.training.coreference import train_coreference, untrained

OTHER_SEEDS = range(11, 16)


def toy_scores(W_Q=None, W_K=None):
    X = toy_embeddings()
    W_Q = toy_matrices()[0] if W_Q is None else W_Q
    W_K = toy_matrices()[1] if W_K is None else W_K
    return (X @ W_Q) @ (X @ W_K).T / math.sqrt(W_Q.shape[1])


@pytest.fixture(scope="module")
def trained():
    return {seed: train_coreference(seed) for seed in OTHER_SEEDS}


# --------------------------------------------------------------------------------- the pictures


def test_every_picture_draws_its_chinese_and_says_what_to_see(trained):
    X = toy_embeddings()
    W_Q, W_K, W_V = toy_matrices()
    weights = softmax(toy_scores())[9]
    scores = trained[11].score_matrix([*PRONOUNS.values(), *NAMES])[:3, 3:]
    groups = {name: len(members) for name, members in CHARACTERS.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figures = (
            projections.token_features(X, TOKENS, GLOSSES, FEATURES),
            projections.feature_matrix(W_Q, FEATURES, CHANNELS, "asks for", mark_row=5),
            projections.sentence_times_matrix(X, W_Q, TOKENS, FEATURES, CHANNELS),
            projections.handed_over(weights, X @ W_V, "走了", TOKENS, CONTENTS),
            projections.channel_scores(
                (X[8] @ W_Q) * (X @ W_K), TOKENS, CHANNELS, glosses=GLOSSES, asking="他"
            ),
            projections.row_by_model({"a": weights, "b": weights}, TOKENS, GLOSSES, "走了"),
            projections.pronouns_and_names({"after": scores}, PRONOUNS.values(), NAMES, groups),
        )
        for figure in figures:
            assert figure.png_bytes().startswith(b"\x89PNG")
            assert len(figure.caption) > 30


def test_channel_scores_puts_the_dot_at_the_sum_of_the_parts():
    parts = np.array([[3.0, -1.0], [-2.0, -0.5], [0.0, 0.0]])
    figure = projections.channel_scores(parts, "abc", ["one", "two"])
    dots = figure.axes[0].collections[0].get_offsets()
    np.testing.assert_allclose(dots, [[2.0, 0], [-2.5, 1], [0.0, 2]])


@pytest.mark.parametrize(
    "draw",
    [
        lambda: projections.channel_scores(np.ones((3, 2)), "ab", ["one", "two"]),
        lambda: projections.channel_scores(np.ones((3, 2)), "abc", ["one"]),
        lambda: projections.sentence_times_matrix(
            np.ones((2, 3)), np.ones((2, 3)), "ab", "xyz", "xyz"
        ),
        lambda: projections.handed_over(np.ones(2), np.ones((3, 1)), "a", "abc", "x"),
        lambda: projections.pronouns_and_names({"t": np.ones((2, 2))}, "ab", "cde", {"g": 3}),
        lambda: projections.pronouns_and_names({"t": np.ones((1, 2))}, "a", "cd", {"g": 3}),
    ],
)
def test_pictures_refuse_arrays_that_do_not_fit_their_labels(draw):
    with pytest.raises(ValueError, match=r"\d"):
        draw()


# --------------------------------------------------------------- what the text says is so


def test_raw_vectors_find_themselves_first_and_both_ways():
    likeness = toy_embeddings() @ toy_embeddings().T
    assert (likeness.max(axis=1) == np.diag(likeness)).all()
    assert (likeness == likeness.T).all()
    assert likeness[9, 8] == 0


def test_hand_made_scores_are_those_the_text_names():
    scores = toy_scores()
    assert (scores[9, 8], scores[8, 9]) == (6, 0)
    assert scores[3].argmax() == 8
    assert softmax(scores)[9, 8] > 0.9
    assert np.linalg.matrix_rank(toy_matrices()[0] @ toy_matrices()[1].T) == 4


def test_one_matrix_for_both_is_symmetric_in_scores_and_not_in_weights():
    for W in toy_matrices()[:2]:
        scores = toy_scores(W, W)
        np.testing.assert_allclose(scores, scores.T, atol=1e-12)
        assert np.abs(softmax(scores) - softmax(scores).T).max() > 0.1
        selves = np.diag(scores)
        assert (2 * scores - selves[:, None] - selves).max() <= 1e-12


def test_what_to_try_in_the_demonstration_works():
    W_Q, W_K, _ = toy_matrices()
    W_Q[5, 0] = 0
    assert set(np.flatnonzero(toy_scores(W_Q)[8] == toy_scores(W_Q)[8].max())) == {2, 4}
    W_Q, W_K, _ = toy_matrices()
    W_K[5, 0] = 0
    assert toy_scores(None, W_K)[8, 8] == toy_scores(None, W_K)[8, 0]
    W_Q[2, 0] = 6  # a place asks who: 放在了 has that feature, 走了 has not
    scores = toy_scores(W_Q)
    assert (scores[3].argmax(), scores[9].argmax()) == (0, 8)


def test_one_channel_is_enough_for_the_two_rules():
    W_Q, W_K = np.zeros((6, 1)), np.zeros((6, 1))
    W_Q[5], W_Q[3] = 4, -4
    W_K[0], W_K[5] = 1, -2
    assert lesson03.two_rules.check(lambda: (W_Q, W_K)).correct


def test_example_of_exercise_3_is_right():
    one, two, pair = np.array([[1.0], [2.0]]), np.array([[3.0], [4.0]]), [[2], [4]]
    answer = np.array(pair, dtype=float), np.array([[1.5], [2.0]])
    assert lesson03.same_scores.judge(answer, {"W_Q": one, "W_K": two}) is None


@pytest.mark.parametrize("sign", [-1.0, 2.0])
def test_exercise_3_accepts_every_pair_with_the_same_scores(sign):
    assert lesson03.same_scores.check(lambda W_Q, W_K: (W_Q * sign, W_K / sign)).correct


def test_exercise_4_accepts_a_pair_found_by_another_factorisation():
    def by_qr(W_Q, W_K):
        M = W_Q @ W_K.T
        basis, _, _ = np.linalg.svd(M)
        basis = basis[:, : np.linalg.matrix_rank(M)] @ np.diag([2.0] * np.linalg.matrix_rank(M))
        return basis, (M.T @ basis) / 4

    assert lesson03.fewest_channels.check(by_qr).correct


@pytest.mark.parametrize("seed", OTHER_SEEDS)
def test_both_bugs_of_the_lesson_show_in_the_row_of_the_pronoun(trained, seed):
    model = trained[seed]
    X = model.vectors(TOKENS)
    assert (X @ model.W_Q @ (X @ model.W_K).T)[8].argmax() == 0
    transposed = X @ model.W_Q.T @ (X @ model.W_K.T).T
    assert np.abs(transposed[8]).max() < 0.5 * np.abs(X[8] @ model.W_Q @ (X @ model.W_K).T).max()
    twice = X @ model.W_Q @ (X @ model.W_Q).T
    assert twice[8].argmax() == 8


# ------------------------------------------------------------------- claims, on other seeds


@pytest.mark.parametrize("seed", OTHER_SEEDS)
def test_claim_about_training_holds_on_other_seeds(trained, seed):
    scores = trained[seed].score_matrix(["他", *NAMES])[0, 1:]
    lesson03.claim(
        "3.4",
        score_before=untrained(seed).scores(RUNNING_SENTENCE)[0],
        after=trained[seed].scores(RUNNING_SENTENCE)[0],
        lead_of_the_male_names=scores[:8].min() - scores[8:].max(),
    )


@pytest.mark.parametrize("seed", range(50))
def test_claim_about_another_basis_holds_on_other_seeds(seed):
    W_Q, W_K, _ = toy_matrices()
    A = np.random.default_rng(seed).normal(size=(4, 4))
    other = W_Q @ A, W_K @ np.linalg.inv(A).T
    lesson03.claim(
        "3.2",
        queries_moved_by=np.abs(toy_embeddings() @ (other[0] - W_Q)).max(),
        scores_moved_by=np.abs(toy_scores(*other) - toy_scores()).max(),
    )
