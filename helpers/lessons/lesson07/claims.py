"""Claims of section 七: the price, n squared."""

from helpers.course.claims import Claim, Measure, Verdict

CLAIMS = (
    Claim(
        id="7.1",
        section="七",
        says="to relate every two tokens, an n × n matrix has to be filled completely",
        verdict=Verdict.HOLDS,
        remark="every pair has to be computed; that the matrix is also kept whole is another "
        "matter, see 7.4",
        measures=(
            Measure("pairs in which the one moves the other", low=1, form="{:.0%}"),
            Measure("score products per pair and column", low=2, high=2, form="{:.0f}"),
        ),
    ),
    Claim(
        id="7.2",
        section="七",
        says="twice the length takes about four times the computation",
        verdict=Verdict.HOLDS_IF,
        remark="n is far above 2 · d_model; below it the projections dominate and the factor is "
        "near 2",
        measures=(
            Measure("counted at small n", 2, 2.25, "× {:.2f}"),
            Measure("at middle n", 2.8, 3.2, "× {:.2f}"),
            Measure("at large n", 3.75, 4, "× {:.2f}"),
        ),
    ),
    Claim(
        id="7.3",
        section="七",
        says="and about four times the memory",
        verdict=Verdict.HOLDS_IF,
        remark="the matrix is kept whole; as the article's code is written, it is kept several "
        "times over",
        measures=(
            Measure("peak memory at twice the length", 3.6, 4.1, "× {:.2f}"),
            Measure("matrices held at once", 2, 4.2, "{:.1f}"),
        ),
    ),
    Claim(
        id="7.4",
        section="七",
        says="attention cannot get around this price",
        verdict=Verdict.NOT_AS_WORDED,
        remark="the n² memory can be avoided, with the same result; the n² products cannot, as "
        "long as the result has to be exact",
        measures=(
            Measure("results differ by", high=1e-12, form="{:.0e}"),
            Measure("slope of the memory", high=1.1, form="{:.2f}"),
            Measure("slope of the products", 1.99, 2.01, "{:.2f}"),
        ),
    ),
    Claim(
        id="7.5",
        section="七",
        says="this price is why K and V are cached in inference",
        verdict=Verdict.HOLDS,
        remark="what the cache takes away is computing old tokens again; the scores of a whole "
        "text still grow as n², and the memory grows with every token",
        measures=(
            Measure("outputs differ by", high=1e-12, form="{:.0e}"),
            Measure("slope of all scores without a cache", 2.9, 3.05, "{:.2f}"),
            Measure("with it", 1.9, 2.05, "{:.2f}"),
        ),
    ),
    Claim(
        id="7.6",
        section="七",
        says="and why implementations such as FlashAttention are worth the effort",
        verdict=Verdict.HOLDS,
        remark="what they save is memory and its traffic; the products stay as many",
        measures=(
            Measure("extra memory as a part of the matrix", high=0.05, form="{:.1%}"),
            Measure("products compared with the matrix version", 1, 1, "× {:.2f}"),
        ),
    ),
)
