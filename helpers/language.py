"""The language of everything the course shows: ``say`` turns an English text into the reader's.

The English text is the key. The other languages stand in ``helpers/locale/<language>.po``, which
Babel reads; it comes with JupyterLab, so before the installation everything is English.
"""

from __future__ import annotations

import functools
import os
from pathlib import Path

LOCALE = Path(__file__).with_name("locale")


def language() -> str:
    """The language of this process, a code such as "en" or "zh".

    It is the environment variable ``COURSE_LANGUAGE``; without it the folder that the notebook
    runs in, if that stands below ``notebooks`` (``notebooks/zh``, ``notebooks/zh/deeper``) and
    has a catalogue; without either, English.
    """
    chosen = os.environ.get("COURSE_LANGUAGE", "").strip()
    if chosen:
        return chosen
    parts = Path.cwd().parts
    below = parts[len(parts) - parts[::-1].index("notebooks") :] if "notebooks" in parts else ()
    return below[0] if below and (LOCALE / f"{below[0]}.po").is_file() else "en"


def say(english: str, /, **values: object) -> str:
    """Return a text in the reader's language, with values put into its {names}.

    Args:
        english: the whole text in English; ``{name}`` or ``{name:.2f}`` where a value goes in.
            Without values, braces are left as they are.
        **values: what goes into the names, none of them a text that itself needs translation.

    Returns:
        The translated text, or the English one where the catalogue has none.
    """
    text = translated(english, language())
    return text.format(**values) if values else text


def together(*sentences: str) -> str:
    """Put whole sentences one after the other, as the reader's language spaces them."""
    blank = "" if language() == "zh" else " "
    return blank.join(sentence for sentence in sentences if sentence)


def translated(english: str, into: str) -> str:
    """Look up one text; English where the language has no catalogue or lacks the text."""
    return _catalogue(into).get(english) or english


@functools.lru_cache  # the launcher reads this file in Python 3.8 too, to refuse it
def _catalogue(of: str) -> dict[str, str]:
    file = LOCALE / f"{of}.po"
    if of == "en" or not file.is_file():
        return {}
    try:
        from babel.messages.pofile import read_po
    except ImportError:  # the launcher, before anything is installed
        return {}
    with file.open("rb") as opened:
        return {entry.id: entry.string for entry in read_po(opened) if entry.id and not entry.fuzzy}
