"""Judging apart from running, causes that explain every input, rounding, and poor consoles."""

import dataclasses
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
import torch
from cases.sample_exercises import DOUBLE, PAIR, SCALE, WHICH, doubled, scale_or_refuse, scaled

from helpers.course.calls import Outcome, by_place, call
from helpers.course.compare import matches
from helpers.course.console import printable
from helpers.course.exercise import Exercise
from helpers.course.values import UnreadableError, freeze

ROOT = Path(__file__).resolve().parents[1]


# ------------------------------------------------------------------ running apart from judging


def is_plain(value):
    """Say whether a value holds arrays of numbers, texts and tuples of them only."""
    if isinstance(value, tuple):
        return all(map(is_plain, value))
    if type(value) is np.ndarray:
        return value.dtype.kind in "bif"
    return value is None or type(value) in (str, bool)


def sent(outcome):
    """Send an outcome through bytes, as from another process: without pickle."""
    return Outcome(**{name: wired(value) for name, value in vars(outcome).items()})


def wired(value):
    if isinstance(value, tuple):
        return tuple(map(wired, value))
    if isinstance(value, np.ndarray):
        return np.frombuffer(value.tobytes(), dtype=value.dtype).reshape(value.shape)
    return value.encode().decode() if isinstance(value, str) else value


def prints_and_changes(x):
    print("look")
    x += 1
    return torch.tensor(x)


def stops(x):
    raise RuntimeError("no")


def hands_back_lists(x):
    return (2 * x).tolist()


@pytest.mark.parametrize(
    "answer", [doubled, prints_and_changes, stops, hands_back_lists, lambda x: None, lambda x: {}]
)
def test_outcomes_from_elsewhere_get_the_same_verdict(answer):
    names = ("x",)
    outcomes = [sent(call(answer, DOUBLE.arguments(case), names)) for case in DOUBLE.cases(20)]
    assert all(is_plain(value) for outcome in outcomes for value in vars(outcome).values())
    assert repr(DOUBLE.verdict(outcomes, 20)) == repr(DOUBLE.check(answer))


def test_a_runner_and_a_refused_input_are_judged_from_elsewhere_too():
    def twice(answer, x):
        return answer(answer(x))

    exercise = dataclasses.replace(DOUBLE, runner=twice)
    elsewhere = [sent(call(doubled, case, ("x",), twice)) for case in exercise.cases(3)]
    assert exercise.verdict(elsewhere, 3).correct
    outcomes = [
        sent(call(scale_or_refuse, SCALE.arguments(case), ("x", "factor")))
        for case in SCALE.cases(3)
    ]
    assert SCALE.verdict(outcomes, 3).correct
    assert outcomes[-1].refused


