"""The three pages of a lesson: the teacher's notes, the prediction sheet, the answer key."""

import html
import re

from helpers.language import language, say
from helpers.teaching.lesson import Lesson
from helpers.teaching.note import Note, Plan, plan_of

_STYLE = (
    ":root{color-scheme:light dark}"
    "body{font-family:sans-serif;max-width:48em;margin:2em auto;padding:0 1em;line-height:1.5}"
    "table{border-collapse:collapse}td,th{border:1px solid #999;padding:3px 8px;text-align:left}"
    "pre{white-space:pre-wrap;border-left:3px solid #0072b2;padding-left:1em}"
    ".question{break-inside:avoid;margin:0 0 1em}.answers{break-before:page}"
    "@media print{:root{color-scheme:light}body{margin:0;max-width:none;font-size:10.5pt}"
    "h1{font-size:15pt}h2{font-size:12.5pt}}"
)


def page(title: str, inside: str) -> str:
    """A whole page that is read in light and dark, printed, and needs nothing from anywhere."""
    return (
        f'<!doctype html>\n<html lang="{language()}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{html.escape(title)}</title><style>{_STYLE}</style></head>"
        f"<body><h1>{html.escape(title)}</h1>\n{inside}</body></html>\n"
    )


def inline(markdown: str) -> str:
    """Turn a line of Markdown into HTML: bold, italics and code."""
    text = html.escape(markdown, quote=False)
    for sign, tag in ((r"`", "code"), (r"\*\*", "b"), (r"\*", "em")):
        text = re.sub(rf"{sign}(?=\S)(.+?)(?<=\S){sign}", rf"<{tag}>\1</{tag}>", text)
    return text


def paragraph(text: str) -> str:
    """One paragraph."""
    return f"<p>{inline(text)}</p>\n"


def heading(text: str) -> str:
    """One heading of the second level."""
    return f"<h2>{html.escape(text)}</h2>\n"


# ------------------------------------------------------------------ the teacher's notes


def notes_page(lesson: Lesson, note: Note) -> str:
    """Write the teacher's notes."""
    parts = [heading(say("How to begin")), paragraph(say(note.opens))]
    parts += [heading(say("The prediction to vote on"))]
    parts += [_question(note.vote, lesson), paragraph(say(note.votes))]
    parts.append(_reasons(note.vote, lesson))
    parts.append(heading(say("Three misconceptions")))
    for one in note.misconceptions:
        sentence = inline(say(lesson.misconception(one.exercise, one.wrong)))
        help_ = inline(say(one.remark))
        parts.append(f"<p><code>{one.exercise}</code>: <b>{sentence}</b><br>{help_}</p>\n")
    for length in (45, 90):
        parts.append(_plan(plan_of(lesson, note.vote, length)))
    parts += [heading(say("What to skip")), paragraph(say(note.skips))]
    parts += [heading(say("How to close")), paragraph(say(note.ends))]
    return page(say("Teacher's notes: {title}", title=lesson.title), "".join(parts))


def _plan(plan: Plan) -> str:
    """A plan as a table: from which minute, which heading, which questions."""
    parts = [heading(say("A plan for {length} minutes", length=plan.length)), "<table>"]
    heads = (say("from minute"), say("heading"), say("minutes"), say("questions"))
    parts.append(_row("th", heads))
    clock = 0.0
    for stretch in plan.kept:
        cells = (
            f"{clock:.0f}",
            stretch.heading or say("what stands above the first heading"),
            f"{stretch.minutes:.1f}",
            ", ".join(stretch.asks),
        )
        parts.append(_row("td", cells))
        clock += stretch.minutes
    parts.append("</table>\n")
    text = say(
        "Together {minutes:.0f} minutes, {talk} of them kept free for the vote and for what "
        "comes up. The minutes are computed from words, code, pictures, questions and exercises; "
        "a class that meets Python for the first time takes longer.",
        minutes=plan.minutes,
        talk=plan.talk,
    )
    parts.append(paragraph(text))
    if plan.left:
        names = "; ".join(stretch.heading for stretch in plan.left)
        parts.append(paragraph(say("For home: {names}.", names=names)))
    return "".join(parts)


def _row(tag, cells):
    """One row of a table."""
    inside = "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells)
    return f"<tr>{inside}</tr>\n"


# ------------------------------------------------------------------ the prediction sheet


def sheet_page(lesson: Lesson) -> str:
    """Write the prediction sheet: questions first, answers after a page break."""
    later = [name for name in lesson.questions if name not in lesson.predictions]
    parts = [paragraph(say("Name: ____________________   Ring one letter before you look."))]
    parts += [_question(name, lesson) for name in lesson.predictions]
    if later:
        parts.append(heading(say("At the end of the lesson")))
        parts += [_question(name, lesson) for name in later]
    parts.append(f'<section class="answers">{heading(say("Answers"))}')
    parts += [_reasons(name, lesson) for name in lesson.questions]
    parts.append("</section>")
    return page(say("Predictions: {title}", title=lesson.title), "".join(parts))


def _question(name: str, lesson: Lesson) -> str:
    """A question with its options, without the answer."""
    question = lesson.questions[name]
    options = "<br>".join(
        f"{letter} &nbsp; {inline(say(text))}" for letter, text in question.options.items()
    )
    asked = inline(say(question.ask))
    return f'<div class="question"><b>{name}</b> &nbsp; {asked}<br>{options}</div>\n'


def _reasons(name: str, lesson: Lesson) -> str:
    """The right letter of a question, and the reason for every option."""
    question = lesson.questions[name]
    right = html.escape(say("{name}: {letter} is right", name=name, letter=question.answer))
    reasons = "<br>".join(
        f"{letter} &nbsp; {html.escape(say(question.why[letter]), quote=False)}"
        for letter in question.options
    )
    return f'<div class="question"><b>{right}</b><br>{reasons}</div>\n'


# ------------------------------------------------------------------ the answer key


def key_page(lesson: Lesson) -> str:
    """Write the answer key: the reference of every exercise, then the letters."""
    text = say(
        "The code is the reference that answers are compared with. Other right answers look "
        "different. This is public, as the course is: do not mark by it alone."
    )
    parts = [paragraph(text)]
    for name, exercise in lesson.exercises.items():
        points = say("{name} (points: {points:g})", name=name, points=exercise.points)
        source = html.escape(exercise.solution().source, quote=False)
        parts.append(f"{heading(points)}<pre>{source}</pre>\n")
    parts.append(heading(say("Predictions and closing questions")))
    parts += [_reasons(name, lesson) for name in lesson.questions]
    return page(say("Answer key: {title}", title=lesson.title), "".join(parts))
