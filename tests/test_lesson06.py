"""Lesson 06: the corpus, models against plain loops, claims with other seeds, the pictures."""

import dataclasses
import math

import numpy as np
import pytest
import torch

from helpers import measure
from helpers import numpy_attention as attention
from helpers.lessons import lesson06
from helpers.lessons.lesson06 import experiment as relations
from helpers.lessons.lesson06 import figures as heads
from helpers.lessons.lesson06.experiment import ONE_ROW, TWO_ROWS, corpus, models

OTHER_SEEDS = range(5, 10)


# ---------------------------------------------------------------------------------- the corpus


def words_of(sentences):
    return [[corpus.WORDS[i] for i in row if i] for row in sentences.ids]


def test_the_roles_stand_where_the_grammar_puts_them():
    sentences = relations.make_sentences(np.random.default_rng(0), 400)
    lengths = set()
    for k, words in enumerate(words_of(sentences)):
        said = words.index("说")
        expected = {
            "speaker": said - 1,
            "he": said + 1,
            "subject": words.index("看见") + 1,
            "verb": words.index("了") - 1,
            "object": words.index("了") + 1,
        }
        assert {role: int(place[k]) for role, place in sentences.places.items()} == expected
        names = [corpus.NAMES[sentences.names(r)[k]] for r in ("speaker", "subject", "object")]
        assert names == [words[expected[r]] for r in ("speaker", "subject", "object")]
        assert len(set(names)) == 3
        assert words[expected["he"]] == "他"
        assert words[expected["verb"]] in corpus.VERBS
        lengths.add(len(words))
    assert lengths == {9, 10, 11, 12}


def test_every_name_plays_every_role():
    sentences = relations.make_sentences(np.random.default_rng(1), 5000)
    for role in ("speaker", "subject", "object"):
        assert set(sentences.names(role)) == set(range(64))


def test_the_example_of_the_lesson_is_a_sentence_of_the_corpus():
    sentences = relations.make_sentences(np.random.default_rng(2), 200)
    pattern = ["说", "他", "看见", "在", "了"]
    fixed = [[word for word in words if word in pattern] for words in words_of(sentences)]
    assert [word for word in relations.EXAMPLE if word in pattern] in fixed
    assert len(relations.EXAMPLE) == len(relations.EXAMPLE_GLOSSES)


def test_swapping_exchanges_two_names_and_leaves_the_rest():
    before = relations.make_sentences(np.random.default_rng(3), 50)
    after = before.swapped()
    np.testing.assert_array_equal(after.names("subject"), before.names("object"))
    np.testing.assert_array_equal(after.names("object"), before.names("subject"))
    assert ((after.ids != before.ids).sum(axis=1) == 2).all()
    np.testing.assert_array_equal(after.swapped().ids, before.ids)


def test_a_word_the_corpus_lacks_is_named():
    with pytest.raises(ValueError, match="no word '书'"):
        corpus.encode(("小明", "书"))
    with pytest.raises(ValueError, match="1 to 12 words, got 13"):
        corpus.encode(("小明",) * 13)


# ---------------------------------------------------------------------------------- the models


@pytest.fixture(scope="module")
def small():
    return relations.train_relations(ONE_ROW, num_heads=2, seeds=[3, 4], steps=12)


@pytest.fixture(scope="module")
def small_without_places():
    return relations.train_relations(
        TWO_ROWS, num_heads=4, seeds=[3], steps=12, place_in_values=False
    )


def look_with_loops(trained, which, tokens, row, without=None):
    """Output and weights of one row, head by head and number by number, in float64."""
    m = trained._models
    take = {name: p[which].detach().double().numpy() for name, p in m.named_parameters()}
    content = [take["words"][corpus.WORD_ID[token]] for token in tokens]
    X = [word + take["places"][j] for j, word in enumerate(content)]
    d_head = 32 // trained.num_heads
    output, weights = np.zeros(32), []
    for h in range(trained.num_heads):
        own = slice(h * d_head, (h + 1) * d_head)
        query = X[row] @ take["W_Q"][:, own]
        scores = [query @ (x @ take["W_K"][:, own]) / math.sqrt(d_head) for x in X]
        exps = [math.exp(s - max(scores)) for s in scores]
        weights.append([e / math.fsum(exps) for e in exps])
        values = X if m.place_in_values else content
        mixed = sum(w * (v @ take["W_V"][:, own]) for w, v in zip(weights[-1], values, strict=True))
        if h != without:
            output += mixed @ take["W_O"][own]
    return output, np.array(weights)


