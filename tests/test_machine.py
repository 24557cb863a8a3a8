"""The sentence machine: its numbers in browser and NumPy, its stored models, its sentences."""

import itertools
import json
import math
import re

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from javascript import call, call_many, needs_node

from helpers.course.machine import (
    SentenceModel,
    name_model,
    scrubber,
    sentence_machine,
    stored_models,
    word_model,
)
from helpers.course.machine.model import ARRAYS, MASKS, may_look, packed
from helpers.course.machine.patterns import PEOPLE, SLOTS, START, patterns, words_in_menus
from helpers.course.machine.stored import KINDS, VARIANTS
from helpers.course.machine.training import name_models, word_models
from helpers.sentences import GLOSS, PRONOUNS, TOKENS

ENDING = {"names": ("走了",), "words": ()}


@pytest.fixture(autouse=True)
def shell():
    """A shell, as displaying needs one."""
    InteractiveShell.instance()


def shown(call, *args, **kwargs):
    with capture_output(stdout=False, stderr=False) as captured:
        call(*args, **kwargs)
    (output,) = captured.outputs
    return output.data["text/html"]


def sentences(kind):
    """Every pattern with nine pairs of people and each pronoun: (tokens, place of the pronoun)."""
    couples = [(a, b) for a, b in itertools.permutations(["小明", "小刚", "小红", "小猫"], 2)][:9]
    for pattern, (actor, other), pronoun in itertools.product(
        patterns(ENDING[kind]), couples, PRONOUNS.values()
    ):
        words = START | {"actor": actor, "other": other, "pronoun": pronoun}
        yield [words.get(s, s) for s in pattern["slots"]], pattern["slots"].index("pronoun")


@needs_node
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_browser_and_numpy_agree_on_weights_and_chances(kind, variant):
    model = stored_models(kind)[variant]
    words = words_in_menus(ENDING[kind])
    asked = list(sentences(kind))[::9]
    sent = model.packed(words)
    got = call_many(
        "course/machine/numbers.js",
        [("lookPacked", sent, [words.index(t) for t in tokens], row) for tokens, row in asked],
    )
    for (tokens, row), result in zip(asked, got, strict=True):
        weights, chances = model.look(tokens, row)
        np.testing.assert_allclose(result["weights"], weights, rtol=0, atol=1e-6)
        np.testing.assert_allclose(result["chances"], chances, rtol=0, atol=1e-6)


def some_model(rng, mask, heads=2, residual=True, positions=True, W_O=True, bias=True):
    width, d = 6, 3
    return SentenceModel(
        words=("a", "b", "c", "d"),
        vectors=rng.normal(size=(4, width)),
        W_Q=rng.normal(size=(heads, width, d)),
        W_K=rng.normal(size=(heads, width, d)),
        W_V=rng.normal(size=(heads, width, d)),
        readout=rng.normal(size=(width, 5)),
        answers=tuple("vwxyz"),
        mask=mask,
        residual=residual,
        positions=rng.normal(size=(7, width)) if positions else None,
        W_O=rng.normal(size=(heads * d, width)) if W_O else None,
        bias=rng.normal(size=5) if bias else None,
    )


