"""Sentences about a failure: what came back, what was wanted, and what probably happened."""

from collections.abc import Mapping, Sequence

import numpy as np

from helpers.course.compare import matches, misses
from helpers.course.values import Plain
from helpers.language import say

_ALMOST = 2e-2  # an error below this share of the scale looks like rounding, not like a formula
_NO_CAUSE = ("", "")


def text(value: object, names: Sequence[str] = ()) -> str:
    """Write a value in a few readable lines: small arrays whole, large ones shortened.

    Args:
        value: an array, a tensor, a text, or a tuple of these.
        names: names of the parts of a tuple; they are written in front.
    """
    if isinstance(value, tuple):
        if len(names) == len(value):
            return arguments(dict(zip(map(say, names), value, strict=True)))
        return ",\n".join(text(part) for part in value)
    if type(value).__module__.startswith("torch") and hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    if isinstance(value, np.ndarray):
        body = np.array2string(
            value, precision=4, suppress_small=True, threshold=60, edgeitems=3, max_line_width=76
        )
        return f"{body}  {say('shape {shape}', shape=value.shape)}" if value.ndim else body
    return repr(value)[:400]


def arguments(case: Mapping[str, object]) -> str:
    """Write the arguments of one call, one after the other."""
    lines = []
    for name, value in case.items():
        body = text(value).splitlines() or [""]
        indent = " " * (len(name) + 3)
        lines.append(f"{name} = {body[0]}")
        lines.extend(indent + line for line in body[1:])
    return "\n".join(lines)


def changed(names: Sequence[str]) -> str:
    """Say that an answer overwrote the caller's numbers."""
    return say(
        "It changes its input {names}: the caller's numbers are overwritten. Work on a copy.",
        names=", ".join(names),
    )


def summary(got: Plain, want: Plain, names: Sequence[str]) -> str:
    """Say in one sentence where a plain value first differs from the wanted one."""
    part = ""
    if isinstance(want, tuple):
        place = next(i for i, g in enumerate(got) if not matches(g, want[i]))
        part = say(names[place]) if place < len(names) else str(place + 1)
        got, want = got[place], want[place]
    if isinstance(want, str):
        return say("That is another answer than the wanted one.")
    if (got.dtype == bool) != (want.dtype == bool):
        return _kind_sentence(want, part)
    if got.shape != want.shape:
        return _shape_sentence(got, want, part)
    return _number_sentence(got, want, part)


def _kind_sentence(want, part):
    if want.dtype == bool and part:
        return say(
            "{part} has to be a mask of True and False (dtype bool), but numbers came back.",
            part=part,
        )
    if want.dtype == bool:
        return say("A mask of True and False is wanted (dtype bool), but numbers came back.")
    if part:
        return say(
            "{part} has to hold numbers, but True and False (dtype bool) came back.", part=part
        )
    return say("Numbers are wanted, but True and False (dtype bool) came back.")


def _shape_sentence(got, want, part):
    if part:
        return say(
            "The shape of {part} is {got}; {want} is wanted.",
            part=part,
            got=got.shape,
            want=want.shape,
        )
    return say("The shape is {got}; {want} is wanted.", got=got.shape, want=want.shape)


def _number_sentence(got, want, part):
    wrong = misses(got, want)
    place = tuple(np.argwhere(wrong)[0].tolist())
    shown = {"got": _number(got[place]), "want": _number(want[place])}
    if not want.ndim:
        if part:
            return say("For {part}, {got} came back; {want} is wanted.", part=part, **shown)
        return say("{got} came back; {want} is wanted.", **shown)
    shown["place"] = ", ".join(map(str, place))
    if want.size == 1:
        if part:
            return say(
                "The number in {part} differs: {got} came back, {want} is wanted.",
                part=part,
                **shown,
            )
        return say("The number differs: {got} came back, {want} is wanted.", **shown)
    shown |= {"count": int(wrong.sum()), "size": want.size}
    if part:
        return say(
            "In {part}, {count} of {size} numbers differ, first at [{place}]: {got} came back, "
            "{want} is wanted.",
            part=part,
            **shown,
        )
    return say(
        "{count} of {size} numbers differ, first at [{place}]: {got} came back, {want} is wanted.",
        **shown,
    )


