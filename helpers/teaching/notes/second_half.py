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
        skips="The counting of costs can be read at home, except one sentence: heads share the "
        "width, so more heads do not cost more parameters. Grouped heads are needed for the last "
        "question of lesson 07.",
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
        skips="If the time is short, build the cache and only watch two blocks become one. The "
        "prices of real models are a good page for reading at home.",
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
        skips="One way to mark places is enough in class; take the bias, which is built. The "
        "others can be compared at home. The causal mask should stay, as lesson 09 needs it.",
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
        skips="The last exercise, a whole layer of one's own, takes longer than all others. Give "
        "it as homework over a week. Heads as one more axis can be told in one sentence to those "
        "who have done lesson 06.",
        ends="Let each learner write the test that would have found one of today's mistakes, in "
        "one sentence. Compare with another way is a better answer than look at the shapes.",
    ),
    "10": Note(
        opens="Go back to the answers of lesson 01: how do you know who 他 is? Say that today a "
        "model answers which nobody has told. It was asked for something else. Let the class "
        "guess where it will look, before anything is trained.",
        vote="10.3",
        votes="Ask for reasons, not only for letters. Nothing in the training names the weights, "
        "so A is a fair guess. Then look at the measurement. Say what it does not show: one "
        "small model, made sentences. Right answers alone prove nothing about where it looks.",
        misconceptions=(
            Misconception(
                "softmax_backward",
                "no_average",
                "Push one score up: the other shares must fall. The slopes of a row add up to 0.",
            ),
            Misconception(
                "attention_gradients",
                "scale_lost_everywhere",
                "What was divided on the way there is divided on the way back. Follow one number.",
            ),
            Misconception(
                "shared_backward",
                "averaged",
                "What is used in several places gets a slope from each. They are added.",
            ),
        ),
        skips="A class without calculus leaves out the two backward parts and their exercises "
        "and loses nothing of the story. Start the training before you talk: it runs for most of "
        "a minute. The closing questions go through the whole course and make a good last "
        "meeting by themselves.",
        ends="Let everybody write a sentence of their own and predict where the model looks. "
        "Those where it fails are worth more than those where it is right.",
    ),
}
