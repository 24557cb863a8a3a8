"""Who hits? Small models that must tell 我打你了 from 你打我了, in NumPy, several seeds at once.

Each sentence is "A 打 B 了" (A hit B), and the answer is A. Every pair of people occurs in both
orders, so whoever knows the two names and not their order is right half the time. The answer is
read off one new vector: that of 打, that of the last word, or the mean of all four.

A model has one or two layers. A layer adds what its attention brings to what was there:
X + softmax(X W_Q (X W_K)ᵀ / √d_k) X W_V. Positions, if any, are sinusoids added to the embeddings,
multiplied by a strength. The embeddings are small at first (standard deviation 0.1).

All seeds train side by side, as one more axis in front; each has its own random numbers, so a
seed learns the same in any company. One step sees all training sentences.
"""

import math
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from helpers.language import say
from helpers.numpy_attention import (
    causal_mask,
    scaled_dot_product_attention,
    sinusoidal_positions,
    softmax,
    softmax_backward,
)
from helpers.training.adam import Adam

PEOPLE = (
    "我", "你", "小明", "小红", "小刚", "小丽", "小强", "小芳", "小军", "小美", "大伟", "阿玲"
)  # fmt: skip
HIT, DONE = "打", "了"
WORDS = (*PEOPLE, HIT, DONE)
LENGTH = 4

D_MODEL = 16
EMBEDDING_STD = 0.1
READ = {  # how much each of the four new vectors counts in what the answer is read from
    "verb": (0.0, 1.0, 0.0, 0.0),
    "last": (0.0, 0.0, 0.0, 1.0),
    "mean": (0.25, 0.25, 0.25, 0.25),
}


def is_held_out(one: str, other: str) -> bool:
    """Tell whether this pair of people, in both orders, is kept out of training.

    Args:
        one: str, one of PEOPLE.
        other: str, another of PEOPLE.

    Returns:
        bool: True for 我 and 你, and for about one in four of the other pairs.
    """
    pair = sorted((one, other))
    return set(pair) == {"我", "你"} or zlib.crc32(" ".join(pair).encode()) % 4 == 0


def sentences(held_out: bool) -> list[tuple[str, ...]]:
    """All sentences of training, or all that training never shows.

    Args:
        held_out: bool, whether the pairs of people are those kept out of training.

    Returns:
        list of tuples (A, 打, B, 了) of str; A and B always occur in both orders.
    """
    return [
        (one, HIT, other, DONE)
        for one in PEOPLE
        for other in PEOPLE
        if one != other and is_held_out(one, other) is held_out
    ]


@dataclass(frozen=True)
class WhoHits:
    """Models that name who hits, one for each seed.

    Attributes:
        embeddings: float64 array (seeds, words, d_model), a row for each of WORDS.
        layers: for each layer W_Q (seeds, d_model, d_k), W_K (seeds, d_model, d_k) and
            W_V (seeds, d_model, d_model).
        readout: float64 array (seeds, d_model, people), to a score for each of PEOPLE.
        strength: float, what the sinusoids are multiplied by before they are added.
        causal: bool, whether a word sees itself and earlier words only.
        read: str, the new vector that is read, a name in READ.
        losses: float64 array (seeds, steps), the mean cross-entropy before each step.
    """

    embeddings: np.ndarray
    layers: tuple[tuple[np.ndarray, np.ndarray, np.ndarray], ...]
    readout: np.ndarray
    strength: float
    causal: bool
    read: str
    losses: np.ndarray

    def answers(self, sentence: Sequence[str]) -> tuple[str, ...]:
        """Who hits, as each of the models has it.

        Args:
            sentence: four words (A, 打, B, 了), all in WORDS.

        Returns:
            tuple of str in PEOPLE, one a seed.

        Raises:
            ValueError: it is no sentence of this form.
        """
        found = _scores(self, encode([sentence])).argmax(axis=-1)  # (seeds, 1)
        return tuple(PEOPLE[person] for person in found[:, 0])

    def accuracy(self, seen: bool = False) -> np.ndarray:
        """Share of sentences for which the right person is named.

        Args:
            seen: bool, whether to ask about the sentences of training and not about new pairs.

        Returns:
            float64 array (seeds,), from 0 to 1.
        """
        asked = encode(sentences(held_out=not seen))
        return (_scores(self, asked).argmax(axis=-1) == asked[:, 0]).mean(axis=-1)


