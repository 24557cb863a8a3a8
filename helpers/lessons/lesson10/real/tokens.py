"""English text as the real model reads it: small letters, and rare words in pieces."""

import re
import unicodedata
from collections.abc import Mapping

_WORDS = re.compile(r"[一-\u9fff]|[^\W_一-\u9fff]+|[^\w\s]|_")  # each Chinese character is a word


def cut(text: str, numbers: Mapping[str, int]) -> list[str]:
    """Cut a text into tokens of the model, between [CLS] and [SEP].

    Args:
        text: English text.
        numbers: token -> its row; pieces inside a word begin with "##".

    Returns:
        list of str, all in `numbers`; a word that cannot be cut becomes "[UNK]".
    """
    letters = unicodedata.normalize("NFD", text.lower())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    pieces = [piece for word in _WORDS.findall(plain) for piece in _pieces(word, numbers)]
    return ["[CLS]", *pieces, "[SEP]"]


def _pieces(word, numbers):
    """The longest token that fits first, then what is left of the word."""
    found, rest = [], word
    while rest:
        mark = "##" if found else ""
        sizes = range(len(rest), 0, -1)
        size = next((size for size in sizes if mark + rest[:size] in numbers), None)
        if size is None:
            return ["[UNK]"]
        found.append(mark + rest[:size])
        rest = rest[size:]
    return found
