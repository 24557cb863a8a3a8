"""Train the models of the sentence machine: ``python -m helpers.course.machine.training``."""

from helpers.course.machine.model import SentenceModel, name_model, word_model
from helpers.course.machine.stored import store

SEED = 0


def name_models() -> dict[str, SentenceModel]:
    """Models that answer with a name, in NumPy, about two seconds."""
    from helpers.training.coreference import train_coreference, untrained

    return {
        "trained": name_model(train_coreference(SEED)),
        "equal": name_model(train_coreference(SEED, uniform=True)),
        "untrained": name_model(untrained(SEED)),
    }


def word_models() -> dict[str, SentenceModel]:
    """Models that guess the next word, in PyTorch, about half a minute."""
    from helpers.training.next_word import train_next_word, untrained

    return {
        "trained": word_model(train_next_word(SEED, progress=False)),
        "equal": word_model(train_next_word(SEED, uniform=True, progress=False)),
        "untrained": word_model(untrained(SEED)),
    }


if __name__ == "__main__":
    store("names", name_models())
    store("words", word_models())
