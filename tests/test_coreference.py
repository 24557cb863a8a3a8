"""The model that finds who 他 is: its gradient is right, it learns, and it looks at the name."""

from dataclasses import fields

import numpy as np
import pytest

from helpers.sentences import (
    CHARACTERS,
    NAMES,
    PRONOUNS,
    RIVAL_TEMPLATES,
    RUNNING_SENTENCE,
    TEMPLATES,
    TOKEN_ID,
    TOKENS,
    UNSEEN_TEMPLATES,
    VOCABULARY,
    Sentence,
    make_sentence,
)
from helpers.training import coreference
from helpers.training.coreference import (
    Coreference,
    batch_of,
    loss_and_gradients,
    train_coreference,
    untrained,
)

PARTS = [field.name for field in fields(Coreference)]


def sentences_of(seed, count, templates=TEMPLATES, held_out=None):
    rng = np.random.default_rng(seed)
    return [make_sentence(rng, templates, held_out) for _ in range(count)]


def uneven_model(seed):
    """A model whose five arrays are large and all of different widths, so no slip can hide."""
    rng = np.random.default_rng(seed)
    shapes = (len(VOCABULARY), 5), (5, 4), (5, 4), (5, 3), (3, len(NAMES))
    return Coreference(*(rng.normal(size=shape) for shape in shapes))


@pytest.fixture(scope="module")
def trained():
    return {seed: train_coreference(seed) for seed in range(5)}


def torch_answers(model, sentences):
    """Loss by torch, one sentence after the other and position by position, with its tensors."""
    torch = pytest.importorskip("torch")
    E, W_Q, W_K, W_V, readout = tensors = [
        torch.tensor(getattr(model, part), requires_grad=True) for part in PARTS
    ]
    loss = 0.0
    for sentence in sentences:
        X = E[[TOKEN_ID[token] for token in sentence.tokens]]
        scores = X[sentence.pronoun] @ W_Q @ (X @ W_K).T / W_Q.shape[1] ** 0.5
        hidden = torch.arange(len(X)) == sentence.pronoun
        weights = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=0)
        logits = weights @ (X @ W_V) @ readout
        loss = loss - torch.log_softmax(logits, dim=0)[NAMES.index(sentence.answer)]
    return loss / len(sentences), tensors


@pytest.mark.parametrize("seed", range(3))
def test_gradient_by_hand_is_the_one_torch_finds_position_by_position(seed):
    model = uneven_model(seed)
    sentences = sentences_of(seed, 30, TEMPLATES + RIVAL_TEMPLATES + UNSEEN_TEMPLATES)
    loss, gradients = loss_and_gradients(model, *batch_of(sentences))
    torch_loss, tensors = torch_answers(model, sentences)
    torch_loss.backward()
    assert loss == pytest.approx(torch_loss.item(), rel=1e-12)
    for part, tensor in zip(PARTS, tensors, strict=True):
        wanted = tensor.grad.numpy()
        error = np.abs(getattr(gradients, part) - wanted).max()
        assert error < 1e-12 * max(1, np.abs(wanted).max()), part


@pytest.mark.parametrize("part", PARTS)
def test_gradient_by_hand_is_the_slope_of_the_loss(part):
    model = uneven_model(3)
    batch = batch_of(sentences_of(3, 20))
    gradient = getattr(loss_and_gradients(model, *batch)[1], part)
    array = getattr(model, part)
    rng = np.random.default_rng(0)
    used = np.argwhere(gradient != 0)
    step = 1e-5
    for entry in map(tuple, rng.choice(used, size=12)):
        before = array[entry]
        losses = []
        for moved in (before + step, before - step):
            array[entry] = moved
            losses.append(loss_and_gradients(model, *batch)[0])
        array[entry] = before
        assert gradient[entry] == pytest.approx((losses[0] - losses[1]) / (2 * step), abs=1e-8)


def test_training_moves_as_torchs_adam_would(monkeypatch):
    torch = pytest.importorskip("torch")
    seen = []

    def recording(*given):
        seen.append(loss_and_gradients(*given))
        return seen[-1]

    monkeypatch.setattr(coreference, "loss_and_gradients", recording)
    learned = train_coreference(4, 5, batch_size=16, num_sentences=64)
    tensors = [torch.tensor(getattr(untrained(4), part)) for part in PARTS]
    adam = torch.optim.Adam(tensors, lr=1e-2)
    for _, gradients in seen:
        for tensor, part in zip(tensors, PARTS, strict=True):
            tensor.grad = torch.tensor(getattr(gradients, part))
        adam.step()
    assert len(seen) == 5
    for part, tensor in zip(PARTS, tensors, strict=True):
        np.testing.assert_allclose(getattr(learned, part), tensor.numpy(), atol=1e-9)


