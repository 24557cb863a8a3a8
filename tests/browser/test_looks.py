"""Light and dark, and what a screen reader is told: axe-core finds nothing serious."""

import pytest

from browser.axe import serious_faults

THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_in_each_theme_all_follow_it_and_axe_finds_nothing_serious(everything, theme):
    everything.command("apputils:change-theme", theme=THEMES[theme])
    page = everything.page
    page.wait_for_function(
        f"document.body.dataset.jpThemeLight === '{str(theme == 'light').lower()}'"
    )
    kits = "[...document.querySelectorAll('[data-demonstration] > .kit')]"
    dark = str(theme == "dark").lower()
    page.wait_for_function(f"{kits}.every((kit) => kit.hasAttribute('data-dark') === {dark})")
    page.evaluate("course.visit()")
    assert serious_faults(everything) == []
    assert everything.watch.take() == []
