"""Bug hunt of lesson 01: sentences of different lengths in one batch."""

import numpy as np

from helpers.course.exercise import Exercise


def last_states(batch, lengths, W_h, W_x):
    """Read each sentence of a batch up to its own last token."""
    h = np.zeros((len(batch), len(W_h)))
    for t in range(batch.shape[1]):
        new = np.tanh(h @ W_h + batch[:, t] @ W_x)
        h = np.where((t < np.asarray(lengths))[:, None], new, h)
    return h


def _inputs(rng):
    def draw(lengths, d, m, padding=0.0):
        batch = rng.normal(size=(len(lengths), max(lengths) + 1, d)).round(2)
        for sentence, length in zip(batch, lengths, strict=True):
            sentence[length:] = padding
        return {
            "batch": batch,
            "lengths": np.array(lengths),
            "W_h": rng.normal(scale=0.7, size=(m, m)).round(2),
            "W_x": rng.normal(size=(d, m)).round(2),
        }

    tiny = {
        "batch": np.array([[[1.0], [2.0], [-1.0]], [[-2.0], [0.0], [0.0]]]),
        "lengths": np.array([3, 1]),
        "W_h": np.array([[0.5, -1.0], [0.25, 0.5]]),
        "W_x": np.array([[1.0, -0.5]]),
    }
    a_token_of_zeros = {name: value.copy() for name, value in tiny.items()}
    a_token_of_zeros["lengths"] = np.array([3, 2])
    return (
        tiny,
        a_token_of_zeros,
        draw([2, 4, 1], 3, 2),
        draw([3, 3, 3], 3, 3),
        draw([1, 5, 2], 2, 4, padding=9.0),
        draw([4], 2, 3, padding=-3.0),
        draw([2, 3], 3, 3, padding=1.0),
    )


def _step(h, x, W_h, W_x):
    return np.tanh(h @ W_h + x @ W_x)


def _states_of(sentence, W_h, W_x):
    states = [np.zeros(len(W_h))]
    for x in sentence:
        states.append(_step(states[-1], x, W_h, W_x))
    return states


def after_the_padding(batch, lengths, W_h, W_x):
    """It returns the state after the last position; for a short sentence that is padding."""
    return np.array([_states_of(sentence, W_h, W_x)[-1] for sentence in batch])


def padding_becomes_zeros(batch, lengths, W_h, W_x):
    """It reads the padding as zeros. A row of zeros is still a step: W_h changes the state."""
    there = np.arange(batch.shape[1]) < np.asarray(lengths)[:, None]
    return after_the_padding(batch * there[..., None], lengths, W_h, W_x)


def stops_at_the_first_zeros(batch, lengths, W_h, W_x):
    """It takes any row of zeros for padding; the lengths say where a sentence ends."""
    found = []
    for sentence in batch:
        padding = np.flatnonzero(~sentence.any(axis=1))
        end = padding[0] if padding.size else len(sentence)
        found.append(_states_of(sentence[:end], W_h, W_x)[-1])
    return np.array(found)


def one_token_too_few(batch, lengths, W_h, W_x):
    """It stops one token early: a sentence of 3 tokens has the positions 0, 1 and 2."""
    pairs = zip(batch, lengths, strict=True)
    return np.array([_states_of(sentence, W_h, W_x)[n - 1] for sentence, n in pairs])


def one_token_too_many(batch, lengths, W_h, W_x):
    """It reads one token past the end of each sentence."""
    pairs = zip(batch, lengths, strict=True)
    return np.array([_states_of(s, W_h, W_x)[min(n + 1, len(s))] for s, n in pairs])


def one_length_for_all(batch, lengths, W_h, W_x):
    """It stops all sentences at the length of the shortest; each has its own."""
    return np.array([_states_of(s[: min(lengths)], W_h, W_x)[-1] for s in batch])


def padding_clears_the_state(batch, lengths, W_h, W_x):
    """Padding sets the state to zeros; it has to be left as it is."""
    found = after_the_padding(batch, lengths, W_h, W_x)
    found[np.asarray(lengths) < batch.shape[1]] = 0
    return found


def one_state_for_all(batch, lengths, W_h, W_x):
    """One sentence goes on from the state of the one before; each starts from zeros."""
    h, found = np.zeros(len(W_h)), []
    for sentence, n in zip(batch, lengths, strict=True):
        for x in sentence[:n]:
            h = _step(h, x, W_h, W_x)
        found.append(h)
    return np.array(found)


def turned_matrix(batch, lengths, W_h, W_x):
    """It multiplies from the wrong side: with rows it is h @ W_h, as in `read`."""
    return last_states_of(batch, lengths, W_h.T, W_x)


def no_tanh(batch, lengths, W_h, W_x):
    """tanh is missing."""
    h = np.zeros((len(batch), len(W_h)))
    for t in range(batch.shape[1]):
        new = h @ W_h + batch[:, t] @ W_x
        h = np.where((t < np.asarray(lengths))[:, None], new, h)
    return h


last_states_of = last_states

last_states = Exercise(
    name="lesson01.last_states",
    reference=last_states,
    inputs=_inputs,
    hints=(
        "Read one sentence of three tokens and two of padding by hand. After which step is the "
        "state the one that is wanted?",
        "One way: a loop over the sentences, and each is cut at its own length.",
        "All at once: at position t only the sentences with t < length take the new state. "
        "np.where picks, row by row.",
    ),
    wrong=(
        after_the_padding,
        padding_becomes_zeros,
        stops_at_the_first_zeros,
        one_token_too_few,
        one_token_too_many,
        one_length_for_all,
        padding_clears_the_state,
        one_state_for_all,
        turned_matrix,
        no_tanh,
    ),
)
