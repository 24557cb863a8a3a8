"""Demonstrations as HTML output: what travels, what stays where nothing may run, and the kit."""

import json
import math
import re
import subprocess
from html.parser import HTMLParser

import numpy as np
import pytest
from browser.demos import of_lessons
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from javascript import HELPERS, call, call_many, needs_node

from helpers.course import demonstration as made
from helpers.course.demonstration import demonstration, module_of, page_of, texts_of
from helpers.figures import bars

SCRIPTS = sorted(
    [
        *HELPERS.glob("lessons/lesson*/*.js"),
        HELPERS / "course/machine/machine.js",
        HELPERS / "course/machine/scrubber.js",
    ]
)
FILES = sorted({file for script in SCRIPTS for file in made.scripts_of(script)})


@pytest.fixture(autouse=True)
def shell():
    """A shell, as displaying needs one."""
    InteractiveShell.instance()


@pytest.fixture
def script(tmp_path):
    file = tmp_path / "demo.js"
    file.write_text(
        "// only a comment\n"
        'export function render(root, data) { root.textContent = say("Hello {n}", data); }\n',
        encoding="utf-8",
    )
    return file


def still():
    return bars([1.0, 2.0], ["他", "she"], caption="what <is> seen")


class Elements(HTMLParser):
    """The elements of a page, with the text inside scripts."""

    def __init__(self, page):
        super().__init__()
        self.found, self._text = [], None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs), []))

    def handle_data(self, data):
        if self.found:
            self.found[-1][2].append(data)

    def all(self, wanted):
        return [(attrs, "".join(text)) for tag, attrs, text in self.found if tag == wanted]


def test_a_demonstration_is_one_output_of_html_and_plain_text(script):
    with capture_output(stdout=False, stderr=False) as captured:
        demonstration(script, still=still(), n=1)
    (output,) = captured.outputs
    assert set(output.data) == {"text/html", "text/plain"}
    assert output.data["text/plain"] == "[Demonstration] what <is> seen"


def test_the_data_arrives_whole_and_no_text_in_it_ends_the_script(script):
    nasty = "</script><b>&amp; <!-- <script> 小明"
    page = page_of(script, still(), {"a": np.eye(2), "b": (nasty, None), "c": {"d": np.int64(3)}})
    told = [text for attrs, text in Elements(page).all("script") if attrs["type"] != "module"]
    assert json.loads(told[0]) == {"a": [[1, 0], [0, 1]], "b": [nasty, None], "c": {"d": 3}}
    assert len(Elements(page).all("script")) == 2


def test_without_scripts_and_styles_the_picture_stays_and_says_what_to_do(script):
    page = page_of(script, still(), {})
    clean = re.sub(r"(?s)<(script|style)\b.*?</\1>", "", page)
    (image, _) = Elements(clean).all("img")[0]
    assert image["alt"] == "what <is> seen"
    assert image["src"].startswith("data:image/png;base64,")
    assert "run this cell" in clean
    assert "<svg" not in clean


def test_the_same_demonstration_has_the_same_name_and_another_one_another(script):
    name = re.compile(r'data-demonstration="(\w+)"')
    one, same, other = (name.search(page_of(script, still(), {"n": n}))[1] for n in (1, 1, 2))
    assert one == same != other


@pytest.mark.parametrize("number", [float("nan"), np.inf])
def test_numbers_that_json_does_not_know_are_refused(script, number):
    with pytest.raises(ValueError, match="NaN or infinite"):
        page_of(script, still(), {"a": [number]})


def test_a_script_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.js"):
        page_of(tmp_path / "none.js", still(), {})


def test_the_texts_of_a_script_travel_in_the_readers_language(script, monkeypatch):
    monkeypatch.setattr(made, "language", lambda: "zh")
    monkeypatch.setattr(
        made, "translated", lambda text, into: {"Hello {n}": "你好 {n}"}.get(text, text)
    )
    assert '{"Hello {n}": "你好 {n}"}' in page_of(script, still(), {})
    assert "Hello {n}" in texts_of(script)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda s: f"{s.parent.name}-{s.stem}")
