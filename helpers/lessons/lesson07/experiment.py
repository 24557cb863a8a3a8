"""Timings of lesson 07: how much of a processor this run got, and a run on a quiet machine."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from helpers.language import say
from helpers.measure import seconds_against_size

# Processor seconds of one thread on a small cloud machine, the best of many runs, with NumPy 2:
# n queries, keys and values of 256 float32 numbers each; "projections" are four products with W.
LENGTHS = (32, 64, 128, 256, 512, 1024, 2048, 4096, 8192)
QUIET = {
    "blocks": (1.82e-4, 2.53e-4, 5.45e-4, 1.84e-3, 5.85e-3, 0.0257, 0.0871, 0.348, 1.48),
    "projections": (2.42e-4, 4.34e-4, 9.79e-4, 1.75e-3, 3.74e-3, 8.35e-3, 0.0162, 0.043, 0.0745),
}

_BUSY_BELOW = 0.9  # share of one processor


@dataclass(frozen=True)
class Timing:
    """Seconds of several functions at several sizes.

    Attributes:
        seconds: {name: (m,) median seconds}, NaN where the name was missing.
        share: how much of one processor this program got meanwhile, between 0 and 1.
    """

    seconds: dict[str, np.ndarray]
    share: float

    @property
    def note(self) -> str:
        """Whether this machine was busy with something else, in a sentence."""
        if self.share < _BUSY_BELOW:
            return say(
                "This machine was busy: this run got {share:.0%} of one processor, so its times "
                "are too long.",
                share=self.share,
            )
        return say(
            "This machine was quiet: this run got {share:.0%} of one processor.", share=self.share
        )


def timed(
    sizes: Sequence[int], make: Callable[[int], Mapping[str, Callable[[], object]]]
) -> Timing:
    """Time functions as `seconds_against_size` does, and watch how busy the machine is.

    Args:
        sizes: (m,) the sizes.
        make: function(size) that returns {name: function without arguments}.

    Returns:
        Timing.
    """
    wall, processor = time.perf_counter(), time.process_time()
    seconds = seconds_against_size(sizes, make)
    share = (time.process_time() - processor) / (time.perf_counter() - wall)
    return Timing(seconds, min(1.0, share))


def on_a_quiet_machine(sizes: Sequence[int], name: str) -> np.ndarray:
    """The stored seconds of one of the ways at some of the stored lengths, (m,)."""
    stored = dict(zip(LENGTHS, QUIET[name], strict=True))
    return np.array([stored[int(size)] for size in sizes])
