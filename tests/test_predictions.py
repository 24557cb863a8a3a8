"""Predictions and quiz cards: what is kept, what is shown, and what stays closed."""

from pathlib import Path

import pytest

from helpers.course.memory import Memory, of_the_course
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


# ------------------------------------------------------------------ over the whole course


def lesson(number, file):
    """A lesson of two questions in a kernel of its own, which keeps its predictions in a file."""
    return Predictions({f"{number}.{k}": QUESTIONS[f"9.{k}"] for k in (1, 2)}, Memory(file))


def answered(kernel, **letters):
    """Predict and reveal: n8_1="B" stands for question 8.1."""
    for name, letter in letters.items():
        question = name[1:].replace("_", ".")
        kernel.predict(question, letter)
        kernel.reveal(question)
    return repr(kernel.summary())


def test_predictions_are_counted_over_all_lessons_each_as_it_stood_first(tmp_path):
    file = tmp_path / ".predictions.json"
    assert "whole course" not in repr(lesson(8, file).summary())
    answered(lesson(8, file), n8_1="A", n8_2="A")
    found = answered(lesson(9, file), n9_1="B")
    assert "Predicted before the answer: 1. Right: 1.\n" in found
    assert "Over the whole course so far: predicted 3, right 2." in found
    again = answered(lesson(8, file), n8_1="B")  # the kernel is new, the answer was seen before
    assert "Predicted before the answer: 1. Right: 0.\n" in again
    assert "predicted 3, right 2." in again
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_a_lesson_puts_back_what_another_kernel_has_overwritten(tmp_path):
    file = tmp_path / ".predictions.json"
    kernel = lesson(8, file)
    answered(kernel, n8_1="B")
    file.unlink()
    answered(lesson(9, file), n9_1="A")
    assert "predicted 3, right 2." in answered(kernel, n8_2="A")


@pytest.mark.parametrize("content", ["", "{", "[1, 2]", '"4.1"', '{"8.1": "B", "8.2": 3}', "\xff"])
def test_a_file_that_makes_no_sense_counts_as_none_and_is_replaced(content, tmp_path):
    file = tmp_path / ".predictions.json"
    file.write_bytes(content.encode("latin-1"))
    assert "predicted 1, right 1." in answered(lesson(9, file), n9_1="B")
    assert Memory(file).read() == {"9.1": True}


@pytest.mark.parametrize("blocked", ["no folder", "a folder of that name", "read only"])
def test_where_nothing_can_be_written_a_lesson_counts_its_own(blocked, tmp_path, monkeypatch):
    def refuses(*arguments, **options):
        raise PermissionError

    file = tmp_path / "course" / ".predictions.json"
    if blocked != "no folder":
        file.parent.mkdir()
    if blocked == "a folder of that name":
        (file / "full").mkdir(parents=True)
    if blocked == "read only":
        monkeypatch.setattr(Path, "write_text", refuses)
    found = answered(lesson(9, file), n9_1="B", n9_2="B")
    assert found == "Questions to predict: 2. Predicted before the answer: 2. Right: 1."
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_the_courses_file_lies_beside_the_notebooks_and_is_not_committed():
    file = of_the_course().file
    assert (file.parent / "notebooks").is_dir()
    ignored = (file.parent / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert f"{file.name}*" in ignored
