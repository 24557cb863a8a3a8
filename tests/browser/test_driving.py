"""Each demonstration in JupyterLab, by keyboard, mouse and touch: what is shown follows."""

import numpy as np
import pytest

from browser.demos import all_demonstrations
from browser.lab import KEYS, name_of
from helpers.course.machine.stored import stored_models

NAMES = list(all_demonstrations())
each = pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)


@pytest.fixture
def driven(everything, number):
    """One demonstration as at its start; neither page nor network may be misused meanwhile."""
    yield everything.demonstration(number, afresh=True)
    assert everything.watch.take() == []


@each
def test_every_control_answers_the_keyboard_and_keeps_the_focus(driven, number):
    assert driven.controls()
    for kind in reversed(KEYS):
        for control in driven.controls(kind)[:6]:
            assert len(driven.press(control)) > 1, f"{name_of(control)}: no key changes anything"


@each
def test_numbers_typed_in_change_what_follows_from_them(driven, number):
    fields = driven.controls("number")
    seen = {driven.result(typed=False)}
    for control in fields[:8]:
        driven.node(control).fill("3.5")
        seen.add(driven.result(typed=False))
    assert len(seen) > 1 or not fields


@each
def test_every_menu_changes_what_is_shown(driven, number):
    for control in driven.controls("menu"):
        menu = driven.node(control)
        value = menu.evaluate("(menu) => menu.value")
        values = menu.evaluate("(menu) => [...menu.options].map((option) => option.value)")
        for other in [*[v for v in values if v != value][:1], value]:
            driven.must_change(lambda m=menu, o=other: m.select_option(o), name_of(control))


@each
def test_plain_keys_never_reach_the_notebook(driven, number):
    count = driven.lab.count()
    kinds = {control["kind"]: control for control in driven.controls()}
    for control in kinds.values():
        driven.focus(control)
        for key in "abddx":
            driven.page.keyboard.press(key)
        assert driven.lab.count() == count, f"{name_of(control)}: a key has changed the cells"
        assert driven.has_focus()


def spots(box):
    """Two points on a control that say different things: most of the way left, most right."""
    y = box["y"] + box["height"] / 2
    return [(box["x"] + box["width"] * part, y) for part in (0.15, 0.85)]


