"""Changed sentences: does the answer come from where the weight is?"""

from dataclasses import dataclass

import numpy as np

from helpers.sentences import PAD
from helpers.training.next_word.evaluation import share


@dataclass(frozen=True)
class Intervention:
    """What the model says once a sentence has been changed; one entry a sentence in each list.

    Attributes:
        tokens: the changed sentences, up to and including the pronoun.
        weights: what the pronoun now gives to the place where the antecedent stands or stood.
        answers: the verbs that the model now guesses.
        kept: share of answers that are the verb of the original antecedent.
        followed: share of answers that are the verb of whoever stands in the antecedent's place
            now; NaN if nobody does.
    """

    tokens: list[tuple[str, ...]]
    weights: np.ndarray
    answers: list[str]
    kept: float
    followed: float


def unchanged(model, sentences) -> Intervention:
    """No change: what the others are compared with.

    Args:
        model: NextWordModel.
        sentences: sequence of Sentence.

    Returns:
        Intervention.
    """
    return _intervene(model, sentences, [s.tokens for s in sentences])


def delete_antecedent(model, sentences) -> Intervention:
    """Put padding in the place of the antecedent; nobody may attend to padding.

    Args:
        model: NextWordModel.
        sentences: sequence of Sentence.

    Returns:
        Intervention; `followed` is NaN, as nobody stands in that place.
    """
    changed = [_with(s.tokens, {s.antecedent: PAD}) for s in sentences]
    return _intervene(model, sentences, changed)


def delete_other(model, sentences, seed=0) -> Intervention:
    """Put padding in the place of a random word before the pronoun that is not the antecedent.

    Args:
        model: NextWordModel.
        sentences: sequence of Sentence.
        seed: int, for the choice of the word.

    Returns:
        Intervention.
    """
    rng = np.random.default_rng(seed)
    places = [rng.choice([j for j in range(s.pronoun) if j != s.antecedent]) for s in sentences]
    changed = [_with(s.tokens, {j: PAD}) for s, j in zip(sentences, places, strict=True)]
    return _intervene(model, sentences, changed)


def swap_name(model, sentences, seed=0) -> Intervention:
    """Put another name of the same class in the place of the antecedent's.

    Args:
        model: NextWordModel.
        sentences: sequence of Sentence.
        seed: int, for the choice of the name; none that the sentence holds already.

    Returns:
        Intervention; `followed` tells whether the answer is the new character's verb.
    """
    rng = np.random.default_rng(seed)
    changed = []
    for s in sentences:
        group = next(names for names in model.corpus.characters.values() if s.answer in names)
        name = str(rng.choice([name for name in group if name not in s.tokens]))
        changed.append(_with(s.tokens, {s.antecedent: name}))
    return _intervene(model, sentences, changed)


def swap_with_rival(model, sentences) -> Intervention:
    """Let the antecedent and its rival change places: the same words, in another order.

    Args:
        model: NextWordModel.
        sentences: sequence of Sentence, each with a rival.

    Returns:
        Intervention; `followed` tells whether the answer is the verb of the former rival.

    Raises:
        ValueError: a sentence has no rival.
    """
    if any(s.rival is None for s in sentences):
        raise ValueError('each sentence must have a rival: take unseen_sentences(..., "rivals").')
    changed = [
        _with(s.tokens, {s.antecedent: s.tokens[s.rival], s.rival: s.answer}) for s in sentences
    ]
    return _intervene(model, sentences, changed)


def _intervene(model, sentences, changed):
    answers, rows = model.read_pronouns(changed, sentences)
    now = [tokens[s.antecedent] for tokens, s in zip(changed, sentences, strict=True)]
    somebody = all(name in model.habits for name in now)
    return Intervention(
        tokens=[tokens[: s.pronoun + 1] for tokens, s in zip(changed, sentences, strict=True)],
        weights=rows[np.arange(len(rows)), [s.antecedent for s in sentences]],
        answers=answers,
        kept=share(answers, [model.habits[s.answer] for s in sentences]),
        followed=share(answers, [model.habits[n] for n in now]) if somebody else float("nan"),
    )


def _with(tokens, changes):
    return tuple(changes.get(j, token) for j, token in enumerate(tokens))
