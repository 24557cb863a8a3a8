"""Wrong and rival mechanisms that must break the claims of lesson 09."""

import numpy as np


def cut_off(scores):
    """Softmax that cuts the scores off at ±700 and subtracts nothing."""
    exponentials = np.exp(np.clip(scores, -700, 700))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def a_little_below(scores):
    """Softmax that puts −1e9 in the place of −∞."""
    finite = np.maximum(scores, -1e9)
    exponentials = np.exp(finite - finite.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)
