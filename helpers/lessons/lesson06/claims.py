"""Claims of section 六: many heads."""

from helpers.course.claims import Claim, Measure, Verdict

CLAIMS = (
    Claim(
        id="6.1",
        section="六",
        says="one head has one set of weights, so several relations end in a compromise",
        verdict=Verdict.HOLDS_IF,
        remark="the relations meet in one row; in different rows, one head serves each with a "
        "distribution of its own",
        measures=(
            Measure("both right in two rows", low=0.95, form="{:.0%}"),
            Measure("both right in one row", high=0.6, form="{:.0%}"),
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
    ),
    Claim(
        id="6.3",
        section="六",
        says="heads come to share out the work by themselves; nobody designs it",
        verdict=Verdict.HOLDS_IF,
        remark="one row needs several distributions; even then it is common and not certain, and "
        "where nothing forces it, it does not happen",
        measures=(
            Measure("clean splits of five where one row needs two", low=3, form="{:.0f}"),
            Measure("where no row needs two", high=1, form="{:.0f}"),
        ),
    ),
    Claim(
        id="6.4",
        section="六",
        says="the total computation does not grow: each head is h times narrower",
        verdict=Verdict.NOT_AS_WORDED,
        remark="parameters and matrix products stay the same, but there are h score matrices to "
        "store and h times as many exponentials to take",
        measures=(
            Measure("matrix products with 8 heads", low=1, high=1, form="× {:.2f}"),
            Measure("peak memory with 8 heads", low=5.5, high=8.5, form="× {:.1f}"),
        ),
    ),
)
