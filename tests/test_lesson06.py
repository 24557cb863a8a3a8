"""Lesson 06: the corpus, the models against plain loops and slopes, the pictures."""

import math

import numpy as np
import pytest

from helpers import numpy_attention as attention
from helpers.lessons import lesson06
from helpers.lessons.lesson06 import experiment, figures
from helpers.lessons.lesson06.experiment import ONE_ROW, TWO_ROWS, corpus, models
from helpers.sentences import CHARACTERS, GLOSS

# ---------------------------------------------------------------------------------- the corpus


def words_of(sentences):
    return [[corpus.WORDS[i] for i in row if i] for row in sentences.ids]


def test_the_roles_stand_where_the_grammar_puts_them():
    sentences = experiment.make_sentences(np.random.default_rng(0), 400)
    lengths = set()
    for k, words in enumerate(words_of(sentences)):
        said = words.index("说")
        expected = {
            "speaker": said - 1,
            "pronoun": said + 1,
            "subject": words.index("看见") + 1,
            "verb": words.index("了") - 1,
            "object": words.index("了") + 1,
        }
        assert {role: int(place[k]) for role, place in sentences.places.items()} == expected
        names = [corpus.NAMES[sentences.names(r)[k]] for r in ("speaker", "subject", "object")]
        assert names == [words[expected[r]] for r in ("speaker", "subject", "object")]
        assert len(set(names)) == 3
        assert words[expected["pronoun"]] == ("他" if names[0] in CHARACTERS["male"] else "她")
        assert words[expected["verb"]] in corpus.VERBS
        lengths.add(len(words))
    assert lengths == {9, 10, 11, 12}


@pytest.mark.parametrize("held_out", [False, True])
def test_everybody_plays_every_role(held_out):
    sentences = experiment.make_sentences(np.random.default_rng(1), 4000, held_out)
    for role in ("speaker", "subject", "object"):
        assert set(sentences.names(role)) == set(range(16))


def test_no_threesome_of_the_test_meets_in_training_in_whatever_roles():
    def threesomes(sentences):
        people = [sentences.names(role) for role in ("speaker", "subject", "object")]
        return {frozenset(three) for three in zip(*people, strict=True)}

    trained = experiment.make_sentences(np.random.default_rng([3, 0]), 20000)
    tested = experiment.unseen(3)
    assert not threesomes(trained) & threesomes(tested)
    assert not threesomes(trained) & threesomes(tested.swapped())


def test_the_example_of_the_lesson_is_a_sentence_of_the_corpus():
    sentences = experiment.make_sentences(np.random.default_rng(2), 200)
    pattern = ["说", "他", "看见", "在", "了"]
    fixed = [[word for word in words if word in pattern] for words in words_of(sentences)]
    assert [word for word in experiment.EXAMPLE if word in pattern] in fixed


def test_sentences_are_written_with_the_meaning_of_every_word():
    written = experiment.unseen(0).written(2)
    for line, words in zip(written, words_of(experiment.unseen(0)), strict=False):
        assert line.split(" · ") == [f"{word} {GLOSS[word]}" for word in words]


def test_swapping_exchanges_two_names_and_leaves_the_rest():
    before = experiment.make_sentences(np.random.default_rng(3), 50)
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


def look(model, sentences):
    X = model.words[sentences.ids] + model.places
    mask = attention.padding_mask(sentences.ids, 0)
    return attention.multi_head_attention(X, *model.matrices, model.num_heads, mask)


@pytest.fixture(scope="module")
def small():
    return experiment.train(ONE_ROW, num_heads=2, seeds=[3, 4], steps=12)


def loss_with_loops(model, place_in_values, sentences):
    """Mean cross-entropy of both questions, word by word and head by head, in float64."""
    d_head = models.D_MODEL // model.num_heads
    W_Q, W_K, W_V, W_O = model.matrices
    total = 0.0
    for k, ids in enumerate(sentences.ids):
        content = [model.words[i] for i in ids if i]
        X = [word + model.places[j] for j, word in enumerate(content)]
        for (role, wanted), readout in zip(model.questions, model.readouts, strict=True):
            query, output = X[sentences.places[role][k]], np.zeros(models.D_MODEL)
            for h in range(model.num_heads):
                own = slice(h * d_head, (h + 1) * d_head)
                scores = [query @ W_Q[:, own] @ (x @ W_K[:, own]) / math.sqrt(d_head) for x in X]
                exps = [math.exp(s - max(scores)) for s in scores]
                values = X if place_in_values else content
                mixed = sum(e * (v @ W_V[:, own]) for e, v in zip(exps, values, strict=True))
                output += mixed / math.fsum(exps) @ W_O[own]
            if len(readout) == 2:
                output = np.array([max(x, 0.0) for x in output @ readout[0]])
            logits = output @ readout[-1]
            right = logits[sentences.names(wanted)[k]]
            total += math.log(sum(math.exp(x - right) for x in logits))
    return total / len(sentences.ids)


