"""The words of the corpus, its patterns, and what each word means in English."""

from helpers.language import language

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