def _number(value):
    return str(bool(value)) if value.dtype == bool else f"{float(value):.6g}"


# ---------------------------------------------------------------- what the numbers alone tell


def generic_cause(got: Plain, want: Plain, names: Sequence[str]) -> tuple[str, str]:
    """Guess what happened on one input from the numbers alone.

    Args:
        got: plain value that came back.
        want: plain value that was wanted.
        names: names of the parts of a tuple.

    Returns:
        The kind of cause, equal on all inputs that it explains, and its sentence; twice "" if
        nothing fits.
    """
    if isinstance(want, tuple):
        if not isinstance(got, tuple) or len(got) != len(want):
            return _NO_CAUSE
        if matches(got, want[::-1]):
            order = ", ".join(map(say, names)) or "…"
            return "order", say(
                "The results are right but in the wrong order; return {order}.", order=order
            )
        parts = [place for place in range(len(want)) if not matches(got[place], want[place])]
        kind, sentence = generic_cause(got[parts[0]], want[parts[0]], ()) if parts else _NO_CAUSE
        return f"{kind} in {parts}", sentence
    if not isinstance(want, np.ndarray) or not isinstance(got, np.ndarray) or matches(got, want):
        return _NO_CAUSE
    if (got.dtype == bool) != (want.dtype == bool):
        return _NO_CAUSE
    return _shape_cause(got, want) if got.shape != want.shape else _number_cause(got, want)


def _shape_cause(got, want):
    if _is_transposed(got, want):
        return _transposed()
    if got.size == want.size and matches(got.reshape(want.shape), want):
        return "reshaped", say(
            "The right numbers in another shape: an axis is missing or too many."
        )
    if got.size == want.size:
        return "shape", say("As many numbers as wanted, but in another shape and order.")
    return _NO_CAUSE


def _is_transposed(got, want):
    return got.ndim > 1 and any(matches(view, want) for view in (got.swapaxes(-1, -2), got.T))


def _transposed():
    return "transposed", say("The right numbers, transposed: rows and columns are swapped.")


def _number_cause(got, want):
    if want.dtype == bool:
        if matches(~got, want):
            return "exchanged", say("True and False are exchanged.")
        return _NO_CAUSE
    fine = np.isfinite(want)
    if np.isnan(got[fine]).any():
        return "nan", say(
            "There is NaN in the result: 0/0, or infinity minus infinity, on the way."
        )
    if np.isinf(got[fine]).any():
        return "infinity", say(
            "There is infinity in the result: a number grew too large on the way."
        )
    if _is_transposed(got, want):
        return _transposed()
    if not fine.all():
        return _NO_CAUSE
    if want.size > 1 and ((got == np.trunc(want)) | (got == np.rint(want))).all():
        return "decimals", say("The decimals are lost: the results went through integers.")
    factor = _factor(got, want)
    if factor is not None:
        shown = f"{factor:.4g}"
        return f"times {shown}", say("Every number is {factor} times the wanted one.", factor=shown)
    largest = float(abs(got - want).max(initial=0.0))
    if largest < _ALMOST * abs(want).max(initial=0.0):
        return "close", say(
            "Close, but off by up to {largest:.1e}: more than rounding explains.", largest=largest
        )
    return _NO_CAUSE


def _factor(got, want):
    if want.size < 2:
        return None
    largest = abs(want).argmax()
    if not want.flat[largest]:
        return None
    factor = got.flat[largest] / want.flat[largest]
    return factor if abs(factor - 1) > 1e-3 and factor and matches(got / factor, want) else None
