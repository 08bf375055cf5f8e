"""The chess clock as the record knows it: its minutes, whether it runs, what was left at the last event."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.journal.events import Event

SET, START, STOP, FLAG = "set", "start", "stop", "flag"


@dataclass
class ClockState:
    """Folded by :meth:`add` over the events ``clock`` and ``time``.

    ``minutes`` a seat (0: no clock); ``left``: seconds a seat at event ``number`` with its ``hash``, negative
    where its time is over; ``flagged``: the seats of which that was told.
    """

    minutes: int = 0
    runs: bool = False
    left: dict[str, int] = field(default_factory=dict)
    flagged: set[str] = field(default_factory=set)
    number: int = 0
    hash: str = ""

    def add(self, event: Event) -> None:
        """Bring this up to ``event``, of one of these kinds."""
        answer = event.answer
        if event.kind == "clock":
            does = answer["does"]
            if does == SET:
                self.minutes, self.runs, self.flagged = answer["minutes"], False, set()
            elif does == FLAG:
                self.flagged = {*self.flagged, event.seat}
            else:
                self.runs = does == START
        if answer.get("left") is not None:
            self.left = dict(answer["left"])
            self.flagged = {seat for seat in self.flagged if self.left.get(seat, 0) <= 0}
            self.number, self.hash = event.number, event.hash
