"""Lesson 07: a calculator of what attention costs in real models, up to a million tokens."""

from pathlib import Path

from helpers.course.demonstration import demonstration
from helpers.language import say
from helpers.lessons.lesson07.figures import memory_bars
from helpers.lessons.lesson07.prices import MODELS, costs

MACHINES = {"laptop": 16 * 2**30, "GPU": 80 * 2**30, "server": 2**40}  # bytes
SPEED = 10**14  # operations a second, about what one GPU reaches
LENGTHS = {"our sentence": 10, "a page": 1_000, "a book": 100_000, "a million": 1_000_000}


def price_calculator(model: str = "Llama-3-8B", length: str = "a page") -> None:
    """Show the calculator: real models, a slider for n and one for heads of keys and values.

    Args:
        model: the model it starts with, a name in MODELS.
        length: the length it starts with, a name in LENGTHS.
    """
    names = {
        "tables": say("score tables, one layer"),
        "blocks": say("blocks instead, one layer"),
        "cache": say("cache of K and V, all layers"),
        "weights": say("weights of the model"),
    }
    machines = {say(name): size for name, size in MACHINES.items()}
    needs = costs(LENGTHS[length], MODELS[model])
    said = say("Memory for {n:,} tokens in {model}.", n=LENGTHS[length], model=say(model))
    demonstration(
        Path(__file__).with_suffix(".js"),
        still=memory_bars({names[k]: needs[k] for k in names}, machines, said),
        names=names,
        machines=machines,
        lengths={say(name): n for name, n in LENGTHS.items()},
        models={say(name): each.sizes() for name, each in MODELS.items()},
        speed=SPEED,
        start=say(model),
        start_length=say(length),
    )
