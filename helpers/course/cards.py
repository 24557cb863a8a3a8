"""The one style of boxed text: predictions, quiz, claims, verdicts, hints."""

import html

_COLOURS = {"blue": "#0072B2", "green": "#009E73", "orange": "#D55E00", "grey": "#7a7a7a"}
_CARD = (
    "border:1px solid var(--jp-border-color1,#bdbdbd);border-left:5px solid {accent};"
    "border-radius:6px;padding:8px 14px;margin:6px 0;max-width:760px;line-height:1.5;"
    "font-family:var(--jp-content-font-family,sans-serif);font-size:var(--jp-content-font-size1,14px);"
    "background:var(--jp-layout-color1,transparent);color:var(--jp-content-font-color1,inherit)"
)
_SUMMARY = (
    "cursor:pointer;display:inline-block;padding:3px 14px;border-radius:4px;font-weight:600;"
    "border:1px solid var(--jp-border-color1,#999);background:var(--jp-layout-color2,transparent)"
)
_FOLD = "display:inline-block;vertical-align:top;margin:6px 8px 0 0;max-width:100%"


def card(colour: str, inside: str) -> str:
    """Put HTML into the course's box; `colour` is "blue", "green", "orange" or "grey"."""
    return f'<div style="{_CARD.format(accent=_COLOURS[colour])}">{inside}</div>'


def folded(title: str, inside: str, group: str = "") -> str:
    """HTML that opens at a click on its title; of one `group` only one is open at a time."""
    name = f' name="{html.escape(group)}"' if group else ""
    summary = f'<summary style="{_SUMMARY}">{html.escape(title)}</summary>'
    return f'<details{name} style="{_FOLD}">{summary}{inside}</details>'
