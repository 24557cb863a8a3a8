"""Facts of two tokens, a name and a thing: can layers of attention bind them together?

A story tells `facts` facts, each as a name and then a thing. After it the same facts come again in
another order. At each name of this second round the reader has to say which thing follows.
"""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers.measure import one_thread
from helpers.sentences import NAMES as ALL_NAMES
from helpers.sentences import OBJECTS as THINGS
from helpers.torch_attention import causal_mask, scaled_dot_product_attention

NAMES = ALL_NAMES[:16]
WORDS = NAMES + THINGS
D_MODEL, LONGEST, MOST_FACTS = 64, 32, 8
BATCH, LEARNING_RATE = 64, 3e-3


def stories(
    generator: torch.Generator, count: int, facts: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Draw stories, each with its second round.

    Args:
        generator: torch.Generator.
        count: int, how many stories.
        facts: int from 1 to MOST_FACTS.

    Returns:
        ids in WORDS, int64 (count, 4 * facts), and the right things, places in THINGS, at the
        names of the second round, int64 (count, facts).
    """
    names = torch.rand(count, len(NAMES), generator=generator).argsort(1)[:, :facts]
    things = torch.randint(len(THINGS), (count, facts), generator=generator)
    order = torch.rand(count, facts, generator=generator).argsort(1)
    again, right = names.gather(1, order), things.gather(1, order)
    rounds = [torch.stack([n, t + len(NAMES)], -1) for n, t in ((names, things), (again, right))]
    return torch.cat(rounds, dim=1).flatten(1), right


class Layers(nn.Module):
    """Causal attention layers, each adding what it brings to the vectors it has read.

    Args:
        layers: int.
        seed: int.
    """

    def __init__(self, layers: int, seed: int):
        super().__init__()
        generator = torch.Generator().manual_seed(seed)

        def normal(*shape, std):
            return nn.Parameter(torch.randn(*shape, generator=generator) * std)

        self.vectors = normal(len(WORDS), D_MODEL, std=0.5)
        self.positions = normal(LONGEST, D_MODEL, std=0.5)
        self.matrices = nn.ParameterList(
            [normal(4, D_MODEL, D_MODEL, std=1 / 8) for _ in range(layers)]
        )
        self.readout = normal(D_MODEL, len(THINGS), std=1 / 8)

    def forward(self, ids: torch.Tensor) -> tuple[torch.Tensor, list[torch.Tensor]]:
        """Scores of the things at each place (batch, n, things), and each layer's weights."""
        n, maps = ids.shape[1], []
        X = self.vectors[ids] + self.positions[:n]  # (batch, n, d_model)
        for W_Q, W_K, W_V, W_O in self.matrices:
            brought, weights = scaled_dot_product_attention(
                X @ W_Q, X @ W_K, X @ W_V, causal_mask(n)
            )
            X = X + brought @ W_O
            maps.append(weights)
        return X @ self.readout, maps


def train_layers(layers: int, steps: int, seed: int) -> Layers:
    """Train on stories of 1 to MOST_FACTS facts, on one thread."""
    model = Layers(layers, seed)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), LEARNING_RATE)
    with one_thread():
        for _ in range(steps):
            facts = int(torch.randint(1, MOST_FACTS + 1, (), generator=generator))
            ids, right = stories(generator, BATCH, facts)
            answers = model(ids)[0][:, 2 * facts :: 2]  # (batch, facts, things)
            loss = F.cross_entropy(answers.flatten(0, 1), right.flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return model.requires_grad_(False)


def right_answers(model: nn.Module, facts: int, seed: int) -> float:
    """Share of right answers in 500 stories drawn afresh."""
    ids, right = stories(torch.Generator().manual_seed(seed), 500, facts)
    with one_thread():
        said = model(ids)[0][:, 2 * facts :: 2].argmax(-1)
    return float((said == right).double().mean())


def told_thing(facts: int, seed: int) -> float:
    """Share of right answers of a reader that says a thing told most often, whoever has it."""
    _, right = stories(torch.Generator().manual_seed(seed), 500, facts)
    counts = F.one_hot(right, len(THINGS)).sum(dim=1)  # (500, things)
    return round(float(counts.max(dim=1).values.double().mean() / facts), 3)


def one_story(model: Layers, facts: int, seed: int) -> tuple[list[str], list[np.ndarray]]:
    """A story as words (n), and the weights of each layer (n, n) in it."""
    ids, _ = stories(torch.Generator().manual_seed(seed), 1, facts)
    return [WORDS[i] for i in ids[0].tolist()], [weights[0].numpy() for weights in model(ids)[1]]


def weights_found(model: Layers, facts: int, seed: int) -> tuple[float, float]:
    """Mean weight, first layer: things on the name before; last: questions on the right thing."""
    ids, _ = stories(torch.Generator().manual_seed(seed), 200, facts)
    with one_thread():
        maps = [m.numpy() for m in model(ids)[1]]
    things, asks = np.arange(1, 2 * facts, 2), np.arange(2 * facts, 4 * facts, 2)
    told = (ids[:, None, : 2 * facts] == ids[:, asks, None]).numpy().argmax(-1)  # (200, facts)
    rows = np.arange(len(ids))[:, None]
    found = maps[0][:, things, things - 1], maps[-1][rows, asks, told + 1]
    return round(float(found[0].mean()), 3), round(float(found[1].mean()), 3)