def by_loops(model, tokens, row):
    """One layer, word by word and number by number."""
    ids = [model.words.index(t) for t in tokens]
    n, width = len(ids), model.vectors.shape[1]
    X = [
        [
            float(model.vectors[ids[i], c])
            + (0.0 if model.positions is None else float(model.positions[i, c]))
            for c in range(width)
        ]
        for i in range(n)
    ]

    def times(x, W):
        return [sum(x[k] * float(W[k, c]) for k in range(len(x))) for c in range(W.shape[1])]

    maps, brought = [], []
    for W_Q, W_K, W_V in zip(model.W_Q, model.W_K, model.W_V, strict=True):
        Q, K, V = ([times(x, W) for x in X] for W in (W_Q, W_K, W_V))
        table = []
        for i in range(n):
            powers = [
                math.exp(sum(a * b for a, b in zip(Q[i], K[j], strict=True)) / math.sqrt(len(K[j])))
                if may_look(model.mask, n)[i, j]
                else 0.0
                for j in range(n)
            ]
            table.append([p / sum(powers) for p in powers])
        maps.append(table)
        brought += [sum(table[row][j] * V[j][c] for j in range(n)) for c in range(len(V[0]))]
    out = times(brought, model.W_O) if model.W_O is not None else brought
    if model.residual:
        out = [a + b for a, b in zip(out, X[row], strict=True)]
    logits = times(out, model.readout)
    if model.bias is not None:
        logits = [a + float(b) for a, b in zip(logits, model.bias, strict=True)]
    powers = [math.exp(v) for v in logits]
    return np.array(maps), np.array(powers) / sum(powers)


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("parts", ["all parts", "no positions", "no residual", "bare"])
def test_one_look_is_what_the_loops_give(mask, parts):
    left_out = {
        "all parts": {},
        "no positions": {"positions": False},
        "no residual": {"residual": False},
        "bare": {"positions": False, "bias": False, "residual": False, "W_O": False},
    }[parts]
    model = some_model(np.random.default_rng(3), mask, **left_out)
    weights, chances = model.look("badcb", 2)
    wanted = by_loops(model, "badcb", 2)
    np.testing.assert_allclose(weights, wanted[0], atol=1e-12)
    np.testing.assert_allclose(chances, wanted[1], atol=1e-12)


@needs_node
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("left_out", [{}, {"positions": False, "bias": False, "W_O": False}])
def test_the_browser_computes_every_kind_of_layer(mask, left_out):
    model = some_model(np.random.default_rng(4), mask, **left_out)
    got = call("course/machine/numbers.js", "lookPacked", model.packed("abcd"), [1, 0, 3, 2], 1)
    weights, chances = model.look("badc", 1)
    np.testing.assert_allclose(got["weights"], weights, atol=1e-12)
    np.testing.assert_allclose(got["chances"], chances, atol=1e-12)


def test_the_stored_name_models_are_what_training_gives():
    for variant, model in name_models().items():
        stored = stored_models("names")[variant]
        for name in ("vectors", "W_Q", "W_K", "W_V", "readout"):
            np.testing.assert_allclose(getattr(stored, name), getattr(model, name), atol=1e-3)


def test_the_stored_word_models_are_what_training_gives():
    asked = list(sentences("words"))[::5]
    for variant, model in word_models().items():
        stored = stored_models("words")[variant]
        assert stored.words == model.words
        for tokens, row in asked:
            for got, wanted in zip(stored.look(tokens, row), model.look(tokens, row), strict=True):
                np.testing.assert_allclose(got, wanted, atol=0.02)


