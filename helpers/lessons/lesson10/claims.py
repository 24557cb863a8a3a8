"""Claims of section 十: differentiable and parallel."""

from helpers.course.claims import Claim, Measure, Verdict

CLAIMS = (
    Claim(
        id="10.1",
        section="十",
        says="a vague question, who should take notice of whom, becomes one differentiable "
        "weighted average",
        verdict=Verdict.HOLDS,
        remark="with soft weights; a lookup that takes the best match alone has no slope",
        measures=(
            Measure("off nudging by", high=1e-7, form="{:.0e}"),
            Measure("off PyTorch by", high=1e-8, form="{:.0e}"),
            Measure("largest slope of a hard lookup", high=0, form="{:.0f}"),
        ),
    ),
    Claim(
        id="10.2",
        section="十",
        says="attention lays out the whole sentence at once, an RNN goes step by step",
        verdict=Verdict.HOLDS_IF,
        remark="the text is already there: writing stays word by word, and fewer steps are not "
        "less work",
        measures=(
            Measure("attention with 16 words", high=10, form="{:.0f} steps"),
            Measure("attention with 1024", high=10, form="{:.0f} steps"),
            Measure("an RNN with 1024", low=1024, form="{:.0f} steps"),
            Measure("work of attention with 4096", low=2, form="{:.1f} times the RNN's"),
        ),
    ),
    Claim(
        id="10.3",
        section="十",
        says="being trainable is enough: who refers to whom is learned without being told",
        verdict=Verdict.HOLDS_IF,
        remark="finding the character helps to guess the next word; and the answer alone does "
        "not prove it, as equal weights are often right, too",
        measures=(
            Measure("right on unseen sentences", low=0.98, form="{:.1%}"),
            Measure("weight on the antecedent", low=0.9, form="{:.2f}"),
            Measure("right with uniform weights", 0.5, 0.9, "{:.0%}"),
            Measure("weight there", high=0.2, form="{:.2f}"),
            Measure("right on unseen names", low=0.95, form="{:.1%}"),
            Measure("weight on them", low=0.9, form="{:.2f}"),
        ),
    ),
    Claim(
        id="10.4",
        section="十",
        says="these two properties, and not likeness to a brain, are why attention won",
        verdict=Verdict.HOLDS_IF,
        remark="one asks what can be measured: slopes that do not fade with distance (an RNN has "
        "slopes, too, and they do), and steps that do not grow; the rest is history",
        measures=(
            Measure("attention from 255 words back", 0.1, 10, "{:.2f} of the signal"),
            Measure("an RNN", high=1e-6, form="{:.0e}"),
        ),
    ),
)
