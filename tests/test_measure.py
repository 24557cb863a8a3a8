"""Measuring: what is counted, allocated, timed and fitted is what really happened."""

import math
import subprocess
import sys
import time

import numpy as np
import pytest

from helpers.measure import (
    attention_flops,
    count_operations,
    log_log_slope,
    memory_against_size,
    one_thread,
    peak_memory,
    seconds,
    seconds_against_size,
    seconds_in_turns,
    torch_peak_memory,
)

MIB = 2**20


def products_by_loops(n, d_model, num_heads):
    """Count a layer's multiplications and additions one by one."""
    d_head = d_model // num_heads
    projection = sum(2 for _ in range(n) for _ in range(d_model) for _ in range(d_model))
    head = sum(2 for _ in range(n) for _ in range(n) for _ in range(d_head))
    return {
        "Q K V": 3 * projection,
        "scores": num_heads * head,
        "sum": num_heads * head,
        "W_O": projection,
    }


# ------------------------------------------------------------------------------ prediction


@pytest.mark.parametrize(("n", "d_model", "num_heads"), [(1, 1, 1), (5, 4, 2), (3, 6, 3)])
def test_predicted_operations_are_those_of_counting_loops(n, d_model, num_heads):
    assert attention_flops(n, d_model, num_heads) == products_by_loops(n, d_model, num_heads)


def test_half_of_the_operations_are_pairs_at_twice_the_width():
    parts = attention_flops(2 * 512, 512, 8)
    assert parts["scores"] + parts["sum"] == parts["Q K V"] + parts["W_O"]


def test_predictions_for_a_million_tokens_do_not_overflow():
    parts = attention_flops(np.int32(1_000_000), np.int32(16384))
    assert parts["scores"] == 2 * 10**12 * 16384


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ((0, 4), ValueError, "n must be at least 1, got 0"),
        ((3, 4.0), TypeError, "d_model must be a whole number, got 4.0"),
        ((3, 4, True), TypeError, "num_heads must be a whole number, got True"),
        ((3, 4, 3), ValueError, "4 columns cannot be shared out evenly among 3 heads"),
    ],
)
def test_senseless_sizes_are_refused_in_words(arguments, error, words):
    with pytest.raises(error, match=words):
        attention_flops(*arguments)


# -------------------------------------------------------------------------------- counting


def attention(Q, K, V):
    scores = Q @ K.T / math.sqrt(Q.shape[-1])
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True) @ V


def test_counted_products_are_the_predicted_ones():
    rng = np.random.default_rng(0)
    Q, K, V = rng.normal(size=(3, 7, 4))
    done = count_operations(attention, Q, K, V)
    parts = attention_flops(7, 4)
    assert done.products == parts["scores"] + parts["sum"]
    assert done.exponentials == 49
    assert done.largest == 49
    # scaling 49, maximum 49, subtraction 49, sum 49, division 49
    assert done.others == 5 * 49


def test_counting_follows_batches_vectors_and_shapes_that_differ():
    rng = np.random.default_rng(0)
    A, B, v = rng.normal(size=(2, 3, 5, 4)), rng.normal(size=(3, 4, 6)), rng.normal(size=4)
    assert count_operations(np.matmul, A, B).products == 2 * (2 * 3 * 5 * 6) * 4
    assert count_operations(np.matmul, A, v).products == 2 * (2 * 3 * 5) * 4
    assert count_operations(np.matmul, v, v).products == 2 * 4


def test_counting_survives_views_masks_and_work_in_place():
    def in_place(X):
        rows = X[1:].T.copy()
        rows -= 1
        np.exp(rows, out=rows)
        kept = np.where(rows > 1, rows, 0)
        return (kept @ X[1:]).sum()

    done = count_operations(in_place, np.ones((3, 4)))
    assert done.products == 2 * 4 * 2 * 4
    assert done.exponentials == 8
    assert done.others == 8 + 8 + 16  # minus 1, compare, add up


def test_counting_changes_neither_the_result_nor_the_arrays():
    rng = np.random.default_rng(0)
    arrays = rng.normal(size=(3, 5, 4))
    kept, results = arrays.copy(), []
    count_operations(lambda *given: results.append(attention(*given)), *arrays)
    np.testing.assert_array_equal(np.asarray(results[0]), attention(*kept))
    np.testing.assert_array_equal(arrays, kept)


@pytest.mark.parametrize(
    "product",
    [np.dot, np.inner, np.vdot, lambda A, B: np.einsum("ij,jk", A, B), np.tensordot],
)
def test_a_product_that_would_escape_the_count_is_refused(product):
    with pytest.raises(TypeError, match="is not counted"):
        count_operations(product, np.eye(3), np.eye(3))


# ---------------------------------------------------------------------------------- memory


