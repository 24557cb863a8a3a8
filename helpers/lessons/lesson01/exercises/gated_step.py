"""Exercise 2 of lesson 01."""

import numpy as np

from helpers.course.exercise import Exercise


def gated_step(h, x, W_h, W_x, keep):
    """Read one word, but keep a part of each number of the old state."""
    new = np.tanh(W_h @ h + W_x @ x)
    return keep * h + (1 - keep) * new


def _gated_step_inputs(rng):
    def case(m, d, keep):
        return {
            "h": rng.uniform(-1, 1, m).round(2),
            "x": rng.normal(size=d).round(2),
            "W_h": rng.normal(size=(m, m)).round(2),
            "W_x": rng.normal(size=(m, d)).round(2),
            "keep": keep,
        }

    small = {
        "h": np.array([0.5, -1.0]),
        "x": np.array([1.0, 0.0, -2.0]),
        "W_h": np.array([[0.5, 1.0], [-1.0, 0.2]]),
        "W_x": np.array([[1.0, 0.0, 0.5], [0.0, 2.0, -0.5]]),
        "keep": np.array([0.9, 0.2]),
    }
    square = {
        "h": np.array([0.25, -0.75, 0.5]),
        "x": np.array([-1.0, 0.5, 2.0]),
        "W_h": np.array([[0.0, 1.0, 0.5], [-0.5, 0.0, 0.5], [1.0, 0.25, 0.0]]),
        "W_x": np.array([[0.5, 0.0, 0.25], [1.0, -0.5, 0.0], [0.0, 1.0, -0.5]]),
        "keep": np.array([0.0, 1.0, 0.5]),
    }
    loud = {name: small[name].copy() for name in small} | {"x": np.array([900.0, 7.0, -40.0])}
    return (
        small,
        square,
        case(4, 2, np.zeros(4)),
        case(4, 2, np.ones(4)),
        case(3, 1, rng.uniform(0.1, 0.9, 3).round(2)),
        case(3, 5, rng.uniform(0.1, 0.9, 3).round(2)),
        loud,
    )


def no_gate(h, x, W_h, W_x, keep):
    """It ignores keep: every number of the state is overwritten, as in a plain RNN."""
    return np.tanh(W_h @ h + W_x @ x)


def gate_turned_round(h, x, W_h, W_x, keep):
    """The gate is turned round: it keeps where it should overwrite."""
    return (1 - keep) * h + keep * np.tanh(W_h @ h + W_x @ x)


def adds_all_of_the_new(h, x, W_h, W_x, keep):
    """The new part is added whole: the two parts have to share one whole, keep and 1 - keep."""
    return keep * h + np.tanh(W_h @ h + W_x @ x)


def squeezes_the_old_state(h, x, W_h, W_x, keep):
    """The kept part goes through tanh again, so even keep = 1 does not keep it."""
    return np.tanh(keep * h + (1 - keep) * (W_h @ h + W_x @ x))


def no_tanh(h, x, W_h, W_x, keep):
    """tanh is missing in the new part."""
    return keep * h + (1 - keep) * (W_h @ h + W_x @ x)


def forgets_the_state(h, x, W_h, W_x, keep):
    """The new part is made of the word alone; W_h @ h is missing in it."""
    return keep * h + (1 - keep) * np.tanh(W_x @ x)


def turned_matrix(h, x, W_h, W_x, keep):
    """It multiplies from the wrong side: h @ W_h is W_h turned over, times h."""
    return keep * h + (1 - keep) * np.tanh(h @ W_h + W_x @ x)


def turned_word_matrix(h, x, W_h, W_x, keep):
    """It multiplies from the wrong side: x @ W_x is W_x turned over, times x."""
    return keep * h + (1 - keep) * np.tanh(W_h @ h + x @ W_x)


def one_gate_for_all(h, x, W_h, W_x, keep):
    """It uses one number of keep for the whole state; each number of the state has its own."""
    return keep[0] * h + (1 - keep[0]) * np.tanh(W_h @ h + W_x @ x)


def tanh_by_hand(h, x, W_h, W_x, keep):
    """exp grows too large for its formula of tanh; np.tanh takes any number."""
    up, down = np.exp(W_h @ h + W_x @ x), np.exp(-(W_h @ h + W_x @ x))
    return keep * h + (1 - keep) * (up - down) / (up + down)


gated_step = Exercise(
    name="lesson01.gated_step",
    reference=gated_step,
    inputs=_gated_step_inputs,
    hints=(
        "First compute what a plain RNN would make the new state.",
        "Then mix old and new, number by number: where keep is 1 the old number stays, where it is "
        "0 the new one takes its place.",
        "Half and half would be 0.5 * h + 0.5 * new. Which two factors give that for keep = 0.5?",
    ),
    wrong=(
        no_gate,
        gate_turned_round,
        adds_all_of_the_new,
        squeezes_the_old_state,
        no_tanh,
        forgets_the_state,
        turned_matrix,
        turned_word_matrix,
        one_gate_for_all,
        tanh_by_hand,
    ),
)
