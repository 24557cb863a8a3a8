"""One attention layer that answers two questions about a sentence, one model for each seed.

A question belongs to a row and asks for a name. `TWO_ROWS` asks in the row of 他 who that is, and
in the row of the verb who did it. `ONE_ROW` asks two things in the row of the verb: who did it, and
to whom. Nothing else differs. Nothing ever tells a model where to look.

The models are one layer of attention, each with the same number of parameters whatever its number
of heads: embeddings of words and places, W_Q, W_K, W_V, W_O, and for each question a linear readout
over the 64 names. No residual connection, so that a name has to be fetched; small embeddings at
first (standard deviation 0.1), so that training starts from even weights. Models of several seeds
are trained side by side, along a leading axis. Their parameters never meet.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from tqdm.auto import tqdm

from helpers.lessons.lesson06.experiment.corpus import (
    LENGTH,
    NAMES,
    WORDS,
    Sentences,
    encode,
    make_sentences,
)
from helpers.measure import one_thread
from helpers.torch_attention import merge_heads, scaled_dot_product_attention, split_heads

D_MODEL = 32
EMBEDDING_STD = 0.1
STEPS = 400
BATCH = 64
LEARNING_RATE = 1e-2
TEST_SIZE = 1000


class _Models(nn.Module):
    """The same small model once for each seed; every parameter has a leading axis (seeds, ...)."""

    def __init__(self, seeds, num_heads, num_questions, place_in_values):
        super().__init__()
        self.num_heads = num_heads
        self.place_in_values = place_in_values
        generators = [torch.Generator().manual_seed(seed) for seed in seeds]

        def parameter(rows, columns, std):
            drawn = [torch.randn(rows, columns, generator=g) * std for g in generators]
            return nn.Parameter(torch.stack(drawn))

        one_over_root = 1 / math.sqrt(D_MODEL)
        self.words = parameter(len(WORDS), D_MODEL, EMBEDDING_STD)
        self.places = parameter(LENGTH, D_MODEL, EMBEDDING_STD)
        self.W_Q = parameter(D_MODEL, D_MODEL, one_over_root)
        self.W_K = parameter(D_MODEL, D_MODEL, one_over_root)
        self.W_V = parameter(D_MODEL, D_MODEL, one_over_root)
        self.W_O = parameter(D_MODEL, D_MODEL, one_over_root)
        self.readouts = nn.ParameterList(
            [parameter(D_MODEL, len(NAMES), one_over_root) for _ in range(num_questions)]
        )

    def forward(self, ids, rows, without=None):
        """Look from some rows of each sentence.

        Args:
            ids: (seeds, batch, n) int64.
            rows: (seeds, batch, asked) int64, the positions that look.
            without: a head whose output is set to zero, or None.

        Returns:
            output (seeds, batch, asked, d_model), weights (seeds, batch, num_heads, asked, n).
        """
        first_word = len(WORDS) * torch.arange(len(ids))[:, None, None]
        content = F.embedding(ids + first_word, self.words.flatten(0, 1))  # (seeds, batch, n, d)
        X = content + self.places[:, None, : ids.shape[-1]]
        asking = torch.gather(X, 2, rows[..., None].expand(*rows.shape, D_MODEL))
        Q = self._heads(asking, self.W_Q)  # (seeds, batch, num_heads, asked, d_head)
        K = self._heads(X, self.W_K)  # (seeds, batch, num_heads, n, d_head)
        V = self._heads(X if self.place_in_values else content, self.W_V)
        mask = (ids > 0)[:, :, None, None]  # (seeds, batch, 1, 1, n)
        heads, weights = scaled_dot_product_attention(Q, K, V, mask)
        if without is not None:
            heads = heads.clone()
            heads[:, :, without] = 0
        return _project(merge_heads(heads), self.W_O), weights

    def answers(self, output):
        """Scores of all names, (seeds, batch, names), one tensor for each question."""
        return [output[:, :, q] @ readout for q, readout in enumerate(self.readouts)]

    def _heads(self, rows, W):
        return split_heads(_project(rows, W), self.num_heads)


def _project(rows, W):
    """Rows (seeds, batch, m, d_in) times the matrix (seeds, d_in, d_out) of their seed."""
    return (rows.flatten(1, 2) @ W).unflatten(1, rows.shape[1:3])


@dataclass(frozen=True)
class Relations:
    """Trained models, one a seed, and the sentences they are tested on, which they never saw.

    Attributes:
        questions: pairs (row that is asked, role that is wanted).
        num_heads: int.
        seeds: tuple of int.
        tests: one Sentences for each seed.
        losses: float64 array (steps, seeds), the loss during training.
    """

    questions: tuple[tuple[str, str], ...]
    num_heads: int
    seeds: tuple[int, ...]
    tests: tuple[Sentences, ...]
    losses: np.ndarray
    _models: _Models

    @property
    def num_parameters(self) -> int:
        """How many numbers one model learns."""
        return sum(p[0].numel() for p in self._models.parameters())

    def accuracy(self, without: int | None = None) -> np.ndarray:
        """Share of the test sentences in which each question is answered rightly.

        Args:
            without: a head whose output is set to zero, or None.

        Returns:
            float64 array (seeds, questions).
        """
        return self._right(without).mean(axis=1)

    def both_right(self, without: int | None = None) -> np.ndarray:
        """Share of the test sentences in which all questions are answered rightly.

        Args:
            without: a head whose output is set to zero, or None.

        Returns:
            float64 array (seeds,).
        """
        return self._right(without).all(axis=2).mean(axis=1)

    def weights_on_answers(self) -> np.ndarray:
        """Mean weight from the row that is asked to the word that is the answer.

        Returns:
            float64 array (seeds, num_heads, questions).
        """
        _, weights = self._look(self.tests)  # (seeds, count, num_heads, questions, n)
        places = self._stacked(self.tests, [role for _, role in self.questions])
        picked = np.take_along_axis(weights, places[:, :, None, :, None], axis=4)[..., 0]
        return picked.mean(axis=1)

    def change_when_swapped(self) -> np.ndarray:
        """How far the output of the first asked row moves when subject and object are exchanged.

        Returns:
            float64 array (seeds,): mean distance, as a share of the output's mean length. For two
            outputs that have nothing in common it is about √2.
        """
        before = self._look(self.tests)[0][:, :, 0]  # (seeds, count, d_model)
        after = self._look([test.swapped() for test in self.tests])[0][:, :, 0]
        moved = np.linalg.norm(after - before, axis=-1).mean(axis=1)
        return moved / np.linalg.norm(before, axis=-1).mean(axis=1)

    def names_someone_asked_for(self) -> np.ndarray:
        """Share of all answers that name one of the asked roles, whichever question it is for.

        Returns:
            float64 array (seeds,).
        """
        given = self._answers(None)  # (seeds, count, questions)
        wanted = self._wanted()
        return (given[..., :, None] == wanted[..., None, :]).any(axis=-1).mean(axis=(1, 2))

    def maps(self, tokens: Sequence[str], seed: int) -> np.ndarray:
        """All weights of one sentence, from every row.

        Args:
            tokens: sequence of n str, all in WORDS.
            seed: int, one of `seeds`.

        Returns:
            float64 array (num_heads, n, n).

        Raises:
            ValueError: a word is not in WORDS, there are too many, or no model has this seed.
        """
        ids = torch.from_numpy(encode(tokens))
        if seed not in self.seeds:
            raise ValueError(f"seed must be one of {self.seeds}, got {seed}.")
        rows = torch.arange(len(tokens)).expand(len(self.seeds), 1, -1)
        with torch.no_grad():
            _, weights = self._models(ids.expand(len(self.seeds), 1, -1), rows)
        return weights[self.seeds.index(seed), 0].double().numpy()

    def _right(self, without):
        return self._answers(without) == self._wanted()

    def _answers(self, without):
        output, _ = self._look(self.tests, without)
        with torch.no_grad():
            scores = self._models.answers(torch.from_numpy(output).float())
        return np.stack([s.argmax(dim=-1).numpy() for s in scores], axis=-1)

    def _wanted(self):
        return np.stack(
            [np.stack([test.names(role) for _, role in self.questions], -1) for test in self.tests]
        )

    def _look(self, tests, without=None):
        ids = torch.from_numpy(np.stack([test.ids for test in tests]))
        rows = torch.from_numpy(self._stacked(tests, [row for row, _ in self.questions]))
        with torch.no_grad(), one_thread():
            output, weights = self._models(ids, rows, without)
        return output.double().numpy(), weights.double().numpy()

    def _stacked(self, tests, roles):
        return np.stack([np.stack([t.places[role] for role in roles], -1) for t in tests])


def train_relations(
    questions: Sequence[tuple[str, str]],
    num_heads: int,
    seeds: Sequence[int] = range(5),
    steps: int = STEPS,
    place_in_values: bool = True,
) -> Relations:
    """Train one model for each seed to answer some questions about each sentence.

    Every sentence of the training is new. Adam with a learning rate that rises and falls once.

    Args:
        questions: pairs (row that is asked, role that is wanted), such as ONE_ROW.
        num_heads: int, divides D_MODEL.
        seeds: whole numbers; each fixes first parameters and sentences of its own model.
        steps: int, how many batches of BATCH sentences.
        place_in_values: whether the values carry the place of their word beside the word, as
            queries and keys always do.

    Returns:
        Relations.
    """
    questions, seeds = tuple(tuple(question) for question in questions), tuple(seeds)
    models = _Models(seeds, num_heads, len(questions), place_in_values)
    streams = [make_sentences(np.random.default_rng([seed, 0]), steps * BATCH) for seed in seeds]
    tests = tuple(make_sentences(np.random.default_rng([seed, 1]), TEST_SIZE) for seed in seeds)
    ids = torch.from_numpy(np.stack([stream.ids for stream in streams]))
    rows, answers = (
        torch.from_numpy(np.stack([np.stack(list(part), -1) for part in parts]))
        for parts in (
            [[stream.places[row] for row, _ in questions] for stream in streams],
            [[stream.names(role) for _, role in questions] for stream in streams],
        )
    )
    optimiser = torch.optim.Adam(models.parameters(), lr=LEARNING_RATE)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / (0.1 * steps), 1) * (1 - step / steps)
    )
    losses = np.zeros((steps, len(seeds)))
    with one_thread():
        for step in tqdm(range(steps), desc=f"{num_heads} head(s)", leave=False):
            batch = slice(step * BATCH, (step + 1) * BATCH)
            output, _ = models(ids[:, batch], rows[:, batch])
            loss = sum(
                F.cross_entropy(scores.transpose(1, 2), answers[:, batch, q], reduction="none")
                for q, scores in enumerate(models.answers(output))
            ).mean(dim=1)  # (seeds,)
            optimiser.zero_grad()
            loss.sum().backward()
            optimiser.step()
            schedule.step()
            losses[step] = loss.detach().numpy()
    return Relations(questions, num_heads, seeds, tests, losses, models)


def clean_splits(weights: np.ndarray, share: float = 0.9) -> np.ndarray:
    """Tell in which models every question has a head of its own.

    Args:
        weights: (seeds, num_heads, questions), as from `Relations.weights_on_answers`.
        share: float, how much weight a head must give to one answer to count as its own.

    Returns:
        bool array (seeds,): True where each question is served, by at least one head with at least
        `share` of its weight, and every head serves exactly one question.
    """
    serves = np.asarray(weights) >= share
    return (serves.sum(axis=2) == 1).all(axis=1) & serves.any(axis=1).all(axis=1)