def test_a_model_for_the_machine_is_the_trained_model_itself():
    from helpers.training.coreference import untrained
    from helpers.training.next_word import untrained as untrained_words

    names, words = untrained(5), untrained_words(5)
    weights, chances = name_model(names).look(TOKENS, 8)
    scores = names.score_matrix(TOKENS)
    np.fill_diagonal(scores, -np.inf)
    shares = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(weights[0], shares, atol=1e-6)
    logits = shares[8] @ names.vectors(TOKENS) @ names.W_V @ names.readout
    np.testing.assert_allclose(chances, np.exp(logits) / np.exp(logits).sum(), atol=1e-6)
    weights, chances = word_model(words).look(TOKENS[:9], 8)
    np.testing.assert_allclose(weights[0], words.attention(TOKENS[:9]), atol=1e-5)
    np.testing.assert_allclose(chances, list(words.next_words(TOKENS[:9]).values()), atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_the_equal_model_gives_every_word_the_same_weight(kind):
    model = stored_models(kind)["equal"]
    tokens, row = next(sentences(kind))
    weights = model.look(tokens, row)[0][0]
    allowed = may_look(model.mask, len(tokens))
    np.testing.assert_allclose(weights, allowed / allowed.sum(axis=1, keepdims=True), atol=1e-7)


def test_the_trained_name_model_is_right_whenever_one_person_fits():
    model = stored_models("names")["trained"]
    group_of = {name: group for group, names in PEOPLE.items() for name in names}
    count = 0
    for tokens, row in sentences("names"):
        fits = [t for t in tokens if t in group_of and PRONOUNS[group_of[t]] == tokens[row]]
        if len(fits) == 1:
            weights, chances = model.look(tokens, row)
            assert model.answers[int(chances.argmax())] == fits[0]
            assert weights[0, row, tokens.index(fits[0])] > 0.8
            count += 1
    assert count > 40


def test_changing_he_to_she_moves_the_weight_to_the_woman():
    model = stored_models("names")["trained"]
    slots = patterns(("走了",))[0]["slots"]
    for pronoun, whom in (("他", "小明"), ("她", "小红")):
        tokens = [(START | {"pronoun": pronoun}).get(slot, slot) for slot in slots]
        row = tokens.index(pronoun)
        weights, chances = model.look(tokens, row)
        assert weights[0, row, tokens.index(whom)] > 0.95
        assert model.answers[int(chances.argmax())] == whom


def test_every_word_of_the_menus_has_a_gloss_and_every_slot_is_known():
    for kind in KINDS:
        assert [w for w in words_in_menus(ENDING[kind]) if not GLOSS.get(w)] == []
        known = set(words_in_menus(ENDING[kind])) | set(SLOTS)
        assert {s for p in patterns(ENDING[kind]) for s in p["slots"]} <= known


@pytest.mark.parametrize("kind", KINDS)
def test_every_word_that_the_machine_shows_travels_with_a_gloss_in_letters(kind):
    page = shown(sentence_machine, kind)
    data = json.loads(re.search(r'"application/json">(.*?)</script>', page)[1])
    for words, glosses in (("words", "glosses"), ("answers", "answer_glosses")):
        told = dict(zip(data[words], data[glosses], strict=True))
        assert [w for w, gloss in told.items() if not re.search(r"[A-Za-z]", gloss)] == []


def test_the_machine_is_one_output_that_asks_nothing_of_the_network():
    for page in (shown(sentence_machine, "names"), shown(sentence_machine, "words")):
        assert page.count("<script") == 2
        assert not re.search(r"https?://(?!www\.w3\.org)", page)
        assert len(page) < 550_000


def test_any_weights_with_glosses_of_their_own():
    page = shown(sentence_machine, weights=np.eye(2), tokens=["x", "他"], glosses=["axe", "he"])
    assert '"glosses":["axe","he"]' in page
    assert '"row":1' in page  # the pronoun
    assert '"shape":[1,2,2]' in page


def test_the_scrubber_holds_all_maps_and_steps():
    page = shown(scrubber, np.stack([np.eye(2)] * 3), ["a", "b"], steps=[0, 5, 9])
    assert '"shape":[3,2,2]' in page
    assert '"steps":[0,5,9]' in page


@needs_node
def test_packed_maps_arrive_as_they_are():
    maps = np.random.default_rng(0).uniform(size=(3, 4, 4))
    got = call("course/machine/numbers.js", "unpackHeads", packed(maps))
    np.testing.assert_allclose(got, maps, atol=1e-7)


@needs_node
@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ([0.9, 0.1, 0.0], "a looks at b: 0.90 of its weight."),
        ([0.4, 0.35, 0.25], "a has no favourite: the largest weight, 0.40, goes to b."),
        ([1 / 3, 1 / 3, 1 / 3], "Every word gets the same weight, 0.33: a looks at nobody in part"),
    ],
)
def test_where_a_word_looks_is_said_in_words(row, sentence):
    run = "((row) => lookSentence('a', ['b', 'c', 'd'], row, () => true))"
    assert call("course/machine/machine.js", run, row).startswith(sentence)


