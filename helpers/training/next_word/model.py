"""The model: words in, guesses of the next word and attention weights out."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import nn

from helpers.measure import one_thread
from helpers.sentences import MAX_LENGTH, Sentence, encode, tokenize
from helpers.torch_attention import MultiHeadAttention, causal_mask, padding_mask

D_MODEL = 64


class NextWordModel:
    """A causal language model of one layer and one head, with the corpus it is made for.

    Attributes:
        corpus: Corpus, its words and the habits of its characters.
        curve: LearningCurve.
        network: the torch module behind it.
    """

    def __init__(self, network, corpus, curve):
        self.network, self.corpus, self.curve = network, corpus, curve

    @property
    def habits(self) -> dict[str, str]:
        """Name -> verb: what this model's corpus lets every character do at the end."""
        return self.corpus.habits

    def attention(self, tokens) -> np.ndarray:
        """Weights of the one head.

        Args:
            tokens: sequence of n words of the corpus, or a str to be cut into such words.

        Returns:
            float32 array (n, n), row i sums to 1: who word i attends to. Row i is 0 from column i
            on, except that the first word attends to itself.

        Raises:
            ValueError: a word is unknown, or there are none, or more than MAX_LENGTH.
        """
        return self._run(tokens)[1]

    def next_word(self, tokens) -> tuple[str, float]:
        """The likeliest word after the last token, and its probability.

        Args:
            tokens: sequence of n words of the corpus, or a str to be cut into such words.

        Returns:
            (word, probability).

        Raises:
            ValueError: as in `attention`.
        """
        probabilities = self.next_words(tokens)
        word = max(probabilities, key=probabilities.get)
        return word, probabilities[word]

    def next_words(self, tokens) -> dict[str, float]:
        """The probability of every word of the corpus after the last token.

        Args:
            tokens: sequence of n words of the corpus, or a str to be cut into such words.

        Returns:
            dict word -> probability.

        Raises:
            ValueError: as in `attention`.
        """
        logits = self._run(tokens)[0][-1]
        probabilities = torch.from_numpy(logits).softmax(dim=0).tolist()
        return dict(zip(self.corpus.words, probabilities, strict=True))

    def verb_after_pronoun(self, sentence: Sentence) -> str:
        """The word that the model guesses after the pronoun.

        Args:
            sentence: Sentence; the model reads it up to and including the pronoun.

        Returns:
            str, a word of the corpus.
        """
        return self.next_word(sentence.tokens[: sentence.pronoun + 1])[0]

    def read_pronouns(self, token_lists, sentences) -> tuple[list[str], np.ndarray]:
        """What the model says and where it looks at each pronoun.

        Args:
            token_lists: sequence of token sequences, the sentences as they are or changed.
            sentences: sequence of Sentence, for the place of each pronoun.

        Returns:
            answers, a list of str, and float32 array (batch, MAX_LENGTH), the pronouns' rows.
        """
        logits, weights = run(self.network, encode(token_lists, ids=self.corpus.ids))
        at = np.arange(len(sentences)), [s.pronoun for s in sentences]
        return [self.corpus.words[i] for i in logits[at].argmax(axis=-1)], weights[at]

    def _run(self, tokens: str | Sequence[str]):
        """Logits (n, words) and weights (n, n) of one sentence, as arrays."""
        words = self.corpus.words
        tokens = tokenize(tokens, words) if isinstance(tokens, str) else tuple(tokens)
        if not 1 <= len(tokens) <= MAX_LENGTH:
            raise ValueError(
                f"tokens must be 1 to {MAX_LENGTH} words, as many as the model has positions; "
                f"got {len(tokens)}."
            )
        logits, weights = run(self.network, encode([tokens], len(tokens), self.corpus.ids))
        return logits[0], weights[0]


class Network(nn.Module):
    """Embeddings + positions, one head of attention, residual, readout.

    Args:
        corpus: Corpus.
        layer: class with the constructor, parameters and `forward` of MultiHeadAttention.
        embedding_std: float, size of the embeddings at the start.
        uniform: bool; True keeps W_Q at 0, so that all weights stay equal.
        generator: seeded torch.Generator.

    Raises:
        ValueError: the layer's parameters are not W_Q, W_K, W_V and W_O, square matrices.
    """

    def __init__(self, corpus, layer, embedding_std, uniform, generator):
        super().__init__()
        parts = None if corpus.parts is None else torch.from_numpy(corpus.parts)
        num_vectors = len(corpus.words) if parts is None else parts.shape[1]

        def normal(rows, columns, std):
            return nn.Parameter(torch.randn(rows, columns, generator=generator) * std)

        self.register_buffer("parts", parts)
        self.embeddings = normal(num_vectors, D_MODEL, embedding_std)
        self.positions = normal(MAX_LENGTH, D_MODEL, 0.1)
        self.attention = _same_start(layer, MultiHeadAttention(D_MODEL, 1, generator=generator))
        self.readout = normal(D_MODEL, num_vectors, D_MODEL**-0.5)
        self.bias = nn.Parameter(torch.zeros(num_vectors))
        if uniform:  # a query of zeros scores all keys alike, and W_K gets no gradient either
            self.attention.W_Q = nn.Parameter(torch.zeros(D_MODEL, D_MODEL), requires_grad=False)

    def forward(self, ids):
        """Logits (batch, n, words) and weights (batch, n, n) for ids (batch, n); 0 is padding."""
        n = ids.shape[1]
        X = self._word_vectors()[ids] + self.positions[:n]  # (batch, n, d_model)
        output, weights = self.attention(X, may_attend(n) & padding_mask(ids, 0))
        logits = (X + output) @ self.readout + self.bias  # (batch, n, vectors)
        return (logits if self.parts is None else logits @ self.parts.T), weights[:, 0]

    def _word_vectors(self):
        return self.embeddings if self.parts is None else self.parts @ self.embeddings


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


def run(network, ids) -> tuple[np.ndarray, np.ndarray]:
    """Logits (batch, n, words) and weights (batch, n, n) for ids (batch, n), as arrays.

    Args:
        network: Network.
        ids: int64 array (batch, n).

    Returns:
        two float32 arrays.
    """
    with one_thread(), torch.no_grad():
        logits, weights = network(torch.from_numpy(ids))
    return logits.numpy(), weights.numpy()


def _same_start(layer, start):
    """A layer of the given class with one head that begins with the matrices of `start`."""
    if layer is MultiHeadAttention:
        return start
    own = layer(D_MODEL, 1)
    wanted = {name: tuple(matrix.shape) for name, matrix in start.named_parameters()}
    got = {name: tuple(matrix.shape) for name, matrix in own.named_parameters()}
    if got != wanted:
        raise ValueError(f"the layer must have the parameters {wanted}; it has {got}.")
    own.load_state_dict(start.state_dict(), strict=False)
    return own
