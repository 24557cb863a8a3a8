"""Each term is explained at its first use, each question is answered by what stands above it."""

import importlib
import re

import pytest
from cases import terms_06_10 as second_half
from reading import CORE, read

LESSONS = ("01", "02", "03", "04", "05", *second_half.LESSONS)
# term, lesson that explains it, words with which the explanation begins
TERMS = (
    ("weight", "01", "nearly all its *weight* is there"),
    ("looks back", "01", "The other keeps every word and **looks back**"),
    ("token", "01", "The pieces of a sentence, here words, are **tokens**"),
    ("share", "01", "Divided by their sum they are **shares**, together 1"),
    ("attention weight", "01", "shares**, together 1: the *attention weights*"),
    ("loss", "01", "The **loss** says how wrong it is: the squared differences"),
    ("slope", "01", "the change of the loss, divided by the nudge, is a **slope**"),
    ("step", "01", "move every number a **step** *against* its slope: downhill"),
    ("held out", "01", "**held out**: never trained on, kept for the exam"),
    ("seed", "01", "drawn by chance; a **seed** repeats the draw"),
    ("RNN", "01", "a **recurrent neural network** (RNN)"),
    ("recurrent neural network", "01", "a **recurrent neural network** (RNN). It has one vector"),
    ("state", "01", "It has one vector, the *state* h, and rewrites it at each word"),
    ("tanh", "01", "\\tanh(h\\, W_h + x\\, W_x)$$ tanh squeezes numbers between −1 and 1"),
    ("batch", "01", "Here for a **batch**, many stories at once"),
    ("readout", "01", "Only the **readout**, from h to the answer, is fitted"),
    ("least squares", "01", "(*least squares*: the squared errors as small as possible)"),
    ("gate", "01", "Give it a **gate**: at each word a part `keep` of the old state stays"),
    ("GRU", "01", "A **GRU** learns its gates"),
    ("padding", "01", "short sentences are filled up with rows of zeros: **padding**"),
    ("query", "02", "A **query**: what you want to know"),
    ("key", "02", "A **key**: the label on the back of a book"),
    ("value", "02", "A **value**: what is written inside"),
    ("dot product", "02", "The **dot product** measures it: multiply number by number, add up"),
    ("score", "02", "These are the **scores** of the query"),
    ("softmax", "02", "**Softmax** makes shares of them: all positive, together 1"),
    ("soft lookup", "02", "The answer is a blend: of each book's *content*"),
    ("sharpness", "02", "slide the sharpness (how decided the answer is)"),
    ("tie", "02", "(unless two labels **tie**: both fit best)"),
    ("hard lookup", "02", "the best book gives nearly everything, a **hard lookup**"),
    ("cosine", "02", "The **cosine** divides the lengths out"),
    ("channel", "03", "Each column is a *channel*: who, what, deed, doer"),
    ("d_k", "03", "√d_k, where d_k is the number of channels"),
    ("pronoun", "03", "a pronoun, 他 (he), 她 (she) or 它 (it)"),
    ("symmetric", "03", "the table is not symmetric: 走了 needs 他, 他 does not need 走了"),
    ("rank", "03", "is the *rank* of W_Q W_Kᵀ: the smallest number of its rows"),
    ("temperature", "04", "divides it by T, the **temperature**"),
    ("attention sink", "04", "which hands over next to nothing: an **attention sink**"),
    ("masking", "04", "Only a score of −∞ gives 0: *masking*"),
    ("mask", "04", 'a **mask**: booleans, True means "may attend"'),
    ("differentiable", "04", "is *differentiable*: it has a slope for training to follow"),
    ("gradient", "04", "All slopes together are the **gradient**"),
    ("standard deviation", "05", "Its typical size is its *standard deviation*"),
    ("variance", "05", "The square of that is the *variance*"),
    ("independent", "05", "*independent* numbers (none tells anything about another)"),
    ("one-hot", "05", "nearly **one-hot**: one 1, else 0"),
    ("spread", "05", "a spread (standard deviation) of about 2.45"),
    ("frozen", "05", "hardly moves when its scores move"),
    ("Adam", "05", "Adam moves W: its steps adapt to the size of the gradients"),
    ("noisy", "05", "It is *noisy*: the gradients of two batches hardly agree"),
    ("head", "05", "one **head**: attention with its own Q, K, V"),
    *second_half.TERMS,
)
# Words in bold that are no terms: steps of a list, and the two in "with two channels".
STRESSED = ("Minus the distance", "normalise", "Score", "sum", "two", *second_half.STRESSED)

