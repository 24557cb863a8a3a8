"""Exercises of lesson 01: who is 他?"""

import numpy as np

from helpers.course.draws import shares
from helpers.course.exercise import Exercise

# --------------------------------------------------------------------------------- read_row


def read_row(weights, i, names):
    """Find the column token i looks at most, and the share that all the names get together."""
    row = weights[i]
    return int(np.argmax(row)), row[names].sum()


def _read_row_inputs(rng):
    weights = shares(rng, 5, 5)
    small = np.array([[0.5, 0.25, 0.25], [0.1, 0.2, 0.7], [0.6, 0.3, 0.1]])
    return (
        {"weights": small, "i": 1, "names": [0, 2]},
        {"weights": small.copy(), "i": 2, "names": [1]},
        {"weights": weights, "i": 0, "names": [1, 2, 4]},
        {"weights": weights.copy(), "i": 4, "names": [0, 3]},
        {"weights": shares(rng, 2, 6), "i": 1, "names": [5, 0]},
    )


def reads_a_column(weights, i, names):
    """It reads column i: who looks at token i. Whom token i looks at stands in row i."""
    column = weights[:, min(i, weights.shape[1] - 1)]
    return int(np.argmax(column)), column[[j for j in names if j < len(column)]].sum()


def counts_its_place_in_the_table(weights, i, names):
    """np.argmax of the whole table counts through all rows; take row i first."""
    return int(np.argmax(weights)), weights[i, names].sum()


def gives_the_largest_weight(weights, i, names):
    """It returns the largest weight itself, where the column it stands in is asked for."""
    return weights[i].max(), weights[i, names].sum()


def only_the_names(weights, i, names):
    """It looks for the most watched column among the names only."""
    return int(names[int(np.argmax(weights[i, names]))]), weights[i, names].sum()


def mean_of_the_names(weights, i, names):
    """It averages the shares of the names; together they get the sum."""
    return int(np.argmax(weights[i])), weights[i, names].mean()


read_row = Exercise(
    name="lesson01.read_row",
    reference=read_row,
    inputs=_read_row_inputs,
    hints=(
        "Row i belongs to the token that looks. Which expression takes one row out of a table?",
        "np.argmax gives the place of the largest number. A list of columns in square brackets "
        "takes these columns out of the row; then add them up.",
    ),
    wrong=(
        reads_a_column,
        counts_its_place_in_the_table,
        gives_the_largest_weight,
        only_the_names,
        mean_of_the_names,
    ),
    returns=("column", "share"),
)


# ------------------------------------------------------------------------------- gated_step


def gated_step(h, x, W_h, W_x, keep):
    """Read one word, but keep a part of each number of the old state."""
    new = np.tanh(W_h @ h + W_x @ x)
    return keep * h + (1 - keep) * new


def _gated_step_inputs(rng):
    def case(m, d, keep):
        return {
            "h": rng.uniform(-1, 1, m).round(2),
            "x": rng.normal(size=d).round(2),
            "W_h": rng.normal(size=(m, m)).round(2),
            "W_x": rng.normal(size=(m, d)).round(2),
            "keep": keep,
        }

    return (
        case(2, 3, np.array([0.9, 0.2])),
        case(3, 3, np.array([0.0, 1.0, 0.5])),
        case(4, 2, np.zeros(4)),
        case(4, 2, np.ones(4)),
        case(3, 1, rng.uniform(0, 1, 3).round(2)),
    )


def no_gate(h, x, W_h, W_x, keep):
    """It ignores keep: every number of the state is overwritten, as in a plain RNN."""
    return np.tanh(W_h @ h + W_x @ x)


def gate_turned_round(h, x, W_h, W_x, keep):
    """The gate is turned round: it keeps where it should overwrite."""
    return (1 - keep) * h + keep * np.tanh(W_h @ h + W_x @ x)


def adds_all_of_the_new(h, x, W_h, W_x, keep):
    """The new part is added whole: the two parts have to share one whole, keep and 1 - keep."""
    return keep * h + np.tanh(W_h @ h + W_x @ x)


def squeezes_the_old_state(h, x, W_h, W_x, keep):
    """The kept part goes through tanh again, so even keep = 1 does not keep it."""
    return np.tanh(keep * h + (1 - keep) * (W_h @ h + W_x @ x))


def no_tanh(h, x, W_h, W_x, keep):
    """tanh is missing in the new part."""
    return keep * h + (1 - keep) * (W_h @ h + W_x @ x)


def forgets_the_state(h, x, W_h, W_x, keep):
    """The new part is made of the word alone; W_h @ h is missing in it."""
    return keep * h + (1 - keep) * np.tanh(W_x @ x)


def turned_matrix(h, x, W_h, W_x, keep):
    """It multiplies from the wrong side: h @ W_h is W_h turned over, times h."""
    return keep * h + (1 - keep) * np.tanh(h @ W_h + W_x @ x)


gated_step = Exercise(
    name="lesson01.gated_step",
    reference=gated_step,
    inputs=_gated_step_inputs,
    hints=(
        "First compute what a plain RNN would make the new state.",
        "Then mix old and new, number by number: where keep is 1 the old number stays, where it is "
        "0 the new one takes its place.",
        "Half and half would be 0.5 * h + 0.5 * new. Which two factors give that for keep = 0.5?",
    ),
    wrong=(
        no_gate,
        gate_turned_round,
        adds_all_of_the_new,
        squeezes_the_old_state,
        no_tanh,
        forgets_the_state,
        turned_matrix,
    ),
)


