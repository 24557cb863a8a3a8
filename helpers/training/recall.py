"""What does a reader still know at the end of a story? RNN, GRU and attention on recall.

A story is a row of facts, each "this name has this object", and possibly of filler words that
mean nothing. Afterwards the reader is asked for the objects of names; a guess is right 1 time in 8.

- An RNN or GRU reads the story once into its state. All it answers comes from the last state.
- A turning RNN starts with a recurrent matrix that turns the state and shrinks nothing; a keeping
  GRU starts with gates that keep nearly all of it. Both are fairer starts than torch's own.
- An informed GRU has the question before it at every word, and reads the story once a question.
- Attention has no state. Each question looks back at every place of the story.

A fact that was told `d` words before the end lies at distance `d`; the last word has distance 0.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from tqdm.auto import tqdm

from helpers.measure import one_thread
from helpers.torch_attention import scaled_dot_product_attention

NAMES, OBJECTS, FILLERS = 16, 8, 16
NOTHING = OBJECTS  # the object of a filler word
CHANCE = 1 / OBJECTS
WIDTH = 32  # numbers in the vector of a word
BATCH = 64  # stories a step; an informed reader, which reads a story once a question, gets fewer
INFORMED_BATCH = 16
LEARNING_RATE = 1e-2
TEST_STORIES, TEST_SEED = 1000, 999

KEEP = 5.0  # bias of a keeping GRU's gate: it keeps 0.993 of the state, and lets 0.007 in

KINDS = ("attention", "RNN", "GRU", "turning RNN", "keeping GRU", "informed GRU")


class _Words(nn.Module):
    """The vectors of a story's words: that of the name plus that of the object."""

    def __init__(self):
        super().__init__()
        self.names = nn.Embedding(NAMES + FILLERS, WIDTH)
        self.objects = nn.Embedding(OBJECTS + 1, WIDTH)

    def forward(self, names, objects):
        return self.names(names) + self.objects(objects)  # (batch, n, WIDTH)


class Recurrent(nn.Module):
    """Reads from left to right into a state of fixed size, and answers from the last state alone.

    Args:
        kind: one of KINDS that end in "RNN" or "GRU".
        state_size: int, how many numbers the state has.
    """

    def __init__(self, kind: str, state_size: int):
        super().__init__()
        self.words = _Words()
        self.cell = getattr(nn, kind.split()[-1])(WIDTH, state_size, batch_first=True)
        with torch.no_grad():
            if kind == "turning RNN":
                nn.init.orthogonal_(self.cell.weight_hh_l0)
            if kind == "keeping GRU":  # torch's gates: reset, update, new; update = what is kept
                self.cell.bias_hh_l0[state_size : 2 * state_size] = KEEP
        self.questions = nn.Embedding(NAMES, 128)
        self.open = nn.Linear(state_size, 128)
        self.readout = nn.Linear(128, OBJECTS)

    def forward(self, names, objects, asked):
        """Scores of the objects for each name that is asked for.

        Args:
            names: int64 (batch, n), ids of names, or of fillers from NAMES on.
            objects: int64 (batch, n), ids of objects, NOTHING for fillers.
            asked: int64 (batch, q), ids of names.

        Returns:
            float32 (batch, q, OBJECTS).
        """
        states, _ = self.cell(self.words(names, objects))  # (batch, n, state_size)
        last = states[:, -1:]  # (batch, 1, state_size)
        return self.readout(F.relu(self.open(last) * self.questions(asked)))


class Informed(nn.Module):
    """A GRU that knows the question while it reads.

    Args:
        state_size: int, how many numbers the state has.
    """

    def __init__(self, state_size: int):
        super().__init__()
        self.words = _Words()
        self.cell = nn.GRU(WIDTH, state_size, batch_first=True)
        self.questions = nn.Embedding(NAMES, WIDTH)
        self.readout = nn.Linear(state_size, OBJECTS)

    def forward(self, names, objects, asked):
        """Scores of the objects for each name that is asked for; see `Recurrent.forward`."""
        story = self.words(names, objects)[:, None]  # (batch, 1, n, WIDTH)
        read = story + self.questions(asked)[:, :, None]  # (batch, q, n, WIDTH)
        states, _ = self.cell(read.flatten(0, 1))  # (batch * q, n, state_size)
        return self.readout(states[:, -1].unflatten(0, asked.shape))


