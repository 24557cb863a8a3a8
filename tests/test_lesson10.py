"""The claims of lesson 10 hold with other random numbers than the notebook's."""

import math
from functools import cache

import numpy as np
import pytest
import torch

from helpers import numpy_attention as attention
from helpers.course.claims import measure
from helpers.ledger import all_claims
from helpers.lessons import lesson10
from helpers.lessons.lesson10 import figures as pictures
from helpers.measure import steps_in_a_row
from helpers.training import next_word as lm
from helpers.training.recall import signal_by_distance

CLAIMS = {claim.id: claim for claim in all_claims()}
OTHER_SEEDS = range(5, 10)


@cache
def trained(seed, uniform=False, names="given"):
    return lm.train_next_word(seed, uniform=uniform, names=names, progress=False)


def newcomers(seed, names):
    model = trained(seed, names=names)
    return lm.evaluate(model, lm.unseen_sentences(seed, "names", 500, model.corpus))


def draw(seed):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape) for shape in ((4, 3), (4, 8), (6, 8), (6, 3))]


@pytest.mark.parametrize("seed", OTHER_SEEDS)
def test_backward_by_hand_agrees_with_autograd_and_nudging(seed):
    d_output, Q, K, V = draw(seed)
    by_hand = lesson10.attention_gradients.reference(d_output, Q, K, V)
    tensors = [torch.tensor(A, requires_grad=True) for A in (Q, K, V)]
    output = torch.softmax(tensors[0] @ tensors[1].T / math.sqrt(8), dim=-1) @ tensors[2]
    (output * torch.tensor(d_output)).sum().backward()
    off_torch = max(np.abs(a - t.grad.numpy()).max() for a, t in zip(by_hand, tensors, strict=True))
    step, off_nudging = 1e-5, 0.0
    for place in np.ndindex(*K.shape):
        ends = []
        for sign in (1, -1):
            moved = K.copy()
            moved[place] += sign * step
            ends.append((attention.scaled_dot_product_attention(Q, moved, V)[0] * d_output).sum())
        slope = (ends[0] - ends[1]) / (2 * step)
        off_nudging = max(off_nudging, abs(slope - by_hand[1][place]))

    def hard(change):
        return (V[np.argmax((Q + change) @ K.T, axis=-1)] * d_output).sum()

    measure(
        CLAIMS["10.1"],
        off_nudging_by=off_nudging,
        off_PyTorch_by=off_torch,
        largest_slope_of_a_hard_lookup=abs(hard(1e-5) - hard(-1e-5)) / 2e-5,
    )


def test_plain_solutions_equal_the_library():
    d_output, Q, K, V = draw(0)
    weights = attention.softmax(Q @ K.T)
    d_weights = d_output @ V.T
    np.testing.assert_allclose(
        lesson10.softmax_backward.reference(weights, d_weights),
        attention.softmax_backward(weights, d_weights),
        atol=1e-12,
    )
    for got, wanted in zip(
        lesson10.attention_gradients.reference(d_output, Q, K, V),
        attention.scaled_dot_product_attention_backward(d_output, Q, K, V),
        strict=True,
    ):
        np.testing.assert_allclose(got, wanted, atol=1e-12)


def test_finale_holds_on_five_other_seeds():
    found, blind = [], []
    for seed in OTHER_SEEDS:
        for uniform, results in ((False, found), (True, blind)):
            model = trained(seed, uniform)
            asked = lm.unseen_sentences(seed, "combinations", 500, model.corpus)
            results.append(lm.evaluate(model, asked))
    met = [newcomers(seed, "full") for seed in OTHER_SEEDS]
    measure(
        CLAIMS["10.3"],
        right_on_unseen_sentences=min(e.accuracy for e in found),
        weight_on_the_antecedent=np.mean([e.weight for e in found]),
        right_with_uniform_weights=np.mean([e.accuracy for e in blind]),
        weight_there=np.mean([e.weight for e in blind]),
        right_on_unseen_names=min(e.accuracy for e in met),
        weight_on_them=np.mean([e.weight for e in met]),
    )
    assert "0.1" in pictures.compare_models({"uniform": blind}).caption


def test_a_newcomers_single_vector_says_nothing_about_its_habit():
    for seed in (5, 6):
        met = newcomers(seed, "unsplit")
        assert met.accuracy < 0.3
        assert met.weight < 0.7


def weights_by_name(seed, names):
    model = trained(seed, names=names)
    asked = lm.unseen_sentences(seed, "names", 600, model.corpus)
    _, rows = model.read_pronouns([s.tokens for s in asked], asked)
    found = {}
    for row, sentence in zip(rows, asked, strict=True):
        found.setdefault(sentence.answer, []).append(row[sentence.antecedent])
    return [np.mean(weights) for weights in found.values()]


def test_known_parts_serve_every_newcomer_and_single_vectors_serve_some_by_chance():
    for seed in (5, 6):
        sums, singles = weights_by_name(seed, "full"), weights_by_name(seed, "unsplit")
        assert len(sums) == len(singles) == 32
        assert min(sums) > 0.8
        assert max(singles) - min(singles) > 0.3


def test_attentions_signal_does_not_fade_and_an_rnns_does_with_other_layers():
    for start in (100, 200, 300, 400, 500):
        far = {
            kind: np.median([signal_by_distance(kind, [255], start + k)[0] for k in range(5)])
            for kind in ("attention", "RNN")
        }
        measure(CLAIMS["10.4"], attention_from_255_words_back=far["attention"], an_RNN=far["RNN"])


def test_control_cannot_tell_who_of_two_candidates_acts():
    model, control = trained(5), trained(5, uniform=True)
    rivals = lm.unseen_sentences(5, "rivals", 200, model.corpus)
    assert lm.swap_with_rival(model, rivals).followed > 0.95
    before, after = lm.unchanged(control, rivals), lm.swap_with_rival(control, rivals)
    agree = np.mean([a == b for a, b in zip(before.answers, after.answers, strict=True)])
    assert agree > 0.98
    assert 0.3 < after.followed < 0.7


def test_steps_that_need_not_wait_for_each_other_count_once():
    A = np.arange(6.0).reshape(2, 3)
    assert steps_in_a_row(lambda A: A.T, A) == 0
    assert steps_in_a_row(lambda A: (A + 1) * (A + 2), A) == 2
    assert steps_in_a_row(lambda A: np.exp(np.exp(A) - A.max(axis=-1, keepdims=True)), A) == 3
    assert steps_in_a_row(lambda A: sum(row for row in A), A) == 2
    assert steps_in_a_row(lambda A: A.sum() + 1, A) == 2


def test_steps_in_a_row_keeps_the_result_and_counts_work_in_place():
    A, seen = np.ones((2, 2)), []

    def twice(X):
        Y = X + 1
        Y *= 3
        seen.append(np.array(Y))
        return Y

    assert steps_in_a_row(twice, A) == 2
    np.testing.assert_array_equal(seen[0], np.full((2, 2), 6.0))
    np.testing.assert_array_equal(A, np.ones((2, 2)))


def test_steps_in_a_row_refuses_what_it_cannot_follow():
    def writes(A):
        B = A + 1
        B[0] = 0
        return B

    with pytest.raises(TypeError, match="not followed"):
        steps_in_a_row(writes, np.ones((2, 2)))
    with pytest.raises(TypeError, match=r"np\.where is not followed"):
        steps_in_a_row(lambda A: np.where(A > 0, A, 0), np.ones((2, 2)))
