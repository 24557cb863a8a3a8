"""Predictions of lesson 10, and the mixed quiz over all lessons."""

from helpers.course.questions import Question

QUESTIONS = {
    "10.1": Question(
        ask="Add up one row of `d_scores`. What comes out?",
        options={
            "A": "1, as for every row of softmax",
            "B": "0",
            "C": "it depends on the loss",
        },
        answer="B",
        why={
            "A": "The weights of a row add up to 1. Their changes must then add up to 0, or the "
            "sum would not stay 1.",
            "B": "Raising a whole row of scores changes no weight, so the slopes of a row cancel. "
            "The row's average in the formula sees to it.",
            "C": "The single slopes depend on the loss. Their sum is 0 for every loss.",
        },
    ),
    "10.2": Question(
        ask="Both are timed on *one* core of this computer, where nothing can run side by "
        "side with anything. Which is faster for a text of 4096 words?",
        options={
            "A": "attention: it is parallel",
            "B": "the RNN: it has less to do",
            "C": "about equal",
        },
        answer="B",
        why={
            "A": "On one core nothing runs side by side. What counts is the work and how well "
            "the core is used, and at 4096 words attention has many times the work.",
            "B": "At this length attention has many times the work. It does more operations a "
            "second, but on one core that does not make up for it.",
            "C": "The two are closest for short texts. From there on n squared pulls away.",
        },
    ),
    "10.3": Question(
        ask="Two things are measured on sentences it has never seen: how often the word after "
        "the pronoun is right, and how much weight the pronoun gives to the character it "
        "stands for. Nobody asked for the second. What do you expect?",
        options={
            "A": "right answers, but weights spread over the sentence: nothing rewards "
            "looking at one place",
            "B": "right answers, and nearly all the weight on the right character",
            "C": "guessing between the character and its rival: half right",
        },
        answer="B",
        why={
            "A": "Nothing asks for it, but it pays: with weights spread out, the rival's name "
            "arrives as well, and the two cannot be told apart.",
            "B": "The weight rises while the loss falls. Looking at the right character is what "
            "makes the next word predictable.",
            "C": "Guessing between the two is what remains for a model that cannot use the place "
            "in the sentence. This one can.",
        },
    ),
    "10.4": Question(
        ask="Both are tested on sentences in which everybody is a newcomer. What do you expect?",
        options={
            "A": "both fail: nobody can know a person never met",
            "B": "both succeed: 他 looks at the place where the acting person stands, whatever "
            "the name",
            "C": "the sum succeeds, the single vector fails",
        },
        answer="C",
        why={
            "A": "Nobody knows this person, but both halves of the name are known from others. "
            "That is enough, if the vector is made of the halves.",
            "B": "The place helps, but the acting person may be named first or second. To know "
            "which, the name must tell a man from a woman. And the verb has no other source.",
            "C": "A sum of two known vectors is nearly as good as a known vector. A vector that "
            "never took part in training says nothing.",
        },
    ),
    "10.q1": Question(
        ask="A GRU answers questions about 2 facts perfectly and about 16 facts badly, the "
        "near ones as badly as the far ones. Why?",
        options={
            "A": "its state has no room for all of them",
            "B": "the signal has faded",
            "C": "it reads in the wrong order",
        },
        answer="A",
        why={
            "A": "Many facts compete for one state of fixed size.",
            "B": "Then the near ones would be answered better than the far ones.",
            "C": "Every order gives the same load.",
        },
    ),
    "10.q2": Question(
        ask="Keys and values of a lookup are exchanged by mistake. What comes out?",
        options={
            "A": "an error",
            "B": "a blend of labels, found by comparing with contents",
            "C": "the same",
        },
        answer="B",
        why={
            "A": "If both have the same width nothing complains.",
            "B": "The contents are compared, the labels are mixed. A shape test cannot see it.",
            "C": "Only if keys and values are the same, as in a lookup with raw vectors.",
        },
    ),
    "10.q3": Question(
        ask="W_Q is multiplied by A, and W_K by the inverse of A, transposed. What changes?",
        options={
            "A": "queries and keys, but no score",
            "B": "the scores, but not the weights",
            "C": "everything",
        },
        answer="A",
        why={
            "A": "A and its inverse meet in the product and vanish. Only W_Q times W_K transposed "
            "counts.",
            "B": "The scores are made of that product, and it has not changed.",
            "C": "The vectors change, what is made of them does not.",
        },
    ),
    "10.q4": Question(
        ask="100 is added to every score of a row. What happens to its weights?",
        options={
            "A": "they become one-hot",
            "B": "nothing",
            "C": "they overflow",
        },
        answer="B",
        why={
            "A": "That takes larger differences, not larger scores.",
            "B": "Differences stay, so ratios of weights stay, and the sum is still 1.",
            "C": "A softmax that subtracts the row's maximum does not notice.",
        },
    ),
    "10.q5": Question(
        ask="Why is a score divided by √d_k and not by d_k?",
        options={
            "A": "the spread of a sum of d_k independent products is √d_k",
            "B": "it saves a multiplication",
            "C": "d_k would change the order of the scores",
        },
        answer="A",
        why={
            "A": "Independent products partly cancel, so their sum grows like the root of their "
            "number.",
            "B": "Both are one division.",
            "C": "Dividing by any positive number keeps the order.",
        },
    ),
    "10.q6": Question(
        ask="他 needs its antecedent, 走了 its subject. How many heads does that take?",
        options={
            "A": "two, one for each relation",
            "B": "one: they are two rows",
            "C": "as many as there are tokens",
        },
        answer="B",
        why={
            "A": "That is the popular picture. But each row has a distribution of its own.",
            "B": "A second head is needed where one row has to keep two things apart.",
            "C": "The number of heads has nothing to do with the number of tokens.",
        },
    ),
    "10.q7": Question(
        ask="What does a KV cache not take away?",
        options={
            "A": "computing the old keys again",
            "B": "that each new token is compared with all earlier ones",
            "C": "computing the old values again",
        },
        answer="B",
        why={
            "A": "That is what the cache is for.",
            "B": "The new query still meets every key, so the whole text costs n squared.",
            "C": "That is what the cache is for.",
        },
    ),
    "10.q8": Question(
        ask="No mask, no positions: 我打你 and 你打我. What is the same for both?",
        options={
            "A": "the output of each row number",
            "B": "the output of each word",
            "C": "nothing",
        },
        answer="B",
        why={
            "A": "Row 0 belongs to 我 in the one and to 你 in the other.",
            "B": "Each word meets the same words with the same scores, whatever the order.",
            "C": "Everything is only shuffled: f(PX) = P f(X).",
        },
    ),
    "10.q9": Question(
        ask="A mask says True. What does that mean?",
        options={
            "A": '"may attend", always',
            "B": '"is hidden", always',
            "C": 'it depends on the library; in this course it means "may attend"',
        },
        answer="C",
        why={
            "A": "In this course, yes. nn.MultiheadAttention in PyTorch means the opposite.",
            "B": "In nn.MultiheadAttention, yes. Not in PyTorch's scaled_dot_product_attention.",
            "C": "Look it up each time, and test it with a mask that is not symmetric.",
        },
    ),
    "10.q10": Question(
        ask="A model is right in 90 % of all cases, and its weights are equal everywhere. "
        "What follows?",
        options={
            "A": "the measurement is wrong",
            "B": "being right does not prove that it looks at the right place",
            "C": "attention is not needed for anything",
        },
        answer="B",
        why={
            "A": "It is what the control of this lesson does.",
            "B": "A mixture of everything often holds enough to be right. Where it looks has to be "
            "measured by itself.",
            "C": "It is needed for the rest: where two candidates compete.",
        },
    ),
}
