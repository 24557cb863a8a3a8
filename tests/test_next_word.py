"""The language model of lesson 10 is told next words alone, and its measurements are honest."""

import numpy as np
import pytest
import torch

from helpers.sentences import TOKENS, VOCABULARY, encode, is_held_out
from helpers.training import next_word as lm


@pytest.fixture(scope="module")
def model():
    return lm.train_next_word(3, progress=False)


def test_the_loss_is_next_words_alone_and_skips_padding():
    ids = torch.from_numpy(encode([TOKENS, TOKENS[:4]]))
    logits = torch.randn(
        2, ids.shape[1], len(VOCABULARY), generator=torch.Generator().manual_seed(0)
    )
    log_shares = logits.log_softmax(-1)
    terms = [
        -log_shares[b, i, ids[b, i + 1]]
        for b, n in ((0, len(TOKENS)), (1, 4))
        for i in range(n - 1)
    ]
    got = lm.next_word_loss(logits, ids)
    torch.testing.assert_close(got, torch.stack(terms).mean(), rtol=1e-5, atol=1e-6)


def test_no_word_sees_what_comes_after_it():
    mask = lm.may_attend(6)
    for i in range(6):
        for j in range(6):
            assert bool(mask[i, j]) == (j < i or i == j == 0)


def test_rows_are_shares_and_the_future_gets_none(model):
    weights = model.attention(TOKENS)
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-5)
    assert not weights[~np.asarray(lm.may_attend(len(TOKENS)))].any()


def test_the_words_after_the_pronoun_do_not_change_its_row(model):
    whole, cut = model.attention(TOKENS), model.attention(TOKENS[:9])
    np.testing.assert_allclose(whole[:9, :9], cut, atol=1e-6)


def test_same_seed_gives_the_same_model():
    first, second = (lm.train_next_word(1, steps=20, progress=False) for _ in range(2))
    np.testing.assert_array_equal(first.attention(TOKENS), second.attention(TOKENS))
    assert first.habits == second.habits


def test_frozen_uniform_weights_stay_equal_after_training():
    control = lm.train_next_word(0, steps=30, uniform=True, progress=False)
    row = control.attention(TOKENS)[8]
    np.testing.assert_allclose(row[:8], 1 / 8, atol=1e-6)


def test_sentences_of_the_test_were_kept_out_of_training(model):
    from helpers.sentences import NAMES, OBJECTS, PLACES

    for sentence in lm.unseen_sentences(0, "combinations", 100, model.habits):
        things = [t for t in sentence.tokens if t in OBJECTS]
        places = [t for t in sentence.tokens if t in PLACES]
        assert sentence.answer in NAMES
        if things and places:
            assert is_held_out(sentence.answer, things[0], places[0])


def test_changes_of_a_sentence_do_what_they_say(model):
    sentences = lm.unseen_sentences(0, "combinations", 100, model.habits)
    same, deleted = lm.unchanged(model, sentences), lm.delete_antecedent(model, sentences)
    swapped = lm.swap_name(model, sentences)
    assert same.kept == lm.evaluate(model, sentences).accuracy
    assert np.max(deleted.weights) < 0.01
    for sentence, tokens in zip(sentences, swapped.tokens, strict=True):
        changed = [
            i for i, (a, b) in enumerate(zip(sentence.tokens, tokens, strict=False)) if a != b
        ]
        assert changed == [sentence.antecedent]


def test_unknown_word_gets_a_clear_message(model):
    with pytest.raises(ValueError, match="no word at"):
        model.next_word("小明吃饭")
