"""Lesson 02: the picture is right."""

import numpy as np
import pytest

from helpers.lessons.lesson02.figures import library_plane


def test_picture_refuses_weights_that_do_not_belong_to_the_keys():
    with pytest.raises(ValueError, match="one share a key: 2, got 3"):
        library_plane(np.eye(2), [1, 0], [0.2, 0.3, 0.5], ["a", "b"])


def test_caption_names_the_book_that_gives_most():
    figure = library_plane(np.eye(2), [1, 0], [0.2, 0.8], ["ships", "fish"])
    assert "fish gets the most, 0.80" in figure.caption
