"""The article's statements, sections 一 to 五, in our own words."""

from helpers.ledger.statement import cited, corrected, idealised, numbered, tested

ONE = numbered(
    "一",
    [
        idealised(
            1,
            says="a person sees at a glance that 他 (he) is 小明 (Xiaoming)",
            remark="as long as nobody else is named; lessons 01 and 10 put a second person into "
            "the sentence",
        ),
        tested(
            "1.2",
            says="to answer, a machine has to see 他 (he) and 小明 (Xiaoming) at the same time",
        ),
        tested(
            "1.4",
            "3.4",
            says="it has to judge that these two belong together more closely than 他 (he) and "
            "桌子 (table)",
        ),
        tested("1.1", says="an RNN reads forward, one word after the other"),
        tested(
            "1.1",
            says="when it reaches 他 (he), what it knew of 小明 (Xiaoming) has been pressed into a "
            "hidden state of fixed length",
        ),
        tested(
            "1.1",
            "1.2",
            says="in that state it is mixed with 书 (book) and 桌子 (table), and blurred",
        ),
        tested("1.2", says="the longer the sequence, the more its early words are washed out"),
        tested("1.3", says="attention looks at every place of the sentence again"),
        tested("1.4", "4.2", says="it gives out its attention by how relevant a place is"),
        corrected(
            4,
            says="places that are not relevant get little attention, or none at all",
            remark="a softmax gives no place exactly nothing, unless a mask hides it",
        ),
        tested(
            "1.4",
            "10.3",
            says="他 (he) puts most of its attention on 小明 (Xiaoming), as a matter of course",
        ),
    ],
)

TWO = numbered(
    "二",
    [
        idealised(
            2,
            says="a search in a library has three parts: a query, labels, and contents",
            remark="a library hands out one book; here every book comes into the answer with its "
            "share",
        ),
        corrected(
            2,
            says="the query is compared with each label: how similar are they?",
            remark="what is computed is a dot product, in which the length of a label counts as "
            "well as its direction",
        ),
        tested("2.1", says="the more similar a label is, the more of its content is brought in"),
        tested(
            "2.3", says="self-attention moves this whole procedure into one and the same sentence"
        ),
        tested("2.2", says="every word starts a search of its own, all at the same time"),
        tested("2.2", says="他 (he), 小明 (Xiaoming) and 桌子 (table) all ask, and all answer"),
        tested(
            "2.3",
            says="query, label and content are all computed from the sentence, nothing comes from "
            "outside",
        ),
        tested("2.3", says="that is why it is called self-attention"),
    ],
)

THREE = numbered(
    "三",
    [
        tested("3.1", says="the input is a matrix X with one row, a vector, for each word"),
        idealised(
            3,
            says="strictly speaking, a row stands for a token",
            remark="放在了 (put) and 走了 (left) are one token each here; how a text is really cut "
            "into tokens is left out",
        ),
        tested("3.1", says="X is multiplied by three different weight matrices"),
        tested("3.1", says="one X and three sets of parameters give three sets of vectors"),
        tested("3.2", says="Q is what a word asks, what it looks for"),
        tested("3.2", says="K is the label that a word offers"),
        tested("3.3", says="V is the content that a word carries"),
        tested("3.4", "4.6", says="the three matrices are parameters that can be trained"),
        tested("3.4", says="at first they are random"),
        tested(
            "3.4",
            says="after training the key of 小明 (Xiaoming) and the query of 他 (he) fit each "
            "other by themselves",
        ),
        tested(
            "10.3",
            "3.4",
            says="the model has learned this; nobody assigned by hand who refers to whom",
        ),
    ],
)

FOUR = numbered(
    "四",
    [
        tested("4.1", "4.2", "4.5", says="with Q, K and V, three steps remain"),
        tested("9.1", says="the whole formula takes one line"),
        tested("4.1", says="Q Kᵀ is an n × n matrix, n being the length of the sequence"),
        tested("4.1", "4.2", says="entry (i, j) says how much word i attends to word j"),
        tested("4.1", says="rows are who looks, columns who is looked at"),
        tested("4.2", says="scores are raw numbers that may be large or negative"),
        tested("4.2", says="softmax turns each row into shares that add up to exactly 1"),
        tested("4.2", says="the more relevant a column, the larger its share"),
        tested("4.3", says="a weight of 0.8: eight tenths of that content go into the result"),
        tested("4.4", says="a weight of 0.01 can be ignored"),
        tested(
            "4.5", says="the new vector of a word is a weighted average of the content of all words"
        ),
        tested(
            "4.1", "2.2", says="its weights are decided by the search that the word itself began"
        ),
        tested("4.6", "10.1", says="every operation from score to sum is differentiable"),
        corrected(
            5,
            says="so gradients flow back smoothly",
            remark="a slope exists everywhere (claim 4.6), but it can be next to nothing: a row "
            "that sits on one token passes hardly any of it back (claim 5.3)",
        ),
        tested("10.3", "3.4", says="by training, the model learns by itself where to look"),
    ],
)

FIVE = numbered(
    "五",
    [
        cited(
            5,
            says="the reason for the division is a property of softmax",
            remark="Vaswani et al. 2017 give it as what they suspect (section 3.2.1, footnote 4)",
        ),
        tested("5.1", says="each entry of Q Kᵀ is a dot product, a sum of d_k products"),
        tested(
            "5.1",
            says="if the entries are independent with mean 0 and variance 1, its variance is about "
            "d_k",
        ),
        tested("5.1", says="the higher the dimension, the further the scores spread, in size too"),
        corrected(
            4,
            says="softmax is very sensitive to large numbers",
            remark="it is sensitive to large differences; adding 1000 to every score changes "
            "nothing",
        ),
        tested(
            "5.2",
            says="if one input is very large, nearly everything goes to one place and the rest is "
            "close to 0",
        ),
        tested("5.3", says="the gradient of such a distribution is very small"),
        tested("5.3", says="these parameters hardly get a signal for training"),
        tested("5.5", says="so they are hard to train"),
        tested("5.4", says="dividing by √d_k brings the variance back to about 1"),
        tested("5.5", says="the distribution stays able to tell apart, and is not extreme"),
        corrected(
            5,
            says="the division keeps softmax numerically stable; it is no decoration",
            remark="it keeps the slopes alive at the start of training; what keeps the numbers "
            "finite is another thing, subtracting the maximum",
        ),
    ],
)
