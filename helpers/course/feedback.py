"""Sentences about a failure: what came back, what was wanted, and what probably happened."""

import numpy as np

from .compare import matches, misses

_array2string, _argwhere, _errstate = np.array2string, np.argwhere, np.errstate
_ALMOST = 2e-2  # an error below this share of the scale looks like rounding, not like a formula


def text(value, names=()):
    """Write a value in a few readable lines: small arrays whole, large ones shortened.

    Args:
        value: an array, a tensor, a text, or a tuple of these.
        names: names of the parts of a tuple; they are written in front.
    """
    if isinstance(value, tuple):
        if len(names) == len(value):
            return arguments(dict(zip(names, value, strict=True)))
        return ",\n".join(text(part) for part in value)
    if type(value).__module__.startswith("torch") and hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    if isinstance(value, np.ndarray):
        body = _array2string(
            value, precision=4, suppress_small=True, threshold=60, edgeitems=3, max_line_width=76
        )
        return body if value.ndim == 0 else f"{body}  shape {value.shape}"
    return repr(value)[:400]


def arguments(case):
    """Write the arguments of one call, one after the other."""
    lines = []
    for name, value in case.items():
        body = text(value).splitlines() or [""]
        indent = " " * (len(name) + 3)
        lines.append(f"{name} = {body[0]}")
        lines.extend(indent + line for line in body[1:])
    return "\n".join(lines) if lines else "(no arguments)"


def summary(got, want, names):
    """Say in one sentence where a plain value first differs from the wanted one."""
    if isinstance(want, tuple):
        for place, (g, w) in enumerate(zip(got, want, strict=True)):
            if not matches(g, w):
                name = names[place] if place < len(names) else f"result {place + 1}"
                return f"In {name}: {_lower(summary(g, w, ()))}"
    if isinstance(want, str):
        return "That is another answer than the wanted one."
    if (got.dtype == bool) != (want.dtype == bool):
        return _dtype_sentence(want)
    if got.shape != want.shape:
        return f"The shape is {got.shape}; {want.shape} is wanted."
    wrong = misses(got, want)
    place = tuple(_argwhere(wrong)[0].tolist())
    count = int(wrong.sum())
    if not want.ndim:
        return f"{_number(got)} came back; {_number(want)} is wanted."
    where = f"{count} of {want.size} numbers differ" if want.size > 1 else "The number differs"
    index = ", ".join(map(str, place))
    return (
        f"{where}, first at [{index}]: {_number(got[place])} came back, "
        f"{_number(want[place])} is wanted."
    )


def generic_cause(got, want, names):
    """Guess what happened from the numbers alone; "" if nothing fits.

    Args:
        got: plain value that came back.
        want: plain value that was wanted.
        names: names of the parts of a tuple.
    """
    if isinstance(want, tuple):
        if matches(got, want[::-1]):
            order = ", ".join(names) if names else "the other way round"
            return f"The results are right but in the wrong order; return {order}."
        for g, w in zip(got, want, strict=True):
            if not matches(g, w):
                return generic_cause(g, w, ())
    if isinstance(want, str) or isinstance(got, (str, tuple)):
        return ""
    if (got.dtype == bool) != (want.dtype == bool):
        return ""
    return _shape_cause(got, want) if got.shape != want.shape else _number_cause(got, want)


def _shape_cause(got, want):
    if got.ndim > 1 and any(matches(view, want) for view in _transposed(got)):
        return "The right numbers, transposed: rows and columns are swapped."
    if got.size == want.size:
        if matches(got.reshape(want.shape), want):
            return "The right numbers in another shape: an axis is missing or too many."
        return "As many numbers as wanted, but in another shape and order."
    return ""


def _transposed(array):
    return array.swapaxes(-1, -2), array.T


def _number_cause(got, want):
    if want.dtype == bool:
        return "True and False are exchanged." if matches(~got, want) else ""
    with _errstate(all="ignore"):
        fine = (want - want) == 0
        if (got[fine] != got[fine]).any():
            return "There is NaN in the result: 0/0, or infinity minus infinity, on the way."
        if ((got[fine] - got[fine]) != 0).any():
            return "There is infinity in the result: a number grew too large on the way."
        if got.ndim > 1 and any(
            v.shape == want.shape and matches(v, want) for v in _transposed(got)
        ):
            return "The right numbers, transposed: rows and columns are swapped."
        if want.size > 1 and not fine.all():
            return ""
        if want.size > 1 and ((got == np.trunc(want)) | (got == np.rint(want))).all():
            return "The decimals are lost: the results went through integers."
        factor = _factor(got, want)
        if factor is not None:
            return f"Every number is {factor:.4g} times the wanted one."
        largest = abs(got - want).max()
        if largest < _ALMOST * abs(want).max():
            return f"Close, but off by up to {largest:.1e}: more than rounding explains."
    return ""


def _factor(got, want):
    largest = abs(want).argmax()
    if want.size < 2 or not want.flat[largest]:
        return None
    factor = got.flat[largest] / want.flat[largest]
    return factor if abs(factor - 1) > 1e-3 and factor and matches(got / factor, want) else None


def _dtype_sentence(want):
    if want.dtype == bool:
        return "A mask of True and False is wanted (dtype bool), but numbers came back."
    return "Numbers are wanted, but True and False (dtype bool) came back."


def _number(value):
    return str(bool(value)) if value.dtype == bool else f"{float(value):.6g}"


def _lower(sentence):
    return sentence[0].lower() + sentence[1:]
