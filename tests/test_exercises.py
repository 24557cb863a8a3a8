"""Every exercise of every lesson keeps the promises its declaration makes."""

import ast
import importlib
import inspect
import re

import numpy as np
import pytest
import torch

from helpers import numpy_attention
from helpers.course.exercise import Exercise
from helpers.course.judging import sentence_of

LESSONS = [importlib.import_module(f"helpers.lessons.lesson{n:02d}") for n in range(1, 11)]
ALL = [
    pytest.param(value, id=f"{lesson.__name__.rpartition('.')[2]}.{name}")
    for lesson in LESSONS
    for name, value in vars(lesson).items()
    if isinstance(value, Exercise)
]
FUNCTIONS = [param for param in ALL if not isinstance(param.values[0].reference, type)]
PLAIN = [param for param in ALL if param.values[0].runner is None]
IN_LIBRARY = [
    param for param in PLAIN if param.values[0].reference.__name__ in numpy_attention.__all__
]
TEN_SEEDS = range(10)
WRONG = [
    pytest.param(param.values[0], wrong, id=f"{param.id}-{wrong.__name__}")
    for param in ALL
    for wrong in param.values[0].wrong
]


def texts_of(exercise):
    """List every sentence of an exercise that a learner can read."""
    return [*exercise.hints, *map(sentence_of, exercise.wrong)]


def converted(exercise, convert):
    """Return an answer that is right, but hands back another type of array."""

    def answer(*arguments):
        result = exercise.reference(*arguments)
        return tuple(map(convert, result)) if isinstance(result, tuple) else convert(result)

    return answer


def as_list(value):
    return value.tolist() if hasattr(value, "tolist") else value


def as_float32(value):
    if isinstance(value, (tuple, list)):
        return type(value)(map(as_float32, value))
    if isinstance(value, np.ndarray) and value.dtype == np.float64:
        return value.astype(np.float32)
    return (
        value.float()
        if isinstance(value, torch.Tensor) and value.dtype.is_floating_point
        else value
    )


def as_tensor(value):
    return torch.from_numpy(value) if isinstance(value, np.ndarray) else value


def as_leaf_tensor(value):
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return torch.from_numpy(value).requires_grad_()
    return as_tensor(value)


# ------------------------------------------------------------------ all exercises of all lessons


@pytest.mark.parametrize("exercise", ALL)
def test_the_reference_is_correct_on_any_seed(exercise):
    assert exercise.check(exercise.reference).correct
    assert all(exercise.accepts(exercise.reference, seed) for seed in TEN_SEEDS)
    assert exercise.grade(exercise.reference) == exercise.points > 0


@pytest.mark.parametrize(("exercise", "wrong"), WRONG)
def test_a_wrong_answer_is_rejected_and_named(exercise, wrong):
    verdict = exercise.check(wrong)
    assert verdict.state == "wrong"
    assert verdict.cause == sentence_of(wrong), verdict
    assert exercise.grade(wrong) == 0.0
    assert not any(exercise.accepts(wrong, seed) for seed in TEN_SEEDS)


@pytest.mark.parametrize("exercise", ALL)
def test_the_untouched_stub_is_not_attempted(exercise):
    def stub(*arguments):
        raise NotImplementedError

    verdict = exercise.check(stub)
    assert verdict.state == "not attempted"
    assert exercise.grade(stub) == 0.0
    assert exercise.check(...).state == "not attempted"


@pytest.mark.parametrize("exercise", ALL)
def test_hints_and_misconceptions_are_sentences(exercise):
    assert len(exercise.hints) >= 2
    assert len(exercise.wrong) >= 1
    for text in texts_of(exercise):
        assert text.endswith((".", "?", "!")), text
        assert "$" not in text
        assert not re.search(r"</?[a-z]+>", text), text


@pytest.mark.parametrize("exercise", ALL)
def test_the_solution_is_the_running_source(exercise):
    source = repr(exercise.solution())
    tree = ast.parse(source)
    assert tree.body[0].name == exercise.reference.__name__
    assert "NotImplementedError" not in source


def optional_names(exercise):
    parameters = inspect.signature(exercise.reference).parameters.values()
    return [p.name for p in parameters if p.default is not p.empty]


@pytest.mark.parametrize("exercise", [p for p in FUNCTIONS if optional_names(p.values[0])])
def test_optional_arguments_may_be_taken_by_name_only(exercise):
    parameters = inspect.signature(exercise.reference).parameters.values()
    optional = optional_names(exercise)
    required = [p.name for p in parameters if p.default is p.empty]
    code = f"def answer({', '.join(f'their_{name}' for name in required)}, *, "
    code += ", ".join(f"{name}=None" for name in optional)
    code += "):\n    given = {k: v for k, v in locals().items() if k in names and v is not None}\n"
    code += f"    return right({', '.join(f'their_{name}' for name in required)}, **given)"
    names = {"right": exercise.reference, "names": optional}
    exec(code, names)
    verdict = exercise.check(names["answer"])
    assert verdict.correct, verdict


