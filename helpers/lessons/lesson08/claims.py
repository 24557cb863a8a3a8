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
            "self_attention",
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
            *instead("self_attention", rivals.places_added),
            *instead("train_who_hits", rivals.always_causal),
        ),
    ),
    Claim(
        id="8.3",
        section="八",
        says="so positions have to be added to the input",
        verdict=Verdict.HOLDS_IF,
        remark="every word sees every other; under a causal mask two layers find out who hits, "
        "and no positions are added",
        measures=(
            Measure("right with positions", low=0.85, form="{:.0%}"),
            Measure("with a causal mask alone", low=0.85, form="{:.0%}"),
        ),
        adversaries=instead("train_who_hits", rivals.never_told_the_order, rivals.hardly_trained),
    ),
)
