"""Exercise 4 of lesson 06: what several heads cost."""

from helpers.course.exercise import Example, Exercise


def multi_head_cost(n, d_model, num_heads):
    """Count parameters, floating-point operations and numbers in the score matrices."""
    parameters = 4 * d_model**2  # W_Q, W_K, W_V, W_O
    projections = 2 * n * parameters
    d_head = d_model // num_heads
    one_head = 2 * n * n * d_head  # Q @ K.T, and as much again for weights @ V
    return parameters, projections + 2 * num_heads * one_head, num_heads * n * n


def _cost_inputs(rng):
    return (
        {"n": 10, "d_model": 8, "num_heads": 1},
        {"n": 10, "d_model": 8, "num_heads": 2},
        {"n": 512, "d_model": 512, "num_heads": 8},
        {"n": 4096, "d_model": 768, "num_heads": 12},
        {"n": int(rng.integers(20, 200)), "d_model": 96, "num_heads": 6},
    )


def times_the_heads(n, d_model, num_heads):
    """It counts four full matrices for every head; the heads share the columns of one set."""
    parameters = 4 * d_model**2 * num_heads
    return parameters, 2 * n * parameters + 4 * n * n * d_model * num_heads, num_heads * n * n


def full_width_heads(n, d_model, num_heads):
    """It gives every head the full width d_model; a head is only d_model / num_heads wide."""
    flops = 8 * n * d_model**2 + 4 * n * n * d_model * num_heads
    return 4 * d_model**2, flops, num_heads * n * n


def without_w_o(n, d_model, num_heads):
    """W_O is missing, among the parameters and in the operations."""
    return 3 * d_model**2, 6 * n * d_model**2 + 4 * n * n * d_model, num_heads * n * n


def one_a_pair(n, d_model, num_heads):
    """A product and its addition are counted as one operation; they are two."""
    return 4 * d_model**2, 4 * n * d_model**2 + 2 * n * n * d_model, num_heads * n * n


def one_score_matrix(n, d_model, num_heads):
    """It counts one score matrix; every head has its own."""
    return 4 * d_model**2, 8 * n * d_model**2 + 4 * n * n * d_model, n * n


def a_part_of_the_matrix(n, d_model, num_heads):
    """It cuts the score matrix into heads; the width is cut, each head's matrix is a full n x n."""
    return 4 * d_model**2, 8 * n * d_model**2 + 4 * n * n * d_model, n * n // num_heads


def without_the_values(n, d_model, num_heads):
    """It counts the scores and forgets the product of the weights with V."""
    return 4 * d_model**2, 8 * n * d_model**2 + 2 * n * n * d_model, num_heads * n * n


multi_head_cost = Exercise(
    name="lesson06.multi_head_cost",
    reference=multi_head_cost,
    inputs=_cost_inputs,
    returns=("parameters", "operations", "score_numbers"),
    hints=(
        "Parameters: which four matrices are there, and how large is each? Does cutting columns "
        "into heads change that?",
        "A product of an (a, b) with a (b, c) matrix takes 2·a·b·c operations. Four such products "
        "are projections, of (n, d_model) with (d_model, d_model).",
        "In each head: (n, d_head) with (d_head, n), then (n, n) with (n, d_head). Add up all "
        "heads. Each head has a score matrix of n·n numbers.",
    ),
    wrong=(
        times_the_heads,
        full_width_heads,
        without_w_o,
        one_a_pair,
        one_score_matrix,
        a_part_of_the_matrix,
        without_the_values,
    ),
    examples=(Example({"n": 10, "d_model": 8, "num_heads": 2}, ("256", "8320", "200")),),
)
