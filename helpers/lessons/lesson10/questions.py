"""Predictions of lesson 10, and the mixed quiz over all lessons."""

from helpers.course.questions import Question

QUESTIONS = {
    "10.1": Question(
        ask="Add up the slopes of one row of scores. What comes out?",
        options={
            "A": "1, as for every row of softmax",
            "B": "0",
            "C": "it depends on the loss",
        },
        answer="B",
        why={
            "A": "The weights of a row add up to 1. Their changes must then add up to 0, or the "
            "sum would not stay 1.",
            "B": "Raising a whole row of scores changes no weight, so the slopes of a row cancel.",
            "C": "The single slopes depend on the loss. Their sum is 0 for every loss.",
        },
    ),
    "10.2": Question(
        ask="How many rounds does *this* RNN need for 1,024 words, if there are machines enough?",
        options={
            "A": "1,024: each state needs the one before",
            "B": "about 10",
            "C": "one",
        },
        answer="B",
        why={
            "A": "So it is written, but two fadings in a row are one fading: words can be joined "
            "in pairs, and the pairs in pairs.",
            "B": "512 pairs side by side, then 256, and so on: halving 1,024 ten times leaves one.",
            "C": "Each round joins two and two. One round leaves 512.",
        },
    ),
    "10.3": Question(
        ask="On sentences kept back: how often is the word after the pronoun right, and how much "
        "weight does the pronoun give to the one it stands for? Nobody asked for the second.",
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
            "B": "Looking at the right character is what makes the next word predictable.",
            "C": "That is what remains for a model that cannot use the place in the sentence. "
            "This one can.",
        },
    ),
    "10.4": Question(
        ask="How sure is the model of its guess, when nobody in the sentence can be meant?",
        options={
            "A": "unsure: it spreads its guess over all verbs",
            "B": "a little less sure than before",
            "C": "it falls back to looking at nobody, and guesses no verb",
        },
        answer="B",
        why={
            "A": "No sentence of training was of this kind: nothing has taught it to be unsure.",
            "B": "It looks at somebody who does not fit, and guesses from whatever arrives.",
            "C": "A row gives away one whole, and after a pronoun there has always been a verb.",
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
    "10.q3": Question(
        ask="他 (he) looks for its person, 走了 (left) for its subject. How many heads does that "
        "take?",
        options={
            "A": "two, one for each relation",
            "B": "one: they are two rows",
            "C": "as many as there are tokens",
        },
        answer="B",
        why={
            "A": "That is the popular picture. But each row has a distribution of its own.",
            "B": "A second head makes it easy where one row has to keep two things apart.",
            "C": "The number of heads has nothing to do with the number of tokens.",
        },
    ),
    "10.q4": Question(
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
    "10.q5": Question(
        ask="A model is right in 90 % of all cases, and its weights are equal everywhere. "
        "What follows?",
        options={
            "A": "the measurement is wrong",
            "B": "being right does not prove that it looks at the right place",
            "C": "attention is not needed for anything",
        },
        answer="B",
        why={
            "A": "The control of lesson 03 was right far more often than by chance, too.",
            "B": "A mixture of everything often holds enough to be right. Where it looks has to be "
            "measured by itself.",
            "C": "It is needed for the rest: where two candidates compete.",
        },
    ),
}
