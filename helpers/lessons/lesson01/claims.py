"""Claims of section 一: the question, and two ways to reach back."""

from helpers.course.claims import Claim, Measure, Verdict

CLAIMS = (
    Claim(
        id="1.1",
        section="一",
        says="an RNN reads word by word into a state of fixed size, where all that was read "
        "competes for room",
        verdict=Verdict.HOLDS,
        remark="the room is what training has learned to use: longer training packs more facts "
        "into a state of the same size",
        measures=(
            Measure("state of 32 with 2 facts", low=0.95, form="{:.0%} right"),
            Measure("with 16 facts", high=0.72, form="{:.0%}"),
            Measure("state of 128 with 16 facts", low=0.92, form="{:.0%}"),
            Measure("gain of the 32 by longer training", low=0.04, form="{:.0%}"),
        ),
    ),
    Claim(
        id="1.2",
        section="一",
        says="the longer the sequence, the fainter its early words",
        verdict=Verdict.HOLDS_IF,
        remark="the reader is a plain RNN; a GRU loses the signal at the start of training, but "
        "learns to keep one fact for long, loses near and far facts alike when they are too "
        "many, and loses almost none when it knows the question while reading",
        measures=(
            Measure("signal of an untrained RNN from 32 words back", high=1e-6, form="{:.0e}"),
            Measure("RNN on one fact 20 words back", high=0.25, form="{:.0%} right"),
            Measure("GRU 200 words back", low=0.95, form="{:.0%}"),
            Measure("GRU on 16 facts near minus far", -0.12, 0.12, "{:.0%}"),
            Measure("GRU that knows the question farthest of 16", low=0.93, form="{:.0%}"),
        ),
    ),
    Claim(
        id="1.3",
        section="一",
        says="attention looks at every position anew, so distance does not make a word fainter",
        verdict=Verdict.HOLDS,
        remark="the price: it keeps every word, so its memory grows with the text",
        measures=(
            Measure("worst of 16 distances", low=0.98, form="{:.0%} right"),
            Measure("one fact 200 words back", low=0.98, form="{:.0%}"),
        ),
    ),
    Claim(
        id="1.4",
        section="一",
        says="他 gives most of its attention to 小明",
        verdict=Verdict.HOLDS_IF,
        remark="the model is trained (it is told the right name, and never where to look)",
        measures=(
            Measure("weight on 小明 before training", high=0.2, form="{:.2f}"),
            Measure("after training", low=0.9, form="{:.2f}"),
            Measure("from 她 on 小红 in the pair", low=0.9, form="{:.2f}"),
        ),
    ),
)
