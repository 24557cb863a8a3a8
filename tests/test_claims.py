"""Claims: declared soundly, measured once in their own lesson, refused outside their bounds."""

import ast
import math
import re

import numpy as np
import pytest
from reading import CORE, calls, each_lesson, sources

from helpers.course import claim_table as tables
from helpers.course import claims
from helpers.course.claim_table import ClaimTable
from helpers.course.claims import Adversary, Claim, ClaimError, Claims, Evidence, Measure, Verdict
from helpers.ledger import all_claims, claim_table

DECLARED = all_claims()

each_claim = pytest.mark.parametrize("declared", [pytest.param(c, id=c.id) for c in DECLARED])

ONE = Claim(
    id="4.1",
    section="四",
    says="each row adds up to 1 & no <more>",
    verdict=Verdict.HOLDS,
    measures=(Measure("off by", high=1e-9, form="{:.1e}"),),
)
TWO = Claim(
    id="5.9",
    section="五",
    says="the gradient vanishes",
    verdict=Verdict.NOT_AS_WORDED,
    remark="its median does",
    measures=(Measure("median", 0.0, 0.1), Measure("mean of all", low=0.5, form="{:.1f} times")),
)
CITED = Claim(
    id="7.9",
    section="七",
    says="nothing faster is possible",
    verdict=Verdict.HOLDS_IF,
    remark="a guess about SAT is true",
    evidence=Evidence.CITED,
    source="Keles et al. 2022, theorem 1",
)


def claim_calls(path):
    """Return every call of claim(...) in a notebook's code cells as ast nodes."""
    trees = [ast.parse(source) for source in sources(path, "code")]
    nodes = [n for tree in trees for n in ast.walk(tree) if isinstance(n, ast.Call)]
    return [n for n in nodes if getattr(n.func, "attr", "") == "claim"]


def inside(declared):
    """Values with which a claim just holds."""
    edges = {m.keyword: m.low if math.isfinite(m.low) else m.high for m in declared.measures}
    return {name: float(edge) for name, edge in edges.items()}


# ------------------------------------------------------------------ the declarations


def test_claims_are_numbered_in_order_and_once():
    numbers = [declared.number for declared in DECLARED]
    assert numbers == sorted(set(numbers))


@each_claim
def test_a_claim_belongs_to_its_lessons_section(declared):
    assert re.fullmatch(r"\d{1,2}\.\d{1,2}", declared.id)
    assert declared.section == claims.SECTIONS[declared.lesson - 1]
    assert isinstance(declared.verdict, Verdict)
    assert isinstance(declared.evidence, Evidence)


@each_claim
def test_bounds_can_be_broken_and_formats_work(declared):
    for measure in declared.measures:
        assert measure.low <= measure.high
        finite = [b for b in (measure.low, measure.high) if math.isfinite(b)]
        assert finite, f"{measure.name} has no bound"
        assert all(re.search(r"\d", measure.text(float(bound))) for bound in finite)


@each_claim
def test_a_value_outside_any_bound_raises(declared):
    just_inside = inside(declared)
    assert claims.measure(declared, **just_inside)
    for m in declared.measures:
        beyond = [math.nan]
        beyond += [np.nextafter(m.low, -math.inf)] if math.isfinite(m.low) else []
        beyond += [np.nextafter(m.high, math.inf)] if math.isfinite(m.high) else []
        for value in beyond:
            with pytest.raises(ClaimError, match=rf"Claim {re.escape(declared.id)} "):
                claims.measure(declared, **{**just_inside, m.keyword: value})


@each_claim
def test_texts_are_plain_sentences(declared):
    names = [measure.name for measure in declared.measures]
    told = [adversary.says for adversary in declared.adversaries]
    remarks = [text for text in (declared.remark, declared.source) if text]
    for text in (declared.says, *remarks, *names, *told):
        assert "$" not in text
        assert not re.search(r"</?[a-z]+>|&\w+;", text)
        assert text.strip() == text != ""
        assert not text.endswith(".")
    assert all(measure.keyword.isidentifier() for measure in declared.measures[1:])
    assert len(set(names)) == len(names)
    assert len(set(told)) == len(told)


# ------------------------------------------------------------------ the notebooks


@each_claim
def test_a_claim_is_measured_once_in_its_own_lesson(declared):
    found = {path.stem: calls(path, "claim").count(declared.id) for path in CORE}
    assert {stem[:2]: count for stem, count in found.items() if count} == {
        f"{declared.lesson:02d}": 1
    }


