"""Can one head serve two relations? Sentences with three names, and models that find them."""

from helpers.lessons.lesson06.experiment.corpus import (
    EXAMPLE,
    EXAMPLE_GLOSSES,
    NAMES,
    ONE_ROW,
    TWO_ROWS,
    Sentences,
    make_sentences,
)
from helpers.lessons.lesson06.experiment.models import (
    STEPS,
    Relations,
    clean_splits,
    train_relations,
)

__all__ = [
    "EXAMPLE",
    "EXAMPLE_GLOSSES",
    "NAMES",
    "ONE_ROW",
    "STEPS",
    "TWO_ROWS",
    "Relations",
    "Sentences",
    "clean_splits",
    "make_sentences",
    "train_relations",
]
