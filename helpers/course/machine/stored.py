"""The trained models that come with the course, read from the files that `training` writes."""

import functools
from pathlib import Path

import numpy as np

from helpers.course.machine.model import ARRAYS, SentenceModel
from helpers.language import say

HERE = Path(__file__).parent
VARIANTS = ("trained", "equal", "untrained")
KINDS = ("names", "words")


@functools.cache
def stored_models(kind: str) -> dict[str, SentenceModel]:
    """Three models of one kind: trained, trained with equal weights for ever, and untrained.

    Args:
        kind: "names", a model that answers whom a pronoun means; "words", one that guesses the
            next word, with positions and a causal mask.

    Returns:
        {"trained": ..., "equal": ..., "untrained": ...}.

    Raises:
        ValueError: no such kind.
    """
    if kind not in KINDS:
        raise ValueError(
            say("kind must be one of {kinds}, got {kind!r}.", kinds=", ".join(KINDS), kind=kind)
        )
    with np.load(HERE / f"{kind}.npz") as file:
        arrays = dict(file)
    same = {
        "words": tuple(arrays["words"].tolist()),
        "answers": tuple(arrays["answers"].tolist()),
        "mask": str(arrays["mask"]),
        "residual": bool(arrays["residual"]),
    }
    return {
        variant: SentenceModel(**same, **{name: arrays.get(f"{variant}/{name}") for name in ARRAYS})
        for variant in VARIANTS
    }


def store(kind: str, models: dict[str, SentenceModel]) -> None:
    """Write three models of one kind into their file."""
    first = models["trained"]
    arrays = {
        "words": np.array(first.words),
        "answers": np.array(first.answers),
        "mask": np.array(first.mask),
        "residual": np.array(first.residual),
    }
    for variant, model in models.items():
        for name in ARRAYS:
            if getattr(model, name) is not None:
                arrays[f"{variant}/{name}"] = getattr(model, name)
    np.savez_compressed(HERE / f"{kind}.npz", **arrays)
