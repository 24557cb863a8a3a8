"""Lesson 01: the readers do what their names say, the measurements mean what the text says."""

import math

import numpy as np
import pytest
import torch

from helpers.lessons.lesson01 import two_tokens
from helpers.lessons.lesson01.experiment import best_readout
from helpers.lessons.lesson01.figures import by_distance, fading, one_fact, row_of_he
from helpers.training import recall as experiment
from helpers.training.recall import (
    FILLERS,
    KINDS,
    NAMES,
    NOTHING,
    OBJECTS,
    make_reader,
    make_stories,
    recall,
    signal_by_distance,
    train_readers,
)


def stories(count, facts, fillers=0, seed=0):
    return make_stories(torch.Generator().manual_seed(seed), count, facts, fillers)


# ------------------------------------------------------------------------------ stories, readers


def test_a_story_names_nobody_twice_and_ends_with_fillers():
    names, objects = stories(200, 5, 3)
    assert names.shape == objects.shape == (200, 8)
    for story, things in zip(names.tolist(), objects.tolist(), strict=True):
        assert len(set(story[:5])) == 5
        assert all(0 <= name < NAMES for name in story[:5])
        assert all(0 <= thing < OBJECTS for thing in things[:5])
        assert all(NAMES <= word < NAMES + FILLERS for word in story[5:])
        assert things[5:] == [NOTHING] * 3


@pytest.mark.parametrize("kind", KINDS)
def test_each_question_is_answered_as_if_it_were_the_only_one(kind):
    reader = make_reader(kind, 8, seed=0)
    names, objects = stories(3, 4)
    together = reader(names, objects, names)
    assert together.shape == (3, 4, OBJECTS)
    for q in range(4):
        alone = reader(names, objects, names[:, q : q + 1])
        torch.testing.assert_close(alone[:, 0], together[:, q], atol=1e-6, rtol=1e-5)


@pytest.mark.parametrize(("kind", "blind_to_order"), [(k, k == "attention") for k in KINDS])
def test_only_attention_without_positions_is_blind_to_the_order_of_the_facts(kind, blind_to_order):
    reader = make_reader(kind, 8, seed=0)
    names, objects = stories(2, 4)
    turned = reader(names.flip(1), objects.flip(1), names)
    change = (turned - reader(names, objects, names)).abs().max().item()
    assert (change < 1e-5) == blind_to_order


def test_a_recurrent_reader_knows_nothing_but_its_last_state():
    reader = make_reader("GRU", 6, seed=0)
    names, objects = stories(2, 3)
    seen = []
    reader.open.register_forward_hook(lambda layer, given, out: seen.append(given[0].shape))
    reader(names, objects, names)
    assert seen == [(2, 1, 6)]


def test_a_turning_start_shrinks_no_change_of_the_state():
    W_h = make_reader("turning RNN", 12, seed=0).cell.weight_hh_l0.detach().numpy()
    np.testing.assert_allclose(np.linalg.svd(W_h, compute_uv=False), 1.0, rtol=1e-5)


def test_a_keeping_start_keeps_nearly_all_of_the_state_at_each_step():
    cell = make_reader("keeping GRU", 12, seed=0).cell
    h = torch.linspace(-0.5, 0.5, 12)[None, None]
    kept, plain = (
        c(torch.zeros(1, 1, 32), h)[1] - h for c in (cell, make_reader("GRU", 12, 0).cell)
    )
    assert kept.abs().max() < 0.02
    assert plain.abs().max() > 0.2


def test_making_a_reader_leaves_the_callers_random_numbers_alone():
    torch.manual_seed(7)
    wanted = torch.rand(3)
    torch.manual_seed(7)
    first = make_reader("GRU", 4, seed=1)
    assert torch.equal(torch.rand(3), wanted)
    second = make_reader("GRU", 4, seed=1)
    for a, b in zip(first.parameters(), second.parameters(), strict=True):
        assert torch.equal(a, b)


