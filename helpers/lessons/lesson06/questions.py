"""Predictions and closing questions of lesson 06."""

from helpers.course.questions import Question

QUESTIONS = {
    "6.1": Question(
        ask="The model has *one* head. In how many unseen sentences does it get both names right?",
        options={
            "A": "in nearly all",
            "B": "in about half: it has one set of weights, and two things to look for",
            "C": "it gets one question right and pays for it with the other",
        },
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
        ask="What does the one head do with this row, and how often are both names right?",
        options={
            "A": "about half of the row to each name; both names arrive, so both questions "
            "are answered in nearly all sentences",
            "B": "about half to each; both names arrive, and who did it to whom is lost, so "
            "few sentences are answered completely",
            "C": "everything to one name and nothing to the other, which has to be guessed",
        },
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
        ask="Take the trained models and set the output of head 0 to zero. Nothing is trained "
        "again. What happens to the two questions?",
        options={
            "A": "both are answered somewhat worse",
            "B": "both fail: W_O needs all its columns",
            "C": "one of the two fails, the other is answered as before",
        },
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
        ask="Go from 1 head to 8, with d_model as it was. What grows?",
        options={
            "A": "nothing",
            "B": "the memory for scores and the work of the softmax, each 8 times; parameters "
            "and matrix products stay",
            "C": "everything, 8 times",
        },
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
        ask="Which of these needs a second head most?",
        options={
            "A": "他 looks for its antecedent, and 走了 for its subject",
            "B": "each of ten tokens looks at the token before it",
            "C": "the row of 追 has to name the one who chases and the one who is chased",
        },
        answer="C",
        why={
            "A": "Two rows, two distributions: one head serves both.",
            "B": "Ten rows that each look at one place are what one head does every time.",
            "C": "One row that must keep two names of the same kind apart needs two distributions.",
        },
    ),
    "6.q2": Question(
        ask="d_model is 512, and there are 8 heads. What does head 3 read of a token's vector x?",
        options={
            "A": "64 numbers, its own slice",
            "B": "all 512, through its own columns of W_Q, W_K and W_V",
            "C": "all 512, through the same columns as every other head",
        },
        answer="B",
        why={
            "A": "Then a head could never compare what stands in different slices. The projections "
            "come first, and they read everything.",
            "B": "Each column of W_Q reads all of x. What is shared out are the columns of Q.",
            "C": "Every head has columns of its own in W_Q, W_K and W_V.",
        },
    ),
    "6.q3": Question(
        ask="From lesson 05: by what are the scores divided, with d_model = 512 and 8 heads?",
        options={
            "A": "√512",
            "B": "√8",
            "C": "√64",
        },
        answer="C",
        why={
            "A": "With 64 columns a head's scores have a standard deviation of 8 before scaling. "
            "√512 makes them too small: the weights start nearly even.",
            "B": "The sum has as many terms as one head has columns, not as there are heads.",
            "C": "The dot product of one head adds up 64 products, so lesson 05's rule gives √64.",
        },
    ),
    "6.q4": Question(
        ask="Somebody cuts and joins heads with a plain reshape, both times. What does the "
        'test "joined again, it is X" say?',
        options={
            "A": "it passes",
            "B": "it fails, as numbers get lost",
            "C": "it fails, as the shapes do not fit",
        },
        answer="A",
        why={
            "A": "Cutting and gluing undo each other exactly, whatever ended up where in between.",
            "B": "No number is changed or lost; they are only dealt to the wrong heads.",
            "C": "The shapes are right all along, which is why this bug lives so long.",
        },
    ),
    "6.q5": Question(
        ask="In head 2 of some layer, 他 gives 小明 a weight of 0.97. Does 小明 make up most of "
        "what 他's row holds after W_O? Lesson 04 helps.",
        options={
            "A": "yes, 97 % of it",
            "B": "this cannot be said from the weight alone",
            "C": "no: with several heads a weight means nothing",
        },
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
