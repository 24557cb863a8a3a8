"""Lesson 07: a calculator of what attention costs, up to a million tokens."""

from pathlib import Path

from helpers.course.demonstration import demonstration
from helpers.language import say
from helpers.lessons.lesson07.figures import memory_bars
from helpers.measure import attention_bytes

MACHINES = {"laptop": 16 * 2**30, "GPU": 80 * 2**30, "server": 2**40}  # bytes
SPEED = 10**14  # operations a second, about what one GPU reaches
LENGTHS = {"our sentence": 10, "a page": 1_000, "a book": 100_000, "a million": 1_000_000}
MODELS = {
    "small": {"d_model": 512, "heads": 8, "layers": 6, "bytes": 4},  # as in the paper of 2017
    "large": {"d_model": 4096, "heads": 32, "layers": 32, "bytes": 2},  # 7 billion parameters
}


def price_calculator(model="large", length="a page") -> None:
    """Show the calculator: sliders for n, d_model, heads, layers and bytes a number.

    Args:
        model: the model it starts with, a name in MODELS.
        length: the length it starts with, a name in LENGTHS.
    """
    names = {
        "score tables": say("score tables, one layer"),
        "blocks": say("blocks instead, one layer"),
        "cache": say("cache of K and V, all layers"),
        "matrices": say("the W matrices, all layers"),
    }
    chosen, n = MODELS[model], LENGTHS[length]
    needs = attention_bytes(
        n, chosen["d_model"], chosen["heads"], chosen["layers"], chosen["bytes"]
    )
    said = say(
        "{n:,} tokens in a model with d_model {d_model}, {heads} heads, {layers} layers, "
        "{bytes} bytes a number",
        n=n,
        **chosen,
    )
    demonstration(
        Path(__file__).with_suffix(".js"),
        still=memory_bars({names[k]: b for k, b in needs.items()}, MACHINES, said),
        names=names,
        machines=MACHINES,
        lengths=LENGTHS,
        models=MODELS,
        speed=SPEED,
        start=model,
        start_length=length,
    )