def test_nonsense_is_refused_with_the_name_of_what_is_wrong():
    with pytest.raises(ValueError, match="kind must be one of attention, RNN, GRU"):
        make_reader("LSTM", 8, 0)
    with pytest.raises(ValueError, match="size must be 1 or more, got 0"):
        make_reader("GRU", 0, 0)
    with pytest.raises(ValueError, match="facts must be from 1 to 16, got 17"):
        stories(1, 17)
    with pytest.raises(ValueError, match="fillers must be 0 or more, got -1"):
        stories(1, 2, -1)
    with pytest.raises(ValueError, match="kind must be one of attention, RNN, GRU"):
        signal_by_distance("informed GRU", [1], 0)
    with pytest.raises(ValueError, match="distances must be at least 1, got 0"):
        signal_by_distance("RNN", [0, 1], 0)


# ------------------------------------------------------------------------------- measurements


def test_recall_lists_the_fact_told_last_first():
    def knows_the_last_fact(names, objects, asked):
        said = torch.nn.functional.one_hot(objects[:, asked.shape[1] - 1], OBJECTS)
        return said[:, None].expand(-1, asked.shape[1], -1)

    share = recall(knows_the_last_fact, 5, fillers=2)
    assert share.shape == (5,)
    assert share[0] == 1.0
    np.testing.assert_allclose(share[1:], 1 / OBJECTS, atol=0.05)


def test_signal_of_the_rnn_is_the_product_of_its_step_jacobians():
    distances = [1, 2, 5, 9]
    reader = make_reader("RNN", experiment.WIDTH, seed=3).double()
    weights = {name: value.detach().numpy() for name, value in reader.cell.named_parameters()}
    generator = torch.Generator().manual_seed(3)
    X = torch.randn(1, 10, experiment.WIDTH, generator=generator, dtype=torch.float64)[0].numpy()
    W_h, W_x = weights["weight_hh_l0"], weights["weight_ih_l0"]
    h, slopes = np.zeros(experiment.WIDTH), []
    for x in X:
        h = np.tanh(W_h @ h + W_x @ x + weights["bias_hh_l0"] + weights["bias_ih_l0"])
        slopes.append(1 - h**2)
    norms = []
    for d in distances:
        jacobian = slopes[9 - d][:, None] * W_x
        for t in range(10 - d, 10):
            jacobian = slopes[t][:, None] * (W_h @ jacobian)
        norms.append(math.sqrt((jacobian**2).sum()))
    np.testing.assert_allclose(
        signal_by_distance("RNN", distances, 3), np.array(norms) / norms[0], rtol=1e-9
    )


def test_signal_of_attention_agrees_with_finite_differences():
    reader = make_reader("attention", experiment.WIDTH, seed=1).double()
    W_Q, W_K, W_V = (getattr(reader, n).weight.detach().numpy().T for n in ("W_Q", "W_K", "W_V"))
    generator = torch.Generator().manual_seed(1)
    X = torch.randn(1, 6, experiment.WIDTH, generator=generator, dtype=torch.float64)[0].numpy()

    def output(X):
        scores = X[-1] @ W_Q @ (X @ W_K).T / math.sqrt(experiment.WIDTH)
        shares = np.exp(scores) / np.exp(scores).sum()
        return shares @ X @ W_V

    norms = []
    for d in (1, 3, 5):
        squares = 0.0
        for column in range(experiment.WIDTH):
            step = np.zeros_like(X)
            step[5 - d, column] = 1e-6
            squares += (((output(X + step) - output(X - step)) / 2e-6) ** 2).sum()
        norms.append(math.sqrt(squares))
    np.testing.assert_allclose(
        signal_by_distance("attention", [1, 3, 5], 1), np.array(norms) / norms[0], rtol=1e-6
    )


# ----------------------------------------------------------------------------------- training


def test_the_stop_button_keeps_the_readers_that_are_ready(monkeypatch, capsys):
    def stops_at_the_rnn(reader, *arguments):
        if isinstance(reader, experiment.Recurrent):
            raise KeyboardInterrupt

    monkeypatch.setattr(experiment, "_train", stops_at_the_rnn)
    threads = torch.get_num_threads()
    plans = {"attention": ("attention", 4, 1), "small": ("RNN", 4, 1), "large": ("RNN", 8, 1)}
    assert list(train_readers(plans, seed=0)) == ["attention"]
    assert "Interrupted. Trained: attention. Not: small, large." in capsys.readouterr().out
    assert torch.get_num_threads() == threads


