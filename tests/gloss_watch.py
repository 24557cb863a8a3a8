"""In a notebook's kernel: every picture that shows a Chinese word must show its gloss as well."""

import re

from matplotlib.text import Text

from helpers.figures import CourseFigure
from helpers.sentences import known_gloss

CHINESE = re.compile(r"[\u4e00-\u9fff]+")


def without_gloss(texts):
    """Name the words of the course in some texts whose gloss none of these texts holds."""
    everything = "\n".join(texts)
    words = {word for text in texts for word in CHINESE.findall(text)}
    return sorted(word for word in words if known_gloss(word) not in everything)


def watch():
    """From now on a picture that keeps a gloss back raises."""
    drawn = CourseFigure.png_bytes

    def png_bytes(figure):
        texts = [text.get_text() for text in figure.findobj(Text)]
        read = [figure.caption] if figure.caption else [figure.alt]
        missing = without_gloss(texts) + without_gloss(texts + read)
        assert not missing, f"a picture shows {missing} without a gloss"
        return drawn(figure)

    CourseFigure.png_bytes = png_bytes