class Attention(nn.Module):
    """One attention layer without positions: each question looks back at the whole story.

    Args:
        d_k: int, length of queries, keys and values.
    """

    def __init__(self, d_k: int):
        super().__init__()
        self.words = _Words()
        self.questions = nn.Embedding(NAMES, WIDTH)
        self.W_Q = nn.Linear(WIDTH, d_k, bias=False)
        self.W_K = nn.Linear(WIDTH, d_k, bias=False)
        self.W_V = nn.Linear(WIDTH, d_k, bias=False)
        self.readout = nn.Linear(d_k, OBJECTS)

    def forward(self, names, objects, asked):
        """Scores of the objects for each name that is asked for; see `Recurrent.forward`."""
        X = self.words(names, objects)  # (batch, n, WIDTH)
        Q = self.W_Q(self.questions(asked))  # (batch, q, d_k)
        output, _ = scaled_dot_product_attention(Q, self.W_K(X), self.W_V(X))
        return self.readout(output)


def make_reader(kind: str, size: int, seed: int) -> nn.Module:
    """An untrained reader.

    Args:
        kind: one of KINDS.
        size: int, numbers in the state; d_k for attention.
        seed: int; the same seed gives the same reader, and torch's own generator is left alone.

    Returns:
        nn.Module, called with (names, objects, asked).

    Raises:
        ValueError: the kind is none of KINDS, or the size is below 1.
    """
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}.")
    if size < 1:
        raise ValueError(f"size must be 1 or more, got {size}.")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        if kind == "attention":
            return Attention(size)
        return Informed(size) if kind == "informed GRU" else Recurrent(kind, size)


def make_stories(generator, count: int, facts: int, fillers: int = 0):
    """Draw stories: the facts first, no name twice, then the fillers.

    Args:
        generator: torch.Generator.
        count: int, how many stories.
        facts: int from 1 to NAMES.
        fillers: int, 0 or more.

    Returns:
        names and objects, int64 tensors (count, facts + fillers).

    Raises:
        ValueError: facts is not between 1 and NAMES, or fillers is negative.
    """
    if not 1 <= facts <= NAMES:
        raise ValueError(f"facts must be from 1 to {NAMES}, got {facts}.")
    if fillers < 0:
        raise ValueError(f"fillers must be 0 or more, got {fillers}.")
    names = torch.rand(count, NAMES, generator=generator).argsort(dim=1)[:, :facts]
    objects = torch.randint(OBJECTS, (count, facts), generator=generator)
    noise = torch.randint(NAMES, NAMES + FILLERS, (count, fillers), generator=generator)
    nothing = torch.full((count, fillers), NOTHING)
    return torch.cat([names, noise], dim=1), torch.cat([objects, nothing], dim=1)


def train_readers(
    plans: Mapping[str, tuple[str, int, int]],
    seed: int,
    *,
    facts: tuple[int, int] = (2, NAMES),
    fillers: tuple[int, int] = (0, 0),
    learning_rate: float = LEARNING_RATE,
) -> dict[str, nn.Module]:
    """Train readers one after the other, on one thread, with a progress bar.

    Each step draws how many facts and fillers its stories have. An interruption (the stop button)
    is no error: what is ready is kept, and a line says what is missing.

    Args:
        plans: dict name -> (kind, size, steps), kind and size as for `make_reader`.
        seed: int, for the readers and the stories.
        facts: (least, most) facts of a story.
        fillers: (least, most) fillers after them.
        learning_rate: float, the largest step of Adam, reached after a tenth of the steps.

    Returns:
        dict name -> trained reader, in the order of plans.

    Raises:
        ValueError: as for `make_reader` and `make_stories`.
    """
    ready = {}
    total = sum(steps for _, _, steps in plans.values())
    with one_thread(), tqdm(total=total, unit="step", leave=False) as bar:
        try:
            for name, (kind, size, steps) in plans.items():
                bar.set_description(name)
                reader = make_reader(kind, size, seed)
                _train(reader, steps, seed, facts, fillers, learning_rate, bar)
                ready[name] = reader.requires_grad_(False)
        except KeyboardInterrupt:
            missing = [name for name in plans if name not in ready]
            print(f"Interrupted. Trained: {', '.join(ready) or 'none'}. Not: {', '.join(missing)}.")
    return ready


