"""Wrong answers made by machine are rejected, by check and by grade, at several seeds."""

import pytest
from cases.equal_mutants import EQUAL
from mutants import SEEDS, exercises, mutants

from helpers.course.compare import matches
from helpers.course.judging import sentence_of

ALL = {exercise.name: exercise for exercise in exercises()}
NAMED = [pytest.param(exercise, id=name) for name, exercise in ALL.items()]
FUNCTIONS = [param for param in NAMED if not isinstance(param.values[0].reference, type)]


@pytest.fixture(scope="module")
def made():
    """Every exercise's mutants, each made once."""
    return {name: mutants(exercise) for name, exercise in ALL.items()}


@pytest.mark.parametrize("exercise", NAMED)
def test_every_mutant_is_killed_by_check_and_by_grade(exercise, made):
    seeds = SEEDS[:2] if isinstance(exercise.reference, type) else SEEDS  # dropout is slow
    alive = [
        f"{mutant.change} (seed {seed})"
        for mutant in made[exercise.name]
        if (exercise.name, mutant.change) not in EQUAL
        for seed in seeds
        if exercise.accepts(mutant.answer, seed)
    ]
    assert not alive, "\n".join(alive)


@pytest.mark.parametrize("exercise", NAMED)
def test_there_are_six_mutants_that_are_not_equal(exercise, made):
    changes = {(exercise.name, mutant.change) for mutant in made[exercise.name]}
    assert len(changes - set(EQUAL)) >= 6


@pytest.mark.parametrize(("name", "change"), EQUAL)
def test_an_equal_mutant_is_there_and_is_accepted(name, change, made):
    found = [mutant for mutant in made[name] if mutant.change == change]
    assert found, "no such mutant: the reference has changed"
    assert ALL[name].accepts(found[0].answer, SEEDS[0])
    assert EQUAL[name, change]


@pytest.mark.parametrize(
    "exercise", [p for p in NAMED if not isinstance(p.values[0].reference, type)]
)
def test_a_misconception_that_is_named_explains_other_inputs_too(exercise, made):
    named = {sentence_of(wrong): wrong for wrong in exercise.wrong}
    for mutant in made[exercise.name][::3]:
        wrong = named.get(exercise.check(mutant.answer).cause)
        if wrong is None:
            continue
        for seed in (1, 2):
            theirs, ours = exercise.outcomes(mutant.answer, seed), exercise.outcomes(wrong, seed)
            for mine, other in zip(theirs, ours, strict=True):
                assert bool(mine.error) == bool(other.error), (mutant.change, wrong.__name__)
                if mine.value is not None and other.value is not None:
                    assert matches(mine.value, other.value), (mutant.change, wrong.__name__)
