"""Answers that flood, stop, leave, cheat or never return do no harm and earn nothing."""

import random
import sys
import warnings

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from cases.sample_exercises import DOUBLE, SCALE, WHICH, doubled, scaled

from helpers.course.exercise import Exercise


def test_a_flood_of_output_is_cut_and_the_value_still_counts(capsys):
    def answer(x):
        for number in range(200_000):
            print("debug", number, "x" * 60)
        print("to stderr", file=sys.stderr)
        return 2 * x

    verdict = DOUBLE.check(answer)
    assert verdict.correct
    assert verdict.printed.startswith("debug 0")
    assert "(200,001 lines in all)" in verdict.printed
    assert len(verdict._repr_html_()) < 3000
    assert DOUBLE.grade(answer) == 1.0
    assert capsys.readouterr() == ("", "")


def test_warnings_and_figures_do_not_show(recwarn):
    def answer(x):
        warnings.warn("look here", stacklevel=1)
        np.log(np.zeros(2))
        plt.plot([1, 2])
        plt.show()
        return 2 * x

    open_before = plt.get_fignums()
    assert DOUBLE.check(answer).correct
    assert plt.get_fignums() == open_before
    assert not recwarn.list


def test_the_learners_own_figure_stays_open():
    figure = plt.figure()
    DOUBLE.check(doubled)
    assert plt.fignum_exists(figure.number)
    plt.close(figure)


def test_working_in_place_on_a_copy_is_fine():
    def answer(x):
        x = x.copy()
        x *= 2
        return x

    assert DOUBLE.check(answer).correct


def changes_print_options():
    np.set_printoptions(precision=1, linewidth=20)


def changes_numpy_errors():
    np.seterr(all="raise")


def changes_recursion_limit():
    sys.setrecursionlimit(5000)


def seeds_numpy():
    np.random.seed(0)
    np.random.normal(size=3)


def seeds_python():
    random.seed(0)


def seeds_torch():
    torch.manual_seed(0)


def changes_torch():
    torch.set_default_dtype(torch.float64)
    torch.set_grad_enabled(False)


def changes_warnings():
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", "look here")


def changes_figures():
    plt.rcParams["font.size"] = 40
    plt.figure()


def settings():
    """Collect what the rest of a notebook depends on."""
    return {
        "print options": np.get_printoptions(),
        "numpy's errors": np.geterr(),
        "recursion limit": sys.getrecursionlimit(),
        "numpy's random state": [str(part) for part in np.random.get_state()],
        "python's random state": random.getstate(),
        "torch's random state": torch.get_rng_state().tolist(),
        "torch": (torch.get_default_dtype(), torch.is_grad_enabled()),
        "warnings": list(warnings.filters),
        "figures": (plt.rcParams["font.size"], plt.get_fignums()),
    }


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize(
    "change",
    [
        changes_print_options,
        changes_numpy_errors,
        changes_recursion_limit,
        seeds_numpy,
        seeds_python,
        seeds_torch,
        changes_torch,
        changes_warnings,
        changes_figures,
    ],
)
def test_what_an_answer_sets_does_not_leak(change, fails):
    def answer(x):
        before = settings()
        change()
        changed.append(before != settings())
        if fails:
            raise RuntimeError
        return 2 * x

    changed = []
    before = settings()
    assert DOUBLE.check(answer).correct is not fails
    assert settings() == before
    assert all(changed)


def divides_by_zero_on_the_way(x):
    return np.where(np.ones(1) / np.zeros(1) > 0, 2 * x, x)


def test_numpy_settings_of_the_notebook_do_not_matter():
    with np.errstate(all="raise"), np.printoptions(precision=1):
        assert DOUBLE.check(divides_by_zero_on_the_way).correct


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError, RecursionError]
)
def test_no_exception_escapes(error):
    def answer(x):
        raise error

    assert DOUBLE.check(answer).state == "wrong"
    assert DOUBLE.grade(answer) == 0.0


def test_an_interrupted_answer_is_told_the_input():
    def answer(x):
        raise KeyboardInterrupt

    verdict = DOUBLE.check(answer)
    assert "Interrupted" in verdict.summary
    assert verdict.facts[0][0] == "Input 1 of 2"


def test_endless_recursion_and_unprintable_errors_are_survived():
    def deeper(x):
        return deeper(x)

    class UnprintableError(Exception):
        def __str__(self):
            raise RuntimeError

    def unprintable(x):
        raise UnprintableError

    assert "RecursionError" in DOUBLE.check(deeper).summary
    assert "UnprintableError" in DOUBLE.check(unprintable).summary


def test_a_later_stub_is_wrong_and_not_untouched():
    def half_done(x, factor=None):
        if factor is not None:
            raise NotImplementedError
        return scaled(x)

    verdict = SCALE.check(half_done)
    assert verdict.state == "wrong"
    assert "NotImplementedError" in verdict.summary


class EqualsEverything:
    """What a cheater might return."""

    shape = (2, 2)

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = None

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *arguments, **more):
        return self

    def __getitem__(self, index):
        return self

    def __array__(self, *arguments, **more):
        return np.ones((2, 2))


class EqualArray(np.ndarray):
    """An array whose comparisons are always in its favour."""

    def __eq__(self, other):
        return np.ones(self.shape, dtype=bool)

    def __sub__(self, other):
        return np.zeros(self.shape)

    __rsub__ = __sub__
    __hash__ = None


class EqualText(str):
    """A text that equals every other."""

    __slots__ = ()

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__

    def casefold(self):
        return self


def test_objects_that_equal_everything_earn_nothing():
    assert DOUBLE.grade(lambda x: EqualsEverything()) == 0.0
    assert DOUBLE.grade(lambda x: (x * 3).view(EqualArray)) == 0.0
    assert DOUBLE.grade(lambda x: [EqualsEverything()] * len(x)) == 0.0
    assert WHICH.grade(EqualText("A")) == 0.0
    assert WHICH.grade(EqualsEverything()) == 0.0


@pytest.mark.parametrize("kind", ["list", "nested list", "dict", "set", "tensor"])
def test_a_changed_argument_of_any_kind_is_noticed(kind):
    def inputs(rng):
        made = {
            "list": ["b", "a"],
            "nested list": [[2, 1], [3]],
            "dict": {"a": 1},
            "set": {1, 2},
            "tensor": torch.ones(2),
        }
        return [{"given": made[kind]}]

    def how_many(given):
        return len(given)

    def changes(given):
        count = len(given)
        if kind == "list":
            given.sort()
        elif kind == "nested list":
            given[0].sort()
        elif kind == "dict":
            given["a"] += 1
        elif kind == "set":
            given.discard(2)
        else:
            given += 1
        return count

    exercise = Exercise("sample.how_many", how_many, inputs, hints=("1.", "2."))
    assert exercise.check(how_many).correct
    assert "changes its input given" in exercise.check(changes).summary
    assert exercise.grade(changes) == 0.0


def test_the_declaration_cannot_be_overwritten_by_accident():
    with pytest.raises(AttributeError):
        DOUBLE.reference = lambda x: x
