"""What the learner clicks and drags: prediction cards, quiz cards, controls around figures.

Everything also works without ipywidgets and without a kernel: then the same text stands as HTML.
A demonstration that computes in the browser is a module of its own; see ``widgets/browser.py``.
"""

from helpers.widgets.cards import predict, quiz, reveal
from helpers.widgets.explore import explore

__all__ = ["explore", "predict", "quiz", "reveal"]
