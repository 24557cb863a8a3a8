"""Predictions and closing questions of lesson 04."""

from . import Question

QUESTIONS = {
    "4.1": Question(
        answer="B",
        why={
            "A": "The order of the words in the sentence plays no part here. Row 0 is 小明 asking, "
            "and column 8 is 他 answering: how well 他's key fits the question of 小明.",
            "B": "The row is the query, who looks. The column is the key, who is looked at. "
            "Row 8, column 0: 他 looks, 小明 is looked at.",
            "C": "That would be so if a token asked with the same vector that it answers with. "
            "Lesson 03 gave it two different ones, so the table is not symmetric.",
        },
    ),
    "4.2": Question(
        answer="B",
        why={
            "A": "This reads the scores as if they were shares already. Softmax looks at the "
            "difference, 2 points, and each point is a factor of 2.72.",
            "B": "The difference is 2, and e times e is 7.39. This ratio depends on the two "
            "scores alone.",
            "C": "Half right: each share by itself depends on all ten scores, as they share one "
            "sum. But that sum cancels in the ratio of two shares.",
        },
    ),
    "4.3": Question(
        answer="C",
        why={
            "A": "That is the other end of the slider: a high temperature shrinks all differences "
            "to nothing, and equal scores get equal shares.",
            "B": "The order does stay. But shares come from differences, and dividing by a small "
            "number makes the differences large.",
            "C": "Dividing by a small T makes every difference large, and a large difference is a "
            "huge ratio. In the limit the soft lookup is a hard one.",
        },
    ),
    "4.4": Question(
        answer="B",
        why={
            "A": "80 % is the coefficient. If the vector it multiplies is short, 80 % of it is "
            "still short, and the other vectors make up the result.",
            "B": "0.8 times a vector of length 0.01 is nearly nothing beside 0.05 times a vector "
            "of length 1. The weight alone does not say what the result is made of.",
            "C": "With values of equal length this happens: several small weights on vectors that "
            "point anywhere partly cancel. But the value here is short.",
        },
    ),
    "4.q1": Question(
        answer="B",
        why={
            "A": "Adding moves all scores alike. Differences stay, so shares stay.",
            "B": "It stretches the differences. The best match takes more and more, until the "
            "lookup is a dictionary.",
            "C": "It keeps the numbers small for the computer and changes no share.",
        },
    ),
    "4.q2": Question(
        answer="B",
        why={
            "A": "Only the rows have to: each query shares out one whole.",
            "B": "A column adds up what one token receives from all queries. A popular token gets "
            "more than 1, an ignored one less.",
            "C": "Rounding is about 0.0000000000000001. These sums differ from 1 by far more.",
        },
    ),
    "4.q3": Question(
        answer="C",
        why={
            "A": "The embedding is not what is mixed. Its value is: X times W_V, another vector.",
            "B": "90 % is the coefficient. Its part of the result depends on the lengths and "
            "directions of all the values.",
            "C": "The coefficient is exact. A token with weight 0.1 and a very long value can "
            "still make up most of the result.",
        },
    ),
    "4.q4": Question(
        answer="A",
        why={
            "A": "Query i times key j is then the same number as query j times key i. Softmax "
            "divides each row by its own sum, and the symmetry is gone.",
            "B": "The other way round: the symmetry is in the scores, and softmax takes it away.",
            "C": "The scores are symmetric. But every row is divided by a sum of its own.",
        },
    ),
    "4.q5": Question(
        answer="C",
        why={
            "A": "Nothing prefers the token itself. An equal score gives an equal share to all.",
            "B": "Softmax always hands out a whole. When nothing stands out, everybody gets 1/10.",
            "C": "Equal scores, equal shares: each value comes in with weight 1/10.",
        },
    ),
}
