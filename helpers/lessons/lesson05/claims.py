"""Claims of section 五: why the scores are divided by √d_k."""

from helpers.course.claims import Claim, Measure, Verdict

CLAIMS = (
    Claim(
        id="5.1",
        section="五",
        says="the variance of a dot product of d_k products is about d_k",
        verdict=Verdict.HOLDS_IF,
        remark="the entries are independent, have mean 0 and variance 1",
        measures=(
            Measure("smallest slope", low=0.97, form="{:.3f}"),
            Measure("largest slope", high=1.03, form="{:.3f}"),
            Measure("with neighbours alike", low=5.0, form="{:.1f} times as much"),
        ),
    ),
    Claim(
        id="5.2",
        section="五",
        says="with scores this large, softmax puts nearly everything on one place",
        verdict=Verdict.HOLDS,
        remark="for n = 64 and d_k = 512; short vectors give graded weights without help",
        measures=(
            Measure("largest weight", low=0.85, form="{:.2f} of the row"),
            Measure("with two entries", high=0.35, form="{:.2f}"),
        ),
    ),
    Claim(
        id="5.3",
        section="五",
        says="such a distribution has tiny gradients, so these parameters hardly get a signal",
        verdict=Verdict.NOT_AS_WORDED,
        remark="the typical row is frozen, but the gradient of W_Q is larger than with the "
        "division, and comes from a few rows",
        measures=(
            Measure("median row", high=0.1, form="{:.4f} times the one with division"),
            Measure("W_Q", low=2.0, form="{:.1f} times"),
            Measure("from the top tenth of rows", low=0.75, form="{:.0%}"),
        ),
    ),
    Claim(
        id="5.4",
        section="五",
        says="dividing by √d_k brings the variance back to about 1, whatever d_k is",
        verdict=Verdict.HOLDS_IF,
        remark="training has not begun; the scores of the trained layer spread more",
        measures=(
            Measure("smallest variance", low=0.88, form="{:.2f}"),
            Measure("largest variance", high=1.12, form="{:.2f}"),
            Measure("after training", low=3.0, form="{:.1f}"),
        ),
    ),
    Claim(
        id="5.5",
        section="五",
        says="the weights then stay graded, not extreme, and training works",
        verdict=Verdict.HOLDS_IF,
        remark="graded is asked of the start; without the division training is far slower or "
        "fails, with 1/d_k it works too",
        measures=(
            Measure("largest weight at the start", 0.08, 0.14, "{:.2f} of 64 tokens' row"),
            Measure("steps", high=60, form="{:.0f}"),
            Measure("without the division", low=4.0, form="at least {:.0f} times as many"),
            Measure("with one over d", 1.2, 5.0, "{:.1f} times as many"),
        ),
    ),
)
