"""Predictions and closing questions of lesson 02."""

from . import Question

QUESTIONS = {
    "2.1": Question(
        answer="C",
        why={
            "A": "A dictionary behaves like this: one key, one value, all or nothing. In a soft "
            "lookup no winner takes everything.",
            "B": "This is what a dictionary does with a key it does not hold. A soft lookup cannot "
            "fail: every label is similar to some degree.",
            "C": "Both labels fit equally well, so both books get the same share. The others fit "
            "less and get less, but not nothing.",
        },
    ),
    "2.2": Question(
        answer="B",
        why={
            "A": "Longer arrows would win if the query were compared by cosine, which ignores "
            "length; but then length would play no part at all.",
            "B": "A dot product doubles when the label doubles. The book shouts, and is heard, "
            "although it lies in the same direction as before.",
            "C": "The direction is the same, and for cosine nothing changes. A dot product also "
            "counts the length.",
        },
    ),
    "2.3": Question(
        answer="B",
        why={
            "A": "That is where the course wants to get. But the raw vectors do not know yet that "
            "他 is looking for somebody else.",
            "B": "Nothing is more similar to a vector than the vector itself, when all are about "
            "equally long. 小明 comes second.",
            "C": "走了 stands next to 他, but the order of the words plays no part in a dot "
            "product (lesson 08).",
        },
    ),
    "2.q1": Question(
        answer="C",
        why={
            "A": "A plain average is the other end: sharpness 0.",
            "B": "Nothing becomes undefined. Very large scores only have to be handled with care "
            "(lesson 04).",
            "C": "The best label takes the whole share, and the soft lookup has become a "
            "dictionary.",
        },
    ),
    "2.q2": Question(
        answer="A",
        why={
            "A": "Each row of the product is one query against all keys. The rows do not wait for "
            "each other.",
            "B": "No lookup uses the result of another, so there is nothing to wait for. An RNN "
            "does have to wait (lesson 01).",
            "C": "Every token looks up, the comma too. What it finds may be of little use.",
        },
    ),
    "2.q3": Question(
        answer="B",
        why={
            "A": "Labels are only compared. What goes into the answer is the content.",
            "B": "The label decides how much, the content decides what.",
            "C": "The query is compared with the labels, and then it has done its work.",
        },
    ),
    "2.q4": Question(
        answer="B",
        why={
            "A": "A GRU remembers one name over a hundred words. Distance alone is not it.",
            "B": "All that was read has to fit into one state of fixed size. A lookup keeps every "
            "position and goes back to it.",
            "C": "Both are made of matrix products. That is not where they differ.",
        },
    ),
}
