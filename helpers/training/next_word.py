"""Who is 他? A language model that learns it from guessing the next word, and from nothing else.

The corpus gives every character one habit: whenever 小明 has done something, what he does next is
the same verb. Nobody tells the model who 他 (he) is. But to guess the verb after 他 it needs the
name, and the name stands earlier in the sentence, sometimes beside a rival of the same class.

The model is one layer: embeddings plus learned positions, one causal attention head, a residual
connection, a readout over the vocabulary. Every position guesses the word that follows it.

Three choices make the weights mean something: one layer, so that a value holds one word and its
place and nothing else; small embeddings at first, so that training starts from even weights; and
no token attends to itself (the residual already carries it), except the first, which has no other.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers.measure import one_thread
from helpers.sentences import (
    CHARACTERS,
    MAX_LENGTH,
    PAD,
    RIVAL_TEMPLATES,
    TEMPLATES,
    TOKEN_ID,
    TOKENS,
    UNSEEN_TEMPLATES,
    VOCABULARY,
    Sentence,
    encode,
    make_habits,
    make_sentence,
    tokenize,
)
from helpers.torch_attention import MultiHeadAttention, causal_mask, padding_mask

D_MODEL = 64
BATCH = 128
NUM_SENTENCES = 6000
EVERY = 50  # steps between two points of the learning curve
KINDS = {
    "combinations": TEMPLATES + RIVAL_TEMPLATES,
    "templates": UNSEEN_TEMPLATES,
    "rivals": RIVAL_TEMPLATES,
}
MINIMAL_PAIR = tuple(
    ("小明", "看见", "小红", "在", "桌子", "旁边", "，", "然后", pronoun) for pronoun in "他她"
)


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


@dataclass(frozen=True)
class Evaluation:
    """How a model does on some sentences.

    Attributes:
        accuracy: share of sentences whose verb after the pronoun is guessed right.
        weight: mean weight from the pronoun to its antecedent.
        rival_weight: mean weight from the pronoun to the rival, over the sentences that have one;
            NaN if none has.
        points_at_antecedent: share of sentences where no word gets more weight than the antecedent.
    """

    accuracy: float
    weight: float
    rival_weight: float
    points_at_antecedent: float


@dataclass(frozen=True)
class Intervention:
    """What the model says once a sentence has been changed; one entry a sentence in each list.

    Attributes:
        tokens: the changed sentences, up to and including the pronoun.
        weights: what the pronoun now gives to the place where the antecedent stands or stood.
        largest: the largest weight in the pronoun's row.
        answers: the verbs that the model now guesses.
        kept: share of answers that are the verb of the original antecedent.
        followed: share of answers that are the verb of whoever stands in the antecedent's place
            now; NaN if nobody does.
    """

    tokens: list[tuple[str, ...]]
    weights: np.ndarray
    largest: np.ndarray
    answers: list[str]
    kept: float
    followed: float


class NextWordModel:
    """A causal language model of one layer and one head, with the habits of its characters.

    Attributes:
        habits: dict name -> verb, what this model's corpus lets every character do at the end.
        curve: LearningCurve.
        network: the torch module behind it.
    """

    def __init__(self, network, habits, curve):
        self.network, self.habits, self.curve = network, habits, curve

    def attention(self, tokens) -> np.ndarray:
        """Weights of the one head.

        Args:
            tokens: sequence of n words of VOCABULARY, or a str to be cut into such words.

        Returns:
            float32 array (n, n), row i sums to 1: who word i attends to. Row i is 0 from column i
            on, except that the first word attends to itself.

        Raises:
            ValueError: a word is unknown, or there are none, or more than MAX_LENGTH.
        """
        return self._run(_as_tokens(tokens))[1]

    def next_word(self, tokens) -> tuple[str, float]:
        """The likeliest word after the last token, and its probability.

        Args:
            tokens: sequence of n words of VOCABULARY, or a str to be cut into such words.

        Returns:
            (word, probability).

        Raises:
            ValueError: as in `attention`.
        """
        probabilities = self.next_words(tokens)
        word = max(probabilities, key=probabilities.get)
        return word, probabilities[word]

    def next_words(self, tokens) -> dict[str, float]:
        """The probability of every word of VOCABULARY after the last token.

        Args:
            tokens: sequence of n words of VOCABULARY, or a str to be cut into such words.

        Returns:
            dict word -> probability.

        Raises:
            ValueError: as in `attention`.
        """
        logits = self._run(_as_tokens(tokens))[0][-1]
        probabilities = torch.from_numpy(logits).softmax(dim=0).tolist()
        return dict(zip(VOCABULARY, probabilities, strict=True))

    def verb_after_pronoun(self, sentence: Sentence) -> str:
        """The word that the model guesses after the pronoun.

        Args:
            sentence: Sentence; the model reads it up to and including the pronoun.

        Returns:
            str, one of VOCABULARY.
        """
        return self.next_word(sentence.tokens[: sentence.pronoun + 1])[0]

    def _run(self, tokens):
        """Logits (n, vocabulary) and weights (n, n) of one sentence, as arrays."""
        logits, weights = run(self.network, encode([tokens], len(tokens)))
        return logits[0], weights[0]


class _Network(nn.Module):
    """Embeddings + positions, one head of attention, residual, readout."""

    def __init__(self, embedding_std, uniform, generator):
        super().__init__()

        def normal(rows, columns, std):
            return nn.Parameter(torch.randn(rows, columns, generator=generator) * std)

        self.embeddings = normal(len(VOCABULARY), D_MODEL, embedding_std)
        self.positions = normal(MAX_LENGTH, D_MODEL, 0.1)
        self.attention = MultiHeadAttention(D_MODEL, 1, generator=generator)
        self.readout = normal(D_MODEL, len(VOCABULARY), D_MODEL**-0.5)
        self.bias = nn.Parameter(torch.zeros(len(VOCABULARY)))
        if uniform:  # a query of zeros scores all keys alike, and W_K gets no gradient either
            self.attention.W_Q = nn.Parameter(torch.zeros(D_MODEL, D_MODEL), requires_grad=False)

    def forward(self, ids):
        """Logits (batch, n, vocabulary) and weights (batch, n, n) for ids (batch, n)."""
        n = ids.shape[1]
        X = self.embeddings[ids] + self.positions[:n]  # (batch, n, d_model)
        output, weights = self.attention(X, may_attend(n) & padding_mask(ids, TOKEN_ID[PAD]))
        return (X + output) @ self.readout + self.bias, weights[:, 0]


def may_attend(n) -> torch.Tensor:
    """The mask: earlier tokens only; the first token, which has none, sees itself.

    Args:
        n: int, number of tokens.

    Returns:
        bool tensor (n, n), True = may attend.
    """
    mask = causal_mask(n) & ~torch.eye(n, dtype=torch.bool)
    mask[0, 0] = True
    return mask


def next_word_loss(logits, ids) -> torch.Tensor:
    """Mean cross-entropy of every word given those before it; padding is no target.

    Args:
        logits: tensor (batch, n, vocabulary), what follows each position.
        ids: int64 tensor (batch, n).

    Returns:
        tensor with one number, in nats.
    """
    return F.cross_entropy(
        logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(), ignore_index=TOKEN_ID[PAD]
    )


def untrained(seed, uniform=False, embedding_std=0.1) -> NextWordModel:
    """The random model from which `train_next_word` with the same seed sets out.

    Args:
        seed: int.
        uniform: bool, see `train_next_word`.
        embedding_std: float, see `train_next_word`.

    Returns:
        NextWordModel.
    """
    return train_next_word(seed, 0, uniform, embedding_std, progress=False)


def train_next_word(
    seed, steps=600, uniform=False, embedding_std=0.1, progress=True
) -> NextWordModel:
    """Train a model to guess the next word, with Adam on one thread.

    The model is given the ids of whole sentences and nothing else. Combinations kept as held out
    never occur, nor does the beginning of the running sentence.

    Args:
        seed: int, for the habits, the sentences, the start and the batches.
        steps: int, 128 sentences each.
        uniform: bool; True keeps all weights equal for ever (W_Q stays 0): the control.
        embedding_std: float, the size of the embeddings at the start.
        progress: bool, whether to show a progress bar.

    Returns:
        NextWordModel.

    Raises:
        ValueError: steps is negative.
    """
    if steps < 0:
        raise ValueError(f"steps must be 0 or more, got {steps}.")
    rng = np.random.default_rng(seed)
    habits = make_habits(rng)
    generator = torch.Generator().manual_seed(seed)
    with one_thread():
        network = _Network(embedding_std, uniform, generator)
        model = NextWordModel(network, habits, LearningCurve())
        if steps == 0:
            return model
        ids = torch.from_numpy(encode(training_sentences(rng, habits)))
        watched = unseen_sentences(seed + 1, "combinations", 200, habits)
        trained = [p for p in network.parameters() if p.requires_grad]
        optimizer = torch.optim.Adam(trained, lr=1e-2)
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: _pace(s / steps))
        _note(model, 0, watched)
        for step in _steps(steps, progress):
            batch = ids[torch.randint(len(ids), (BATCH,), generator=generator)]
            loss = next_word_loss(network(batch)[0], batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            if step % EVERY == 0 or step == steps:
                _note(model, step, watched)
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


def training_sentences(rng, habits, count=NUM_SENTENCES) -> list[Sentence]:
    """Sentences that training may show, with rivals among them.

    Args:
        rng: numpy Generator.
        habits: dict name -> verb.
        count: int, how many are drawn; those that begin as the running sentence are left out.

    Returns:
        list of Sentence.
    """
    drawn = (
        make_sentence(rng, TEMPLATES + RIVAL_TEMPLATES, held_out=False, habits=habits)
        for _ in range(count)
    )
    return [sentence for sentence in drawn if sentence.tokens[:-1] != TOKENS[:-1]]


def unseen_sentences(seed, kind="combinations", count=500, habits=None) -> list[Sentence]:
    """Sentences that training has not shown: their combinations of words are held out.

    Args:
        seed: int.
        kind: "combinations": the patterns of training; "rivals": of these, the ones with a rival
            of the antecedent's class; "templates": patterns that training has not shown.
        count: int.
        habits: dict name -> verb, a model's `habits`.

    Returns:
        list of Sentence.

    Raises:
        ValueError: no such kind, or no habits.
    """
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}.")
    if habits is None:
        raise ValueError("habits must be those of the model to be tested: give model.habits.")
    rng = np.random.default_rng([seed, list(KINDS).index(kind)])
    return [make_sentence(rng, KINDS[kind], held_out=True, habits=habits) for _ in range(count)]


def evaluate(model, sentences) -> Evaluation:
    """Accuracy of the verb after the pronoun, and where the pronoun looks.

    Args:
        model: NextWordModel.
        sentences: sequence of at least one Sentence.

    Returns:
        Evaluation.
    """
    answers, rows = read_pronouns(model, [s.tokens for s in sentences], sentences)
    batch = np.arange(len(sentences))
    weight = rows[batch, [s.antecedent for s in sentences]]
    rivals = [row[s.rival] for row, s in zip(rows, sentences, strict=True) if s.rival is not None]
    return Evaluation(
        accuracy=_share(answers, [s.tokens[s.verb] for s in sentences]),
        weight=float(weight.mean()),
        rival_weight=float(np.mean(rivals)) if rivals else float("nan"),
        points_at_antecedent=float((weight >= rows.max(axis=1)).mean()),
    )


def unchanged(model, sentences) -> Intervention:
    """No change: what the others are compared with.

    Args:
        model: NextWordModel.
        sentences: sequence of Sentence.

    Returns:
        Intervention.
    """
    return _intervene(model, sentences, [s.tokens for s in sentences])


def delete_antecedent(model, sentences) -> Intervention:
    """Put padding in the place of the antecedent; nobody may attend to padding.

    Args:
        model: NextWordModel.
        sentences: sequence of Sentence.

    Returns:
        Intervention; `followed` is NaN, as nobody stands in that place.
    """
    changed = [_with(s.tokens, {s.antecedent: PAD}) for s in sentences]
    return _intervene(model, sentences, changed)


def delete_other(model, sentences, seed=0) -> Intervention:
    """Put padding in the place of a random word before the pronoun that is not the antecedent.

    Args:
        model: NextWordModel.
        sentences: sequence of Sentence.
        seed: int, for the choice of the word.

    Returns:
        Intervention.
    """
    rng = np.random.default_rng(seed)
    places = [rng.choice([j for j in range(s.pronoun) if j != s.antecedent]) for s in sentences]
    changed = [_with(s.tokens, {j: PAD}) for s, j in zip(sentences, places, strict=True)]
    return _intervene(model, sentences, changed)


def swap_name(model, sentences, seed=0) -> Intervention:
    """Put another name of the same class in the place of the antecedent's.

    Args:
        model: NextWordModel.
        sentences: sequence of Sentence.
        seed: int, for the choice of the name; none that the sentence holds already.

    Returns:
        Intervention; `followed` tells whether the answer is the new character's verb.
    """
    rng = np.random.default_rng(seed)
    changed = []
    for s in sentences:
        group = next(names for names in CHARACTERS.values() if s.answer in names)
        changed.append(
            _with(
                s.tokens, {s.antecedent: str(rng.choice([n for n in group if n not in s.tokens]))}
            )
        )
    return _intervene(model, sentences, changed)


def swap_with_rival(model, sentences) -> Intervention:
    """Let the antecedent and its rival change places: the same words, in another order.

    Args:
        model: NextWordModel.
        sentences: sequence of Sentence, each with a rival.

    Returns:
        Intervention; `followed` tells whether the answer is the verb of the former rival.

    Raises:
        ValueError: a sentence has no rival.
    """
    if any(s.rival is None for s in sentences):
        raise ValueError('each sentence must have a rival: take unseen_sentences(..., "rivals").')
    changed = [
        _with(s.tokens, {s.antecedent: s.tokens[s.rival], s.rival: s.answer}) for s in sentences
    ]
    return _intervene(model, sentences, changed)


def read_pronouns(model, token_lists, sentences):
    """What a model says and where it looks at each pronoun.

    Args:
        model: NextWordModel.
        token_lists: sequence of token sequences, the sentences as they are or changed.
        sentences: sequence of Sentence, for the place of each pronoun.

    Returns:
        answers, a list of str, and float32 array (batch, MAX_LENGTH), the pronouns' rows.
    """
    logits, weights = run(model.network, encode(token_lists))
    at = np.arange(len(sentences)), [s.pronoun for s in sentences]
    return [VOCABULARY[i] for i in logits[at].argmax(axis=-1)], weights[at]


def run(network, ids) -> tuple[np.ndarray, np.ndarray]:
    """Logits (batch, n, vocabulary) and weights (batch, n, n) for ids (batch, n), as arrays.

    Args:
        network: torch module of a NextWordModel.
        ids: int64 array (batch, n).

    Returns:
        two float32 arrays.
    """
    with one_thread(), torch.no_grad():
        logits, weights = network(torch.from_numpy(ids))
    return logits.numpy(), weights.numpy()


def _intervene(model, sentences, changed):
    answers, rows = read_pronouns(model, changed, sentences)
    now = [tokens[s.antecedent] for tokens, s in zip(changed, sentences, strict=True)]
    somebody = all(name in model.habits for name in now)
    return Intervention(
        tokens=[tokens[: s.pronoun + 1] for tokens, s in zip(changed, sentences, strict=True)],
        weights=rows[np.arange(len(rows)), [s.antecedent for s in sentences]],
        largest=rows.max(axis=1),
        answers=answers,
        kept=_share(answers, [model.habits[s.answer] for s in sentences]),
        followed=_share(answers, [model.habits[n] for n in now]) if somebody else float("nan"),
    )


def _with(tokens, changes):
    return tuple(changes.get(j, token) for j, token in enumerate(tokens))


def _share(answers, right):
    return fmean(a == b for a, b in zip(answers, right, strict=True))


def _note(model, step, sentences):
    """Add a point to the learning curve."""
    ids = encode(sentences)
    result = evaluate(model, sentences)
    logits = torch.from_numpy(run(model.network, ids)[0])
    model.curve.steps.append(step)
    model.curve.loss.append(next_word_loss(logits, torch.from_numpy(ids)).item())
    model.curve.weight.append(result.weight)
    model.curve.accuracy.append(result.accuracy)


def _pace(done):
    """Share of the learning rate: full for the first half of training, then down to a tenth."""
    return 1.0 if done < 0.5 else 1.0 - 1.8 * (done - 0.5)


def _as_tokens(tokens: str | Sequence[str]):
    tokens = tokenize(tokens) if isinstance(tokens, str) else tuple(tokens)
    if not 1 <= len(tokens) <= MAX_LENGTH:
        raise ValueError(
            f"tokens must be 1 to {MAX_LENGTH} words, as many as the model has positions; "
            f"got {len(tokens)}."
        )
    return tokens


def _steps(steps, progress):
    numbers = range(1, steps + 1)
    if not progress:
        return numbers
    from tqdm.auto import tqdm

    return tqdm(numbers, desc="training", unit="step", leave=False)
