"""The real model, or a small random one of the same format where it has not been fetched."""

import html
import string

import numpy as np

from helpers.course.cards import card
from helpers.language import say
from helpers.lessons.lesson10.real import files
from helpers.lessons.lesson10.real.sentences import WORDS

HEADS, LAYERS, LONGEST = 12, 6, 64
_SMALL = 24  # numbers a token of the stand-in


def load() -> tuple[dict[str, np.ndarray], dict[str, int]]:
    """Load the real model; without it say how to get it and take a random one in its place.

    Returns:
        {the name of each array: the array}, float32, and {token: its row}.
    """
    from IPython.display import display

    if files.is_there():
        place = files.folder()
        tokens = (place / "vocab.txt").read_text(encoding="utf-8").split("\n")
        numbers = {token: row for row, token in enumerate(tokens) if token}
        return files.arrays_of((place / "model.safetensors").read_bytes()), numbers
    text = say(
        "The real model is not here yet: python3 -m helpers real fetches it (83 MB). Until then "
        "a small random one stands in: everything runs, and what it looks at means nothing."
    )
    display({"text/html": card("orange", html.escape(text)), "text/plain": text}, raw=True)
    return stand_in()


def stand_in() -> tuple[dict[str, np.ndarray], dict[str, int]]:
    """A random model of the same format: twelve heads of two numbers each, in six layers."""
    letters = [*string.ascii_lowercase, *(f"##{letter}" for letter in string.ascii_lowercase)]
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *".,", *letters, *WORDS]
    numbers = {token: row for row, token in enumerate(dict.fromkeys(tokens))}
    rng, arrays = np.random.default_rng(0), {}

    def linear(name, wide, narrow):
        arrays[f"{name}.weight"] = rng.normal(size=(wide, narrow)) / narrow**0.5
        arrays[f"{name}.bias"] = rng.normal(scale=0.1, size=wide)

    def norm(name):
        arrays[f"{name}.weight"] = rng.uniform(0.5, 1.5, size=_SMALL)
        arrays[f"{name}.bias"] = rng.normal(scale=0.1, size=_SMALL)

    for kind, rows in (("word", len(numbers)), ("position", LONGEST), ("token_type", 2)):
        arrays[f"embeddings.{kind}_embeddings.weight"] = rng.normal(size=(rows, _SMALL))
    norm("embeddings.LayerNorm")
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            linear(f"{name}.attention.{part}", _SMALL, _SMALL)
        linear(f"{name}.intermediate.dense", 4 * _SMALL, _SMALL)
        linear(f"{name}.output.dense", _SMALL, 4 * _SMALL)
        norm(f"{name}.attention.output.LayerNorm")
        norm(f"{name}.output.LayerNorm")
    return {name: array.astype(np.float32) for name, array in arrays.items()}, numbers
