"""Exercise: the temperature at which the best match gets a wanted share."""

import numpy as np

from helpers.course.exercise import Exercise
from helpers.language import say
from helpers.numpy_attention import softmax


def temperature_for(scores, share):
    """Find the temperature at which the best match gets a given share."""
    cold, hot = 1e-6, 1e6
    for _ in range(200):
        middle = (cold * hot) ** 0.5
        exps = np.exp((scores - scores.max()) / middle)
        if exps.max() / exps.sum() > share:
            cold = middle  # too sharp: warmer
        else:
            hot = middle
    return middle


def _temperature_inputs(rng):
    return (
        {"scores": np.array([2.0, 0.0]), "share": 0.9},
        {"scores": np.array([1.0, 3.0, 2.0]), "share": 0.8},
        {"scores": np.array([1.0, 3.0, 2.0]), "share": 0.4},
        {"scores": rng.normal(size=10).round(2), "share": 0.5},
        {"scores": rng.normal(scale=20.0, size=6).round(1), "share": 0.25},
        {"scores": np.array([-1000.0, -1002.0, -1001.0, -1010.0]), "share": 0.99},
        {"scores": np.array([0.003, 0.001, 0.002]), "share": 0.6},
    )


def _right_temperature(got, arguments):
    if not isinstance(got, np.ndarray) or got.ndim or got.dtype == bool:
        return say("One number is wanted: the temperature.")
    if not 0 < got < np.inf:
        return say("A temperature must be a positive number; {got:.4g} came back.", got=float(got))
    scores, share = arguments["scores"], arguments["share"]
    exps = np.exp((scores - scores.max()) / got)
    reached = exps.max() / exps.sum()
    if abs(reached - share) > 2e-4:
        return say(
            "At temperature {got:.4g} the best match gets a share of {reached:.4f}; {share} is "
            "wanted, to within 0.0002.",
            got=float(got),
            reached=reached,
            share=share,
        )
    return None


def _solve(scores, share, share_at):
    """Bisect for the temperature where `share_at` passes `share`."""
    cold, hot = 1e-6, 1e6
    for _ in range(200):
        middle = (cold * hot) ** 0.5
        cold, hot = (middle, hot) if share_at(scores, middle) > share else (cold, middle)
    return middle


def only_two_scores(scores, share):
    """It looks at the best two scores only; every other score takes a part as well."""
    second, best = np.sort(scores)[-2:]
    return (best - second) / np.log(share / (1 - share))


def inverse_temperature(scores, share):
    """It finds the factor to multiply the scores by: that is 1 / temperature."""
    return 1 / _solve(scores, share, lambda row, t: softmax(row / t).max())


def odds_forgotten(scores, share):
    """It sets the ratio of the best two shares to the wanted share itself."""
    second, best = np.sort(scores)[-2:]
    return (best - second) / np.log(1 / share)


def searches_the_wrong_way(scores, share):
    """It makes the temperature lower when the best match already has too much."""
    return _solve(scores, -share, lambda row, t: -softmax(row / t).max())


def straight_line(scores, share):
    """It divides the largest share by the wanted one, as if shares were proportional to 1 / T."""
    return softmax(scores).max() / share


temperature_for = Exercise(
    name="lesson04.temperature_for",
    reference=temperature_for,
    inputs=_temperature_inputs,
    judge=_right_temperature,
    hints=(
        "softmax(scores / T): what happens to the largest share when T grows? It only ever "
        "moves one way.",
        "So you can search by halving: keep one temperature that is too low and one that is too "
        "high, try one between them, and keep the half that holds the answer.",
        "The answer may be 0.001 or 100. Between cold and hot, try (cold * hot) ** 0.5: that "
        "halves the range of powers.",
    ),
    wrong=(
        only_two_scores,
        inverse_temperature,
        odds_forgotten,
        searches_the_wrong_way,
        straight_line,
    ),
    points=2,
)
