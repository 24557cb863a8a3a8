"""Claims of section 五: why the scores are divided by √d_k."""

from helpers.course.claims import Adversary, Claim, Measure, Verdict, instead
from helpers.lessons.lesson05 import rivals

CLAIMS = (
    Claim(
        id="5.1",
        section="五",
        says="the variance of a dot product of d_k products is about d_k",
        verdict=Verdict.HOLDS_IF,
        remark="entries are independent, with mean 0 and variance 1. Where k resembles q, the "
        "square of q·k grows like the square of d_k",
        measures=(
            Measure("smallest power of d", low=0.95, form="{:.3f}"),
            Measure("largest power of d", high=1.05, form="{:.3f}"),
            Measure("power if k resembles q", low=1.7, form="{:.2f}"),
        ),
        adversaries=instead(
            "dot", rivals.cosine, rivals.mean_of_the_products, rivals.first_product
        ),
    ),
    Claim(
        id="5.2",
        section="五",
        says="with scores this large, softmax puts nearly everything on one place",
        verdict=Verdict.HOLDS_IF,
        remark="queries and keys have long vectors and entries of variance 1. Real models start "
        "smaller: a spread of 2.45, as in GPT-2, is sharp but far from one-hot",
        measures=(
            Measure("largest weight", low=0.85, form="{:.2f} of a row of 64"),
            Measure("with two entries", high=0.4, form="{:.2f}"),
            Measure("at a spread like GPT2", 0.25, 0.55, "{:.2f}"),
        ),
        adversaries=instead(
            "softmax", rivals.equal_shares, rivals.sigmoids, rivals.spread_taken_out
        ),
    ),
    Claim(
        id="5.3",
        section="五",
        says="such a distribution has tiny gradients, so these parameters hardly get a signal",
        verdict=Verdict.HOLDS_IF,
        remark="it is said of the typical row, at softmax's input. W_Q gets more in all: a few "
        "rows near a tie are loud, and nothing divides on the way back. W_V does not starve",
        measures=(
            Measure("typical row", high=0.05, form="{:.4f} times the one with division"),
            Measure("W_Q", 2.0, 22.0, "{:.1f} times"),
            Measure("W_V", low=1.0, form="{:.1f} times"),
        ),
        adversaries=instead("softmax", rivals.equal_shares, rivals.spread_taken_out),
    ),
    Claim(
        id="5.4",
        section="五",
        says="dividing by √d_k brings the variance back to about 1, whatever d_k is",
        verdict=Verdict.HOLDS_IF,
        remark="training has not begun; the scores of the trained layer spread more",
        measures=(
            Measure("smallest variance", low=0.85, form="{:.2f}"),
            Measure("largest variance", high=1.15, form="{:.2f}"),
            Measure("after training", low=3.0, form="{:.1f}"),
        ),
        adversaries=instead("root_of", rivals.d_itself, rivals.fourth_root, rivals.always_eight),
    ),
    Claim(
        id="5.5",
        section="五",
        says="the weights then stay graded, not extreme, and training works",
        verdict=Verdict.HOLDS_IF,
        remark="graded is asked of the start. Without the division, what is wrong late is what "
        "was frozen; noisy batches do not explain it",
        measures=(
            Measure("largest weight at the start", 0.08, 0.14, "{:.2f} of a row of 64"),
            Measure("steps", high=80, form="{:.0f}"),
            Measure("steps in noisy batches", high=115, form="{:.0f}"),
            Measure("right without the division", high=0.9, form="{:.2f} at the end"),
            Measure("frozen and error differ by", high=0.08, form="{:.3f}"),
        ),
        adversaries=(
            *instead("root_of", rivals.no_division, rivals.d_itself),
            Adversary(
                "The same share for all, so that no gradient reaches queries and keys",
                {"softmax": rivals.equal_shares, "softmax_backward": rivals.nothing_comes_back},
            ),
        ),
    ),
)
