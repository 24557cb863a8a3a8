"""The sentence machine and the scrubber, as outputs of a cell."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from helpers.course.demonstration import demonstration
from helpers.course.machine import patterns
from helpers.course.machine.model import SentenceModel, glosses_of, packed
from helpers.course.machine.still import sentence_picture
from helpers.course.machine.stored import KINDS, stored_models
from helpers.language import say
from helpers.sentences import PRONOUNS, known_gloss

HERE = Path(__file__).parent
SEED = 0  # of the corpus that the stored models were trained on
MOST_TOKENS, MOST_HEADS = 128, 48


def sentence_machine(
    model: str | SentenceModel | Mapping[str, SentenceModel] | None = None,
    *,
    habits: Mapping[str, str] | None = None,
    weights=None,
    tokens: Sequence[str] | None = None,
    glosses: Sequence[str] | None = None,
    row: int | None = None,
) -> None:
    """Show a sentence, who looks at whom in it, and what a small trained model makes of it.

    Either a model, whose sentence is chosen from menus, or the attention weights of any sentence.

    Args:
        model: "names" (whom does the pronoun mean?) or "words" (what comes next?), the course's
            trained models; or a SentenceModel of the corpus; or {label: SentenceModel}, between
            which a row of buttons switches.
        habits: {name: verb}, what each character always does next in the corpus of a model that
            guesses next words (the model's ``habits``); not needed for "words".
        weights: (n, n) or (heads, n, n) numbers from 0 to 1, row i for word i, who looks.
        tokens: n str.
        glosses: n str; without them those of the course's words.
        row: int, the word that looks at first; without it the pronoun, or else the last word.

    Raises:
        TypeError: neither a model nor weights and tokens are given, or both.
        ValueError: the arguments do not fit together, a weight does not lie from 0 to 1, or a
            model cannot read the sentences of the menus.
    """
    if (model is None) == (weights is None):
        raise TypeError(
            say("sentence_machine needs a model, or weights=… and tokens=…; one of both.")
        )
    if model is not None:
        _show_models(model, habits)
        return
    maps, tokens, glosses, row = _checked(weights, tokens, glosses, row)
    demonstration(
        HERE / "machine.js",
        still=_still(maps[0], tokens, glosses, row),
        kind="weights",
        weights=packed(maps),
        tokens=tokens,
        glosses=glosses,
        row=row,
    )


def scrubber(maps, tokens, *, steps, glosses=None, row=None) -> None:
    """Show the attention maps of one sentence over training, with a slider and a play button.

    Args:
        maps: (moments, n, n) numbers from 0 to 1, the maps at some moments of training.
        tokens: n str.
        steps: moments ints, how many steps had been taken at each moment.
        glosses: n str; without them those of the course's words.
        row: int, the word that looks at first; without it the pronoun, or else the last word.

    Raises:
        TypeError: no tokens are given.
        ValueError: the arguments do not fit together, or a weight does not lie from 0 to 1.
    """
    maps, tokens, glosses, row = _checked(maps, tokens, glosses, row, name="maps")
    steps = [int(step) for step in steps]
    if len(steps) != len(maps):
        raise ValueError(
            say(
                "steps must hold one number a map: there are {maps} maps and {steps} steps.",
                maps=len(maps),
                steps=len(steps),
            )
        )
    demonstration(
        HERE / "scrubber.js",
        still=_still(maps[-1], tokens, glosses, row),
        maps=packed(maps),
        tokens=tokens,
        glosses=glosses,
        steps=steps,
        row=row,
    )


def _show_models(model, habits):
    if isinstance(model, str):
        if model == "words" and habits is None:
            habits = patterns.habits_of(SEED)
        variants = _labelled(stored_models(model))
    else:
        variants = model if isinstance(model, Mapping) else {say("trained"): model}
    for one in variants.values():
        if not isinstance(one, SentenceModel):
            raise TypeError(
                say(
                    "model must be one of {kinds}, a SentenceModel or a dict of such, got {got}.",
                    kinds=", ".join(map(repr, KINDS)),
                    got=type(one).__name__,
                )
            )
    first = next(iter(variants.values()))
    names = "小明" in first.answers and "走了" not in first.answers
    ending = ("走了",) if names else ()
    words = patterns.words_in_menus(ending)
    sentences = patterns.patterns(ending)
    for one in variants.values():
        if one.answers != first.answers:
            raise ValueError(say("All models of one machine must have the same answers."))
        for sentence in sentences:  # each model must be able to read each sentence
            one.look([patterns.START.get(slot, slot) for slot in sentence["slots"]], 0)
    for name in (name for name, _ in patterns.menus()["actor"]):
        if not names and name not in (habits or {}):
            raise ValueError(
                say("habits must tell what {name} does next in the corpus of the model.", name=name)
            )
    start = sentences[0]["slots"]
    tokens = [patterns.START.get(slot, slot) for slot in start]
    row = start.index("pronoun")
    weights, chances = first.look(tokens, row)
    said = first.answers[int(np.argmax(chances))]
    caption = say(
        "{pronoun} {meaning}: the model answers {answer} {gloss}, with probability {share:.2f}.",
        pronoun=tokens[row],
        meaning=known_gloss(tokens[row]),
        answer=said,
        gloss=known_gloss(said),
        share=float(chances.max()),
    )
    glosses = glosses_of(tokens)
    demonstration(
        HERE / "machine.js",
        still=sentence_picture(tokens, glosses, weights[0, row], row, caption=caption),
        kind="names" if names else "words",
        variants=[[label, one.packed(words)] for label, one in variants.items()],
        words=words,
        glosses=glosses_of(words),
        answers=list(first.answers),
        answer_glosses=glosses_of(first.answers),
        patterns=sentences,
        menus=patterns.menus(),
        start=patterns.START,
        pronouns=list(PRONOUNS.values()),
        pronoun_of=patterns.pronoun_of(),
        rivals=list(patterns.RIVALS),
        habits=None if habits is None else dict(habits),
    )


def _labelled(models):
    labels = {
        "trained": say("trained"),
        "equal": say("equal weights"),
        "untrained": say("untrained"),
    }
    return {labels[variant]: model for variant, model in models.items()}


def _checked(weights, tokens, glosses, row, name="weights"):
    """The maps (k, n, n), the tokens, the glosses and the row, or an error in a sentence."""
    if tokens is None:
        raise TypeError(say("tokens must be given: one str for each row of the map."))
    maps, tokens = np.asarray(weights, dtype=float), [str(token) for token in tokens]
    maps = maps[None] if maps.ndim == 2 else maps
    n = len(tokens)
    if maps.ndim != 3 or maps.shape[1:] != (n, n) or n == 0 or len(maps) == 0:
        raise ValueError(
            say(
                "{name} must have the shape (…, n, n) for the n = {n} tokens, got {shape}.",
                name=name,
                n=n,
                shape=np.shape(weights),
            )
        )
    if n > MOST_TOKENS or len(maps) > MOST_HEADS:
        raise ValueError(
            say(
                "{name} may hold {maps} maps of {tokens} tokens at most, got {shape}.",
                name=name,
                maps=MOST_HEADS,
                tokens=MOST_TOKENS,
                shape=maps.shape,
            )
        )
    if not (np.isfinite(maps).all() and maps.min() >= 0 and maps.max() <= 1 + 1e-6):
        raise ValueError(
            say("{name} must lie from 0 to 1, as softmax leaves them: are these scores?", name=name)
        )
    if glosses is None:
        glosses = glosses_of(tokens)
    glosses = [str(gloss) for gloss in glosses]
    if len(glosses) != n:
        raise ValueError(say("glosses must be {n}, one a token, got {got}.", n=n, got=len(glosses)))
    if row is None:
        asks = [i for i, token in enumerate(tokens) if token in PRONOUNS.values()]
        row = asks[-1] if asks else n - 1
    if not 0 <= row < n:
        raise ValueError(say("row must lie from 0 to {last}, got {row}.", last=n - 1, row=row))
    return maps, tokens, glosses, int(row)


def _still(weights, tokens, glosses, row):
    best = int(np.argmax(weights[row]))
    caption = say(
        "{who} gives most to {whom}: {weight:.2f} of its weight.",
        who=f"{tokens[row]} {glosses[row]}".strip(),
        whom=f"{tokens[best]} {glosses[best]}".strip(),
        weight=float(weights[row, best]),
    )
    return sentence_picture(tokens, glosses, weights[row], row, caption=caption)
