"""Training that is watched: the same training, seen at every step."""

import numpy as np
import pytest

from helpers.course.machine import name_model, word_model
from helpers.training.coreference import train_coreference
from helpers.training.next_word import train_next_word


@pytest.mark.parametrize("watched", ["names", "words"])
def test_watching_training_changes_nothing_and_sees_start_and_end(watched):
    seen = []
    if watched == "names":
        plain = name_model(train_coreference(1, 3))
        again = train_coreference(1, 3, watch=lambda step, m: seen.append((step, name_model(m))))
        again = name_model(again)
    else:
        plain = word_model(train_next_word(1, 3, progress=False))
        again = train_next_word(
            1, 3, progress=False, watch=lambda step, m: seen.append((step, word_model(m)))
        )
        again = word_model(again)
    assert [step for step, _ in seen] == [0, 1, 2, 3]
    np.testing.assert_array_equal(again.vectors, plain.vectors)
    np.testing.assert_array_equal(seen[-1][1].vectors, plain.vectors)
    assert not np.array_equal(seen[0][1].vectors, seen[1][1].vectors)
