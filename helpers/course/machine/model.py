"""What the sentence machine runs: one attention layer as numbers, and the same in NumPy."""

import math
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from helpers.language import say
from helpers.numpy_attention import softmax
from helpers.sentences import NAMES, VOCABULARY, known_gloss

MASKS = ("all", "past", "others", "earlier")
ARRAYS = ("vectors", "positions", "W_Q", "W_K", "W_V", "W_O", "readout", "bias")


@dataclass(frozen=True)
class SentenceModel:
    """One attention layer that reads a sentence and answers at one of its words.

    Attributes:
        words: tuple of str, the rows of `vectors`.
        vectors: (words, d_model) numbers.
        W_Q: (heads, d_model, d_k) numbers.
        W_K: (heads, d_model, d_k) numbers.
        W_V: (heads, d_model, d_v) numbers.
        readout: (width, answers) numbers, from what the layer brings to a score an answer.
        answers: tuple of str.
        mask: who may be looked at: "all"; "past", itself included; "others", all but itself;
            "earlier", the past without itself, and the first word itself.
        residual: bool, whether the word's own vector is added to what attention brings.
        positions: (longest, d_model) numbers added to the vectors, or None.
        W_O: (heads · d_v, d_model) numbers, or None.
        bias: (answers,) numbers, or None.
    """

    words: tuple[str, ...]
    vectors: np.ndarray
    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray
    readout: np.ndarray
    answers: tuple[str, ...]
    mask: str
    residual: bool = False
    positions: np.ndarray | None = None
    W_O: np.ndarray | None = None
    bias: np.ndarray | None = None

    def __post_init__(self):
        if self.mask not in MASKS:
            raise ValueError(f"mask must be one of {', '.join(MASKS)}, got {self.mask!r}.")
        for name in ARRAYS:
            array = getattr(self, name)
            if array is None:
                continue
            array = np.array(array, dtype=np.float32)  # a copy, as exact as what travels
            if not np.isfinite(array).all():
                raise ValueError(f"{name} must hold finite numbers; it holds NaN or infinity.")
            object.__setattr__(self, name, array)
        heads, width = len(self.W_Q), self.vectors.shape[1]
        brought = width if self.W_O is not None else heads * self.W_V.shape[2]
        wanted = {
            "vectors": (len(self.words), width),
            "W_Q": (heads, width, self.W_Q.shape[2]),
            "W_K": (heads, width, self.W_Q.shape[2]),
            "W_V": (heads, width, self.W_V.shape[2]),
            "W_O": (heads * self.W_V.shape[2], width),
            "positions": (*np.shape(self.positions)[:1], width),
            "readout": (width if self.residual else brought, len(self.answers)),
            "bias": (len(self.answers),),
        }
        for name, shape in wanted.items():
            array = getattr(self, name)
            if array is not None and array.shape != shape:
                raise ValueError(f"{name} must have the shape {shape}, got {array.shape}.")

    def look(self, tokens: Sequence[str], row: int) -> tuple[np.ndarray, np.ndarray]:
        """The attention maps of a sentence, and the answer at one of its words.

        Args:
            tokens: n str, all of them in `words`.
            row: int, the place of the word that is asked.

        Returns:
            weights, float64 (heads, n, n), and the probabilities of the answers, float64.

        Raises:
            ValueError: the model lacks a word, or has fewer positions than there are words.
        """
        if self.positions is not None and len(tokens) > len(self.positions):
            raise ValueError(
                say(
                    "The sentence has {n} words, but the model has only {longest} positions.",
                    n=len(tokens),
                    longest=len(self.positions),
                )
            )
        numbers = {name: getattr(self, name) for name in ARRAYS}
        wide = {k: None if a is None else a.astype(np.float64) for k, a in numbers.items()}
        X = wide["vectors"][self._rows(tokens)]  # (n, d_model)
        if wide["positions"] is not None:
            X = X + wide["positions"][: len(X)]
        Q, K, V = (X @ wide[name] for name in ("W_Q", "W_K", "W_V"))  # (heads, n, d)
        scores = Q @ K.mT / math.sqrt(Q.shape[-1])
        weights = softmax(np.where(may_look(self.mask, len(X)), scores, -np.inf))
        brought = (weights @ V)[:, row].reshape(-1)  # (heads · d_v,)
        if wide["W_O"] is not None:
            brought = brought @ wide["W_O"]
        if self.residual:
            brought = brought + X[row]
        logits = brought @ wide["readout"]
        return weights, softmax(logits if wide["bias"] is None else logits + wide["bias"])

    def _rows(self, words):
        unknown = [word for word in words if word not in self.words]
        if unknown:
            raise ValueError(say("The model does not know the word {word}.", word=unknown[0]))
        return [self.words.index(word) for word in words]

    def packed(self, words: Sequence[str]) -> dict:
        """The numbers as the browser takes them, with the vectors of the given words alone."""
        arrays = {name: getattr(self, name) for name in ARRAYS}
        arrays["vectors"] = self.vectors[self._rows(words)]
        numbers = {name: None if a is None else packed(a) for name, a in arrays.items()}
        return {**numbers, "mask": self.mask, "residual": self.residual}


def may_look(mask: str, n: int) -> np.ndarray:
    """The mask of a name as bool (n, n), True = may attend."""
    i, j = np.indices((n, n))
    return {
        "all": i == i,
        "past": j <= i,
        "others": i != j,
        "earlier": (j < i) | (i + j == 0),
    }[mask]


def packed(array: np.ndarray) -> dict:
    """An array as its shape and its float32 numbers, written in base 64."""
    data = np.ascontiguousarray(array, dtype="<f4")
    return {"shape": data.shape, "float32": b64encode(data.tobytes()).decode("ascii")}


def name_model(model) -> SentenceModel:
    """A `helpers.training.coreference.Coreference` for the machine; its answers are names."""
    return SentenceModel(
        words=VOCABULARY,
        vectors=model.embeddings,
        W_Q=model.W_Q[None],
        W_K=model.W_K[None],
        W_V=model.W_V[None],
        readout=model.readout,
        answers=NAMES,
        mask="others",
    )


def word_model(model) -> SentenceModel:
    """A `helpers.training.next_word.NextWordModel` of one head; its answers are next words."""
    numbers = {name: array.detach().numpy() for name, array in model.network.named_parameters()}
    return SentenceModel(
        words=model.corpus.words,
        vectors=numbers["embeddings"],
        positions=numbers["positions"],
        W_Q=numbers["attention.W_Q"][None],
        W_K=numbers["attention.W_K"][None],
        W_V=numbers["attention.W_V"][None],
        W_O=numbers["attention.W_O"],
        readout=numbers["readout"],
        bias=numbers["bias"],
        answers=model.corpus.words,
        mask="earlier",
        residual=True,
    )


def glosses_of(words: Sequence[str]) -> list[str]:
    """What words of the corpus mean; a word that is not in it has no gloss."""
    return [say("comma") if word == "，" else known_gloss(word) for word in words]
