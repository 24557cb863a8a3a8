"""The optional real model of lesson 10, a trained model of 22 million numbers, and its tokens."""

from helpers.lessons.lesson10.real.loading import load
from helpers.lessons.lesson10.real.sentences import FRESH, JOHN_AND_MARY, NAMES, TOM, two_people
from helpers.lessons.lesson10.real.tokens import cut

__all__ = ["FRESH", "JOHN_AND_MARY", "NAMES", "TOM", "cut", "load", "two_people"]
