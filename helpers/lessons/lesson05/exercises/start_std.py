"""Exercise: matrices that start small enough to need no division."""

import math

from helpers.course.exercise import Example, Exercise


def start_std(d_model, d_k, divisor):
    """Size of the entries of W_Q and W_K that gives scores a spread of 1 at the start."""
    return math.sqrt(divisor / (d_model * math.sqrt(d_k)))


def _start_std_inputs(rng):
    def draw():
        d_model, d_k = rng.integers(2, 2000, size=2).tolist()
        return {"d_model": d_model, "d_k": d_k, "divisor": round(rng.uniform(0.5, 40), 2)}

    return (
        {"d_model": 64, "d_k": 16, "divisor": 1.0},
        {"d_model": 64, "d_k": 16, "divisor": 4.0},
        {"d_model": 512, "d_k": 64, "divisor": 1.0},
        {"d_model": 9, "d_k": 256, "divisor": 7.0},
        {"d_model": 1, "d_k": 1, "divisor": 0.25},
        draw(),
        draw(),
    )


def the_product_of_both(d_model, d_k, divisor):
    """The square root is missing: W_Q and W_K both have this size, so it counts twice."""
    return divisor / (d_model * math.sqrt(d_k))


def as_if_d_k_were_added(d_model, d_k, divisor):
    """It takes d_k where its root belongs: the standard deviation of q·k grows with the root."""
    return math.sqrt(divisor / (d_model * d_k))


def without_d_model(d_model, d_k, divisor):
    """It forgets d_model: an entry of a query is a sum of d_model products itself."""
    return math.sqrt(divisor / math.sqrt(d_k))


def root_of_d_model(d_model, d_k, divisor):
    """It takes the root of d_model once: queries and keys each bring one such root."""
    return math.sqrt(divisor / math.sqrt(d_model * d_k))


def widths_exchanged(d_model, d_k, divisor):
    """It exchanges d_model and d_k: a query is d_k numbers, each a sum over d_model."""
    return math.sqrt(divisor / (d_k * math.sqrt(d_model)))


def without_the_divisor(d_model, d_k, divisor):
    """It forgets the divisor: what is divided afterwards may start larger."""
    return math.sqrt(1 / (d_model * math.sqrt(d_k)))


def divisor_upside_down(d_model, d_k, divisor):
    """It has the divisor upside down: the more is divided away, the larger W may start."""
    return math.sqrt(1 / (divisor * d_model * math.sqrt(d_k)))


def always_the_lessons_divisor(d_model, d_k, divisor):
    """It takes √d_k for the divisor; the divisor is given, and may be another."""
    return 1 / math.sqrt(d_model)


start_std = Exercise(
    name="lesson05.start_std",
    reference=start_std,
    inputs=_start_std_inputs,
    hints=(
        "Call the size you look for s. An entry of a query is a sum of d_model products of an "
        "entry of X (variance 1) and an entry of W_Q (variance s²). What is its variance?",
        "Queries and keys have entries with the standard deviation s · √d_model. Then q·k has the "
        "standard deviation √d_k · (s · √d_model)².",
        "Divided by the divisor, that must be 1: √d_k · s² · d_model / divisor = 1.",
    ),
    examples=(
        Example({"d_model": 64, "d_k": 16, "divisor": 1.0}, ("0.0625",)),
        Example({"d_model": 64, "d_k": 16, "divisor": 4.0}, ("0.125",)),
    ),
    wrong=(
        the_product_of_both,
        as_if_d_k_were_added,
        without_d_model,
        root_of_d_model,
        widths_exchanged,
        without_the_divisor,
        divisor_upside_down,
        always_the_lessons_divisor,
    ),
)
