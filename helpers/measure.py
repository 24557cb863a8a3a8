"""What attention costs: operations counted, time and peak memory measured, slopes fitted."""

import contextlib
import gc
import json
import math
import os
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

NOT_COUNTED = ("dot", "einsum", "inner", "tensordot", "vdot")


def attention_flops(n: int, d_model: int, num_heads: int = 1) -> dict[str, int]:
    """Predict the floating-point operations of one attention layer, from its matrix products.

    A product of (a, b) and (b, c) takes 2abc operations: a multiplication and an addition for
    each of its abc terms. Softmax is left out, and so is the feed-forward part of a model.
    "Attention Is All You Need", section 3.2.2, for the layer.

    Args:
        n: number of tokens.
        d_model: width of a token; W_Q, W_K, W_V and W_O are (d_model, d_model).
        num_heads: number of heads; each works on d_model / num_heads columns.

    Returns:
        {"Q K V": ..., "scores": ..., "sum": ..., "W_O": ...}, whole numbers.

    Raises:
        TypeError: an argument that is not a whole number.
        ValueError: an argument below 1, or a num_heads that does not divide d_model.
    """
    for name, value in (("n", n), ("d_model", d_model), ("num_heads", num_heads)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise TypeError(f"{name} must be a whole number, got {value!r}.")
        if value < 1:
            raise ValueError(f"{name} must be at least 1, got {value}.")
    if d_model % num_heads:
        raise ValueError(
            f"num_heads must divide d_model, but {d_model} columns cannot be shared out evenly "
            f"among {num_heads} heads."
        )
    n, d_model, num_heads = int(n), int(d_model), int(num_heads)
    one_projection = 2 * n * d_model * d_model
    one_head = 2 * n * n * (d_model // num_heads)
    return {
        "Q K V": 3 * one_projection,
        "scores": num_heads * one_head,
        "sum": num_heads * one_head,
        "W_O": one_projection,
    }


@dataclass
class Operations:
    """What a function did, counted while it ran.

    Attributes:
        products: operations in matrix products, 2abc for (a, b) times (b, c).
        exponentials: numbers that went through exp.
        others: numbers made or added up by any other arithmetic.
        largest: how many numbers the largest result of any step held.
    """

    products: int = 0
    exponentials: int = 0
    others: int = 0
    largest: int = 0

    def add(self, ufunc, method, inputs, result):
        """Count one call of a NumPy function.

        Args:
            ufunc: the NumPy function.
            method: "__call__", "reduce" or another of its methods.
            inputs: its arguments as plain arrays.
            result: what it gave, an array, a number or a tuple of them.
        """
        size = sum(np.size(part) for part in (result if isinstance(result, tuple) else (result,)))
        self.largest = max(self.largest, size)
        if ufunc is np.matmul:
            self.products += 2 * size * np.shape(inputs[0])[-1]
        elif ufunc in (np.exp, np.exp2, np.expm1):
            self.exponentials += size
        else:
            self.others += np.size(inputs[0]) if method != "__call__" else size


class CountedArray(np.ndarray):
    """An array that counts what is computed with it."""

    tally = None

    def __array_finalize__(self, source):
        """Let every view and result count into the same tally."""
        self.tally = getattr(source, "tally", None)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        """Compute with plain arrays, count, and hand the result on as a counted array."""
        plain = [_plain(value) for value in inputs]
        if out is not None:
            options["out"] = tuple(_plain(value) for value in out)
        result = getattr(ufunc, method)(*plain, **options)
        self.tally.add(ufunc, method, plain, result)
        if out is not None:
            return out[0] if len(out) == 1 else out
        if isinstance(result, tuple):
            return tuple(counted(part, self.tally) for part in result)
        return counted(result, self.tally)

    def __array_function__(self, function, types, arguments, options):
        """Let np.where and its kin pass; refuse a product that would escape the count."""
        if function.__name__ in NOT_COUNTED:
            raise TypeError(
                f"np.{function.__name__} is not counted. Write the product with @ (np.matmul)."
            )
        result = super().__array_function__(function, types, arguments, options)
        return counted(result, self.tally) if isinstance(result, np.ndarray) else result


def counted(array, tally):
    """Return an array as a view that counts into a tally.

    Args:
        array: numbers of any shape.
        tally: Operations.
    """
    view = np.asarray(array).view(CountedArray)
    view.tally = tally
    return view


def _plain(value):
    return value.view(np.ndarray) if isinstance(value, CountedArray) else value


def count_operations(function: Callable, *arrays) -> Operations:
    """Run a NumPy function and count its arithmetic as it happens.

    Args:
        function: takes the arrays; its products are written with ``@`` or np.matmul.
        *arrays: arrays of numbers, any shape; left unchanged unless the function changes them.

    Returns:
        Operations.

    Raises:
        TypeError: if the function multiplies in a way that cannot be counted (np.einsum ...).
    """
    tally = Operations()
    function(*(counted(array, tally) for array in arrays))
    return tally


def peak_memory(function: Callable[[], object]) -> int:
    """Measure how much memory NumPy and Python hold at the worst moment of a call.

    Real allocations, recorded by tracemalloc: the result counts, what existed before does not.

    Args:
        function: called once, without arguments.

    Returns:
        Bytes, at least 0.
    """
    gc.collect()
    tracing = tracemalloc.is_tracing()
    if not tracing:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        result = function()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        if not tracing:
            tracemalloc.stop()
    del result
    return max(0, peak - before)


def torch_peak_memory(function: Callable[[], object]) -> int:
    """Measure how much memory torch's tensors hold at the worst moment of a call, on the CPU.

    Real allocations, recorded by torch's profiler: the result counts, what existed before does
    not.

    Args:
        function: called once, without arguments.

    Returns:
        Bytes, at least 0.
    """
    import torch
    from torch.profiler import ProfilerActivity, profile

    os.environ.setdefault("KINETO_LOG_LEVEL", "9")  # or the profiler reports its own start and end
    with torch.no_grad(), profile(activities=[ProfilerActivity.CPU], profile_memory=True) as run:
        result = function()
    del result
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace.json"
        run.export_chrome_trace(str(trace))
        events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    changes = [event for event in events if event.get("name") == "[memory]"]
    held = peak = 0
    for event in sorted(changes, key=lambda event: event["ts"]):
        held += event["args"]["Bytes"]
        peak = max(peak, held)
    return peak


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
    return {name: float(seconds[0]) for name, seconds in table.items()}


def seconds_against_size(
    sizes: Sequence[int],
    make: Callable[[int], Mapping[str, Callable[[], object]]],
    rounds: int = 3,
    progress: bool = True,
) -> dict[str, np.ndarray]:
    """Time functions at several sizes: all sizes once, then all again; medians at the end.

    torch, where it is loaded, uses one thread meanwhile. A progress bar is shown; interrupting
    the kernel stops the measurement.

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
    with _one_torch_thread(), _bar(len(runs) * (rounds + 1), progress, "timing") as bar:
        for turn in range(rounds + 1):
            for k, name, run in runs:
                start = time.perf_counter()
                run()
                if turn:
                    taken[k, name].append(time.perf_counter() - start)
                bar.update()
    medians = {place: statistics.median(seconds) for place, seconds in taken.items()}
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
    with _one_torch_thread(), _bar(len(runs), progress, "memory") as bar:
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


@contextlib.contextmanager
def _one_torch_thread():
    """Use one torch thread inside a with block, if torch is loaded at all."""
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
