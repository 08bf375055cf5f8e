"""What carries its sentence with it: an error, a finding, a state, a reason."""

from __future__ import annotations

from referee.kernel.messages import Text


class Said:
    """Something with a ``text``: its sentence, in any language and in the two that JSON has."""

    __slots__ = ()

    text: Text

    def sentence(self, language: str) -> str:
        """The sentence in ``language``."""
        return self.text.in_words(language)

    @property
    def sentence_en(self) -> str:
        """The sentence in English."""
        return self.text.in_words("en")

    @property
    def sentence_de(self) -> str:
        """The sentence in German."""
        return self.text.in_words("de")


class SaidError(Said, Exception):
    """An error that says what is wrong, and a way out."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return str(self.text)
