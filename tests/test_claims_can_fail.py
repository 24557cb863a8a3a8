"""Claims that can fail: at other seeds they hold, and wrong or rival mechanisms break them.

Everything here runs the notebooks' own cells, and of these only what a claim needs.
"""

import copy
import functools
import math

import matplotlib
import numpy as np
import pytest
from reading import CORE, sources

from helpers.course.claims import Evidence, numbers_of
from helpers.course.slicer import Program
from helpers.ledger import all_claims

matplotlib.use("agg")

DECLARED = {declared.id: declared for declared in all_claims()}
SHIFTS = (5, 10, 15, 20, 25)  # wide enough for lessons whose own seeds are 0 to 4

TESTED = [
    declared
    for declared in DECLARED.values()
    if declared.adversaries or declared.evidence is Evidence.MEASURED
]

each_claim = pytest.mark.parametrize("declared", TESTED, ids=lambda declared: declared.id)


# ------------------------------------------------------------------ running a notebook's cells


@functools.cache
def program(lesson):
    """The code cells of a lesson's notebook."""
    (path,) = (path for path in CORE if path.stem.startswith(f"{lesson:02d}_"))
    return Program(sources(path, "code"))


def run(lesson, found, replace=None, seed_shift=0):
    """Run a slice; return what each claim in it measured, and the names at the end."""
    values = {}

    def write_down(claim_id, value=None, /, **given):
        values[claim_id] = numbers_of(DECLARED[claim_id], value, **given)

    put_in = {f"lesson{lesson:02d}.claim": write_down, **(replace or {})}
    names = found.run(replace=put_in, seed_shift=seed_shift)
    return values, names


def slice_of(*declared):
    """The statements that some claims of one lesson need."""
    cells = program(declared[0].lesson)
    return cells.slice(*(number for c in declared for number in cells.calls("claim", c.id)))


@functools.cache
def whole(lesson):
    """What each claim measures when the notebook runs from top to bottom."""
    cells = program(lesson)
    return run(lesson, cells.slice(*range(len(cells.statements))))[0]


@functools.cache
def by_itself(claim_id):
    """What a claim measures in its slice at the lesson's own seed, and the names at the end."""
    declared = DECLARED[claim_id]
    values, names = run(declared.lesson, slice_of(declared))
    return values[claim_id], names


@functools.cache
def at_other_seeds(lesson, shift):
    """What the claims of a lesson measure with other seeds; what they share runs once."""
    tested = [declared for declared in TESTED if declared.lesson == lesson]
    return run(lesson, slice_of(*tested), seed_shift=shift)[0]


# ------------------------------------------------------------------ what an adversary may do


def shapes(value):
    """Shapes of the arrays in a value; anything else only by its kind."""
    if isinstance(value, tuple | list):
        return [shapes(part) for part in value]
    numbers = isinstance(value, np.ndarray | np.generic | float)
    return getattr(value, "shape", ()) if numbers else type(value)


def finite(value):
    """Say whether all numbers in a value are finite."""
    if isinstance(value, tuple | list):
        return all(finite(part) for part in value)
    return not isinstance(value, np.ndarray | float) or bool(np.isfinite(value).all())


def watched(adversary, original):
    """Call an adversary and hold it to the shapes of the original, at its first call."""
    compared = []

    @functools.wraps(adversary)
    def called(*arguments, **options):
        if not compared:
            wanted = shapes(original(*copy.deepcopy(arguments), **copy.deepcopy(options)))
        got = adversary(*arguments, **options)
        if not compared:
            compared.append(True)
            assert shapes(got) == wanted, "it gives other shapes than the original"
        assert finite(got), "it gives numbers that are not finite"
        return got

    return called


def original_of(names, dotted):
    """What a dotted name stands for."""
    first, *rest = dotted.split(".")
    return functools.reduce(getattr, rest, names[first])


def values_against(declared, adversary):
    """What a claim measures with an adversary put in."""
    names = by_itself(declared.id)[1]
    put_in = {
        name: watched(what, original_of(names, name)) if callable(what) else what
        for name, what in adversary.replace.items()
    }
    return run(declared.lesson, slice_of(declared), replace=put_in)[0][declared.id]


# ------------------------------------------------------------------ the tests


@each_claim
def test_a_slice_measures_exactly_what_the_whole_notebook_measures(declared):
    assert by_itself(declared.id)[0] == whole(declared.lesson)[declared.id]


@each_claim
def test_a_claim_holds_at_five_other_seeds(declared):
    for shift in SHIFTS:
        values = at_other_seeds(declared.lesson, shift)[declared.id]
        for measure in declared.measures:
            got = values[measure.keyword]
            assert measure.holds(got), f"seeds + {shift}: {measure.name} is {got:.6g}"


@pytest.mark.parametrize(
    ("declared", "adversary"),
    [(c, a) for c in TESTED for a in c.adversaries],
    ids=[f"{c.id}-{a.says[:40]}" for c in TESTED for a in c.adversaries],
)
def test_an_adversary_breaks_its_claim(declared, adversary):
    values = values_against(declared, adversary)
    assert declared.broken_by(values, by_itself(declared.id)[0]), f"it measures {values}"


@each_claim
def test_a_measured_claim_has_an_adversary(declared):
    assert declared.adversaries


def test_measured_values_that_depend_on_seeds_do_change_with_them():
    for claim_id in ("3.4", "4.5", "8.1", "9.2"):
        declared = DECLARED[claim_id]
        assert at_other_seeds(declared.lesson, SHIFTS[0])[claim_id] != by_itself(claim_id)[0]


# ------------------------------------------------------------------ the tests can fail


def test_an_adversary_with_other_shapes_or_infinite_numbers_is_noticed():
    original = np.zeros_like
    with pytest.raises(AssertionError, match="other shapes"):
        watched(lambda x: np.zeros(1), original)(np.ones(3))
    with pytest.raises(AssertionError, match="not finite"):
        watched(lambda x: x * math.nan, original)(np.ones(3))
    with pytest.raises(AssertionError, match="other shapes"):
        watched(lambda x: (x, x), original)(np.ones(3))
    assert watched(lambda x: x + 1, original)(np.ones(3)).tolist() == [2, 2, 2]


def test_the_original_put_in_as_its_own_adversary_breaks_nothing():
    for claim_id, name in (("2.2", "softmax"), ("4.5", "attention.self_attention")):
        honest, names = by_itself(claim_id)
        declared = DECLARED[claim_id]
        put_in = {name: original_of(names, name)}
        values = run(declared.lesson, slice_of(declared), replace=put_in)[0][claim_id]
        assert values == honest
        assert not declared.broken_by(values, honest)
