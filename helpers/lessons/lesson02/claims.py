"""Claims of section 二: the library."""

from helpers.course.claims import Claim, Measure, Verdict, instead
from helpers.lessons.lesson02 import rivals

CLAIMS = (
    Claim(
        id="2.1",
        section="二",
        says="the more similar a label is to the query, the more of its book comes into the answer",
        verdict=Verdict.HOLDS,
        remark="within one lookup: the shares of another query cannot be compared",
        measures=(Measure("pairs of books in the wrong order", high=0, form="{:.0f}"),),
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
        "sentences, and they change the weights",
        measures=(
            Measure("same sentence twice differs by", high=0, form="{:.0f}"),
            Measure("with other matrices weights move by", low=0.1, form="{:.2f}"),
        ),
    ),
)
