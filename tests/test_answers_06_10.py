"""Answers to the exercises of lessons 06 to 10 that no exercise declares are judged rightly."""

import importlib

import numpy as np
import pytest
from cases import answers_06_08, answers_09_10
from import_graph import closure

TEN_SEEDS = (20, 21, 1, 2, 3, 4, 5, 6, 7, 8)  # the first two are those of check and grade
CASES = (answers_06_08, answers_09_10)
EVERY_WRONG = [
    pytest.param(place, name, answer, id=f"{place}-{name}")
    for module in CASES
    for place, answers in module.WRONG.items()
    for name, answer in answers.items()
]
EVERY_RIGHT = [
    pytest.param(place, answer, id=f"{place}-{name}")
    for module in CASES
    for place, answers in module.RIGHT.items()
    for name, answer in answers.items()
]
# the beginnings of what numbers alone tell: they are true of any answer that shows them
NUMBERS_TELL = (
    "Close, but off",
    "Every number is",
    "The right numbers in another shape",
    "There is NaN",
    "True and False are exchanged",
)
# the causes that are named, and true: the answer does what the sentence says
NAMED = {
    ("lesson06.multi_head_attention", "W_O cut by columns"): "W_O transposed",
    ("lesson07.online_softmax", "starts at -100"): "starts too high",
    ("lesson08.permute_mask", "two axes only"): "the first two axes",
    ("lesson08.step_matrix", "divided by the pairs"): "twice the sine's column number",
    ("lesson09.causal_mask", "small integers"): "the numbers 1 and 0",
    ("lesson09.padding_mask", "not zero"): "0 for the padding",
    ("lesson09.padding_mask", "two heads"): "a fixed number of heads",
    ("lesson09.batched_attention", "an even share of nothing"): "shares out evenly",
    ("lesson09.MultiHeadAttention", "DropsTheOutput"): "the output or the values",
    ("lesson09.MultiHeadAttention", "DropsTheValues"): "the output or the values",
    ("lesson09.MultiHeadAttention", "ReturnsTheOldWeights"): "the weights before dropout",
    ("lesson09.MultiHeadAttention", "AlwaysAHalf"): "half of the weights",
    ("lesson09.MultiHeadAttention", "TakesTheShareThatStays"): "the share that goes",
    ("lesson09.MultiHeadAttention", "DividedByP"): "divides the weights that stay",
    ("lesson09.MultiHeadAttention", "TheSameForTheBatch"): "several weights together",
    ("lesson09.MultiHeadAttention", "TheSameForTheHeads"): "several weights together",
    ("lesson09.MultiHeadAttention", "WholeColumns"): "several weights together",
    ("lesson09.MultiHeadAttention", "EvalAndTrainExchanged"): "in evaluation mode",
    ("lesson09.MultiHeadAttention", "RawExponentials"): "exp of the raw scores",
    ("lesson09.MultiHeadAttention", "StartsFromZero"): "start at 0",
    ("lesson10.exchange", "both the same"): "turns both into one word",
}


def exercise_at(place):
    """Return an exercise by its name, such as "lesson07.kv_cache"."""
    lesson, name = place.split(".")
    return getattr(importlib.import_module(f"helpers.lessons.{lesson}"), name)


def seeds_for(place):
    """Return ten seeds; five for the layer, whose dropout takes hundreds of runs."""
    return TEN_SEEDS[:5] if place == "lesson09.MultiHeadAttention" else TEN_SEEDS


@pytest.mark.parametrize(("place", "name", "answer"), EVERY_WRONG)
def test_a_wrong_answer_earns_nothing_and_no_false_cause_is_named(place, name, answer):
    exercise = exercise_at(place)
    verdict = exercise.check(answer)
    assert verdict.state == "wrong"
    assert exercise.grade(answer) == 0
    assert not any(exercise.accepts(answer, seed) for seed in seeds_for(place))
    if (place, name) in NAMED:
        assert NAMED[place, name] in verdict.cause
    else:
        assert not verdict.cause or verdict.cause.startswith(NUMBERS_TELL), verdict.cause


@pytest.mark.parametrize(("place", "answer"), EVERY_RIGHT)
def test_an_unusual_right_answer_is_accepted(place, answer):
    exercise = exercise_at(place)
    verdict = exercise.check(answer)
    assert verdict.correct, str(verdict)
    assert exercise.grade(answer) == exercise.points
    assert all(exercise.accepts(answer, seed) for seed in seeds_for(place))


def test_every_named_cause_belongs_to_an_answer():
    assert set(NAMED) <= {(place, name) for place, name, _ in (p.values for p in EVERY_WRONG)}


def test_five_wrong_and_three_right_answers_stand_for_every_exercise():
    for module in CASES:
        assert set(module.WRONG) == set(module.RIGHT)
        assert all(len(answers) >= 5 for answers in module.WRONG.values())
        assert all(len(answers) >= 3 for answers in module.RIGHT.values())


def test_maxima_in_a_row_are_not_called_transposed():
    def answer(Q, K, V, block_size, mask=None):
        scores = Q @ K.T / np.sqrt(Q.shape[1])
        scores = scores if mask is None else np.where(mask, scores, -np.inf)
        exponentials = np.exp(scores - scores.max(axis=1))
        return exponentials @ V / exponentials.sum(axis=1)

    verdict = exercise_at("lesson07.online_softmax").check(answer)
    assert verdict.state == "wrong"
    assert "transposed" not in verdict.cause


def layer_that_returns(change, training=None):
    """A right layer whose results are changed: always, or in one of the two modes."""

    class Changed(answers_09_10.Layer):
        def forward(self, X, mask=None):
            found = super().forward(X, mask)
            return change(*found) if training in (None, self.training) else found

    return Changed


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (layer_that_returns(lambda output, weights: None), "`return` missing"),
        (layer_that_returns(lambda output, weights: output), "two things"),
        (layer_that_returns(lambda output, weights: (output, None)), "two tensors"),
        (layer_that_returns(lambda output, weights: (weights, output)), "output first"),
        (layer_that_returns(lambda output, weights: (output[:, :1], weights)), "output has shape"),
        (layer_that_returns(lambda output, weights: (output, weights[0])), "weights has shape"),
        (
            layer_that_returns(lambda output, weights: (output, weights.mean(1)), training=True),
            "weights has shape",
        ),
    ],
)
def test_a_layer_is_told_what_its_forward_has_to_return(answer, sentence):
    assert sentence in exercise_at("lesson09.MultiHeadAttention").check(answer).summary


def test_a_layer_whose_forward_is_still_dots_is_not_attempted():
    answer = layer_that_returns(lambda output, weights: ...)
    assert exercise_at("lesson09.MultiHeadAttention").check(answer).state == "not attempted"


def test_lesson_09_opens_without_pytorch():
    assert "torch" not in closure("from helpers.lessons import lesson09", package="")


@pytest.mark.parametrize("number", [6, 7, 8, 9, 10])
def test_the_inputs_of_an_exercise_have_sizes_that_all_differ(number):
    """At least one input of every exercise with arrays has no two axes of one length."""
    lesson = importlib.import_module(f"helpers.lessons.lesson{number:02d}")
    for name in lesson.__all__:
        exercise = getattr(lesson, name)
        if not hasattr(exercise, "cases") or name in ("permute_mask", "exchange"):
            continue
        arrays = [
            value
            for case in exercise.cases(20)
            for value in case.values()
            if isinstance(value, np.ndarray) and value.ndim > 1
        ]
        assert not arrays or any(len(set(a.shape)) == a.ndim and 1 not in a.shape for a in arrays)
