"""The first picture of the README moves once, briefly, and is small."""

import numpy as np
from PIL import Image
from reading import ROOT

PICTURE = ROOT / "notebooks" / "images" / "he_or_she.png"


def test_the_moving_picture_plays_once_for_less_than_five_seconds_and_ends_elsewhere():
    with Image.open(PICTURE) as picture:
        assert picture.info["loop"] == 1
        frames, milliseconds = [], 0
        for number in range(picture.n_frames):
            picture.seek(number)
            frames.append(np.asarray(picture.convert("RGB"), dtype=int))
            milliseconds += picture.info["duration"]
    assert 1000 < milliseconds < 5000
    assert np.mean(np.abs(frames[-1] - frames[0]) > 30) > 0.01
    assert PICTURE.stat().st_size < 1_000_000