def recall(reader: nn.Module, facts: int, fillers: int = 0) -> np.ndarray:
    """How often a reader is right about each fact of stories drawn by a seed of their own.

    Args:
        reader: what `make_reader` or `train_readers` returns.
        facts: int from 1 to NAMES.
        fillers: int, words after the facts.

    Returns:
        float64 array (facts,), share of right answers: entry 0 for the fact told last (distance
        `fillers`), entry d for the one told d words before it.
    """
    generator = torch.Generator().manual_seed(TEST_SEED)
    names, objects = make_stories(generator, TEST_STORIES, facts, fillers)
    right = torch.zeros(facts, dtype=torch.float64)
    with one_thread(), torch.no_grad():
        for told, things in zip(names.split(100), objects.split(100), strict=True):
            answers = reader(told, things, told[:, :facts]).argmax(dim=-1)  # (100, facts)
            right += (answers == things[:, :facts]).sum(dim=0)
    return (right / TEST_STORIES).flip(0).numpy()


def signal_by_distance(kind: str, distances: Sequence[int], seed: int) -> np.ndarray:
    """How strongly what an untrained layer gives at the end depends on a word `d` words back.

    It is the Frobenius norm of the Jacobian of the last state (for attention: the output at the
    last position) by the word's vector, divided by that of the word just before the last one.

    Args:
        kind: one of KINDS but the informed GRU, which is no layer by itself.
        distances: ints of at least 1.
        seed: int, for the layer and the words, which are standard normal.

    Returns:
        float64 array, one number for each distance; 1 at distance 1.

    Raises:
        ValueError: another kind, or a distance below 1.
    """
    if kind not in KINDS[:-1]:
        raise ValueError(f"kind must be one of {', '.join(KINDS[:-1])}, got {kind!r}.")
    if min(distances) < 1:
        raise ValueError(f"distances must be at least 1, got {min(distances)}.")
    with one_thread():
        reader = make_reader(kind, WIDTH, seed).double()
        generator = torch.Generator().manual_seed(seed)
        shape = (1, max(distances) + 1, WIDTH)
        X = torch.randn(shape, generator=generator, dtype=torch.float64, requires_grad=True)
        if kind == "attention":
            Q = reader.W_Q(X[:, -1:])  # (1, 1, d_k)
            output, _ = scaled_dot_product_attention(Q, reader.W_K(X), reader.W_V(X))
        else:
            output, _ = reader.cell(X)
        slopes = [torch.autograd.grad(y, X, retain_graph=True)[0] for y in output[0, -1]]
    norms = torch.cat(slopes).square().sum(dim=(0, 2)).sqrt().flip(0)  # (n,), by distance
    return (norms[list(distances)] / norms[1]).numpy()


def _train(reader, steps, seed, facts, fillers, learning_rate, bar):
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(reader.parameters(), lr=learning_rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, learning_rate, total_steps=steps, pct_start=0.1
    )
    count = INFORMED_BATCH if isinstance(reader, Informed) else BATCH
    for _ in range(steps):
        told, noise = (_between(generator, least, most) for least, most in (facts, fillers))
        names, objects = make_stories(generator, count, told, noise)
        answers = reader(names, objects, names[:, :told])
        loss = F.cross_entropy(answers.flatten(0, 1), objects[:, :told].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        bar.update()


def _between(generator, least, most):
    return int(torch.randint(least, most + 1, (), generator=generator))