def test_each_module_is_whole_and_asks_nothing_of_the_network(script):
    source = module_of(script)
    assert not re.search(r"^\s*(import|export)\b", source, re.MULTILINE)
    assert "</script" not in source
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|fetch\(|XMLHttp|import\(", source)
    assert "function render(" in source


@needs_node
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda s: f"{s.parent.name}-{s.stem}")
def test_each_module_is_one_scope_without_a_name_twice(script):
    run = subprocess.run(
        ["node", "--input-type=module", "--check", "-"],
        input=module_of(script),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 0, run.stderr


def test_the_tests_in_a_browser_know_the_demonstrations_of_every_lesson_that_has_one():
    lessons = {path.parent.name[-2:] for path in HELPERS.glob("lessons/lesson*/demo.js")}
    assert {name[:2] for name in of_lessons()} == lessons


def test_comments_do_not_travel_and_strings_that_look_like_them_do():
    source = '// all\nconst a = "x // y"; // why\nconst b = `p // q`;\n'
    assert made.stripped(source) == 'const a="x // y";\nconst b=`p // q`;\n'


def test_all_scripts_together_stay_small():
    size = sum(len(made.stripped(file.read_text(encoding="utf-8")).encode()) for file in FILES)
    assert size < 60_000, size


@pytest.mark.parametrize("file", FILES, ids=lambda f: f"{f.parent.name}-{f.stem}")
def test_every_text_of_a_script_is_one_literal(file):
    source = file.read_text(encoding="utf-8")
    calls = re.findall(r"(?<!function )\bsay\(", source)
    assert len(calls) == len(made._TEXT.findall(source)), "say() must be given one plain string"


# --- the kit -----------------------------------------------------------------------------------

KIT = "course/kit.js"


@needs_node
def test_softmax_in_the_browser_is_that_of_numpy_and_never_nan():
    rng = np.random.default_rng(0)
    rows = [rng.normal(size=n).tolist() for n in (1, 3, 10)] + [[1000.0, 0.0], [-1e300, 0.0]]
    for row, got in zip(rows, call_many(KIT, [("softmax", row) for row in rows]), strict=True):
        powers = [math.exp(v - max(row)) for v in row]
        np.testing.assert_allclose(got, np.array(powers) / sum(powers), atol=1e-15)
    hidden = call(KIT, "(() => softmax([-Infinity, 0, -Infinity]))")
    assert hidden == [0, 1, 0]
    assert call(KIT, "(() => softmax([-Infinity, -Infinity]))") == [0, 0]


@needs_node
def test_the_product_in_the_browser_is_that_of_numpy():
    rng = np.random.default_rng(1)
    A, B = rng.normal(size=(3, 4)), rng.normal(size=(4, 2))
    np.testing.assert_allclose(call(KIT, "product", A.tolist(), B.tolist()), A @ B, atol=1e-14)


@needs_node
@pytest.mark.parametrize(
    ("number", "digits", "text"),
    [
        (0.125, 2, "0.13"),
        (-1.5, 2, "−1.50"),
        (-0.001, 2, "0.00"),
        (3, 0, "3"),
        (1e5, 2, "1.0e+5"),
        (-2.5e-9, 1, "0.0"),
    ],
)
def test_numbers_are_written_as_they_are_read(number, digits, text):
    assert call(KIT, "shown", number, digits) == text


@needs_node
def test_numbers_that_are_none_are_written_too():
    assert call(KIT, "(() => [NaN, Infinity, -Infinity].map((v) => shown(v)))") == [
        "NaN",
        "∞",
        "−∞",
    ]


@needs_node
@pytest.mark.parametrize(
    ("share", "text"),
    [
        (1, "100 %"),
        (0, "0 %"),
        (0.9999, "> 99.9 %"),
        (0.0001, "< 0.1 %"),
        (0.5, "50 %"),
        (0.03, "3 %"),
    ],
)
def test_shares_are_written_as_per_cent_and_are_certain_only_when_they_are(share, text):
    assert call(KIT, "percent", share) == text


@needs_node
def test_values_go_into_the_names_of_a_text():
    assert call(KIT, "say", "{a} and {b}: {a}", {"a": "x", "b": 2}) == "x and 2: x"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda s: f"{s.parent.name}-{s.stem}")
def test_no_rule_of_a_style_sheet_reaches_outside_its_output(script):
    css = re.sub(r"(?s)/\*.*?\*/", "", page_of(script, still(), {}).partition("<style>")[2])
    css = css.partition("</style>")[0]
    css = re.sub(r"@(media|container)[^{]*\{", "{", css)
    selectors = [s for s in re.findall(r"([^{}]+)\{", css) if s.strip()]
    split = [one.strip() for group in selectors for one in re.split(r",(?![^(]*\))", group)]
    assert split
    assert [one for one in split if not one.startswith(".only")] == []
