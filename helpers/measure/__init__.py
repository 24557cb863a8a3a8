"""What attention costs: operations counted, time and peak memory measured, slopes fitted."""

from helpers.measure.counting import Operations, attention_flops, count_operations
from helpers.measure.depth import steps_in_a_row
from helpers.measure.memory import peak_memory, torch_peak_memory
from helpers.measure.sweeps import (
    log_log_slope,
    memory_against_size,
    seconds,
    seconds_against_size,
    seconds_in_turns,
)
from helpers.measure.threads import one_thread

__all__ = [
    "Operations",
    "attention_flops",
    "count_operations",
    "log_log_slope",
    "memory_against_size",
    "one_thread",
    "peak_memory",
    "seconds",
    "seconds_against_size",
    "seconds_in_turns",
    "steps_in_a_row",
    "torch_peak_memory",
]
