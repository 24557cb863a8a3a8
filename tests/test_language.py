"""The language layer: where the language comes from, and that no shown text escapes it."""

import ast
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from reading import ROOT

from helpers import language as layer
from helpers.language import language, say, together

# What is converted: everything below these places speaks through say().
CONVERTED = (
    "helpers/course",
    "helpers/figures",
    "helpers/homework",
    "helpers/launcher",
    "helpers/lessons/lesson01",
    "helpers/lessons/lesson02",
    "helpers/lessons/lesson03",
    "helpers/lessons/lesson04",
    "helpers/lessons/lesson08",
    "helpers/lessons/lesson05",
    "helpers/lessons/lesson06",
    "helpers/lessons/lesson07",
    "helpers/lessons/lesson09",
    "helpers/lessons/lesson10",
    "helpers/__main__.py",
    "helpers/ledger",
    "helpers/site",
)
FILES = sorted(
    file
    for place in CONVERTED
    for file in ([ROOT / place] if (ROOT / place).is_file() else (ROOT / place).rglob("*.py"))
)
SPEAKERS = {"say", "translated"}
# Declared texts stand as they are and are translated when they are shown.
DECLARED = {
    "says",
    "remark",
    "source",
    "name",
    "form",
    "ask",
    "options",
    "answer",
    "why",
    "hints",
    "misconception",
}
SENTENCE = re.compile(r"[A-Za-z]{2,}[,:]? +[a-z]{2,}")
# Markup, style, patterns and code; names that matplotlib and pip know.
NO_TEXT = re.compile(
    r"[<>]|[:;=].*;|^--|^\s*(import|from|and) |\.\*|\(\?"
    r"|^(outside lower left|axes fraction|offset points|Installing collected packages)$"
    r"|^not attempted$"
)


@pytest.fixture
def catalogue(tmp_path, monkeypatch):
    """A folder of catalogues, and a function that writes one into it."""
    monkeypatch.setattr(layer, "LOCALE", tmp_path)
    layer._catalogue.cache_clear()

    def write(code, texts, fuzzy=()):
        made = Catalog(locale=None)
        for english, other in texts.items():
            made.add(english, other, flags={"fuzzy"} if english in fuzzy else ())
        with (tmp_path / f"{code}.po").open("wb") as file:
            write_po(file, made)

    yield write
    layer._catalogue.cache_clear()


def test_without_a_catalogue_everything_is_english(catalogue, monkeypatch):
    monkeypatch.setenv("COURSE_LANGUAGE", "xx")
    assert say("one {number}", number=2) == "one 2"
    assert say("{braces} stay without values") == "{braces} stay without values"


def test_a_translation_is_found_and_its_values_are_put_in(catalogue, monkeypatch):
    catalogue("xx", {"{share:.0%} of it": "davon {share:.1%}", "open": "offen"}, fuzzy=("open",))
    monkeypatch.setenv("COURSE_LANGUAGE", "xx")
    assert say("{share:.0%} of it", share=0.25) == "davon 25.0%"
    assert say("open") == "open", "a translation marked as doubtful is not used"
    assert say("a text that changed") == "a text that changed"


@pytest.mark.parametrize(
    ("folder", "wanted"),
    [
        ("zh/attention", "en"),
        ("course/notebooks", "en"),
        ("course/notebooks/deeper", "en"),
        ("course/notebooks/zh", "zh"),
        ("zh/notebooks/zh/deeper", "zh"),
    ],
)
def test_the_language_is_that_of_the_folder_below_notebooks(
    folder, wanted, catalogue, tmp_path, monkeypatch
):
    catalogue("zh", {"a": "b"})
    (tmp_path / folder).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / folder)
    monkeypatch.delenv("COURSE_LANGUAGE", raising=False)
    assert language() == wanted
    monkeypatch.setenv("COURSE_LANGUAGE", "xx")
    assert language() == "xx", "what the reader asks for comes first"


def test_whole_sentences_follow_each_other_as_the_language_spaces_them(monkeypatch):
    monkeypatch.setenv("COURSE_LANGUAGE", "en")
    assert together("One.", "", "Two.") == "One. Two."
    monkeypatch.setenv("COURSE_LANGUAGE", "zh")
    assert together("一。", "二。") == "一。二。"


def escaping(tree):
    """Yield the English sentences of a module that neither say() nor a declaration holds."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            continue
        text = node.value
        if not SENTENCE.search(text) or NO_TEXT.search(text):
            continue
        if isinstance(parents[node], ast.Expr):
            continue  # a docstring
        step, held = node, False
        while step in parents and not held:
            step = parents[step]
            if isinstance(step, ast.Call):
                held = getattr(step.func, "id", getattr(step.func, "attr", "")) in SPEAKERS
            if isinstance(step, ast.keyword):
                held = step.arg in DECLARED
            if isinstance(step, ast.FunctionDef):  # speaks to whoever declares something
                held = step.name == "__post_init__"
            if isinstance(step, ast.Assign):
                names = {getattr(target, "id", "") for target in step.targets}
                held = any(name.isupper() for name in names)
        if not held:
            yield f"line {node.lineno}: {text}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_shown_text_escapes_the_language_layer(file):
    found = list(escaping(ast.parse(Path(file).read_text(encoding="utf-8"))))
    assert not found, "\n".join(found)


def test_the_search_for_escaping_texts_finds_one():
    said = 'def f(x):\n    """Not this one here."""\n    say("nor this one")\n'
    code = said + '    return f"but this {x}"'
    assert [text.partition(": ")[2] for text in escaping(ast.parse(code))] == ["but this "]
