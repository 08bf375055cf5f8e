"""Errors that a person can cause: each has a code, a sentence in both languages and a way out.

Device faults are not here: they are states shown on screen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from referee.kernel.messages import Text
from referee.kernel.said import SaidError

if TYPE_CHECKING:
    from referee.kernel.refusals import Refusal


class RefereeError(SaidError):
    """Base of everything the referee refuses.  ``code`` is stable; sentences are for people."""

    code = "error"


class InvalidAnswer(RefereeError):
    """Not a well-formed answer to this kind of request."""

    code = "invalid"


class WrongDice(InvalidAnswer):
    """Not the dice that were asked for.  ``found`` and ``wanted`` map die types to how many."""

    def __init__(
        self,
        found: Mapping[str, int],
        wanted: Mapping[str, int],
        name: Callable[[str], Text | str] = lambda die: die,
    ) -> None:
        self.found = found
        self.wanted = wanted
        super().__init__(
            Text("kernel.wrong_dice", found=_dice_text(found, name), wanted=_dice_text(wanted, name))
        )

    def in_words(self, name: Callable[[str], Text | str]) -> WrongDice:
        """The same with the dice called as ``name(die type)`` says."""
        return WrongDice(self.found, self.wanted, name)


def _dice_text(dice: Mapping[str, int], name: Callable[[str], Text | str]) -> list[Text] | str:
    return [
        Text("kernel.counted_dice", count=count, die=name(die)) for die, count in sorted(dice.items())
    ] or "0"


class IllegalAnswer(RefereeError):
    """Well-formed, but a rule stands in the way; ``refusal`` names it where one is known."""

    code = "illegal"

    def __init__(self, text: Text, *, refusal: Refusal | None = None) -> None:
        super().__init__(text)
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
