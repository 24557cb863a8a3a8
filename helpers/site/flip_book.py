"""``explore`` on a page: pictures of some positions, drawn now, between which controls switch."""

from base64 import b64encode
from io import BytesIO
from math import prod
from pathlib import Path

from PIL import Image

from helpers.course import explore
from helpers.course.demonstration import demonstration
from helpers.language import say

MOST = 25  # pictures of one flip-book
COLOURS = 32
_WIDE = 20  # a range whose end is so many times its beginning is walked in equal ratios


def install() -> None:
    """Let every ``explore`` of this process show a flip-book."""
    explore._show = show


def show(figure_function, figure, settings, controls, labels) -> None:
    """Display the flip-book of an ``explore``; its arguments are checked already."""
    values = positions(settings, controls)
    pictures, captions, alts, places = [], [], [], {}
    for place in sorted(_combinations(settings, controls, values)):
        chosen = {name: values[name][k] for name, k in zip(values, place, strict=True)}
        drawn = explore._drawn(figure_function, chosen)
        picture = few_colours(drawn.png_bytes())
        if picture not in pictures:
            pictures.append(picture)
            captions.append(drawn.caption)
            alts.append(drawn.caption or drawn.alt)
        places[" ".join(map(str, place))] = pictures.index(picture)
    demonstration(
        Path(__file__).with_suffix(".js"),
        still=figure,
        controls=[
            {
                "label": labels.get(name, name),
                "kind": _kind(control),
                "names": _names(control, values[name]),
                "start": values[name].index(settings[name]),
            }
            for name, control in controls.items()
        ],
        places=places,
        pictures=[b64encode(picture).decode() for picture in pictures],
        captions=captions,
        alts=alts,
        width=figure.css_size[0],
    )


def positions(settings: dict, controls: dict) -> dict[str, list]:
    """The values that each control can take on the page.

    Every choice stays. What is left of the pictures is shared out among the sliders, each of which
    moves alone: the others are then at their start.

    Args:
        settings: {name: value}, where each control starts.
        controls: what ``explore`` was given.

    Returns:
        {name: list of values}, the start among them.
    """
    choices = {
        name: [value for _, value in explore._options(control)]
        if isinstance(control, list)
        else [False, True]
        for name, control in controls.items()
        if _kind(control) != "slider"
    }
    sliders = [name for name in controls if name not in choices]
    left = MOST // prod(map(len, choices.values())) - 1  # beside the start
    if left < len(sliders):
        raise ValueError(
            say("A page shows {most} pictures of an explore at most: too many choices.", most=MOST)
        )
    each, rest = divmod(left, len(sliders) or 1)
    counts = {name: 1 + each + (k < rest) for k, name in enumerate(sliders)}
    return {
        name: choices[name] if name in choices else _along(control, settings[name], counts[name])
        for name, control in controls.items()
    }


def _along(control, start, count):
    low, high = control[:2]
    whole = all(isinstance(number, int) for number in control)
    step = control[2] if len(control) == 3 else (1 if whole else (high - low) / 100)
    last = int((high - low) / step + 1e-9)

    def value(k):
        exact = low + k * step
        return int(exact) if whole else round(exact, 10)

    own = round((start - low) / step)
    if last < count:
        return sorted({*map(value, range(last + 1))} - {value(own)} | {start})
    parts = [k / (count - 1) for k in range(count)]
    if low > 0 and high / low >= _WIDE:
        steps = [round((low * (high / low) ** part - low) / step) for part in parts]
    else:
        steps = [round(last * part) for part in parts]
    nearest = min(range(count), key=lambda k: abs(steps[k] - own))
    if nearest in (0, count - 1) and steps[nearest] != own:
        nearest = min(max(nearest, 1), count - 2)  # the ends of a slider stay
    return sorted({*(value(k) for k in steps[:nearest] + steps[nearest + 1 :])} | {start})


def _combinations(settings, controls, values):
    """Places in the lists of values: all choices, and of the sliders one away from its start."""
    starts = {name: values[name].index(settings[name]) for name in controls}
    sliders = [name for name, control in controls.items() if _kind(control) == "slider"]
    found = {()}
    for name in controls:
        own = [starts[name]] if name in sliders else range(len(values[name]))
        found = {(*place, k) for place in found for k in own}
    order = list(controls)
    moved = {
        (*place[: order.index(name)], k, *place[order.index(name) + 1 :])
        for place in found
        for name in sliders
        for k in range(len(values[name]))
    }
    return found | moved


def _kind(control):
    if isinstance(control, bool):
        return "tick"
    return "choice" if isinstance(control, list) else "slider"


def _names(control, values):
    if isinstance(control, list):
        return [text for text, _ in explore._options(control)]
    return [str(value).replace("-", "−") for value in values]


def few_colours(png: bytes) -> bytes:
    """The same picture with COLOURS colours, if that is smaller."""
    picture = Image.open(BytesIO(png)).convert("RGB")
    picture = picture.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    buffer = BytesIO()
    picture.save(buffer, "PNG", optimize=True)
    return min(buffer.getvalue(), png, key=len)
