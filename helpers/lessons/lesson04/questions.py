"""Predictions and closing questions of lesson 04."""

from helpers.course.questions import Question

QUESTIONS = {
    "4.1": Question(
        ask="小明 scores 4, 桌子 (table) scores 2. What share does 小明 get, compared with 桌子?",
        options={
            "A": "twice as much",
            "B": "about seven times as much",
            "C": "it depends on the other eight scores",
        },
        answer="B",
        why={
            "A": "That reads scores as if they were shares. Softmax looks at the difference.",
            "B": "A difference of 2 points is a ratio of e times e, about 7.39, whatever else "
            "stands in the row.",
            "C": "Each share depends on all ten scores, through their sum. In the ratio of two "
            "shares that sum cancels.",
        },
    ),
    "4.2": Question(
        ask="Five tokens weigh 0.8 and four times 0.05. Their values are equally long and at "
        "right angles to each other. Which part of the *result* comes from the first?",
        options={
            "A": "80 %",
            "B": "less: the other four add up",
            "C": "more than 95 %: the other four pull four ways",
        },
        answer="C",
        why={
            "A": "That needs values that are all the same vector. 80 % is the factor before the "
            "value, not its part of the result.",
            "B": "Along the result's direction they add up to little: each points elsewhere.",
            "C": "Here parts go with the square of the weight: 0.8 is 16 times 0.05, and its part "
            "is 256 times as large.",
        },
    ),
    "4.3": Question(
        ask="The comma's query is a row of zeros: it asks for nothing. What does it get?",
        options={
            "A": "zeros",
            "B": "its own value",
            "C": "the plain average of all ten values",
        },
        answer="C",
        why={
            "A": "Softmax always gives away one whole. It has no way to say: nothing for me.",
            "B": "Nothing prefers the token itself: its key is one of ten.",
            "C": "Zeros times any key is 0: ten equal scores, ten shares of 0.1.",
        },
    ),
    "4.q1": Question(
        ask="Which entry of the table of scores tells how well 小明's key fits the question 他 "
        "asks?",
        options={
            "A": "row 0, column 8",
            "B": "row 8, column 0",
            "C": "either one",
        },
        answer="B",
        why={
            "A": "There 小明 asks and 他 answers.",
            "B": "The row looks, the column is looked at: 他 is row 8, 小明 is column 0.",
            "C": "A token asks with one vector and answers with another: two numbers.",
        },
    ),
    "4.q2": Question(
        ask="The columns of the weights do not add up to 1. Is the softmax broken?",
        options={
            "A": "yes",
            "B": "no: a column is how much one token is looked at",
            "C": "no: it is only rounding",
        },
        answer="B",
        why={
            "A": "Only the rows have to: each query gives away one whole.",
            "B": "A token that many look at gets more than 1, one that is ignored gets less.",
            "C": "Rounding changes the sixteenth digit. These sums are far from 1.",
        },
    ),
    "4.q3": Question(
        ask="他 gives 小明 a weight of 0.9. What do you know about 他's new vector?",
        options={
            "A": "it is close to 小明's row of X",
            "B": "90 % of it is 小明's value",
            "C": "0.9 times 小明's value is in it, and the rest may still be larger",
        },
        answer="C",
        why={
            "A": "What is mixed is the value, X times W_V: another vector.",
            "B": "90 % is the factor. Its part of the result depends on all the values.",
            "C": "The factor is exact. A weight of 0.1 on a very long value can still be more.",
        },
    ),
}
