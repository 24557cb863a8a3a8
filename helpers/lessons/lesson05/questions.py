"""Predictions and closing questions of lesson 05."""

from helpers.course.questions import Question

QUESTIONS = {
    "5.1": Question(
        ask="Vectors of 400 entries in place of 4: a hundred times as many products. How large "
        "is a typical q·k, compared with before?",
        options={
            "A": "about the same: positive and negative products cancel",
            "B": "about ten times as large",
            "C": "about a hundred times as large",
        },
        answer="B",
        why={
            "A": "They cancel, but not completely. Toss 400 coins: heads and tails hardly ever "
            "come out equal.",
            "B": "A sum of d random numbers around zero is a walk of d steps, forward or back: it "
            "ends about √d away. The root of 100 is 10.",
            "C": "That would be so if every step went the same way. Half of them go back.",
        },
    ),
    "5.2": Question(
        ask="Nothing has been trained. Softmax turns the undivided `dots` into weights. What "
        "does a row look like?",
        options={
            "A": "about 0.1 for each token, as nothing has been learned",
            "B": "nearly everything on one token, whichever it happens to be",
            "C": "most of it on the token itself, as a vector fits itself best",
        },
        answer="B",
        why={
            "A": "Nothing has been learned, but the scores are far from equal. Softmax cannot know "
            "that this is chance.",
            "B": "Scores differ by tens of points, and each point is a factor of 2.72. The random "
            "start decides who wins.",
            "C": "The question and the answer are made with two different random matrices. They "
            "say nothing yet about who is alike.",
        },
    ),
    "5.3": Question(
        ask="d_k = 512. Scores are not divided, divided by √d_k, or divided by d_k. Who learns?",
        options={
            "A": "only √d_k: else nothing moves, or all weights stay equal",
            "B": "√d_k and d_k; without a division far slower",
            "C": "all three alike: W_Q and W_K learn the right size by themselves",
        },
        answer="B",
        why={
            "A": "Flat rows are no trap: all slopes are there. And without the division the rows "
            "that are not frozen do learn.",
            "B": "Flat rows and graded rows can both move. Rows frozen on a wrong token can not, "
            "and they thaw slowly.",
            "C": "They could shrink in principle. But a frozen row asks for no change at all.",
        },
    ),
    "5.4": Question(
        ask="Divide by √d_k, but in batches of 4 stories: now two batches agree as little as "
        "without the division in batches of 32. What happens?",
        options={
            "A": "it is as slow as without the division: noise was the cause",
            "B": "it still learns: noise was not the cause",
            "C": "it is faster: small batches always learn in fewer steps",
        },
        answer="B",
        why={
            "A": "Noise costs some steps, no more: no row is frozen, so every story says "
            "something.",
            "B": "The noise is the same, the learning is not. What differs is the share of rows "
            "that sit on a wrong token.",
            "C": "It takes more steps than in batches of 32. But it gets there.",
        },
    ),
    "5.q1": Question(
        ask="X has 1024 columns. There are 16 heads, and each query has 64 entries. By what "
        "is a score divided?",
        options={"A": "4", "B": "32", "C": "8"},
        answer="C",
        why={
            "A": "4 is the root of the number of heads. A head does not know how many others there "
            "are.",
            "B": "32 is the root of 1024, the width of X. A query here has 64 entries.",
            "C": "A score adds d_k = 64 products, so its standard deviation is the root of 64.",
        },
    ),
    "5.q2": Question(
        ask="Softmax subtracts the largest score of a row first. Is the division still needed?",
        options={
            "A": "no: large numbers are gone after the subtraction",
            "B": "yes: the subtraction leaves all differences as they are",
            "C": "no, if the numbers are stored with enough digits",
        },
        answer="B",
        why={
            "A": "Large numbers are gone, large differences are not, and softmax sees only these.",
            "B": "The subtraction keeps exponentials finite and changes no weight. The division "
            "makes differences smaller.",
            "C": "A row that is one-hot in exact arithmetic is one-hot with any number of digits.",
        },
    ),
    "5.q3": Question(
        ask="The model above was started with the division by √d_k and has learned its task. "
        "What is the standard deviation of its scores?",
        options={
            "A": "about 1: that is what the division is for",
            "B": "larger than 1",
            "C": "smaller than 1",
        },
        answer="B",
        why={
            "A": "The division sets the start only. Training moves the scores apart.",
            "B": "Here each query has to find one key among sixteen, so its row has to become "
            "sharp. A head that should average would stay flat.",
            "C": "They would shrink if W_Q or W_K shrank. This task pulls the other way.",
        },
    ),
}
