"""Dice at the table: a reading is offered, somebody accepts it, perhaps corrected.

What the reader said and what was accepted are both kept, with the picture's
digest; a roll that was typed in is marked ``manual``.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from referee.hall import throws
from referee.hall.answers import Answers
from referee.hall.base import request_in_short
from referee.hall.throws import Throw
from referee.journal.errors import NotPossible, StoreError
from referee.journal.events import Event, NewEvent, as_read, moves
from referee.kernel.errors import InvalidAnswer, StaleAnswer
from referee.kernel.messages import Text, joined
from referee.kernel.requests import RollDice
from referee.store.pictures import Pictures

log = logging.getLogger(__name__)


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
    number of the event that put the question which it would answer.  ``throw`` counts the throws of this
    roll; ``as_before``: the dice lie and show as they did after the roll before."""

    number: int
    question: int
    reading: Reading
    picture: bytes | None
    throw: int = 1
    as_before: bool = False

    def as_json(self) -> dict[str, Any]:
        """For screens: the reading and its number."""
        return {"number": self.number, "reading": self.reading.as_json(), "picture": self.picture is not None}


class DiceAtTable(Answers):
    """The part of a table that takes dice.

    A complete reading that is not taken becomes an event (``reading_discarded``): nobody throws until it
    pleases without the others seeing it.  In a tournament a second throw after a complete, unquestioned
    reading, and a roll typed in while the camera reads, need the others' yes or the arbiter's
    (``roll_asked``).
    """

    pictures: Pictures | None = None
    throw_path: Path | None = None
    """Where a throw that lies in the tray is kept, so that a power cut does not undo it; None: in memory."""
    camera_reads: Callable[[], bool] = staticmethod(lambda: False)
    """Whether a camera is there and well, so that nobody has to type a roll in."""
    _offer: Offer | None = None
    _offers = 0
    _throw: Throw | None = None
    _untold: tuple[Throw, ...] = ()
    _taking = False

    @property
    def offer(self) -> Offer | None:
        """The reading that may be accepted now, if any."""
        offer = self._offer
        return offer if offer is not None and offer.question == self.live_game.question else None

    @property
    def throw_number(self) -> int:
        """Which throw of this roll lies there, or comes next."""
        return 1 + self._thrown()

    def _thrown(self, *also: Throw) -> int:
        told: int = sum(event.answer["why"] != throws.READ_AGAIN for event in self.standing.discarded)
        return told + sum(one.why != throws.READ_AGAIN for one in (*self._untold, *also))

    def recall_throw(self) -> None:
        """After a restart: what lay in the tray when the table ended is still the last throw of its roll."""
        with self.guard:
            if self.throw_path is None or not isinstance(self.request, RollDice):
                return
            game = self.live_game
            kept = throws.load(self.throw_path, game.header["id"], game.question, game.play.digest())
            self._untold = tuple(one for one in kept if one.why)
            lying = next((one for one in kept if not one.why), None)
            self._throw = None if lying is None else replace(lying, offer=0)

    def offer_reading(
        self,
        reading: Reading,
        picture: bytes | None = None,
        *,
        moved: bool = True,
        again: bool = False,
        as_before: bool = False,
    ) -> Offer:
        """Show a reading to whoever is asked to roll.  Raises ``NotPossible`` where no roll is awaited.

        ``moved``: something moved in the tray since the last reading; ``again``: somebody asked to read anew;
        ``as_before``: the dice lie and show as they did after the roll before.  A complete reading, and that
        the one before was not taken, are on disk before anybody sees them.
        """
        with self.guard:
            request = self.request
            if not isinstance(request, RollDice):
                raise NotPossible(Text("hall.no_dice_awaited_now"))
            self._offers += 1
            fresh = self._complete(request, reading, picture)
            if fresh is not None:
                self._follows(fresh, moved, again)
                self._throw = fresh
                self._keep_throws()
            number = self.throw_number + (fresh is None and self._is_another(reading))
            self._offer = Offer(self._offers, self.live_game.question, reading, picture, number, as_before)
            return self._offer

    def _is_another(self, reading: Reading) -> bool:
        """Whether a reading that is not complete shows other dice than the throw that lay there."""
        return self._throw is not None and not throws.is_part_of(
            as_read(reading.as_json()), self._throw.reading
        )

    def _complete(self, request: RollDice, reading: Reading, picture: bytes | None) -> Throw | None:
        said = as_read(reading.as_json())
        if not throws.is_complete(said, request.dice):
            return None
        asked = request_in_short(request)
        assert asked is not None
        digest, kept = self.live_game.play.digest(), None
        try:
            kept = self._keep(picture)
        except StoreError as error:
            log.warning("the picture of a throw could not be kept: %s", error)
        return Throw(
            self.live_game.question, request.seat, as_read(asked), digest, said, kept, offer=self._offers
        )

    def _follows(self, fresh: Throw, moved: bool, again: bool) -> None:
        """Compare a new complete reading with the one before it, which is let go where it is another."""
        before = self._throw
        if before is None:
            return
        if not throws.is_same_throw(before.reading, fresh.reading, moved):
            self._let_go(throws.THROWN_AGAIN)
        elif again or throws.says_else(before.reading, fresh.reading):
            self._let_go(throws.READ_AGAIN)

    def withdraw_reading(self, *, emptied: bool = False) -> None:
        """The dice were touched: the reading may not be accepted any more.  ``emptied``: none lies there."""
        with self.guard:
            self._offer = None
            if emptied and self._throw is not None:
                self._let_go(throws.TAKEN_OUT)

    def _let_go(self, why: str) -> None:
        """The last complete reading was not taken: say so in the record, or as soon as the disk allows."""
        assert self._throw is not None
        self._untold = (*self._untold, replace(self._throw, why=why))
        self._throw = None
        self._keep_throws()
        try:
            self._record([])
        except StoreError as error:
            log.warning("that a throw was not taken could not be recorded yet: %s", error)

    def _let_roll_go(self) -> int:
        before = self.revision
        if self._throw is not None:
            self._let_go(throws.NOT_TAKEN)
        return self.revision - before

    def _keep_throws(self) -> None:
        if self.throw_path is None:
            return
        pending = [*self._untold, *([] if self._throw is None else [self._throw])]
        if pending:
            throws.save(self.throw_path, self.live_game.header["id"], pending)
        else:
            throws.clear(self.throw_path)

    def _record(self, drafts: list[NewEvent], openings: Mapping[int, Any] | None = None) -> list[Event]:
        """Record ``drafts``, and before them the throws of this roll that were not taken."""
        moved = any(_ends_roll(draft) for draft in drafts)
        pending = self._untold
        if moved and self._throw is not None and not self._taking:
            pending = (*pending, replace(self._throw, why=throws.NOT_TAKEN))
        told, number = [], 1 + self._thrown() - sum(one.why != throws.READ_AGAIN for one in self._untold)
        for one in pending:
            told.append(one.discarded(number))
            number += one.why != throws.READ_AGAIN
        assert not (told and openings), "nobody chooses in secret while a roll is awaited"
        made = super()._record([*told, *drafts], openings) if told or drafts else []
        self._untold = ()
        if moved:
            self._throw = self._offer = None
        if told or moved:
            self._keep_throws()
        return made[len(told) :]

    def accept_dice(
        self,
        seat: str,
        *,
        revision: int,
        corrections: Sequence[Mapping[str, Any]] = (),
        offer: int | None = None,
    ) -> Event:
        """Answer the roll with the offered reading; in a tournament perhaps only ask the others whether.

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
            request = self.request
            assert request is not None
            value = as_read(request.check(rolled(shown.reading, corrections)))  # before the picture is kept
            evidence = {
                "manual": False,
                "reading": shown.reading.as_json(),
                "corrections": [dict(one) for one in corrections],
                "picture": self._keep(shown.picture),
                **({"throw": shown.throw} if shown.throw > 1 else {}),
                **({"as_before": True} if shown.as_before else {}),
                **({"camera": self._camera_now()} if self._strict and is_handheld(shown) else {}),
            }
            why = self._why_others_agree(shown, corrections)
            if why:
                return self._ask_for_roll(seat, value, evidence, why)
            return self._take(shown, seat, value, evidence, revision)

    def _take(self, shown: Offer, seat: str, value: Any, evidence: Mapping[str, Any], revision: int) -> Event:
        self._taking = self._throw is not None and self._throw.offer == shown.number
        try:
            return super().answer(seat, value, revision=revision, source="camera", evidence=evidence)
        finally:
            self._taking = False

    def answer(
        self,
        seat: str,
        value: Any,
        *,
        revision: int,
        source: str = "tablet",
        evidence: Mapping[str, Any] | None = None,
    ) -> Event:
        """As :meth:`Answers.answer`; a roll that is typed in may have to be agreed to first."""
        with self.guard:
            request = self.request
            if isinstance(request, RollDice) and evidence is None and self._strict:
                self._check_revision(revision)
                self._check_asked(seat)
                evidence = {"manual": True, "camera": self._camera_now()}
                if evidence["camera"] == "reads":
                    return self._ask_for_roll(seat, as_read(request.check(value)), evidence, "typed")
            return super().answer(seat, value, revision=revision, source=source, evidence=evidence)

    def _camera_now(self) -> str:
        """Whether the table's camera "reads" or is "away", as evidence says it."""
        return "reads" if self.camera_reads() else "away"

    # -- what the others have to agree to --------------------------------------------------------------------

    def why_others_agree(self) -> str:
        """Why the offered reading, as it stands, needs the others' yes; "" where it does not."""
        with self.guard:
            return "" if self.offer is None else self._why_others_agree(self.offer, ())

    def _why_others_agree(self, shown: Offer, corrections: Sequence[Mapping[str, Any]]) -> str:
        if not self._strict:
            return ""
        lay_there = self._throw is not None and self._throw.offer != shown.number
        if self.first_throw() is not None or (lay_there and self._throw and self._throw.is_unquestioned):
            return throws.THROWN_AGAIN
        if shown.as_before:
            return "as_before"
        if is_handheld(shown) and self.camera_reads():
            return "photographed"
        if is_retyped(len(shown.reading.dice), corrections) and self.camera_reads():
            return "typed"
        return ""

    def first_throw(self) -> Event | None:
        """The event of the first throw of this roll that could have been accepted as it stood."""
        return self.standing.first_throw

    def take_first_throw(self, seat: str, *, revision: int) -> Event:
        """Answer the roll with the first throw that could have been accepted: nobody has to agree to that."""
        with self.guard:
            self._check_revision(revision)
            self._check_asked(seat)
            first = self.first_throw()
            if first is None:
                raise NotPossible(Text("hall.no_first_throw"))
            assert first.evidence is not None
            dice = [(die["type"], die["face"]) for die in first.evidence["reading"]["dice"]]
            evidence = {**first.evidence, "event": first.number}
            value = corrected_faces(dice, ())
            return super().answer(seat, value, revision=revision, source="camera", evidence=evidence)

    def _ask_for_roll(self, seat: str, value: Any, evidence: Mapping[str, Any], why: str) -> Event:
        """Ask the others whether this roll may count; nobody else's question is replaced by that."""
        asked = self.standing.asked
        if asked is not None:
            raise NotPossible(Text("hall.asked_already"))
        draft = NewEvent(
            seat,
            "camera" if "reading" in evidence else "tablet",
            "roll_asked",
            {"value": value, "why": why},
            self.live_game.play.digest(),
            request_in_short(self.request),
            evidence,
        )
        return self._record([draft])[0]

    def _roll_agreed(self, asked: Event, said: NewEvent) -> Event:
        """All agreed: the roll that event ``asked`` holds counts.  ``said`` is the last consent."""
        self._check_running()
        evidence = {**(asked.evidence or {}), "agreed": asked.number}
        throw = self._throw
        self._taking = throw is not None and throw.reading == evidence.get("reading")
        try:
            draft = self._step(asked.seat, asked.answer["value"], asked.source, evidence)
            return self._record_steps([said, draft])[1]
        finally:
            self._taking = False

    def _keep(self, picture: bytes | None) -> str | None:
        if picture is None or self.pictures is None:
            return None
        return self.pictures.keep(picture)

    @staticmethod
    def _refused(reading: Reading) -> NotPossible:
        why = joined(reason.text for reason in reading.reasons)
        return NotPossible(Text("hall.no_reading", why=why))


