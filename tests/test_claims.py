"""Claims: every one is declared soundly, measured in exactly one notebook, and can fail."""

import ast
import json
import math
import re
import string
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from helpers.course import claims
from helpers.course.claims import Claim, ClaimError, Measure, all_claims, claim, claim_table

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("[0-9][0-9]_*.ipynb"))
DECLARED = all_claims()

each_claim = pytest.mark.parametrize("declared", [pytest.param(c, id=c.id) for c in DECLARED])
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)

ONE = Claim(
    id="4.1",
    section="四",
    says="each row adds up to 1 & no <more>",
    verdict="holds",
    measures=(Measure("off by", high=1e-9, form="{:.1e}"),),
)
TWO = Claim(
    id="5.9",
    section="五",
    says="the gradient vanishes",
    verdict="does not hold as worded: its median does",
    measures=(Measure("median", 0.0, 0.1), Measure("mean of all", low=0.5, form="{:.1f} times")),
)


def claim_calls(path):
    """Return every call of claim(...) in a notebook's code cells as ast nodes."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    trees = [ast.parse("".join(c["source"])) for c in cells if c["cell_type"] == "code"]
    return [
        node
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "claim"
    ]


# ------------------------------------------------------------------ the declarations


def test_claims_are_numbered_in_order_and_once():
    numbers = [declared.number for declared in DECLARED]
    assert numbers == sorted(set(numbers))


@each_claim
def test_a_claim_belongs_to_its_lessons_section(declared):
    assert re.fullmatch(r"\d{1,2}\.\d{1,2}", declared.id)
    assert declared.section == claims.SECTIONS[declared.lesson - 1]
    assert declared in claims._of_lesson(declared.lesson)


@each_claim
def test_bounds_can_be_broken_and_formats_work(declared):
    for measure in declared.measures:
        assert measure.low <= measure.high
        finite = [b for b in (measure.low, measure.high) if math.isfinite(b)]
        assert finite, f"{measure.name} has no bound"
        for bound in finite:
            assert measure.text(float(bound))
        assert any(field for _, field, _, _ in string.Formatter().parse(measure.form)) or (
            "{" in measure.form
        )
        assert measure.bounds()


@each_claim
def test_a_value_outside_any_bound_raises(declared):
    inside = {
        m.keyword: float(m.low if math.isfinite(m.low) else m.high) for m in declared.measures
    }
    assert claims.measure(declared, **inside)
    for m in declared.measures:
        beyond = [math.nan]
        beyond += [np.nextafter(m.low, -math.inf)] if math.isfinite(m.low) else []
        beyond += [np.nextafter(m.high, math.inf)] if math.isfinite(m.high) else []
        for value in beyond:
            with pytest.raises(ClaimError, match=rf"Claim {re.escape(declared.id)} "):
                claims.measure(declared, **{**inside, m.keyword: value})


@each_claim
def test_texts_are_plain_sentences(declared):
    names = [measure.name for measure in declared.measures]
    for text in (declared.says, declared.verdict, *names):
        assert "$" not in text
        assert not re.search(r"</?[a-z]+>|&\w+;", text)
        assert text.strip() == text != ""
        assert not text.endswith(".")
    if len(names) > 1:
        assert all(measure.keyword.isidentifier() for measure in declared.measures)
        assert len(set(names)) == len(names)


# ------------------------------------------------------------------ the notebooks


@pytest.mark.parametrize(
    "declared",
    [
        pytest.param(c, id=c.id)
        for c in DECLARED
        if any(path.stem.startswith(f"{c.lesson:02d}_") for path in NOTEBOOKS)
    ],
)
def test_a_claim_is_measured_once_in_its_own_lesson(declared):
    found = Counter(
        path.stem
        for path in NOTEBOOKS
        for call in claim_calls(path)
        if ast.literal_eval(call.args[0]) == declared.id
    )
    assert list(found.values()) == [1], f"{declared.id} is measured in {dict(found)}"
    assert int(next(iter(found))[:2]) == declared.lesson


@each_notebook
def test_every_measured_claim_is_declared_with_these_measures(path):
    ids = {declared.id: declared for declared in DECLARED}
    for call in claim_calls(path):
        declared = ids[ast.literal_eval(call.args[0])]
        keywords = [keyword.arg for keyword in call.keywords]
        assert len(call.args) - 1 + len(keywords) == len(declared.measures), declared.id
        if keywords:
            assert set(keywords) == {m.keyword for m in declared.measures}, declared.id


# ------------------------------------------------------------------ claim() itself


def test_a_confirmed_claim_is_one_readable_line():
    shown = claims.measure(ONE, 1e-16)
    assert repr(shown) == (
        "4.1 The article: each row adds up to 1 & no <more> · measured: off by 1.0e-16 · holds"
    )
    html = shown._repr_html_()
    assert "<b>4.1</b>" in html
    assert "<b>holds</b>" in html
    assert "&amp; no &lt;more&gt;" in html


def test_several_measures_come_by_name_with_blanks_as_underscores():
    shown = claims.measure(TWO, median=0.05, mean_of_all=0.75)
    assert "median 0.05, mean of all 0.8 times" in repr(shown)
    assert "<b>does not hold as worded</b>: its median does" in shown._repr_html_()


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


def test_bounds_are_inclusive():
    assert claims.measure(TWO, median=0.1, mean_of_all=0.5)
    assert claims.measure(ONE, 1e-9)


@pytest.mark.parametrize(
    ("declared", "arguments", "keywords"),
    [
        (ONE, (), {}),
        (ONE, (), {"other": 1}),
        (ONE, (0.0,), {"off_by": 0.0}),
        (TWO, (0.1,), {}),
        (TWO, (0.1,), {"mean_of_all": 1.0}),
        (TWO, (), {"median": 0.1}),
    ],
)
def test_other_measures_than_declared_are_refused(declared, arguments, keywords):
    with pytest.raises(ValueError, match="needs"):
        claims.measure(declared, *arguments, **keywords)


@pytest.mark.parametrize("value", [[1.0, 2.0], np.ones(3), "much", 1j, object()])
def test_what_is_not_one_number_is_refused(value):
    with pytest.raises(TypeError, match="must be one number"):
        claims.measure(ONE, value)


@pytest.mark.parametrize("claim_id", ["4.99", "11.1", "four", "", 4.2, None])
def test_an_undeclared_claim_is_refused(claim_id):
    with pytest.raises(ValueError, match="There is no claim"):
        claim(claim_id, 1.0)


def test_a_verdict_of_another_kind_is_refused():
    with pytest.raises(ValueError, match="verdict begins"):
        Claim("4.1", "四", "says", "is true", (Measure("x", low=0),))
    with pytest.raises(ValueError, match="nothing to measure"):
        Claim("4.1", "四", "says", "holds", ())


def test_the_table_holds_every_claim_with_what_was_measured():
    assert [row[0] for row in claim_table().rows()] == [declared.id for declared in DECLARED]
    table = claims.ClaimTable((ONE, TWO), {"4.1": {"off_by": 2e-16}})
    assert table.rows()[0][3] == "off by 2.0e-16"
    assert table.rows()[1][3] == "median between 0 and 0.1, mean of all at least 0.5 times"
    html = table._repr_html_()
    assert html.count("<tr>") == 3
    assert "&lt;more&gt;" in html
    assert len(repr(table).splitlines()) == 2


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
    assert {row[0].partition(".")[0] for row in claim_table([4]).rows()} <= {"4"}


def test_what_claim_confirms_appears_in_the_table(monkeypatch):
    declared = DECLARED[0]
    monkeypatch.setattr(claims, "_measured", {})
    values = {
        m.keyword: float(m.low if math.isfinite(m.low) else m.high) for m in declared.measures
    }
    shown = claim(declared.id, **values)
    assert claim_table().rows()[0][3] == declared.values_text(shown.values)
    with pytest.raises(ClaimError):
        claim(declared.id, **dict.fromkeys(values, math.nan))
    assert claims._measured == {declared.id: values}
