"""Exercise of lesson 06: what each head writes into the result."""

import numpy as np

from helpers.course.exercise import Example, Exercise


def head_parts(outputs, W_O):
    """Multiply each head's output with the rows of W_O that it meets when heads are joined."""
    num_heads, _, d_head = outputs.shape
    return outputs @ W_O.reshape(num_heads, d_head, len(W_O))  # (num_heads, n, d_model)


def _parts_inputs(rng):
    def draw(num_heads, n, d_head, d_model):
        return {
            "outputs": rng.normal(size=(num_heads, n, d_head)).round(1),
            "W_O": rng.normal(size=(num_heads * d_head, d_model)).round(1),
        }

    return (
        {
            "outputs": np.array([[[1.0], [2.0]], [[3.0], [4.0]]]),
            "W_O": np.array([[1.0, 10.0], [100.0, 1000.0]]),
        },
        draw(2, 3, 2, 4),
        draw(3, 2, 2, 6),
        draw(2, 4, 4, 8),
        draw(1, 3, 4, 4),
        draw(4, 4, 1, 4),
        draw(2, 5, 3, 6),
    )


def rows_dealt_out(outputs, W_O):
    """It deals the rows of W_O out one by one; a head meets rows that stand next to each other."""
    num_heads = len(outputs)
    return np.stack([outputs[h] @ W_O[h::num_heads] for h in range(num_heads)])


def columns_of_w_o(outputs, W_O):
    """It takes some columns of W_O for each head; a head meets rows and writes into all."""
    num_heads, _, d_head = outputs.shape
    own = [slice(h * d_head, (h + 1) * d_head) for h in range(num_heads)]
    return np.stack([outputs[h] @ W_O[:, own[h]].T for h in range(num_heads)])


def the_first_rows(outputs, W_O):
    """It takes the same first rows of W_O for every head; each has rows of its own."""
    return outputs @ W_O[: outputs.shape[-1]]


def joined_heads(outputs, W_O):
    """It gives the joined result to every head; each is wanted by itself."""
    num_heads, n, _ = outputs.shape
    whole = outputs.swapaxes(0, 1).reshape(n, -1) @ W_O
    return np.stack([whole] * num_heads)


def an_equal_share(outputs, W_O):
    """It gives every head the same share of the joined result; the heads write different things."""
    return joined_heads(outputs, W_O) / len(outputs)


def all_but_its_own(outputs, W_O):
    """It gives what is left when a head is taken out; wanted is what this head brings."""
    parts = head_parts.reference(outputs, W_O)
    return parts.sum(axis=0) - parts


def added_up(outputs, W_O):
    """It adds the heads up already; they are wanted one by one."""
    return head_parts.reference(outputs, W_O).sum(axis=0)


head_parts = Exercise(
    name="lesson06.head_parts",
    reference=head_parts,
    inputs=_parts_inputs,
    hints=(
        "Joined, head 0 fills the first d_head columns, head 1 the next. Which rows of W_O does "
        "each column meet?",
        "Column c of the joined heads meets row c of W_O. So head h meets rows h·d_head to "
        "(h + 1)·d_head − 1, and all columns of these rows.",
        "One product for each head, outputs[h] @ W_O[h * d_head : (h + 1) * d_head], stacked. Or "
        "reshape W_O to (num_heads, d_head, d_model) and multiply once.",
    ),
    wrong=(
        rows_dealt_out,
        columns_of_w_o,
        the_first_rows,
        joined_heads,
        an_equal_share,
        all_but_its_own,
        added_up,
    ),
    examples=(
        Example(
            {
                "outputs": np.array([[[1], [2]], [[3], [4]]]),
                "W_O": np.array([[1, 10], [100, 1000]]),
            },
            ("[[[1, 10], [2, 20]], [[300, 3000], [400, 4000]]]",),
        ),
    ),
)
