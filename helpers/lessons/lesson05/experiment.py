"""Does it learn without the division by √d_k? One attention layer on a task of looking things up.

A story tells 16 facts, each a name and one of 8 objects. Then every name of the story is asked for,
and the model has to say its object; chance is 1 in 8. Nothing but attention can bring the object to
the question. Queries and keys start with entries of variance 1, the premise of the division.

A word has the same query and key wherever it stands. So the words, and not the facts, are
projected and compared, and a fact's score is the sum of the scores of its two words. That is the
same X W_Q W_Kᵀ Xᵀ, with X written as one-hot rows times embeddings, in a fraction of the time.
"""

import contextlib
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from tqdm.auto import tqdm

from helpers.measure import one_thread

NAMES, OBJECTS, FACTS, D_MODEL, BATCH = 32, 8, 16, 64, 64
SOLVED_AT = 0.95  # mean accuracy over the last five steps


@dataclass(frozen=True)
class Run:
    """One training run, one number a step in each list.

    Attributes:
        name: which divisor.
        d_k: length of a query.
        seed: whole number.
        accuracy: share of right answers in the step's batch, before the step.
        spread: standard deviation of the scores that went into softmax.
        right_weight: mean weight on the fact that holds the answer.
        solved_after: steps until 95 % were right; None if that did not happen.
    """

    name: str
    d_k: int
    seed: int
    accuracy: list[float]
    spread: list[float]
    right_weight: list[float]
    solved_after: int | None


def train(divisor, d_k, seed, *, name="", steps=300, learning_rate=3e-3, shrink=1.0, stop=True):
    """Train one model with Adam, on one thread.

    Args:
        divisor: float, what q·k is divided by.
        d_k: int, length of queries and keys.
        seed: int, for the start and the stories.
        name: str, kept in the Run.
        steps: int, the most steps to take, 64 stories each.
        learning_rate: float.
        shrink: float, by which W_Q and W_K are multiplied at the start.
        stop: bool, whether to stop once 95 % are right.

    Returns:
        Run.
    """
    with one_thread(), _tiny_is_zero():
        generator = torch.Generator().manual_seed(seed)
        model = _parameters(d_k, shrink, generator)
        optimizer = torch.optim.Adam(model, lr=learning_rate)
        accuracy, spread, right_weight, solved_after = [], [], [], None
        for step in range(1, steps + 1):
            names, objects = _stories(generator)
            scores, weights, answers = _answer(model, names, objects, divisor)
            loss = F.cross_entropy(answers.flatten(0, 1), objects.flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            with torch.no_grad():
                accuracy.append((answers.argmax(-1) == objects).float().mean().item())
                spread.append(scores.std().item())
                right_weight.append(weights.diagonal(dim1=-2, dim2=-1).mean().item())
            if solved_after is None and step >= 5 and sum(accuracy[-5:]) / 5 >= SOLVED_AT:
                solved_after = step
                if stop:
                    break
    return Run(name, d_k, seed, accuracy, spread, right_weight, solved_after)


def train_all(divisors, dimensions, seeds, **settings):
    """Train one model for each divisor, dimension and seed, with a progress bar.

    Args:
        divisors: dict name -> function of d_k.
        dimensions: ints, values of d_k.
        seeds: ints.
        **settings: handed on to `train` (steps, learning_rate, shrink).

    Returns:
        list of Run.
    """
    jobs = [(name, d_k, seed) for d_k in dimensions for name in divisors for seed in seeds]
    return [
        train(divisors[name](d_k), d_k, seed, name=name, **settings)
        for name, d_k, seed in tqdm(jobs, desc="training", unit="run", leave=False)
    ]


def agreement_of_batches(divisor, d_k, seed, batches=16):
    """Before training: do two batches of stories pull W_Q in the same direction?

    Args:
        divisor: float, what q·k is divided by.
        d_k: int, length of queries and keys.
        seed: int.
        batches: int, how many batches of 64 stories are compared with each other.

    Returns:
        (size, agreement), two floats: the mean norm of the gradient by W_Q, and the mean cosine
        between the gradients of two batches: 1 if all pull the same way, 0 if at random.
    """
    with one_thread(), _tiny_is_zero():
        generator = torch.Generator().manual_seed(seed)
        model = _parameters(d_k, 1.0, generator)
        gradients = []
        for _ in range(batches):
            names, objects = _stories(generator)
            answers = _answer(model, names, objects, divisor)[-1]
            loss = F.cross_entropy(answers.flatten(0, 1), objects.flatten())
            gradients.append(torch.autograd.grad(loss, model[2])[0].flatten())
        gradients = torch.stack(gradients)  # (batches, d_model * d_k)
        directions = F.normalize(gradients, dim=1)
        cosines = directions @ directions.T
        others = (cosines.sum() - cosines.trace()) / (batches * (batches - 1))
    return gradients.norm(dim=1).mean().item(), others.item()


def _parameters(d_k, shrink, generator):
    """Embeddings of words and of questions, W_Q, W_K, W_V and the readout."""

    def normal(rows, columns, std):
        return (torch.randn(rows, columns, generator=generator) * std).requires_grad_()

    per_entry = D_MODEL**-0.5
    return [
        normal(NAMES + OBJECTS, D_MODEL, 0.5**0.5),  # a fact adds two of them: variance 1
        normal(NAMES, D_MODEL, 1.0),
        normal(D_MODEL, d_k, per_entry * shrink),
        normal(D_MODEL, d_k, per_entry * shrink),
        normal(D_MODEL, D_MODEL, per_entry),
        normal(D_MODEL, OBJECTS, per_entry),
    ]


def _stories(generator):
    """Names (batch, facts), no name twice in a story, and objects (batch, facts), as ids."""
    names = torch.rand(BATCH, NAMES, generator=generator).argsort(dim=1)[:, :FACTS]
    return names, torch.randint(OBJECTS, (BATCH, FACTS), generator=generator)


def _answer(model, names, objects, divisor):
    """Scores, weights (batch, facts, facts), answers (batch, facts, OBJECTS); row i asks name i."""
    words, questions, W_Q, W_K, W_V, readout = model
    asked = F.one_hot(names, NAMES).float()  # (batch, facts, NAMES)
    told = torch.cat([asked, F.one_hot(objects, OBJECTS).float()], dim=-1)
    Q, K = questions @ W_Q, words @ W_K  # (NAMES, d_k), (NAMES + OBJECTS, d_k)
    scores = asked @ (Q @ K.T / divisor) @ told.mT  # (batch, facts, facts)
    weights = scores.softmax(dim=-1)
    return scores, weights, weights @ told @ (words @ W_V @ readout)


@contextlib.contextmanager
def _tiny_is_zero():
    """Count numbers below 1e-38 as 0.

    The weights of a saturated softmax are that small, and the processor takes its slow path for
    them: the runs without a division would take twice as long.
    """
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)
