"""Predictions and closing questions of lesson 03."""

from helpers.course.questions import Question

QUESTIONS = {
    "3.1": Question(
        ask="走了 (left) and 他 (he) share no feature: the dot product of their rows in X is 0. "
        "Whom does 走了 find first, with W_Q and W_K between?",
        options={
            "A": "nobody in particular: 0 stays 0",
            "B": "放在了 (put), the other action",
            "C": "他",
        },
        answer="C",
        why={
            "A": "What is multiplied now is not X with X, but a question with an offer.",
            "B": "Two actions are alike. But an action asks for its doer, and an action offers "
            "none.",
            "C": "An action asks for a doer. A person offers one, and a pointer another.",
        },
    ),
    "3.2": Question(
        ask="So far the score from 走了 (left) to 他 (he) is 6, and from 他 to 走了 it is 0. What "
        "can be said once W_Q = W_K?",
        options={
            "A": "the two scores still differ, as the two tokens differ",
            "B": "the two scores are equal; the weights after softmax may differ",
            "C": "the two scores are equal, and so are the two weights",
        },
        answer="B",
        why={
            "A": "The tokens differ, but both scores multiply the same two vectors, and a times "
            "b is b times a.",
            "B": "Both scores are key times key. Softmax then divides each row by a sum of its "
            "own.",
            "C": "Half right: the scores are equal. But each row is divided by its own sum.",
        },
    ),
    "3.3": Question(
        ask="走了 (left) gives more than nine tenths of its weight to 他 (he). What does the new "
        "vector of 走了 mostly hold?",
        options={
            "A": "human: 他 is a person",
            "B": "event: 走了 is an action",
            "C": "next to nothing",
        },
        answer="C",
        why={
            "A": "A person hands over human. But 他 is a pointer, too, and in W_V a pointer takes "
            "that back.",
            "B": "走了 has that content itself. But it gives itself next to no weight.",
            "C": "他 is found as a doer. What it hands over is another matter: nothing.",
        },
    ),
    "3.4": Question(
        ask="Which names will the query of 他 (he) score high after training?",
        options={
            "A": "one name: the one that most sentences were about",
            "B": "all eight male names, above all others",
            "C": "all 24 names alike, as any of them can stand in a sentence",
        },
        answer="B",
        why={
            "A": "In training 他 stands for every male name in turn. Its query cannot know which "
            "one it will meet.",
            "B": "All that 他 can ask for is a name of its class. With one such name in a "
            "sentence, that is enough.",
            "C": "Finding any name does not help: the other character of the sentence has to be "
            "left out.",
        },
    ),
    "3.q1": Question(
        ask="Someone uses W_Q = W_K. Which of these must be equal?",
        options={
            "A": "the weight from 他 (he) to 小明 (Xiaoming) and the weight back",
            "B": "the score from 他 to 小明 and the score back",
            "C": "neither: 他 can then not find 小明 at all",
        },
        answer="B",
        why={
            "A": "Only if both rows happen to have the same sum. Softmax works row by row.",
            "B": "Both are the dot product of the same two vectors, for every pair of tokens.",
            "C": "It can, if 小明's key is long enough. But then its score for 他 grows as well.",
        },
    ),
    "3.q2": Question(
        ask="All tokens shall find the same tokens as before, and get something else from them. "
        "Which matrix do you change?",
        options={"A": "W_Q", "B": "W_K", "C": "W_V"},
        answer="C",
        why={
            "A": "That changes what is asked, and so the weights.",
            "B": "That changes what is offered, and so the weights.",
            "C": "Scores and weights are made from Q and K alone. W_V decides what is handed over.",
        },
    ),
    "3.q3": Question(
        ask="In the trained model 他 (he) puts nearly all its weight on 小明 (Xiaoming). What was "
        "it told in training?",
        options={
            "A": "a rule for pronouns",
            "B": "in each sentence, the place to look at",
            "C": "for each sentence, the right name",
        },
        answer="C",
        why={
            "A": "There is no rule for pronouns anywhere in the model.",
            "B": "The place was used for testing. Training never saw it.",
            "C": "The error of the answer was the only signal. Its slope reached W_Q and W_K "
            "through the weights.",
        },
    ),
}
