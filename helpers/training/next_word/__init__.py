"""Who is 他? A language model that learns it from guessing the next word, and from nothing else.

The corpus gives every character one habit: whenever 小明 has done something, what he does next is
the same verb. Nobody tells the model who 他 (he) is. But to guess the verb after 他 it needs the
name, and the name stands earlier in the sentence, sometimes beside a rival of the same class.

The model is one layer: embeddings plus learned positions, one causal attention head, a residual
connection, a readout over the vocabulary. Every position guesses the word that follows it.

Three choices make the weights mean something: one layer, so that a value holds one word and its
place and nothing else; embeddings that are small at first, so that training starts from nearly
even weights; and no token attends to itself (the residual already carries it), except the first,
which has no other.
"""

from helpers.training.next_word.corpora import Corpus, make_corpus
from helpers.training.next_word.evaluation import Evaluation, evaluate, unseen_sentences
from helpers.training.next_word.interventions import (
    Intervention,
    delete_antecedent,
    delete_other,
    swap_name,
    swap_with_rival,
    unchanged,
)
from helpers.training.next_word.learning import (
    LearningCurve,
    next_word_loss,
    train_next_word,
    train_seeds,
    training_sentences,
    untrained,
)
from helpers.training.next_word.model import NextWordModel, may_attend

__all__ = [
    "Corpus",
    "Evaluation",
    "Intervention",
    "LearningCurve",
    "NextWordModel",
    "delete_antecedent",
    "delete_other",
    "evaluate",
    "make_corpus",
    "may_attend",
    "next_word_loss",
    "swap_name",
    "swap_with_rival",
    "train_next_word",
    "train_seeds",
    "training_sentences",
    "unchanged",
    "unseen_sentences",
    "untrained",
]
