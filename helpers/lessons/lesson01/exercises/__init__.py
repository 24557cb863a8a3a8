"""The exercises of lesson 01, one a file."""

from helpers.lessons.lesson01.exercises.last_states import last_states
from helpers.lessons.lesson01.exercises.look_back import look_back
from helpers.lessons.lesson01.exercises.signal_left import signal_left
from helpers.lessons.lesson01.exercises.state_shares import state_shares

__all__ = ["last_states", "look_back", "signal_left", "state_shares"]
