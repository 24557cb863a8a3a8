"""Executed notebooks as pages: one file each, which asks for nothing else."""

import html
import os
import re
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import nbformat
from nbconvert.exporters import TemplateExporter
from nbconvert.filters.highlight import Highlight2HTML
from pygments.formatters import HtmlFormatter

from helpers.language import say
from helpers.site import cells, fonts
from helpers.site.lessons import Lesson
from helpers.site.markdown import Text, inline, plain

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
_VIEW = "application/vnd.jupyter.widget-view+json"
_NAMES = {"en": "English", "zh": "中文"}


@dataclass(frozen=True)
class Edition:
    """One language of the pages, and what its pages say of the others.

    Attributes:
        language: its code.
        codes: the codes of all languages there are; the first stands in the folder of the pages,
            each other in a folder of its own.
        lessons: its lessons in order.
        binder: the address that opens the first lesson in Binder, "" if there is none.
    """

    language: str
    codes: tuple[str, ...]
    lessons: tuple[Lesson, ...]
    binder: str = ""

    @property
    def folder(self) -> str:
        """Where its pages stand below the folder of the pages."""
        return "" if self.language == self.codes[0] else f"{self.language}/"

    def links(self, page: str) -> list[dict]:
        """For each language the link from a page to the same page."""
        up = "../" * (page.count("/") + bool(self.folder))
        folders = {code: "" if code == self.codes[0] else f"{code}/" for code in self.codes}
        return [
            {"code": code, "name": _NAMES.get(code, code), "link": f"{up}{folders[code]}{page}"}
            for code in self.codes
        ]


@contextmanager
def speaking(code: str):
    """Let ``say`` speak a language inside a ``with`` block."""
    before = os.environ.get("COURSE_LANGUAGE")
    os.environ["COURSE_LANGUAGE"] = code
    try:
        yield
    finally:
        os.environ.pop("COURSE_LANGUAGE")
        if before is not None:
            os.environ["COURSE_LANGUAGE"] = before


def lesson_page(notebook: nbformat.NotebookNode, lesson: Lesson, edition: Edition) -> str:
    """Make the page of one lesson.

    Args:
        notebook: with its results.
        lesson: which one it is.
        edition: that it belongs to.

    Returns:
        The whole page.
    """
    text = Text()
    for number, cell in enumerate(notebook.cells):
        cell.setdefault("id", f"cell-{number}")
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if _is_shown(output)]
    texts = {
        cell.id: text.html(cell.source) for cell in notebook.cells if cell.cell_type == "markdown"
    }
    kinds = cells.parts_of(notebook)
    before, after = neighbours(lesson, edition.lessons)
    more = {
        "parts": {cell.id: part for cell, part in zip(notebook.cells, kinds, strict=True)},
        "texts": texts,
        "headings": text.headings,
        "highlight": Highlight2HTML(pygments_lexer="ipython3"),
        "count_text": cells.count_text(),
        "before": before,
        "after": after,
        "binder": re.sub(r"[^/]+(?=\.ipynb$)", lesson.place, edition.binder),
        "download": f"notebooks/{lesson.place}.ipynb",
    }
    resources = _frame(edition, lesson.page, plain(lesson.title)) | more
    made, _ = _exporter().from_notebook_node(notebook, resources=resources)
    return _with_fonts(made)


def start_page(machine: nbformat.NotebookNode, asked: dict, edition: Edition) -> str:
    """Make the index.

    Args:
        machine: a notebook whose last output is the sentence machine.
        asked: {place of a lesson: its questions to predict}.
        edition: that it belongs to.

    Returns:
        The whole page.
    """
    r = _frame(edition, "index.html", say("Self-attention, taken apart")) | {
        "machine": machine.cells[-1].outputs[-1].data["text/html"],
        "core": [lesson for lesson in edition.lessons if not lesson.deeper],
        "deeper": [lesson for lesson in edition.lessons if lesson.deeper],
        "asked": asked,
        "binder": edition.binder,
    }
    return _with_fonts(_exporter().environment.get_template("start.html.j2").render(r=r))


def notices_page(edition: Edition) -> str:
    """Make the page that holds the licences of all that the pages carry."""
    notices = [
        (
            say("The course"),
            say("Text and figures: CC BY 4.0. Code: MIT."),
            (ROOT / "LICENSE").read_text(encoding="utf-8"),
        ),
        (
            "Course CJK",
            say("Chinese characters: a part of Noto Sans SC under the SIL Open Font License 1.1."),
            fonts.LICENCES["Course CJK"].read_text(encoding="utf-8"),
        ),
        (
            "Course Signs",
            say("Signs that not every machine has: a part of DejaVu Sans, renamed."),
            fonts.LICENCES["Course Signs"].read_text(encoding="utf-8"),
        ),
    ]
    r = _frame(edition, "notices.html", say("Licences and notices")) | {"notices": notices}
    return _with_fonts(_exporter().environment.get_template("notices.html.j2").render(r=r))


def neighbours(lesson: Lesson, lessons) -> tuple[Lesson | None, Lesson | None]:
    """The lessons before and after one; a deeper one stands between its lesson and the next."""
    core = [other for other in lessons if not other.deeper]
    if lesson.deeper:
        before = [other for other in core if other.number <= lesson.number]
        after = [other for other in core if other.number > lesson.number]
    else:
        before = core[: core.index(lesson)]
        after = core[core.index(lesson) + 1 :]
    return before[-1] if before else None, after[0] if after else None


def binder_link(readme: str, repository: str = "") -> str:
    """The address that opens the first lesson in Binder.

    Args:
        readme: the text of README.md, where the address stands.
        repository: "owner/name" on GitHub, in the place of the one that stands there.

    Returns:
        The address, or "" while README.md names no real repository.
    """
    found = re.search(r"https://mybinder\.org/v2/gh/([^/\s]+/[^/\s]+)/[^\s)]+\.ipynb", readme)
    if not found or (not repository and found[1] == "OWNER/REPO"):
        return ""
    return found[0].replace(found[1], repository or found[1], 1)


@lru_cache
def _exporter():
    return TemplateExporter(
        template_name="course",
        extra_template_basedirs=[str(HERE / "templates")],
        file_extension=".html",
        exclude_input_prompt=True,
        exclude_output_prompt=True,
    )


def _frame(edition, page, title):
    return {
        "say": lambda text, **values: html.escape(say(text, **values)),
        "inline": inline,
        "title": title,
        "css": _css(),
        "script": (HERE / "page.js").read_text(encoding="utf-8"),
        "language": edition.language,
        "editions": edition.links(page),
        "top": "../" * page.count("/"),
    }


@lru_cache
def _css():
    own = (HERE / "page.css").read_text(encoding="utf-8")
    light = HtmlFormatter(style="default").get_style_defs(".highlight")
    dark = HtmlFormatter(style="github-dark").get_style_defs(':root[data-theme="dark"] .highlight')
    ours = re.compile(r"^(?=.*\.highlight \.)(.*)$", re.MULTILINE)
    return "\n".join([own, *ours.findall(light), *ours.findall(dark)])


def _with_fonts(page):
    return page.replace("/*FONTS*/", fonts.faces(page), 1)


def _is_shown(output):
    return _VIEW not in output.get("data", {}) and output.get("name") != "stderr"
