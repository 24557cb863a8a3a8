"""The colours of all figures, and which ink is read on them."""

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_rgb

# Okabe and Ito (2008), "Color Universal Design", without the yellow, which is too pale on white.
COLOURS = {
    "blue": "#0072B2",
    "vermillion": "#D55E00",
    "green": "#009E73",
    "purple": "#CC79A7",
    "orange": "#E69F00",
    "sky": "#56B4E9",
    "black": "#222222",
}
INK = "#222222"
QUIET_INK = "#5f6670"
RULE = "#c9ced6"
PAPER = "#ffffff"

# Equal steps of lightness in OKLab, one hue a side: the maps keep their order in grey and for
# every kind of colour vision.
_BLUES = [
    "#ffffff",
    "#cfe9fa",
    "#a2d1f5",
    "#79b8ed",
    "#559ee1",
    "#3783d1",
    "#2068bc",
    "#1c4f9c",
    "#1a3977",
]
_BROWNS = [
    "#ffffff",
    "#f8e5cf",
    "#f1caa1",
    "#e9ae76",
    "#df924f",
    "#d0772c",
    "#bf5e03",
    "#a44b08",
    "#863d16",
]
WEIGHT_MAP = LinearSegmentedColormap.from_list("course_weights", _BLUES)
SIGNED_MAP = LinearSegmentedColormap.from_list("course_signed", _BROWNS[:0:-1] + _BLUES)


def text_colour_on(background) -> str:
    """Black or white, whichever is read more easily on a background.

    Args:
        background: any colour that matplotlib understands.

    Returns:
        "#000000" or "#ffffff"; the contrast is at least 4.5 : 1.
        Source: relative luminance as in WCAG 2.2.
    """
    rgb = np.asarray(to_rgb(background))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    luminance = linear @ np.array([0.2126, 0.7152, 0.0722])
    return "#000000" if luminance > 0.1791 else "#ffffff"


def darker(colour, keep: float = 0.72) -> tuple[float, float, float]:
    """A colour dark enough for small text on white.

    Args:
        colour: any colour that matplotlib understands.
        keep: how much of its light is kept, 0 to 1.

    Returns:
        (red, green, blue), each from 0 to 1.
    """
    red, green, blue = (keep * channel for channel in to_rgb(colour))
    return red, green, blue
