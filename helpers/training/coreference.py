"""Who is 他? One attention layer learns to answer, in NumPy and in about a second.

The model sees a sentence with one pronoun and must name the person or animal it stands for. It is
trained on the right *names* alone: nothing ever tells it where to look. If the weight of the
pronoun's row lands on the antecedent, training put it there.

Getting the name right does not prove that. In `TEMPLATES` just one name agrees with the pronoun,
so a model that averages all words evenly can answer, too. Four choices leave the attention row as
the only way to bring the name to the pronoun, and make its weights mean something:

- no residual connection, and the pronoun may not attend to itself: the name has to be fetched;
- no bias: no name can become the default answer;
- one layer: the value at a position holds that word and nothing else;
- small embeddings at first (standard deviation 0.1), so that training starts from even weights.

It is trained on `TEMPLATES` and not on `RIVAL_TEMPLATES`. A rival of the same class is told from
the antecedent by its place in the sentence only, and a model without positions cannot know places.

Without positions a word has the same query, key and value wherever it stands. As no sentence of
the corpus says a word twice, it is the set of its words. So training projects the vocabulary once
a step and lets each pronoun attend to it, masked to the words of its sentence.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from helpers.numpy_attention import scaled_dot_product_attention, softmax, softmax_backward
from helpers.sentences import (
    MAX_LENGTH,
    NAMES,
    TEMPLATES,
    TOKENS,
    VOCABULARY,
    Sentence,
    encode,
    make_sentence,
)
from helpers.training.adam import Adam
from helpers.training.progress import counted

D_MODEL = 32
EMBEDDING_STD = 0.1


@dataclass(frozen=True)
class Coreference:
    """One attention head that names the antecedent of a pronoun.

    Attributes:
        embeddings: float64 array (vocabulary, d_model), one row for each word of VOCABULARY.
        W_Q: float64 array (d_model, d_k).
        W_K: float64 array (d_model, d_k).
        W_V: float64 array (d_model, d_v).
        readout: float64 array (d_v, 24), from what attention brings to a score for each of NAMES.
    """

    embeddings: np.ndarray
    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray
    readout: np.ndarray

    def vectors(self, tokens: Sequence[str]) -> np.ndarray:
        """X, the embeddings of some words.

        Args:
            tokens: sequence of n str, all in VOCABULARY.

        Returns:
            float64 array (n, d_model).

        Raises:
            ValueError: a word is not in VOCABULARY.
        """
        return self.embeddings[encode([tokens], max(len(tokens), 1))[0, : len(tokens)]]

    def score_matrix(self, tokens: Sequence[str]) -> np.ndarray:
        """Scores of every word for every word, no position hidden: X W_Q W_Kᵀ Xᵀ / √d_k.

        Args:
            tokens: sequence of n str, all in VOCABULARY.

        Returns:
            float64 array (n, n); entry (i, j) is from word i, who looks, to word j.

        Raises:
            ValueError: a word is not in VOCABULARY.
        """
        X = self.vectors(tokens)
        return (X @ self.W_Q) @ (X @ self.W_K).T / math.sqrt(self.W_Q.shape[1])

    def scores(self, sentence: Sentence) -> np.ndarray:
        """Scores of the pronoun's row, its own position included.

        Args:
            sentence: Sentence of n tokens.

        Returns:
            float64 array (n,).
        """
        return self.score_matrix(sentence.tokens)[sentence.pronoun]

    def weights(self, sentence: Sentence) -> np.ndarray:
        """Weights of the pronoun's row; its own position gets 0.

        Args:
            sentence: Sentence of n tokens.

        Returns:
            float64 array (n,), at least 0, together 1.
        """
        return self._look(sentence)[1]

    def answer(self, sentence: Sentence) -> str:
        """The name that the model gives for the pronoun.

        Args:
            sentence: Sentence.

        Returns:
            str, one of NAMES.
        """
        return NAMES[int(np.argmax(self._look(sentence)[0] @ self.readout))]

    def accuracy(self, sentences: Sequence[Sentence]) -> float:
        """Share of sentences whose pronoun is given the right name.

        Args:
            sentences: sequence of at least one Sentence.

        Returns:
            float from 0 to 1.
        """
        return fmean(self.answer(sentence) == sentence.answer for sentence in sentences)

    def weight_on_antecedent(self, sentences: Sequence[Sentence]) -> float:
        """Mean weight from a pronoun to its antecedent.

        Args:
            sentences: sequence of at least one Sentence.

        Returns:
            float from 0 to 1.
        """
        return fmean(self.weights(s)[s.antecedent] for s in sentences)

    def _look(self, sentence):
        X = self.vectors(sentence.tokens)
        others = np.arange(len(X)) != sentence.pronoun
        q = X[sentence.pronoun] @ self.W_Q
        output, weights = scaled_dot_product_attention(
            q[None], X @ self.W_K, X @ self.W_V, others[None]
        )
        return output[0], weights[0]


def untrained(seed: int, d_model: int = D_MODEL) -> Coreference:
    """The random model from which `train_coreference` with the same seed sets out.

    Args:
        seed: int.
        d_model: int, the width; d_k and d_v are the same.

    Returns:
        a Coreference. Its matrices are uniform within ±1/√d_model, as in torch's nn.Linear.
    """
    return _random_model(np.random.default_rng(seed), d_model)


def train_coreference(
    seed: int,
    steps: int = 400,
    *,
    batch_size: int = 128,
    learning_rate: float = 1e-2,
    num_sentences: int = 4000,
    templates: Sequence[str] = TEMPLATES,
    d_model: int = D_MODEL,
    embedding_std: float = EMBEDDING_STD,
    uniform: bool = False,
    watch: Callable[[int, Coreference], None] | None = None,
    progress: bool = False,
) -> Coreference:
    """Train a model on sentences made at random; combinations kept as held out never occur.

    The running sentence never occurs either. The optimiser is Adam (Kingma & Ba, 2015,
    arXiv 1412.6980, algorithm 1) with its usual β₁ = 0.9 and β₂ = 0.999.

    Args:
        seed: int; the same seed gives the same model on the same machine.
        steps: int, number of steps of Adam.
        batch_size: int, sentences a step, drawn with replacement.
        learning_rate: float.
        num_sentences: int, how many different draws training sees.
        templates: sequence of str, patterns such as those in `helpers.sentences.TEMPLATES`.
        d_model: int, the width; d_k and d_v are the same.
        embedding_std: float, standard deviation of the embeddings before training.
        uniform: bool; True keeps all weights equal for ever (W_Q stays 0): the control.
        watch: called with the number of steps taken and the model, before the first step and
            after every step; the model goes on changing.
        progress: bool, whether to show a progress bar.

    Returns:
        a Coreference.

    Raises:
        ValueError: steps is negative, or batch_size or num_sentences less than 1.
    """
    for name, value, least in (
        ("steps", steps, 0),
        ("batch_size", batch_size, 1),
        ("num_sentences", num_sentences, 1),
    ):
        if value < least:
            raise ValueError(f"{name} must be {least} or more, got {value}.")
    rng = np.random.default_rng(seed)
    model = _random_model(rng, d_model, embedding_std)
    if uniform:  # a query of zeros scores all keys alike, and W_K gets no gradient either
        model.W_Q[:] = 0
    drawn = (make_sentence(rng, templates, held_out=False) for _ in range(num_sentences))
    examples = batch_of([sentence for sentence in drawn if sentence.tokens != TOKENS])
    optimizer = Adam(_arrays(model), learning_rate)
    if watch is not None:
        watch(0, model)
    for step in counted(steps, progress):
        chosen = rng.integers(len(examples[0]), size=batch_size)
        gradients = loss_and_gradients(model, *(part[chosen] for part in examples))[1]
        if uniform:
            gradients.W_Q[:] = 0
        optimizer.step(_arrays(gradients))
        if watch is not None:
            watch(step, model)
    return model


def batch_of(sentences: Sequence[Sentence]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sentences as arrays for `loss_and_gradients`.

    Args:
        sentences: sequence of Sentence; in none of them a word occurs twice.

    Returns:
        pronouns: int64 array (batch,), ids in VOCABULARY.
        present: bool array (batch, vocabulary), True for the words the pronoun may attend to:
            those of its sentence, itself excepted.
        answers: int64 array (batch,), places in NAMES.

    Raises:
        ValueError: a sentence says a word twice, so it is more than the set of its words.
    """
    for sentence in sentences:
        if len(set(sentence.tokens)) < len(sentence.tokens):
            raise ValueError(f"a word occurs twice in: {' '.join(sentence.tokens)}")
    rows = np.arange(len(sentences))
    ids = encode(sentences, MAX_LENGTH)
    pronouns = ids[rows, [sentence.pronoun for sentence in sentences]]
    present = np.zeros((len(sentences), len(VOCABULARY)), dtype=bool)
    present[rows[:, None], ids] = True
    present[:, 0] = False  # padding is no word
    present[rows, pronouns] = False
    return pronouns, present, np.array([NAMES.index(s.answer) for s in sentences])