@needs_node
@pytest.mark.parametrize(
    ("n", "width", "kind"),
    [(9, 1100, "flat"), (9, 340, "tall"), (64, 1100, "thin"), (64, 340, "wrap")],
)
def test_words_are_laid_out_for_the_width(n, width, kind):
    layout = call("course/machine/stage.js", "layoutOf", n, 0, width)
    assert layout["kind"] == kind


@pytest.mark.parametrize(
    ("error", "kwargs", "sentence"),
    [
        (TypeError, {}, "needs a model, or weights"),
        (TypeError, {"model": "names", "weights": np.eye(2)}, "one of both"),
        (ValueError, {"model": "nouns"}, "kind must be one of names, words"),
        (TypeError, {"model": {"mine": 3}}, "SentenceModel or a dict of such, got int"),
        (TypeError, {"weights": np.eye(2)}, "tokens must be given"),
        (ValueError, {"weights": np.eye(3), "tokens": ["a", "b"]}, r"n = 2 tokens, got \(3, 3\)"),
        (ValueError, {"weights": -np.eye(2), "tokens": ["a", "b"]}, "are these scores"),
        (ValueError, {"weights": np.eye(2) * np.nan, "tokens": ["a", "b"]}, "from 0 to 1"),
        (ValueError, {"weights": np.eye(2), "tokens": "ab", "glosses": ["x"]}, "2, one a token"),
        (ValueError, {"weights": np.eye(2), "tokens": "ab", "row": 2}, "row must lie from 0 to 1"),
        (ValueError, {"weights": np.zeros((2, 200, 200)), "tokens": "a" * 200}, "at most"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence(error, kwargs, sentence):
    with pytest.raises(error, match=sentence):
        sentence_machine(**kwargs)


def test_a_sentence_that_a_model_cannot_read_is_refused():
    model = some_model(np.random.default_rng(0), "all")
    with pytest.raises(ValueError, match="does not know the word z"):
        model.look("abz", 0)
    with pytest.raises(ValueError, match="8 words, but the model has only 7 positions"):
        model.look("abcdabcd", 0)
    with pytest.raises(ValueError, match="9 words, but the model has only 7 positions"):
        sentence_machine(model)
    with pytest.raises(ValueError, match="does not know the word 小明"):
        sentence_machine(some_model(np.random.default_rng(0), "all", positions=False))
    names, words = stored_models("names")["trained"], stored_models("words")["trained"]
    with pytest.raises(ValueError, match="habits must tell what 小明 does"):
        sentence_machine(words)
    with pytest.raises(ValueError, match="must have the same answers"):
        sentence_machine({"one": names, "other": words})


def test_a_scrubber_without_a_step_for_each_map_is_refused():
    with pytest.raises(ValueError, match="2 maps and 3 steps"):
        scrubber(np.stack([np.eye(2)] * 2), ["a", "b"], steps=[0, 1, 2])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"mask": "none"}, "mask must be one of"),
        ({"bias": np.zeros(3)}, r"bias must have the shape \(5,\), got \(3,\)"),
        ({"W_K": np.full((2, 6, 3), np.nan)}, "W_K must hold finite numbers"),
        ({"readout": np.zeros((4, 5))}, r"readout must have the shape \(6, 5\)"),
        ({"positions": np.zeros((7, 5))}, r"positions must have the shape \(7, 6\)"),
    ],
)
def test_a_model_whose_parts_do_not_fit_is_refused(change, sentence):
    model = some_model(np.random.default_rng(0), "all")
    parts = {name: getattr(model, name) for name in (*ARRAYS, "words", "answers", "mask")}
    with pytest.raises(ValueError, match=sentence):
        SentenceModel(**(parts | change), residual=True)
