"""Predictions and closing questions of lesson 01."""

from helpers.course.questions import Question

QUESTIONS = {
    "1.1": Question(
        ask="Sixty more words follow, the same for both. How far apart are the two states then?",
        options={
            "A": "about as far as at the start: what is in the state stays there",
            "B": "less far: the difference shrinks evenly, by the same amount with each word",
            "C": "practically not at all: each word multiplies the difference by a factor below 1",
        },
        answer="C",
        why={
            "A": "A sheet of paper works like this: what is written stays. But a new state is not "
            "written beside the old one, it is computed from it, and each step squeezes old "
            "differences.",
            "B": "Evenly would mean: each word takes off the same amount. But each step "
            "multiplies what is left, so it takes off the same part.",
            "C": "Each step multiplies the difference by some factor below 1. Many such factors "
            "in a row leave next to nothing: on the logarithmic axis, roughly a straight line.",
        },
    ),
    "1.2": Question(
        ask="Who still knows the fact after 200 fillers?",
        options={
            "A": "only attention: RNN and GRU have lost the signal, as the picture shows",
            "B": "attention and the GRU",
            "C": "all three: training repairs what was weak at the start",
        },
        answer="B",
        why={
            "A": "The picture above shows untrained layers. Training started from stories with few "
            "fillers, where some signal was left, and changed the layer.",
            "B": "The gates of the GRU can learn to leave the state alone when a filler comes. "
            "The plain RNN has no gate: every word, filler or not, rewrites the whole state.",
            "C": "Both get the same training. The RNN has signal to learn from over a few words "
            "only, and no gate with which to leave its state alone.",
        },
    ),
    "1.3": Question(
        ask="A GRU with a state of 32 numbers is trained on such stories. Then it is told 16 "
        "facts. Which ones does it get wrong?",
        options={
            "A": "mostly the early ones: they have been overwritten",
            "B": "early and late ones about equally often, and many of them",
            "C": "hardly any: it has just held a fact over 200 words",
        },
        answer="B",
        why={
            "A": "The usual picture of a memory that fades, and right for the plain RNN. The GRU "
            "has no reason to prefer the last facts: all are asked for equally often.",
            "B": "The facts share one state, and each is asked for equally often. What does not "
            "fit is missing evenly, near and far.",
            "C": "Holding one fact for long and holding many at once are two different things. "
            "The first needs a gate, the second needs room.",
        },
    ),
    "1.4": Question(
        ask="The informed GRU hears 16 facts. How does it do?",
        options={
            "A": "no better: 32 numbers stay 32 numbers",
            "B": "better on the late facts; the early ones are still too far away",
            "C": "nearly always right, at every distance",
        },
        answer="C",
        why={
            "A": "The state does not grow. But much less has to go in: the one fact that was "
            "asked for.",
            "B": "One fact over 15 words is no burden for a GRU: it held one over 200 above.",
            "C": "Now one object has to be kept, not sixteen. The reader lets the other facts "
            "pass, and distance does not matter.",
        },
    ),
    "1.5": Question(
        ask="What happens to the weights of position 8 when 他 is replaced by 她?",
        options={
            "A": "nothing: position 8 has learned to look at position 0",
            "B": "they are split between the two people",
            "C": "they move from 小明 to 小红",
        },
        answer="C",
        why={
            "A": "Weights do not belong to places. They are computed afresh from the words that "
            "stand there.",
            "B": "Two names stand in the sentence, but only one of them agrees with 她. Training "
            "made the other one a bad match.",
            "C": "One word changed, and with it the question that is asked. The new question "
            "matches 小红, the only woman in the sentence.",
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
            "A": "That would be a state that grows, and then it could hold any text.",
            "B": "Longer texts need no larger matrices. The same step is used for each word.",
            "C": "Ten words or a thousand: the state has the same size, and the step the same "
            "matrices. The time grows, the room does not.",
        },
    ),
    "1.q2": Question(
        ask="A trained GRU is right about every fact of short stories, and about half of the "
        "facts of long ones, the near as well as the far. What is the trouble?",
        options={
            "A": "the signal fades with distance",
            "B": "too many facts for its state",
            "C": "it cannot keep anything",
        },
        answer="B",
        why={
            "A": "A fading signal hurts far words most. Here the far ones are as good as the near.",
            "B": "Equally bad near and far, and better with few facts: that is lack of room.",
            "C": "Then it would be right after a few words; but one fact is no trouble for it.",
        },
    ),
    "1.q3": Question(
        ask="Why does attention do as well 200 words back as one word back?",
        options={
            "A": "it kept all the words and compares with each of them",
            "B": "its state is much larger",
            "C": "it passes the signal from word to word without loss",
        },
        answer="A",
        why={
            "A": "It keeps all the vectors of the text and compares with each. Nothing is squeezed "
            "into one state, so nothing has to fade.",
            "B": "It has no state that is carried along at all.",
            "C": "There is no path from word to word. Each look is one step, near or far.",
        },
    ),
    "1.q4": Question(
        ask="Row 8, column 0 of an attention map holds 0.9. What does that say?",
        options={
            "A": "the model is 90 % sure that 他 is 小明",
            "B": "0.9 times the vector of token 0 goes into the new vector of token 8",
            "C": "token 0 takes 0.9 of token 8",
        },
        answer="B",
        why={
            "A": "A weight says how much of a word's vector comes in, not how sure the answer is.",
            "B": "The new vector is made of 0.9 times the one vector and small parts of the rest.",
            "C": "A column adds up what one word receives from all rows. The row was asked for.",
        },
    ),
    "1.q5": Question(
        ask="Who told the trained model that 他 has to look at 小明?",
        options={
            "A": "a list of such pairs",
            "B": "a teacher who marked the right position in each sentence",
            "C": "nobody: it was told right names, and looking there made it right",
        },
        answer="C",
        why={
            "A": "The sentence was not among those it learned from, and no list of pairs exists.",
            "B": "Nobody marked a position. The training says which name is right, no more.",
            "C": "Looking at the right name was the way to answer right, so training moved the "
            "weights there.",
        },
    ),
}
