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
        ask="One layer with a causal mask. 我打你了 against 你打我了. Which words get another new "
        "vector?",
        options={
            "A": "none: without positions the order cannot come in",
            "B": "了 alone: it is the only word that has seen the whole sentence",
            "C": "all but 了",
        },
        answer="C",
        why={
            "A": "No positions were added, but the mask is not the same for all places: the second "
            "word sees two words, the fourth sees four.",
            "B": "It has seen everything, and that is why: all four words in both sentences, as a "
            "set. A set has no order.",
            "C": "打 sees only the person before it, so its vector tells who that is. 了 sees the "
            "same four words in both sentences and mixes them with the same weights.",
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
        ask="From lesson 04: why may the columns of the scores be shuffled before softmax as "
        "well as after it?",
        options={
            "A": "softmax divides by the sum of the row, the same in any order",
            "B": "softmax sorts its input",
            "C": "softmax subtracts the maximum of the table",
        },
        answer="A",
        why={
            "A": "The sum of a row is the same in any order, so each entry keeps its share and "
            "takes it along.",
            "B": "Softmax keeps the order of sizes, but it sorts nothing.",
            "C": "That is the bug of lesson 04, and it concerns the level of rows, not the order "
            "of columns.",
        },
    ),
    "8.q3": Question(
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
    "8.q4": Question(
        ask="From lesson 03: 放在了 and 走了 both find 他. What could let 放在了 find 小明?",
        options={
            "A": "a larger d_k",
            "B": "positions, or a causal mask",
            "C": "more heads",
        },
        answer="B",
        why={
            "A": "More channels allow more kinds of question. But the two tokens still see the "
            "same keys, in whatever order.",
            "B": "Both tell 放在了 what stands before it: the mask by hiding the rest, positions "
            "by marking each place.",
            "C": "The proof holds for each head, and joining heads side by side does not change "
            "the order of rows.",
        },
    ),
    "8.q5": Question(
        ask="From lesson 07: a KV cache takes in one new word a step. Positions are added to "
        "X. Which row of them does the word of step t get, counted from 0?",
        options={
            "A": "row 0, as it comes alone",
            "B": "row t",
            "C": "none",
        },
        answer="B",
        why={
            "A": "It is processed alone, but it does not stand alone. With row 0 it would claim to "
            "be the first word.",
            "B": "The cache spares work. The numbers must be those of the whole sentence, and "
            "there the new word stands at place t.",
            "C": "Then the words in the cache would carry marks, and the new one none.",
        },
    ),
    "8.q6": Question(
        ask="A short sentence is filled up with padding. Which part of the mask has to be False?",
        options={
            "A": "the columns of the padding",
            "B": "the rows of the padding",
            "C": "both",
        },
        answer="A",
        why={
            "A": "Nobody may look at padding. What padding itself looks at does not matter: its "
            "row is not used afterwards.",
            "B": "That hides nothing from the words: they would still mix the padding in.",
            "C": "A row that may look at nothing has nothing to share out: 0 divided by 0. Hide "
            "columns only, and leave the rows of the padding unread.",
        },
    ),
}
