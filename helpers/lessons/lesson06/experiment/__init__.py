"""Can one head serve two relations? Sentences with three people, and models that find them."""

from helpers.lessons.lesson06.experiment.corpus import (
    EXAMPLE,
    NAMES,
    ONE_ROW,
    TWO_ROWS,
    Sentences,
    is_held_out,
    make_sentences,
    unseen,
)
from helpers.lessons.lesson06.experiment.models import (
    STEPS,
    Model,
    Trained,
    train,
)

__all__ = [
    "EXAMPLE",
    "NAMES",
    "ONE_ROW",
    "STEPS",
    "TWO_ROWS",
    "Model",
    "Sentences",
    "Trained",
    "is_held_out",
    "make_sentences",
    "train",
    "unseen",
]
