"""The article's statements, sections 六 to 十, in our own words."""

from helpers.ledger.statement import cited, corrected, idealised, numbered, tested

SIX = numbered(
    "六",
    [
        tested("6.1", says="one head gives one set of weights at a time"),
        tested("6.1", says="a word often has to consider more than one relation"),
        tested("1.4", "6.1", says="他 (he) needs whom it refers to"),
        tested("6.1", says="走了 (left) needs its subject"),
        cited(
            6,
            says="a modifier needs the word that it modifies",
            remark="Clark et al. 2019, section 4: one head of BERT leads from modifiers to their "
            "noun",
        ),
        tested("6.1", says="put into one set of weights, these needs end in a compromise"),
        tested("6.2", says="the d_model dimensions are cut into h parts"),
        tested("6.2", says="each part does a complete attention by itself"),
        tested("6.2", says="the h results are joined and pass through a linear layer, W_O"),
        tested("6.2", says="the model gets h windows to look through side by side"),
        tested("6.3", says="each head learns the relation that is its own"),
        cited(
            6,
            says="some heads are for coreference",
            remark="Clark et al. 2019, section 4: one head of BERT finds the antecedent in about "
            "two of three cases",
        ),
        cited(
            6,
            says="some heads are for grammar",
            remark="Clark et al. 2019, section 4, and Voita et al. 2019, section 5",
        ),
        corrected(
            6,
            says="some heads are for fixed collocations",
            remark="what is reported of the other heads is that they look at delimiters, at fixed "
            "distances, or broadly",
        ),
        tested("6.3", says="nobody designs this division of work, it comes about in training"),
        tested("6.4", says="the total computation does not grow"),
        tested("6.4", says="each head is h times narrower, and h of them cancel that out"),
        tested("6.4", says="several heads give several views at no extra computation"),
    ],
)

SEVEN = numbered(
    "七",
    [
        tested(
            "7.1",
            says="to relate every two tokens, an n × n matrix has to be filled completely",
        ),
        tested("7.2", says="twice the length takes about four times the computation"),
        tested("7.3", says="and about four times the memory for this matrix"),
        tested("7.4", says="attention cannot get around this price"),
        tested("7.2", "7.3", says="it is why long contexts are so expensive"),
        tested("7.5", says="it is why K and V are cached while a text is written"),
        tested("7.6", says="it is why implementations such as FlashAttention are worth the effort"),
    ],
)

EIGHT = numbered(
    "八",
    [
        tested("8.1", says="shuffle the words of the input, and the output is shuffled with them"),
        tested("8.1", says="the set of vectors that come out stays the same"),
        tested("8.1", says="pure attention does not feel the order of words"),
        tested(
            "8.2",
            says="我打你 (I hit you) and 你打我 (you hit me) cannot be told apart by this layer",
        ),
        idealised(
            8,
            says="that is clearly not acceptable",
            remark="the task asks for order; asked who takes part, the same blind model names one "
            "of the two people in most new sentences (deeper notebook of lesson 08)",
        ),
        tested("8.3", says="so information about places has to be added to the input"),
    ],
)

NINE = numbered(
    "九",
    [
        tested("9.1", says="the core is a few lines of code"),
        tested("9.2", says="subtracting the maximum first keeps the exponential from overflowing"),
        tested("9.2", "4.2", says="softmax divides the exponentials by the sum of their row"),
        tested("9.1", "3.1", says="Q and K are n × d_k, V is n × d_v"),
        tested("9.1", "4.1", says="the scores are n × n, divided by the root of d_k"),
        tested("4.2", says="each row of the weights adds up to 1"),
        tested("4.5", "9.1", says="the output is the weighted sum of the values"),
        tested("9.1", "9.3", says="real code handles batches as well"),
        tested("9.3", says="real code has a causal mask, so that no word sees the future"),
        tested("9.3", says="real code adds more, and the skeleton stays these lines"),
        cited(
            9,
            says="in other models and for other tasks the same structure comes back",
            remark="Vaswani et al. 2017 for translation, Devlin et al. 2019 for understanding, "
            "Dosovitskiy et al. 2021 for pictures",
        ),
        tested("9.4", says="only the number of parameters differs"),
    ],
)

TEN = numbered(
    "十",
    [
        tested(
            "10.1",
            says="a vague question, who should take notice of whom, becomes one weighted average",
        ),
        tested("10.1", "10.2", says="this average is differentiable and parallel"),
        tested("10.3", "10.1", says="differentiable means that it can be trained"),
        tested("10.2", says="parallel means that the whole sentence is laid out at once on a GPU"),
        tested("10.2", says="an RNN has to go step by step"),
        tested("10.4", says="these two are the true reason why it replaced older architectures"),
        tested("10.4", says="the reason is not that it is more like a brain"),
    ],
)
