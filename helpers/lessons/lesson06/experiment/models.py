"""One attention layer that answers two questions about a sentence, in NumPy, several seeds at once.

A question belongs to a row and asks for a name. `TWO_ROWS` asks in the row of the pronoun who that
is, and in the row of the verb who did it. `ONE_ROW` asks two things in the row of the verb: who did
it, and to whom. Nothing else differs. Nothing ever tells a model where to look.

A model is words and places added, one layer of attention with W_Q, W_K, W_V, W_O (as many numbers
whatever the number of heads), and for each question a readout over the 16 names: one matrix, or two
with a ReLU between. No residual connection, so that a name has to be fetched; small embeddings at
first (standard deviation 0.1), so that training starts from even weights. All seeds train side by
side, as one more axis in front; each has its own random numbers.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from helpers.lessons.lesson06.experiment.corpus import (
    LENGTH,
    NAMES,
    WORDS,
    Sentences,
    encode,
    make_sentences,
    unseen,
)
from helpers.numpy_attention import multi_head_attention, softmax, softmax_backward
from helpers.training.adam import Adam

D_MODEL = 32
EMBEDDING_STD = 0.1
STEPS = 200
BATCH = 64
LEARNING_RATE = 1e-2


@dataclass(frozen=True)
class Model:
    """One trained model. Its attention is computed by whoever uses it, see `Trained`.

    Attributes:
        words: float64 array (words, d_model), a row for each of WORDS.
        places: float64 array (LENGTH, d_model), a row for each position.
        matrices: W_Q, W_K, W_V, W_O, each (d_model, d_model).
        readouts: for each question one matrix, or two with a ReLU between; the last one has a
            column for each of NAMES.
        questions: pairs (row that is asked, role that is wanted).
        num_heads: int.
    """

    words: np.ndarray
    places: np.ndarray
    matrices: tuple[np.ndarray, ...]
    readouts: tuple[tuple[np.ndarray, ...], ...]
    questions: tuple[tuple[str, str], ...]
    num_heads: int

    @property
    def num_parameters(self) -> int:
        """How many numbers it has learned."""
        parts = [self.words, self.places, *self.matrices, *(m for r in self.readouts for m in r)]
        return sum(part.size for part in parts)

    def answers(self, output: np.ndarray, sentences: Sentences) -> np.ndarray:
        """Read a name off the row that each question is asked in.

        Args:
            output: (count, LENGTH, d_model), what attention made of the sentences.
            sentences: count of them.

        Returns:
            int64 array (count, questions), indices into NAMES.
        """
        given = []
        for (row, _), readout in zip(self.questions, self.readouts, strict=True):
            vectors = output[np.arange(len(output)), sentences.places[row]]  # (count, d_model)
            if len(readout) == 2:
                vectors = np.maximum(vectors @ readout[0], 0)  # (count, hidden)
            given.append((vectors @ readout[-1]).argmax(axis=-1))
        return np.stack(given, axis=-1)

    def right(self, output: np.ndarray, sentences: Sentences) -> np.ndarray:
        """Tell which answers are right, as `answers` gives them.

        Returns:
            bool array (count, questions).
        """
        wanted = [sentences.names(role) for _, role in self.questions]
        return self.answers(output, sentences) == np.stack(wanted, axis=-1)

    def on_answers(self, weights: np.ndarray, sentences: Sentences) -> np.ndarray:
        """Mean weight from the row that is asked to the word that is the answer.

        Args:
            weights: (count, num_heads, LENGTH, LENGTH).
            sentences: count of them.

        Returns:
            float64 array (num_heads, questions).
        """
        every, at = np.arange(len(weights)), sentences.places
        means = [weights[every, :, at[row], at[role]].mean(axis=0) for row, role in self.questions]
        return np.stack(means, axis=-1)

    def without(self, head: int) -> "Model":
        """The model with one head taken out: its rows of W_O are 0."""
        W_O = self.matrices[-1].copy()
        np.split(W_O, self.num_heads)[head][:] = 0
        return replace(self, matrices=(*self.matrices[:-1], W_O))

    def maps(self, tokens: Sequence[str]) -> np.ndarray:
        """All weights of one sentence.

        Args:
            tokens: sequence of n str, all in WORDS.

        Returns:
            float64 array (num_heads, n, n).

        Raises:
            ValueError: a word is not in WORDS, or there are too many.
        """
        X = self.words[encode(tokens)] + self.places[: len(tokens)]  # (n, d_model)
        return multi_head_attention(X, *self.matrices, self.num_heads)[1]


@dataclass(frozen=True)
class Trained:
    """Models of several seeds, and for each the sentences it is tested on.

    What is measured takes `look`, a function(model, sentences) that returns output
    (count, LENGTH, d_model) and weights (count, num_heads, LENGTH, LENGTH).

    Attributes:
        models: one a seed.
        tests: one a seed, about people who never met in training.
    """

    models: tuple[Model, ...]
    tests: tuple[Sentences, ...]

    def each_right(self, look: Callable) -> np.ndarray:
        """Share of sentences in which each question is answered rightly, (seeds, questions)."""
        return np.stack([right.mean(axis=0) for right in self._right(look)])

    def both_right(self, look: Callable) -> np.ndarray:
        """Share of sentences in which all questions are answered rightly, (seeds,)."""
        return np.stack([right.all(axis=1).mean() for right in self._right(look)])

    def on_answers(self, look: Callable) -> np.ndarray:
        """Mean weights from asked row to answering word, (seeds, num_heads, questions)."""
        pairs = zip(self.models, self.tests, strict=True)
        return np.stack([model.on_answers(look(model, test)[1], test) for model, test in pairs])

    def without(self, head: int) -> "Trained":
        """The same models with one head taken out, nothing trained again."""
        return replace(self, models=tuple(model.without(head) for model in self.models))

    def _right(self, look):
        pairs = zip(self.models, self.tests, strict=True)
        return [model.right(look(model, test)[0], test) for model, test in pairs]


class _Layer:
    """Models of several seeds: every parameter has a leading axis (seeds, ...)."""

    def __init__(self, seeds, questions, num_heads, hidden, place_in_values):
        self.num_heads, self.place_in_values = num_heads, place_in_values
        self.generators = [np.random.default_rng([seed, 2]) for seed in seeds]
        one_over_root = 1 / math.sqrt(D_MODEL)
        self.words = self._draw(len(WORDS), D_MODEL, EMBEDDING_STD)
        self.places = self._draw(LENGTH, D_MODEL, EMBEDDING_STD)
        self.matrices = [self._draw(D_MODEL, D_MODEL, one_over_root) for _ in range(4)]
        self.readouts = [self._readout(hidden) for _ in questions]

    def model(self, which, questions):
        """The model of one seed."""
        words, places, *matrices = (part[which].astype(float) for part in self.parameters()[:6])
        readouts = tuple(tuple(m[which].astype(float) for m in r) for r in self.readouts)
        return Model(words, places, tuple(matrices), readouts, questions, self.num_heads)

    def _draw(self, rows, columns, std):
        drawn = [rng.normal(0.0, std, (rows, columns)) for rng in self.generators]
        return np.stack(drawn).astype(np.float32)

    def _readout(self, hidden):
        if not hidden:
            return [self._draw(D_MODEL, len(NAMES), 1 / math.sqrt(D_MODEL))]
        first = self._draw(D_MODEL, hidden, 3 / math.sqrt(D_MODEL))
        return [first, self._draw(hidden, len(NAMES), 1 / math.sqrt(hidden))]

    def parameters(self):
        """All that is trained, in the order of the gradients."""
        return [self.words, self.places, *self.matrices, *(m for r in self.readouts for m in r)]

    def loss_and_gradients(self, ids, rows, answers):
        """Cross-entropy (seeds,) and gradients; ids (seeds, batch, n), rows, answers (…, asked)."""
        seeds, batch, n = ids.shape
        one_hot = np.eye(len(WORDS), dtype=np.float32)[ids.reshape(seeds, -1)]
        content = (one_hot @ self.words).reshape(seeds, batch, n, D_MODEL)
        X = content + self.places[:, None, :n]
        values = X if self.place_in_values else content
        W_Q, W_K, W_V, W_O = self.matrices
        K_heads, V_heads = self._cut(W_K), self._cut(W_V)  # (seeds, h, d_model, d_head)
        at = np.eye(n, dtype=np.float32)[rows]  # (seeds, batch, asked, n)
        asking = at @ X  # (seeds, batch, asked, d_model)
        Q = self._to_heads(_times(asking, W_Q))  # (seeds, h, batch * asked, d_head)
        # A key is x W_K: (q W_Kᵀ) · x saves the product of all rows of X with W_K.
        sought = self._to_rows(Q @ K_heads.swapaxes(-1, -2), rows)  # (seeds, batch, asked * h, d)
        scale = np.float32(math.sqrt(D_MODEL // self.num_heads))
        scores = sought @ X.swapaxes(-1, -2) / scale
        scores = np.where((ids > 0)[:, :, None], scores, -np.inf)
        weights = softmax(scores)  # (seeds, batch, asked * h, n)
        mixed = self._per_head(weights @ values, rows)  # (seeds, h, batch * asked, d_model)
        merged = self._merged(mixed @ V_heads)  # (seeds, batch * asked, d_model)
        output = (merged @ W_O).reshape(asking.shape)

        losses, d_output, d_readouts = self._read(output, answers)
        d_output = d_output.reshape(merged.shape)
        d_W_O = merged.swapaxes(1, 2) @ d_output
        d_heads = self._unmerged(d_output @ W_O.swapaxes(1, 2))
        d_W_V = self._glue(mixed.swapaxes(-1, -2) @ d_heads)
        d_mixed = self._to_rows(d_heads @ V_heads.swapaxes(-1, -2), rows)
        d_values = weights.swapaxes(-1, -2) @ d_mixed
        d_scores = softmax_backward(weights, d_mixed @ values.swapaxes(-1, -2))
        d_scores = d_scores / scale
        d_sought = self._per_head(d_scores @ X, rows)
        d_X = d_scores.swapaxes(-1, -2) @ sought
        d_Q = d_sought @ K_heads
        d_W_K = self._glue(d_sought.swapaxes(-1, -2) @ Q)
        d_Q = self._merged(d_Q)
        d_W_Q = asking.reshape(merged.shape).swapaxes(1, 2) @ d_Q
        d_X = d_X + at.swapaxes(-1, -2) @ (d_Q @ W_Q.swapaxes(1, 2)).reshape(asking.shape)
        d_places = np.zeros_like(self.places)
        d_places[:, :n] = (d_X + d_values if self.place_in_values else d_X).sum(axis=1)
        d_content = (d_X + d_values).reshape(seeds, -1, D_MODEL)
        d_words = one_hot.swapaxes(1, 2) @ d_content
        flat = [m for r in d_readouts for m in r]
        return losses, [d_words, d_places, d_W_Q, d_W_K, d_W_V, d_W_O, *flat]

    def _read(self, output, answers):
        """Losses, and gradients by output and readouts."""
        losses, d_output, d_readouts = 0, np.zeros_like(output), []
        for q, readout in enumerate(self.readouts):
            given = output[:, :, q]
            inner = [given] if len(readout) == 1 else [given, np.maximum(given @ readout[0], 0)]
            shares = softmax(inner[-1] @ readout[-1])  # (seeds, batch, names)
            right = np.eye(len(NAMES), dtype=np.float32)[answers[:, :, q]]
            losses = losses - np.log((shares * right).sum(axis=-1) + 1e-30).mean(axis=-1)
            d = (shares - right) / np.float32(answers.shape[1])
            d_readout = [inner[-1].swapaxes(1, 2) @ d]
            d = d @ readout[-1].swapaxes(1, 2)
            if len(readout) == 2:
                d = d * (inner[1] > 0)
                d_readout.insert(0, given.swapaxes(1, 2) @ d)
                d = d @ readout[0].swapaxes(1, 2)
            d_output[:, :, q] = d
            d_readouts.append(d_readout)
        return losses, d_output, d_readouts

    def _cut(self, W):
        return W.reshape(len(W), D_MODEL, self.num_heads, -1).swapaxes(1, 2)

    def _glue(self, W):
        return W.swapaxes(1, 2).reshape(len(W), D_MODEL, D_MODEL)

    def _to_heads(self, rows):
        """(seeds, batch, asked, d_model) -> (seeds, h, batch * asked, d_head)."""
        return rows.reshape(len(rows), -1, self.num_heads, D_MODEL // self.num_heads).swapaxes(1, 2)

    def _to_rows(self, per_head, rows):
        """(seeds, h, batch * asked, d) -> (seeds, batch, asked * h, d)."""
        return per_head.swapaxes(1, 2).reshape(*rows.shape[:2], -1, per_head.shape[-1])

    def _per_head(self, by_row, rows):
        """(seeds, batch, asked * h, d) -> (seeds, h, batch * asked, d)."""
        return by_row.reshape(len(rows), -1, self.num_heads, by_row.shape[-1]).swapaxes(1, 2)

    def _merged(self, per_head):
        return per_head.swapaxes(1, 2).reshape(len(per_head), -1, D_MODEL)

    def _unmerged(self, rows):
        return rows.reshape(len(rows), -1, self.num_heads, D_MODEL // self.num_heads).swapaxes(1, 2)


def _times(rows, W):
    """Rows (seeds, batch, m, d_in) times the matrix (seeds, d_in, d_out) of their seed."""
    return rows.reshape(len(rows), -1, rows.shape[-1]) @ W


def train(
    questions: Sequence[tuple[str, str]],
    num_heads: int,
    seeds: Iterable[int],
    *,
    hidden: int = 0,
    steps: int = STEPS,
    place_in_values: bool = True,
) -> Trained:
    """Train one model for each seed to answer two questions about each sentence.

    Every sentence of the training is new, and none of its threesomes is in the test. Adam with a
    learning rate that rises and falls once.

    Args:
        questions: pairs (row that is asked, role that is wanted), such as ONE_ROW.
        num_heads: int, divides D_MODEL.
        seeds: whole numbers; each fixes first parameters and sentences of its own model.
        hidden: int, how many ReLUs each readout has; 0 for a linear one.
        steps: int, how many batches of BATCH sentences.
        place_in_values: whether the values carry the place of their word beside the word, as
            queries and keys always do.

    Returns:
        Trained.
    """
    seeds, questions = tuple(seeds), tuple(questions)
    layer = _Layer(seeds, questions, num_heads, hidden, place_in_values)
    streams = [make_sentences(np.random.default_rng([s, 0]), steps * BATCH) for s in seeds]
    ids = np.stack([stream.ids for stream in streams])  # (seeds, count, LENGTH)
    rows, answers = (
        np.stack([np.stack(part, axis=-1) for part in parts])  # (seeds, count, questions)
        for parts in (
            [[stream.places[row] for row, _ in questions] for stream in streams],
            [[stream.names(role) for _, role in questions] for stream in streams],
        )
    )
    optimizer = Adam(layer.parameters(), LEARNING_RATE)
    for step in range(steps):
        optimizer.learning_rate = LEARNING_RATE * min((step + 1) / (0.1 * steps), 1)
        optimizer.learning_rate *= 1 - step / steps
        part = slice(step * BATCH, (step + 1) * BATCH)
        optimizer.step(layer.loss_and_gradients(ids[:, part], rows[:, part], answers[:, part])[1])
    models = tuple(layer.model(which, questions) for which in range(len(seeds)))
    return Trained(models, tuple(unseen(seed) for seed in seeds))
