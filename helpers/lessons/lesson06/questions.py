"""Predictions and closing questions of lesson 06."""

from helpers.course.questions import Question

QUESTIONS = {
    "6.1": Question(
        ask="The model has *one* head. In how many unseen sentences does it get both names right?",
        options={
            "A": "in nearly all",
            "B": "in about half: one set of weights, two things to look for",
            "C": "one question is answered, and the other pays for it",
        },
        answer="A",
        why={
            "A": "Weights belong to rows. The row of 他 and the row of the verb each have 100 % of "
            "their own to give away, and one head fills both.",
            "B": "This takes a head for one row of weights. It is a table: every row has its own, "
            "made from its own query.",
            "C": "Trading would be needed if both questions drew on the same row. They do not: "
            "each row adds up to 1 by itself.",
        },
    ),
    "6.2": Question(
        ask="What does the one head do with this row, and how often are both names right?",
        options={
            "A": "half to each name, both right in nearly all sentences",
            "B": "half to each name, both right in few: who did it to whom is lost",
            "C": "everything to one name; the other has to be guessed",
        },
        answer="B",
        why={
            "A": "Half of each name does arrive, so who was involved is known. Who did it to whom "
            "is what a half-and-half mixture loses.",
            "B": "The head gives nearly half of the row to each of the two. A mixture of half and "
            "half is the same mixture when the two change places.",
            "C": "It could, and would answer one question always. Half and half earns more: it "
            "narrows both answers down to two names.",
        },
    ),
    "6.3": Question(
        ask="Head 0 is taken out of the trained models: it writes zeros. What happens to the two "
        "questions?",
        options={
            "A": "both are answered somewhat worse",
            "B": "both fail: W_O needs all its columns",
            "C": "one of the two fails, the other is answered as before",
        },
        answer="C",
        why={
            "A": "It would be so if both heads did a little of both. Here each question hangs on "
            "one head.",
            "B": "W_O is a sum over the heads; what the other head writes still arrives unharmed.",
            "C": "Each head fetched one of the two names, and nothing else carries that name to "
            "this row.",
        },
    ),
    "6.4": Question(
        ask="*One* head, a ReLU in the readout, twice the steps. How often are both names right?",
        options={
            "A": "as before: half and half has lost who is who",
            "B": "in about half of the sentences",
            "C": "in nearly all",
        },
        answer="C",
        why={
            "A": "An exact half would lose it. But training can make the weights unequal, and then "
            "more and less of a name tell them apart.",
            "B": "Nothing stops halfway: once the weights are unequal, every sentence is readable.",
            "C": "More of one name, less of the other: a readout that can tell much from little "
            "reads both off one mixture.",
        },
    ),
    "6.q1": Question(
        ask="Which of these profits most from a second head?",
        options={
            "A": "他 looks for its person, 走了 for its subject",
            "B": "each token looks at the one before it",
            "C": "the row of 追 names who chases and who is chased",
        },
        answer="C",
        why={
            "A": "Two rows, each with its own weights: one head serves both.",
            "B": "Ten rows that each look at one place are what one head does every time.",
            "C": "One row that must keep two names of the same kind apart has two things to fetch.",
        },
    ),
    "6.q2": Question(
        ask="d_model is 512, with 8 heads. What does head 3 read of a token's vector x?",
        options={
            "A": "64 numbers, its own slice",
            "B": "all 512, through its own columns of W_Q, W_K, W_V",
            "C": "all 512, through the same columns as all heads",
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
        ask="Same model: by what are the scores divided (lesson 05), and how many tables of "
        "weights are there?",
        options={
            "A": "√512, one table",
            "B": "√64, one table",
            "C": "√64, eight tables",
        },
        answer="C",
        why={
            "A": "One head's dot product adds up 64 products. √512 makes the scores too small.",
            "B": "√64 is right. But a table is n × n however narrow the head, and each head has "
            "its own.",
            "C": "The dot product of one head adds up 64 products, and every head fills a table of "
            "its own.",
        },
    ),
}
