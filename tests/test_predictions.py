"""Predictions and quiz cards: what is kept, what is shown, and what stays closed."""

import pytest

from helpers.course.predictions import Predictions
from helpers.course.questions import Question

OPTIONS = {"A": "twice", "B": "seven times", "C": "it depends"}
WHY = {
    "A": "It takes a score for a <share>.",
    "B": "e² is about 7.4 & more.",
    "C": "Half of it is true.",
}
QUESTIONS = {
    "9.1": Question("How much?", OPTIONS, "B", WHY),
    "9.2": Question("How long?", OPTIONS, "A", WHY),
    "9.q1": Question("How wide?", OPTIONS, "B", WHY),
}


@pytest.fixture
def asked():
    """The questions of a lesson, with nothing predicted yet."""
    return Predictions(QUESTIONS)


def both(card):
    """What a card shows, as HTML and as text."""
    return card._repr_html_(), repr(card)


@pytest.mark.parametrize("letter", ["B", "b", " b ", "Ｂ", "ｂ\n"])
def test_a_letter_counts_however_it_is_typed(asked, letter):
    for text in both(asked.predict("9.1", letter)):
        assert "You predict B" in text
    assert "You predicted B, and that is what happened" in repr(asked.reveal("9.1"))


@pytest.mark.parametrize("letter", ["D", "AB", "one", 3, None, "小明"])
def test_anything_else_than_a_letter_gets_a_sentence_and_counts_as_no_prediction(asked, letter):
    for text in both(asked.predict("9.1", letter)):
        assert "none of the options" in text
        assert "A, B, C" in text
    assert "not predicted" in repr(asked.reveal("9.1"))


@pytest.mark.parametrize("letter", ["?", "", "？", " ? "])
def test_a_question_mark_is_no_prediction_yet_and_tells_no_answer(asked, letter):
    for text in both(asked.predict("9.1", letter)):
        assert "in place of the question mark" in text
        assert "A, B, C" in text
        assert not any(reason[:12] in text for reason in WHY.values())


def test_without_a_prediction_the_answer_stays_in_a_fold_that_can_be_opened(asked):
    asked.predict("9.1", "?")
    card = asked.reveal("9.1")
    assert not any(reason in repr(card) for reason in WHY.values())
    before, inside = card._repr_html_().split("<details", 1)
    assert "7.4" not in before
    assert "7.4 &amp; more" in inside
    assert " open" not in inside.split("<summary")[0]


def test_a_wrong_prediction_is_named_beside_what_happened_and_both_are_explained(asked):
    asked.predict("9.1", "A")
    before, folded = asked.reveal("9.1")._repr_html_().split("<details", 1)
    assert "You predicted A. What happened: B." in before
    assert "It takes a score for a &lt;share&gt;." in before
    assert "e² is about 7.4 &amp; more." in before
    assert "Half of it is true." in folded


def test_a_prediction_taken_back_is_gone(asked):
    asked.predict("9.1", "A")
    asked.predict("9.1", "?")
    assert "not predicted" in repr(asked.reveal("9.1"))


def test_the_count_keeps_the_letter_that_stood_when_the_answer_was_first_shown(asked):
    asked.reveal("9.1")  # a closed card is no answer shown
    asked.predict("9.1", "A")
    asked.reveal("9.1")
    asked.predict("9.1", "B")
    asked.reveal("9.1")
    asked.predict("9.2", "A")
    asked.reveal("9.2")
    assert repr(asked.summary()) == (
        "Questions to predict: 2. Predicted before the answer: 2. Right: 1."
    )


def test_a_quiz_card_keeps_every_answer_folded_and_explains_each(asked):
    html, plain = both(asked.quiz("9.q1"))
    assert html.count("<details") == 3
    assert "<details open" not in html
    assert "&lt;share&gt;" in html
    assert "✓ B" in html
    assert not any(reason[:12] in plain for reason in WHY.values())


@pytest.mark.parametrize("name", ["predict", "reveal", "quiz"])
def test_an_unknown_question_is_refused_with_the_list_of_those_there_are(asked, name):
    with pytest.raises(ValueError, match=r"no question '9.7'.*9.1, 9.2, 9.q1"):
        getattr(asked, name)("9.7")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("?", OPTIONS, "D", WHY), "answer must be one of"),
        (("?", {"A": "only"}, "A", {"A": "only"}), "at least two"),
        (("?", {"A": "", "C": ""}, "A", WHY), "in a row"),
        (("?", OPTIONS, "A", {"A": "", "B": ""}), "why must explain"),
    ],
)
def test_a_question_with_a_gap_is_refused(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        Question(*arguments)
