"""Who hits: a fair corpus, a right gradient, and only models that can know the order learn."""

import itertools

import numpy as np
import pytest

from helpers.lessons.lesson08 import experiment as training
from helpers.lessons.lesson08.experiment import (
    PEOPLE,
    WORDS,
    WhoHits,
    encode,
    is_held_out,
    loss_and_gradients,
    sentences,
    train_who_hits,
)
from helpers.numpy_attention import sinusoidal_positions

SEEDS = range(11, 16)
SETTINGS = {
    "blind": {},
    "pooled": {"read": "mean"},
    "placed": {"strength": 1.0},
    "masked": {"causal": True},
    "last of one": {"causal": True, "read": "last"},
    "last of two": {"causal": True, "read": "last", "num_layers": 2},
    "last without mask": {"read": "last", "num_layers": 2},
}
SOLVE = ("placed", "masked", "last of two")


@pytest.fixture(scope="module")
def trained():
    return {name: train_who_hits(SEEDS, **given) for name, given in SETTINGS.items()}


def uneven_models(seed, **given):
    """Two models with large numbers and all widths different, so that no slip can hide."""
    rng = np.random.default_rng(seed)
    layers = tuple(
        tuple(rng.normal(size=(2, 5, columns)) for columns in (3, 3, 5))
        for _ in range(given.pop("num_layers", 1))
    )
    settings = {"strength": 0.0, "causal": False, "read": "verb", **given}
    return WhoHits(
        rng.normal(size=(2, len(WORDS), 5)),
        layers,
        rng.normal(size=(2, 5, len(PEOPLE))),
        losses=np.empty((2, 0)),
        **settings,
    )


def arrays(model):
    return [model.embeddings, *itertools.chain(*model.layers), model.readout]


# ------------------------------------------------------------------------ who hits: the corpus


def test_every_pair_of_people_occurs_in_both_orders_and_on_one_side_only():
    seen, unseen = set(sentences(held_out=False)), set(sentences(held_out=True))
    assert not seen & unseen
    assert len(seen | unseen) == len(PEOPLE) * (len(PEOPLE) - 1)
    for group in (seen, unseen):
        assert {(b, verb, a, end) for a, verb, b, end in group} == group
    assert ("我", "打", "你", "了") in unseen
    assert 0.15 < len(unseen) / len(seen | unseen) < 0.35
    assert {person for a, _, b, _ in seen for person in (a, b)} == set(PEOPLE)


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(PEOPLE[:5], 2)))
def test_a_pair_is_held_out_in_both_orders(one, other):
    assert is_held_out(one, other) is is_held_out(other, one)


def test_a_sentence_becomes_the_places_of_its_words():
    assert encode(["我打你了"]).tolist() == [[WORDS.index(word) for word in "我打你了"]]


@pytest.mark.parametrize(
    "text", ["我打你", "我打我了", "我你打了", "他打你了", "我打你你", "", "我了你打"]
)
def test_a_sentence_of_another_form_is_refused_with_the_people_it_may_name(text):
    with pytest.raises(ValueError, match="小明"):
        encode([text])


@pytest.mark.parametrize(
    ("given", "words"),
    [({"read": "first"}, "read"), ({"num_layers": 0}, "num_layers"), ({"seeds": []}, "seeds")],
)
def test_training_refuses_what_it_cannot_do(given, words):
    with pytest.raises(ValueError, match=words):
        train_who_hits(**{"seeds": [0], "steps": 1, **given})


# --------------------------------------------------------------------- who hits: the gradient


