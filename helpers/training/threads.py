"""One torch thread while something small is trained or timed."""

import contextlib

import torch


@contextlib.contextmanager
def one_thread():
    """Use one torch thread inside a ``with`` block, and the former number after it.

    Small matrices gain nothing from a second thread, and with one a busy neighbour on the machine
    cannot slow training down several times over.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
