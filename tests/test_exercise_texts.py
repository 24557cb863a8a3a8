"""Every number that an exercise's text quotes is what the reference computes."""

import ast
import inspect
import json
import re
from pathlib import Path

import numpy as np
import pytest
from mutants import exercises

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
ALL = {exercise.name: exercise for exercise in exercises()}
NUMBER = re.compile(r"-?\d+(?:\.\d+)?…?")
DECIMAL = re.compile(r"[-−]?\d*\.\d+…?")


def text_of(exercise):
    """Return the Markdown above an exercise's stub: from its heading to the stub."""
    lesson, name = exercise.name.split(".")
    (path,) = NOTEBOOKS.glob(f"{lesson[-2:]}_*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = ""
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            text = source
        elif re.search(rf"^(def|class) {name}\(.*NotImplementedError", source, re.S | re.M):
            return text.rpartition("\n#")[2]
    raise AssertionError(f"{path.name} has no stub of {name}")


def quoted(text):
    """List what a text quotes: lists and tuples in backticks, and all decimal numbers outside."""
    literals = {piece for span in re.findall(r"`([^`]+)`", text) for piece in pieces(span)}
    prose = re.sub(r"`[^`]*`|\$[^$]*\$", " ", text)
    return literals | set(DECIMAL.findall(prose))


def pieces(span):
    """Yield the lists and tuples of numbers in a piece of code that are no index and no call."""
    place = 0
    while (start := re.search(r"(?<![\w\])])[\[(]", span[place:])) is not None:
        place += start.start()
        end = next((e for e in range(place + 1, len(span) + 1) if literal(span[place:e])), None)
        if end is not None:
            yield span[place:end]
        place = place + 1 if end is None else end


def literal(piece):
    """Say whether a text is a list or a tuple of numbers."""
    try:
        value = ast.literal_eval(plain(piece).replace("…", ""))
        return isinstance(value, (list, tuple)) and np.array(value).dtype.kind in "bif"
    except (SyntaxError, ValueError):
        return False


def plain(text):
    return text.replace("−", "-")


def agrees(text, value):
    """Say whether a quoted text gives a value to as many decimals as it shows."""
    if re.search("True|False", text):
        return np.array_equal(ast.literal_eval(text), value)
    text = plain(text)
    numbers = [entry.item() for part in flat(value) for entry in np.ravel(part)]
    shown = NUMBER.findall(text)
    return len(shown) == len(numbers) and all(map(close, shown, numbers))


def flat(value):
    return [leaf for part in value for leaf in flat(part)] if isinstance(value, tuple) else [value]


def close(shown, number):
    digits = shown.rstrip("…")
    unit = 10.0 ** -len(digits.partition(".")[2])
    if shown.endswith("…"):  # cut off
        return -1e-9 <= abs(number) - abs(float(digits)) < unit
    return abs(float(digits) - number) <= 0.5000001 * unit


def given(example):
    """List the arguments of an example, and the parts of those that are tuples, as arrays."""
    parts = (v if isinstance(v, tuple) else (v,) for v in example.arguments.values())
    return [np.array(part) for group in parts for part in group]


def array(piece):
    return np.array(ast.literal_eval(plain(piece)))


@pytest.mark.parametrize("name", ALL)
def test_every_number_quoted_is_an_argument_or_an_answer_of_an_example(name):
    exercise = ALL[name]
    answers = {answer for example in exercise.examples for answer in example.answers}
    arguments = [value for example in exercise.examples for value in given(example)]
    open_ = {
        piece
        for piece in quoted(text_of(exercise))
        if piece not in answers
        and not any(piece in answer for answer in answers)
        and ("…" in piece or not any(np.array_equal(array(piece), value) for value in arguments))
    }
    assert not open_


@pytest.mark.parametrize(
    ("name", "number"),
    [(name, number) for name in ALL for number in range(len(ALL[name].examples))],
)
def test_the_quoted_answers_are_those_of_the_reference(name, number):
    exercise, example = ALL[name], ALL[name].examples[number]
    arguments = [
        np.array(value) if isinstance(value, list) and np.array(value).ndim > 1 else value
        for value in example.arguments.values()
    ]
    result = exercise.reference(*arguments)
    result = example.part(result) if example.part else result
    parts = result if isinstance(result, tuple) and len(example.answers) > 1 else (result,)
    text = text_of(exercise)
    for answer, part in zip(example.answers, parts, strict=True):
        assert answer in text
        assert agrees(answer, part), (answer, part)


def test_a_wrong_digit_is_noticed():
    assert agrees("[0.09, 0.24, 0.67]", np.array([0.0900, 0.2447, 0.6652]))
    assert not agrees("[0.09, 0.24, 0.66]", np.array([0.0900, 0.2447, 0.6652]))
    assert agrees("(0.333…, 7)", (1 / 3, 7))
    assert not agrees("(0.334…, 7)", (1 / 3, 7))
    assert not agrees("[0.09, 0.24]", np.array([0.0900, 0.2447, 0.6652]))
    assert agrees("−0.5", np.array(-0.5))
    assert quoted("For `f([1, 2], 3)`: −0.25 of `x[0]` in 3 steps of (2, 4)") == {"[1, 2]", "−0.25"}
    assert quoted("`f(2, 4)` is `[[True, False]]`") == {"[[True, False]]"}


def test_examples_belong_to_parameters():
    for exercise in ALL.values():
        for example in exercise.examples:
            assert set(example.arguments) <= set(inspect.signature(exercise.reference).parameters)
