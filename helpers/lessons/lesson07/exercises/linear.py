"""Exercise: a cache that does not grow, for attention without softmax."""

import numpy as np

from helpers.course.exercise import Exercise
from helpers.lessons.lesson07.exercises.runners import fixed_state


def linear_step(q, k, v, state):
    """Take in one token with two running sums over all tokens so far."""
    mixed, total = (0.0, 0.0) if state is None else state
    mixed = mixed + np.outer(k, v)  # (d_k, d_v)
    total = total + k  # (d_k,)
    return q @ mixed / np.sum(q * total), (mixed, total)


def _inputs(rng):
    def draw(lengths, d_k=3, d_v=2):
        def parts(width, low):
            return [rng.uniform(low, 2.0, size=(n, width)).round(2) for n in lengths]

        return {"queries": parts(d_k, 0.1), "keys": parts(d_k, 0.1), "values": parts(d_v, -2.0)}

    return (
        draw([1]),
        draw([2]),
        draw([5]),
        draw([4], d_k=2, d_v=3),
        draw([3], d_k=3, d_v=3),
        draw([3, 4]),
        draw([12, 2], d_k=1, d_v=4),
    )


def _step(q, k, v, state, sums=np.add, late=False):
    """One step with one part exchanged."""
    new = np.outer(k, v), k
    if state is None:
        return q @ new[0] / (q @ new[1]), new
    kept = tuple(sums(old, fresh) for old, fresh in zip(state, new, strict=True))
    mixed, total = state if late else kept
    return q @ mixed / (q @ total), kept


def keeps_everything(q, k, v, state):
    """It keeps every key and value, so what it keeps grows with the text; two sums are enough."""
    K = k[None] if state is None else np.vstack([state[0], k])
    V = v[None] if state is None else np.vstack([state[1], v])
    shares = K @ q
    return shares @ V / shares.sum(), (K, V)


def nothing_divided(q, k, v, state):
    """The shares must add up to 1: divide by the query times the sum of the keys."""
    mixed, total = (0.0, 0.0) if state is None else state
    mixed, total = mixed + np.outer(k, v), total + k
    return q @ mixed, (mixed, total)


def divided_by_the_number(q, k, v, state):
    """It divides by the number of tokens; the shares add up to the query times all keys."""
    mixed, count = (0.0, 0.0) if state is None else state
    mixed, count = mixed + np.outer(k, v), count + 1
    return q @ mixed / count, (mixed, count)


def cannot_see_itself(q, k, v, state):
    """It answers before the new key and value are added: a token also sees itself."""
    return _step(q, k, v, state, late=True)


def only_itself(q, k, v, state):
    """The new key and value replace the sums; they must be added to them."""
    return _step(q, k, v, state, sums=lambda old, new: new)


def fades(q, k, v, state):
    """The old sums are halved at every step; every token counts in full."""
    return _step(q, k, v, state, sums=lambda old, new: old / 2 + new)


def keys_and_values_apart(q, k, v, state):
    """It adds up keys and values apart; which key brought which value is lost then."""
    keys, values = (0.0, 0.0) if state is None else state
    keys, values = keys + k, values + v
    return q @ np.outer(keys, values) / (q @ keys), (keys, values)


def with_softmax(q, k, v, state):
    """It takes exp of the query times the sum of keys; here no exp is taken."""
    mixed, total = (0.0, 0.0) if state is None else state
    mixed, total = mixed + np.outer(np.exp(k), v), total + np.exp(k)
    return q @ mixed / (q @ total), (mixed, total)


def key_in_place_of_the_query(q, k, v, state):
    """It asks with the key; the query asks, the keys are in the sums."""
    return _step(k, k, v, state)


linear_step = Exercise(
    name="lesson07.linear_step",
    reference=linear_step,
    inputs=_inputs,
    runner=fixed_state,
    returns=("outputs", "growth_of_state"),
    hints=(
        "Write the output as one fraction. Which sums over the tokens so far stand above and "
        "below, once q is taken out of them?",
        "Above: q times the sum of all np.outer(k, v). Below: q times the sum of all k. Neither "
        "sum needs an old token by itself.",
        "Keep (mixed, total), two zeros at first. Add np.outer(k, v) and k, then return "
        "q @ mixed / (q @ total) and both sums.",
    ),
    wrong=(
        keeps_everything,
        nothing_divided,
        divided_by_the_number,
        cannot_see_itself,
        only_itself,
        fades,
        keys_and_values_apart,
        with_softmax,
        key_in_place_of_the_query,
    ),
    points=2,
)