@each_lesson
def test_every_measured_claim_is_declared_with_these_measures(path):
    ids = {declared.id: declared for declared in DECLARED}
    for call in claim_calls(path):
        declared = ids[ast.literal_eval(call.args[0])]
        keywords = [keyword.arg for keyword in call.keywords]
        assert len(call.args) - 1 + len(keywords) == len(declared.measures), declared.id
        if keywords:
            assert set(keywords) == {m.keyword for m in declared.measures}, declared.id


# ------------------------------------------------------------------ claim() itself


def test_a_confirmed_claim_is_a_table_of_said_measured_and_verdict():
    shown = claims.measure(ONE, 1e-16)
    assert repr(shown) == "4.1 · each row adds up to 1 & no <more> · off by 1.0e-16 · holds"
    html = shown._repr_html_()
    heads = re.findall(r"<th [^>]*>(.*?)</th>", html)
    assert heads == ["said", "measured here", "verdict"]
    assert "&amp; no &lt;more&gt;" in html
    cells = [re.sub("<.*?>", "", c) for c in re.findall(r"<td .*?</td>", html)]
    assert cells[1:] == ["off by", "1.0e-16", "holds"]


def test_several_measures_stand_one_below_the_other():
    shown = claims.measure(TWO, median=0.05, mean_of_all=0.75)
    assert repr(shown).endswith("· median 0.05 · mean of all 0.8 times · does not hold as worded "
                                "· its median does")  # fmt: skip
    html = shown._repr_html_()
    assert html.count("<tr") == 3
    assert html.count('rowspan="2"') == 2
    assert "<b>does not hold as worded</b><br>its median does" in html


def test_what_a_verdict_rests_on_is_said_if_it_is_not_the_measurement():
    shown = claims.measure(CITED)
    for text in (repr(shown), shown._repr_html_()):
        assert Evidence.CITED in text
        assert "Keles et al. 2022, theorem 1" in text
    assert Evidence.MEASURED not in repr(claims.measure(ONE, 0))


def test_every_text_is_shown_in_the_readers_language(monkeypatch):
    for module in (claims, tables):
        monkeypatch.setattr(module, "say", lambda text, **values: "·".join(text.split()))
    shown = claims.measure(TWO, median=0.05, mean_of_all=0.75)._repr_html_()
    words = re.sub(r"<[^>]*>", "\n", shown).split("\n")
    assert not [w for w in words if re.search(r"[a-z] [a-z]", w)]


@pytest.mark.parametrize("value", [1e-10, np.float32(0), np.array(0.0), np.zeros(1)[0], False, 0])
def test_any_single_number_can_be_measured(value):
    assert claims.measure(ONE, value)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"median": 0.2, "mean_of_all": 1.0}, "median is 0.2, above the upper bound 0.1"),
        ({"median": -0.1, "mean_of_all": 1.0}, "median is -0.1, below the lower bound 0"),
        ({"median": 0.1, "mean_of_all": 0.4}, "mean of all is 0.4, below the lower bound 0.5"),
        ({"median": math.nan, "mean_of_all": 1.0}, "median is nan, not a number"),
    ],
)
def test_a_broken_bound_is_named(values, words):
    with pytest.raises(ClaimError, match=re.escape(words)) as caught:
        claims.measure(TWO, **values)
    assert isinstance(caught.value, AssertionError)


@pytest.mark.parametrize(
    ("declared", "arguments", "keywords"),
    [
        (ONE, (), {}),
        (ONE, (), {"other": 1}),
        (ONE, (0.0,), {"off_by": 0.0}),
        (TWO, (0.1,), {}),
        (TWO, (0.1,), {"mean_of_all": 1.0}),
        (TWO, (), {"median": 0.1}),
        (CITED, (0.1,), {}),
    ],
)
def test_other_measures_than_declared_are_refused(declared, arguments, keywords):
    with pytest.raises(ValueError, match="needs"):
        claims.measure(declared, *arguments, **keywords)


@pytest.mark.parametrize("value", [[1.0, 2.0], np.ones(3), "much", 1j, object()])
def test_what_is_not_one_number_is_refused(value):
    with pytest.raises(TypeError, match="must be one number"):
        claims.measure(ONE, value)


