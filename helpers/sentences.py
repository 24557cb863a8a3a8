"""The running sentence, its hand-made numbers, and the small Chinese corpus that models learn from.

Everything here is made on the spot from lists of words: nothing is downloaded.
"""

import zlib
from dataclasses import dataclass

import numpy as np

from helpers.language import language

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


CHARACTERS = {
    "male": ("小明", "小刚", "小强", "小军", "大伟", "阿杰", "志远", "国栋"),
    "female": ("小红", "小丽", "小芳", "小美", "阿玲", "小燕", "晓梅", "雅静"),
    "animal": ("小猫", "小狗", "兔子", "小鸟", "山羊", "松鼠", "小马", "鸭子"),
}
PRONOUNS = {"male": "他", "female": "她", "animal": "它"}
NAMES = tuple(name for group in CHARACTERS.values() for name in group)
FAMILIES = {
    "王": "Wang",
    "李": "Li",
    "张": "Zhang",
    "刘": "Liu",
    "陈": "Chen",
    "杨": "Yang",
    "赵": "Zhao",
    "周": "Zhou",
}
OBJECTS = ("书", "杯子", "钥匙", "手机", "苹果", "雨伞", "帽子", "球")
PLACES = ("桌子", "椅子", "沙发", "柜子", "书架", "床", "窗台", "凳子")
VERBS = ("走了", "跑了", "笑了", "睡了", "哭了", "离开了", "回家了", "休息了")
CONNECTIVES = ("然后", "后来", "接着", "最后")
TIMES = ("昨天", "今天", "早上", "晚上")

# subject: the antecedent of the pronoun; other: a character of another class;
# rival: a character of the SAME class, which only its place in the sentence rules out
TEMPLATES = (
    "subject 把 object 放在了 place 上 ， then pronoun verb",
    "time subject 把 object 放在了 place 上 ， then pronoun verb",
    "subject 看见 other 在 place 旁边 ， then pronoun verb",
    "other 看见 subject 在 place 旁边 ， then pronoun verb",
    "time other 把 object 送给了 subject ， then pronoun verb",
    "subject 把 object 送给了 other ， then pronoun verb",
    "other 和 subject 坐在 place 旁边 ， then pronoun verb",
    "other 走进 房间 的时候 subject 拿着 object ， then pronoun verb",
)
RIVAL_TEMPLATES = (
    "subject 把 rival 的 object 放在了 place 上 ， then pronoun verb",
    "time subject 把 object 送给了 rival ， then pronoun verb",
    "subject 看见 rival 在 place 旁边 ， then pronoun verb",
)
UNSEEN_TEMPLATES = (
    "time subject 等 other 的时候 看见 object 在 place 上 ， then pronoun verb",
    "other 在 place 旁边 找到了 subject 的 object ， then pronoun verb",
)

_SLOTS = ("subject", "other", "rival", "object", "place", "time", "then", "pronoun", "verb")
PAD = "<pad>"
_FIXED_WORDS = {
    word
    for template in TEMPLATES + RIVAL_TEMPLATES + UNSEEN_TEMPLATES
    for word in template.split()
    if word not in _SLOTS
}
VOCABULARY = (
    PAD,
    *NAMES,
    *PRONOUNS.values(),
    *OBJECTS,
    *PLACES,
    *VERBS,
    *CONNECTIVES,
    *TIMES,
    *sorted(_FIXED_WORDS),
)
TOKEN_ID = {word: index for index, word in enumerate(VOCABULARY)}
MAX_LENGTH = max(len(t.split()) for t in TEMPLATES + RIVAL_TEMPLATES + UNSEEN_TEMPLATES)

_ENGLISH = (
    "[pad]|Xiaoming|Xiaogang|Xiaoqiang|Xiaojun|Dawei|Ajie|Zhiyuan|Guodong|"
    "Xiaohong|Xiaoli|Xiaofang|Xiaomei|Aling|Xiaoyan|Xiao Mei|Yajing|"
    "cat|dog|rabbit|bird|goat|squirrel|horse|duck|he|she|it|"
    "book|cup|keys|phone|apple|umbrella|hat|ball|"
    "table|chair|sofa|cupboard|bookshelf|bed|windowsill|stool|"
    "left|ran|laughed|slept|cried|departed|went home|rested|"
    "then|later|next|finally|yesterday|today|morning|evening"
)
GLOSS = (
    dict(zip(VOCABULARY, _ENGLISH.split("|"), strict=False))
    | {
        "上": "on",
        "和": "and",
        "在": "at",
        "坐在": "sat",
        "房间": "room",
        "找到了": "found",
        "把": "[object]",
        "拿着": "holding",
        "放在了": "put",
        "旁边": "beside",
        "的": "'s",
        "的时候": "while",
        "看见": "saw",
        "等": "awaiting",
        "走进": "entered",
        "送给了": "gave",
        "，": ",",
    }
    | {
        "说": "says",
        "了": "[done]",
        "学校": "school",
        "公园": "park",
        "家里": "home",
        "路上": "road",
        "又": "again",
        "刚刚": "just now",
        "悄悄": "secretly",
        "慢慢": "slowly",
        "我": "I",
        "你": "you",
        "打": "hit",
        "追": "chase",
        "骂": "scold",
        "帮": "help",
        "找": "seek",
    }
)


@dataclass(frozen=True)
class Sentence:
    """One sentence of the corpus, with the places a test needs (positions count from 0)."""

    tokens: tuple[str, ...]
    pronoun: int
    antecedent: int
    verb: int
    answer: str
    rival: int | None

    @property
    def glosses(self) -> tuple[str, ...]:
        """English glosses, one a token; those of full names such as 王小明 have two words."""
        return tuple(gloss(token) for token in self.tokens)


