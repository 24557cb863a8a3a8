"""Checks of what figure functions are given, with sentences for beginners; widths of text."""

import numpy as np

from helpers.language import say


def as_numbers(values, name: str, dims: int | tuple[int, ...]) -> np.ndarray:
    """The values as a float array of the wanted number of dimensions.

    Args:
        values: array, list or tensor of numbers.
        name: what the argument is called, for the message.
        dims: the number of dimensions allowed, or several.

    Returns:
        A new float64 array.

    Raises:
        TypeError: if these are not numbers.
        ValueError: if the array is empty or has another number of dimensions.
    """
    if hasattr(values, "detach"):
        values = values.detach().cpu().double()
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(
            say("{name} must be an array of numbers, got {got}.", name=name, got=f"{values!r:.80}")
        ) from error
    allowed = (dims,) if isinstance(dims, int) else dims
    if array.ndim not in allowed or array.size == 0:
        raise ValueError(
            say(
                "{name} must have this number of dimensions: {wanted}, and at least one number; "
                "got an array of shape {shape}.",
                name=name, wanted="/".join(map(str, allowed)), shape=array.shape,
            )
        )  # fmt: skip
    return array


def as_labels(labels, name: str, count: int, belongs_to: str) -> list[str]:
    """The labels as a list of strings, one for each row or column.

    Args:
        labels: sequence of length ``count``.
        name: what the argument is called, for the message.
        count: how many are needed.
        belongs_to: what they label, for the message.

    Returns:
        A list of ``count`` strings.

    Raises:
        ValueError: if the number of labels is another one.
    """
    labels = [str(label) for label in labels]
    if len(labels) != count:
        raise ValueError(
            say(
                "{name} must hold {count} labels, one for each {belongs_to}, got {got}.",
                name=name, count=count, belongs_to=belongs_to, got=len(labels),
            )
        )  # fmt: skip
    return labels


def text_width(text: str, size: float = 10) -> float:
    """About how wide the longest line of a text is, in inches.

    Args:
        text: the text; a Chinese character counts as one em, others as 0.62 em.
        size: font size in points.
    """
    ems = (sum(1.0 if ord(c) > 0x2E7F else 0.62 for c in line) for line in text.split("\n"))
    return max(ems, default=0.0) * size / 72
