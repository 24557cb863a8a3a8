"""Sentences that training has not shown, and how a model does on them."""

from dataclasses import dataclass
from statistics import fmean

import numpy as np

from helpers.sentences import RIVAL_TEMPLATES, TEMPLATES, UNSEEN_TEMPLATES, Sentence
from helpers.training.next_word.corpora import Corpus
from helpers.training.next_word.model import NextWordModel
from helpers.training.stories import make_sentences

KINDS = {
    "combinations": TEMPLATES + RIVAL_TEMPLATES,
    "templates": UNSEEN_TEMPLATES,
    "rivals": RIVAL_TEMPLATES,
    "names": TEMPLATES + RIVAL_TEMPLATES,
}


@dataclass(frozen=True)
class Evaluation:
    """How a model does on some sentences.

    Attributes:
        accuracy: share of sentences whose verb after the pronoun is guessed right.
        weight: mean weight from the pronoun to its antecedent.
        rival_weight: mean weight from the pronoun to the rival, over the sentences that have one;
            NaN if none has.
    """

    accuracy: float
    weight: float
    rival_weight: float


def unseen_sentences(seed, kind, count, corpus: Corpus) -> list[Sentence]:
    """Sentences that training has not shown.

    Args:
        seed: int.
        kind: "combinations": the patterns of training, with people, things and places that no
            sentence of training names together; "rivals": of these, the ones with a rival of the
            antecedent's class; "templates": patterns that training has not shown; "names": the
            patterns of training, with full names that training has not shown.
        count: int.
        corpus: Corpus, a model's `corpus`.

    Returns:
        list of Sentence.

    Raises:
        ValueError: no such kind, or names are asked for and the corpus keeps none out.
    """
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}.")
    if kind == "names" and not corpus.newcomers:
        raise ValueError('corpus keeps no names out of training: train with names="full".')
    people = corpus.newcomers if kind == "names" else corpus.characters
    kept_back = None if kind == "names" else True
    rng = np.random.default_rng([seed, list(KINDS).index(kind)])
    return make_sentences(rng, count, KINDS[kind], kept_back, corpus.habits, people)


def evaluate(model: NextWordModel, sentences) -> Evaluation:
    """Accuracy of the verb after the pronoun, and where the pronoun looks.

    Args:
        model: NextWordModel.
        sentences: sequence of at least one Sentence.

    Returns:
        Evaluation.
    """
    answers, rows = model.read_pronouns([s.tokens for s in sentences], sentences)
    batch = np.arange(len(sentences))
    weight = rows[batch, [s.antecedent for s in sentences]]
    rivals = [row[s.rival] for row, s in zip(rows, sentences, strict=True) if s.rival is not None]
    return Evaluation(
        accuracy=share(answers, [s.tokens[s.verb] for s in sentences]),
        weight=float(weight.mean()),
        rival_weight=float(np.mean(rivals)) if rivals else float("nan"),
    )


def share(answers, right) -> float:
    """The share of answers that are right.

    Args:
        answers: sequence of str.
        right: sequence of str, as many.

    Returns:
        float from 0 to 1.
    """
    return fmean(a == b for a, b in zip(answers, right, strict=True))