# -------------------------------------------------------------------------------- look_back


def look_back(relevance, X):
    """Give each token the average of all vectors, weighted by its own row of relevance."""
    shares = relevance / relevance.sum(axis=1, keepdims=True)
    return shares @ X


def _look_back_inputs(rng):
    return (
        {"relevance": np.array([[3.0, 1.0]]), "X": np.array([[4.0, 0.0], [0.0, 8.0]])},
        {
            "relevance": np.array([[8.0, 2.0], [1.0, 3.0]]),
            "X": np.array([[1.0, 0.0, 5.0], [0.0, 1.0, 5.0]]),
        },
        {"relevance": rng.uniform(0, 5, (3, 3)).round(1), "X": rng.normal(size=(3, 2)).round(2)},
        {"relevance": rng.uniform(0, 5, (2, 4)).round(1), "X": rng.normal(size=(4, 3)).round(2)},
        {"relevance": np.array([[0, 2, 0], [1, 1, 2]]), "X": np.array([[1, 2], [3, 4], [5, 6]])},
    )


def not_shared_out(relevance, X):
    """Relevance is not turned into shares: a row that adds up to 10 gives a tenfold answer."""
    return relevance @ X


def columns_add_up_to_one(relevance, X):
    """It divides by the sums of the columns. Each row is what one token has to share out."""
    total = relevance.sum(axis=0, keepdims=True)
    return relevance / np.where(total == 0, 1, total) @ X


def one_total_for_all(relevance, X):
    """It divides by the sum of the whole table, so the rows together share one whole."""
    return relevance / relevance.sum() @ X


def keepdims_missing(relevance, X):
    """keepdims is missing in the sum: each number is divided by the total of another row."""
    return relevance / relevance.sum(axis=1) @ X


def plain_average(relevance, X):
    """It averages all vectors alike; relevance plays no part."""
    return np.repeat(X.mean(axis=0, keepdims=True), len(relevance), axis=0)


def takes_the_best(relevance, X):
    """It takes the most relevant vector alone; the others get no share."""
    return np.asarray(X, dtype=float)[relevance.argmax(axis=1)]


look_back = Exercise(
    name="lesson01.look_back",
    reference=look_back,
    inputs=_look_back_inputs,
    hints=(
        "What does each row of relevance have to be divided by, so that it adds up to 1?",
        "sum(axis=1, keepdims=True) gives one total a row, as a column that fits beside the table.",
        "With shares of shape (n_q, n) and X of shape (n, d), one matrix product gives all the "
        "averages.",
    ),
    wrong=(
        not_shared_out,
        columns_add_up_to_one,
        one_total_for_all,
        keepdims_missing,
        plain_average,
        takes_the_best,
    ),
)


# ------------------------------------------------------------------------------ signal_left


def signal_left(W_h, steps):
    """Measure how much of the best-kept change of the state is left after 0, 1, ... steps."""
    jacobian = np.eye(len(W_h))
    left = []
    for _ in range(steps + 1):
        left.append(np.linalg.norm(jacobian, 2))
        jacobian = W_h @ jacobian
    return np.array(left)


def _signal_left_inputs(rng):
    return (
        {"W_h": np.array([[0.5, 2.0], [0.0, 0.5]]), "steps": 4},
        {"W_h": np.array([[0.0, -0.9], [0.9, 0.0]]), "steps": 3},
        {"W_h": rng.normal(scale=0.5, size=(3, 3)).round(2), "steps": 6},
        {"W_h": np.array([[0.8]]), "steps": 2},
        {"W_h": rng.normal(scale=0.4, size=(4, 4)).round(2), "steps": 0},
    )


def norm_to_the_power(W_h, steps):
    """It takes the norm first and its power then: an upper bound, too large for most matrices."""
    return np.linalg.norm(W_h, 2) ** np.arange(steps + 1)


def eigenvalue_to_the_power(W_h, steps):
    """It takes powers of the largest eigenvalue: right in the long run, wrong on the way there."""
    return np.abs(np.linalg.eigvals(W_h)).max() ** np.arange(steps + 1)


def power_of_each_entry(W_h, steps):
    """W_h ** d raises each entry to a power; d steps are d matrix products."""
    return np.array([np.linalg.norm(np.asarray(W_h) ** d, 2) for d in range(steps + 1)])


def length_of_all_entries(W_h, steps):
    """np.linalg.norm without a 2 adds up all entries; with it, it finds the largest stretch."""
    return np.array([np.linalg.norm(np.linalg.matrix_power(W_h, d)) for d in range(steps + 1)])


def starts_one_step_late(W_h, steps):
    """It starts after the first step. Before any step, all of the change is there: 1."""
    return np.array(
        [np.linalg.norm(np.linalg.matrix_power(W_h, d), 2) for d in range(1, steps + 2)]
    )


signal_left = Exercise(
    name="lesson01.signal_left",
    reference=signal_left,
    inputs=_signal_left_inputs,
    hints=(
        "Without tanh, one step multiplies a change of the state by W_h. What do two steps do?",
        "After d steps it is W_h @ W_h @ ... (d times); after 0 steps the identity matrix.",
        "np.linalg.norm(M, 2) is the most by which the matrix M can stretch any vector.",
    ),
    wrong=(
        norm_to_the_power,
        eigenvalue_to_the_power,
        power_of_each_entry,
        length_of_all_entries,
        starts_one_step_late,
    ),
)
