"""The chess clock as events: who starts and stops it, whose time is over, and what was left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from referee.hall.base import TableCore
from referee.journal.clocks import FLAG, SET, START, STOP
from referee.journal.errors import NotAllowed, NotPossible
from referee.journal.events import ARBITER, TOGETHER, Event
from referee.kernel.messages import Text

RESTART = "restart"
"""The reason of a stop that nobody wanted: the program began anew."""


class Clocks(TableCore):
    """The part of a table that writes down what happens to the clock; it measures nothing itself."""

    def set_clock(self, minutes: int) -> Event:
        """The game is played with so many minutes a seat."""
        with self.guard:
            if self.standing.clock.minutes:
                raise NotPossible(Text("hall.clock_is_set"))
            left = {seat: 60 * minutes for seat in self.seats}
            answer = {"does": SET, "minutes": minutes, "left": left, "reason": ""}
            return self._remark(TOGETHER, "clock", answer, source="table")

    def note_clock(
        self, seat: str, does: Literal["start", "stop", "flag"], left: Mapping[str, int], reason: str = ""
    ) -> Event:
        """Write down that ``seat`` (``*``: the table) starts or stops the clock, or that its time is over.

        ``left``: seconds a seat.  Raises ``NotAllowed`` where a seat would stop the clock of a tournament.
        """
        with self.guard:
            clock = self.standing.clock
            if not clock.minutes or clock.runs == (does == START):
                raise NotPossible(Text("hall.no_such_clock"))
            if seat not in (ARBITER, TOGETHER):
                self._check_seat(seat)
                if does == STOP and self._strict:
                    raise NotAllowed(Text("hall.only_arbiter_stops_clock"))
            source = (
                "arbiter" if seat == ARBITER else "table" if seat == TOGETHER or does == FLAG else "tablet"
            )
            answer = {"does": does, "left": dict(left), "reason": reason}
            return self._remark(seat, "clock", answer, source=source)
