"""Time and memory of several functions at several sizes, and the slopes of what was measured."""

import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from helpers.measure.memory import peak_memory, torch_peak_memory
from helpers.measure.threads import one_thread


def seconds(function: Callable[[], object], rounds: int = 5) -> float:
    """Time a function.

    Args:
        function: called without arguments.
        rounds: how often it is timed, after one call that is not timed.

    Returns:
        Median seconds.

    Raises:
        ValueError: if rounds is below 1.
    """
    return seconds_in_turns({"": function}, rounds)[""]


def seconds_in_turns(functions: Mapping[str, Callable[[], object]], rounds: int = 5) -> dict:
    """Time several functions in turns, so that a busy moment of the machine hits them all.

    Args:
        functions: {name: function without arguments}.
        rounds: how often each is timed, after one call that is not timed.

    Returns:
        {name: median seconds}.

    Raises:
        ValueError: if rounds is below 1.
    """
    table = seconds_against_size([0], lambda _: functions, rounds, progress=False)
    return {name: float(medians[0]) for name, medians in table.items()}


def seconds_against_size(
    sizes: Sequence[int],
    make: Callable[[int], Mapping[str, Callable[[], object]]],
    rounds: int = 3,
    progress: bool = True,
) -> dict[str, np.ndarray]:
    """Time functions at several sizes: all sizes once, then all again; medians at the end.

    NumPy and torch use one thread each meanwhile, as far as they can be told to. A progress bar
    is shown; interrupting the kernel stops the measurement.

    Args:
        sizes: (m,) the sizes.
        make: function(size) that returns {name: function without arguments}; a name may be
            missing at some sizes.
        rounds: how often each is timed, after one call that is not timed.
        progress: whether the bar is shown.

    Returns:
        {name: (m,) float64 median seconds}, NaN where the name was missing.

    Raises:
        ValueError: if rounds is below 1.
    """
    if rounds < 1:
        raise ValueError(f"rounds must be at least 1, got {rounds}.")
    runs = [(k, name, run) for k, size in enumerate(sizes) for name, run in make(size).items()]
    taken = {(k, name): [] for k, name, _ in runs}
    with one_thread(), _bar(len(runs) * (rounds + 1), progress, "timing") as bar:
        for turn in range(rounds + 1):
            for k, name, run in runs:
                start = time.perf_counter()
                run()
                end = time.perf_counter()
                if turn:
                    taken[k, name].append(end - start)
                bar.update()
    medians = {place: statistics.median(times) for place, times in taken.items()}
    return _columns(medians, len(sizes))


def memory_against_size(
    sizes: Sequence[int],
    make: Callable[[int], Mapping[str, Callable[[], object]]],
    progress: bool = True,
) -> dict[str, np.ndarray]:
    """Measure the peak memory of functions at several sizes.

    Args:
        sizes: (m,) the sizes.
        make: function(size) that returns {name: function without arguments}; a name may be
            missing at some sizes. A function whose name begins with "torch" is measured by
            `torch_peak_memory`, any other by `peak_memory`.
        progress: whether a progress bar is shown.

    Returns:
        {name: (m,) float64 bytes}, NaN where the name was missing.
    """
    runs = [(k, name, run) for k, size in enumerate(sizes) for name, run in make(size).items()]
    peaks = {}
    with one_thread(), _bar(len(runs), progress, "memory") as bar:
        for k, name, run in runs:
            measure = torch_peak_memory if name.startswith("torch") else peak_memory
            peaks[k, name] = measure(run)
            bar.update()
    return _columns(peaks, len(sizes))


def log_log_slope(x, y, low: float = 0, high: float = math.inf) -> float:
    """Fit the slope of y against x on logarithmic axes: 2 where twice the x means 4 times the y.

    Args:
        x: (m,) numbers above 0.
        y: (m,) numbers above 0; NaN is left out.
        low: smallest x that counts, inclusive.
        high: largest x that counts, inclusive.

    Returns:
        float, the slope by least squares; NaN if fewer than two points count.

    Raises:
        ValueError: if x and y differ in shape or hold numbers that are not above 0.
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(f"x and y must be two rows of the same length, got {x.shape}, {y.shape}.")
    if (x <= 0).any() or (y <= 0).any():
        raise ValueError("x and y must be above 0: other numbers have no logarithm.")
    there = np.isfinite(y) & (x >= low) & (x <= high)
    if there.sum() < 2:
        return math.nan
    log_x, log_y = np.log(x[there]), np.log(y[there])
    spread = log_x - log_x.mean()
    return float(spread @ (log_y - log_y.mean()) / (spread @ spread))


def _columns(values, count):
    """Turn {(place, name): value} into {name: (count,) array}."""
    table = {}
    for (place, name), value in values.items():
        table.setdefault(name, np.full(count, np.nan))[place] = value
    return table


def _bar(total, shown, what):
    from tqdm.auto import tqdm

    return tqdm(total=total, desc=what, disable=not shown, leave=False)