def torch_losses(model, asked):
    """Losses by torch, one seed, one sentence and one row after the other; with its tensors."""
    torch = pytest.importorskip("torch")
    tensors = [torch.tensor(array, requires_grad=True) for array in arrays(model)]
    embeddings, *matrices, readout = tensors
    places = torch.tensor(sinusoidal_positions(4, 5)) * model.strength
    losses = []
    for seed in range(2):
        loss = 0.0
        for ids in asked.tolist():
            rows = embeddings[seed][ids] + places
            for at in range(0, len(matrices), 3):
                W_Q, W_K, W_V = (W[seed] for W in matrices[at : at + 3])
                new = []
                for i in range(4):
                    keys = rows[: i + 1] if model.causal else rows
                    shares = torch.softmax((rows[i] @ W_Q) @ (keys @ W_K).T / 3**0.5, dim=0)
                    new.append(rows[i] + shares @ (keys @ W_V))
                rows = torch.stack(new)
            vector = {"verb": rows[1], "last": rows[3], "mean": rows.mean(dim=0)}[model.read]
            loss = loss - torch.log_softmax(vector @ readout[seed], dim=0)[ids[0]]
        losses.append(loss / len(asked))
    return losses, tensors


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"read": "mean", "strength": 0.5},
        {"read": "last", "causal": True},
        {"read": "last", "causal": True, "num_layers": 2, "strength": 1.0},
        {"read": "mean", "num_layers": 3},
    ],
)
def test_gradient_by_hand_is_the_one_torch_finds_sentence_by_sentence(given):
    model = uneven_models(1, **given)
    asked = encode(sentences(held_out=True)[:12])
    losses, gradients = loss_and_gradients(model, asked)
    wanted, tensors = torch_losses(model, asked)
    sum(wanted).backward()
    np.testing.assert_allclose(losses, [loss.item() for loss in wanted], rtol=1e-12)
    for got, tensor in zip(arrays(gradients), tensors, strict=True):
        right = tensor.grad.numpy()
        assert np.abs(got - right).max() < 1e-12 * max(1, np.abs(right).max())


def test_training_moves_as_torchs_adam_would(monkeypatch):
    torch = pytest.importorskip("torch")
    seen = []

    def recording(*given):
        seen.append(loss_and_gradients(*given))
        return seen[-1]

    monkeypatch.setattr(training, "loss_and_gradients", recording)
    learned = train_who_hits([4, 5], causal=True, num_layers=2, steps=5)
    start = arrays(train_who_hits([4, 5], causal=True, num_layers=2, steps=0))
    tensors = [torch.tensor(array) for array in start]
    adam = torch.optim.Adam(tensors, lr=1e-2)
    for _, gradients in seen:
        for tensor, gradient in zip(tensors, arrays(gradients), strict=True):
            tensor.grad = torch.tensor(gradient)
        adam.step()
    for got, tensor in zip(arrays(learned), tensors, strict=True):
        np.testing.assert_allclose(got, tensor.numpy(), atol=1e-9)
    np.testing.assert_array_equal(learned.losses.T, [losses for losses, _ in seen])


def test_a_seed_learns_the_same_in_any_company():
    alone = train_who_hits([2], strength=1.0, steps=30)
    third = train_who_hits([0, 1, 2], strength=1.0, steps=30)
    np.testing.assert_allclose(alone.losses[0], third.losses[2], atol=1e-9)
    assert alone.answers("我打你了") == third.answers("我打你了")[2:]


# ------------------------------------------------------------------------ who hits: the result


@pytest.mark.parametrize("name", SETTINGS)
def test_only_models_that_can_know_the_order_tell_who_hits(trained, name):
    model = trained[name]
    if name in SOLVE:
        assert model.accuracy().min() >= 0.85
        assert model.accuracy(seen=True).min() >= 0.98
        assert (model.answers("我打你了"), model.answers("你打我了")) == (("我",) * 5, ("你",) * 5)
    else:
        assert model.accuracy().max() <= 0.5
        assert 0.45 <= model.accuracy(seen=True).min() <= model.accuracy(seen=True).max() <= 0.5
        assert model.answers("我打你了") == model.answers("你打我了")


def test_accuracy_counts_answers_one_by_one(trained):
    model = trained["last of two"]
    asked = sentences(held_out=True)
    right = np.array([[answer == s[0] for answer in model.answers(s)] for s in asked])
    np.testing.assert_allclose(model.accuracy(), right.mean(axis=0))


def test_no_loss_without_order_gets_below_a_guess_between_two(trained):
    for name, model in trained.items():
        if name not in SOLVE:
            assert model.losses[:, -1].min() > np.log(2) - 1e-9, name


def test_faint_positions_are_learned_late_and_strong_ones_early(trained):
    faint = train_who_hits(SEEDS, strength=0.01).losses
    strong = trained["placed"].losses
    assert (strong[:, 75] < 0.1).all()
    assert (faint[:, 75] > 0.3).all()
    assert (faint[:, -1] < 0.5).all()