@pytest.mark.parametrize("exercise", PLAIN)
@pytest.mark.parametrize("convert", [as_list, as_float32, as_tensor, as_leaf_tensor])
def test_another_type_of_array_is_accepted(exercise, convert):
    verdict = exercise.check(converted(exercise, convert))
    assert verdict.correct, verdict


@pytest.mark.parametrize("exercise", FUNCTIONS)
def test_the_reference_computed_in_float32_is_accepted(exercise):
    def answer(*arguments):
        return exercise.reference(*map(as_float32, arguments))

    for seed in range(5):
        assert exercise.accepts(answer, seed), seed
    assert exercise.check(answer).correct, exercise.check(answer)


@pytest.mark.parametrize("exercise", ALL)
def test_an_answer_that_changes_its_input_is_told_so(exercise):
    changed = []

    def answer(*arguments):
        result = exercise.reference(*arguments)
        for argument in arguments:
            if isinstance(argument, (np.ndarray, torch.Tensor)) and argument.size:
                argument[...] = ~argument if argument.dtype in (bool, torch.bool) else argument + 1
                changed.append(argument)
        return result

    verdict = exercise.check(answer)
    if not changed:
        pytest.skip("it takes no arrays")
    assert verdict.state == "wrong"
    if exercise.runner is None:
        assert "changes its input" in verdict.summary


@pytest.mark.parametrize("exercise", ALL)
def test_inputs_are_fresh_and_grading_uses_others(exercise):
    first, second = exercise.cases(1), exercise.cases(1)
    assert repr(first) == repr(second)
    for a, b in zip(first, second, strict=True):
        for name in a:
            assert a[name] is not b[name] or not isinstance(a[name], np.ndarray)


@pytest.mark.parametrize("exercise", ALL)
def test_the_address_in_the_texts_leads_to_the_exercise(exercise):
    lesson, name = re.fullmatch(r"Exercise (lesson\d\d)\.(\w+): .*", repr(exercise)).groups()
    assert getattr(importlib.import_module(f"helpers.lessons.{lesson}"), name) is exercise
    assert name == exercise.reference.__name__


@pytest.mark.parametrize("exercise", IN_LIBRARY)
def test_the_plain_solution_equals_the_librarys_function(exercise):
    verdict = exercise.check(getattr(numpy_attention, exercise.reference.__name__))
    assert verdict.correct, verdict


# ------------------------------------------------------------------ lesson 04, beyond its own list


def lesson04(name):
    """Return an exercise of lesson 04."""
    return getattr(importlib.import_module("helpers.lessons.lesson04.exercises"), name)


def softmax_of(x, axis, dtype=np.float64, lowest=-np.inf, decimals=None, below=0.0):
    """Softmax with one weakness at choice."""
    x = np.asarray(x, dtype=dtype)
    shifted = np.maximum(x - x.max(axis=axis, keepdims=True), dtype(lowest))
    exps = np.exp(shifted)
    shares = exps / (exps.sum(axis=axis, keepdims=True) + dtype(below))
    return shares if decimals is None else shares.round(decimals)


@pytest.mark.parametrize(
    "weakness", [{"dtype": np.float16}, {"lowest": -10.0}, {"decimals": 4}, {"below": 1e-4}]
)
def test_a_slightly_wrong_softmax_is_rejected(weakness):
    exercise = lesson04("softmax")
    assert exercise.check(lambda x, axis=-1: softmax_of(x, axis, **weakness)).state == "wrong"
    assert exercise.check(lambda x, axis=-1: softmax_of(x, axis)).correct


def test_an_honest_float32_computation_is_accepted():
    def softmax(x, axis=-1):
        return softmax_of(x, axis, dtype=np.float32)

    def scores(q, k):
        q, k = np.float32(q), np.float32(k)
        return np.einsum("...id,...jd->...ij", q, k) / np.float32(q.shape[-1] ** 0.5)

    def self_attention(x, w_q, w_k, w_v, mask=None):
        x, w_q, w_k, w_v = map(np.float32, (x, w_q, w_k, w_v))
        s = scores(x @ w_q, x @ w_k)
        hidden = np.zeros(s.shape, bool) if mask is None else ~np.broadcast_to(mask, s.shape)
        weights = softmax(np.where(hidden, np.float32(-1e9), s))
        weights = np.where(hidden, np.float32(0), weights)
        return weights @ (x @ w_v), weights

    for answer in (softmax, scores, self_attention):
        exercise = lesson04(answer.__name__)
        verdict = exercise.check(answer)
        assert verdict.correct, verdict
        assert exercise.grade(answer) == exercise.points


def test_any_precise_temperature_is_accepted_and_others_are_told_their_share():
    def by_logarithm(scores, share):
        low, high = -20.0, 20.0
        for _ in range(60):
            middle = (low + high) / 2
            exps = np.exp((scores - scores.max()) * np.exp(-middle))
            low, high = (middle, high) if 1 / exps.sum() > share else (low, middle)
        return np.array(np.exp(middle), dtype=np.float32)

    exercise = lesson04("temperature_for")
    assert exercise.check(by_logarithm).correct
    assert "gets a share of" in exercise.check(lambda scores, share: 1.0).summary
    assert "positive" in exercise.check(lambda scores, share: -1.0).summary
    assert "One number" in exercise.check(lambda scores, share: scores).summary
