"""Draw the two pictures of the README anew: python tests/draw_readme_images.py.

It takes 40 seconds and needs Chromium, in which the first picture is taken from the machine itself.
"""

import io
from pathlib import Path

from browser.chromium import chromium
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from PIL import Image

from helpers.course.machine import sentence_machine
from helpers.lessons.lesson01.figures import by_distance
from helpers.training.recall import CHANCE, recall, train_readers

IMAGES = Path(__file__).resolve().parents[1] / "notebooks" / "images"
PLANS = {
    "attention": ("attention", 32, 250),
    "GRU 32": ("GRU", 32, 600),
    "RNN 64": ("RNN", 64, 600),
    "GRU 8": ("GRU", 8, 600),
    "GRU 128": ("GRU", 128, 600),
}
WIDTH = 860  # CSS pixels; what does not change between two frames costs nothing
PAGE = '<!doctype html><meta charset="utf-8"><body style="margin:12px;font:14px sans-serif">'
STEP, HOLD, LAST = 40, 1400, 250  # milliseconds: a frame, a still moment, the end of all movement


def he_turned_into_she() -> list[tuple[Image.Image, int]]:
    """The frames of the machine while its pronoun is changed, and how long each is shown."""
    InteractiveShell.instance()
    with capture_output(stdout=False, stderr=False) as captured:
        sentence_machine("names")
    frames = []
    with chromium() as browser:
        page = browser.new_page(viewport={"width": WIDTH, "height": 900}, device_scale_factor=1.5)
        page.set_content(PAGE + captured.outputs[0].data["text/html"])
        kit = page.locator(".kit")

        def take(milliseconds):
            picture = Image.open(io.BytesIO(kit.screenshot())).convert("RGB")
            frames.append((picture, milliseconds))

        she = page.locator(".pronouns button", has_text="她")
        she.click()  # once before, so that later nothing has to make room
        for _ in range(2):  # the second time there is no move to tell of
            page.get_by_text("Reset", exact=True).click()
        page.mouse.move(0, 0)
        page.wait_for_timeout(600)
        take(HOLD)
        she.hover()
        take(500)
        page.mouse.down()
        page.mouse.up()
        page.evaluate("document.getAnimations().forEach((moving) => moving.pause())")
        for moment in range(0, LAST + STEP, STEP):
            page.evaluate(
                "(t) => document.getAnimations().forEach((moving) => { moving.currentTime = t; })",
                moment,
            )
            take(STEP)
        page.evaluate("document.getAnimations().forEach((moving) => moving.finish())")
        take(HOLD)
    return frames


def main():
    """Write he_or_she.png, which moves once and then stands still, and experiment.png."""
    frames, times = zip(*he_turned_into_she(), strict=True)
    frames[0].save(
        IMAGES / "he_or_she.png",
        save_all=True,
        append_images=frames[1:],
        duration=list(times),
        loop=1,
    )
    accuracy = {name: recall(r, 16) for name, r in train_readers(PLANS, 0).items()}
    (IMAGES / "experiment.png").write_bytes(by_distance(accuracy, CHANCE).png_bytes())


if __name__ == "__main__":
    main()
