"""Claims of section 四: score, normalise, sum."""

from helpers.course.claims import Claim, Measure, Verdict

CLAIMS = (
    Claim(
        id="4.1",
        section="四",
        says="the scores form an n × n table; row i is who looks, column j is who is looked at",
        verdict=Verdict.HOLDS,
        remark="for scores, which are not yet shares",
        measures=(Measure("matrix product and loops differ by", high=1e-12, form="{:.1e}"),),
    ),
    Claim(
        id="4.2",
        section="四",
        says="softmax turns each row into shares that add up to exactly 1; better fits get more",
        verdict=Verdict.HOLDS,
        remark="to rounding",
        measures=(
            Measure("row error", high=1e-12, form="{:.1e}"),
            Measure("rows in the same order", low=1, form="{:.0%}"),
        ),
    ),
    Claim(
        id="4.3",
        section="四",
        says="a weight of 0.8 means that eight tenths of this token's content go into the result",
        verdict=Verdict.HOLDS_IF,
        remark="it is read as a coefficient; its part of the result depends on the lengths of "
        "the values",
        measures=(
            Measure("coefficient", 0.8 - 1e-9, 0.8 + 1e-9, "{:.6f}"),
            Measure("part of the result for a short value", high=0.3, form="{:.3f}"),
        ),
    ),
    Claim(
        id="4.4",
        section="四",
        says="a token with a weight of 0.01 can be ignored",
        verdict=Verdict.HOLDS_IF,
        remark="its value is not far longer than the others",
        measures=(
            Measure("part of the result with equal lengths", high=0.05, form="{:.3f}"),
            Measure("hundred times as long", low=0.5, form="{:.2f}"),
        ),
    ),
    Claim(
        id="4.5",
        section="四",
        says="each new vector is a weighted average of the contents of all tokens",
        verdict=Verdict.HOLDS_IF,
        remark="one looks before W_O and before anything is added; there, no output reaches "
        "beyond the furthest value",
        measures=(Measure("reach beyond the values", high=1e-9, form="{:.2f}"),),
    ),
    Claim(
        id="4.6",
        section="四",
        says="every step is differentiable, so gradients reach all that is trained",
        verdict=Verdict.HOLDS,
        remark="and a lookup that takes the best fit alone has no slope",
        measures=(
            Measure("slope off by", high=1e-5, form="{:.0e}"),
            Measure("hard lookup moves by", high=0, form="{:.0f}"),
        ),
    ),
)