RUNNING_SENTENCE = Sentence(TOKENS, pronoun=8, antecedent=0, verb=9, answer="小明", rival=None)


def gloss(token: str) -> str:
    """English gloss of a word of VOCABULARY, or of a full name: family name, then given name."""
    if token in GLOSS:
        return GLOSS[token]
    return f"{FAMILIES[token[0]]} {GLOSS[token[1:]]}"


def known_gloss(label: str) -> str:
    """The gloss that a figure writes beside a label; "" if it is no word of the course.

    In an edition whose language is Chinese no word needs one.
    """
    return "" if language() == "zh" else GLOSS.get(label, "")


def is_held_out(subject: str, thing: str, place: str) -> bool:
    """Tell whether this combination of words (about one in five) is kept out of training."""
    return zlib.crc32(f"{subject}{thing}{place}".encode()) % 5 == 0


def make_sentence(
    rng, templates=TEMPLATES, held_out=None, habits=None, characters=CHARACTERS
) -> Sentence:
    """Make one sentence with a pronoun and exactly one antecedent.

    Args:
        rng: numpy Generator.
        templates: sequence of str, patterns such as those in TEMPLATES.
        held_out: None for any combination of words, False for those that training may show,
            True for those that training never shows.
        habits: None for a verb drawn at random, or a dict name -> verb (see `make_habits`); the
            rival's verb is then another than the antecedent's.
        characters: dict class -> names, who may appear; the classes are those of PRONOUNS.

    Returns:
        a Sentence.
    """
    group = _pick(rng, tuple(characters))
    other_group = _pick(rng, [g for g in characters if g != group])
    while True:
        subject = _pick(rng, characters[group])
        words = {
            "subject": subject,
            "other": _pick(rng, characters[other_group]),
            "rival": _pick(rng, _rivals(subject, characters[group], habits)),
            "object": _pick(rng, OBJECTS),
            "place": _pick(rng, PLACES),
            "time": _pick(rng, TIMES),
            "then": _pick(rng, CONNECTIVES),
            "pronoun": PRONOUNS[group],
            "verb": _pick(rng, VERBS) if habits is None else habits[subject],
        }
        if held_out in (None, is_held_out(subject, words["object"], words["place"])):
            break
    slots = _pick(rng, templates).split()
    return Sentence(
        tokens=tuple(words.get(slot, slot) for slot in slots),
        pronoun=slots.index("pronoun"),
        antecedent=slots.index("subject"),
        verb=slots.index("verb"),
        answer=subject,
        rival=slots.index("rival") if "rival" in slots else None,
    )


def make_habits(rng) -> dict[str, str]:
    """Give every character one habitual verb; within a class no two share one.

    Args:
        rng: numpy Generator.

    Returns:
        dict name -> verb, over all NAMES.
    """
    return {
        name: VERBS[verb]
        for group in CHARACTERS.values()
        for name, verb in zip(group, rng.permutation(len(VERBS)), strict=True)
    }


def encode(sentences, length=MAX_LENGTH, ids=TOKEN_ID) -> np.ndarray:
    """Turn token sequences into ids, padded on the right with the id of PAD (0).

    Args:
        sentences: sequence of Sentence, or of sequences of str.
        length: int, the number of columns.
        ids: dict word -> number; that of PAD must be 0.

    Returns:
        int64 array (batch, length).

    Raises:
        ValueError: a word is not in `ids`, or a sentence is longer than `length`.
    """
    numbers = np.zeros((len(sentences), length), dtype=np.int64)
    for row, sentence in zip(numbers, sentences, strict=True):
        tokens = sentence.tokens if isinstance(sentence, Sentence) else sentence
        if len(tokens) > length:
            raise ValueError(f"a sentence has {len(tokens)} tokens, but length is {length}")
        unknown = [token for token in tokens if token not in ids]
        if unknown:
            raise ValueError(_unknown_word(unknown[0]))
        row[: len(tokens)] = [ids[token] for token in tokens]
    return numbers


def tokenize(text: str, words=VOCABULARY) -> tuple[str, ...]:
    """Cut a Chinese sentence into words of the corpus, longest match first.

    Args:
        text: str, with or without blanks; a full stop at the end is dropped.
        words: tuple of str, the words to cut into.

    Returns:
        tuple of str, all in `words`.

    Raises:
        ValueError: a piece of the text is no word of the corpus; the message says which.
    """
    longest = max(len(word) for word in words)
    rest = text.replace(",", "，").rstrip("。. ")
    tokens = []
    while rest := rest.lstrip():
        for size in range(min(longest, len(rest)), 0, -1):
            if rest[:size] in words:
                tokens.append(rest[:size])
                rest = rest[size:]
                break
        else:
            raise ValueError(_unknown_word(rest[:4]))
    return tuple(tokens)


def _rivals(subject, group, habits):
    others = [name for name in group if name != subject]
    if habits is None:
        return others
    return [name for name in others if habits[name] != habits[subject]]


def _pick(rng, choices):
    return choices[rng.integers(len(choices))]


def _unknown_word(piece: str) -> str:
    return (
        f"the corpus has no word at “{piece}”: the model has never seen it. "
        f"Known names: {' '.join(NAMES)}. Known things: {' '.join(OBJECTS)}. "
        f"Known places: {' '.join(PLACES)}. Known verbs: {' '.join(VERBS)}."
    )
