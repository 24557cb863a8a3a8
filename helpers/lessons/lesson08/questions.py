"""Predictions and closing questions of lesson 08."""

from helpers.course.questions import Question

QUESTIONS = {
    "8.1": Question(
        ask="Attention runs on the shuffled sentence. What becomes of the new vector of 他?",
        options={
            "A": "it is another vector: 他 has other neighbours now",
            "B": "nothing changes at all: row 8 of the output is what it was",
            "C": "it is the same vector, and stands in the row where 他 stands now",
        },
        answer="C",
        why={
            "A": "Neighbours play no part. 他 compares its query with all ten keys, and these are "
            "the same ten keys, wherever they stand.",
            "B": "This is how “blind to order” is often understood. But row 8 belongs to whatever "
            "stands at place 8. The rows move with the words.",
            "C": "The same query meets the same keys and mixes the same values. Only the row "
            "number is another one.",
        },
    ),
    "8.2": Question(
        ask="How often is the trained model right, on *the very sentences it was trained on*?",
        options={
            "A": "always: a hundred sentences can be learned by heart",
            "B": "half of the time",
            "C": "about one time in twelve, as there are twelve people",
        },
        answer="B",
        why={
            "A": "Learning by heart needs something to tell the sentences apart. Both orders give "
            "the same vector, so they get the same answer, and one of the two is wrong.",
            "B": "It learns which two people take part, and then has to guess. The proof holds for "
            "any matrices, so training cannot get around it.",
            "C": "It does see who takes part: the vectors of both people are in the sum. What is "
            "missing is which of them comes first.",
        },
    ),
    "8.3": Question(
        ask="Four ways to mark places. Which of them does *not* tell 我打你 from 你打我 at 打?",
        options={
            "A": "sines and cosines added to X",
            "B": "queries and keys turned (RoPE)",
            "C": "a bias −|j − i| / 2: far words count less",
            "D": "a bias (j − i) / 2: words further right count more",
        },
        answer="C",
        why={
            "A": "The two people carry other marks when they change places, so what 打 takes from "
            "them is another blend.",
            "B": "Nothing is added to X, and still each score depends on how far the key stands "
            "to the left or to the right.",
            "C": "打 stands in the middle, and both people are one step away. A distance without "
            "a direction treats them alike.",
            "D": "Who stands on the right counts more, so it matters who that is.",
        },
    ),
    "8.q1": Question(
        ask='"Attention is invariant to the order of words." What would you say?',
        options={
            "A": "right",
            "B": "it is equivariant; invariant is what a mean over its rows makes of it",
            "C": "it is neither",
        },
        answer="B",
        why={
            "A": "Shuffle the words and the table of outputs is another one: its rows have moved.",
            "B": "f(PX) = P f(X): the rows move with the words. A mean over the rows then forgets "
            "where they are, and that is invariant.",
            "C": "“Neither” fits what reads from left to right, such as an RNN.",
        },
    ),
    "8.q2": Question(
        ask="No positions. Where can the new vector of 了 tell 我打你了 from 你打我了?",
        options={
            "A": "after one causal layer",
            "B": "after two causal layers",
            "C": "after two layers without a mask",
        },
        answer="B",
        why={
            "A": "With one layer, the last word mixes the same four values in both sentences.",
            "B": "After the first layer the vector of 打 knows who stood before it. In the second "
            "layer the last word looks at that vector.",
            "C": "Two blind layers on top of each other are blind: what comes in shuffled goes out "
            "shuffled, twice.",
        },
    ),
    "8.q3": Question(
        ask="From lesson 03: 放在了 and 走了 (left) both find 他. What could let 放在了 find 小明?",
        options={
            "A": "a larger d_k",
            "B": "positions, or a causal mask",
            "C": "other matrices",
        },
        answer="B",
        why={
            "A": "More channels allow more kinds of question. But the two tokens still see the "
            "same keys, in whatever order.",
            "B": "Both tell 放在了 what stands before it: the mask by hiding the rest, positions "
            "by marking each place.",
            "C": "The proof holds for all matrices. Without marks both verbs see the same words "
            "in whatever order.",
        },
    ),
}