@pytest.mark.parametrize("which", [0, 1])
def test_maps_are_those_of_plain_loops(small, which):
    tokens = relations.EXAMPLE
    maps = small.maps(tokens, seed=small.seeds[which])
    for row in (0, 2, 8):
        _, weights = look_with_loops(small, which, tokens, row)
        np.testing.assert_allclose(maps[:, row], weights, atol=2e-6)


@pytest.mark.parametrize("without", [None, 0, 1])
def test_answers_are_those_of_plain_loops(small, without):
    for which in (0, 1):
        test = small.tests[which]
        given = small._answers(without)[which]
        for k in range(6):
            tokens = words_of(test)[k]
            output, _ = look_with_loops(small, which, tokens, test.places["verb"][k], without)
            for q, readout in enumerate(small._models.readouts):
                scores = output @ readout[which].detach().double().numpy()
                assert scores[given[k, q]] > scores.max() - 1e-5


def test_values_without_places_carry_the_word_alone(small_without_places):
    output, _ = small_without_places._look(small_without_places.tests)
    test = small_without_places.tests[0]
    for k in range(4):
        for asked, role in enumerate(("he", "verb")):
            row = test.places[role][k]
            wanted, _ = look_with_loops(small_without_places, 0, words_of(test)[k], row)
            np.testing.assert_allclose(output[0, k, asked], wanted, atol=2e-6)


def test_mean_weights_are_means_of_the_maps(small):
    few = [
        relations.Sentences(test.ids[:50], {role: at[:50] for role, at in test.places.items()})
        for test in small.tests
    ]
    trained = dataclasses.replace(small, tests=tuple(few))
    wanted = np.zeros((2, 2))
    for k, tokens in enumerate(words_of(few[1])):
        maps = trained.maps(tokens, seed=4)[:, few[1].places["verb"][k]]
        at = [few[1].places[role][k] for role in ("subject", "object")]
        wanted += maps[:, at]  # (num_heads, questions)
    np.testing.assert_allclose(trained.weights_on_answers()[1], wanted / 50, atol=1e-5)


def test_models_of_several_seeds_do_not_meet(small):
    alone = relations.train_relations(ONE_ROW, num_heads=2, seeds=[4], steps=12)
    np.testing.assert_allclose(small.losses[:, 1], alone.losses[:, 0], rtol=1e-4)
    np.testing.assert_allclose(small.losses[0], [2 * math.log(64)] * 2, rtol=0.02)


def test_all_numbers_of_heads_have_the_same_number_of_parameters(small, small_without_places):
    by_hand = 32 * (len(corpus.WORDS) + corpus.LENGTH + 4 * 32 + 2 * 64)
    assert small.num_parameters == small_without_places.num_parameters == by_hand


def test_an_interrupted_training_gives_the_threads_back(monkeypatch):
    before = torch.get_num_threads()

    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(models.F, "cross_entropy", stop)
    with pytest.raises(KeyboardInterrupt):
        relations.train_relations(ONE_ROW, num_heads=1, seeds=[0], steps=2)
    assert torch.get_num_threads() == before


def test_a_seed_that_was_not_trained_is_refused(small):
    with pytest.raises(ValueError, match="one of \\(3, 4\\), got 0"):
        small.maps(relations.EXAMPLE, seed=0)


