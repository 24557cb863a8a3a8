"""The running sentence, the hand-made numbers and the corpus keep the promises the lessons make."""

from collections import Counter

import numpy as np
import pytest
from matplotlib.ft2font import FT2Font

from helpers import sentences
from helpers.figures.base import FONT_FILE
from helpers.sentences import (
    CHARACTERS,
    GLOSS,
    GLOSSES,
    PAD,
    PRONOUNS,
    RIVAL_TEMPLATES,
    TEMPLATES,
    TOKEN_ID,
    TOKENS,
    UNSEEN_TEMPLATES,
    VOCABULARY,
    encode,
    is_held_out,
    make_habits,
    make_sentence,
    tokenize,
    toy_embeddings,
    toy_matrices,
)

ALL_TEMPLATES = TEMPLATES + RIVAL_TEMPLATES + UNSEEN_TEMPLATES


def test_running_sentence_has_ten_tokens_each_with_a_gloss():
    assert len(TOKENS) == len(GLOSSES) == 10
    assert "".join(TOKENS) == "小明把书放在了桌子上，然后他走了"
    assert tokenize("小明把书放在了桌子上,然后他走了。") == TOKENS
    assert tuple(GLOSS[token] for token in TOKENS) == GLOSSES


def test_running_sentence_says_where_its_words_are():
    running = sentences.RUNNING_SENTENCE
    assert running.tokens == TOKENS
    assert running.glosses == GLOSSES
    places = running.antecedent, running.pronoun, running.verb
    assert [TOKENS[place] for place in places] == ["小明", "他", "走了"]
    assert running.answer == "小明"


def test_toy_numbers_are_fresh_so_that_a_learner_cannot_spoil_them():
    toy_embeddings()[:] = 0
    toy_matrices()[0][:] = 0
    assert toy_embeddings().any()
    assert toy_matrices()[0].any()


def test_toy_matrices_make_he_find_xiaoming_and_left_find_he():
    X = toy_embeddings()
    W_Q, W_K, _ = toy_matrices()
    best = {}
    for i, query in enumerate(TOKENS):
        scores = [
            sum((X[i] @ W_Q)[c] * (X[j] @ W_K)[c] for c in range(W_Q.shape[1]))
            for j in range(len(TOKENS))
        ]
        best[query] = TOKENS[int(np.argmax(scores))]
    assert best["他"] == "小明"
    assert best["走了"] == "他"


def test_raw_toy_vectors_make_he_look_at_itself_first():
    X = toy_embeddings()
    assert int(np.argmax(X[8] @ X.T)) == 8


def test_every_word_of_the_corpus_has_a_gloss_and_one_id():
    assert len(set(VOCABULARY)) == len(VOCABULARY) == len(TOKEN_ID)
    assert set(VOCABULARY) <= set(GLOSS)
    assert VOCABULARY[0] == PAD


def test_the_shipped_font_can_draw_every_word_of_the_corpus():
    drawn = FT2Font(str(FONT_FILE)).get_charmap()
    missing = {c for word in VOCABULARY for c in word if not c.isascii() and ord(c) not in drawn}
    assert not missing


@pytest.mark.parametrize("template", ALL_TEMPLATES)
def test_each_sentence_has_one_antecedent_that_agrees_with_its_pronoun(template):
    rng = np.random.default_rng(0)
    group_of = {name: group for group, names in CHARACTERS.items() for name in names}
    for _ in range(50):
        sentence = make_sentence(rng, (template,))
        pronoun = sentence.tokens[sentence.pronoun]
        assert sentence.tokens[sentence.antecedent] == sentence.answer
        assert PRONOUNS[group_of[sentence.answer]] == pronoun
        agreeing = [t for t in sentence.tokens if PRONOUNS.get(group_of.get(t)) == pronoun]
        assert len(agreeing) == (1 if sentence.rival is None else 2)
        assert sentence.verb == sentence.pronoun + 1


def test_held_out_combinations_never_reach_training():
    rng = np.random.default_rng(1)
    for held_out in (True, False):
        for _ in range(200):
            tokens = set(make_sentence(rng, TEMPLATES[:1], held_out=held_out).tokens)
            subject = next(t for t in tokens if t in sentences.NAMES)
            thing = next(t for t in tokens if t in sentences.OBJECTS)
            place = next(t for t in tokens if t in sentences.PLACES)
            assert is_held_out(subject, thing, place) is held_out


def test_about_one_combination_in_five_is_held_out():
    every = [
        is_held_out(s, o, p)
        for s in sentences.NAMES
        for o in sentences.OBJECTS
        for p in sentences.PLACES
    ]
    assert 0.15 < np.mean(every) < 0.25


def test_same_seed_gives_the_same_sentences():
    first, second = (
        [make_sentence(rng, ALL_TEMPLATES) for _ in range(20)]
        for rng in (np.random.default_rng(7), np.random.default_rng(7))
    )
    assert first == second


def test_habits_are_unique_within_a_class():
    habits = make_habits(np.random.default_rng(0))
    for names in CHARACTERS.values():
        assert max(Counter(habits[name] for name in names).values()) == 1
    sentence = make_sentence(np.random.default_rng(1), habits=habits)
    assert sentence.tokens[sentence.verb] == habits[sentence.answer]


def test_encode_pads_on_the_right_and_decodes_back():
    ids = encode([TOKENS, TOKENS[:3]], length=12)
    assert ids.shape == (2, 12)
    assert [VOCABULARY[i] for i in ids[0]] == [*TOKENS, PAD, PAD]
    assert [VOCABULARY[i] for i in ids[1]] == [*TOKENS[:3], *[PAD] * 9]


@pytest.mark.parametrize("text", ["小明吃饭了", "Xiaoming", "小明把书放在了桌子上，然后他飞了"])
def test_an_unknown_word_is_named_in_the_message(text):
    with pytest.raises(ValueError, match="no word at"):
        tokenize(text)


def test_a_sentence_that_is_too_long_is_refused():
    with pytest.raises(ValueError, match="10 tokens, but length is 4"):
        encode([TOKENS], length=4)
