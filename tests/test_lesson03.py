"""Lesson 03: what its text asks to try, its pictures, and what it trains."""

import warnings

import numpy as np
import pytest

from helpers.lessons.lesson03 import experiment, figures
from helpers.numpy_attention import softmax
from helpers.sentences import (
    CHANNELS,
    GLOSSES,
    OBJECTS,
    PLACES,
    TOKENS,
    is_held_out,
    toy_embeddings,
    toy_matrices,
)


def test_what_the_demonstration_asks_to_try_has_the_effect_it_promises():
    X, (W_Q, W_K, _) = toy_embeddings(), toy_matrices()
    asks = W_Q.copy()
    asks[5, 0] = 0
    without_who = X[8] @ asks @ (X @ W_K).T
    assert set(np.flatnonzero(without_who == without_who.max())) == {2, 4}
    offers = W_K.copy()
    offers[5, 0] = 0
    assert X[8] @ W_Q @ (X[8] @ offers) == X[8] @ W_Q @ (X[0] @ offers)


def test_pictures_draw_their_chinese_and_say_what_to_see():
    X, (W_Q, W_K, W_V) = toy_embeddings(), toy_matrices()
    weights = softmax(X @ W_Q @ (X @ W_K).T / 2)[9]
    parts = (X[8] @ W_Q) * (X @ W_K) / 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        drawn = (
            figures.token_features(X),
            figures.handed_over(weights, X @ W_V, row=9),
            figures.channel_scores(parts, TOKENS, CHANNELS, glosses=GLOSSES, asking="他"),
            figures.pronouns_and_names({"trained": np.arange(72.0).reshape(3, 24)}),
        )
        for figure in drawn:
            assert figure.png_bytes().startswith(b"\x89PNG")
            assert len(figure.caption) > 30
    assert "他 he" in drawn[2].caption
    assert "小明 Xiaoming" in drawn[2].caption


def test_channel_scores_puts_the_dot_at_the_sum_of_the_parts():
    parts = np.array([[3.0, -1.0], [-2.0, -0.5], [0.0, 0.0]])
    figure = figures.channel_scores(parts, "abc", ["one", "two"], glosses="xyz", asking="a")
    dots = figure.axes[0].collections[0].get_offsets()
    np.testing.assert_allclose(dots, [[2.0, 0], [-2.5, 1], [0.0, 2]])


@pytest.mark.parametrize(
    "draw",
    [
        lambda: figures.channel_scores(
            np.ones((3, 2)), "ab", ["one", "two"], glosses="xy", asking="a"
        ),
        lambda: figures.channel_scores(np.ones((3, 2)), "abc", ["one"], glosses="xyz", asking="a"),
        lambda: figures.pronouns_and_names({"t": np.ones((3, 23))}),
        lambda: figures.pronouns_and_names({"t": np.ones((1, 24))}),
    ],
)
def test_pictures_refuse_arrays_that_do_not_fit_their_labels(draw):
    with pytest.raises(ValueError, match=r"\d"):
        draw()


def test_new_sentences_hold_combinations_that_training_never_shows():
    for sentence in experiment.new_sentences(3, 50):
        thing, place = (
            next((word for word in sentence.tokens if word in words), None)
            for words in (OBJECTS, PLACES)
        )
        if thing and place:
            assert is_held_out(sentence.answer, thing, place)
        assert sentence.tokens[sentence.antecedent] == sentence.answer


def test_a_sentence_is_read_with_a_gloss_for_each_of_its_words():
    (sentence,) = experiment.new_sentences(0, 1)
    ((words, answer),) = experiment.read(sentence).items()
    for token, meaning in zip(sentence.tokens, sentence.glosses, strict=True):
        assert f"{token} {meaning}" in words
    assert answer.startswith(sentence.answer)
    assert len(answer) > len(sentence.answer)


def test_equal_weights_stay_equal_in_the_control():
    model = experiment.train(4, even=True)
    weights = model.weights(experiment.new_sentences(4, 1)[0])
    assert np.ptp(weights[weights > 0]) < 1e-12
