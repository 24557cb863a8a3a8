"""Lesson 08: its pictures, its claims on other seeds, and what its text says."""

import warnings

import numpy as np
import pytest

from helpers.lessons import lesson08
from helpers.lessons.lesson08 import figures
from helpers.lessons.lesson08.experiment import sentences, train_who_hits
from helpers.numpy_attention import causal_mask, self_attention, sinusoidal_positions
from helpers.sentences import TOKENS, toy_embeddings, toy_matrices

OTHER_SEEDS = range(11, 16)
SETTINGS = {
    "blind": {},
    "pooled": {"read": "mean"},
    "placed": {"strength": 1.0},
    "masked": {"causal": True},
    "last of two": {"causal": True, "read": "last", "num_layers": 2},
}
X = toy_embeddings()
MATRICES = toy_matrices()


@pytest.fixture(scope="module")
def trained():
    return {name: train_who_hits(OTHER_SEEDS, **given) for name, given in SETTINGS.items()}


# --------------------------------------------------------------------------------- the pictures


def drawings(model):
    order = np.random.default_rng(1).permutation(10)
    weights, shuffled = (self_attention(rows, *MATRICES)[1] for rows in (X, X[order]))
    gaps = {"no mask": np.zeros(4), "two causal layers": np.ones(4)}
    return (
        figures.two_orders(weights, shuffled, TOKENS, order, follow=8),
        figures.row_gaps(gaps, "我打你了"),
        figures.solved({"blind": model.accuracy(), "other": [1.0, 1.0]}),
        figures.solved({"one seed": [0.4]}),
        figures.learning({1: model.losses, 0.01: model.losses}),
        figures.waves(sinusoidal_positions(32, 16)),
    )


def test_every_picture_draws_its_chinese_and_says_what_to_see(trained):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for figure in drawings(trained["blind"]):
            assert figure.png_bytes().startswith(b"\x89PNG")
            assert len(figure.caption) > 30


def test_both_maps_frame_the_row_of_the_same_word():
    order = [2, 0, 1]
    figure = figures.two_orders(np.eye(3), np.eye(3), "abc", order, follow=0)
    rows = [axes.patches[0].get_y() + 0.5 for axes in figure.axes[:2]]
    assert rows == [0, 1]
    assert "row is that of a. It looks most at a on the left, at a on the right" in figure.caption


def test_dots_stand_at_the_shares_and_the_caption_counts_the_solved(trained):
    figure = figures.solved({"blind": [0.4, 0.5], "seeing": [1.0, 0.9]})
    dots = [points.get_offsets()[:, 0].tolist() for points in figure.axes[0].collections]
    assert dots == [[0.4, 0.5], [1.0, 0.9]]
    assert "1 of 2 kinds" in figure.caption


@pytest.mark.parametrize(
    "draw",
    [
        lambda: figures.two_orders(np.eye(3), np.eye(3), "abc", [0, 0, 1]),
        lambda: figures.two_orders(np.eye(3), np.eye(2), "abc", [0, 1, 2]),
        lambda: figures.solved({"a": [0.5, 1.5]}),
        lambda: figures.waves(np.zeros((4, 4))),
        lambda: figures.row_gaps({"a": np.zeros(3)}, "ab"),
    ],
)
def test_pictures_refuse_numbers_that_do_not_fit(draw):
    with pytest.raises(ValueError, match=r"\d"):
        draw()


def test_a_picture_of_no_results_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        figures.solved({})


# --------------------------------------------------------------- what the text says is so


def attend(rows, mask=None):
    return self_attention(rows, *MATRICES, mask)


@pytest.mark.parametrize("seed", range(20))
def test_put_finds_him_in_any_order_and_all_vectors_stay(seed):
    order = np.random.default_rng(seed).permutation(10)
    output, weights = attend(X[order])
    assert order[weights[list(order).index(3)].argmax()] == 8
    np.testing.assert_allclose(output, attend(X)[0][order], atol=1e-12)


def test_under_a_causal_mask_put_finds_xiaoming_and_both_others_still_match():
    weights = attend(X, causal_mask(10))[1]
    assert [weights[row].argmax() for row in (3, 8, 9)] == [0, 0, 8]
    assert weights[3, 0] > 0.5


def test_what_to_try_in_the_demonstration_works():
    him_first = [8, 0, 1, 2, 3, 4, 5, 6, 7, 9]
    weights = attend(X[him_first], causal_mask(10))[1]
    assert him_first[weights[4].argmax()] == 8
    backwards = np.arange(10)[::-1]
    loud = attend(X[backwards] + sinusoidal_positions(10, 6))[1]
    assert np.bincount(loud.argmax(axis=1)).max() >= 8


