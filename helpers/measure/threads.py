"""One thread for matrix products while something is measured."""

import contextlib
import ctypes
import sys
from pathlib import Path

import numpy as np


@contextlib.contextmanager
def one_thread():
    """Let NumPy and torch use one thread inside a ``with`` block, and as many as before after it.

    With two, a busy neighbour can slow a product down many times over, and the waiting threads of
    one library take the processor from the other. NumPy is told only if it came with OpenBLAS,
    as its wheels for Linux and Windows do; torch only if it is loaded.
    """
    told = [pair for pair in (_openblas(), _torch()) if pair is not None]
    before = [(set_threads, get_threads()) for get_threads, set_threads in told]
    for set_threads, _ in before:
        set_threads(1)
    try:
        yield
    finally:
        for set_threads, number in before:
            set_threads(number)


def _torch():
    torch = sys.modules.get("torch")
    return None if torch is None else (torch.get_num_threads, torch.set_num_threads)


def _openblas():
    """The functions that get and set the threads of NumPy's own OpenBLAS, or None."""
    inside = Path(np.__file__).parent
    for folder in (inside.with_name("numpy.libs"), inside / ".dylibs"):
        for file in folder.glob("*openblas*"):
            try:
                library = ctypes.CDLL(str(file))  # the copy that NumPy has loaded already
                return (
                    library.scipy_openblas_get_num_threads64_,
                    library.scipy_openblas_set_num_threads64_,
                )
            except (OSError, AttributeError):
                continue
    return None
