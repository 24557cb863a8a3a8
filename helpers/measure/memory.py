"""Peak memory of a call, measured as real allocations."""

import gc
import json
import os
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from helpers.measure.threads import one_thread


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
        with one_thread():
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
    activities = [ProfilerActivity.CPU]
    with one_thread(), torch.no_grad(), profile(activities=activities, profile_memory=True) as run:
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
