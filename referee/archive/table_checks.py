"""Asking of events that move nothing on the board whether the hall would have recorded them: throws, clocks,
ends, appeals."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from referee.archive.exchange import shown
from referee.hall.base import request_in_short
from referee.hall.throws import READ_AGAIN, WHYS, is_complete
from referee.journal.clocks import FLAG, SET, START, STOP
from referee.journal.endings import DRAW, is_possible
from referee.journal.events import ARBITER, Event
from referee.journal.line import left_of
from referee.journal.pending import PendingMatters
from referee.kernel.messages import Text
from referee.kernel.naming import InWords, named
from referee.kernel.play import Game, Outcome, Play, canonical_json
from referee.kernel.requests import Request, RollDice

ROUNDING_S = 1
"""What is left is told in whole seconds."""


class Illegal(Exception):
    """An event that the hall would not have recorded, and why."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text


class TableChecks:
    """The part of a recheck that looks after the table; the play itself is :class:`Recheck`'s."""

    header: Mapping[str, Any]
    seats: tuple[str, ...]
    standing: PendingMatters
    play: Play[Any]
    line: list[Event]

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, as far as it was taken."""
        return self.standing.outcome(self.seats, self.play.outcome)

    @property
    def playing(self) -> set[str]:
        """The seats that have not resigned."""
        return set(self.seats) - set(left_of(self.line))

    # -- throws ------------------------------------------------------------------------------------------

    def _check_earlier_throw(self, number: Any, reading: Any) -> None:
        first = self.standing.first_throw
        if first is None or first.number != number or (first.evidence or {})["reading"] != reading:
            raise Illegal(Text("archive.no_such_throw"))

    def _check_agreed_roll(self, request: Request, event: Event) -> None:
        """In a tournament a second throw, and a roll typed in while the camera reads, were agreed to."""
        evidence = event.evidence or {}
        if "agreed" in evidence:
            asked = self.standing.asked
            said = {key: value for key, value in evidence.items() if key != "agreed"}
            if (
                asked is None
                or asked.kind != "roll_asked"
                or (asked.number, asked.seat) != (evidence["agreed"], event.seat)
                or (asked.answer["value"], asked.evidence) != (event.answer, said)
                or not self.standing.all_agree(self.playing)
            ):
                raise Illegal(Text("archive.roll_not_agreed"))
        elif self.header["tournament"] and isinstance(request, RollDice):
            again = self.standing.first_throw is not None and evidence.get("event") is None
            if (again and "reading" in evidence) or evidence.get("as_before"):
                raise Illegal(Text("archive.roll_not_agreed"))
            if evidence.get("camera") == "reads":
                raise Illegal(Text("archive.roll_not_agreed"))

    def _awaited_roll(self, event: Event) -> RollDice:
        """The open roll, which must be the one that the event says it is about."""
        request = self.play.request
        if not isinstance(request, RollDice) or self.standing.is_over or event.seat != request.seat:
            raise Illegal(Text("archive.reading_of_no_roll"))
        if not is_same(event.request, request):
            raise Illegal(asked_otherwise(self.play.game, request))
        return request

    def _throw_number(self) -> int:
        """Which throw of this roll comes next, or lies there."""
        told: int = sum(one.answer["why"] != READ_AGAIN for one in self.standing.discarded)
        return 1 + told

    def _reading_discarded(self, event: Event) -> None:
        request, evidence = self._awaited_roll(event), event.evidence or {}
        if event.source != "camera" or "reading" not in evidence or event.answer["why"] not in WHYS:
            raise Illegal(Text("archive.no_reading"))
        if (
            not is_complete(evidence["reading"], request.dice)
            or event.answer["throw"] != self._throw_number()
        ):
            raise Illegal(Text("archive.no_such_throw"))

    # -- ends and appeals --------------------------------------------------------------------------------

    def _draw_asked(self, event: Event) -> None:
        if event.seat not in self.playing or self.outcome is not None or self.standing.asked is not None:
            raise Illegal(Text("archive.nobody_asked"))

    def _ended(self, event: Event) -> None:
        answer, asked = event.answer, self.standing.asked
        if self.outcome is not None:
            raise Illegal(Text("archive.game_over"))
        if not is_possible(answer["how"], answer["winners"], answer.get("seat"), self.seats):
            raise Illegal(Text("archive.cannot_end_so"))
        if event.seat == ARBITER:
            if not answer["reason"].strip():
                raise Illegal(Text("archive.cannot_end_so"))
        elif (
            answer["how"] != DRAW
            or asked is None
            or (asked.kind, asked.seat) != ("draw_asked", event.seat)
            or not self.standing.all_agree(self.playing)
        ):
            raise Illegal(Text("archive.not_agreed"))

    def _handed_over(self, event: Event) -> None:
        if self.outcome is None or self.standing.handed_over:
            raise Illegal(Text("archive.not_result"))

    def _appeal(self, event: Event) -> None:
        if self.standing.objection is not None or event.answer["about"] not in self.standing.appealable:
            raise Illegal(Text("archive.not_appealable"))

    # -- clocks ------------------------------------------------------------------------------------------

    def _clock(self, event: Event) -> None:
        clock, does = self.standing.clock, event.answer["does"]
        if does not in (SET, START, STOP, FLAG) or (does == SET) == bool(clock.minutes):
            raise Illegal(Text("archive.no_such_clock"))
        left = self._left(event)
        if does == SET:
            minutes = event.answer.get("minutes", 0)
            if minutes <= 0 or set(left.values()) != {60 * minutes}:
                raise Illegal(Text("archive.no_such_clock"))
            return
        if clock.runs == (does == START) or any(left[one] > clock.left[one] for one in left):
            raise Illegal(Text("archive.no_such_clock"))
        if does == FLAG and left.get(event.seat, 1) > 0:
            raise Illegal(Text("archive.time_not_over"))
        if does == STOP and self.header["tournament"] and event.seat in self.seats:
            raise Illegal(Text("archive.only_arbiter_does"))

    def _time(self, event: Event) -> None:
        """Time is given to one seat, as much as is said: nobody else's clock shows more than before."""
        answer, clock = event.answer, self.standing.clock
        self._check_about(event)
        if answer.get("left") is None or not clock.minutes:
            return
        given = {answer.get("seat"): answer.get("value") or 0}
        left = self._left(event)
        if any(left[seat] > clock.left[seat] + given.get(seat, 0) + ROUNDING_S for seat in left):
            raise Illegal(Text("archive.no_such_clock"))

    def _check_about(self, event: Event) -> None:
        about = event.answer.get("seat")
        if about is not None and about not in self.seats:
            raise Illegal(Text("archive.no_such_seat", seat=shown(about)))

    def _left(self, event: Event) -> dict[str, int]:
        """The seconds left a seat, which must be told of each."""
        left: dict[str, int] = event.answer["left"]
        if set(left) != set(self.seats) or any(type(seconds) is not int for seconds in left.values()):
            raise Illegal(Text("archive.malformed_answer", why="left"))
        return left


def is_same(recorded: Mapping[str, Any] | None, request: Request) -> bool:
    """Whether an event answers ``request``; earlier records do not name the domain."""
    asked = json.loads(canonical_json(request_in_short(request)))
    return recorded is not None and {"domain": asked["domain"], **recorded} == asked


def asked_otherwise(game: Game[Any], request: Request) -> Text:
    question = InWords(game, lambda names: names.question(request.prompt, request.about))
    return Text("archive.other_question", prompt=question, seat=named(game, request.seat, "seat"))
