"""Predictions and closing questions of lesson 04."""

from helpers.course.questions import Question

QUESTIONS = {
    "4.1": Question(
        ask="The result is a 10 × 10 table of scores, S for short. 小明 is token 0, 他 is token "
        "8. Which entry tells how well 小明's key fits the question 他 asks?",
        options={
            "A": "row 0, column 8: 小明 comes first in the sentence",
            "B": "row 8, column 0: the row asks, the column answers",
            "C": "either one: the two entries are the same number",
        },
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
        ask="小明 scores 4, 桌子 scores 2. What share does 小明 get, compared with 桌子?",
        options={
            "A": "twice as much, as 4 is twice 2",
            "B": "about seven times as much",
            "C": "that cannot be said without the other eight scores",
        },
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
        ask="The *temperature* T divides every score of 他's row by T. What happens as T goes "
        "to 0?",
        options={
            "A": "all ten shares become equal",
            "B": "nothing: the order of the scores stays, so the shares stay",
            "C": "the best fit takes everything",
        },
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
        ask="The article says: a weight of 0.8 means that eight tenths of this token's "
        "content go into the result. Suppose 小明's weight is 0.8, and its value vector is very "
        "short compared with the others. How much of the *result* comes from 小明?",
        options={
            "A": "80 %, whatever the values are",
            "B": "less than 80 %: it can be nearly nothing",
            "C": "more than 80 %, since the others have small weights",
        },
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
        ask="In lesson 02 a soft lookup became sharper and sharper until it was a dictionary. "
        "Which change of the scores does that?",
        options={
            "A": "adding a large number to all of them",
            "B": "multiplying all of them by a large number",
            "C": "subtracting the maximum",
        },
        answer="B",
        why={
            "A": "Adding moves all scores alike. Differences stay, so shares stay.",
            "B": "It stretches the differences. The best match takes more and more, until the "
            "lookup is a dictionary.",
            "C": "It keeps the numbers small for the computer and changes no share.",
        },
    ),
    "4.q2": Question(
        ask="`weights.sum(axis=0)` is an array of ten numbers that are not 1. Is the softmax "
        "broken?",
        options={
            "A": "yes: every sum of weights must be 1",
            "B": "no: these are the sums of columns, how much each token is looked at",
            "C": "no: it is only rounding",
        },
        answer="B",
        why={
            "A": "Only the rows have to: each query shares out one whole.",
            "B": "A column adds up what one token receives from all queries. A popular token gets "
            "more than 1, an ignored one less.",
            "C": "Rounding is about 0.0000000000000001. These sums differ from 1 by far more.",
        },
    ),
    "4.q3": Question(
        ask="他 gives 小明 a weight of 0.9. From this alone, what do you know about 他's new "
        "vector?",
        options={
            "A": "it is close to 小明's embedding",
            "B": "90 % of it is 小明's value",
            "C": "it contains 0.9 times 小明's value, and the rest of it may still be larger",
        },
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
        ask="From lesson 03: someone uses one matrix for queries and keys, W_Q = W_K. Which "
        "of these is then symmetric?",
        options={
            "A": "the scores, but not the weights",
            "B": "the weights, but not the scores",
            "C": "both",
        },
        answer="A",
        why={
            "A": "Query i times key j is then the same number as query j times key i. Softmax "
            "divides each row by its own sum, and the symmetry is gone.",
            "B": "The other way round: the symmetry is in the scores, and softmax takes it away.",
            "C": "The scores are symmetric. But every row is divided by a sum of its own.",
        },
    ),
    "4.q5": Question(
        ask="Ten tokens, all scores in 他's row are equal. What is the output at 他?",
        options={
            "A": "他's own value",
            "B": "zeros, as no token stands out",
            "C": "the plain average of all ten values",
        },
        answer="C",
        why={
            "A": "Nothing prefers the token itself. An equal score gives an equal share to all.",
            "B": "Softmax always hands out a whole. When nothing stands out, everybody gets 1/10.",
            "C": "Equal scores, equal shares: each value comes in with weight 1/10.",
        },
    ),
}
