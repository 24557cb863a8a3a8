"""What a check tells a learner: states, causes, the failing input, hints and solution."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from cases.sample_exercises import (
    COUNT,
    DOUBLE,
    PAIR,
    SCALE,
    WHICH,
    doubled,
    forgets_the_factor,
    matrix_inputs,
    refuses_nothing,
    scale_or_refuse,
    scaled,
)

from helpers.course.exercise import Exercise


def test_the_input_that_must_be_refused_is_demanded():
    verdict = SCALE.check(refuses_nothing)
    assert verdict.state == "wrong"
    assert "raise ValueError" in verdict.summary
    assert verdict.cause == "It accepts a factor that is not a number."

    def asserts(x, factor=1.0):
        assert not np.isnan(factor)
        return scaled(x, factor)

    assert SCALE.check(asserts).correct
    assert SCALE.grade(asserts) == 3.0


def test_parameter_names_and_left_out_arguments_do_not_matter():
    def other_names(values, times=1.0):
        if np.isnan(times):
            raise ValueError
        return scaled(values, times)

    assert SCALE.check(other_names).correct


def test_a_class_of_the_same_call_is_an_answer():
    class Doubler:
        def __call__(self, x):
            return x + x

    assert DOUBLE.check(Doubler()).correct


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda x: None, "`return` missing"),
        (lambda x: (2 * x).T, "transposed"),
        (lambda x: 2 * x[None], "another shape"),
        (lambda x: x, "0.5 times"),
        (lambda x: -2 * x, "-1 times"),
        (lambda x: x / 0 * 0, "NaN"),
        (lambda x: x / 0, "infinity"),
        (lambda x: (2 * x).astype(int), "decimals"),
        (lambda x: (2 * x).astype(np.float16), "Close, but off"),
        (lambda x: 2 * x + 1e-3, "Close, but off"),
        (lambda x: x > 0, "Numbers are wanted"),
        (lambda x: (2 * x, x), "One array is wanted"),
        (lambda x: 2 * x + 1j, "complex"),
        (lambda x: "2 * x", "Numbers are wanted"),
        (lambda x: [[1, 2], [3], [4]], "same length"),
        (lambda x: [row[:-1] for row in x], "The shape is (3, 2)"),
        (lambda x: {"a": 1}, "type dict"),
        (lambda x: (row for row in x), "type generator"),
        (lambda: 1, "TypeError"),
        (lambda x, y: 1, "TypeError"),
        (lambda x: np.ma.masked_array(2 * x, mask=x > 0), "masked"),
    ],
)
def test_common_slips_get_their_sentence(answer, words):
    verdict = DOUBLE.check(answer)
    assert verdict.state == "wrong"
    assert words in verdict.summary + verdict.cause


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda x: x.mean(axis=-1), "2 results are wanted"),
        (lambda x: (x > 0, x.mean(axis=-1)), "wrong order; return mean, signs"),
        (lambda x: (x.mean(axis=-1), x <= 0), "True and False are exchanged"),
        (lambda x: (x.mean(axis=-1), (x > 0) * 1), "signs has to be a mask of True and False"),
        (lambda x: (x.mean(axis=-1), x > 0, x), "3 came back"),
        (lambda x: (x.mean(axis=0), x > 0), "In mean"),
    ],
)
def test_parts_of_a_pair_are_named(answer, words):
    verdict = PAIR.check(answer)
    assert verdict.state == "wrong"
    assert words in verdict.summary + verdict.cause


def test_the_parts_of_a_pair_are_shown_by_name():
    shown = repr(PAIR.check(lambda x: (x.mean(axis=-1), x <= 0)))
    assert shown.count("mean = [") == shown.count("signs = [") == 2


def test_a_failure_shows_input_result_and_wanted():
    shown = repr(SCALE.check(forgets_the_factor))
    assert "Input 2 of 3" in shown
    assert "factor = 3.0" in shown
    assert "Came back" in shown
    assert "Wanted" in shown
    assert "Likely cause: It ignores the factor." in shown


def test_the_html_is_escaped_and_holds_the_hints():
    html = SCALE.check(forgets_the_factor)._repr_html_()
    assert "First &lt;hint&gt;?" in html
    assert html.count("<details") == html.count("</details>") == 2
    assert "$" not in html
    assert "<details" not in SCALE.check(scale_or_refuse)._repr_html_()


def test_hints_come_one_after_the_other_and_stop_at_the_last():
    exercise = Exercise(
        name="sample.double", reference=doubled, inputs=matrix_inputs, hints=("One.", "Two.")
    )
    assert repr(exercise.hint()) == "Hint 1 of 2: One."
    assert repr(exercise.hint()).startswith("Hint 2 of 2: Two.")
    assert "sample.double.solution()" in repr(exercise.hint())


def test_an_error_names_the_learners_line_and_not_ours():
    def inner(x):
        return x @ np.ones((7, 7))

    def answer(x):
        return inner(x)

    verdict = DOUBLE.check(answer)
    assert "ValueError" in verdict.summary
    assert "return x @ np.ones((7, 7))" in verdict.summary
    assert "calls.py" not in repr(verdict)


def test_value_answers():
    assert WHICH.check("B").correct
    assert WHICH.check(" b ").correct
    assert WHICH.check("A").state == "wrong"
    assert WHICH.check(2).state == "wrong"
    assert WHICH.check(...).state == "not attempted"
    assert WHICH.check(None).state == "wrong"
    assert COUNT.check(100_000).correct
    assert COUNT.check(np.float32(100_000)).correct
    assert COUNT.check(100_001).state == "wrong"
    assert COUNT.check("100000").state == "wrong"
    assert COUNT.check((..., ...)).state == "not attempted"
    assert "without brackets" in DOUBLE.check(np.ones(3)).summary


def test_many_right_answers_are_judged_by_their_property():
    def root():
        """Find a number whose square is 4."""
        return 2.0

    square = Exercise(
        name="sample.square",
        reference=root,
        judge=lambda got, _: None if abs(got * got - 4) < 1e-3 else "Its square is not 4.",
        hints=("One.", "Two."),
    )
    assert square.check(-2).correct
    assert square.check(2.5).summary == "Its square is not 4."
    assert square.check("two").state == "wrong"
    assert square.check([1.0, 2.0, 3.0]).state == "wrong"


def test_a_picture_beside_a_failure_never_breaks_it():
    def draw(got, want):
        figure, axes = plt.subplots()
        axes.plot((got - want).ravel())
        plt.close(figure)
        return figure

    drawn = Exercise(
        name="sample.double", reference=doubled, inputs=matrix_inputs, hints=("1.", "2."), show=draw
    )
    assert "data:image/png;base64" in drawn.check(lambda x: x)._repr_html_()
    assert drawn.check(lambda x: x[0]).state == "wrong"


@pytest.mark.parametrize("answer", [forgets_the_factor, 3, ..., lambda x, y: x, refuses_nothing])
def test_an_answer_that_is_not_right_is_not_handed_on_and_it_says_so(answer, capsys):
    used = SCALE.use(answer)
    assert used is SCALE.reference
    assert "the course's scale_or_refuse is used, not yours" in capsys.readouterr().out


def test_a_right_answer_is_handed_on_with_arrays_for_what_it_returns(capsys):
    def in_lists(x):
        return [(sum(row) / len(row)) for row in x.tolist()], (x > 0).tolist()

    def shifts_as_well(x, factor=1.0):
        scale_or_refuse(x, factor)
        return (x * factor).tolist()

    used = PAIR.use(in_lists)
    means, signs = used(np.array([[1.0, -3.0], [5.0, 6.0]]))
    np.testing.assert_array_equal(means, [-1.0, 5.5])
    np.testing.assert_array_equal(signs, [[True, False], [True, True]])
    assert isinstance(means, np.ndarray)
    assert isinstance(signs, np.ndarray)
    one = SCALE.use(shifts_as_well)(np.array([1.0]), factor=4.0)
    assert isinstance(one, np.ndarray)
    assert one == 4
    shown = capsys.readouterr().out
    for name in ("mean_and_signs", "scale_or_refuse"):
        assert f"✔ From here on your own {name} is used." in shown
