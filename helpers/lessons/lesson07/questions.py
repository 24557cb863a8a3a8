"""Predictions and closing questions of lesson 07."""

from helpers.course.questions import Question

QUESTIONS = {
    "7.1": Question(
        ask="The tokens are 64 numbers wide. A text of 8 tokens becomes one of 16. How many "
        "operations does the layer take then?",
        options={
            "A": "about twice as many",
            "B": "about four times as many: the table is n × n",
            "C": "about eight times as many: matrix products have three sizes",
        },
        answer="A",
        why={
            "A": "At eight tokens nearly all the work is in the projections, each token by "
            "itself. The pairs take four times as much: four times a little.",
            "B": "That is the rule of the pairs alone, and of a whole layer only when n is far "
            "larger than d_model.",
            "C": "No part of the layer has a third n in it: d_model did not change.",
        },
    ),
    "7.2": Question(
        ask="How much memory does the article's code take at its worst moment, counted in n × n "
        "tables of float32?",
        options={
            "A": "one table: the weights",
            "B": "three or four: scores, exponentials, weights",
            "C": "eight",
        },
        answer="C",
        why={
            "A": "One line of a formula is not one array in memory.",
            "B": "Four arrays are right. But look at what `np.sqrt` does to float32.",
            "C": "Four arrays live when it divides. And `np.sqrt` of a whole number is a float64, "
            "which makes float64 of all four.",
        },
    ),
    "7.3": Question(
        ask="With linear attention: in which part of all pairs does a change of the one token move "
        "the other?",
        options={
            "A": "in none: there is no table of pairs",
            "B": "in some: what the products lose",
            "C": "in all",
        },
        answer="C",
        why={
            "A": "There is no table, but each query meets a sum in which every key stands.",
            "B": "Nothing is lost. The same sums are taken in another order.",
            "C": "Every token stands in the sums, and every query asks them. To relate all pairs, "
            "one need not visit them one by one.",
        },
    ),
    "7.q1": Question(
        ask="d_model is 4096. A prompt of 100 tokens becomes one of 200. The operations of a "
        "layer?",
        options={
            "A": "four times as many",
            "B": "a little more than twice as many",
            "C": "as many as before",
        },
        answer="B",
        why={
            "A": "That is the factor of the pairs. At 100 tokens they are a small part.",
            "B": "100 is far below 2 · 4096: the projections dominate, and they grow with n.",
            "C": "Every new token has to be projected.",
        },
    ),
    "7.q2": Question(
        ask="From lesson 04: why may the running softmax subtract the largest score *so far*?",
        options={
            "A": "what is subtracted from all scores changes no share, and the parts are moved to "
            "one level",
            "B": "it is an approximation, good enough in practice",
            "C": "because the keys come in order of their scores",
        },
        answer="A",
        why={
            "A": "exp(old − new) moves what was added before to the new level.",
            "B": "It is exact, to rounding.",
            "C": "No order is needed: blocks may come in any order.",
        },
    ),
    "7.q3": Question(
        ask="From lesson 06: 32 heads come to share 8 heads of keys and values. What shrinks to a "
        "quarter?",
        options={
            "A": "the score tables",
            "B": "the cache",
            "C": "both",
        },
        answer="B",
        why={
            "A": "There are still 32 heads that ask, each with a table of its own.",
            "B": "Only keys and values are kept, and there are a quarter as many.",
            "C": "Each of the 32 query heads still fills a table of its own.",
        },
    ),
}