def encode(asked: Sequence[Sequence[str]]) -> np.ndarray:
    """Turn sentences into ids, places in WORDS. The first one, A, is also the right answer.

    Args:
        asked: sequence of sentences (A, 打, B, 了), each four str.

    Returns:
        int64 array (batch, 4).

    Raises:
        ValueError: a sentence that is not of this form.
    """
    for sentence in asked:
        words = tuple(sentence)
        people = set(words[::2])
        form = len(words) == LENGTH and words[1::2] == (HIT, DONE)
        if not form or len(people) < 2 or not people <= set(PEOPLE):
            raise ValueError(
                say(
                    "A sentence must be A 打 (hit) B 了 ([done]) with two different people out of "
                    "{people}, got: {got}.",
                    people=" ".join(PEOPLE),
                    got=" ".join(map(str, words)),
                )
            )
    return np.array([[WORDS.index(word) for word in sentence] for sentence in asked])


def train_who_hits(
    seeds: Iterable[int],
    *,
    read: str = "verb",
    strength: float = 0.0,
    causal: bool = False,
    num_layers: int = 1,
    steps: int = 200,
    learning_rate: float = 1e-2,
) -> WhoHits:
    """Train one model a seed on `sentences(held_out=False)`, with the right answers.

    The optimiser is Adam (Kingma & Ba, 2015, arXiv 1412.6980, algorithm 1) with its usual
    β₁ = 0.9 and β₂ = 0.999.

    Args:
        seeds: whole numbers; the same seed gives the same model on the same machine.
        read: str, "verb", "last" or "mean": the new vector the answer is read from.
        strength: float, what the sinusoidal positions are multiplied by; 0 for none.
        causal: bool, whether a word sees itself and earlier words only.
        num_layers: int, how many layers of attention.
        steps: int, number of steps of Adam.
        learning_rate: float.

    Returns:
        a WhoHits.

    Raises:
        ValueError: read is no name in READ, num_layers is less than 1, or there is no seed.
    """
    if read not in READ:
        raise ValueError(
            say("read must be one of {names}, got {got}.", names=", ".join(READ), got=repr(read))
        )
    if num_layers < 1:
        raise ValueError(say("num_layers must be 1 or more, got {got}.", got=num_layers))
    generators = [np.random.default_rng(seed) for seed in seeds]
    if not generators:
        raise ValueError(say("seeds must hold at least one whole number."))
    model = WhoHits(
        *_random_parts(generators, num_layers),
        strength=strength,
        causal=causal,
        read=read,
        losses=np.empty((len(generators), steps)),
    )
    ids = encode(sentences(held_out=False))
    optimizer = Adam(_arrays(model), learning_rate)
    for step in range(steps):
        model.losses[:, step], gradients = loss_and_gradients(model, ids)
        optimizer.step(_arrays(gradients))
    return model


