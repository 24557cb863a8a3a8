"""Predictions and retrieval questions: what is asked, the right letter, the reason for each."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """What is asked, what is right, and why each letter is right or tempting.

    The notebook's Markdown shows the same words; a test compares the two.

    Attributes:
        ask: the question in Markdown.
        options: for each letter A, B, ... the option in Markdown.
        answer: the right letter.
        why: for each letter a plain-text sentence or two: why it is right, or why it is tempting
            and where it goes wrong. No HTML, no Markdown, no ``$``.

    Raises:
        ValueError: if the letters are not A, B, C, ... or the answer is none of them.
    """

    ask: str
    options: dict[str, str]
    answer: str
    why: dict[str, str]

    def __post_init__(self):
        """Refuse letters with a gap, an option without a reason, an answer that is no option."""
        wanted = [chr(ord("A") + k) for k in range(len(self.options))]
        if [*self.options] != wanted or len(wanted) < 2:
            raise ValueError(
                f"options must be the letters A, B, ... in a row, at least two, "
                f"got {[*self.options]}."
            )
        if sorted(self.why) != wanted:
            raise ValueError(f"why must explain each of {wanted}, got {[*self.why]}.")
        if self.answer not in self.options:
            raise ValueError(f"answer must be one of {wanted}, got {self.answer!r}.")

    @property
    def letters(self) -> str:
        """The letters of the options, such as "ABC"."""
        return "".join(self.options)
