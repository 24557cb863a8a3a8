"""Predictions and closing questions of lesson 07."""

from helpers.course.questions import Question

QUESTIONS = {
    "7.1": Question(
        ask="The tokens are 64 numbers wide. A text of 8 tokens becomes one of 16. How many "
        "operations does the layer take then?",
        options={
            "A": "about twice as many",
            "B": "about four times as many, as the table is n × n",
            "C": "about eight times as many, as matrix products have three sizes",
        },
        answer="A",
        why={
            "A": "At eight tokens nearly all the work is in the four projections, and each token "
            "is projected by itself. Twice the tokens, twice the work. The pairs do take four "
            "times as much, but four times a little.",
            "B": "That is the rule one always hears. It is the rule of the pairs alone, and of a "
            "whole layer only when n is far larger than d_model.",
            "C": "The pairs are n × n, and no part of the layer has a third n in it: each score "
            "takes d_model products, and d_model did not change.",
        },
    ),
    "7.2": Question(
        ask="How much memory does `attention` take at its worst moment, on top of Q, K and V?",
        options={
            "A": "about 4 MiB: what comes out is as large as V",
            "B": "about 64 MiB: the table",
            "C": "about 190 MiB: three tables",
        },
        answer="C",
        why={
            "A": "Q, K, V and the output are that small, 4 MiB each. What lies between them, the "
            "table of scores, has a row and a column for every token.",
            "B": "The table by itself, yes. But the code holds more than one of them at its worst "
            "moment: the scores are still there while the exponentials and the weights are made.",
            "C": "Scores, exponentials and weights are three tables of n × n, and the code holds "
            "all three at the moment it divides. The formula has one line; the memory has three.",
        },
    ),
    "7.3": Question(
        ask="Compare it with `attention`. What does it save?",
        options={
            "A": "operations: it needs fewer multiplications",
            "B": "memory: it computes as much, and keeps less",
            "C": "both, as the result is only an approximation",
        },
        answer="B",
        why={
            "A": "A tempting thought, as one hears that such code is fast. But each query still "
            "meets each key once: n² scores. When it is faster, it is because less is carried to "
            "and from memory.",
            "B": "Every score is still computed, used, and then overwritten by the next block. "
            "The table is never whole, and nothing is left out.",
            "C": "Nothing is left out. The sum is rescaled whenever a larger score appears, and "
            "what comes out is the same softmax, to rounding.",
        },
    ),
    "7.4": Question(
        ask="With the cache, a text of n tokens is written token by token. All the scores "
        "that are computed on the way, together: how do they grow?",
        options={
            "A": "as n: each step computes for one token only",
            "B": "as n²",
            "C": "as n³",
        },
        answer="B",
        why={
            "A": "The cache keeps keys and values. The new token's query is new, and it has to "
            "meet all of the kept keys: t scores for token t.",
            "B": "Token t takes t scores, and 1 + 2 + … + n is about half of n². Without the "
            "cache each step would take t² of them, and the text n³.",
            "C": "That is the price without a cache: all rows again at every step. With it only "
            "the new row is computed.",
        },
    ),
    "7.q1": Question(
        ask="d_model is 4096. A prompt of 100 tokens becomes one of 200. What happens to the "
        "operations of a layer?",
        options={
            "A": "four times as many",
            "B": "a little more than twice as many",
            "C": "as many as before, since 200 is still small",
        },
        answer="B",
        why={
            "A": "That is the factor of the pairs. At 100 tokens they are a small part.",
            "B": "100 is far below 2 · 4096, so the projections dominate, and they grow with n.",
            "C": "Every new token has to be projected, so the work does grow.",
        },
    ),
    "7.q2": Question(
        ask="(Lesson 04) Why may the running softmax subtract the largest score *so far*, "
        "which is not the largest of the row?",
        options={
            "A": "what is subtracted from all scores does not matter, and the parts are moved "
            "to one level",
            "B": "it is an approximation, good enough in practice",
            "C": "because the keys come in order of their scores",
        },
        answer="A",
        why={
            "A": "Subtracting any number from a whole row changes no share (lesson 04). The "
            "largest so far keeps exp from overflowing, and exp(old − new) moves what was added "
            "before to the new level.",
            "B": "It is exact, to rounding: the factors cancel between the total and the values.",
            "C": "No order is needed. The blocks may come in any order, and may even be merged in "
            "pairs.",
        },
    ),
    "7.q3": Question(
        ask="(Lesson 06) You double the number of heads and keep d_model. What doubles?",
        options={
            "A": "the score tables and the cache",
            "B": "the cache, not the score tables",
            "C": "the score tables, not the cache",
        },
        answer="C",
        why={
            "A": "The heads share out d_model columns of K and V. More heads, narrower heads, the "
            "same number of columns.",
            "B": "The other way round: each head has a score table of its own, and all heads "
            "together one set of d_model columns.",
            "C": "Every head has its own n × n table (lesson 06). K and V have d_model columns in "
            "all, however many heads share them.",
        },
    ),
    "7.q4": Question(
        ask="Why are queries not kept in the cache?",
        options={
            "A": "they are: it should be called QKV cache",
            "B": "no later token ever uses an old query",
            "C": "they have to be computed again, since softmax changes the old rows",
        },
        answer="B",
        why={
            "A": "The old query has done its work: its row of output is finished. No later token "
            "ever asks with it.",
            "B": "A later token asks with its own query and meets the old keys and values. The old "
            "queries are never used again.",
            "C": "Softmax works along the row of the new token alone. Old rows do not change, as "
            "the causal mask hides the new token from them.",
        },
    ),
    "7.q5": Question(
        ask="(Lesson 05) Fast code divides Q by √d_k once, before the first block, and never "
        "touches the scores. Is that allowed?",
        options={
            "A": "only if there is no mask",
            "B": "yes, and it makes the running maximum unnecessary",
            "C": "yes: it is the same factor for every score",
        },
        answer="C",
        why={
            "A": "The mask comes after the scores. Nothing in lesson 05 depends on it.",
            "B": "The division changes how large scores are, not whether exp can overflow: a "
            "score of 1000 is possible after it too.",
            "C": "The scaling is one factor for all scores. It can go into the queries before the "
            "first block, and no block has to know of it.",
        },
    ),
}
