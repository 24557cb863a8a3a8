"""Claims of section 十: differentiable and parallel."""

from helpers.course.claims import Adversary, Claim, Measure, Verdict, instead
from helpers.lessons.lesson10 import rivals

CLAIMS = (
    Claim(
        id="10.1",
        section="十",
        says="a vague question, who should take notice of whom, becomes one differentiable "
        "weighted average",
        verdict=Verdict.HOLDS,
        remark="with soft weights; where the best match takes all, only the values have a slope",
        measures=(
            Measure("off nudging by", high=1e-7, form="{:.0e}"),
            Measure("hard lookup by Q and K", high=0, form="{:.0f}"),
            Measure("hard lookup by V", low=0.1, form="{:.2f}"),
        ),
        adversaries=(
            *instead(
                "backward",
                rivals.no_average,
                rivals.never_scaled,
                rivals.nothing_to_learn_where_to_look,
            ),
            *instead("hard", rivals.soft_after_all),
        ),
    ),
    Claim(
        id="10.2",
        section="十",
        says="attention lays out the whole sentence at once, an RNN goes step by step",
        verdict=Verdict.HOLDS_IF,
        remark="the text is already there and the RNN is not linear: a linear one is folded in "
        "log n rounds; and few steps are not little work",
        measures=(
            Measure("attention 16 words", high=10, form="{:.0f} steps"),
            Measure("attention 1024", high=10, form="{:.0f} steps"),
            Measure("RNN 1024", low=1024, form="{:.0f} steps"),
            Measure("linear RNN 1024", high=30, form="{:.0f} steps"),
            Measure("off word by word by", high=1e-9, form="{:.0e}"),
        ),
        adversaries=(
            *instead("with_attention", rivals.row_by_row),
            *instead("with_rnn", rivals.linear_state),
            *instead("with_linear_rnn", rivals.word_by_word, rivals.pairs_without_fading),
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
            Measure("right", low=0.98, form="{:.1%}"),
            Measure("weight", low=0.9, form="{:.2f}"),
            Measure("right with equal weights", 0.3, 0.75, "{:.0%}"),
            Measure("weight there", high=0.2, form="{:.2f}"),
        ),
        adversaries=instead("backward", rivals.no_average, rivals.nothing_to_learn_where_to_look),
    ),
    Claim(
        id="10.4",
        section="十",
        says="these two properties, and not likeness to a brain, are why attention won",
        verdict=Verdict.HOLDS_IF,
        remark="one asks what can be measured: its slopes know no distance but fall as 1/n, and "
        "an RNN's fade with its usual start only; the rest is history",
        measures=(
            Measure("usual RNN", high=1e-6, form="{:.0e} of the last word's slope"),
            Measure("gated RNN", low=0.03, form="{:.2f}"),
            Measure("attention 16 words times 16", 0.3, 3, form="{:.2f}"),
            Measure("attention 1024 words times 1024", 0.3, 3, form="{:.2f}"),
        ),
        adversaries=(
            Adversary("A gate that is half open at the start", {"gated": 0.5}),
            Adversary("A usual start that keeps as much as the gated one", {"usual": 0.99}),
            *instead("attention_slope", rivals.slope_of_a_window),
        ),
    ),
)