# question -> words above it that answer it, or that give what a prediction needs
QUESTION_SOURCES = {
    "1.1": "小明 (Xiaoming, a man) saw 小红 (Xiaohong, a woman)",
    "1.2": "Divided by their sum they are **shares**, together 1",
    "1.3": "It has one vector, the *state* h, and rewrites it at each word",
    "1.4": "keep is 0 for the fact that will be asked for, and 1 for all others",
    "1.q1": "It has one vector, the *state* h, and rewrites it at each word",
    "1.q2": "The other keeps every word and **looks back**",
    "1.q3": "Nobody said where to look, only what should come out",
    "2.1": "all positive, together 1, the larger the score the larger the share",
    "2.2": "It is large if two arrows point the same way",
    "2.3": "他 (he) is a person too, and a *pointer*, the last",
    "2.q1": "With a large sharpness the best book gives nearly everything, a **hard lookup**",
    "2.q2": "Ten tokens ask, and no lookup needs the result of another",
    "2.q3": "of each book's *content* as much as its share says, added up",
    "3.1": "The score multiplies channel by channel and adds up",
    "3.2": "The score multiplies channel by channel and adds up",
    "3.3": "row 8 of the three results is `[2, 1, 0, 0]`, `[0, 0, 0, 4]` and `[0, 0, 0]`",
    "3.4": "so that the right *name* gets more. Nothing says where to look",
    "3.q1": "the largest difference between a table and its mirror image",
    "3.q2": "W_V settles what the token that is found hands over",
    "3.q3": "so that the right *name* gets more. Nothing says where to look",
    "4.1": "e ≈ 2.72 to the power of each score, always positive, and divides by the row's sum",
    "4.2": "the dot product of that with the result, divided so that all parts add up to 1",
    "4.3": "We want shares: never negative, together 1",
    "4.q1": "Row 8 is 他 asking: how well does each key fit?",
    "4.q2": "divides by the row's sum",
    "4.q3": "0.8 times the value goes in, exactly",
    "5.1": "Before training these are random, with mean 0",
    "5.2": "d products have variance d, and standard deviation √d",
    "5.3": "its steps adapt to the size of the gradients, so merely small ones do no harm",
    "5.4": "What is wrong *is* what is frozen",
    "5.q1": "A score adds d_k products, so it must be `math.sqrt(Q.shape[-1])`",
    "5.q2": "subtracting the maximum keeps exponentials finite and changes no weight",
    "5.q3": "a row that knows its answer *is* sharp",
    **second_half.QUESTION_SOURCES,
}


def cells_of(lesson):
    """List the cells of a lesson as (type, text)."""
    (path,) = (path for path in CORE if path.stem.startswith(lesson))
    return [(cell["cell_type"], "".join(cell["source"])) for cell in read(path)["cells"]]


def prose(cells):
    """Join what is read of Markdown: no headings, links and books of "Further reading"."""
    texts = [text for kind, text in cells if kind == "markdown"]
    texts = [text.partition("## Further reading")[0] for text in texts]
    lines = [line for text in texts for line in text.splitlines() if not line.startswith("#")]
    return " ".join(re.sub(r"\[[^]]*\]\([^)]*\)", "", " ".join(lines)).split())


def first_use(term, text):
    """Return where a term, singular or plural, is used first; past the end if never."""
    forms = f"[{term[0].upper()}{term[0].lower()}]{re.escape(term[1:])}s?"
    found = re.search(rf"(?<![\w-]){forms}(?![\w-])", text)
    return found.start() if found else len(text)


@pytest.mark.parametrize(("term", "lesson", "words"), TERMS, ids=[term for term, *_ in TERMS])
def test_a_term_is_explained_where_it_is_used_first(term, lesson, words):
    text = prose(cells_of(lesson))
    assert words in text
    assert text.index(words) <= first_use(term, text) < len(text)
    before = [path.stem[:2] for path in CORE if path.stem[:2] < lesson]
    earlier = " ".join(prose(cells_of(other)) for other in before)
    assert first_use(term, earlier) == len(earlier), "used in a lesson before it is explained"


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_word_in_bold_is_a_term_of_the_list(lesson):
    cells = [cell for cell in cells_of(lesson)[1:] if cell[0] == "markdown"]
    bold = re.findall(r"\*\*([^*\n]+)\*\*", prose(cells))
    terms = {term.lower() for term, _, _ in TERMS}
    short = [b for b in bold if len(b) > 1 and len(b.split()) <= 3 and b[-1] not in ".?"]
    unknown = [b for b in short if b not in STRESSED]
    assert not [b for b in unknown if not {b.lower(), b.lower().removesuffix("s")} & terms]


def test_every_question_has_its_source():
    found = [
        name
        for lesson in LESSONS
        for name in importlib.import_module(f"helpers.lessons.lesson{lesson}.questions").QUESTIONS
    ]
    assert found == list(QUESTION_SOURCES)


@pytest.mark.parametrize("question", QUESTION_SOURCES)
def test_a_question_is_answered_above_it(question):
    own, source = f"{int(question.partition('.')[0]):02d}", QUESTION_SOURCES[question]
    lesson, words = (own, source) if isinstance(source, str) else source
    assert lesson <= own
    cells = cells_of(lesson)
    asks = re.compile(rf"\.(predict|quiz)\(\"{re.escape(question)}\"")
    if lesson == own:
        (place,) = (
            i for i, (kind, text) in enumerate(cells) if kind == "code" and asks.search(text)
        )
        cells = cells[:place]
    unquoted = [(kind, re.sub(r"^>.*$", "", text, flags=re.M)) for kind, text in cells]
    assert words in prose(unquoted)
