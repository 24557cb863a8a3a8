"""Claims of section 七: the price, n squared."""

from helpers.course.claims import Claim, Evidence, Measure, Verdict, instead
from helpers.lessons.lesson07 import rivals

CLAIMS = (
    Claim(
        id="7.1",
        section="七",
        says="to relate every two tokens, an n × n matrix has to be filled completely",
        verdict=Verdict.NOT_AS_WORDED,
        remark="linear attention relates every two tokens in n steps, with other weights; "
        "softmax does not need all scores at the same moment, and under a causal mask only half",
        measures=(
            Measure("linear attention relates", low=1, form="{:.0%} of the pairs"),
            Measure("products at 2n", 1.99, 2.01, "× {:.2f}"),
            Measure("off softmax by", low=0.2, form="{:.2f}"),
        ),
        adversaries=instead("linear_attention", rivals.whole_table, rivals.first_half_only),
    ),
    Claim(
        id="7.2",
        section="七",
        says="twice the length takes about four times the computation",
        verdict=Verdict.HOLDS_IF,
        remark="n is far above 2 · d_model; below it the factor is near 2",
        measures=(
            Measure("counted at small n", 2, 2.25, "× {:.2f}"),
            Measure("at middle n", 2.8, 3.2, "× {:.2f}"),
            Measure("at large n", 3.75, 4, "× {:.2f}"),
        ),
        adversaries=(
            *instead("whole_table", rivals.linear, rivals.last_eight),
            *instead("layer", rivals.without_projections),
        ),
    ),
    Claim(
        id="7.3",
        section="七",
        says="and about four times the memory",
        verdict=Verdict.HOLDS_IF,
        remark="the table is kept whole; the article's code, given float32, holds it four times "
        "over, in float64",
        measures=(
            Measure("peak memory at twice the length", 3.8, 4.1, "× {:.1f}"),
            Measure("float32 tables held at once", 7.9, 8.1, "{:.1f}"),
        ),
        adversaries=instead("articles_attention", rivals.plain_root, rivals.sixty_four_rows),
    ),
    Claim(
        id="7.4",
        section="七",
        says="attention cannot get around this price",
        verdict=Verdict.NOT_AS_WORDED,
        remark="memory: it can, with the same result; time: it cannot in general, exactly or "
        "nearly, unless the conjecture SETH is false; narrow heads, small scores or a low rank "
        "leave room",
        measures=(
            Measure("outputs differ by", high=1e-12, form="{:.0e}"),
            Measure("largest array at 2n", 1.9, 2.1, "× {:.2f}"),
            Measure("products at 2n", 3.99, 4.01, "× {:.2f}"),
        ),
        evidence=Evidence.PROVED,
        source="On time: Keles et al. (2022), arXiv:2209.04881, and Alman and Song (2023), "
        "arXiv:2302.13214",
        adversaries=instead(
            "in_blocks", rivals.in_one_block, rivals.blocks_averaged, rivals.linear_in_blocks
        ),
    ),
    Claim(
        id="7.5",
        section="七",
        says="this price is why K and V are cached while a model writes",
        verdict=Verdict.HOLDS_IF,
        remark="the text is far longer than 3 · d_model; in shorter ones the cache spares above "
        "all the projection of old tokens; and 1 + 2 + … + n scores remain, about n² / 2",
        measures=(
            Measure("outputs differ by", high=1e-12, form="{:.0e}"),
            Measure("part of pairs in what a short text saves", high=0.25, form="{:.0%}"),
            Measure("in what a long one saves", low=0.75, form="{:.0%}"),
        ),
        adversaries=(
            *instead("one_by_one", rivals.short_memory, rivals.nothing_hidden),
            *instead("whole_table", rivals.last_eight),
        ),
    ),
    Claim(
        id="7.6",
        section="七",
        says="and why implementations such as FlashAttention are worth the effort",
        verdict=Verdict.HOLDS,
        remark="they save memory, and the way to and from it; forward they take as many products, "
        "and backward more, since scores are computed again",
        measures=(
            Measure("largest array as part of table", high=0.05, form="{:.1%}"),
            Measure("products compared", 1, 1, "× {:.2f}"),
        ),
        adversaries=instead("in_blocks", rivals.in_one_block, rivals.linear_in_blocks),
    ),
)
