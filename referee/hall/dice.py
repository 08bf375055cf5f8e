"""Dice at the table: a reading is offered, somebody accepts it, perhaps corrected.

What the reader said and what was accepted are both kept, with the picture's
digest; a roll that was typed in is marked ``manual``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from referee.hall.answers import Answers
from referee.journal.errors import NotPossible
from referee.journal.events import Event
from referee.kernel.errors import InvalidAnswer, StaleAnswer
from referee.kernel.messages import Text, joined
from referee.kernel.requests import RollDice
from referee.store.pictures import Pictures


class ReadDie(Protocol):
    """One die that a reader saw; ``face`` None: not understood."""

    @property
    def type(self) -> str: ...
    @property
    def face(self) -> str | None: ...


class ReadReason(Protocol):
    """Why a reader asks or refuses."""

    @property
    def code(self) -> str: ...
    @property
    def text(self) -> Text: ...


class Reading(Protocol):
    """What a reader says of one picture; ``vision.reading.DiceReading`` is one."""

    @property
    def status(self) -> str: ...
    @property
    def dice(self) -> Sequence[ReadDie]: ...
    @property
    def reasons(self) -> Sequence[ReadReason]: ...
    def as_json(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Offer:
    """A reading that waits for somebody to accept it.  ``number`` tells it from others, ``question`` is the
    number of the event that put the question which it would answer."""

    number: int
    question: int
    reading: Reading
    picture: bytes | None

    def as_json(self) -> dict[str, Any]:
        """For screens: the reading and its number."""
        return {"number": self.number, "reading": self.reading.as_json(), "picture": self.picture is not None}


class DiceAtTable(Answers):
    """The part of a table that takes dice."""

    pictures: Pictures | None = None
    _offer: Offer | None = None
    _offers = 0

    @property
    def offer(self) -> Offer | None:
        """The reading that may be accepted now, if any."""
        offer = self._offer
        return offer if offer is not None and offer.question == self.live_game.question else None

    def offer_reading(self, reading: Reading, picture: bytes | None = None) -> Offer:
        """Show a reading to whoever is asked to roll.  Raises ``NotPossible`` where no roll is awaited."""
        with self.guard:
            if not isinstance(self.request, RollDice):
                raise NotPossible(Text("hall.no_dice_awaited_now"))
            self._offers += 1
            self._offer = Offer(self._offers, self.live_game.question, reading, picture)
            return self._offer

    def withdraw_reading(self) -> None:
        """The dice were touched: the reading may not be accepted any more."""
        with self.guard:
            self._offer = None

    def accept_dice(
        self,
        seat: str,
        *,
        revision: int,
        corrections: Sequence[Mapping[str, Any]] = (),
        offer: int | None = None,
    ) -> Event:
        """Answer the roll with the offered reading.

        ``corrections`` are ``{"die": index, "face": face}`` (also with ``"type"``),
        ``{"die": index, "remove": true}`` and ``{"add": {"type", "face"}}``, where
        ``index`` counts the reading's dice from 0.  ``offer`` names the offer that
        was seen: another one in between makes this stale.
        """
        with self.guard:
            self._check_revision(revision)
            self._check_asked(seat)
            shown = self.offer
            if shown is None or (offer is not None and offer != shown.number):
                raise StaleAnswer(
                    Text("hall.reading_gone"),
                )
            if shown.reading.status == "refused":
                raise self._refused(shown.reading)
            value = rolled(shown.reading, corrections)
            request = self.request
            assert request is not None
            request.check(value)  # before the picture is kept
            evidence = {
                "manual": False,
                "reading": shown.reading.as_json(),
                "corrections": [dict(one) for one in corrections],
                "picture": self._keep(shown.picture),
            }
            return self.answer(seat, value, revision=revision, source="camera", evidence=evidence)

    def _keep(self, picture: bytes | None) -> str | None:
        if picture is None or self.pictures is None:
            return None
        return self.pictures.keep(picture)

    @staticmethod
    def _refused(reading: Reading) -> NotPossible:
        why = joined(reason.text for reason in reading.reasons)
        return NotPossible(Text("hall.no_reading", why=why))


def rolled(reading: Reading, corrections: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The faces by die type after ``corrections``.

    Raises ``InvalidAnswer`` where a correction is wrong or a die's face is still open.
    """
    return corrected_faces([(die.type, die.face) for die in reading.dice], corrections)


def corrected_faces(
    read: Sequence[tuple[str, str | None]], corrections: Sequence[Mapping[str, Any]]
) -> dict[str, list[str]]:
    """The faces by die type of dice that were ``read`` (type and face), after ``corrections``.

    Raises as :func:`rolled` does.
    """
    dice: list[tuple[str, str | None] | None] = list(read)
    added: list[tuple[str, str | None]] = []
    for one in corrections:
        if "add" in one:
            added.append(_added(one["add"]))
            continue
        index = one.get("die")
        if not isinstance(index, int) or not 0 <= index < len(dice):
            raise _bad_correction(one)
        was = dice[index] or (read[index][0], None)
        if one.get("remove"):
            dice[index] = None
        elif isinstance(one.get("face"), str):
            dice[index] = (str(one.get("type", was[0])), one["face"])
        else:
            raise _bad_correction(one)
    faces: dict[str, list[str]] = {}
    for place, die in enumerate([*dice, *added]):
        if die is None:
            continue
        if die[1] is None:
            raise InvalidAnswer(
                Text("hall.die_unread", place=place + 1),
            )
        faces.setdefault(die[0], []).append(die[1])
    return faces


def _added(die: Any) -> tuple[str, str]:
    if (
        not isinstance(die, Mapping)
        or not isinstance(die.get("type"), str)
        or not isinstance(die.get("face"), str)
    ):
        raise _bad_correction(die)
    return die["type"], die["face"]


def _bad_correction(one: Any) -> InvalidAnswer:
    return InvalidAnswer(Text("hall.corrects_no_die", given=one))
