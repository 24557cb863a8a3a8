"""The optimizer of the models that are trained in NumPy, without torch."""

import numpy as np


class Adam:
    """Adam (Kingma and Ba 2014, arXiv:1412.6980, algorithm 1) for a list of arrays.

    Args:
        parameters: list of float arrays; `step` changes them in place.
        learning_rate: float.
    """

    def __init__(self, parameters, learning_rate):
        self.parameters, self.learning_rate, self._steps = parameters, learning_rate, 0
        self._means = [np.zeros_like(p) for p in parameters]
        self._squares = [np.zeros_like(p) for p in parameters]

    def step(self, gradients):
        """Move every parameter once, against its gradient.

        Args:
            gradients: as many arrays as there are parameters, of their shapes.

        Raises:
            ValueError: there are more or fewer gradients than parameters.
        """
        self._steps += 1
        moments = zip(self.parameters, gradients, self._means, self._squares, strict=True)
        for p, g, m, s in moments:
            m += 0.1 * (g - m)
            s += 0.001 * (g * g - s)
            mean, square = m / (1 - 0.9**self._steps), s / (1 - 0.999**self._steps)
            p -= self.learning_rate * mean / (np.sqrt(square) + 1e-8)