@pytest.mark.parametrize(
    ("questions", "num_heads", "hidden", "place_in_values"),
    [(ONE_ROW, 2, 0, True), (TWO_ROWS, 1, 8, True), (TWO_ROWS, 4, 8, False)],
)
def test_loss_and_slopes_are_those_of_plain_loops(questions, num_heads, hidden, place_in_values):
    layer = models._Layer([0, 1], questions, num_heads, hidden, place_in_values)
    for part in layer.parameters():  # large enough that weights are far from even
        part *= 2
    two = [experiment.make_sentences(np.random.default_rng(seed), 3) for seed in (0, 1)]
    ids = np.stack([s.ids for s in two])
    rows = np.stack([np.stack([s.places[row] for row, _ in questions], -1) for s in two])
    wanted = np.stack([np.stack([s.names(role) for _, role in questions], -1) for s in two])
    losses, gradients = layer.loss_and_gradients(ids, rows, wanted)

    def by_loops(seed):
        return loss_with_loops(layer.model(seed, questions), place_in_values, two[seed])

    np.testing.assert_allclose(losses, [by_loops(0), by_loops(1)], rtol=1e-5)
    for part, gradient in zip(layer.parameters(), gradients, strict=True):
        where = np.unravel_index(np.abs(gradient[1]).argmax(), part[1].shape)
        kept, nudge = part[1][where].copy(), np.float32(2**-8)
        part[1][where] = kept + nudge
        above = by_loops(1)
        part[1][where] = kept - nudge
        slope = (above - by_loops(1)) / (2 * float(nudge))
        part[1][where] = kept
        assert gradient[1][where] == pytest.approx(slope, rel=0.01)


def test_models_of_several_seeds_do_not_meet(small):
    alone = experiment.train(ONE_ROW, num_heads=2, seeds=[4], steps=12).models[0]
    beside = small.models[1]
    pairs = [(alone.words, beside.words), *zip(alone.matrices, beside.matrices, strict=True)]
    for one, other in pairs:
        np.testing.assert_allclose(one, other, atol=1e-4)


def test_all_numbers_of_heads_have_the_same_number_of_parameters(small):
    by_hand = 32 * (len(corpus.WORDS) + corpus.LENGTH + 4 * 32 + 2 * 16)
    one = experiment.train(TWO_ROWS, num_heads=1, seeds=[0], steps=1)
    assert small.models[0].num_parameters == one.models[0].num_parameters == by_hand


def test_what_is_measured_is_counted_sentence_by_sentence(small):
    few = small.tests[1]
    model = small.models[1]
    weights = np.zeros((2, 2))
    right = np.zeros((len(few.ids), 2), dtype=bool)
    for k, tokens in enumerate(words_of(few)):
        X = model.words[few.ids[k][: len(tokens)]] + model.places[: len(tokens)]
        output, maps = attention.multi_head_attention(X, *model.matrices, 2)
        np.testing.assert_allclose(model.maps(tokens), maps, atol=1e-12)
        verb = few.places["verb"][k]
        for q, role in enumerate(("subject", "object")):
            weights[:, q] += maps[:, verb, few.places[role][k]] / len(few.ids)
            best = (output[verb] @ model.readouts[q][0]).argmax()
            right[k, q] = corpus.NAMES[best] == tokens[few.places[role][k]]
    np.testing.assert_allclose(small.on_answers(look)[1], weights)
    assert small.each_right(look)[1].tolist() == right.mean(axis=0).tolist()
    assert small.both_right(look)[1] == right.all(axis=1).mean()


def test_a_head_that_is_taken_out_brings_nothing_and_the_other_is_kept(small):
    model, test = small.models[0], small.tests[0]
    both = look(model, test)[0]
    parts = [look(model.without(head), test)[0] for head in (0, 1)]
    np.testing.assert_allclose(parts[0] + parts[1], both, atol=1e-12)
    assert not np.allclose(parts[0], both)
    np.testing.assert_array_equal(model.without(1).matrices[3][16:], 0)


# -------------------------------------------------------------------------------- the pictures


def numbered(n, width):
    return 10 * np.arange(n)[:, None] + np.arange(width)


def colours_of(axes):
    return np.asarray(axes.images[0].get_array())


def test_colours_follow_each_number_into_its_head():
    X = numbered(4, 8)
    ways = {"right": attention.split_heads(X, 2), "wrong": X.reshape(2, 4, 4)}
    figure = figures.landing(X, ways)
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
        figures.landing(numbered(2, 4), {"right": np.zeros((2, 2, 2))})
    with pytest.raises(ValueError, match="at most 4"):
        figures.landing(numbered(2, 8), {"right": numbered(2, 8).reshape(8, 2, 1)})


def test_a_wrong_cut_is_drawn_beside_the_wanted_one():
    verdict = lesson06.split_heads.check(lambda X, h: X.reshape(len(X), h, X.shape[1], -1))
    assert verdict.state == "wrong"
    assert "reshapes straight" in str(verdict)
    assert "<img" in verdict._repr_html_()


def test_pictures_show_the_numbers_they_are_given():
    dots = figures.seed_dots({"one": [0.2, 0.4], "two": [1.0, 1.0]})
    assert "one: 0.30, two: 1.00" in dots.caption
    tables = figures.weights_of_heads([[[0.1, 0.9], [0.8, 0.2]]], ["who?", "whom?"], [7])
    assert [t.get_text() for t in tables.axes[0].texts] == ["0.10", "0.90", "0.80", "0.20"]
    assert tables.axes[0].get_title(loc="left") == "seed 7"
    left = figures.without_each_head([[1.0, 1.0]], [[[0.0, 1.0]], [[1.0, 0.0]]], ["a", "b"], [0])
    rows = [label.get_text() for label in left.axes[0].get_yticklabels()]
    assert rows == ["all heads", "without head 0", "without head 1"]
    growth = figures.growth_with_heads([1, 2, 4], {"memory": [5, 10, 20]})
    np.testing.assert_allclose(growth.axes[0].lines[0].get_ydata(), [1, 2, 4])
