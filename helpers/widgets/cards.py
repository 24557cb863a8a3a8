"""The prediction card and the quiz card.

A prediction lives as long as the kernel. Whatever a card says is escaped HTML with the front end's
own colours, so it reads in light and dark themes; a sign and a word go with every colour.
"""

import html

from helpers.questions import Question, find

_predictions: dict[str, str] = {}
_revealed: set[str] = set()

_TEXT = "color:var(--jp-content-font-color1,inherit)"
_CARD = (
    "border:1px solid var(--jp-border-color1,#bdbdbd);border-left:5px solid {accent};"
    "border-radius:6px;padding:10px 14px;margin:6px 0;max-width:700px;line-height:1.5;"
    "font-family:var(--jp-content-font-family,sans-serif);font-size:var(--jp-content-font-size1,14px);"
    "background:var(--jp-layout-color1,transparent);" + _TEXT
)
_SUMMARY = (
    "cursor:pointer;display:inline-block;padding:3px 18px;border-radius:4px;font-weight:600;"
    "border:1px solid var(--jp-border-color1,#999);background:var(--jp-layout-color2,transparent)"
)
_OPTION = "display:inline-block;vertical-align:top;margin:6px 8px 0 0;max-width:100%"
_BLUE, _GREEN, _ORANGE = "#0072B2", "#009E73", "#D55E00"


def predict(question_id: str, letters: str) -> None:
    """Show the card on which the learner commits to a prediction.

    Args:
        question_id: such as "4.1"; the question itself stands above as text.
        letters: the letters of its options, such as "ABC".

    Raises:
        ValueError: if there is no such question, or it has other letters.
    """
    question = _question(question_id, letters)
    _revealed.discard(question_id)
    static = _card(
        _BLUE,
        f"<b>Your prediction</b> ({', '.join(question.letters)}): say it aloud or write it down "
        "before you run the next cell.",
    )
    plain = f"Your prediction ({', '.join(question.letters)})? Decide before you run the next cell."
    _show(_prediction_widget(question_id, question), static, plain)


def reveal(question_id: str) -> None:
    """Show what was predicted, what happened, and why each option is right or tempting.

    Args:
        question_id: the id that ``predict`` was given.

    Raises:
        ValueError: if there is no such question.
    """
    question = find(question_id)
    _revealed.add(question_id)
    chosen = _predictions.get(question_id)
    _show(None, _revealed_card(question, chosen), _revealed_text(question, chosen))


def quiz(question_id: str, letters: str) -> None:
    """Show a question's options; each opens at a click and says why it is right or wrong.

    This is plain HTML: it works without a kernel, and running all cells gives nothing away.

    Args:
        question_id: such as "4.q1"; the question itself stands above as text.
        letters: the letters of its options, such as "ABCD".

    Raises:
        ValueError: if there is no such question, or it has other letters.
    """
    question = _question(question_id, letters)
    group = html.escape(question_id)
    options = "".join(
        f'<details name="quiz {group}" style="{_OPTION}"><summary style="{_SUMMARY}">'
        f"{letter}</summary>{_reason(question, letter)}</details>"
        for letter in question.letters
    )
    static = _card(_BLUE, f"<b>Your answer</b>: decide, then open that letter.<br>{options}")
    _show(None, static, f"Your answer: {', '.join(question.letters)}?")


def _question(question_id, letters) -> Question:
    question = find(question_id)
    if letters != question.letters:
        raise ValueError(
            f"question {question_id!r} has the options {question.letters!r}, got {letters!r}."
        )
    return question


def _card(accent: str, inside: str) -> str:
    return f'<div style="{_CARD.format(accent=accent)}">{inside}</div>'


def _reason(question: Question, letter: str) -> str:
    right = letter == question.answer
    sign, word = ("✓", "right") if right else ("✗", "not this")
    return (
        f'<p style="margin:6px 0 0 0"><b>{sign} {letter}</b> '
        f'<span style="opacity:.75">({word})</span> {html.escape(question.why[letter])}</p>'
    )


def _revealed_card(question: Question, chosen: str | None) -> str:
    right = question.answer
    if chosen is None:
        head = (
            "<b>You had not committed to a prediction.</b> Next time, guess first: "
            f"a wrong guess also helps you remember. What happened: <b>{right}</b>."
        )
        accent, first, rest = _BLUE, question.letters, ""
    else:
        hit = chosen == right
        sign, word = ("✓", "as you predicted") if hit else ("≠", "not what you predicted")
        head = (
            f"<b>{sign}</b> You predicted <b>{chosen}</b>. What happened: <b>{right}</b> ({word})."
        )
        accent = _GREEN if hit else _ORANGE
        first = chosen if hit else chosen + right
        rest = "".join(letter for letter in question.letters if letter not in first)
    inside = head + "".join(_reason(question, letter) for letter in first)
    if rest:
        others = "".join(_reason(question, letter) for letter in rest)
        inside += (
            '<details style="margin-top:8px"><summary style="cursor:pointer">'
            f"The other {'options' if len(rest) > 1 else 'option'}: {', '.join(rest)}</summary>"
            f"{others}</details>"
        )
    return _card(accent, inside)


def _revealed_text(question: Question, chosen: str | None) -> str:
    said = f"You predicted {chosen}." if chosen else "You had not committed to a prediction."
    reasons = "\n".join(f"  {letter}: {question.why[letter]}" for letter in question.letters)
    return f"{said} What happened: {question.answer}.\n{reasons}"


def _show(widget, static: str, plain: str) -> None:
    """One output: the widget where a front end can draw it, otherwise the HTML, otherwise text."""
    from IPython.display import display

    bundle = {"text/html": static, "text/plain": plain}
    if widget is not None:
        # The widget's own bundle names its model; our HTML and text take the place of its repr.
        bundle = {**widget._repr_mimebundle_(), **bundle}
    display(bundle, raw=True)


def _prediction_widget(question_id: str, question: Question):
    """The card with its buttons, or None without ipywidgets."""
    try:
        import ipywidgets as w
    except ImportError:
        return None
    size = w.Layout(width="64px", height="34px")
    buttons = [
        w.Button(description=letter, tooltip=f"Predict {letter}", layout=size)
        for letter in question.letters
    ]
    note = w.HTML()

    def refresh():
        chosen = _predictions.get(question_id)
        for button in buttons:
            button.button_style = "info" if button.description == chosen else ""
            button.icon = "check" if button.description == chosen else ""
            button.disabled = question_id in _revealed
        if question_id in _revealed:
            text = "The result is out. To predict anew, run this cell again."
        elif chosen:
            text = f"Your prediction: <b>{chosen}</b>. You may change it until you see the result."
        else:
            text = "Choose one before you run the next cell. A wrong guess costs nothing."
        note.value = (
            f'<div style="line-height:1.5;{_TEXT}" role="status" aria-live="polite">{text}</div>'
        )

    def choose(button):
        if question_id not in _revealed:
            _predictions[question_id] = button.description
        refresh()

    for button in buttons:
        button.on_click(choose)
    refresh()
    title = w.HTML(f'<b style="{_TEXT}">Your prediction</b>')
    line = "1px solid var(--jp-border-color1, #bdbdbd)"
    layout = w.Layout(
        border_top=line, border_right=line, border_bottom=line, border_left=f"5px solid {_BLUE}",
        padding="8px 14px", margin="6px 0", max_width="735px",
    )  # fmt: skip
    return w.VBox([title, w.HBox(buttons), note], layout=layout)
