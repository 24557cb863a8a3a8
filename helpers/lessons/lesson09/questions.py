"""Predictions and closing questions of lesson 09."""

from helpers.course.questions import Question

QUESTIONS = {
    "9.1": Question(
        ask="Five sentences of five tokens, five features each: X has shape (5, 5, 5). The "
        "matrices are 5 × 5. What does the skeleton do?",
        options={
            "A": "it raises an error again",
            "B": "it returns the same as five runs, one sentence at a time",
            "C": "it returns the right shape, each row of weights adds up to 1, and the "
            "numbers are wrong",
        },
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
        ask="Training needs the gradient of the three values. How much of it is NaN?",
        options={
            "A": "nothing: the 0 is a constant, and a constant has no gradient",
            "B": "one number of the three, the one at the row that sees nothing",
            "C": "all three",
        },
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
        ask="Five keys, one query: the newest word. Somebody takes the lower triangle, "
        "`np.tri(1, 5)`. What may the newest word look at?",
        options={
            "A": "all five keys: everything lies in its past",
            "B": "key 0 alone",
            "C": "nothing: a triangle needs a square",
        },
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
    "9.q1": Question(
        ask="`mask * scores`, with 0 for hidden places, then softmax. What happens to a "
        "hidden token?",
        options={
            "A": "it gets no weight",
            "B": "it gets a weight, often not even a small one",
            "C": "its row becomes NaN",
        },
        answer="B",
        why={
            "A": "Only −∞ gives that. A score of 0 is an ordinary score.",
            "B": "Its score is now 0, and exp(0) is 1. If the other scores are negative, the "
            "hidden token even gets the largest weight.",
            "C": "NaN needs a row without any finite score. Here all scores are finite.",
        },
    ),
    "9.q2": Question(
        ask="A padding mask works in every test. One day a batch has as many sentences as a "
        "sentence has tokens, and the results are wrong. What shape did the mask have?",
        options={
            "A": "(batch, n)",
            "B": "(batch, 1, n) next to scores of (batch, n, n)",
            "C": "(batch, 1, 1, n)",
        },
        answer="A",
        why={
            "A": "Next to scores of (batch, n, n) it is read as (n_q, n_k). That is an error, "
            "until batch and n happen to be equal.",
            "B": "That is the right shape for scores without heads: one row of keys for each "
            "sentence, the same for all queries.",
            "C": "That is the right shape for scores with heads, whatever the sizes are.",
        },
    ),
    "9.q3": Question(
        ask="You draw an attention map, and its rows add up to 0.8, 1.3, 1.1. What is the "
        "likely cause?",
        options={
            "A": "the softmax runs over the wrong axis",
            "B": "the model is in training mode, and dropout acts on the weights",
            "C": "the mask was added as 0 and 1",
        },
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