def test_peak_memory_sees_what_is_freed_before_the_end():
    def two_at_once():
        first = np.ones(MIB // 8)
        second = first + 1
        return float(second.sum())

    assert 2 * MIB <= peak_memory(two_at_once) < 2.1 * MIB


def test_peak_memory_leaves_out_what_was_there_before():
    there = np.ones(MIB)
    assert peak_memory(lambda: there.sum()) < 0.1 * MIB


def test_peak_memory_inside_another_trace_leaves_that_trace_running():
    import tracemalloc

    tracemalloc.start()
    try:
        assert 1 * MIB <= peak_memory(lambda: np.ones(MIB // 8)) < 1.1 * MIB
        assert tracemalloc.is_tracing()
    finally:
        tracemalloc.stop()


def test_a_failing_function_stops_the_trace():
    import tracemalloc

    with pytest.raises(ZeroDivisionError):
        peak_memory(lambda: 1 / 0)
    assert not tracemalloc.is_tracing()


def test_torch_peak_memory_sees_what_is_freed_before_the_end():
    torch = pytest.importorskip("torch")
    there = torch.ones(MIB // 4)

    def two_at_once():
        first = there + 1
        second = first + 1
        return float(second[0])

    assert 2 * MIB <= torch_peak_memory(two_at_once) < 2.1 * MIB


def test_torch_peak_memory_of_the_table_is_more_than_that_of_the_fused_function():
    torch = pytest.importorskip("torch")
    Q = torch.ones(1, 1, 1024, 16)
    table = 4 * 1024 * 1024
    plain = torch_peak_memory(lambda: torch.softmax(Q @ Q.transpose(-1, -2), dim=-1) @ Q)
    fused = torch_peak_memory(lambda: torch.nn.functional.scaled_dot_product_attention(Q, Q, Q))
    assert plain >= 2 * table
    assert fused < table / 2


# --------------------------------------------------------------------------------- sweeps


def test_functions_are_timed_in_turns_after_one_untimed_round():
    calls = []
    taken = seconds_in_turns({"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}, 2)
    assert calls == ["a", "b"] * 3
    assert set(taken) == {"a", "b"}


def test_a_longer_wait_takes_longer_and_one_slow_call_does_not_count():
    waits = iter([0, 0.2, 0.02, 0.02])
    assert 0.02 <= seconds(lambda: time.sleep(next(waits)), rounds=3) < 0.2


def test_a_size_that_a_function_lacks_leaves_a_gap():
    def make(size):
        return {"all": lambda: None} | ({"small": lambda: None} if size < 3 else {})

    taken = seconds_against_size([1, 2, 3], make, rounds=1, progress=False)
    assert np.isnan(taken["small"]).tolist() == [False, False, True]
    assert np.isfinite(taken["all"]).all()


def test_memory_grows_with_the_size_that_was_asked_for():
    def make(size):
        return {"row": lambda: np.ones(size * MIB // 8), "table": lambda: np.ones(size**2 * MIB)}

    peaks = memory_against_size([1, 2], make, progress=False)
    assert peaks["row"][1] / peaks["row"][0] == pytest.approx(2, rel=0.01)
    assert peaks["table"][1] / peaks["table"][0] == pytest.approx(4, rel=0.01)


def test_no_rounds_are_refused():
    with pytest.raises(ValueError, match="rounds must be at least 1, got 0"):
        seconds_in_turns({}, rounds=0)


def test_one_thread_gives_the_threads_back_also_after_a_failure():
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        inside = []

        def interrupted():
            inside.append(torch.get_num_threads())
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt), one_thread():
            interrupted()
        assert inside == [1]
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_measuring_needs_no_torch():
    code = (
        "import sys, helpers.measure as m, numpy as np\n"
        "m.seconds_in_turns({'a': lambda: np.eye(3) @ np.eye(3)})\n"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# --------------------------------------------------------------------------------- slopes


@pytest.mark.parametrize("power", [0, 1, 2, 2.5])
def test_slope_is_the_power(power):
    x = np.array([3.0, 10, 40, 200])
    assert log_log_slope(x, 7 * x**power) == pytest.approx(power, abs=1e-12)


def test_slope_by_range_sees_only_its_range():
    x = 2.0 ** np.arange(12)
    y = x * (1 + x / 32)
    assert log_log_slope(x, y, high=2) == pytest.approx(1, abs=0.1)
    assert log_log_slope(x, y, low=512) == pytest.approx(2, abs=0.1)
    slopes = np.polyfit(np.log(x[3:7]), np.log(y[3:7]), 1)
    assert log_log_slope(x, y, low=8, high=64) == pytest.approx(slopes[0])


def test_gaps_are_left_out_and_one_point_has_no_slope():
    assert log_log_slope([1, 2, 4], [1, np.nan, 16]) == pytest.approx(2)
    assert math.isnan(log_log_slope([1, 2], [1, np.nan]))


def test_numbers_without_a_logarithm_are_refused():
    with pytest.raises(ValueError, match="must be above 0"):
        log_log_slope([1, 2], [0, 1])
    with pytest.raises(ValueError, match="same length"):
        log_log_slope([1, 2], [1, 2, 3])
