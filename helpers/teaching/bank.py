"""The question bank: GIFT for Moodle, QTI 1.2 in a content package for Canvas."""

import html
import io
import re
import zipfile
from xml.etree import ElementTree

from helpers.language import say
from helpers.teaching.lesson import Lesson
from helpers.teaching.pages import inline

_QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
_PACKAGE = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
_DATE = (2000, 1, 1, 0, 0, 0)  # the same package for the same questions


def gift(lesson: Lesson) -> str:
    """Write a lesson's questions as GIFT, each option with its reason."""
    category = _escaped(say("Self-attention, {title}", title=lesson.title).replace("/", "∕"))
    lines = [f"$CATEGORY: {category}", ""]
    for name, question in lesson.questions.items():
        lines.append(f"::{_escaped(name)}::[html]{_escaped(inline(say(question.ask)))} {{")
        for letter, text in question.options.items():
            sign = "=" if letter == question.answer else "~"
            reason = html.escape(say(question.why[letter]), quote=False)
            lines.append(f"\t{sign}{_escaped(inline(say(text)))}#{_escaped(reason)}")
        lines += ["}", ""]
    return "\n".join(lines)


def _escaped(text):
    return re.sub(r"([~=#{}:\\])", r"\\\1", " ".join(text.split()))


def qti(lesson: Lesson) -> str:
    """Write a lesson's questions as one QTI 1.2 assessment, each option with its reason."""
    whole = ElementTree.Element("questestinterop", xmlns=_QTI)
    title = say("Self-attention, {title}", title=lesson.title)
    test = _below(whole, "assessment", ident=f"lesson{lesson.number}", title=title)
    section = _below(test, "section", ident="root_section")
    for name in lesson.questions:
        _item(section, name, lesson.questions[name])
    ElementTree.indent(whole)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(whole, "unicode")


def package(lesson: Lesson) -> bytes:
    """Zip the assessment with its manifest, as Canvas imports it."""
    file = f"lesson{lesson.number}/lesson{lesson.number}.xml"
    manifest = ElementTree.Element("manifest", identifier=f"m{lesson.number}", xmlns=_PACKAGE)
    meta = _below(manifest, "metadata")
    _below(meta, "schema").text = "IMS Content"
    _below(meta, "schemaversion").text = "1.1.3"
    _below(manifest, "organizations")
    resources = _below(manifest, "resources")
    about = {"identifier": f"lesson{lesson.number}", "type": "imsqti_xmlv1p2", "href": file}
    _below(_below(resources, "resource", **about), "file", href=file)
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as zipped:
        for name, text in (
            ("imsmanifest.xml", ElementTree.tostring(manifest, "unicode")),
            (file, qti(lesson)),
        ):
            zipped.writestr(zipfile.ZipInfo(name, _DATE), text.encode(), zipfile.ZIP_DEFLATED)
    return memory.getvalue()


def _item(section, name, question):
    """One question: what is shown, what counts, what is answered to each option."""
    ident = "q" + name.replace(".", "_")
    item = _below(section, "item", ident=ident, title=name)
    fields = _below(_below(item, "itemmetadata"), "qtimetadata")
    for label, entry in (("question_type", "multiple_choice_question"), ("points_possible", "1")):
        field = _below(fields, "qtimetadatafield")
        _below(field, "fieldlabel").text = label
        _below(field, "fieldentry").text = entry
    shown = _below(item, "presentation")
    _text(shown, inline(say(question.ask)))
    choice = _below(
        _below(shown, "response_lid", ident="response1", rcardinality="Single"), "render_choice"
    )
    for letter, text in question.options.items():
        _text(_below(choice, "response_label", ident=letter), inline(say(text)))
    judging = _below(item, "resprocessing")
    limits = {"maxvalue": "100", "minvalue": "0", "varname": "SCORE", "vartype": "Decimal"}
    _below(_below(judging, "outcomes"), "decvar", **limits)
    for letter in question.options:
        condition = _condition(judging, letter, "Yes")
        about = {"feedbacktype": "Response", "linkrefid": f"{letter}_fb"}
        _below(condition, "displayfeedback", **about)
    right = _condition(judging, question.answer, "No")
    _below(right, "setvar", action="Set", varname="SCORE").text = "100"
    for letter in question.options:
        feedback = _below(item, "itemfeedback", ident=f"{letter}_fb")
        reason = html.escape(say(question.why[letter]), quote=False)
        _text(_below(feedback, "flow_mat"), reason)


def _condition(judging, letter, goes_on):
    condition = _below(judging, "respcondition", **{"continue": goes_on})
    _below(_below(condition, "conditionvar"), "varequal", respident="response1").text = letter
    return condition


def _text(parent, markup):
    _below(_below(parent, "material"), "mattext", texttype="text/html").text = markup


def _below(parent, tag, **attributes):
    return ElementTree.SubElement(parent, tag, **attributes)
