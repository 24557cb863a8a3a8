"""Claims of section 三: queries, keys, values."""

from helpers.course.claims import Claim, Measure, Verdict, instead
from helpers.lessons.lesson03 import rivals

CLAIMS = (
    Claim(
        id="3.1",
        section="三",
        says="one table X, multiplied by three different matrices, gives three sets of vectors",
        verdict=Verdict.HOLDS,
        remark="each row of Q, K and V is made from its own row of X alone",
        measures=(
            Measure("queries and keys differ by", low=0.5, form="{:.0%} of their size"),
            Measure("rows of other tokens moved by", high=1e-12, form="{:.1g}"),
        ),
        adversaries=instead("toy_matrices", rivals.one_matrix_for_two),
    ),
    Claim(
        id="3.2",
        section="三",
        says="a query is what a token asks, a key is what it offers",
        verdict=Verdict.HOLDS_IF,
        remark="query and key are read as a pair; another basis for both changes every query and "
        "every key, and not one score",
        measures=(
            Measure("queries moved by", low=0.5, form="{:.1f}"),
            Measure("scores moved by", high=1e-9, form="{:.0e}"),
        ),
    ),
    Claim(
        id="3.3",
        section="三",
        says="a value is what a token carries, apart from what it is found by",
        verdict=Verdict.HOLDS,
        measures=(
            Measure("with another W_V the weights moved by", high=1e-12, form="{:.1g}"),
            Measure("the outputs by", low=0.3, form="{:.1f}"),
        ),
        adversaries=instead("self_attention", rivals.values_look, rivals.the_same_contents),
    ),
    Claim(
        id="3.4",
        section="三",
        says="the matrices are random at first; training alone makes the key of 小明 match the "
        "query of 他",
        verdict=Verdict.HOLDS,
        remark="and not for 小明 only: every male name matches",
        measures=(
            Measure("score before", -0.1, 0.1, "{:.3f}"),
            Measure("after", low=3, form="{:.1f}"),
            Measure("lead of the male names", low=0.5, form="{:.1f}"),
        ),
        adversaries=instead("train_coreference", rivals.no_training, rivals.all_keys_the_same),
    ),
)
