"""Claims of section 一: the question, and two ways to reach back."""

from helpers.course.claims import Claim, Evidence, Measure, Verdict, instead
from helpers.lessons.lesson01 import rivals

CLAIMS = (
    Claim(
        id="1.1",
        section="一",
        says="an RNN reads word by word into a state of fixed size, where all that was read "
        "competes for room",
        verdict=Verdict.HOLDS,
        remark="a larger state holds more; how much of the room is used depends on the readout "
        "and on training",
        measures=(
            Measure("two facts", low=0.95, form="{:.0%} right"),
            Measure("sixteen facts", high=0.72, form="{:.0%} right"),
            Measure("in a larger state", low=0.92, form="{:.0%}"),
        ),
        adversaries=(
            *instead("read", rivals.sum_of_the_words, rivals.last_word_alone),
            *instead("right_by_distance", rivals.every_fact_kept),
        ),
    ),
    Claim(
        id="1.2",
        section="一",
        says="the longer the sequence, the fainter its early words",
        verdict=Verdict.HOLDS_IF,
        remark="each step shrinks what the state holds; one that turns loses early and late facts "
        "more alike, and a gate that knows the question keeps its answer",
        measures=(
            Measure("last four", low=0.9, form="{:.0%} right"),
            Measure("first four", high=0.3, form="{:.0%}"),
            Measure("first four if turned", low=0.36, form="{:.0%}"),
            Measure("first four if asked", low=0.97, form="{:.0%}"),
        ),
        adversaries=(
            *instead("read", rivals.sum_of_the_words, rivals.last_word_alone),
            *instead("start", rivals.always_turning),
            *instead("read_with_gate", rivals.gate_never_closed),
        ),
    ),
    Claim(
        id="1.3",
        section="一",
        says="attention looks at every position anew, however far back it is",
        verdict=Verdict.HOLDS,
        remark="distance is not in the formula; but length costs: each further word takes its "
        "share. A model that is given positions does depend on place",
        measures=(
            Measure("share moved", high=1e-9, form="{:.0e}"),
            Measure("share alone", low=0.79, high=0.81, form="{:.2f}"),
            Measure("share in a crowd", low=0.39, high=0.41, form="{:.2f}"),
        ),
        evidence=Evidence.PROVED,
        source="A sum does not depend on the order of its terms",
        adversaries=instead(
            "look", rivals.nearer_counts_more, rivals.all_alike, rivals.best_one_alone
        ),
    ),
    Claim(
        id="1.4",
        section="一",
        says="他 (he) gives most of its attention to 小明 (Xiaoming)",
        verdict=Verdict.HOLDS_IF,
        remark="the model is trained (it is told the right name, and never where to look)",
        measures=(
            Measure("untrained", high=0.2, form="{:.2f}"),
            Measure("trained", low=0.9, form="{:.2f}"),
            Measure("she in the pair", low=0.9, form="{:.2f}"),
            Measure("exam", low=0.95, form="{:.0%} right"),
        ),
        adversaries=instead(
            "train_coreference",
            rivals.never_trained,
            rivals.weights_alike_for_ever,
            rivals.pronouns_alike,
        ),
    ),
)