def test_attention_over_the_vocabulary_is_attention_over_the_positions(trained):
    sentences = sentences_of(5, 40, TEMPLATES + RIVAL_TEMPLATES)
    pronouns, present, _ = batch_of(sentences)
    for row, sentence in enumerate(sentences):
        asked = {VOCABULARY[word] for word in np.flatnonzero(present[row])}
        assert asked == set(sentence.tokens) - {sentence.tokens[sentence.pronoun]}
        assert VOCABULARY[pronouns[row]] == sentence.tokens[sentence.pronoun]


@pytest.mark.parametrize("seed", range(5))
def test_names_held_out_combinations_and_looks_at_the_antecedent(trained, seed):
    model = trained[seed]
    sentences = sentences_of(100 + seed, 300, held_out=True)
    assert model.accuracy(sentences) >= 0.98
    assert model.weight_on_antecedent(sentences) >= 0.9
    unseen = sentences_of(200 + seed, 200, UNSEEN_TEMPLATES)
    assert model.accuracy(unseen) >= 0.95
    assert model.weight_on_antecedent(unseen) >= 0.9
    assert model.answer(RUNNING_SENTENCE) == "小明"
    assert model.weights(RUNNING_SENTENCE)[0] >= 0.9


@pytest.mark.parametrize("seed", range(5))
def test_every_pronoun_scores_every_name_of_its_class_above_all_other_names(trained, seed):
    for group, names in CHARACTERS.items():
        scores = trained[seed].score_matrix((PRONOUNS[group], *NAMES))[0, 1:]
        agrees = np.isin(NAMES, names)
        assert scores[agrees].min() > scores[~agrees].max()


@pytest.mark.parametrize("seed", range(5))
def test_before_training_all_scores_are_near_zero_and_answers_are_chance(seed):
    model = untrained(seed)
    assert np.abs(model.score_matrix(("他", "她", "它", *NAMES))).max() < 0.1
    np.testing.assert_allclose(model.weights(RUNNING_SENTENCE)[:8], 1 / 9, atol=0.01)
    assert model.accuracy(sentences_of(0, 200)) < 0.2


def test_swapping_the_name_swaps_the_answer(trained):
    for name in CHARACTERS["male"]:
        tokens = (name, *TOKENS[1:])
        assert trained[0].answer(Sentence(tokens, 8, 0, 9, name, None)) == name


def test_weights_are_the_softmax_of_the_scores_of_all_other_words(trained):
    for sentence in sentences_of(6, 10):
        scores = trained[1].scores(sentence)
        shares = [np.exp(score) for score in scores]
        shares[sentence.pronoun] = 0.0
        wanted = np.array(shares) / sum(shares)
        np.testing.assert_allclose(trained[1].weights(sentence), wanted, atol=1e-12)


def test_score_matrix_is_from_row_to_column(trained):
    model = trained[0]
    scores = model.score_matrix(TOKENS)
    for i, j in [(8, 0), (0, 8), (9, 8)]:
        q = model.embeddings[TOKEN_ID[TOKENS[i]]] @ model.W_Q
        k = model.embeddings[TOKEN_ID[TOKENS[j]]] @ model.W_K
        assert scores[i, j] == pytest.approx(sum(q * k) / 32**0.5)
    assert scores[8, 0] != pytest.approx(scores[0, 8], abs=1)


def test_same_seed_trains_the_same_model_and_another_seed_another(trained):
    again = train_coreference(2)
    for part in PARTS:
        np.testing.assert_array_equal(getattr(again, part), getattr(trained[2], part))
        assert np.abs(getattr(trained[2], part) - getattr(trained[3], part)).max() > 0.1


def test_training_starts_from_the_untrained_model_of_its_seed():
    start = train_coreference(7, steps=0)
    for part in PARTS:
        np.testing.assert_array_equal(getattr(start, part), getattr(untrained(7), part))


def test_a_word_said_twice_is_refused_instead_of_silently_counted_once():
    twice = Sentence(("小明", "看见", "小明", "他", "走了"), 3, 0, 4, "小明", None)
    with pytest.raises(ValueError, match="occurs twice"):
        batch_of([twice])


def test_an_unknown_word_is_named():
    with pytest.raises(ValueError, match="no word at"):
        untrained(0).score_matrix(("小明", "飞机"))


def test_progress_bar_can_be_shown():
    train_coreference(0, 2, num_sentences=50, progress=True)


@pytest.mark.parametrize("wrong", [{"steps": -1}, {"batch_size": 0}, {"num_sentences": 0}])
def test_impossible_settings_are_refused_by_name(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        train_coreference(0, **wrong)
