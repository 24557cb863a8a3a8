"""The ledger: every statement of the article has its place, its treatment and its verdict."""

import re
from collections import Counter

import pytest

from helpers.course.claims import SECTIONS, Evidence, Verdict
from helpers.ledger import STATEMENTS, Ledger, all_claims, ledger
from helpers.ledger.statement import Statement, Treatment, cited, corrected, numbered
from helpers.sentences import GLOSSES, TOKENS

CLAIMS = {declared.id: declared for declared in all_claims()}
COUNTED = dict(zip(SECTIONS, (11, 8, 11, 15, 12, 18, 7, 6, 12, 7), strict=True))

each_statement = pytest.mark.parametrize("statement", STATEMENTS, ids=lambda s: s.id)


def test_statements_stand_in_the_articles_order_each_with_its_own_id():
    places = [(SECTIONS.index(s.section), s.number) for s in STATEMENTS]
    assert places == sorted(set(places))
    assert {s.number for s in STATEMENTS if s.section == "四"} == set(range(1, 16))


@pytest.mark.parametrize("section", SECTIONS)
def test_no_statement_of_a_section_gets_lost(section):
    assert Counter(s.section for s in STATEMENTS)[section] == COUNTED[section]


def test_every_claim_is_needed_and_every_claim_named_exists():
    named = {claim for statement in STATEMENTS for claim in statement.claims}
    assert named == set(CLAIMS)


def test_at_most_eight_statements_are_merely_cited():
    assert sum(s.treatment is Treatment.CITED for s in STATEMENTS) <= 8


def test_a_claim_named_in_a_remark_exists_and_was_measured_in_that_or_an_earlier_lesson():
    named = [
        (statement, claim)
        for statement in STATEMENTS
        for claim in re.findall(r"\bclaim (\d+\.\d)", statement.remark)
    ]
    assert {statement.id for statement, _ in named} >= {"四.14"}
    for statement, claim in named:
        assert CLAIMS[claim].evidence is Evidence.MEASURED
        assert CLAIMS[claim].lesson <= statement.lesson


@each_statement
def test_a_statement_has_one_verdict_and_a_lesson(statement):
    assert 1 <= statement.lesson <= 10
    if statement.treatment is Treatment.TESTED:
        assert statement.claims
        assert statement.lesson == CLAIMS[statement.claims[0]].lesson
        assert len(set(statement.claims)) == len(statement.claims)
    else:
        assert isinstance(statement.verdict, Verdict)
        assert statement.remark
        assert not statement.claims
    if statement.treatment is Treatment.CORRECTED:
        assert statement.verdict is not Verdict.HOLDS
    if statement.treatment is Treatment.CITED:
        assert re.search(r"et al\. \d{4}", statement.remark)


@each_statement
def test_texts_are_english_sentences_with_glosses(statement):
    for text in filter(None, (statement.says, statement.remark)):
        assert text.strip() == text
        assert not text.endswith(".")
        assert not re.search(r"[一-鿿]{6,}", text), "our words, not the article's"
        for token, gloss in zip(TOKENS, GLOSSES, strict=True):
            if re.search(rf"(?<![一-鿿]){token}(?![一-鿿])", text):
                assert f"{token} ({gloss})" in text


def test_no_two_statements_say_the_same():
    assert len({s.says for s in STATEMENTS}) == len(STATEMENTS)


def test_the_ledger_shows_every_statement_with_lesson_and_verdict():
    shown = ledger()
    lines = repr(shown).splitlines()
    assert len(lines) == len(STATEMENTS) == sum(COUNTED.values())
    html = shown._repr_html_()
    assert html.count("<tr>") == len(STATEMENTS) + 1
    (line,) = [line for line in lines if line.startswith("六.16 ")]
    assert line.split(" · ")[2:] == ["lesson 06", "tested", f"6.4 {CLAIMS['6.4'].verdict}"]
    mended = numbered("九", [corrected(9, says="a", remark="what")])
    line = repr(Ledger(mended, {}))
    assert line == "九.1 · a · lesson 09 · corrected · does not hold as worded · what"


def test_a_verdict_of_the_ledger_is_that_of_the_claims():
    said = numbered("四", [cited(4, says="a & b", remark="Doe et al. 2000")])
    assert Ledger(said, {}).verdicts(said[0]) == ["holds", "Doe et al. 2000"]
    assert "a &amp; b" in Ledger(said, {})._repr_html_()
    for statement in STATEMENTS:
        found = ledger().verdicts(statement)
        for name in statement.claims:
            assert f"{name} {CLAIMS[name].verdict}" in found


@pytest.mark.parametrize(
    "options",
    [
        {"treatment": Treatment.TESTED},
        {
            "treatment": Treatment.TESTED,
            "claims": ("4.1",),
            "verdict": Verdict.HOLDS,
            "remark": "x",
        },
        {"treatment": Treatment.CORRECTED, "verdict": Verdict.NOT_AS_WORDED},
        {"treatment": Treatment.CITED, "claims": ("4.1",)},
        {"treatment": Treatment.IDEALISED, "remark": "x"},
    ],
)
def test_a_statement_without_a_verdict_or_with_two_is_refused(options):
    with pytest.raises(ValueError, match="Either claims or a verdict"):
        Statement("it works", lesson=4, **options)
