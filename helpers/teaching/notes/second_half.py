"""Notes on the lessons 06 to 10."""

from helpers.teaching.note import Misconception, Note

NOTES = {
    "06": Note(
        opens="Ask two questions at once about one sentence: who chases, and who is chased? One "
        "learner may give one answer only, a blend of both names. Can the class get both names "
        "back out of the blend? Keep the disagreement; it is what the lesson measures.",
        vote="6.2",
        votes="All see that one head has to share its weight. The quarrel is whether the order "
        "of the two names survives in the sum. Ask: half of this vector plus half of that one, "
        "which was first? A sum does not say. Do not promise that this settles the matter; a "
        "later prediction of the lesson comes back to it.",
        misconceptions=(
            Misconception(
                "split_heads",
                "reshapes_at_once",
                "Number the entries 0, 1, 2, … and reshape. Which tokens are in head 0?",
            ),
            Misconception(
                "multi_head_attention",
                "scales_by_d_model",
                "Ask how many products are added up in one score of one head.",
            ),
            Misconception(
                "multi_head_cost",
                "full_width_heads",
                "Draw one square matrix and cut it into stripes. Heads are stripes, not copies.",
            ),
        ),
        skips="*What it costs* can be read at home, except one sentence: heads share the width, "
        "so more heads do not cost more parameters. Tell what *Transfer: grouped heads* is about; "
        "the last question of lesson 07 asks for it.",
        ends="Let each learner name one task that needs two heads and one that looks as if it "
        "did. Two different rows that ask two different things need one head only.",
    ),
    "07": Note(
        opens="Let everybody in the room shake hands with everybody: 4 people, then 8. The "
        "handshakes grow by more than a factor of four. Then ask each person to read one page: "
        "8 people read twice as many pages as 4. A layer does both kinds of work, and the lesson "
        "asks which of them is the larger.",
        vote="7.1",
        votes="The class has heard of n² and says four times. Write the two kinds of work below "
        "each other, with 64 numbers a token and 16 tokens. The matrices W are the larger part "
        "for as long as the text is short next to the width. Then ask from which length on the "
        "table wins.",
        misconceptions=(
            Misconception(
                "kv_cache",
                "position_always_zero",
                "The token that comes now is the newest, not the first. Let them print t.",
            ),
            Misconception(
                "merge_blocks",
                "added_as_they_are",
                "Two heights are measured from two floors. Bring them to one floor first.",
            ),
            Misconception(
                "longest_text",
                "keys_alone",
                "Ask what a new token needs from an old one: to find it, and to take from it.",
            ),
        ),
        skips="If the time is short, build the cache and only watch how *Build it: two blocks "
        "become one* is solved. The first task under *Homework* asks how long a text fits on a "
        "real graphics card; give it to those who have one.",
        ends="Take 7.q1 aloud and compare it with the first prediction. Whoever asks how wide "
        "the tokens are before answering has understood the lesson.",
    ),
    "08": Note(
        opens="Write 我打你 and 你打我 on the board: I hit you, you hit me. The same three words. "
        "Now hand out three cards with one word each and mix them. Can anybody say from the "
        "cards who is hit? Attention without positions is given cards in a bag.",
        vote="8.1",
        votes="The room splits between nothing changes and everything changes. Let one learner "
        "carry the card of 他 to another place: the card is the same, and it lies elsewhere. "
        "This is what equivariant says. Write the word down after the vote, not before.",
        misconceptions=(
            Misconception(
                "permutation_gap",
                "gap_to_unshuffled",
                "There are two orders on the two sides. Shuffle the old output before comparing.",
            ),
            Misconception(
                "distance_bias",
                "only_the_size",
                "Ask whether left and right can be told apart in a table that is symmetric.",
            ),
            Misconception(
                "permute_mask",
                "rows_only",
                "A mask says who looks and who is looked at. Both have moved.",
            ),
        ),
        skips="One way to mark places is enough in class: *Build it: a bias by distance*. Sines "
        "and cosines are all of *Homework* and can be compared there. Keep *A mask that knows the "
        "order*, as lesson 09 builds on it.",
        ends="Take 8.q3 aloud, for it ties lesson 03 to this one: no matrices, however good, "
        "let a word find the nearest person without places or a mask.",
    ),
    "09": Note(
        opens="Show a dozen lines that are right for one sentence. Ask what happens with five "
        "sentences at once. Collect guesses: an error, a right result, a wrong one. The third "
        "is the dangerous one, and this lesson is about it: code that runs and is wrong.",
        vote="9.1",
        votes="Few think of C. After the vote ask what could have warned us: the shape is right "
        "and the rows add up to 1. The only help is another way to the same numbers, here five "
        "runs, one sentence at a time. Let the class say where .T went wrong.",
        misconceptions=(
            Misconception(
                "batched_attention",
                "all_axes_reversed",
                "Print the shape of K.T for a batch. Only the last two axes may change places.",
            ),
            Misconception(
                "padding_mask",
                "hides_queries",
                "Hide columns: nobody looks at padding. A row of padding may look; none reads it.",
            ),
            Misconception(
                "causal_mask",
                "marks_the_hidden",
                "Write on the board for the whole lesson: True means may attend.",
            ),
        ),
        skips="*Transfer: your own MultiHeadAttention* takes longer than all other exercises. "
        "Give it as homework over a week. *Heads are one more axis* can be told in one sentence "
        "to those who have done lesson 06.",
        ends="Let each learner write the test that would have found one of today's mistakes, in "
        "one sentence. Compare with another way is a better answer than look at the shapes.",
    ),
    "10": Note(
        opens="Go back to the answers of lesson 01: how do you know who he is? Run the machine at "
        "the top and swap the two people. It has read nothing and looks at all words alike. At "
        "the end it will look at somebody, though nobody tells it to.",
        vote="10.3",
        votes="Ask for reasons, not only for letters. Nothing in the training names the weights, "
        "so A is a fair guess. Then show both numbers of the control: its weights are all equal, "
        "and it is right far more often than one in eight. Right answers alone prove nothing about "
        "where a model looks.",
        misconceptions=(
            Misconception(
                "softmax_backward",
                "no_average",
                "Push one score up: the other shares must fall. The slopes of a row add up to 0.",
            ),
            Misconception(
                "attention_gradients",
                "scale_lost_for_keys",
                "The colleague has done it, too. The direction is right, so nobody notices it "
                "without a second way to the same numbers.",
            ),
            Misconception(
                "shared_backward",
                "averaged",
                "What is used in several places gets a slope from each, as X does in the model. "
                "They are added.",
            ),
        ),
        skips="A class without calculus leaves out *Backwards through softmax* and *Backwards "
        "through attention* with their exercises and loses nothing of the story: the training "
        "then takes the library's function. It takes seconds, so run it in class. *Ten lessons, "
        "five questions* goes through the whole course and makes a good last meeting by itself.",
        ends="Let everybody swap people in the trained machine and look for a sentence in which "
        "it is wrong. Such a sentence is worth more than ten in which it is right.",
    ),
}