def test_a_split_is_clean_only_if_each_head_serves_one_question_and_none_is_left():
    tables = {
        "clean": ([[0.95, 0.0], [0.0, 0.95]], True),
        "three heads": ([[0.95, 0.0], [0.0, 0.95], [0.99, 0.0]], True),
        "half and half": ([[0.5, 0.5], [0.5, 0.5]], False),
        "both on one": ([[0.95, 0.0], [0.95, 0.0]], False),
        "one does both": ([[0.95, 0.95], [0.0, 0.95]], False),
        "one idle": ([[0.95, 0.0], [0.0, 0.3]], False),
    }
    for name, (table, wanted) in tables.items():
        assert relations.clean_splits(np.array([table])).tolist() == [wanted], name


# ----------------------------------------------------------------- the claims, with other seeds


@pytest.fixture(scope="module")
def trained():
    return {
        name: relations.train_relations(questions, num_heads, OTHER_SEEDS, steps)
        for name, questions, num_heads, steps in (
            ("two rows", TWO_ROWS, 1, 400),
            ("one row", ONE_ROW, 1, 400),
            ("two heads", ONE_ROW, 2, 400),
            ("relaxed", TWO_ROWS, 2, 200),
        )
    }


def test_one_head_serves_two_rows_and_not_one_row_with_other_seeds(trained):
    lesson06.claim(
        "6.1",
        both_right_in_two_rows=trained["two rows"].both_right().min(),
        both_right_in_one_row=trained["one row"].both_right().mean(),
    )
    assert trained["two heads"].both_right().mean() > 0.9


def test_what_the_lesson_says_of_the_compromise_holds_with_other_seeds(trained):
    one, two = trained["one row"], trained["two heads"]
    assert one.names_someone_asked_for().mean() > 0.9
    assert np.median(one.weights_on_answers()[:, 0], axis=0).min() > 0.35
    assert (one.accuracy()[:, 0] > one.accuracy()[:, 1]).sum() >= 4
    assert np.median(one.change_when_swapped()) < 0.4
    assert np.median(two.change_when_swapped()) > 1


def test_heads_split_the_work_only_where_one_row_needs_two_with_other_seeds(trained):
    split, relaxed = trained["two heads"], trained["relaxed"]
    lesson06.claim(
        "6.3",
        clean_splits_of_five_where_one_row_needs_two=relations.clean_splits(
            split.weights_on_answers()
        ).sum(),
        where_no_row_needs_two=relations.clean_splits(relaxed.weights_on_answers()).sum(),
    )
    clean = relations.clean_splits(split.weights_on_answers())
    for head in range(2):
        left = np.sort(split.accuracy(without=head)[clean], axis=1)
        assert (left[:, 0] < 0.2).all()
        assert (left[:, 1] > 0.9).all()
        assert (relaxed.accuracy(without=head) > 0.6).all()


def test_patience_helps_one_head_only_through_the_places_in_its_values():
    long = {"seeds": [5], "steps": 5 * relations.STEPS}
    patient = relations.train_relations(ONE_ROW, 1, **long)
    assert patient.both_right()[0] > 0.7
    assert patient.weights_on_answers()[0, 0].max() < 0.7
    blind = relations.train_relations(ONE_ROW, 1, place_in_values=False, **long)
    assert blind.both_right()[0] < 0.5


@pytest.mark.parametrize("seed", OTHER_SEEDS)
def test_cutting_gives_what_separate_heads_give_with_other_numbers(seed):
    rng = np.random.default_rng(seed)
    X, *W = rng.normal(size=(10, 8)), *rng.normal(size=(3, 8, 8))

    def heads_of(X):
        return [
            attention.self_attention(X, *(M[:, 4 * h : 4 * h + 4] for M in W))[0] for h in range(2)
        ]

    Q, K, V = (attention.split_heads(X @ M, 2) for M in W)
    merged = attention.merge_heads(attention.scaled_dot_product_attention(Q, K, V)[0])
    moved = X.copy()
    moved[:, 0] += 1
    changes = [a - b for a, b in zip(heads_of(X), heads_of(moved), strict=True)]
    lesson06.claim(
        "6.2",
        cut_and_separate_heads_differ_by=np.abs(merged - np.hstack(heads_of(X))).max(),
        heads_that_feel_one_column_of_X=np.mean([np.abs(c).max() > 0.01 for c in changes]),
    )


