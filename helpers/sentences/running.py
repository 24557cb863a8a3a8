"""The running sentence and its hand-made numbers."""

import numpy as np

TOKENS = ("小明", "把", "书", "放在了", "桌子", "上", "，", "然后", "他", "走了")
GLOSSES = ("Xiaoming", "[object]", "book", "put", "table", "on", ",", "then", "he", "left")

FEATURES = ("person", "thing", "place", "action", "glue", "pointer")
_EMBEDDINGS = (
    # person thing place action glue pointer
    (1.0, 0.0, 0.0, 0.0, 0.0, 0.0),  # 小明: a person
    (0.0, 0.5, 0.0, 0.0, 1.0, 0.0),  # 把: glue that announces a thing
    (0.0, 1.0, 0.0, 0.0, 0.0, 0.0),  # 书: a thing
    (0.0, 0.0, 0.5, 1.0, 0.0, 0.0),  # 放在了: an action that needs a place
    (0.0, 1.0, 1.0, 0.0, 0.0, 0.0),  # 桌子: a thing and a place
    (0.0, 0.0, 1.0, 0.0, 0.5, 0.0),  # 上: a place, and some glue
    (0.0, 0.0, 0.0, 0.0, 1.0, 0.0),  # ，: glue
    (0.0, 0.0, 0.0, 0.5, 1.0, 0.0),  # 然后: glue that announces an action
    (1.0, 0.0, 0.0, 0.0, 0.0, 1.0),  # 他: a person, named only by pointing
    (0.0, 0.0, 0.0, 1.0, 0.0, 0.0),  # 走了: an action
)

CHANNELS = ("who", "what", "deed", "doer")
_W_Q = (
    # who what deed doer: a row says what a feature asks for
    (0.0, 0.0, 2.0, 0.0),  # a person asks for its deed
    (0.0, 0.0, 1.0, 0.0),  # a thing asks, more softly, for the same
    (0.0, 2.0, 0.0, 0.0),  # a place asks what is there
    (0.0, 0.0, 0.0, 3.0),  # an action asks for its doer
    (0.0, 0.0, 0.0, 0.0),  # glue asks nothing
    (2.0, 1.0, -2.0, 0.0),  # a pointer asks who, less for what, and not for a deed
)
_W_K = (
    # who what deed doer: a row says what a feature offers
    (4.0, 0.0, 0.0, 2.0),  # a person answers "who", and can be a doer
    (0.0, 4.0, 0.0, 0.0),  # a thing answers "what"
    (0.0, 0.0, 0.0, 0.0),  # a place offers nothing
    (0.0, 0.0, 2.0, 0.0),  # an action answers "deed"
    (-1.0, -2.0, 0.0, 0.0),  # glue is no answer
    (-4.0, 0.0, 0.0, 2.0),  # a pointer does not answer "who", but is a likely doer
)
CONTENTS = ("human", "object", "event")
_W_V = (
    # human object event: a row says what a feature hands over
    (1.0, 0.0, 0.0),
    (0.0, 1.0, 0.0),
    (0.0, 0.5, 0.0),
    (0.0, 0.0, 1.0),
    (0.0, 0.0, 0.0),
    (-1.0, 0.0, 0.0),  # a pointer has no content of its own: 他 hands over nothing
)


def toy_embeddings() -> np.ndarray:
    """Return X, the hand-made vectors of TOKENS: (10, 6) float64, one column per feature."""
    return np.array(_EMBEDDINGS)


def toy_matrices() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return hand-made W_Q (6, 4), W_K (6, 4) and W_V (6, 3), float64, one row per feature.

    The columns of W_Q and W_K are CHANNELS (what is asked for, what is offered), those of W_V
    are CONTENTS (what is handed over). d_model = 6, d_k = 4 and d_v = 3 differ on purpose.
    """
    return np.array(_W_Q), np.array(_W_K), np.array(_W_V)
