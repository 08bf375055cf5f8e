"""Errors that a person can cause: each has a code, a sentence in both languages and a way out.

Device faults are not here: they are states shown on screen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from referee.kernel.messages import Text

if TYPE_CHECKING:
    from referee.kernel.refusals import Refusal


class RefereeError(Exception):
    """Base of everything the referee refuses.  ``code`` is stable; sentences are for people."""

    code = "error"

    def __init__(self, text: Text | str, sentence_de: str = "") -> None:
        super().__init__(text)
        self.text = text if isinstance(text, Text) else _Pair(text, sentence_de)

    def __str__(self) -> str:
        return str(self.text)

    def sentence(self, language: str) -> str:
        """The sentence in ``language``."""
        return self.text.in_words(language)

    @property
    def sentence_en(self) -> str:
        return self.text.in_words("en")

    @property
    def sentence_de(self) -> str:
        return self.text.in_words("de")


class _Pair(Text):
    """Two sentences that are in no catalogue yet."""

    def __init__(self, english: str, german: str) -> None:
        super().__init__(english)
        self.german = german

    def in_words(self, language: str) -> str:
        return self.german if language == "de" else self.id


class InvalidAnswer(RefereeError):
    """Not a well-formed answer to this kind of request."""

    code = "invalid"


class WrongDice(InvalidAnswer):
    """Not the dice that were asked for.  ``found`` and ``wanted`` map die types to how many."""

    def __init__(
        self,
        found: Mapping[str, int],
        wanted: Mapping[str, int],
        name: Callable[[str, str], str] = lambda die, language: die,
    ) -> None:
        self.found = found
        self.wanted = wanted
        there, need = (_dice_text(dice, "en", name) for dice in (found, wanted))
        liegen, gebraucht = (_dice_text(dice, "de", name) for dice in (found, wanted))
        super().__init__(
            f"Dice do not match: {there} on the tray, {need} wanted. Roll again or correct the reading.",
            f"Die Würfel passen nicht: {liegen} liegen da, gebraucht: {gebraucht}. "
            "Bitte neu würfeln oder die Ablesung berichtigen.",
        )

    def in_words(self, name: Callable[[str, str], str]) -> WrongDice:
        """The same with the dice called as ``name(die type, language)`` says."""
        return WrongDice(self.found, self.wanted, name)


def _dice_text(dice: Mapping[str, int], language: str, name: Callable[[str, str], str]) -> str:
    return ", ".join(f"{count} × {name(die, language)}" for die, count in sorted(dice.items())) or "0"


class IllegalAnswer(RefereeError):
    """Well-formed, but a rule stands in the way; ``refusal`` names it where one is known."""

    code = "illegal"

    def __init__(self, text: Text | str, sentence_de: str = "", *, refusal: Refusal | None = None) -> None:
        super().__init__(text, sentence_de)
        self.refusal = refusal


class StaleAnswer(RefereeError):
    """The answer was given to an older question than the one that is open now."""

    code = "stale"


class NotYourTurn(RefereeError):
    """Another seat is asked."""

    code = "not_your_turn"


class AmbiguousAnswer(RefereeError):
    """More than one reading of a written move is possible."""

    code = "ambiguous"


class AuditFailed(Exception):
    """An invariant is broken: a bug in us.  The game stops, the record is kept.

    ``problems`` lists what is wrong, ``answers`` how many answers had been given.
    """

    def __init__(self, problems: list[str], answers: int) -> None:
        super().__init__(f"audit failed after answer {answers}: {'; '.join(problems)}")
        self.problems = problems
        self.answers = answers
