"""The optional chess clock: how long each seat has been asked.  It only tells; it never ends a game.

Time is charged to the seats that the open request asks, by this server's own
monotonic clock, while the clock runs.  It stands still in an objection, after the
end, while paused, and after each start of the server until somebody lets it run.
"""

from __future__ import annotations

import json
import logging
import math
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from referee.hall.clocks import RESTART
from referee.hall.table import Table
from referee.journal.clocks import ClockState
from referee.journal.errors import NotPossible, StoreError
from referee.journal.events import ARBITER, TOGETHER
from referee.kernel.messages import Text
from web.asks import own_part
from web.sidefile import SideFile
from web.snapshot import halted, sealed_seats

log = logging.getLogger(__name__)

MOST_MINUTES = 600
KEPT = 50
"""Games whose clocks are remembered."""
AGAIN_S = 5.0
"""Until a flag that could not be recorded (a full disk) is tried once more."""


class Clock:
    """The clock of the running game.  Thread-safe: who records takes the table's guard before this lock.

    What happens to it is in the record (events ``clock`` and ``time``).  Between two of them the running rest
    is kept in ``clocks.json`` in ``folder``, and counts only where it goes on from the last event.
    """

    def __init__(self, folder: Path, now: Callable[[], float] = time.monotonic) -> None:
        self.file = SideFile(folder / "clocks.json")
        self.now = now
        self._lock = threading.RLock()
        self._all: dict[str, dict[str, Any]] = self._load()
        self._table: Table | None = None
        self._game = ""
        self._running: frozenset[str] = frozenset()
        self._since = 0.0
        self._unwritten = False
        """Whether a flag could not be recorded when that was tried last."""
        self.paused = True

    @property
    def minutes(self) -> int:
        """Minutes a seat; 0 where this game has no clock."""
        return int(self._all.get(self._game, {}).get("minutes", 0))

    def follow(self, table: Table | None) -> None:
        """Another game, or none: its clock stands until somebody lets it run."""
        if table is None:
            with self._lock:
                self._leave()
            return
        with table.guard, self._lock:
            self._leave()
            self._table, self._game = table, str(table.header["id"])
            self._take_up(table)

    def _leave(self) -> None:
        self.keep()
        self._table, self._game = None, ""
        self.paused = True
        self._running = frozenset()

    def _take_up(self, table: Table) -> None:
        """Begin with what the file says where that goes on from the last event, else with that event."""
        last = table.standing.clock
        if not last.minutes:
            return  # no clock, or a game whose clock was never in its record
        entry = self._all.get(self._game)
        if not _goes_on(entry, last):
            used = {seat: float(60 * last.minutes - left) for seat, left in last.left.items()}
            self._all[self._game] = {"minutes": last.minutes, "used": used, **_anchor(last)}
            self.file.lost = self.file.lost or Text("serving.clocks_from_record")
            self._save()
        if last.runs and table.outcome is None:
            try:
                self._note(table, TOGETHER, "stop", RESTART)
            except StoreError as error:
                log.warning("that the clock stands could not be recorded: %s", error)

    def set(self, minutes: int) -> None:
        """Give the running game a clock."""
        table = self._table
        if minutes <= 0 or table is None:
            return
        minutes = min(minutes, MOST_MINUTES)
        with table.guard, self._lock:
            table.set_clock(minutes)
            self._all[self._game] = {"minutes": minutes, "used": {}, **_anchor(table.standing.clock)}
            self._save()

    def moved(self, table: Table | None) -> None:
        """Something happened: from now on the time of those who are asked now runs."""
        with self._lock:
            if not self.minutes:
                return
            self._settle()
            self._running = frozenset() if self.paused or table is None else frozenset(asked(table))

    def pause(self, paused: bool, table: Table | None, *, by: str = TOGETHER, reason: str = "") -> None:
        """Stop the clock, or let it run, for seat ``by``.  Raises ``NotAllowed`` where it may not."""
        if table is None or not self.minutes or self.paused == paused:
            self.paused = paused
            return
        with table.guard, self._lock:
            self._note(table, by, "stop" if paused else "start", reason)
            self.paused = paused
            self.moved(table)
            self._save()

    def adjust(self, table: Table, seat: str, seconds: int, text: str) -> None:
        """The arbiter gives ``seat`` so many seconds more (negative: fewer), because of ``text``."""
        with table.guard, self._lock:
            if not self.minutes:
                table.note(ARBITER, text, kind="time", about=seat, value=seconds)
                return
            self._settle()
            left = self._not_more(table)
            left[seat] += seconds
            table.note(ARBITER, text, kind="time", about=seat, value=seconds, left=left)
            used = self._entry["used"]
            used[seat] = used.get(seat, 0.0) - seconds
            self._entry.update(_anchor(table.standing.clock))
            self._save()

    def set_left(self, table: Table, seat: str, seconds: int, text: str) -> None:
        """The arbiter sets the clock of ``seat`` to so many seconds left, because of ``text``.

        Raises ``NotPossible`` where the game has no clock.
        """
        with table.guard, self._lock:
            if not self.minutes:
                raise NotPossible(Text("hall.no_such_clock"))
            self._settle()
            self.adjust(table, seat, seconds - self._not_more(table)[seat], text)
            self.file.lost = None  # what was told of the file is dealt with

    @property
    def _entry(self) -> dict[str, Any]:
        return self._all[self._game]

    def _left(self, table: Table) -> dict[str, int]:
        """Whole seconds a seat, as settled last; what is begun is used up."""
        used = self._entry["used"]
        return {seat: math.floor(60 * self.minutes - used.get(seat, 0.0)) for seat in table.seats}

    def _not_more(self, table: Table) -> dict[str, int]:
        """What is left as the record takes it: its clock never shows more than at its last event."""
        recorded = table.standing.clock.left
        return {seat: min(now, recorded.get(seat, now)) for seat, now in self._left(table).items()}

    def _note(self, table: Table, by: str, does: Literal["start", "stop", "flag"], reason: str = "") -> None:
        """Write down what happens to the clock; raises, and nothing has changed, where that is refused."""
        self._settle()
        if not table.standing.clock.minutes:
            return  # a game of an earlier program, whose clock was never in its record
        table.note_clock(by, does, self._not_more(table), reason)
        self._entry.update(_anchor(table.standing.clock))

    def next_flag_s(self) -> float:
        """Seconds until the next seat's time is over; a long time where none runs."""
        with self._lock:
            if not self.runs:
                return 3600.0
            used, running = self._entry["used"], self.now() - self._since
            told = self._table.standing.clock.flagged if self._table is not None else ()
            rests = [60 * self.minutes - used.get(seat, 0.0) - running for seat in self._running - {*told}]
            return max(AGAIN_S if self._unwritten else 0.05, min(rests, default=3600.0) + 0.05)

    def tell_flags(self) -> None:
        """Write down whose time is over since the last look.  It ends nothing: that is for people to say."""
        table = self._table
        if table is None or not self.runs:
            return
        with table.guard, self._lock:
            if table is not self._table or not self.runs or not table.standing.clock.runs:
                return
            self._settle()
            left = self._left(table)
            for seat in sorted(self._running):
                if left[seat] <= 0 and seat not in table.standing.clock.flagged:
                    try:
                        self._note(table, seat, "flag")
                    except StoreError as error:
                        if not self._unwritten:  # a disk that is full stays so for a while
                            log.warning("that a time is over could not be recorded: %s", error)
                        self._unwritten = True
                        return
            self._unwritten = False
            self._save()

    def as_json(self, seats: Iterable[str]) -> dict[str, Any] | None:
        """Seconds left a seat (negative: over), who is running; None where this game has no clock."""
        with self._lock:
            if not self.minutes:
                return None
            used = self._entry["used"]
            running = self.now() - self._since  # looking at a clock changes nothing, least of all the disk
            left = {
                seat: round(self.minutes * 60 - used.get(seat, 0.0) - running * (seat in self._running), 1)
                for seat in seats
            }
            return {
                "minutes": self.minutes,
                "left": left,
                "running": sorted(self._running),
                "paused": self.paused,
            }

    def _settle(self) -> None:
        now = self.now()
        passed, self._since = now - self._since, now
        if not self._running or not self.minutes:
            return
        used = self._entry["used"]
        for seat in self._running:
            used[seat] = used.get(seat, 0.0) + passed

    @property
    def runs(self) -> bool:
        """Whether somebody's time runs now."""
        return bool(self._running and self.minutes)

    def keep(self) -> None:
        """Write down how the clock stands, where it runs or the file lacks something."""
        with self._lock:
            if self.runs or self.file.unwritten:
                self._settle()
                self._save()

    def _load(self) -> dict[str, dict[str, Any]]:
        text = self.file.read()
        if text is None:
            return {}
        try:
            return {str(game): _entry_of(one) for game, one in json.loads(text).items()}
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            # a clock that is lost costs nobody the game
            self.file.spoiled(error)
            return {}

    def _save(self) -> None:
        while len(self._all) > KEPT:
            del self._all[next(iter(self._all))]
        if self._all:
            self.file.write(json.dumps(self._all))