@pytest.mark.parametrize("seed", [5, 6])
def test_costs_grow_as_claimed_with_other_numbers(seed):
    rng = np.random.default_rng(seed)
    X, *W = rng.normal(size=(1024, 128)), *rng.normal(size=(4, 128, 128))
    X, *W = (M.astype(np.float32) for M in (X, *W))

    def layer(num_heads):
        return lambda: attention.multi_head_attention(X, *W, num_heads)

    flops = [sum(measure.attention_flops(1024, 128, h).values()) for h in (1, 8)]
    memory = [measure.peak_memory(layer(h)) for h in (1, 8)]
    lesson06.claim(
        "6.4",
        matrix_products_with_8_heads=flops[1] / flops[0],
        peak_memory_with_8_heads=memory[1] / memory[0],
    )


# -------------------------------------------------------------------------------- the pictures


def numbered(n, width):
    return 10 * np.arange(n)[:, None] + np.arange(width)


def colours_of(axes):
    return np.asarray(axes.images[0].get_array())


def test_colours_follow_each_number_into_its_head():
    X = numbered(4, 8)
    ways = {"right": attention.split_heads(X, 2), "wrong": X.reshape(2, 4, 4)}
    figure = heads.landing(X, ways)
    axes = np.array(figure.axes).reshape(2, 3)
    for line, split in zip(axes, ways.values(), strict=True):
        whole = colours_of(line[0])
        for h, part in enumerate(split):
            own = colours_of(line[h + 1])
            assert (own == own[0, 0]).all()
            for value in part.ravel():
                assert (whole[value // 10, value % 10] == own[0, 0]).all()
        shown = [text.get_text() for text in line[1].texts]
        assert shown == [f"{value:02d}" for value in split[0].ravel()]
    assert (colours_of(axes[0, 0])[:, 0] == colours_of(axes[0, 0])[0, 0]).all()
    assert (colours_of(axes[1, 0])[0] == colours_of(axes[1, 0])[0, 0]).all()


def test_numbers_that_are_not_those_of_x_are_refused():
    with pytest.raises(ValueError, match="exactly the numbers of X"):
        heads.landing(numbered(2, 4), {"right": np.zeros((2, 2, 2))})
    with pytest.raises(ValueError, match="at most 4"):
        heads.landing(numbered(2, 8), {"right": numbered(2, 8).reshape(8, 2, 1)})


def test_a_wrong_cut_is_drawn_beside_the_wanted_one():
    verdict = lesson06.split_heads.check(lambda X, h: X.reshape(len(X), h, X.shape[1], -1))
    assert verdict.state == "wrong"
    assert "reshapes straight" in str(verdict)
    assert "<img" in verdict._repr_html_()


def test_pictures_show_the_numbers_they_are_given():
    dots = heads.seed_dots({"one": [0.2, 0.4], "two": [1.0, 1.0]})
    assert "one: 0.30, two: 1.00" in dots.caption
    tables = heads.weights_of_heads([[[0.1, 0.9], [0.8, 0.2]]], ["who?", "whom?"], [7])
    assert [t.get_text() for t in tables.axes[0].texts] == ["0.10", "0.90", "0.80", "0.20"]
    assert tables.axes[0].get_title(loc="left") == "seed 7"
    without = heads.without_each_head([[1.0, 1.0]], [[[0.0, 1.0]], [[1.0, 0.0]]], ["a", "b"], [0])
    rows = [label.get_text() for label in without.axes[0].get_yticklabels()]
    assert rows == ["all heads", "without head 0", "without head 1"]
    growth = heads.growth_with_heads([1, 2, 4], {"memory": [5, 10, 20]})
    np.testing.assert_allclose(growth.axes[0].lines[0].get_ydata(), [1, 2, 4])


def test_heads_are_numbered_as_in_the_code():
    maps = heads.maps_of_heads(np.full((2, 3, 3), 1 / 3), ["a", "b", "c"], mark_row=1)
    titles = [axes.get_title(loc="left") or axes.get_title() for axes in maps.axes[:2]]
    assert titles == ["head 0", "head 1"]
