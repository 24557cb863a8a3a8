"""Predictions and closing questions of lesson 05."""

from helpers.course.questions import Question

QUESTIONS = {
    "5.1": Question(
        ask="Now take vectors of 400 entries, a hundred times as many products. How large is "
        "a typical q·k, compared with before?",
        options={
            "A": "about the same: positive and negative products cancel",
            "B": "about ten times as large",
            "C": "about a hundred times as large",
        },
        answer="B",
        why={
            "A": "Positive and negative products do cancel, but not completely. Toss 400 coins: "
            "heads and tails hardly ever come out exactly equal.",
            "B": "A sum of d random numbers around zero is a random walk of d steps: it ends about "
            "the square root of d away. The root of 100 is 10.",
            "C": "That would be so if all products had the same sign, so that every step went the "
            "same way. Half of them go back.",
        },
    ),
    "5.2": Question(
        ask="Nothing has been trained. Softmax turns the undivided `dots` into weights. What "
        "does a row look like?",
        options={
            "A": "about 0.1 for each of the ten tokens, as nothing has been learned",
            "B": "nearly everything on one token, whichever it happens to be",
            "C": "most of it on the token itself, as a vector fits itself best",
        },
        answer="B",
        why={
            "A": "Nothing has been learned, but the scores are far from equal. Softmax cannot know "
            "that their differences are only chance.",
            "B": "Scores differ by tens of points, and each point is a factor of 2.72. One token "
            "wins nearly everything, and which one it is was decided by the random start.",
            "C": "A vector does fit itself, but the question and the answer are made with two "
            "different random matrices. What a token asks for says nothing yet about what it is.",
        },
    ),
    "5.3": Question(
        ask="Three rows of eight weights. Which one moves most when its scores move?",
        options={
            "A": "eight equal weights of 1/8: everything is still open",
            "B": "two weights of 1/2 and six zeros",
            "C": "one weight of 0.99, the rest shared by seven: the strongest opinion",
        },
        answer="B",
        why={
            "A": "Equal weights are undecided, so this looks like the easiest row to move. But "
            "each weight is only an eighth: it has little to gain and little to lose.",
            "B": "Between two equal halves a small change of score shifts the most weight. The "
            "size of the slopes is exactly one half, however long the row is.",
            "C": "A winner with 0.99 has almost nothing to gain, and the others have almost "
            "nothing to lose. This is the row that is frozen.",
        },
    ),
    "5.4": Question(
        ask="d_k is 512. Without the division, how large is the gradient that arrives at W_Q, "
        "compared with the division by √d_k?",
        options={
            "A": "nearly nothing: almost every row is frozen on one token",
            "B": "several times larger",
            "C": "about the same: softmax normalises every row",
        },
        answer="B",
        why={
            "A": "That is what most texts say, and for the typical row it is true. But W_Q adds up "
            "the gradients of all rows, and a few rows that stand between two tokens send a lot.",
            "B": "A few rows near a tie send back far more than all rows together do with the "
            "division, which also takes a factor of the root of d_k off every gradient.",
            "C": "The forward pass is normalised: each row adds up to 1. The backward pass is not. "
            "How much comes back depends on how sharp a row is, and on what q·k was divided by.",
        },
    ),
    "5.5": Question(
        ask="d_k = 512. Scores are not divided, divided by √d_k, or divided by d_k. Who learns?",
        options={
            "A": "only √d_k: without a division nothing moves, and with d_k all weights stay equal",
            "B": "√d_k is fastest, d_k takes longer but gets there, and without a division it "
            "is far slower or stops short",
            "C": "all three alike: W_Q and W_K are trained, so they learn the right size by "
            "themselves",
        },
        answer="B",
        why={
            "A": "Flat rows are no trap: all slopes are there, and the scores grow as W_Q and W_K "
            "learn. And without the division a few rows do move.",
            "B": "All three can learn. But the division by the root starts with rows that are "
            "neither flat nor decided, and the undivided scores have to undo decisions first.",
            "C": "W_Q and W_K could in principle learn any factor. They would have to shrink a "
            "lot, and nothing pulls them there: the gradient pulls at single rows near a tie.",
        },
    ),
    "5.q1": Question(
        ask="X has 1024 columns. There are 16 heads, and each query has 64 entries. By what "
        "is a score divided?",
        options={
            "A": "4",
            "B": "32",
            "C": "8",
        },
        answer="C",
        why={
            "A": "4 is the root of the number of heads. Each head compares with its own queries "
            "and keys, and does not know how many other heads there are.",
            "B": "32 is the root of 1024, the width of X. It would fit a query with 1024 entries. "
            "Here a query has 64.",
            "C": "A score adds d_k = 64 products, so its standard deviation is the root of 64. How "
            "wide X was does not show in it.",
        },
    ),
    "5.q2": Question(
        ask="All keys get the same vector added, so that every score in 他's row rises by 50. "
        "What becomes of the weights?",
        options={
            "A": "nothing: they stay as they were",
            "B": "they overflow",
            "C": "they become one-hot",
        },
        answer="A",
        why={
            "A": "Softmax sees differences within a row only. What all scores of a row share "
            "cancels, as lesson 04 showed by adding 100.",
            "B": "A level that is far from zero looks dangerous, but the row's largest score is "
            "subtracted before anything is exponentiated.",
            "C": "Sharpness comes from differences. A level that all scores share adds none.",
        },
    ),
    "5.q3": Question(
        ask="A model was started with the division by √d_k and trained well. What is the "
        "standard deviation of its scores?",
        options={
            "A": "about 1: that is what the division is for",
            "B": "larger than 1",
            "C": "smaller than 1",
        },
        answer="B",
        why={
            "A": "The spread is 1 at the start, and that is all the root of d_k was chosen for. "
            "Training makes queries fit the right keys, and that moves the scores apart.",
            "B": "A query that has learned to fit its key has entries in common with it. Such a "
            "score grows with d_k itself, and a trained row may well be sharp: that is its answer.",
            "C": "The spread grows in training. It would shrink only if queries and keys came to "
            "resemble each other less than random vectors do.",
        },
    ),
    "5.q4": Question(
        ask="From lessons 03 and 04. Which of these makes the rows of weights sharper?",
        options={
            "A": "doubling W_V",
            "B": "shuffling the words",
            "C": "doubling W_Q",
        },
        answer="C",
        why={
            "A": "That is the scale of the values, and it changes the output. The scores, and with "
            "them the weights, do not see V at all.",
            "B": "The order of the words plays no part in it: lesson 08 will show that attention "
            "does not see it.",
            "C": "Doubling W_Q doubles every score, so every ratio of two weights is squared. Half "
            "the temperature, in the words of lesson 04.",
        },
    ),
    "5.q5": Question(
        ask="A test feeds scores of about 10,000 to a function without the division, and it "
        "agrees with the reference. What does that show?",
        options={
            "A": "the division is not needed",
            "B": "nothing about the division",
            "C": "the difference is lost in rounding",
        },
        answer="B",
        why={
            "A": "Both results are one-hot, so they agree whatever the divisor is. The test never "
            "looked at the division.",
            "B": "Scores of 10,000 make both rows one-hot: 10,000 apart or 1,000 apart, the winner "
            "takes all. Test with scores of about 1, where the divisor shows.",
            "C": "Small differences of rounding are not the point: the two results agree to the "
            "last digit, and yet one of the functions is wrong.",
        },
    ),
}
