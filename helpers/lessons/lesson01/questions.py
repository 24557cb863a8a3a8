"""Predictions and closing questions of lesson 01."""

from helpers.course.questions import Question

QUESTIONS = {
    "1.1": Question(
        ask="You change 他 (he) into 她 (she) and nothing else. Where does the weight go?",
        options={
            "A": "it stays: that place has been learned",
            "B": "half to each: both are people",
            "C": "to 小红",
        },
        answer="C",
        why={
            "A": "Weights do not belong to places. They are computed afresh from the words that "
            "stand there.",
            "B": "Both are people, but only one of them fits 她. Training made the other a bad "
            "match.",
            "C": "One word changed, and with it the question that is asked. 小红 (Xiaohong), the "
            "only woman in the sentence, answers it.",
        },
    ),
    "1.2": Question(
        ask="A thousand words are put between 小明 and 他, each with a relevance of 0.01. Which "
        "share is left for 小明?",
        options={
            "A": "next to nothing: it is a thousand words away",
            "B": "0.4, half of what it had",
            "C": "0.8 as before: none of these words matters",
        },
        answer="B",
        why={
            "A": "Nothing in the average knows how far away a word is.",
            "B": "The thousand together have a relevance of 10, as much as all that was there. "
            "So they take half.",
            "C": "One of them hardly matters. A thousand of them together do.",
        },
    ),
    "1.3": Question(
        ask="After 16 facts, which ones can be read out of the 32 numbers?",
        options={
            "A": "the first ones: they were stored while there was room",
            "B": "all of them about equally often",
            "C": "the last ones; of the first little more than guesses is left",
        },
        answer="C",
        why={
            "A": "A sheet of paper works like this. But a new state is not written beside the old "
            "one, it is computed from it.",
            "B": "Each fact is shrunk by every step that follows it. The first one has fifteen "
            "such steps behind it, the last one none.",
            "C": "Each step multiplies what is left of a fact by a factor below 1. Few such "
            "factors do little harm, fifteen leave almost nothing.",
        },
    ),
    "1.4": Question(
        ask="The reader is told before the first fact which one will be asked for. Which facts "
        "does a state of 32 numbers answer then?",
        options={
            "A": "the same as before: 32 numbers stay 32 numbers",
            "B": "all of them, near or far",
            "C": "the last ones, more surely",
        },
        answer="B",
        why={
            "A": "The state does not grow. But much less has to go in: one fact, not sixteen.",
            "B": "Only the one fact that will be asked for has to be kept. The gate lets it in "
            "and then stays shut.",
            "C": "Behind a shut gate nothing fades: the state is copied from step to step.",
        },
    ),
    "1.q1": Question(
        ask="One RNN has read 10 words, another one 1000. What is larger in the second?",
        options={
            "A": "its state",
            "B": "its matrices",
            "C": "neither",
        },
        answer="C",
        why={
            "A": "The state is overwritten at each step; it never grows.",
            "B": "The same two matrices are used for every word.",
            "C": "Everything about the 1000 words has to be in the same few numbers.",
        },
    ),
    "1.q2": Question(
        ask="Why does a look back reach a word 1000 places away as well as the word before?",
        options={
            "A": "all words were kept, and a share does not depend on place",
            "B": "its state is much larger",
            "C": "the signal is passed on from word to word without loss",
        },
        answer="A",
        why={
            "A": "The average takes from each place directly. What can shrink a share is a "
            "crowd, not a distance.",
            "B": "There is no state. The words themselves are kept.",
            "C": "Nothing is passed on from word to word: each one is a single step away.",
        },
    ),
    "1.q3": Question(
        ask="Who told the trained model that 他 has to look at 小明?",
        options={
            "A": "a list of such pairs",
            "B": "somebody who marked the right place in each sentence",
            "C": "nobody: it was told right names, and looking there made it right",
        },
        answer="C",
        why={
            "A": "There is no such list. The running sentence was not even among the sentences.",
            "B": "No place was marked. The loss sees the name that the model answers, no weight.",
            "C": "The loss asks for the name alone. Weights that fetch it make the loss smaller, "
            "so the slopes lead there.",
        },
    ),
}