def test_attention_is_equivariant_a_mean_invariant_and_a_running_sum_neither():
    order = np.random.default_rng(1).permutation(10)
    output, shuffled = attend(X)[0], attend(X[order])[0]
    np.testing.assert_allclose(shuffled, output[order], atol=1e-12)
    assert np.abs(shuffled - output).max() > 0.1
    np.testing.assert_allclose(shuffled.mean(axis=0), output.mean(axis=0), atol=1e-12)
    sums, shuffled_sums = X.cumsum(axis=0), X[order].cumsum(axis=0)
    assert np.abs(shuffled_sums - sums[order]).max() > 0.1
    assert np.abs(shuffled_sums - sums).max() > 0.1


def test_the_blind_models_know_who_takes_part_and_not_who_hits(trained):
    pairs = sentences(held_out=True)
    takes_part = [[one in words for one in trained["blind"].answers(words)] for words in pairs]
    assert np.mean(takes_part) > 0.7  # two of twelve people: one guess in six
    assert trained["blind"].accuracy().max() <= 0.5


@pytest.mark.parametrize("seed", range(10))
def test_one_causal_layer_leaves_the_last_word_blind_and_two_do_not(seed):
    rng = np.random.default_rng(seed)
    rows, swap, mask = rng.normal(size=(4, 16)), [2, 1, 0, 3], causal_mask(4)
    first, second = rng.normal(size=(2, 3, 16, 16)) / 4

    def two_layers(rows):
        return self_attention(self_attention(rows, *first, mask)[0], *second, mask)[0]

    one = np.abs(
        self_attention(rows, *first, mask)[0] - self_attention(rows[swap], *first, mask)[0][swap]
    ).max(axis=1)
    two = np.abs(two_layers(rows) - two_layers(rows[swap])[swap]).max(axis=1)
    assert (one[:3] > 0.01).all()
    assert one[3] < 1e-12
    assert (two > 0.01).all()


@pytest.mark.parametrize("seed", range(10))
def test_a_mask_that_moves_along_keeps_attention_equivariant_and_rows_alone_do_not(seed):
    rng = np.random.default_rng(seed)
    order, mask = rng.permutation(10), causal_mask(10)
    P = np.eye(10)[order]
    wanted = attend(X, mask)[0][order]
    moved = attend(X[order], P @ mask @ P.T > 0)[0]
    np.testing.assert_allclose(moved, wanted, atol=1e-12)
    for wrong in (mask, mask[order], mask[:, order]):
        assert np.abs(attend(X[order], wrong)[0] - wanted).max() > 0.01


def test_positions_by_sentence_pass_a_shape_test_and_leave_words_exchangeable():
    rng = np.random.default_rng(0)
    W = rng.normal(size=(3, 16, 16)) / 4
    batch = rng.normal(size=(3, 4, 16))
    batch[1] = batch[0]
    marks = sinusoidal_positions(len(batch), 16)[:, None]

    def layer(rows):
        return self_attention(rows + marks, *W)[0]

    assert layer(batch).shape == batch.shape
    assert np.abs(layer(batch)[0] - layer(batch)[1]).max() > 0.01
    swap = [2, 1, 0, 3]
    np.testing.assert_allclose(layer(batch[:, swap]), layer(batch)[:, swap], atol=1e-12)
    right = self_attention(batch + sinusoidal_positions(4, 16), *W)[0]
    np.testing.assert_array_equal(right[0], right[1])


def test_the_right_answers_of_the_exercises_can_be_written_in_other_ways():
    def by_matrix(f, X, order):
        P = np.eye(len(X))[order]
        return max(abs(f(P @ X) - P @ f(X)).ravel())

    def by_product(mask, order):
        P = np.eye(len(order), dtype=bool)[order]
        return P @ mask @ P.T

    def by_complex_numbers(d_model, steps):
        M = np.zeros((d_model, d_model))
        turns = np.exp(1j * steps / 10000 ** (np.arange(0, d_model, 2) / d_model))
        for pair, z in enumerate(turns):
            M[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = [
                [z.real, -z.imag],
                [z.imag, z.real],
            ]
        return M.astype(np.float32)

    assert lesson08.permutation_gap.check(by_matrix).correct
    assert lesson08.permute_mask.check(by_product).correct
    assert lesson08.step_matrix.check(by_complex_numbers).correct


# ------------------------------------------------------------------- claims, on other seeds
