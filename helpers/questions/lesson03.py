"""Predictions and closing questions of lesson 03."""

from . import Question

QUESTIONS = {
    "3.1": Question(
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
        answer="C",
        why={
            "A": "That changes what is asked, and so the weights.",
            "B": "That changes what is offered, and so the weights.",
            "C": "Scores and weights are made from Q and K alone. W_V decides what is then "
            "handed over.",
        },
    ),
    "3.q3": Question(
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
        answer="C",
        why={
            "A": "There is no rule for pronouns anywhere in the model.",
            "B": "The place of the antecedent was used for testing. Training never saw it.",
            "C": "The error of the answer was the only signal. Its gradient reached W_Q and W_K "
            "through the weights.",
        },
    ),
}