def point_at(driven, control, press):
    """Use a control by pointing: `press(*points)` presses on the first and lets go on the last."""
    box = driven.box(control)
    (left, right), middle = spots(box), (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    if control["kind"] == "slider":
        press(left)
        driven.must_change(lambda: press(right), name_of(control))
    elif control["kind"] == "handle":
        aside = (middle[0] - 40, middle[1] + 30)
        driven.must_change(lambda: press(middle, aside), name_of(control))
    elif control["kind"] == "tick":
        driven.must_change(lambda: press(middle), name_of(control))
    elif control["kind"] == "choice":
        chips = driven.node(control).query_selector_all("[role=radio][aria-checked=false]")
        box = chips[-1].bounding_box()
        at = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        driven.must_change(lambda: press(at), name_of(control))
    elif control["kind"] == "word":
        other = driven.root.evaluate("(root) => course.neighbour(root)")
        drags = driven.root.evaluate("(root) => Boolean(root.querySelector('.words'))")
        points = [middle, ((middle[0] + other[0]) / 2, middle[1]), other] if drags else [other]
        driven.must_change(lambda: press(*points), name_of(control))


@each
@pytest.mark.parametrize("how", ["mouse", "touch"])
def test_every_kind_of_control_answers(driven, number, how):
    press = driven.drag if how == "mouse" else driven.touch
    for kind in dict.fromkeys(control["kind"] for control in driven.controls()):
        for control in driven.controls(kind)[:1]:
            point_at(driven, control, press)


@each
def test_buttons_leave_it_whole_and_reset_brings_back_the_start(driven, number):
    for control in driven.controls("button"):
        node = driven.node(control)
        if node is not None and node.is_visible() and node.is_enabled():
            node.evaluate("(node) => node.click()")
    assert driven.root.inner_text().strip()

    def changed():
        return (driven.controls("number") or driven.controls("choice"))[0]

    def reset():
        for _ in range(2):  # the second time there is no move to tell of
            (button,) = (c for c in driven.controls("button") if c["text"].startswith("Reset"))
            driven.node(button).evaluate("(node) => node.click()")
        return driven.result()

    if any(control["text"].startswith("Reset") for control in driven.controls("button")):
        driven.focus(changed())
        start = reset()
        driven.focus(changed())
        driven.page.keyboard.press("ArrowUp" if changed()["kind"] == "number" else "End")
        assert driven.result() != start
        assert reset() == start


@each
def test_a_number_far_too_large_is_answered_by_a_sentence(driven, number):
    for control in driven.controls("number")[:1]:
        field = driven.node(control)
        field.focus()  # which alone may choose a row
        before = driven.result(typed=False)
        field.fill("1e300")
        assert driven.root.query_selector("[role=status]").inner_text().strip()
        assert driven.result(typed=False) == before
        field.fill("2")
        assert not driven.root.query_selector("[role=status]").inner_text().strip()


@each
def test_it_fits_from_360_to_1400_pixels(driven, number):
    host = "(root, width) => { root.parentElement.style.width = width; }"
    for width in (360, 800, 1400):
        driven.root.evaluate(host, f"{width}px")
        driven.settle()
        driven.settle()  # what the first frame has changed may change the second
        outside = driven.root.evaluate(
            "(root) => [...root.querySelectorAll('*')].filter((node) => node.checkVisibility()"
            " && !node.closest('.scroll, .spoken, svg') && node.getBoundingClientRect().right"
            " > root.getBoundingClientRect().right + 1).map((node) => node.outerHTML.slice(0, 90))"
        )
        assert outside == [], f"at {width} px"
    driven.root.evaluate(host, "")


@each
def test_what_it_says_is_announced(driven, number):
    driven.root.evaluate("(root) => { root.live.textContent = ''; }")
    control = next(c for c in driven.controls() if c["kind"] in KEYS)
    driven.focus(control)
    for key in KEYS[control["kind"]]:
        driven.page.keyboard.press(key)
    said = "(root) => root.live.textContent.length > 5"
    driven.page.wait_for_function(said, arg=driven.root)


def test_the_scrubber_plays_until_it_is_paused(everything):
    driven = everything.demonstration(NAMES.index("scrubber"), afresh=True)
    first, held, later = driven.root.evaluate("(root) => course.playAndPause(root)")
    assert first == 0
    assert 0 < held == later


def test_he_turned_into_she_makes_the_machine_answer_the_other_name(everything):
    driven = everything.demonstration(NAMES.index("machine of names"), afresh=True)
    pronouns = driven.root.query_selector(".pronouns")
    answers = []
    for pronoun in ("他", "她"):
        pronouns.query_selector(f"button:has-text('{pronoun}')").click()
        answers.append(driven.root.query_selector(".got").query_selector("[lang]").inner_text())
    assert answers == ["小明", "小红"]


@pytest.mark.parametrize("kind", ["names", "words"])
def test_the_numbers_of_the_machine_in_the_browser_are_those_of_numpy(everything, kind):
    driven = everything.demonstration(NAMES.index(f"machine of {kind}"), afresh=True)
    models = list(stored_models(kind).values())
    variants = driven.root.query_selector_all("[aria-label=model] [role=radio]")
    assert len(variants) == len(models)
    for variant, model in zip(variants, models, strict=True):
        variant.click()
        read = driven.root.evaluate(
            "(root) => { const { tokens, row, weights, chances } = root.read();"
            " return { tokens, row, weights, chances: [...chances] }; }"
        )
        weights, chances = model.look(read["tokens"], read["row"])
        np.testing.assert_allclose(read["weights"], weights, rtol=0, atol=1e-6)
        np.testing.assert_allclose(read["chances"], chances, rtol=0, atol=1e-6)
    assert everything.watch.take() == []
