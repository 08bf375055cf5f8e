"""Between the table and whatever reads dice: asks for rolls, offers readings, forgets what was touched.

The reader is known only by its protocol; ``referee.serving`` brings the one that looks through a camera.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import RLock
from typing import Any, Literal, Protocol

from referee.hall.dice import DiceAtTable, Reading
from referee.hall.throws import is_handheld, same_dice, same_die
from referee.journal.errors import NotPossible
from referee.kernel.dice import DieType
from referee.kernel.listeners import Listeners
from referee.kernel.messages import Text
from referee.kernel.requests import RollDice

log = logging.getLogger(__name__)

TrayState = Literal["idle", "empty", "moving", "reading", "settled", "old", "no_camera"]


@dataclass(frozen=True, slots=True)
class DiceUpdate:
    """What a reader says: for which roll, how the tray is, and the reading with its picture once settled."""

    number: int
    state: TrayState
    reading: Reading | None = None
    picture: bytes | None = None


@dataclass(frozen=True, slots=True)
class KeptDice:
    """Dice of the accepted reading (as JSON) that must not be touched by a re-roll.

    ``may_go`` says, by type and face, how many of ``dice`` are rolled again all the
    same: of three twos of which one is rolled again, nobody knows which.
    """

    dice: tuple[Mapping[str, Any], ...] = ()
    may_go: Mapping[tuple[str, str | None], int] = field(default_factory=dict)


class DiceSource(Protocol):
    """Something that reads dice when asked to, in its own thread."""

    @property
    def virtual(self) -> bool:
        """True where the tray exists only here and can throw by itself."""

    def ask(
        self, number: int, expected: Mapping[str, int], types: Mapping[str, DieType], kept: KeptDice
    ) -> None:
        """Read the dice of roll ``number`` from now on and tell, without those ``kept``; returns at once."""

    def stop(self) -> None:
        """No dice are wanted any more; returns at once."""

    def throw(self, expected: Mapping[str, int]) -> None:
        """Throw so many dice of each type (virtual trays only); returns at once."""

    def photograph(
        self, data: bytes, expected: Mapping[str, int], types: Mapping[str, DieType]
    ) -> tuple[Reading, bytes | None]:
        """Read a JPEG picture of a roll that a device in somebody's hand took; returns the reading and the
        picture as it is kept.  Takes a second; raises ``NotPossible`` where it is no whole picture."""


class DiceHall:
    """The dice desk of one house: follows the table, feeds it with readings, tells the screens."""

    def __init__(self, source: DiceSource) -> None:
        self._source = source
        self._lock = RLock()
        self._table: DiceAtTable | None = None
        self._number = 0
        self._asked: int | None = None
        self._accepted: Mapping[str, Any] | None = None
        self._before: Mapping[str, Any] | None = None
        self._heard: Mapping[str, Any] | None = None
        self._moved = True
        self._again = False
        self._kept = KeptDice()
        self._dice_at_rest: Sequence[Mapping[str, Any]] = ()
        self._listeners: Listeners[Callable[[], None]] = Listeners()
        self.state: TrayState = "idle"

    @property
    def virtual(self) -> bool:
        """Whether the tray can throw by itself."""
        return self._source.virtual

    def follow(self, table: DiceAtTable | None) -> None:
        """The table, or its question, is another one: ask for its dice, or for none."""
        with self._lock:
            self._table = table
            request = table.request if table is not None else None
            if table is None or not isinstance(request, RollDice):
                self._asked = None
                self.state = "idle"
                self._source.stop()
                return
            if self._asked == table.live_game.question:
                return
            self._asked = table.live_game.question
            self._ask(request)

    def _ask(self, request: RollDice, again: bool = False) -> None:
        self._number += 1
        self._moved = self._moved or not again
        self._again = again
        self._kept = kept_of(self._dice_at_rest, request.kept)
        self._source.ask(self._number, dict(request.dice), request.types, self._kept)

    def accepted(self, evidence: Mapping[str, Any] | None) -> None:
        """A roll was accepted: the same dice lying there still are not offered for the next one."""
        with self._lock:
            said = evidence or {}
            # what lies there counts: another throw, or one that was typed in, may have been accepted
            self._accepted = self._heard or said.get("reading")
            self._before = self._accepted or self._before
            told_elsewhere = "event" in said or is_handheld(said.get("reading", {}))
            self._dice_at_rest = [] if told_elsewhere else corrected_dice(said)

    def hear(self, heard: DiceUpdate) -> None:
        """Take in what the reader says; called from its thread."""
        # the table's guard comes first everywhere, so that no two threads wait for each other
        table = self._table
        if table is None:
            return
        with table.guard, self._lock:
            if heard.number != self._number or self._table is not table:
                return
            self.state = heard.state
            self._offer(table, heard)
        self._tell()

    def _offer(self, table: DiceAtTable, heard: DiceUpdate) -> None:
        if heard.state in ("moving", "empty"):
            self._accepted = self._heard = None
            self._moved = True
            table.withdraw_reading(emptied=heard.state == "empty")
        if heard.state != "settled" or heard.reading is None:
            return
        said = self._heard = heard.reading.as_json()
        if self._accepted is not None and self._all_old(self._accepted, said):
            self.state = "old"
            return
        before = self._before is not None and self._all_old(self._before, said)
        moved, again = self._moved, self._again
        self._moved = self._again = False
        try:
            table.offer_reading(heard.reading, heard.picture, moved=moved, again=again, as_before=before)
        except NotPossible:
            log.debug("a reading came too late for its roll")

    def _all_old(self, before: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
        """Whether nothing was rolled yet; the dice that are kept for a re-roll are not in ``now``."""
        if not self._kept.dice:
            return same_dice(before, now)
        dice = now.get("dice", ())
        return bool(dice) and all(any(same_die(die, old) for old in before.get("dice", ())) for die in dice)

    def throw(self) -> None:
        """Throw the wanted dice; the reading comes as a new offer.  ``NotPossible`` on a real tray."""
        request = self._table.request if self._table is not None else None
        if not self.virtual or not isinstance(request, RollDice):
            raise NotPossible(
                Text("hall.nothing_to_throw"),
            )
        self._moved = True
        self._source.throw(dict(request.dice))

    def photograph(self, data: bytes) -> None:
        """Offer the reading of a picture that a player's own device took of this roll.

        ``NotPossible`` on a virtual tray, without a roll, or where the roll is over when the picture is read.
        """
        table = self._table
        request = table.request if table is not None else None
        if self.virtual or table is None or not isinstance(request, RollDice):
            raise NotPossible(Text("hall.nothing_to_photograph"))
        question = table.live_game.question
        reading, picture = self._source.photograph(data, dict(request.dice), request.types)
        with table.guard, self._lock:
            if self._table is not table or table.live_game.question != question:
                raise NotPossible(Text("hall.no_dice_awaited_now"))
            table.offer_reading(reading, picture)
        self._tell()

    def look(self) -> None:
        """Look into the tray again, whatever lies there."""
        with self._lock:
            request = self._table.request if self._table is not None else None
            if isinstance(request, RollDice):
                self._accepted = None
                self._ask(request, again=True)

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call ``listener`` after each new or withdrawn offer, from any thread."""
        return self._listeners.add(listener)

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()


def corrected_dice(evidence: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The dice (as JSON) of an accepted reading, as corrected; those that were typed in lie nowhere."""
    dice: list[Mapping[str, Any] | None] = list(evidence.get("reading", {}).get("dice", ()))
    for one in evidence.get("corrections", ()):
        index = one.get("die")
        if index is None:
            continue
        was = dice[index]
        if one.get("remove") or was is None:
            dice[index] = None
        else:
            dice[index] = {**was, "type": one.get("type", was["type"]), "face": one["face"]}
    return [die for die in dice if die is not None]


def kept_of(lying: Sequence[Mapping[str, Any]], kept: Mapping[str, Sequence[str]]) -> KeptDice:
    """Which of the dice ``lying`` there have to stay where a roll keeps faces ``kept`` by type.

    None where not all of them were read: a roll that was typed in says nothing of what lies where.
    """
    stay = Counter((die, face) for die, faces in kept.items() for face in faces)
    there = Counter((str(die["type"]), die["face"]) for die in lying)
    if not stay or any(there[one] < number for one, number in stay.items()):
        return KeptDice()
    dice = tuple(die for die in lying if (die["type"], die["face"]) in stay)
    return KeptDice(dice, {one: there[one] - stay[one] for one in stay if there[one] > stay[one]})