def loss_and_gradients(model: WhoHits, ids: np.ndarray) -> tuple[np.ndarray, WhoHits]:
    """Mean cross-entropy of "A" as the answer, and its gradient by hand.

    Args:
        model: WhoHits.
        ids: int array (batch, 4), as `encode` returns.

    Returns:
        the losses, float64 array (seeds,), and a WhoHits that holds the gradient of each array.
    """
    X, passed = _new_vectors(model, ids)  # (seeds, batch, n, d_model)
    rows = np.array(READ[model.read])  # (n,)
    vector = rows @ X  # (seeds, batch, d_model)
    shares = softmax(vector @ model.readout)  # (seeds, batch, people)
    batch = np.arange(len(ids))
    losses = -np.log(shares[:, batch, ids[:, 0]]).mean(axis=-1)

    d_scores = shares.copy()
    d_scores[:, batch, ids[:, 0]] -= 1
    d_scores /= len(ids)
    d_vector = d_scores @ model.readout.swapaxes(1, 2)  # (seeds, batch, d_model)
    d_X = rows[:, None] * d_vector[:, :, None, :]  # (seeds, batch, n, d_model)
    d_layers = []
    for matrices, before in zip(model.layers[::-1], passed[::-1], strict=True):
        d_X, d_matrices = _back_through(matrices, before, d_X)
        d_layers.insert(0, d_matrices)
    is_word = np.eye(len(WORDS))[ids.ravel()]  # (batch * n, words)
    return losses, replace(
        model,
        embeddings=is_word.T @ _flat(d_X),
        layers=tuple(d_layers),
        readout=vector.swapaxes(1, 2) @ d_scores,
    )


def _new_vectors(model, ids):
    """The vectors after the last layer, and for each layer what its gradient needs."""
    d_model = model.embeddings.shape[-1]
    X = model.embeddings[:, ids] + model.strength * sinusoidal_positions(ids.shape[1], d_model)
    mask = causal_mask(ids.shape[1]) if model.causal else None
    passed = []
    for W_Q, W_K, W_V in model.layers:
        Q, K, V = (
            (_flat(X) @ W).reshape(*X.shape[:3], W.shape[-1]) for W in (W_Q, W_K, W_V)
        )  # (seeds, batch, n, d)
        output, weights = scaled_dot_product_attention(Q, K, V, mask)
        passed.append((X, Q, K, V, weights))
        X = X + output
    return X, passed


def _back_through(matrices, passed, d_new):
    """From the gradient after a layer to that before it, and to those of its matrices."""
    X, Q, K, V, weights = passed
    d_V = weights.swapaxes(-1, -2) @ d_new  # (seeds, batch, n, d_model)
    d_weights = d_new @ V.swapaxes(-1, -2)  # (seeds, batch, n, n)
    d_scores = softmax_backward(weights, d_weights) / math.sqrt(K.shape[-1])
    d_Q, d_K = d_scores @ K, d_scores.swapaxes(-1, -2) @ Q  # (seeds, batch, n, d_k)
    parts = [_flat(part) for part in (d_Q, d_K, d_V)]
    d_before = sum(part @ W.swapaxes(1, 2) for part, W in zip(parts, matrices, strict=True))
    columns = _flat(X).swapaxes(1, 2)  # (seeds, d_model, batch * n)
    return d_new + d_before.reshape(X.shape), tuple(columns @ part for part in parts)


def _scores(model, ids):
    return np.array(READ[model.read]) @ _new_vectors(model, ids)[0] @ model.readout


def _flat(vectors):
    """One row a word: (seeds, batch, n, d) -> (seeds, batch * n, d)."""
    return vectors.reshape(len(vectors), -1, vectors.shape[-1])


def _random_parts(generators, num_layers):
    """Embeddings, layers and readout; matrices uniform within ±1/√d_model, as in nn.Linear."""
    bound = 1 / math.sqrt(D_MODEL)

    def matrices(columns):
        return np.stack([rng.uniform(-bound, bound, (D_MODEL, columns)) for rng in generators])

    embeddings = np.stack(
        [rng.normal(0.0, EMBEDDING_STD, (len(WORDS), D_MODEL)) for rng in generators]
    )
    layers = tuple(tuple(matrices(D_MODEL) for _ in range(3)) for _ in range(num_layers))
    return embeddings, layers, matrices(len(PEOPLE))


def _arrays(model):
    return [
        model.embeddings,
        *(matrix for layer in model.layers for matrix in layer),
        model.readout,
    ]
