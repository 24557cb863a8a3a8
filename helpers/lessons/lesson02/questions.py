"""Predictions and closing questions of lesson 02."""

from helpers.course.questions import Question

QUESTIONS = {
    "2.1": Question(
        ask="The query lies exactly halfway between the labels of *ships* and *fish*, and the "
        "lookup is sharp. What comes out?",
        options={
            "A": "the content of *ships*, since it comes first on the shelf",
            "B": "nothing, as the query is equal to no label",
            "C": "*ships* and *fish* in equal shares, and a little of the others",
        },
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
        ask="You make the label of *gardens* twice as long. Its direction stays. The query "
        "points towards land, a little nearer to *forests*. What happens to the share of "
        "*gardens*?",
        options={
            "A": "it falls: a longer arrow is harder to match",
            "B": "it grows",
            "C": "it stays: the direction is what counts",
        },
        answer="B",
        why={
            "A": "By distance it would be so: the tip of a longer arrow lies further away. A dot "
            "product does not ask where the tip is.",
            "B": "A dot product doubles when the label doubles. Here it is positive, so the book "
            "is heard better. For a query that points away it would be heard less.",
            "C": "The direction is the same, and for cosine nothing changes. A dot product also "
            "counts the length.",
        },
    ),
    "2.3": Question(
        ask="他 takes its own vector as the query, and all ten vectors as keys. Which token "
        "gets the largest share?",
        options={
            "A": "小明, the only other person",
            "B": "他 itself",
            "C": "走了 (left), the word that follows",
        },
        answer="B",
        why={
            "A": "That is where the course wants to get. But the raw vectors do not know yet that "
            "他 is looking for somebody else.",
            "B": "他 agrees with 他 in two features, with 小明 in one. A much longer vector could "
            "win all the same: a dot product also counts length.",
            "C": "走了 stands next to 他, but the order of the words plays no part in a dot "
            "product (lesson 08).",
        },
    ),
    "2.q1": Question(
        ask="The sharpness grows without end, and no two labels tie. What does a soft lookup "
        "become?",
        options={
            "A": "a plain average",
            "B": "undefined, as the scores are infinite",
            "C": "a hard lookup",
        },
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
        ask="Ten tokens look up at the same time. Why is that possible?",
        options={
            "A": "each row of the product is a lookup of its own",
            "B": "it is not: token 9 has to wait for token 8",
            "C": "only some of the tokens look up",
        },
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
        ask="You change a book's label and leave its content. What can change in the answer?",
        options={
            "A": "what this book contributes per share",
            "B": "how large its share is",
            "C": "nothing",
        },
        answer="B",
        why={
            "A": "Labels are only compared. What goes into the answer is the content.",
            "B": "The label decides how much, the content decides what.",
            "C": "The query is compared with the labels, and then it has done its work.",
        },
    ),
}