def loss_and_gradients(
    model: Coreference, pronouns: np.ndarray, present: np.ndarray, answers: np.ndarray
) -> tuple[float, Coreference]:
    """Mean cross-entropy of the answers, and its gradient by hand.

    Args:
        model: Coreference.
        pronouns: int array (batch,), who asks.
        present: bool array (batch, vocabulary), True = may attend.
        answers: int array (batch,), the right names.

    Returns:
        the loss, and a Coreference that holds the gradient of each of the model's arrays.
    """
    E = model.embeddings
    Q, K, V = E @ model.W_Q, E @ model.W_K, E @ model.W_V  # (vocabulary, d)
    q = Q[pronouns]  # (batch, d_k)
    output, weights = scaled_dot_product_attention(q, K, V, present)
    shares = softmax(output @ model.readout)  # (batch, names)
    rows = np.arange(len(answers))
    loss = -np.log(shares[rows, answers]).mean()

    d_logits = shares.copy()
    d_logits[rows, answers] -= 1
    d_logits /= len(answers)
    d_output = d_logits @ model.readout.T
    d_scores = softmax_backward(weights, d_output @ V.T) / math.sqrt(K.shape[1])
    d_Q, d_K, d_V = np.zeros_like(Q), d_scores.T @ q, weights.T @ d_output
    np.add.at(d_Q, pronouns, d_scores @ K)
    return float(loss), Coreference(
        embeddings=d_Q @ model.W_Q.T + d_K @ model.W_K.T + d_V @ model.W_V.T,
        W_Q=E.T @ d_Q,
        W_K=E.T @ d_K,
        W_V=E.T @ d_V,
        readout=output.T @ d_logits,
    )


def _random_model(rng, d_model, embedding_std=EMBEDDING_STD):
    bound = 1 / math.sqrt(d_model)
    return Coreference(
        rng.normal(0.0, embedding_std, (len(VOCABULARY), d_model)),
        *(rng.uniform(-bound, bound, (d_model, d_model)) for _ in range(3)),
        rng.uniform(-bound, bound, (d_model, len(NAMES))),
    )


def _arrays(model):
    return model.embeddings, model.W_Q, model.W_K, model.W_V, model.readout
