"""Claims: what the article says, declared once, and measured in the notebook where it is made.

A claim that is measured declares its adversaries: wrong or rival mechanisms that, put into the
notebook's own cells, must break it. Without one a claim might hold whatever the cells compute.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from helpers.course.cards import card
from helpers.course.claim_table import ClaimTable, rows_of, table
from helpers.language import say

SECTIONS = "一二三四五六七八九十"
MEASURED: dict[str, dict[str, float]] = {}  # what this kernel has measured

_ROUNDING = 1e-6  # nothing that differs by rounding alone comes as far


class ClaimError(AssertionError):
    """A measured value lies outside what its claim declares."""


class Verdict(StrEnum):
    """What was found about a statement; the value is how it is shown."""

    HOLDS = "holds"
    HOLDS_IF = "holds if"
    NOT_AS_WORDED = "does not hold as worded"


class Evidence(StrEnum):
    """What a verdict rests on; the value is how it is shown."""

    MEASURED = "this rests on what was measured here"
    PROVED = "this rests on a proof, and the measurement only illustrates it"
    CITED = "this rests on what others have found, and was not tested here"


@dataclass(frozen=True)
class Measure:
    """One number a claim rests on.

    Attributes:
        name: what is measured, a few words; also the keyword in `claim("5.4", median=…)`, with
            blanks written as underscores.
        low: smallest value with which the claim holds, inclusive.
        high: largest value with which the claim holds, inclusive.
        form: how the value is written, a format such as "{:.1f}" or "{:.0%} of the weight".
    """

    name: str
    low: float = -math.inf
    high: float = math.inf
    form: str = "{:.3g}"

    @property
    def keyword(self) -> str:
        """The name as a Python keyword."""
        return self.name.replace(" ", "_")

    def text(self, value: float) -> str:
        """Write a value with its unit."""
        return say(self.form).format(value)

    def holds(self, value: float) -> bool:
        """Tell whether a value lies within the bounds; NaN does not."""
        return self.low <= value <= self.high

    def broken_bound(self, value: float) -> str:
        """Say which bound a value outside the bounds breaks."""
        if math.isnan(value):
            return say("not a number")
        if value < self.low:
            return say("below the lower bound {bound:.6g}", bound=self.low)
        return say("above the upper bound {bound:.6g}", bound=self.high)

    def far_outside(self, value: float, honest: float) -> bool:
        """Tell whether an adversary's value breaks the measure clearly, see `Adversary`."""
        if not math.isfinite(value) or self.holds(value):
            return False
        bound = self.low if value < self.low else self.high
        width = self.high - self.low if math.isfinite(self.high - self.low) else 0.0
        gap = max(abs(honest - bound), abs(bound), width) or 1.0
        return abs(value - bound) >= max(gap / 10, _ROUNDING)

    def bounds(self) -> str:
        """Write the declared bounds in words."""
        low, high = self._bound_text(self.low), self._bound_text(self.high)
        if self.low == self.high:
            return say("exactly {low}", low=low)
        if self.low == -math.inf:
            return say("at most {high}", high=high)
        if self.high == math.inf:
            return say("at least {low}", low=low)
        if low == high:
            return say("about {low}", low=low)
        return say("between {low} and {high}", low=low, high=high)

    def _bound_text(self, bound):
        """Write a bound like a value, unless rounding would turn it into zero."""
        written = self.text(float(bound))
        digits = set(written) & set("123456789")
        return written if digits or not bound else f"{bound:.0e}"


@dataclass(frozen=True)
class Adversary:
    """A wrong or rival mechanism that must break a claim when it is put into the lesson's cells.

    It takes what the original takes and gives back the same shapes, all finite; nothing but the
    measured values may betray it. It breaks the claim if one value lies outside its bounds by at
    least a tenth of the gap. The gap is the largest of three: the distance from the bound that is
    broken to the value measured with the original, the size of that bound, and the width between
    two bounds; it is 1 if all are 0. A distance below 1e-6 never counts: that could be rounding.

    Attributes:
        says: what it does, one sentence.
        replace: what is put in for which name of the notebook, as `slicer.Slice.run` takes it.
    """

    says: str
    replace: Mapping[str, object] = field(hash=False)


def instead(name: str, *mechanisms: Callable) -> tuple[Adversary, ...]:
    """Make an adversary of each mechanism; its docstring says in one sentence what it does.

    Args:
        name: the name of the notebook that each is put in for.
        *mechanisms: functions called like the original.

    Returns:
        tuple of Adversary.
    """
    return tuple(Adversary(m.__doc__.strip().removesuffix("."), {name: m}) for m in mechanisms)


