"""Claims of section 六: many heads."""

from helpers.course.claims import Claim, Measure, Verdict, instead
from helpers.lessons.lesson06 import rivals

CLAIMS = (
    Claim(
        id="6.1",
        section="六",
        says="one head has one set of weights, so several relations end in a compromise",
        verdict=Verdict.HOLDS_IF,
        remark="the relations meet in one row, and what reads the result is linear; in different "
        "rows one head serves both, and with a nonlinear readout one head is enough, later",
        measures=(
            Measure("one head in two rows", low=0.95, form="{:.0%}"),
            Measure("one head in one row", high=0.65, form="{:.0%}"),
            Measure("two heads in one row", low=0.95, form="{:.0%}"),
            Measure("one head with a ReLU", low=0.95, form="{:.0%}"),
        ),
        adversaries=(
            *instead(
                "train",
                rivals.hardly_trained,
                rivals.two_heads_always,
                rivals.always_linear,
            ),
            *instead("attention.multi_head_attention", rivals.equal_weights),
        ),
    ),
    Claim(
        id="6.2",
        section="六",
        says="d_model is cut into h parts, each attends by itself, the results are joined and "
        "pass through W_O",
        verdict=Verdict.HOLDS,
        remark="what is cut are the columns of Q, K and V; every head reads all of X",
        measures=(
            Measure("cut and separate heads differ by", high=1e-12, form="{:.1e}"),
            Measure("heads that feel one column of X", low=1, form="{:.0%}"),
        ),
        adversaries=instead(
            "attention.multi_head_attention",
            rivals.cut_by_reshape,
            rivals.slices_of_the_input,
            rivals.without_w_o,
            rivals.scaled_by_d_model,
            rivals.heads_averaged,
        ),
    ),
    Claim(
        id="6.3",
        section="六",
        says="heads come to share out the work by themselves; nobody designs it",
        verdict=Verdict.HOLDS_IF,
        remark="one row needs several sets of weights; even then it is common and not certain, "
        "and where nothing forces it, it does not happen",
        measures=(
            Measure("clean splits of five where one row needs two", low=3, form="{:.0f}"),
            Measure("where no row needs two", high=1, form="{:.0f}"),
        ),
        adversaries=(
            *instead("train", rivals.hardly_trained, rivals.always_one_row),
            *instead("attention.multi_head_attention", rivals.heads_averaged),
        ),
    ),
    Claim(
        id="6.4",
        section="六",
        says="the total computation does not grow: each head is h times narrower",
        verdict=Verdict.NOT_AS_WORDED,
        remark="parameters and matrix products stay the same, but there are h tables of scores "
        "to fill and h times as many exponentials to take",
        measures=(
            Measure("matrix products with 8 heads", low=1, high=1, form="× {:.2f}"),
            Measure("exponentials with 8 heads", low=8, high=8, form="× {:.2f}"),
        ),
        adversaries=instead("layer", rivals.full_width_heads, rivals.one_table_for_all),
    ),
)
