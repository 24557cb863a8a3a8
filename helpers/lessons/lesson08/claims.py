"""Claims of section 八: attention does not know the order."""

from helpers.course.claims import Claim, Measure, Verdict, instead
from helpers.lessons.lesson08 import rivals

CLAIMS = (
    Claim(
        id="8.1",
        section="八",
        says="shuffle the words, and the outputs are shuffled in the same way, nothing else",
        verdict=Verdict.HOLDS_IF,
        remark="nothing marks the places: no causal mask and no positions; and to rounding, not "
        "bit for bit",
        measures=(
            Measure("off in float64 by", high=1e-12, form="{:.0e}"),
            Measure("in float32 by", high=5e-6, form="{:.0e}"),
        ),
        adversaries=instead(
            "attention.self_attention",
            rivals.places_added,
            rivals.nobody_looks_ahead,
            rivals.neighbours_only,
            rivals.a_running_mean,
        ),
    ),
    Claim(
        id="8.2",
        section="八",
        says="我打你 (I hit you) and 你打我 (you hit me) cannot be told apart",
        verdict=Verdict.HOLDS_IF,
        remark="nothing marks the places, as in 8.1; then for all that is read off a word's own "
        "vector or off their mean, and training does not help",
        measures=(
            Measure("vectors of the same word differ by", high=1e-12, form="{:.0e}"),
            Measure("their means by", high=1e-12, form="{:.0e}"),
            Measure("best of the trained models is right", 0.45, 0.52, "{:.0%}"),
        ),
        adversaries=(
            *instead("attention.self_attention", rivals.places_added),
            *instead("train_who_hits", rivals.always_causal),
        ),
    ),
    Claim(
        id="8.3",
        section="八",
        says="so positions have to be added to the input",
        verdict=Verdict.NOT_AS_WORDED,
        remark="they break the tie, and so do queries and keys turned by their places, or a bias "
        "on the scores that tells left from right, with nothing added to the input; under a "
        "causal mask two layers find out who hits, with no positions at all",
        measures=(
            Measure("right with positions added", low=0.85, form="{:.0%}"),
            Measure("with a causal mask alone", low=0.85, form="{:.0%}"),
            Measure("turned queries tell the orders apart by", low=0.04, form="{:.2f}"),
            Measure("a bias with a direction by", low=0.1, form="{:.2f}"),
            Measure("a bias without one by", high=1e-12, form="{:.0e}"),
        ),
        adversaries=(
            *instead("train_who_hits", rivals.never_told_the_order, rivals.hardly_trained),
            *instead("turn", rivals.all_turned_alike),
            *instead("marked", rivals.marks_only_the_input),
        ),
    ),
)