@dataclass(frozen=True)
class Claim:
    """One statement of the article and what was found about it.

    Attributes:
        id: lesson and number, such as "4.2".
        section: the article's section as it is numbered there, such as "四".
        says: what the article says, in our own words, one sentence without a full stop.
        verdict: what was found.
        remark: what belongs to the verdict: the condition for HOLDS_IF, what is true for
            NOT_AS_WORDED; may be empty for HOLDS.
        measures: the numbers it is measured by, each with its bounds.
        evidence: what the verdict rests on.
        source: the proof or the place in the paper, for PROVED and CITED.
        adversaries: what must break it.
    """

    id: str
    section: str
    says: str
    verdict: Verdict
    remark: str = ""
    measures: tuple[Measure, ...] = ()
    evidence: Evidence = Evidence.MEASURED
    source: str = ""
    adversaries: tuple[Adversary, ...] = ()

    def __post_init__(self):
        """Refuse a claim that says too little."""
        if self.verdict is not Verdict.HOLDS and not self.remark:
            raise ValueError(f"Claim {self.id}: say under which condition, or what is true.")
        if self.evidence is Evidence.MEASURED and not self.measures:
            raise ValueError(f"Claim {self.id} declares nothing to measure.")
        if self.evidence is not Evidence.MEASURED and not self.source:
            raise ValueError(f"Claim {self.id}: name the proof or the place in the paper.")

    @property
    def lesson(self) -> int:
        """Number of the lesson that measures the claim."""
        return self.number[0]

    @property
    def number(self) -> tuple[int, ...]:
        """Lesson and number as a tuple that sorts rightly: 10.1 comes after 9.12."""
        return tuple(int(part) for part in self.id.split("."))

    def found(self, values: Mapping[str, float]) -> list[tuple[str, str]]:
        """Write each measure and its value."""
        return [(say(m.name), m.text(values[m.keyword])) for m in self.measures]

    def wanted(self) -> list[tuple[str, str]]:
        """Write each measure and its bounds."""
        return [(say(m.name), m.bounds()) for m in self.measures]

    def judged(self) -> list[str]:
        """Write the verdict: its kind, the remark, and what it rests on if that is not here."""
        texts = [say(self.verdict), say(self.remark) if self.remark else ""]
        if self.evidence is not Evidence.MEASURED:
            texts += [say(self.evidence), say(self.source)]
        return [text for text in texts if text]

    def broken_by(self, values: Mapping[str, float], honest: Mapping[str, float]) -> bool:
        """Tell whether an adversary's values break the claim, see `Adversary`."""
        far = (m.far_outside(values[m.keyword], honest[m.keyword]) for m in self.measures)
        return all(map(math.isfinite, values.values())) and any(far)


@dataclass(frozen=True)
class Measured:
    """A claim with the values just measured, shown as a small table."""

    claim: Claim
    values: dict[str, float]

    def __repr__(self):
        """Show it as plain text, in one line."""
        found = [" ".join(pair) for pair in self.claim.found(self.values)]
        texts = [self.claim.id, say(self.claim.says), *found, *self.claim.judged()]
        return " · ".join(texts)

    def _repr_html_(self):
        head = (say("said"), say("measured here"), say("verdict"))
        return card("blue", table(head, rows_of(self.claim, self.claim.found(self.values))))


class Claims:
    """The claims of one lesson, as its notebook measures them."""

    def __init__(self, declared: tuple[Claim, ...]):
        """Bind to a lesson's declared claims."""
        self._declared = {claim.id: claim for claim in declared}

    def claim(self, claim_id: str, value: float | None = None, /, **values: float) -> Measured:
        """Put one claim of the article to the test.

        Args:
            claim_id: such as "4.2"; one of the lesson's claims.
            value: the measured number, for a claim with one measure.
            **values: one number for each measure, for a claim with several: median=…, mean=….

        Returns:
            Measured, which the notebook shows.

        Raises:
            ClaimError: if a value is NaN or outside its bounds.
            ValueError: if the claim is not declared, or other measures than declared are given.
            TypeError: if a value is not a single number.
        """
        if claim_id not in self._declared:
            raise ValueError(say("There is no claim {id!r} in this lesson.", id=claim_id))
        confirmed = measure(self._declared[claim_id], value, **values)
        MEASURED[claim_id] = confirmed.values
        return confirmed

    def table(self) -> ClaimTable:
        """Put all claims of the lesson into one table, with what this kernel has measured.

        Returns:
            ClaimTable, which the notebook shows.
        """
        return ClaimTable(tuple(self._declared.values()), dict(MEASURED))


def measure(declared: Claim, value: float | None = None, /, **values: float) -> Measured:
    """Compare measured values with a declared claim; see `Claims.claim`."""
    numbers = numbers_of(declared, value, **values)
    for m in declared.measures:
        got = numbers[m.keyword]
        if not m.holds(got):
            text = say(
                "Claim {id} was not confirmed. It says: {says}. But {name} is {got:.6g}, {bound}.",
                id=declared.id,
                says=say(declared.says),
                name=say(m.name),
                got=got,
                bound=m.broken_bound(got),
            )
            raise ClaimError(text)
    return Measured(declared, numbers)


def numbers_of(declared: Claim, value: float | None = None, /, **values: float) -> dict[str, float]:
    """Give the measured values of a claim by their keywords, in or outside the bounds."""
    wanted = [m.keyword for m in declared.measures]
    given = values if value is None else {**dict.fromkeys(wanted[:1], value), **values}
    if set(given) != set(wanted) or (value is not None and (values or len(wanted) != 1)):
        text = say(
            "Claim {id} needs these measured numbers: {names}.",
            id=declared.id,
            names=", ".join(wanted),
        )
        raise ValueError(text)
    return {name: _number(declared.id, name, given[name]) for name in wanted}


def _number(claim_id, name, value):
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        text = say(
            "Claim {id}: {name} must be one number, not {kind}.",
            id=claim_id,
            name=name,
            kind=type(value).__name__,
        )
        raise TypeError(text) from error
