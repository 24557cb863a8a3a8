"""The language model of lesson 10 is told next words alone, and its measurements are honest."""

import numpy as np
import pytest
import torch

from helpers.sentences import FAMILIES, TOKENS, VOCABULARY, encode
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


@pytest.mark.parametrize("names", ["given", "full"])
@pytest.mark.parametrize("kind", ["combinations", "rivals"])
def test_no_sentence_of_the_test_tells_what_training_tells(names, kind):
    from helpers.sentences import OBJECTS, PLACES

    rng = np.random.default_rng(0)
    corpus = lm.make_corpus(rng, names)

    def told(sentence):
        return tuple(t for t in sentence.tokens if t in {*corpus.habits, *OBJECTS, *PLACES})

    trained = lm.training_sentences(rng, corpus)
    asked = lm.unseen_sentences(0, kind, 300, corpus)
    assert all(len(told(sentence)) >= 2 for sentence in (*trained, *asked))
    assert not {told(s) for s in trained} & {told(s) for s in asked}
    assert not {s.tokens[:9] for s in trained} & {TOKENS[:9]}


def test_a_newcomers_single_vector_says_nothing_about_its_habit_and_known_parts_do():
    found = {}
    for names in ("full", "unsplit"):
        model = lm.train_next_word(5, names=names, progress=False)
        found[names] = lm.evaluate(model, lm.unseen_sentences(5, "names", 300, model.corpus))
    assert found["full"].accuracy > 0.95
    assert found["full"].weight > 0.9
    assert found["unsplit"].accuracy < 0.3
    assert found["unsplit"].weight < 0.7


def test_a_control_cannot_tell_who_of_two_candidates_acts(model):
    control = lm.train_next_word(3, uniform=True, progress=False)
    rivals = lm.unseen_sentences(3, "rivals", 200, model.corpus)
    assert lm.swap_with_rival(model, rivals).followed > 0.95
    assert 0.3 < lm.swap_with_rival(control, rivals).followed < 0.7


def test_changes_of_a_sentence_do_what_they_say(model):
    sentences = lm.unseen_sentences(0, "combinations", 100, model.corpus)
    same, deleted = lm.unchanged(model, sentences), lm.delete_antecedent(model, sentences)
    swapped = lm.swap_name(model, sentences)
    assert same.kept == lm.evaluate(model, sentences).accuracy
    assert np.max(deleted.weights) < 0.01
    for sentence, tokens in zip(sentences, swapped.tokens, strict=True):
        changed = [
            i for i, (a, b) in enumerate(zip(sentence.tokens, tokens, strict=False)) if a != b
        ]
        assert changed == [sentence.antecedent]


def whole_names(corpus):
    return {name for group in ("male", "female") for name in corpus.characters[group]}


@pytest.fixture(scope="module")
def people():
    return lm.train_next_word(3, steps=0, names="full", progress=False)


def test_training_never_shows_a_newcomer_but_both_halves_of_the_name(people):
    corpus = people.corpus
    sentences = lm.training_sentences(np.random.default_rng(0), corpus, 2000)
    shown = {token for sentence in sentences for token in sentence.tokens}
    new = {name for group in corpus.newcomers.values() for name in group}
    assert (len(new), len(whole_names(corpus))) == (32, 96)
    assert not shown & new
    whole = shown & whole_names(corpus)
    assert {name[0] for name in new} <= {name[0] for name in whole} == set(FAMILIES)
    assert {name[1:] for name in new} <= {name[1:] for name in whole}


def test_sentences_with_newcomers_name_nobody_else(people):
    corpus = people.corpus
    for sentence in lm.unseen_sentences(0, "names", 200, corpus):
        assert sentence.answer in corpus.newcomers["male"] + corpus.newcomers["female"]
        assert not set(sentence.tokens) & whole_names(corpus)
        assert sentence.tokens[sentence.verb] == corpus.habits[sentence.answer]
        assert len(sentence.glosses) == len(sentence.tokens)


def test_a_family_shares_one_habit_and_a_rival_is_of_another_family(people):
    habits, families = people.habits, {}
    for name in whole_names(people.corpus):
        families.setdefault(name[0], set()).add(habits[name])
    assert all(len(verbs) == 1 for verbs in families.values())
    assert len(set.union(*families.values())) == len(FAMILIES)
    for sentence in lm.unseen_sentences(1, "rivals", 200, people.corpus):
        assert habits[sentence.tokens[sentence.rival]] != habits[sentence.answer]


def test_a_full_name_scores_as_the_sum_of_its_two_parts(people):
    probabilities = people.next_words(TOKENS[:3])
    log = {name: np.log(probabilities[name]) for name in ("王小明", "王小红", "李小明", "李小红")}
    assert log["王小明"] - log["王小红"] == pytest.approx(log["李小明"] - log["李小红"], abs=1e-4)
    weights = people.attention("王小明看见李小红")
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-5)


def test_a_name_that_is_one_word_has_no_parts_in_common():
    probabilities = lm.untrained(0, names="unsplit").next_words(TOKENS[:3])
    log = {name: np.log(probabilities[name]) for name in ("王小明", "王小红", "李小明", "李小红")}
    assert abs(log["王小明"] - log["王小红"] - log["李小明"] + log["李小红"]) > 1e-3


def test_newcomers_are_refused_where_nobody_was_kept_out(model):
    with pytest.raises(ValueError, match="keeps no names out"):
        lm.unseen_sentences(0, "names", 5, model.corpus)
    with pytest.raises(ValueError, match="kind must be one of"):
        lm.unseen_sentences(0, "colours", 5, model.corpus)
    with pytest.raises(ValueError, match="names must be one of"):
        lm.make_corpus(np.random.default_rng(0), "short")


class Plain(torch.nn.Module):
    """One head, written out, with PyTorch's own attention inside."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        assert num_heads == 1
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            setattr(self, name, torch.nn.Parameter(torch.zeros(d_model, d_model)))

    def forward(self, X, mask):
        Q, K, V = X @ self.W_Q, X @ self.W_K, X @ self.W_V
        scores = (Q @ K.mT / Q.shape[-1] ** 0.5)[:, None].masked_fill(~mask, -1e9)
        weights = scores.softmax(-1)
        return (weights @ V[:, None])[:, 0] @ self.W_O, weights


def test_a_layer_of_ones_own_trains_to_the_same_model():
    ours = lm.train_next_word(0, steps=20, progress=False)
    own = lm.train_next_word(0, steps=20, progress=False, layer=Plain)
    np.testing.assert_allclose(own.attention(TOKENS), ours.attention(TOKENS), atol=1e-4)
    assert own.next_word(TOKENS[:9])[0] == ours.next_word(TOKENS[:9])[0]


def test_a_layer_with_other_parameters_is_refused():
    with pytest.raises(ValueError, match="the layer must have the parameters"):
        lm.train_next_word(0, steps=1, layer=lambda d_model, num_heads: torch.nn.Linear(4, 4))


def test_unknown_word_gets_a_clear_message(model):
    with pytest.raises(ValueError, match="no word at"):
        model.next_word("小明吃饭")
