"""Predictions and closing questions of lesson 03."""

from helpers.course.questions import Question

QUESTIONS = {
    "3.1": Question(
        ask="Row 8 of this table belongs to 他. Which token gets the highest number in it?",
        options={
            "A": "小明 (Xiaoming): both are persons",
            "B": "他 itself",
            "C": "走了: he is the one who left",
        },
        answer="B",
        why={
            "A": "They do share the feature person, and the score is 1. But 他 shares even more "
            "with itself: person and pointer, 2.",
            "B": "A dot product with itself adds up squares. Likeness finds the likest, and "
            "nothing is more like 他 than 他.",
            "C": "That he is the one who left is what we know. The vectors of 他 and 走了 have no "
            "feature in common, so their score is 0.",
        },
    ),
    "3.2": Question(
        ask="So far the score from 走了 to 他 is 6, and from 他 to 走了 it is 0. What can be said "
        "once W_Q = W_K?",
        options={
            "A": "the two scores still differ, as the two tokens differ",
            "B": "the two scores are equal; the weights after softmax may differ",
            "C": "the two scores are equal, and so are the two weights",
        },
        answer="B",
        why={
            "A": "The tokens differ, but both scores multiply the same two vectors, and a times "
            "b is b times a.",
            "B": "Both scores are now key times key. Softmax then divides each row by a sum of "
            "its own, so the weights may still differ.",
            "C": "Half right: the scores are equal. The weights need not be, as each row is "
            "divided by its own sum.",
        },
    ),
    "3.3": Question(
        ask="走了 gives more than nine tenths of its weight to 他. What does the new vector of "
        "走了 mostly hold?",
        options={
            "A": "human: 他 is a person",
            "B": "event: 走了 is an action",
            "C": "next to nothing",
        },
        answer="C",
        why={
            "A": "That would be handed over if the value of 他 were its vector in X. The value "
            "is made by W_V, and there pointer takes back what person gives.",
            "B": "走了 does have the content event. But the new vector is a mix of what is found, "
            "and 走了 gives itself next to nothing.",
            "C": "他 is found as a doer. What it hands over is another matter: with this W_V, "
            "nothing, as a pointer has no content of its own.",
        },
    ),
    "3.4": Question(
        ask="Which names will the query of 他 score high after training?",
        options={
            "A": "one name: the one that most sentences were about",
            "B": "all eight male names, above all others",
            "C": "all 24 names alike, as any of them can stand in a sentence",
        },
        answer="B",
        why={
            "A": "In the sentences of the training 他 stands for every male name in turn. The "
            "query of 他 cannot know which one it will meet.",
            "B": "All that 他 can ask for is a name of its class. In a sentence with one such "
            "name, that is enough.",
            "C": "Finding any name does not help: when another character stands in the sentence, "
            "他 has to leave it out.",
        },
    ),
    "3.q1": Question(
        ask="Someone uses W_Q = W_K. Which of these must be equal?",
        options={
            "A": "the weight from 他 to 小明 and the weight from 小明 to 他",
            "B": "the score from 他 to 小明 and the score from 小明 to 他",
            "C": "neither: 他 can then not find 小明 at all",
        },
        answer="B",
        why={
            "A": "The weights are equal only if both rows happen to have the same sum. Softmax "
            "works row by row.",
            "B": "Both are the dot product of the same two vectors. With one matrix this holds "
            "for every pair of tokens.",
            "C": "It can, if 小明's vector is long enough: longer vectors win. What it cannot do "
            "is find 小明 without 小明's score for 他 growing as well.",
        },
    ),
    "3.q2": Question(
        ask="From lesson 02: a book is found by its label, and what you take home is its "
        "content. All tokens shall find the same tokens as before, and get something else "
        "from them. Which matrix do you change?",
        options={
            "A": "W_Q",
            "B": "W_K",
            "C": "W_V",
        },
        answer="C",
        why={
            "A": "That changes what is asked, and so the weights.",
            "B": "That changes what is offered, and so the weights.",
            "C": "Scores and weights are made from Q and K alone. W_V decides what is then "
            "handed over.",
        },
    ),
    "3.q3": Question(
        ask="A text of 1000 tokens, d_model = 512, d_k = 64. What is the highest rank the "
        "1000 × 1000 table of scores can have?",
        options={
            "A": "64",
            "B": "512",
            "C": "1000",
        },
        answer="A",
        why={
            "A": "The scores are Q times K transposed, and Q has 64 columns. A product can never "
            "have a higher rank than its factors.",
            "B": "X may have rank 512, but all of it has to pass through 64 columns first.",
            "C": "The table has n rows, and 1000 of them. But they are all mixes of the same 64 "
            "rows.",
        },
    ),
    "3.q4": Question(
        ask="X is (10, 512), W_Q and W_K are (512, 64), W_V is (512, 128). What is the shape "
        "of the output?",
        options={
            "A": "(10, 64)",
            "B": "(10, 128)",
            "C": "(10, 512)",
        },
        answer="B",
        why={
            "A": "64 is the length of queries and keys. They end in the scores; the output is "
            "made of values.",
            "B": "The output mixes the rows of V: ten tokens, each with 128 numbers.",
            "C": "Nothing brings the output back to the width of X here. In real models one more "
            "matrix does, W_O in lesson 06.",
        },
    ),
    "3.q5": Question(
        ask="From lesson 01: in the trained model, 他 puts nearly all its weight on 小明. Where "
        "did the model get that from?",
        options={
            "A": "from a rule for pronouns",
            "B": "from sentences in which the place of the antecedent was marked",
            "C": "from sentences with the right name as the answer, and nothing else",
        },
        answer="C",
        why={
            "A": "There is no rule for pronouns anywhere in the model.",
            "B": "The place of the antecedent was used for testing. Training never saw it.",
            "C": "The error of the answer was the only signal. Its gradient reached W_Q and W_K "
            "through the weights.",
        },
    ),
}
