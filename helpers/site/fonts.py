"""The characters of a page: fonts with only those that it shows, so that none is missing."""

import re
from base64 import b64decode, b64encode
from functools import lru_cache
from io import BytesIO
from pathlib import Path

import matplotlib
from fontTools import subset
from fontTools.ttLib import TTFont

_ASSETS = Path(__file__).parents[1] / "assets"
_MATPLOTLIB = Path(matplotlib.get_data_path(), "fonts", "ttf")
# In the order in which a character is looked for; DejaVu Sans comes with Matplotlib.
FONTS = {
    "Course CJK": _ASSETS / "CourseCJK-Regular.ttf",
    "Course Signs": _MATPLOTLIB / "DejaVuSans.ttf",
}
LICENCES = {
    "Course CJK": _ASSETS / "OFL.txt",
    "Course Signs": _MATPLOTLIB / "LICENSE_DEJAVU",
}
# Blanks, joiners and what only changes the character before it.
INVISIBLE = re.compile("[\u00a0\u00ad\u2000-\u200f\u2028-\u202f\u2060-\u206f\ufe00-\ufe0f]")
_FACE = re.compile(r"data:font/woff;base64,([A-Za-z0-9+/=]+)")
_RANGES = re.compile(
    r"\[[^\]\n]*\\u[0-9a-fA-F]{4}-[^\]\n]*\]"
)  # of a pattern: nothing that is shown
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|&#(\d+);|&#x([0-9a-fA-F]+);")


def special_characters(page: str) -> set[str]:
    """The characters of a page that not every font has, its scripts included."""
    found = _ESCAPE.findall(_RANGES.sub("", page))
    written = {chr(int(a or c, 16) if a or c else int(b)) for a, b, c in found}
    return {
        character
        for character in {*page, *written}
        if character > "~" and not INVISIBLE.match(character) and not character.isspace()
    } - {"\x7f"}


@lru_cache
def characters_of(name: str) -> frozenset[str]:
    """The characters that a font has."""
    with TTFont(FONTS[name], lazy=True) as font:
        return frozenset(map(chr, font.getBestCmap()))


def missing(characters: set[str]) -> set[str]:
    """Those that none of the fonts has."""
    return characters.difference(*map(characters_of, FONTS))


def embedded(page: str) -> set[str]:
    """The characters of the fonts that a page carries."""
    held = set()
    for data in _FACE.findall(page):
        with TTFont(BytesIO(b64decode(data)), lazy=True) as font:
            held |= set(map(chr, font.getBestCmap()))
    return held


def faces(page: str) -> str:
    """The style that brings the characters of a page, each from the first font that has it."""
    left, made = special_characters(page), []
    for name in FONTS:
        chosen = left & characters_of(name)
        left -= chosen
        if chosen:
            data = b64encode(_subset(name, "".join(sorted(chosen)))).decode()
            made.append(
                f'@font-face{{font-family:"{name}";'
                f'src:url("data:font/woff;base64,{data}") format("woff")}}'
            )
    return "\n".join(made)


@lru_cache(maxsize=64)
def _subset(name, text):
    options = subset.Options(
        flavor="woff", hinting=False, layout_features=[], notdef_outline=True, name_IDs=[0, 1, 13]
    )
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "BASE", "STAT", "FFTM"]
    with subset.load_font(FONTS[name], options) as font:
        subsetter = subset.Subsetter(options)
        subsetter.populate(text=text)
        subsetter.subset(font)
        buffer = BytesIO()
        subset.save_font(font, buffer, options)
    return buffer.getvalue()
