"""What all requests are: whom they ask, what for, and how an answer is checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from referee.kernel.errors import IllegalAnswer, InvalidAnswer
from referee.kernel.messages import Text
from referee.kernel.refusals import Candidate, Refusal

Counts = dict[str, int]
Refused = Iterable[tuple[Any, Refusal]]
Notes = Iterable[tuple[str, Mapping[str, Any]]]
"""Messages of the game with their particulars."""
NOTHING: Mapping[str, Any] = {}


class Request:
    """What a flow asks of one seat.

    ``seat`` is who is asked; ``prompt`` a message id; ``about`` fills the
    message and tells the screens what it concerns (``{"from": "camp"}``);
    ``domain`` says what the options are (``place``, ``die``, ``unit``, ``card``,
    ``character``, ``option``...), so that screens and lights know where to show
    them; ``rule`` is the catalogue rule that makes the referee ask.
    """

    __slots__ = ("about", "domain", "prompt", "rule", "seat")

    kind = "request"
    reveals = False
    """True where the answer tells something that was hidden: undo is no longer free."""
    is_chance = False
    """True where nobody decides anything: dice and draws."""

    seat: str
    prompt: str
    about: Mapping[str, Any]
    domain: str
    rule: str

    def candidates(self) -> list[Candidate]:
        """All candidates, the allowed ones first, the refused ones with their refusal."""
        raise NotImplementedError

    def why_not(self, value: Any) -> Refusal | None:
        """The refusal that stands against ``value``, or None where it is allowed.

        Raises :class:`InvalidAnswer` where ``value`` is not of this request's form.
        """
        raise NotImplementedError

    def check(self, value: Any) -> Any:
        """``value`` in its normal form.  Raises :class:`InvalidAnswer` or :class:`IllegalAnswer`."""
        raise NotImplementedError

    def sample(self, rng: Random) -> Any:
        """A legal answer drawn at random, for bots and fuzzing."""
        raise NotImplementedError

    def is_forced(self) -> bool:
        """True where at most one answer is possible."""
        return False


def not_an_answer(value: Any) -> InvalidAnswer:
    """What to raise where ``value`` is not of the request's form."""
    return InvalidAnswer(
        Text("kernel.not_an_answer", value=value),
    )


def not_allowed(value: Any, refusal: Refusal) -> IllegalAnswer:
    """What to raise where ``refusal`` stands against ``value``."""
    return IllegalAnswer(
        Text("kernel.not_allowed", value=value, rule=refusal.rule),
        refusal=refusal,
    )