def test_what_runs_answers_needs_neither_references_nor_the_judge():
    code = """
        import sys
        import helpers.course.calls
        known = [name for name in sys.modules if name.startswith("helpers.")]
        assert not [name for name in known if ".lessons" in name or "exercise" in name], known
        assert not [name for name in known if "judging" in name or "torch" in name], known
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], cwd=ROOT, check=True)


def test_objects_that_are_no_values_are_refused_where_they_arise():
    class Fake:
        def __reduce__(self):
            return print, ("run in the judge",)

    for value in (Fake(), [Fake()], np.array([Fake()], dtype=object), {1: 2}, iter([1]), 1j):
        with pytest.raises(UnreadableError):
            freeze(value)


def test_values_are_read_as_a_learner_means_them():
    assert freeze([[1, 2], [3, 4]]).shape == (2, 2)
    assert freeze([np.ones(2), np.zeros(2)]).shape == (2, 2)
    assert freeze((1.0, True))[1].dtype == bool
    assert freeze([0.5, True])[1].dtype == bool
    assert isinstance(freeze([np.ones(2), np.ones(3)]), tuple)
    assert freeze(torch.ones(2, dtype=torch.bfloat16)).dtype == np.float64
    assert freeze(10**30) == 1e30
    assert freeze(["a ", "b"]) == ("a", "b")


# ------------------------------------------------------------------ arguments by name only


def test_by_place_hands_over_by_name_what_can_only_be_taken_so():
    def first_only(x, *, factor=1.0):
        return scaled(x, factor)

    def nothing_by_place(*, x, factor):
        return scaled(x, factor)

    for answer in (first_only, nothing_by_place):
        assert by_place(answer, ("x", "factor"))(3.0, 2.0) == 6.0

    class Layer(torch.nn.Module):
        def forward(self, X, *, mask=None):
            return X if mask is None else X * mask

    assert by_place(Layer(), ("X", "mask"))(torch.ones(1), torch.zeros(1)) == 0
    assert by_place(np.add, ("x", "y"))(1, 2) == 3


def test_an_answer_whose_option_has_another_name_gets_it_by_place_only():
    def other_name(x, times=1.0):
        return scale_or_refuse(x, times)

    assert SCALE.check(other_name).correct


# ------------------------------------------------------------------ rounding


@pytest.mark.parametrize(
    ("got", "want", "agree"),
    [
        (0.0, 2.2e-16, True),
        (3e-8, 2.2e-16, True),
        (1e-3, 2.2e-16, False),
        (1.00001, 1.0, True),
        (1.0001, 1.0, False),
        (3e-5, 1e-4, False),
        (0.0, 1e-6, False),
        (np.nan, 1.0, False),
        (np.inf, 1.0, False),
        (np.inf, np.inf, True),
        (-np.inf, np.inf, False),
    ],
)
def test_rounding_is_forgiven_and_nothing_more(got, want, agree):
    assert matches(np.array(got), np.array(want)) is agree
    assert matches(np.array([got, want]), np.array([want, want])) is agree


def test_whole_numbers_are_compared_exactly():
    assert not matches(np.array(100_001), np.array(100_000))
    assert matches(np.array(100_000.0), np.array(100_000))
    assert not matches(np.array([1, 0]), np.array([True, False]))


# ------------------------------------------------------------------ likely causes


def shows_signs(x):
    """It returns the signs."""
    return np.sign(x)


def forgets_every_second(x):
    """It leaves the second row as it is."""
    result = 2.0 * x
    result[1:] /= 2
    return result


def three_inputs(rng):
    return (
        {"x": np.array([[1.0, 1.0], [2.0, 3.0]])},
        {"x": np.array([[1.0, -3.0], [1.0, 1.0]])},
        {"x": np.array([[0.0, 5.0], [5.0, 0.0]])},
    )


TWICE = Exercise(
    "sample.TWICE",
    doubled,
    three_inputs,
    hints=("One.", "Two."),
    wrong=(shows_signs, forgets_every_second),
)


def test_a_misconception_is_named_only_if_it_explains_every_input():
    assert TWICE.check(lambda x: np.sign(x)).cause == "It returns the signs."

    def like_it_on_the_second_input_only(x):
        return np.sign(x) if x[0, 1] < 0 else doubled(x)

    assert TWICE.check(like_it_on_the_second_input_only).cause == ""

    def like_it_where_that_fails_and_wrong_elsewhere(x):
        return forgets_every_second(x) if x[0, 0] else x

    assert TWICE.check(like_it_where_that_fails_and_wrong_elsewhere).cause == ""


def test_what_numbers_tell_is_said_only_if_they_tell_it_on_every_failing_input():
    assert "transposed" in TWICE.check(lambda x: doubled(x).T).cause

    def transposed_once_and_halved_once(x):
        return doubled(x).T if x[1, 1] == 3 else x

    assert TWICE.check(transposed_once_and_halved_once).cause == ""

    def another_factor_each_time(x):
        return x * x.sum()

    assert TWICE.check(another_factor_each_time).cause == ""
    assert "0.5 times" in TWICE.check(lambda x: x).cause

    def nan_on_one_and_an_error_on_another(x):
        if x[0, 0] == 0:
            raise ValueError
        return x * np.nan

    assert TWICE.check(nan_on_one_and_an_error_on_another).cause == ""


def test_errors_alone_name_a_cause_only_with_the_same_message():
    def stops_everywhere(x):
        """It multiplies by a table that does not fit."""
        raise ValueError("does not fit")

    exercise = dataclasses.replace(TWICE, wrong=(stops_everywhere,))
    assert "does not fit" in exercise.check(stops_everywhere).cause

    def stops_for_another_reason(x):
        raise ValueError("another reason")

    assert exercise.check(stops_for_another_reason).cause == ""


def test_a_part_of_a_pair_names_a_cause_if_it_does_so_everywhere():
    assert "0.5 times" in PAIR.check(lambda x: (x.mean(axis=-1) / 2, x > 0)).cause
    assert PAIR.check(lambda x: (x.mean(axis=-1) / len(x), x > 0)).cause == ""


# ------------------------------------------------------------------ consoles and -OO


SHOWS_ALL = """
    from cases.sample_exercises import SCALE, forgets_the_factor, scale_or_refuse
    from helpers.course.predictions import Predictions
    from helpers.course.questions import Question
    print(SCALE.check(forgets_the_factor))
    print(SCALE.check(scale_or_refuse))
    print(SCALE.check(...))
    print(SCALE.hint())
    why = {"A": "It is √2 − 1.", "B": "No: 他."}
    question = Question("What is it?", {"A": "one", "B": "two"}, "A", why)
    asked = Predictions({"4.1": question})
    print(asked.predict("4.1", "B"))
    print(asked.reveal("4.1"))
"""


def run(code, *flags, **environment):
    """Run code in a Python of its own and return what it prints."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    done = subprocess.run(
        [sys.executable, *flags, "-c", textwrap.dedent(code)],
        env=os.environ | {"PYTHONPATH": paths} | environment,
        capture_output=True,
        check=False,
    )
    assert not done.returncode, done.stderr.decode("utf-8", "replace")
    return done.stdout


@pytest.mark.parametrize("encoding", ["ascii", "gbk", "cp1252", "utf-8"])
def test_verdicts_hints_and_predictions_show_on_every_console(encoding):
    shown = run(SHOWS_ALL, PYTHONIOENCODING=encoding, PYTHONUTF8="0").decode(encoding)
    assert "wrong: " in shown
    assert "correct: " in shown
    assert "It ignores the factor." in shown
    assert ("✔" in shown) is (encoding == "utf-8")


def test_a_notebooks_text_is_left_as_it_is(monkeypatch):
    class Console:
        encoding = "ascii"

    assert printable("✔ 他") == "✔ 他"
    monkeypatch.setattr(sys, "stdout", Console())
    assert printable("✔ 他 ≠ a") == "+ ? /= a"


def test_without_docstrings_and_asserts_a_wrong_answer_is_judged_and_named():
    code = """
        from cases.sample_exercises import SCALE, forgets_the_factor
        verdict = SCALE.check(forgets_the_factor)
        print(verdict.state, verdict.cause, forgets_the_factor.__doc__)
    """
    assert run(code, "-OO").decode().strip() == "wrong It ignores the factor. None"


def test_a_value_that_is_wanted_as_text_says_so():
    assert "text in quotes" in WHICH.check(2).summary
