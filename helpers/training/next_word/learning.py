"""Training on next words, and what it shows on the way."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import torch
import torch.nn.functional as F

from helpers.measure import one_thread
from helpers.sentences import RIVAL_TEMPLATES, TEMPLATES, Sentence, encode
from helpers.torch_attention import MultiHeadAttention
from helpers.training.next_word.corpora import Corpus, make_corpus
from helpers.training.next_word.evaluation import evaluate, unseen_sentences
from helpers.training.next_word.model import Network, NextWordModel, run
from helpers.training.progress import counted
from helpers.training.stories import make_sentences

BATCH = 128
NUM_SENTENCES = 5000
EMBEDDING_STD = 0.3  # with 0.1 some runs copy the word before the pronoun and stay there
EVERY = 50  # steps between two points of the learning curve


@dataclass(frozen=True)
class LearningCurve:
    """What sentences kept out of training say every 50 steps, the start included.

    Attributes:
        steps: steps taken so far.
        loss: mean cross-entropy of the next word, in nats.
        weight: mean weight from the pronoun to its antecedent.
        accuracy: share of right verbs after the pronoun.
    """

    steps: list[int] = field(default_factory=list)
    loss: list[float] = field(default_factory=list)
    weight: list[float] = field(default_factory=list)
    accuracy: list[float] = field(default_factory=list)


def next_word_loss(logits, ids) -> torch.Tensor:
    """Mean cross-entropy of every word given those before it; padding is no target.

    Args:
        logits: tensor (batch, n, words), what follows each position.
        ids: int64 tensor (batch, n); 0 is padding.

    Returns:
        tensor with one number, in nats.
    """
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(), ignore_index=0)


def untrained(seed, **settings) -> NextWordModel:
    """The random model from which `train_next_word` with the same seed and settings sets out.

    Args:
        seed: int.
        **settings: handed on to `train_next_word`.

    Returns:
        NextWordModel.
    """
    return train_next_word(seed, steps=0, **settings)


def train_next_word(
    seed,
    steps=400,
    uniform=False,
    embedding_std=EMBEDDING_STD,
    progress=True,
    names="given",
    layer=MultiHeadAttention,
    watch: Callable[[int, NextWordModel], None] | None = None,
) -> NextWordModel:
    """Train a model to guess the next word, with Adam on one thread.

    The model is given the ids of whole sentences and nothing else. Combinations kept as held out
    never occur, nor do names kept out, nor the beginning of the running sentence.

    Args:
        seed: int, for the habits, the sentences, the start and the batches.
        steps: int, 128 sentences each.
        uniform: bool; True keeps all weights equal for ever (W_Q stays 0): the control.
        embedding_std: float, the size of the embeddings at the start.
        progress: bool, whether to show a progress bar.
        names: "given", "full" or "unsplit", see `make_corpus`.
        layer: class with the constructor, the parameters W_Q, W_K, W_V, W_O and the `forward`
            of `helpers.torch_attention.MultiHeadAttention`; it starts with the same matrices.
        watch: called with the number of steps taken and the model, before the first step and
            after every step; the model goes on changing.

    Returns:
        NextWordModel.

    Raises:
        ValueError: steps is negative, there is no such kind of names, or the layer has other
            parameters.
    """
    if steps < 0:
        raise ValueError(f"steps must be 0 or more, got {steps}.")
    rng = np.random.default_rng(seed)
    corpus = make_corpus(rng, names)
    generator = torch.Generator().manual_seed(seed)
    with one_thread():
        network = Network(corpus, layer, embedding_std, uniform, generator)
        model = NextWordModel(network, corpus, LearningCurve())
        if steps == 0:
            return model
        ids = torch.from_numpy(encode(training_sentences(rng, corpus), ids=corpus.ids))
        watched = unseen_sentences(seed + 1, "combinations", 200, corpus)
        trained = [p for p in network.parameters() if p.requires_grad]
        optimizer = torch.optim.Adam(trained, lr=1e-2)
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: _pace(s / steps))
        _note(model, 0, watched)
        if watch is not None:
            watch(0, model)
        for step in counted(steps, progress):
            batch = ids[torch.randint(len(ids), (BATCH,), generator=generator)]
            loss = next_word_loss(network(batch)[0], batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            if step % EVERY == 0 or step == steps:
                _note(model, step, watched)
            if watch is not None:
                watch(step, model)
    return model


def train_seeds(seeds, **settings) -> list[NextWordModel]:
    """Train one model a seed.

    Args:
        seeds: ints.
        **settings: handed on to `train_next_word`.

    Returns:
        list of NextWordModel.
    """
    return [train_next_word(seed, **settings) for seed in seeds]


def training_sentences(rng, corpus: Corpus, count=NUM_SENTENCES) -> list[Sentence]:
    """Sentences that training may show, with rivals among them.

    Args:
        rng: numpy Generator.
        corpus: Corpus.
        count: int.

    Returns:
        list of Sentence.
    """
    patterns = TEMPLATES + RIVAL_TEMPLATES
    return make_sentences(rng, count, patterns, False, corpus.habits, corpus.characters)


def _note(model, step, sentences):
    """Add a point to the learning curve."""
    ids = encode(sentences, ids=model.corpus.ids)
    result = evaluate(model, sentences)
    logits = torch.from_numpy(run(model.network, ids)[0])
    model.curve.steps.append(step)
    model.curve.loss.append(next_word_loss(logits, torch.from_numpy(ids)).item())
    model.curve.weight.append(result.weight)
    model.curve.accuracy.append(result.accuracy)


def _pace(done):
    """Share of the learning rate: full for the first half of training, then down to a tenth."""
    return 1.0 if done < 0.5 else 1.0 - 1.8 * (done - 0.5)
