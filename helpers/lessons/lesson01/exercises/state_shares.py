"""Transfer exercise of lesson 01: a state is a look back, too."""

import numpy as np

from helpers.course.exercise import Example, Exercise


def state_shares(keep):
    """Find the share that each word has in the state at the end."""
    n = len(keep)
    return np.array([(1 - keep[j]) * np.prod(keep[j + 1 :]) for j in range(n)])


def _inputs(rng):
    return (
        {"keep": np.array([0.5, 0.5, 0.5])},
        {"keep": np.array([0.0, 1.0, 1.0, 1.0])},
        {"keep": np.array([0.9, 0.2, 0.75])},
        {"keep": np.array([0.25])},
        {"keep": np.array([1.0, 1.0])},
        {"keep": np.array([0.5, 0.0, 0.8, 0.5])},
        {"keep": rng.uniform(0.05, 0.95, 6).round(2)},
        {"keep": rng.uniform(0.9, 0.99, 12).round(3)},
    )


def _later(keep):
    """What all the words after each one keep."""
    return np.append(np.cumprod(np.asarray(keep)[::-1])[::-1][1:], 1.0)


def nothing_fades(keep):
    """It gives each word what is let in; what the later words keep of it is missing."""
    return 1 - np.asarray(keep)


def all_of_each_word(keep):
    """It lets in all of each word; a part of keep stays, so a part of 1 - keep goes in."""
    return _later(keep)


def earlier_words_fade_it(keep):
    """It multiplies by what the earlier words keep; the words after it make a word fade."""
    return (1 - np.asarray(keep)) * np.append(1.0, np.cumprod(keep)[:-1])


def fades_by_its_own_gate(keep):
    """The word's own keep is among the factors; it is used on the state before the word."""
    return (1 - np.asarray(keep)) * np.cumprod(np.asarray(keep)[::-1])[::-1]


def last_word_first(keep):
    """The order is turned round: the first number belongs to the word read first."""
    return ((1 - np.asarray(keep)) * _later(keep))[::-1]


def gate_turned_round(keep):
    """The gate is turned round: keep stays of the old state, 1 - keep comes from the word."""
    keep = np.asarray(keep)
    return keep * _later(1 - keep)


def made_to_add_up(keep):
    """It makes the shares add up to 1; what is left of the zeros at the start has a share, too."""
    shares = (1 - np.asarray(keep)) * _later(keep)
    return shares / max(shares.sum(), 1e-9)


def one_gate_for_all(keep):
    """It uses the first number of keep for every word; each word has its own."""
    n = len(keep)
    return (1 - keep[0]) * keep[0] ** np.arange(n - 1, -1, -1)


def first_word_fills_the_state(keep):
    """The first word fills the whole state; keep counts at the first word, too."""
    shares = (1 - np.asarray(keep)) * _later(keep)
    shares[0] = _later(keep)[0]
    return shares


state_shares = Exercise(
    name="lesson01.state_shares",
    reference=state_shares,
    inputs=_inputs,
    hints=(
        "Follow one word. How much of it goes in when it is read, and what happens to that at "
        "each word after it?",
        "Word j goes in with 1 - keep[j]. Each later word multiplies that by its own keep.",
        "np.prod multiplies all numbers of an array; of an empty one it makes 1. Which part of "
        "keep belongs to the words after word j?",
    ),
    examples=(
        Example({"keep": np.array([0.5, 0.5, 0.5])}, ("[0.125, 0.25, 0.5]",)),
        Example({"keep": np.array([0, 1, 1])}, ("[1, 0, 0]",)),
    ),
    wrong=(
        nothing_fades,
        all_of_each_word,
        earlier_words_fade_it,
        fades_by_its_own_gate,
        last_word_first,
        gate_turned_round,
        made_to_add_up,
        one_gate_for_all,
        first_word_fills_the_state,
    ),
)
