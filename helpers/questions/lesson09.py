"""Predictions and closing questions of lesson 09."""

from . import Question

QUESTIONS = {
    "9.1": Question(
        answer="C",
        why={
            "A": "That is what happened with (2, 10, 6): the axes did not fit. Here every axis has "
            "length 5, and anything fits anything.",
            "B": "That is what one hopes for. But the two maps of the first sentence differ: its "
            "queries met numbers that belong to other sentences.",
            "C": "The transpose has mixed the sentences. Softmax then makes rows that add up to 1 "
            "out of any numbers, so nothing looks wrong.",
        },
    ),
    "9.2": Question(
        answer="C",
        why={
            "A": "The 0 itself has no gradient. But the way back goes through the weights that "
            "were computed, and one row of them is NaN: 0 times NaN is NaN.",
            "B": "The gradient of a value gathers a share from every row of weights: its own row "
            "plays no special part. One of these rows is NaN, for each value.",
            "C": "Each value gets weight times gradient, summed over all rows. In the empty row "
            "that is NaN times 0, which is NaN, and a sum with NaN in it is NaN.",
        },
    ),
    "9.3": Question(
        answer="B",
        why={
            "A": "That is what should be so: the newest word has all five keys in its past. The "
            "lower triangle does not know that this query is the last and not the first.",
            "B": "A lower triangle starts in the top left corner. Its first row has one place, and "
            "here the first row is the only one.",
            "C": "A rectangle has a lower triangle too: every place whose column number is at most "
            "its row number. In row 0 that is column 0.",
        },
    ),
    "9.4": Question(
        answer="C",
        why={
            "A": "That would be so in F.scaled_dot_product_attention. Here the same True has the "
            "opposite meaning.",
            "B": "The mask is boolean and has the right shape, so nothing is refused. Only the "
            "numbers tell.",
            "C": "True means hidden here. Itself and the past are hidden, the future stays; for "
            "the last token there is none, and its row is NaN.",
        },
    ),
    "9.q1": Question(
        answer="B",
        why={
            "A": "Only −∞ gives that. A score of 0 is an ordinary score.",
            "B": "Its score is now 0, and exp(0) is 1. If the other scores are negative, the "
            "hidden token even gets the largest weight.",
            "C": "NaN needs a row without any finite score. Here all scores are finite.",
        },
    ),
    "9.q2": Question(
        answer="C",
        why={
            "A": "The number of entries fits, so reshape is content.",
            "B": "It keeps the numbers and not their places. Head and token have to change places "
            "first.",
            "C": "Without the exchange of the two axes, the first rows of the result are made of "
            "several tokens of head 1.",
        },
    ),
    "9.q3": Question(
        answer="A",
        why={
            "A": "Next to scores of (batch, n, n) it is read as (n_q, n_k). That is an error, "
            "until batch and n happen to be equal.",
            "B": "That is the right shape for scores without heads: one row of keys for each "
            "sentence, the same for all queries.",
            "C": "That is the right shape for scores with heads, whatever the sizes are.",
        },
    ),
    "9.q4": Question(
        answer="A",
        why={
            "A": "There is no future in the cache. The bottom right corner says the same: the last "
            "row of the triangle is full.",
            "B": "That row lets it see the oldest key alone. It is what the top left corner gives.",
            "C": "A token may look at itself. Hiding the diagonal leaves the very first word with "
            "nothing to see.",
        },
    ),
    "9.q5": Question(
        answer="B",
        why={
            "A": "Then the columns would add up to 1, which is possible. But sums that scatter "
            "around 1 and change with every call are the mark of dropout.",
            "B": "Some weights are set to 0, the others are made larger. The rows add up to 1 on "
            "average only. Call eval() before you draw.",
            "C": "That hides nothing, but it happens before the softmax. The rows still add up "
            "to 1.",
        },
    ),
}
