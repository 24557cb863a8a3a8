"""Plain text that every console can show: a Chinese one writes GBK, an old one ASCII."""

import sys

_SIGNS = {
    "✔": "+",
    "✓": "+",
    "✘": "x",
    "✗": "x",
    "≠": "/=",
    "○": "o",
    "−": "-",
    "–": "-",
    "…": "...",
    "·": "*",
    "×": "x",
    "√": "sqrt ",
    "²": "^2",
    "°": " deg",
}


def printable(text: str) -> str:
    """Replace what standard output cannot write; in a notebook, nothing."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = "".join(_written(sign, encoding) for sign in text)
    return text


def _written(sign, encoding):
    try:
        sign.encode(encoding)
    except UnicodeEncodeError:
        return _SIGNS.get(sign, "?")
    return sign
