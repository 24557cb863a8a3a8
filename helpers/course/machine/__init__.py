"""The sentence machine: a small trained model, or any attention weights, alive in the browser."""

from helpers.course.machine.model import SentenceModel, name_model, word_model
from helpers.course.machine.show import scrubber, sentence_machine
from helpers.course.machine.stored import stored_models

__all__ = [
    "SentenceModel",
    "name_model",
    "scrubber",
    "sentence_machine",
    "stored_models",
    "word_model",
]
