"""Claims of section 九: the skeleton of the code."""

from helpers.course.claims import Claim, Measure, Verdict, instead
from helpers.lessons.lesson09 import rivals

CLAIMS = (
    Claim(
        id="9.1",
        section="九",
        says="at its core, self-attention is a dozen lines of code",
        verdict=Verdict.HOLDS_IF,
        remark="one sentence comes at a time; on a batch the same lines fail, or give other "
        "numbers in the right shape",
        measures=(
            Measure("one sentence off from PyTorch by", high=1e-12, form="{:.0e}"),
            Measure("five sentences at once off by", low=0.1, form="{:.1f}"),
        ),
    ),
    Claim(
        id="9.2",
        section="九",
        says="subtracting the maximum first keeps the exponentials from overflowing",
        verdict=Verdict.HOLDS,
        remark="a row of nothing but −∞ has no maximum to subtract, and needs a rule of its own",
        measures=(
            Measure("rows lost without it", low=0.4, form="{:.0%}"),
            Measure("with it", high=0, form="{:.0%}"),
            Measure("with it but all minus infinity", low=1, form="{:.0%}"),
        ),
        adversaries=instead("softmax", rivals.cut_off, rivals.a_little_below),
    ),
    Claim(
        id="9.3",
        section="九",
        says="real code adds a batch, a causal mask and so on, and the skeleton stays",
        verdict=Verdict.HOLDS_IF,
        remark='"and so on" is read widely: heads and W_O, padding, rows that see nothing, short '
        "number formats and dropout come on top",
        measures=(
            Measure("with all of it off from PyTorch by", high=1e-9, form="{:.0e}"),
            Measure("without it off from the skeleton by", high=1e-12, form="{:.0e}"),
        ),
    ),
)
