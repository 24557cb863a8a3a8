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
            Measure("five sentences at once off by", low=0.3, form="{:.1f}"),
        ),
        adversaries=instead("skeleton", rivals.never_divided, rivals.last_two_axes),
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
        adversaries=(
            *instead("attention.multi_head_attention", rivals.blind_to_masks, rivals.side_by_side),
            *instead("attention.self_attention", rivals.plain_mean),
        ),
    ),
    Claim(
        id="9.4",
        section="九",
        says="another model or task repeats the structure, and only the number of parameters "
        "differs",
        verdict=Verdict.NOT_AS_WORDED,
        remark="score, normalise, sum comes again; but who may look at whom, whose keys are looked "
        "at, how heads share them and how places enter differ, with the same parameters",
        measures=(Measure("with the same matrices outputs differ by", low=0.2, form="{:.2f}"),),
        adversaries=instead("attention.self_attention", rivals.sees_everything),
    ),
)