@pytest.mark.parametrize("claim_id", ["4.99", "5.9", "four", "", 4.1, None])
def test_a_claim_of_another_lesson_is_refused(claim_id):
    with pytest.raises(ValueError, match="There is no claim"):
        Claims((ONE,)).claim(claim_id, 1.0)


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("condition", {"verdict": Verdict.HOLDS_IF, "measures": ONE.measures}),
        ("what is true", {"verdict": Verdict.NOT_AS_WORDED, "measures": ONE.measures}),
        ("nothing to measure", {"verdict": Verdict.HOLDS}),
        ("proof or the place", {"verdict": Verdict.HOLDS, "evidence": Evidence.PROVED}),
        ("proof or the place", {"verdict": Verdict.HOLDS, "evidence": Evidence.CITED}),
    ],
)
def test_a_claim_that_says_too_little_is_refused(words, options):
    with pytest.raises(ValueError, match=words):
        Claim("4.1", "四", "says", **options)


# ------------------------------------------------------------------ what breaks a claim clearly


@pytest.mark.parametrize(
    ("measure", "honest", "edge"),
    [
        (Measure("m", low=0.9), 0.95, 0.81),  # a tenth of the bound
        (Measure("m", low=0.1), 2.1, -0.1),  # a tenth of the way from honest to bound
        (Measure("m", low=-1, high=1), 0.0, 1.2),  # a tenth of the width
        (Measure("m", low=1, high=1), 1.0, 1.1),
        (Measure("m", high=0), 0.0, 0.1),  # no gap at all: a tenth
        (Measure("m", high=1e-12), 1e-16, 1e-6),  # rounding never counts
        (Measure("m", high=100), 50.0, 110.0),
    ],
)
def test_an_adversary_has_to_come_a_tenth_of_the_gap_beyond_the_bound(measure, honest, edge):
    bound = measure.low if edge < measure.low else measure.high
    assert measure.far_outside(bound + 1.001 * (edge - bound), honest)
    assert not measure.far_outside(bound + 0.999 * (edge - bound), honest)
    assert not measure.far_outside(honest, honest)
    assert not measure.far_outside(math.nan, honest)
    assert not measure.far_outside(math.inf, honest)


def test_one_broken_measure_is_enough_but_all_must_be_finite():
    honest = {"median": 0.05, "mean_of_all": 1.0}
    assert TWO.broken_by({"median": 0.05, "mean_of_all": 0.2}, honest)
    assert not TWO.broken_by({"median": 0.05, "mean_of_all": 0.6}, honest)
    assert not TWO.broken_by({"median": math.nan, "mean_of_all": 0.2}, honest)


def test_an_adversary_says_what_it_puts_in_for_what():
    adversary = Adversary("does nothing", {"softmax": abs})
    assert adversary.replace["softmax"] is abs
    assert hash(adversary)


# ------------------------------------------------------------------ the table of all claims


def test_the_table_holds_every_claim_with_what_was_measured():
    assert [c.id for c in claim_table().claims] == [declared.id for declared in DECLARED]
    table = ClaimTable((ONE, TWO), {"4.1": {"off_by": 2e-16}})
    first, second = repr(table).splitlines()
    assert "off by 2.0e-16 · holds" in first
    assert "median between 0 and 0.1 · mean of all at least 0.5 times" in second
    html = table._repr_html_()
    assert html.count("<tr") == 4
    assert "&lt;more&gt;" in html


@pytest.mark.parametrize(
    ("measure", "words"),
    [
        (Measure("m", high=1e-9, form="{:.2f}"), "at most 1e-09"),
        (Measure("m", 0.8 - 1e-9, 0.8 + 1e-9, "{:.3f}"), "about 0.800"),
        (Measure("m", 0, 0, "{:.0f}"), "exactly 0"),
        (Measure("m", low=0, form="{:.0%}"), "at least 0%"),
    ],
)
def test_bounds_in_words_are_not_rounded_to_something_else(measure, words):
    assert measure.bounds() == words


def test_the_table_can_be_cut_to_some_lessons():
    assert {c.lesson for c in claim_table([4]).claims} == {4}


def test_what_a_lesson_confirms_appears_in_the_table():
    declared = DECLARED[0]
    values = inside(declared)
    shown = Claims(DECLARED).claim(declared.id, **values)
    assert claim_table().numbers(declared) == declared.found(shown.values)
    with pytest.raises(ClaimError):
        Claims(DECLARED).claim(declared.id, **dict.fromkeys(values, math.nan))
    assert claims.MEASURED[declared.id] == values
    del claims.MEASURED[declared.id]
