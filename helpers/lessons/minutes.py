"""The computed minutes of a notebook: `course.minutes` with a lesson's own declarations."""

import json
import math
from importlib import import_module
from pathlib import Path

from helpers.course.exercise import Exercise
from helpers.course.minutes import Time, lesson_time

# What a notebook takes from top to bottom on two quiet cores, in seconds.
MACHINE_SECONDS = {
    "01_who_is_he": 8,
    "01_memory_of_recurrent_networks": 55,
    "01_two_tokens_a_fact": 20,
    "02_library_lookup": 3,
    "03_queries_keys_values": 7,
    "03_freedom_and_rank": 12,
    "04_score_normalise_sum": 3,
    "05_why_sqrt_d": 9,
    "05_gradients_with_and_without": 40,
    "06_multi_head": 9,
    "06_one_head_with_patience": 30,
    "07_n_squared": 4,
    "07_timing_on_this_machine": 45,
    "08_order_blind": 7,
    "09_skeleton_code": 7,
    "10_differentiable_and_parallel": 9,
    "10_names_never_read": 35,
    "10_a_real_model": 36,
    "10_your_module_in_pytorch": 14,
}


def time_of(notebook: Path) -> tuple[Time, Time]:
    """Compute what a notebook of the course asks for.

    Args:
        notebook: the file; its name begins with the number of its lesson.

    Returns:
        The lesson, and apart from it its homework.
    """
    lesson = f"helpers.lessons.lesson{notebook.name[:2]}"
    return lesson_time(
        json.loads(notebook.read_text(encoding="utf-8"))["cells"],
        questions=import_module(f"{lesson}.questions").QUESTIONS,
        claims={claim.id: claim for claim in import_module(f"{lesson}.claims").CLAIMS},
        exercises={
            name: value.reference
            for name, value in vars(import_module(lesson)).items()
            if isinstance(value, Exercise)
        },
        machine_seconds=MACHINE_SECONDS.get(notebook.stem, 0),
    )


def shown_minutes(time: Time) -> int:
    """The figure that headers and the README show: the next multiple of five."""
    return 5 * math.ceil(time.minutes / 5)