def test_training_is_the_same_for_the_same_seed_alone_and_in_company():
    plan = {"one": ("GRU", 4, 3)}
    alone = train_readers(plan, seed=5)["one"]
    later = train_readers({"before": ("attention", 4, 3), **plan}, seed=5)["one"]
    for a, b in zip(alone.parameters(), later.parameters(), strict=True):
        torch.testing.assert_close(a, b)


# ------------------------------------------------------------------------------------ readout


def test_the_best_readout_reads_what_is_there_and_guesses_what_is_not():
    rng = np.random.default_rng(0)
    things = rng.integers(4, size=(900, 3))
    first_two = np.eye(4)[things[:, :2]].reshape(900, 8) @ rng.normal(size=(8, 8))
    right = best_readout(first_two, things)
    np.testing.assert_array_equal(right[:2], 1.0)
    assert abs(right[2] - 1 / 4) < 0.08


def test_the_best_readout_is_examined_on_stories_that_did_not_fit_it():
    rng = np.random.default_rng(1)
    things = rng.integers(4, size=(300, 1))
    assert best_readout(rng.normal(size=(300, 250)), things)[0] < 0.45


# ------------------------------------------------------------------------------- two tokens


def test_the_second_round_of_a_story_tells_the_same_facts_and_asks_for_their_things():
    ids, right = two_tokens.stories(torch.Generator().manual_seed(0), 50, 3)
    for story, things in zip(ids.tolist(), right.tolist(), strict=True):
        pairs = list(zip(story[::2], story[1::2], strict=True))
        assert set(pairs[:3]) == set(pairs[3:])
        assert len({name for name, _ in pairs}) == 3
        assert [thing - len(two_tokens.NAMES) for _, thing in pairs[3:]] == things


def test_who_says_a_told_thing_is_right_for_one_fact_and_as_often_as_chance_says_for_two():
    assert two_tokens.told_thing(1, seed=0) == 1.0
    assert abs(two_tokens.told_thing(2, seed=0) - (1 / 2 + 1 / 2 * 1 / 8)) < 0.03


def test_weights_are_looked_for_at_the_name_before_and_at_the_thing_that_is_right():
    def looks_there(ids):
        n, facts = ids.shape[1], ids.shape[1] // 4
        first, last = torch.eye(n).roll(-1, dims=1), torch.zeros(len(ids), n, n)
        for row, story in zip(last, ids.tolist(), strict=True):
            for asks in range(2 * facts, n, 2):
                row[asks, story.index(story[asks]) + 1] = 1
        return None, [first.expand(len(ids), n, n), last]

    assert two_tokens.weights_found(looks_there, 3, seed=0) == (1.0, 1.0)


# ------------------------------------------------------------------------------------ pictures


def test_fading_says_when_no_difference_is_left():
    figure = fading({"swapped": np.array([1.0, 0.1, 0.0])}, 0.5)
    assert "swapped: no difference left" in figure.caption
    assert np.isnan(figure.axes[0].lines[0].get_ydata()[-1])


def test_every_number_of_facts_is_drawn_on_the_same_axis():
    few, many = (by_distance({"GRU": np.full(n, 0.5)}, 0.125) for n in (2, 16))
    assert few.axes[0].get_xlim() == many.axes[0].get_xlim()
    assert few.axes[0].get_ylim() == many.axes[0].get_ylim()


def test_shading_starts_where_training_ended():
    figure = one_fact([0, 10, 40, 100], {"GRU": np.ones(4)}, trained_up_to=40, chance=0.125)
    assert figure.axes[0].patches[-1].get_x() == 2.5


def test_the_row_of_he_names_the_token_that_gives_most():
    caption = row_of_he(np.array([0.1, 0, 0.7, 0, 0.2, 0, 0, 0, 0, 0])).caption
    assert "0.70, of 书 (book)" in caption