def is_handheld(offer: Offer) -> bool:
    """Whether an offered reading is of a picture that a device in somebody's hand took."""
    return throws.is_handheld(offer.reading.as_json())


def _ends_roll(draft: NewEvent) -> bool:
    """Whether the question that was open is no longer, once ``draft`` is recorded."""
    return moves(draft) or draft.kind in ("take_back", "resignation", "ended")


def is_retyped(dice: int, corrections: Sequence[Mapping[str, Any]]) -> bool:
    """Whether corrections leave none of so many ``dice`` as it was read: that is typing the roll in."""
    return dice > 1 and len({one.get("die") for one in corrections if "die" in one}) >= dice


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
        if not isinstance(one, Mapping):
            raise _bad_correction(one)
        if set(one) == {"add"}:
            added.append(_added(one["add"]))
            continue
        index = one.get("die")
        if type(index) is not int or not 0 <= index < len(dice):
            raise _bad_correction(one)
        was = dice[index] or (read[index][0], None)
        if set(one) == {"die", "remove"} and one["remove"] is True:
            dice[index] = None
        elif set(one) <= {"die", "type", "face"} and _are_texts(
            kind := one.get("type", was[0]), one.get("face")
        ):
            dice[index] = (kind, one["face"])
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
        or set(die) != {"type", "face"}
        or not _are_texts(die["type"], die["face"])
    ):
        raise _bad_correction(die)
    return die["type"], die["face"]


def _are_texts(*values: Any) -> bool:
    return all(isinstance(value, str) for value in values)


def _bad_correction(one: Any) -> InvalidAnswer:
    return InvalidAnswer(Text("hall.corrects_no_die", given=one))
