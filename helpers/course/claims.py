"""Claims: what the article says, declared once, and measured in the notebooks where it is made."""

import html
import math
from dataclasses import dataclass

SECTIONS = "一二三四五六七八九十"
VERDICTS = ("holds", "holds (", "holds, ", "holds only if ", "does not hold as worded: ")

MEASURED: dict[str, dict[str, float]] = {}  # what this kernel has measured


class ClaimError(AssertionError):
    """A measured value lies outside what its claim declares."""


@dataclass(frozen=True)
class Measure:
    """One number a claim rests on.

    Attributes:
        name: what is measured, a few words that follow "measured:"; also the keyword in
            `claim("5.4", median=…)`, with blanks written as underscores.
        low: smallest value with which the claim holds, inclusive.
        high: largest value with which the claim holds, inclusive.
        form: how the value is written, a format such as "{:.1f}" or "{:.0%} of the weight".
    """

    name: str
    low: float = -math.inf
    high: float = math.inf
    form: str = "{:.3g}"

    @property
    def keyword(self):
        """The name as a Python keyword."""
        return self.name.replace(" ", "_")

    def text(self, value):
        """Write a value with its unit."""
        return self.form.format(value)

    def broken_bound(self, value):
        """Say which bound a value outside the bounds breaks."""
        if math.isnan(value):
            return "not a number"
        if value < self.low:
            return f"below the lower bound {self.low:.6g}"
        return f"above the upper bound {self.high:.6g}"

    def bounds(self):
        """Write the declared bounds in words."""
        low, high = self._bound_text(self.low), self._bound_text(self.high)
        if self.low == self.high:
            return f"exactly {low}"
        if self.low == -math.inf:
            return f"at most {high}"
        if self.high == math.inf:
            return f"at least {low}"
        return f"about {low}" if low == high else f"between {low} and {high}"

    def _bound_text(self, bound):
        """Write a bound like a value, unless rounding would turn it into zero."""
        written = self.text(float(bound))
        digits = set(written) & set("123456789")
        return written if digits or not bound else f"{bound:.0e}"


@dataclass(frozen=True)
class Claim:
    """One statement of the article and what was found about it.

    Attributes:
        id: lesson and number, such as "4.2".
        section: the article's section as it is numbered there, such as "四".
        says: what the article says, in our own words, one sentence without a full stop.
        verdict: "holds", "holds (a remark)", "holds, and …", "holds only if …" or
            "does not hold as worded: …" with what is true.
        measures: the numbers it rests on, each with its bounds.
    """

    id: str
    section: str
    says: str
    verdict: str
    measures: tuple[Measure, ...]

    def __post_init__(self):
        """Refuse a verdict of another kind and a claim that measures nothing."""
        if self.verdict != "holds" and not self.verdict.startswith(VERDICTS[1:]):
            raise ValueError(f"Claim {self.id}: the verdict begins with one of {VERDICTS}.")
        if not self.measures:
            raise ValueError(f"Claim {self.id} declares nothing to measure.")

    @property
    def lesson(self):
        """Number of the lesson that measures the claim."""
        return int(self.id.partition(".")[0])

    @property
    def number(self):
        """Lesson and number as a tuple that sorts rightly: 10.1 comes after 9.12."""
        return tuple(int(part) for part in self.id.split("."))

    def values_text(self, values):
        """Write the measured values, one measure after the other."""
        return ", ".join(
            f"{measure.name} {measure.text(values[measure.keyword])}" for measure in self.measures
        )


@dataclass(frozen=True)
class Measured:
    """A claim with the values just measured, shown as one line."""

    claim: Claim
    values: dict[str, float]

    def __repr__(self):
        """Show the line as plain text."""
        said = self.claim
        return (
            f"{said.id} The article: {said.says} · "
            f"measured: {said.values_text(self.values)} · {said.verdict}"
        )

    def _repr_html_(self):
        said, e = self.claim, html.escape
        return (
            '<div style="border-left:4px solid #4477aa;padding:0.3em 0.9em;margin:0.3em 0">'
            f"<b>{said.id}</b> The article: {e(said.says)} · "
            f"measured: {e(said.values_text(self.values))} · {verdict_html(said.verdict)}</div>"
        )


class Claims:
    """The claims of one lesson, as its notebook measures them."""

    def __init__(self, declared):
        """Bind to a lesson's declared claims."""
        self._declared = {claim.id: claim for claim in declared}

    def claim(self, claim_id, value=None, /, **values):
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
            raise ValueError(f"There is no claim {claim_id!r} in this lesson.")
        confirmed = measure(self._declared[claim_id], value, **values)
        MEASURED[claim_id] = confirmed.values
        return confirmed


def measure(declared, value=None, /, **values):
    """Compare measured values with a declared claim; see `Claims.claim`."""
    wanted = [m.keyword for m in declared.measures]
    given = dict(values) if value is None else {wanted[0]: value, **values}
    if set(given) != set(wanted) or (value is not None and (values or len(wanted) > 1)):
        raise ValueError(
            f"Claim {declared.id} needs {len(wanted)} measured number(s): {', '.join(wanted)}."
        )
    numbers = {name: _number(declared.id, name, given[name]) for name in wanted}
    for m in declared.measures:
        got = numbers[m.keyword]
        if not m.low <= got <= m.high:
            raise ClaimError(
                f"Claim {declared.id} ({declared.says}) was not confirmed: "
                f"{m.name} is {got:.6g}, {m.broken_bound(got)}."
            )
    return Measured(declared, numbers)


def verdict_html(verdict):
    bold = ("does not hold as worded", "holds only if", "holds")
    kind = next(start for start in bold if verdict.startswith(start))
    return f"<b>{kind}</b>{html.escape(verdict[len(kind) :])}"


def _number(claim_id, name, value):
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"Claim {claim_id}: {name} must be one number, not {type(value).__name__}."
        ) from error
