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
        adversaries=(
            *instead("toy_matrices", rivals.one_matrix_for_two),
            *instead("three_sets", rivals.each_sees_those_before, rivals.each_sees_the_mean),
        ),
    ),
    Claim(
        id="3.2",
        section="三",
        says="a query is what a token asks, a key is the label that it offers",
        verdict=Verdict.HOLDS_IF,
        remark="the two are read as a pair: alone, neither says what it asks or offers",
        measures=(
            Measure("queries moved by", low=0.5, form="{:.1f}"),
            Measure("scores moved with both in another order", high=1e-9, form="{:.1g}"),
            Measure("with the queries alone", low=2, form="{:.1f}"),
        ),
        adversaries=instead(
            "pair_scores", rivals.some_channels_are_louder, rivals.only_the_length_of_the_query
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
        adversaries=instead(
            "attention.self_attention", rivals.values_look, rivals.the_same_contents
        ),
    ),
    Claim(
        id="3.4",
        section="三",
        says="the matrices are random at first; by training the key of 小明 (Xiaoming) comes to "
        "match the query of 他 (he)",
        verdict=Verdict.HOLDS,
        remark="for every male name alike. But training was told the right name each time; that "
        "nobody says who is meant is tested in lesson 10 only",
        measures=(
            Measure("score before", -0.1, 0.1, "{:.3f}"),
            Measure("after", low=3, form="{:.1f}"),
            Measure("lead of the male names", low=0.5, form="{:.1f}"),
            Measure("right answers", low=0.95, form="{:.0%}"),
            Measure("right with equal weights", high=0.8, form="{:.0%}"),
        ),
        adversaries=instead(
            "experiment.train",
            rivals.no_training,
            rivals.all_keys_the_same,
            rivals.equal_weights_for_ever,
        ),
    ),
)
