"""The question bank is read back by readers of its own and gives the declared questions."""

import importlib
import io
import re
import zipfile
from xml.etree import ElementTree

import pytest

from helpers.course.questions import Question
from helpers.teaching import bank
from helpers.teaching.lesson import LESSONS, Lesson, lesson_of

HARD = Question(
    ask="Is {a} = b # c : d ~ e \\ f, or `x < y`?",
    options={"A": "~{50 %}=", "B": "**no** & #never", "C": "a:b"},
    answer="B",
    why={"A": "= is not ~.", "B": "Since 1 < 2 & {so}.", "C": "A colon: no."},
)
TRICKY = Lesson("99", "99 · {a}: b/c", (), {"99.1": HARD}, {})


def plain(markup):
    """Undo HTML: what a learner reads."""
    return ElementTree.fromstring(f"<p>{markup}</p>").itertext()


def words(markup):
    return "".join(plain(markup))


def shown(markdown):
    return re.sub(r"`|\*(?! )|(?<! )\*", "", markdown)  # a star between blanks is a product


def as_declared(questions):
    """What a reader has to find: text, options, the right one, reasons."""
    return {
        name: (
            shown(q.ask),
            [shown(option) for option in q.options.values()],
            "ABCDEFGH".index(q.answer),
            [q.why[letter] for letter in q.options],
        )
        for name, q in questions.items()
    }


def tokens(text):
    """Split GIFT into control signs and text, with escapes undone."""
    found, place = [], 0
    while place < len(text):
        sign = text[place]
        if sign == "\\":
            place += 1
            found.append((False, text[place]))
        else:
            found.append((sign in "=~#{}", sign))
        place += 1
    return found


def read_gift(text):
    """Read GIFT: what stands between braces, option by option."""
    questions = {}
    for block in text.split("\n\n"):
        block = block.strip()
        if not block or block.startswith("$CATEGORY"):
            continue
        _, name, rest = re.split(r"(?<!\\)::", block)
        assert rest.startswith("[html]")
        parts, kinds = [""], ["ask"]
        for control, sign in tokens(rest.removeprefix("[html]")):
            if control and sign != "}":
                parts.append("")
                kinds.append(sign)
            elif not control:
                parts[-1] += sign
        parts = [words(part.strip()) for part in parts]
        options = [part for part, kind in zip(parts, kinds, strict=True) if kind in "=~"]
        right = [kind for kind in kinds if kind in "=~"]
        reasons = [part for part, kind in zip(parts, kinds, strict=True) if kind == "#"]
        assert right.count("=") == 1
        questions[name.replace("\\", "")] = (parts[0], options, right.index("="), reasons)
    return questions


def read_qti(text):
    """Read QTI 1.2: the option that scores 100, and what is answered to each."""
    space = {"q": "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"}
    questions = {}
    for item in ElementTree.fromstring(text).iterfind(".//q:item", space):
        labels = item.findall(".//q:response_label", space)
        options = [words(label.find(".//q:mattext", space).text) for label in labels]
        letters = [label.get("ident") for label in labels]
        feedback = {
            found.get("ident"): words(found.find(".//q:mattext", space).text)
            for found in item.iterfind("q:itemfeedback", space)
        }
        right, reasons = [], {}
        for condition in item.iterfind(".//q:respcondition", space):
            letter = condition.find(".//q:varequal", space).text
            link = condition.find("q:displayfeedback", space)
            if link is not None:
                reasons[letter] = feedback[link.get("linkrefid")]
            if condition.find("q:setvar", space) is not None:
                assert condition.find("q:setvar", space).text == "100"
                right.append(letter)
        (answer,) = right
        asked = words(item.find("q:presentation/q:material/q:mattext", space).text)
        name = item.get("title")
        ordered = [reasons[letter] for letter in letters]
        questions[name] = (asked, options, letters.index(answer), ordered)
    return questions


@pytest.mark.parametrize("number", LESSONS)
def test_both_banks_give_back_the_declared_questions(number):
    lesson = lesson_of(number)
    declared = importlib.import_module(f"helpers.lessons.lesson{number}.questions").QUESTIONS
    assert read_gift(bank.gift(lesson)) == as_declared(declared)
    assert read_qti(bank.qti(lesson)) == as_declared(declared)


def test_signs_of_gift_and_of_xml_in_a_question_come_back_as_they_were():
    assert read_gift(bank.gift(TRICKY)) == as_declared({"99.1": HARD})
    assert read_qti(bank.qti(TRICKY)) == as_declared({"99.1": HARD})
    assert bank.gift(TRICKY).splitlines()[0].count("/") == 0, "a slash would make a category"


def test_the_package_names_the_file_it_holds():
    with zipfile.ZipFile(io.BytesIO(bank.package(lesson_of("04")))) as zipped:
        manifest = ElementTree.fromstring(zipped.read("imsmanifest.xml"))
        space = {"m": "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"}
        (resource,) = manifest.iterfind(".//m:resource", space)
        assert resource.get("type") == "imsqti_xmlv1p2"
        assert sorted(zipped.namelist()) == sorted(["imsmanifest.xml", resource.get("href")])
        assert len(read_qti(zipped.read(resource.get("href")))) == 6


def test_names_inside_one_assessment_are_given_once():
    text = bank.qti(lesson_of("10"))
    names = re.findall(r'<item ident="([^"]+)"', text)
    assert len(names) == len(set(names)) > 1