def _entry_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """A clock as the file has it.  Raises ``ValueError``, ``KeyError``, ``TypeError``, ``AttributeError``."""
    used = {str(seat): float(seconds) for seat, seconds in data["used"].items()}
    if not all(map(math.isfinite, used.values())):
        raise ValueError("a time that is no number")
    anchor = {"event": int(data.get("event", 0)), "hash": str(data.get("hash", ""))}
    return {"minutes": int(data["minutes"]), "used": used, **anchor}


def _anchor(last: ClockState) -> dict[str, Any]:
    """The event from which a kept rest goes on."""
    return {"event": last.number, "hash": last.hash}


def _goes_on(entry: Mapping[str, Any] | None, last: ClockState) -> bool:
    """Whether a kept rest goes on from the ``last`` event: time only passes, and only while it runs."""
    if entry is None or entry["minutes"] != last.minutes:
        return False
    if (entry["event"], entry["hash"]) != (last.number, last.hash):
        return False
    passed = [entry["used"].get(seat, 0.0) - (60 * last.minutes - left) for seat, left in last.left.items()]
    # events round to what is left in whole seconds
    return all(since >= -1.0 and (last.runs or since <= 0.0) for since in passed)


def asked(table: Table) -> list[str]:
    """The seats whose answer the table waits for."""
    request = table.request
    if request is None or halted(table) or table.hands_hold:
        return []
    sealed = sealed_seats(table)
    return [s for s in table.seats if own_part(request, s) is not None and s not in sealed]


class TurnWatch:
    """Notes at which event the present turn began, as far as this server has seen it."""

    BEFORE = 30
    """Events shown from before a server's start, where the turn had begun already."""

    def __init__(self) -> None:
        self._game = ""
        self._turn: Any = None
        self.began = 0

    def moved(self, table: Table | None) -> None:
        """Look at the turn that the game is in."""
        if table is None:
            return
        turn, game = table.view(None, "en").get("turn"), str(table.header["id"])
        if game != self._game:
            self.began = max(0, table.revision - self.BEFORE)
        elif turn != self._turn:
            self.began = max(0, table.revision - 1)
        self._game, self._turn = game, turn
