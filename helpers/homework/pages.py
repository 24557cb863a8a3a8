"""What is read in a browser: the class on one page, and one page of feedback a student."""

import html
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from helpers.course.cards import card
from helpers.homework.assignment import Assignment
from helpers.homework.grading import Graded, Result, summary
from helpers.homework.tables import number
from helpers.language import language, say

_MOST = 95_000  # bytes of a page of feedback
_STYLE = (
    "body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em;line-height:1.5}"
    "table{border-collapse:collapse}td,th{border:1px solid #bbb;padding:3px 8px;text-align:left}"
    "pre,.wide{overflow-x:auto}.wide td{white-space:nowrap}"
    ".bar{display:inline-block;height:.8em;background:#0072B2}li{margin:.3em 0}.names{color:#666}"
    "@media(prefers-color-scheme:dark){body{background:#181818;color:#e8e8e8}.names{color:#aaa}"
    ".bar{background:#56B4E9}td,th{border-color:#555}}"
)


def page(title: str, inside: str) -> str:
    """A whole page that needs nothing from anywhere."""
    return (
        f'<!doctype html><html lang="{language()}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{html.escape(title)}</title><style>{_STYLE}</style>"
        f"<h1>{html.escape(title)}</h1>{inside}</html>\n"
    )


# ------------------------------------------------------------------ one student


def feedback(graded: Graded, assignment: Assignment) -> str:
    """Write a student's page: the diagnosis on the public inputs, and nothing of the others."""
    text = say(
        "{points} of {maximum} points",
        points=number(graded.points),
        maximum=number(assignment.maximum),
    )
    head = f"<p><b>{html.escape(text)}</b></p>"
    parts = [_section(result) for result in graded.results.values()]
    for limit in (_MOST, 3000, 300):
        shown = head + "".join(title + _within(inside, limit) for title, inside in parts)
        whole = page(graded.student.name, shown)
        if len(whole.encode()) <= _MOST:
            return whole
    return page(graded.student.name, head + "".join(title for title, _ in parts))


def _within(inside, limit):
    return inside if len(inside) <= limit else ""


def _section(result: Result) -> tuple[str, str]:
    """A heading with the points, and what is said below it."""
    points = say(
        "{name}: {points} of {maximum}",
        name=result.exercise.name,
        points=number(result.points),
        maximum=number(result.exercise.points),
    )
    title = f"<h2>{html.escape(points)}</h2>"
    if result.hidden:
        text = say("It is right on the inputs of check, and wrong on others of the same kind.")
        cause = f"<div>{html.escape(result.cause)}</div>" if result.named else ""
        return title, card("orange", f"<div>{html.escape(text)}</div>{cause}")
    if result.verdict is not None:
        return title, replace(result.verdict, picture="")._repr_html_()
    if result.state == "not attempted":
        return title, card("grey", html.escape(say("The stub is still there.")))
    return title, card("orange", html.escape(result.sentence))


# ------------------------------------------------------------------ the class


def class_page(
    title: str, assignment: Assignment, graded: Sequence[Graded], notes: Sequence[str]
) -> str:
    """Write the teacher's page: what to teach next, how the class predicted, the marks."""
    parts = [f"<p>{html.escape(note)}</p>" for note in notes]
    for part in assignment.parts:
        parts.append(f"<h2>{html.escape(say('{part}: what went wrong', part=part.title))}</h2>")
        for exercise in part.exercises:
            parts.append(_exercise(exercise, graded))
        if part.questions:
            parts.append(
                f"<h2>{html.escape(say('{part}: how the class predicted', part=part.title))}</h2>"
            )
            parts.extend(_question(q, part.questions[q], graded) for q in part.questions)
    parts.append(f"<h2>{html.escape(say('Marks'))}</h2>{_marks(assignment, graded)}")
    return page(title, "".join(parts))


def _exercise(exercise, graded):
    """Group the answers to one exercise by what is wrong with them."""
    groups, right, published = defaultdict(list), 0, []
    for one in graded:
        result = one.results.get(exercise.name)
        if result is None:
            continue
        right += result.state == "correct"
        if result.published:
            published.append(one.student.name)
        if result.state != "correct":
            groups[summary(result)].append(one.student.name)
    count = right + sum(map(len, groups.values()))
    text = say("{name}: {right} of {count} right", name=exercise.name, right=right, count=count)
    lines = [f"<h3>{html.escape(text)}</h3><ul>"]
    for sentence, names in sorted(groups.items(), key=lambda group: -len(group[1])):
        lines.append(
            f"<li>{len(names)} × {html.escape(sentence)}<br>"
            f'<span class="names">{html.escape("; ".join(names))}</span></li>'
        )
    if published:
        text = say("The same code as the published solution: {names}", names="; ".join(published))
        lines.append(f'<li><span class="names">{html.escape(text)}</span></li>')
    return "".join([*lines, "</ul>"])


def _question(name, question, graded):
    """Count the letters that stand in the notebooks for one question."""
    letters = Counter(one.predictions[name] for one in graded if name in one.predictions)
    asked = sum(letters.values())
    lines = [f"<h3>{html.escape(name)}</h3><p>{_text(question.ask)}</p><table>"]
    for letter, option in question.options.items():
        sign = "✓" if letter == question.answer else ""
        width = round(12 * letters[letter] / asked, 1) if asked else 0
        lines.append(
            f"<tr><td>{sign} {letter}</td><td>{_text(option)}</td><td>{letters[letter]} "
            f'<span class="bar" style="width:{width}em"></span></td></tr>'
        )
    none = asked - sum(letters[letter] for letter in question.options)
    text = html.escape(say("no prediction"))
    return "".join([*lines, f"<tr><td></td><td>{text}</td><td>{none}</td></tr></table>"])


def _text(markdown):
    return html.escape(re.sub(r"\*\*|`|\*(?=\w)|(?<=\w)\*", "", say(markdown)))


def _marks(assignment, graded):
    names = [exercise.name for exercise in assignment.exercises]
    heads = "".join(f"<th>{html.escape(n)}</th>" for n in ("", *names, "Σ"))
    rows = []
    for one in graded:
        cells = [one.student.name]
        cells += [number(one.results[n].points) if n in one.results else "" for n in names]
        cells.append(one.problem or number(one.points))
        rows.append("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
    return f'<div class="wide"><table><tr>{heads}</tr>{"".join(rows)}</table></div>'
