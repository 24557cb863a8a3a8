"""Predictions and closing questions of lesson 06."""

from . import Question

QUESTIONS = {
    "6.1": Question(
        answer="A",
        why={
            "A": "Weights belong to rows. The row of 他 and the row of the verb each have a whole "
            "distribution, and one head fills both.",
            "B": "This takes a head for one distribution. It is a table of them: every row has its "
            "own, made from its own query.",
            "C": "Trading would be needed if both questions drew on the same row. They do not: "
            "each row adds up to 1 by itself.",
        },
    ),
    "6.2": Question(
        answer="B",
        why={
            "A": "Half of each name does arrive, so who was involved is nearly always known. Who "
            "did it to whom is what a half-and-half mixture loses.",
            "B": "The head gives nearly half of the row to each of the two. A mixture of half and "
            "half is the same mixture when the two change places.",
            "C": "This happens with some seeds: the whole row to one, nothing to the other. Far "
            "more often the head settles for half and half.",
        },
    ),
    "6.3": Question(
        answer="C",
        why={
            "A": "It would be so if both heads did a little of both. Here each question hangs on "
            "one head.",
            "B": "The heads share one row of W_O's input side by side; what is left of the other "
            "head still arrives there unharmed.",
            "C": "Each head fetched one of the two names, and nothing else carries that name to "
            "this row.",
        },
    ),
    "6.4": Question(
        answer="B",
        why={
            "A": "The matrix products do cancel out: eight times as many, each an eighth as wide. "
            "But a score matrix is n × n however narrow the head is.",
            "B": "The widths cancel in the products. They do not appear in n × n at all, and there "
            "is one such table a head.",
            "C": "The matrices are not made again for each head. The heads share the columns of "
            "the same four.",
        },
    ),
    "6.q1": Question(
        answer="C",
        why={
            "A": "Two rows, two distributions: one head serves both.",
            "B": "Ten rows that each look at one place are what one head does every time.",
            "C": "One row that must keep two names of the same kind apart needs two distributions.",
        },
    ),
    "6.q2": Question(
        answer="B",
        why={
            "A": "Then a head could never compare what stands in different slices. The projections "
            "come first, and they read everything.",
            "B": "Each column of W_Q reads all of x. What is shared out are the columns of Q.",
            "C": "Every head has columns of its own in W_Q, W_K and W_V.",
        },
    ),
    "6.q3": Question(
        answer="C",
        why={
            "A": "With 64 columns a head's scores have a standard deviation of 8 before scaling. "
            "√512 makes them too small: the weights start nearly even.",
            "B": "The sum has as many terms as one head has columns, not as there are heads.",
            "C": "The dot product of one head adds up 64 products, so lesson 05's rule gives √64.",
        },
    ),
    "6.q4": Question(
        answer="A",
        why={
            "A": "Cutting and gluing undo each other exactly, whatever ended up where in between.",
            "B": "No number is changed or lost; they are only dealt to the wrong heads.",
            "C": "The shapes are right all along, which is why this bug lives so long.",
        },
    ),
    "6.q5": Question(
        answer="B",
        why={
            "A": "The weight is a share of this head's average, before W_O. What reaches the "
            "result depends on the value's length and on what W_O does with this head.",
            "B": "Rows of W_O may be nearly zero for this head, or another head may add the "
            "opposite. A weight is read together with the value and W_O.",
            "C": "It is the strongest look in this row of this head. That alone says something.",
        },
    ),
}
