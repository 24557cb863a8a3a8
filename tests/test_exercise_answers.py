"""Exercises reject every wrong answer that was seen in public, and accept unusual right ones."""

import importlib
import importlib.util

import numpy as np
import pytest
from cases.exercise_answers import KINDS

# where the exercise of each kind lives
HOMES = {
    "softmax": ("lesson04", "softmax"),
    "scores": ("lesson04", "scores"),
    "self_attention": ("lesson04", "self_attention"),
    "split_heads": ("lesson06", "split_heads"),
    "merge_heads": ("lesson06", "merge_heads"),
    "multi_head_attention": ("lesson06", "multi_head_attention"),
    "kv_cache": ("lesson07", "kv_cache"),
    "online_softmax": ("lesson07", "online_softmax"),
    "sinusoid": ("lesson08", "sinusoidal_positions"),
    "causal_mask": ("lesson09", "causal_mask"),
    "padding_mask": ("lesson09", "padding_mask"),
}
WRITTEN = [
    kind
    for kind, (lesson, _) in HOMES.items()
    if importlib.util.find_spec(f"helpers.lessons.{lesson}") is not None
]


def exercise_of(kind):
    """Return the course's exercise for a kind."""
    lesson, name = HOMES[kind]
    return getattr(importlib.import_module(f"helpers.lessons.{lesson}"), name)


def answers(group):
    """List the wrong or the unusual answers of all kinds whose lesson is there."""
    return [
        pytest.param(kind, entry, id=entry["id"])
        for kind in WRITTEN
        for entry in KINDS[kind][group]
    ]


def keep_mask(function, ids, pad_id=0):
    """Return a padding mask as it meets scores of shape (batch, 2, n, n)."""
    batch, n = ids.shape
    return np.broadcast_to(function(ids, pad_id), (batch, 2, n, n))


def token_by_token(function, xs, pe, w_q, w_k, w_v):
    """Return the outputs of a cache that is stepped over several sequences."""
    outputs = []
    for x in xs:
        cache = None
        for t, x_t in enumerate(x):
            output, cache = function(x_t, t, cache, w_q, w_k, w_v, pe)
            outputs.append(output)
    return np.stack(outputs)


DRIVERS = {"padding_mask": keep_mask, "kv_cache": token_by_token}


def test_every_kind_has_a_home():
    assert set(HOMES) == set(KINDS)


@pytest.mark.parametrize("kind", WRITTEN)
def test_the_reference_agrees_with_another_implementation(kind):
    theirs, ours = KINDS[kind]["reference"], exercise_of(kind).reference
    run = DRIVERS.get(kind, lambda function, **given: function(*given.values()))
    for given in KINDS[kind]["inputs"]:
        if given["must_raise"]:
            with pytest.raises(ValueError, match=r"\w"):
                run(ours, **given["make"]())
            continue
        want, got = run(theirs, **given["make"]()), run(ours, **given["make"]())
        if isinstance(got, tuple) and not isinstance(want, tuple):
            got = got[0]  # the output; the weights beside it are the course's own
        for g, w in zip(
            got if isinstance(got, tuple) else (got,),
            want if isinstance(want, tuple) else (want,),
            strict=True,
        ):
            np.testing.assert_allclose(g, w, rtol=1e-9, atol=1e-12, err_msg=given["id"])


@pytest.mark.parametrize("kind", WRITTEN)
def test_another_right_implementation_is_accepted(kind):
    verdict = exercise_of(kind).check(KINDS[kind]["reference"])
    assert verdict.correct, verdict


@pytest.mark.parametrize(("kind", "entry"), answers("wrong"))
def test_a_wrong_answer_is_rejected(kind, entry):
    exercise = exercise_of(kind)
    verdict = exercise.check(entry["fn"])
    assert verdict.state == "wrong", entry["note"]
    assert not any(exercise.accepts(entry["fn"], seed) for seed in range(10)), entry["note"]


@pytest.mark.parametrize(("kind", "entry"), answers("unusual"))
def test_an_unusual_right_answer_is_accepted(kind, entry):
    exercise = exercise_of(kind)
    verdict = exercise.check(entry["fn"])
    assert verdict.correct, (entry["note"], verdict)
    assert all(exercise.accepts(entry["fn"], seed) for seed in range(10)), entry["note"]
