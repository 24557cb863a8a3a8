"""Checks in a real kernel: endless loops, exit(), what an answer displays, the line that failed."""

import re
import textwrap
from queue import Empty

import pytest
from jupyter_client.manager import start_new_kernel


class Kernel:
    """A kernel that runs cells and returns what they show."""

    def __init__(self):
        self.manager, self.client = start_new_kernel()

    def run(self, code, interrupt=False):
        """Run one cell; return its streams, displays and result as one list of strings."""
        self.client.execute(textwrap.dedent(code))
        shown = []
        while True:
            message = self.client.get_iopub_msg(timeout=30)
            content = message["content"]
            if message["msg_type"] == "stream":
                shown.append(content["text"])
                if interrupt:
                    self.manager.interrupt_kernel()
            elif message["msg_type"] in ("execute_result", "display_data"):
                shown.append(content["data"]["text/plain"])
            elif message["msg_type"] == "error":
                shown.append(content["ename"])
            elif message["msg_type"] == "status" and content["execution_state"] == "idle":
                return shown

    def alive(self):
        """Say whether the kernel still computes."""
        try:
            return self.run("1 + 1") == ["2"]
        except Empty:
            return False


@pytest.fixture(scope="module")
def kernel():
    running = Kernel()
    running.run("""
        import sys
        import numpy as np
        from helpers.course.exercise import Exercise
        def doubled(x):
            return 2 * x
        def inputs(rng):
            return [{"x": np.ones(2)}]
        double = Exercise("sample.double", doubled, inputs, hints=("1.", "2."))
    """)
    yield running
    running.client.stop_channels()
    running.manager.shutdown_kernel(now=True)


def test_an_endless_loop_can_be_interrupted_and_the_kernel_lives_on(kernel):
    shown = kernel.run(
        """
        real = sys.stdout
        def endless(x):
            real.write("started")
            real.flush()
            while True:
                pass
        double.check(endless)
        """,
        interrupt=True,
    )
    assert shown[0] == "started"
    assert "Interrupted: on the input below" in shown[1]
    assert kernel.alive()


@pytest.mark.parametrize("leave", ["exit()", "quit()", "sys.exit(1)"])
def test_an_answer_that_calls_exit_does_not_end_the_kernel(kernel, leave):
    shown = kernel.run(f"""
        def leaves(x):
            {leave}
        double.check(leaves)
    """)
    assert len(shown) == 1
    assert "SystemExit" in shown[0]
    assert kernel.alive()


def test_the_verdict_shows_once_and_the_answers_displays_do_not(kernel):
    shown = kernel.run("""
        def noisy(x):
            display("hello")
            print("printed")
            return 2 * x
        double.check(noisy)
    """)
    assert len(shown) == 1
    assert shown[0].startswith("✔ correct")
    assert "printed" in shown[0]
    assert kernel.run("display('still shown')") == ["'still shown'"]


def test_an_error_in_a_cell_shows_the_cells_line(kernel):
    shown = kernel.run("""
        def fails(x):
            return x @ np.ones((7, 7))
        double.check(fails)
    """)
    assert re.search(r"line \d: return x @ np.ones\(\(7, 7\)\)", shown[0])
