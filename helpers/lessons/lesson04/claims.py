"""Claims of section 四: score, normalise, sum."""

from helpers.course.claims import Claim, Evidence, Measure, Verdict, instead
from helpers.lessons.lesson04 import rivals

CLAIMS = (
    Claim(
        id="4.1",
        section="四",
        says="the scores form an n × n table; row i is who looks, column j is who is looked at",
        verdict=Verdict.HOLDS,
        remark="a score is not yet a share: that depends on the whole row",
        measures=(
            Measure("rows changed", 1, 1, "{:.0f}"),
            Measure("columns changed", 1, 1, "{:.0f}"),
        ),
        adversaries=instead("scores_with_loops", rivals.keys_ask, rivals.one_question_for_all),
    ),
    Claim(
        id="4.2",
        section="四",
        says="softmax turns each row into shares that add up to exactly 1; better fits get more",
        verdict=Verdict.HOLDS,
        remark="to rounding",
        measures=(
            Measure("row sums off by", high=1e-12, form="{:.1e}"),
            Measure("pairs in order", low=1, form="{:.0%}"),
        ),
        adversaries=instead(
            "attention.softmax", rivals.along_the_columns, rivals.sigmoids, rivals.equal_shares
        ),
    ),
    Claim(
        id="4.3",
        section="四",
        says="a weight of 0.8 means that eight tenths of this token's content go into the result",
        verdict=Verdict.HOLDS_IF,
        remark="all values are the same vector; as the factor before the value, it always holds",
        measures=(
            Measure("equal values", 0.8 - 1e-9, 0.8 + 1e-9, "{:.3f}"),
            Measure("right angles", low=0.95, form="{:.3f}"),
            Measure("short value", high=0.3, form="{:.3f}"),
        ),
        adversaries=(
            *instead("part_of_result", rivals.the_weight_itself, rivals.by_length_alone),
            *instead(
                "attention.softmax", rivals.winner_takes_all, rivals.equal_shares, rivals.sigmoids
            ),
        ),
    ),
    Claim(
        id="4.4",
        section="四",
        says="a token with a weight of 0.01 can be ignored",
        verdict=Verdict.HOLDS_IF,
        remark="its value is not far longer than the others, and it is not one of a crowd",
        measures=(
            Measure("alone", high=0.05, form="{:.4f}"),
            Measure("hundred times longer", low=0.5, form="{:.2f}"),
            Measure("two thousand", low=0.45, form="{:.2f}"),
        ),
        adversaries=(
            *instead("part_of_result", rivals.the_weight_itself),
            *instead("attention.softmax", rivals.winner_takes_all, rivals.equal_shares),
        ),
    ),
    Claim(
        id="4.5",
        section="四",
        says="each new vector is a weighted average of the contents of all tokens",
        verdict=Verdict.HOLDS,
        remark="as long as nothing is multiplied with it or added to it afterwards",
        measures=(
            Measure("largest weight", low=0.5, form="{:.3f}"),
            Measure("lowest share", low=-1e-9, form="{:.1e}"),
            Measure("rest", high=1e-9, form="{:.1e}"),
        ),
        evidence=Evidence.PROVED,
        source="Factors that are not negative and add up to 1 make an average, by definition",
        adversaries=instead(
            "attention.self_attention",
            rivals.rows_of_too_much,
            rivals.nothing_comes_out,
            rivals.columns_add_up,
            rivals.some_weights_negative,
            rivals.random_vectors,
            rivals.values_and_input,
        ),
    ),
    Claim(
        id="4.6",
        section="四",
        says="every step is differentiable, so gradients reach all that is trained",
        verdict=Verdict.HOLDS,
        remark="a lookup that takes the best fit alone has no slope for its queries and keys, "
        "only for its values",
        measures=(
            Measure("slope", low=0.05, form="{:.3f}"),
            Measure("off by", high=1e-5, form="{:.0e}"),
        ),
        adversaries=instead("attention.self_attention", rivals.hard_lookup, rivals.scores_in_steps),
    ),
)
