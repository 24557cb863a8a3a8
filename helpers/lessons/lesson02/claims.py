"""Claims of section 二: the library."""

from helpers.course.claims import Claim, Measure, Verdict, instead
from helpers.lessons.lesson02 import rivals

CLAIMS = (
    Claim(
        id="2.1",
        section="二",
        says="the more similar a label is to the query, the more of its book comes into the answer",
        verdict=Verdict.HOLDS_IF,
        remark="similar means the score itself, here the dot product; by distance some pairs of "
        "books stand the other way round. And only within one lookup: its shares add up to 1",
        measures=(
            Measure("pairs in the order of their scores", low=1, form="{:.0%}"),
            Measure("shares add up to", 1 - 1e-9, 1 + 1e-9, "{:.6f}"),
            Measure("pairs against the order of their distances", low=0.002, form="{:.1%}"),
        ),
        adversaries=instead("softmax", rivals.equal_shares, rivals.sigmoids, rivals.winner_alone),
    ),
    Claim(
        id="2.2",
        section="二",
        says="every word starts its own lookup, all at the same time",
        verdict=Verdict.HOLDS,
        remark="no lookup needs the result of another",
        measures=(Measure("one product and ten lookups differ by", high=1e-12, form="{:.1e}"),),
        adversaries=instead("softmax", rivals.among_the_askers, rivals.among_all_at_once),
    ),
    Claim(
        id="2.3",
        section="二",
        says="query, key and value all come from the sentence, nothing from outside",
        verdict=Verdict.HOLDS_IF,
        remark="the three matrices of lesson 03 are not counted: they are learned from other "
        "sentences, and the weights move with them as they move with the words",
        measures=(
            Measure("other words move the weights by", low=0.1, form="{:.2f}"),
            Measure("other matrices move them by", low=0.1, form="{:.2f}"),
        ),
        adversaries=(
            *instead("softmax", rivals.equal_shares),
            *instead("weights_with", rivals.a_table_learned_by_heart, rivals.the_words_alone),
        ),
    ),
)
