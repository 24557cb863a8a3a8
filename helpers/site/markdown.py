"""The text cells as HTML: formulas as MathML, headings that can be linked, words with glosses."""

import html
import re

from mistune import HTMLRenderer
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from helpers.language import say
from helpers.sentences import GLOSS, known_gloss
from helpers.site.lessons import SiteError

_TAG = re.compile(r"(<[^>]*>)")
_WORD = re.compile("|".join(sorted(filter(str.isalpha, GLOSS), key=len, reverse=True)))
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_UNTOUCHED = ("code", "pre", "math", "summary", "script", "style", "ruby", "a", "button")
_LETTER = re.compile(r"<mi>([A-Za-zα-ω])</mi>")


class Text:
    """Turns the Markdown of one page into HTML and collects its headings.

    Attributes:
        headings: (level, id, HTML without links) of each heading so far.
    """

    def __init__(self):
        """Begin a page."""
        self.headings: list[tuple[int, str, str]] = []

    def html(self, source: str) -> str:
        """Return one text cell as HTML."""
        renderer = _Renderer(self, escape=False, exclude_anchor_links=True)
        return glossed(MarkdownWithMath(renderer=renderer).render(source))

    def heading(self, inner: str, level: int) -> str:
        """Return a heading with an id of its own."""
        plain = html.unescape(re.sub(r"<[^>]+>", "", inner))
        name = re.sub(r"[^\w]+", "-", plain.lower()).strip("-") or "section"
        taken = {known for _, known, _ in self.headings}
        own = next(n for n in _numbered(name) if n not in taken)
        self.headings.append((level, own, html.escape(plain)))
        return f'<h{level} id="{own}">{inner}</h{level}>\n'


def _numbered(name):
    yield name
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1


class _Renderer(IPythonRenderer):
    def __init__(self, text, **options):
        super().__init__(**options)
        self._text = text

    def heading(self, text, level, **attrs):
        return self._text.heading(text, level)

    def link(self, text, url, title=None):
        """Links between notebooks lead from page to page."""
        return HTMLRenderer.link(self, text, page_address(url), title)

    def table(self, text):
        return f'<div class="wide"><table>{text}</table></div>\n'

    def block_math(self, body):
        return f'<div class="wide">{mathml(body, "block")}</div>'

    def inline_math(self, body):
        return mathml(body, "inline")

    def latex_environment(self, name, body):
        return self.block_math(rf"\begin{{{name}}}{body}\end{{{name}}}")


def page_address(url: str) -> str:
    """Where a link of a notebook leads on a page: to the page of that notebook."""
    return re.sub(r"^(?!\w+:)([^#]+)\.ipynb(?=#|$)", r"\1.html", url)


def mathml(latex: str, display: str) -> str:
    """Return a formula as MathML, which browsers draw by themselves."""
    try:
        from latex2mathml.converter import convert
    except ImportError as error:
        raise SiteError(
            say("The formulas need a package: {command}", command='pip install ".[site]"')
        ) from error
    made = convert(latex.strip(), display=display)
    # A single letter is set in italics by style: the letters that browsers take are in few fonts.
    return _LETTER.sub(r'<mi class="letter">\1</mi>', made)


def glossed(made: str) -> str:
    """Give each Chinese word its meaning, which a reader can have shown above it."""
    parts, depth = [], []
    for piece in _TAG.split(made):
        name = re.match(r"</?([a-z]+\d?)", piece)
        if piece.startswith("<"):
            if name and name[1] in _UNTOUCHED:
                if piece.startswith("</"):
                    depth = depth[:-1]
                elif not piece.endswith("/>"):
                    depth.append(name[1])
            parts.append(piece)
        else:
            parts.append(piece if depth else _with_glosses(piece))
    return "".join(parts)


def _with_glosses(text):
    made, end = [], 0
    for found in _WORD.finditer(text):
        gloss = known_gloss(found[0])
        if not gloss or not _CHINESE.search(found[0]) or _said(text[found.end() :], gloss):
            continue
        # A longer run of characters is a sentence or another word, not this one.
        around = (
            text[max(0, found.start() - 1) : found.start()] + text[found.end() : found.end() + 1]
        )
        if _CHINESE.search(around):
            continue
        made.append(text[end : found.start()])
        made.append(
            f'<ruby lang="zh-Hans" title="{html.escape(gloss)}">{found[0]}'
            f'<rt lang="en">{html.escape(gloss)}</rt></ruby>'
        )
        end = found.end()
    return "".join([*made, text[end:]])


def _said(after, gloss):
    """Whether the meaning follows anyway."""
    return after.lstrip(" (").startswith(gloss)


def plain(source: str) -> str:
    """A line of Markdown as plain text."""
    return html.unescape(re.sub(r"<[^>]+>", "", Text().html(source))).strip()


def inline(source: str) -> str:
    """A line of Markdown as HTML that stands in a line."""
    made = Text().html(source).strip()
    return re.sub(r"^<p>(.*)</p>$", r"\1", made, flags=re.DOTALL)
