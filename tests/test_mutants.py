"""Wrong answers made by machine are rejected, by check and by grade, at several seeds."""

import pytest
from cases.equal_mutants import EQUAL
from mutants import SEEDS, exercises, mutants

ALL = {exercise.name: exercise for exercise in exercises()}
NAMED = [pytest.param(exercise, id=name) for name, exercise in ALL.items()]


@pytest.fixture(scope="module")
def made():
    """Every exercise's mutants, each made once."""
    return {name: mutants(exercise) for name, exercise in ALL.items()}


@pytest.mark.parametrize("exercise", NAMED)
def test_every_mutant_is_killed_by_check_and_by_grade(exercise, made):
    alive = [
        f"{mutant.change} (seed {seed})"
        for mutant in made[exercise.name]
        if (exercise.name, mutant.change) not in EQUAL
        for seed in SEEDS
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
