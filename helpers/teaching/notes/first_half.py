"""Notes on the lessons 01 to 05."""

from helpers.teaching.note import Misconception, Note

NOTES = {
    "01": Note(
        opens="Write the sentence on the board, in Chinese, with an English word below each "
        "token. Ask: who is 他? Everybody knows. Then ask: how do you know? Collect two or three "
        "answers and leave them there; the last lesson comes back to them.",
        vote="1.2",
        votes="Most of a class says that the distance matters, or that words that do not matter "
        "take nothing. Let both sides add up on paper: the thousand words bring 10 in all, as much "
        "as everything before them. Small relevances that are many take a large share. "
        "Distance itself appears nowhere in the sum.",
        misconceptions=(
            Misconception(
                "look_back",
                "columns_add_up_to_one",
                "Ask who shares out: one reader, one row. Let a learner add up one row aloud.",
            ),
            Misconception(
                "last_states",
                "padding_becomes_zeros",
                "Multiply a state by W_h once, with a row of zeros as input: it changes.",
            ),
            Misconception(
                "look_back",
                "keepdims_missing",
                "Show the two shapes, (n, n) and (n,). NumPy lines them up from the right.",
            ),
        ),
        skips="The two notebooks in the folder deeper belong to this lesson. They train for about "
        "a minute and are good homework for those who know recurrent networks. Nobody needs to "
        "know such networks to go on; one sentence is enough: a state of fixed size is written "
        "over, word by word.",
        ends="Go back to the answers on the board. Which of them does a weighted average need? "
        "None yet says where the relevances come from. That is lesson 02.",
    ),
    "02": Note(
        opens="Bring five books, or draw them. Put a label on each and say that the label is not "
        "the content. Let one learner ask for something that is on no label. A hard lookup has "
        "to choose; a soft one blends. Keep the words query, key and value for the moment when "
        "everybody has used the things.",
        vote="2.2",
        votes="The room splits between direction and length. Draw two arrows and project one on "
        "the other. A dot product has both in it, so a longer label gets a larger score where "
        "the score was above 0. Then ask what happens to a book on the far side; there the share "
        "falls.",
        misconceptions=(
            Misconception(
                "soft_lookup",
                "blends_the_labels",
                "Ask what the reader takes home: the label, or what is in the book?",
            ),
            Misconception(
                "soft_lookup",
                "sharpens_afterwards",
                "Let them add up the shares after multiplying by 3. Shares are made last.",
            ),
            Misconception(
                "lookup_all",
                "shares_over_queries",
                "Say which axis is named: each reader has one whole to give away.",
            ),
        ),
        skips='If the class knows dot products well, go through *What does "similar" mean?* by '
        "its pictures alone. Do not skip *The sentence is the library*: there, for the first "
        "time, the readers and the books are the same ten tokens.",
        ends="Ask: 他 found itself, since a vector fits itself well. What would have to change "
        "before it can find 小明? Somebody says that asking and offering should differ. That is "
        "lesson 03.",
    ),
    "03": Note(
        opens="Ask two learners to write down on one slip what they can explain, and on another "
        "what they want to know. The two slips of a person differ. Match slips of the first kind "
        "with slips of the second: that is what a score does. What is then explained is a third "
        "thing, the value.",
        vote="3.2",
        votes="Almost everybody sees that one matrix makes the scores equal both ways. The "
        "quarrel is about the weights. Write two rows with the same score in them and different "
        "neighbours, and take softmax of each. Equal scores, different sums, different weights.",
        misconceptions=(
            Misconception(
                "project",
                "from_the_left",
                "Write the shapes below: (n, d_model) times (d_model, d_k). A row stays a token.",
            ),
            Misconception(
                "two_rules",
                "offers_for_questions",
                "Read one rule aloud: 走了 asks, so its feature belongs into W_Q.",
            ),
            Misconception(
                "ask_another",
                "values_of_the_asker",
                "Who answers hands something over. Follow one row back to its sentence.",
            ),
        ),
        skips="Under *Homework* stand three algebra exercises. They suit a class with linear "
        "algebra; others lose nothing for later. The deeper notebook counts how much freedom two "
        "matrices have and can be left out whole.",
        ends="Let each learner finish the sentence: nobody writes these matrices, they come "
        "from … The answer of the lesson is: from being told right names, in training.",
    ),
    "04": Note(
        opens="Write the one line of the formula and cover it. Then uncover it step by step: a "
        "table of scores, rows of shares, a sum. Ask after each step for the shape. The lesson "
        "does just that, slowly, and each step is built.",
        vote="4.1",
        votes="Many say twice as much. Let them try 104 and 102, then 1 and −1: always the same "
        "ratio, e times e. Those who chose C have seen something true: each share depends on all "
        "scores. Ask them to write the ratio of two shares; the sum cancels.",
        misconceptions=(
            Misconception(
                "softmax",
                "no_maximum",
                "Let them compute exp(1000) in a cell. Then subtract 1000 from all scores.",
            ),
            Misconception(
                "scores",
                "divides_by_d",
                "Do not argue here. Say that lesson 05 measures it, and let the check decide.",
            ),
            Misconception(
                "self_attention",
                "mixes_the_inputs",
                "Ask for the shape of the result when d_v is not d_model.",
            ),
        ),
        skips="Keep *What softmax cannot do*, in two minutes: a row always gives away one whole, "
        "and later lessons need that. The deeper notebook about the meaning of a weight is for "
        "those who want to explain models by their weights; it is good for a discussion.",
        ends="Take 4.q3 aloud. Whoever says that 90 % of the result is 小明's value has read a "
        "factor as a part. This is the mistake that is made most often when maps are shown.",
    ),
    "05": Note(
        opens="Let everybody toss a coin 4 times and count heads as +1, tails as −1; then 16 "
        "times. Collect the sums. The sums of 16 are about twice as wide as those of 4, not four "
        "times. A dot product of random vectors is such a sum. Now the root is no surprise.",
        vote="5.3",
        votes="Textbooks have taught the class to choose A. Take the vote before anything is "
        "run. Then look at the curves: the division by d_k learns as well. What is slow is no "
        "division at all. Say plainly that this is what this experiment shows, in this size.",
        misconceptions=(
            Misconception(
                "dot_variance",
                "square_root_of_d",
                "Keep two words apart: the variance grows with d, the deviation with its root.",
            ),
            Misconception(
                "frozen_on_wrong",
                "any_decided_row",
                "A row that has decided rightly is no problem. Count those that are wrong.",
            ),
            Misconception(
                "undo_temperature",
                "over_the_whole_table",
                "Add 100 to one row: its weights stay. What softmax sees is the spread in a row.",
            ),
        ),
        skips="With little time show *Who learns?* from the finished picture instead of waiting "
        "for the training. The deeper notebook about gradients takes most of a minute to run and "
        "can be done at home.",
        ends="Take 5.q2 aloud. Subtracting the maximum and dividing by a root are often mixed "
        "up: one is against overflow, the other against frozen rows.",
    ),
}
