"""The optional chess clock: how long each seat has been asked.  It only tells; it never ends a game.

Time is charged to the seats that the open request asks, by this server's own
monotonic clock, while the clock runs.  It stands still in an objection, after the
end, while paused, and after each start of the server until somebody lets it run.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from referee.hall.table import Table
from web.asks import own_part
from web.sidefile import SideFile
from web.snapshot import halted, sealed_seats

MOST_MINUTES = 600
KEPT = 50
"""Games whose clocks are remembered."""


class Clock:
    """The clock of the running game; kept in ``clocks.json`` in ``folder``.  Thread-safe."""

    def __init__(self, folder: Path, now: Callable[[], float] = time.monotonic) -> None:
        self.file = SideFile(folder / "clocks.json")
        self.now = now
        self._lock = threading.RLock()
        self._all: dict[str, dict[str, Any]] = self._load()
        self._game = ""
        self._running: frozenset[str] = frozenset()
        self._since = 0.0
        self.paused = True

    @property
    def minutes(self) -> int:
        """Minutes a seat; 0 where this game has no clock."""
        return int(self._all.get(self._game, {}).get("minutes", 0))

    def follow(self, table: Table | None) -> None:
        """Another game, or none: its clock stands until somebody lets it run."""
        with self._lock:
            self.keep()
            self._game = str(table.header["id"]) if table is not None else ""
            self.paused = True
            self._running = frozenset()

    def set(self, minutes: int) -> None:
        """Give the running game a clock."""
        with self._lock:
            if minutes > 0 and self._game:
                self._all[self._game] = {"minutes": min(minutes, MOST_MINUTES), "used": {}}
                self._save()

    def moved(self, table: Table | None) -> None:
        """Something happened: from now on the time of those who are asked now runs."""
        with self._lock:
            if not self.minutes:
                return
            self._settle()
            self._running = frozenset() if self.paused or table is None else frozenset(asked(table))

    def pause(self, paused: bool, table: Table | None) -> None:
        """Stop the clock, or let it run."""
        with self._lock:
            self.paused = paused
            self.moved(table)
            self._save()

    def adjust(self, seat: str, seconds: int) -> None:
        """Give ``seat`` so many seconds more (negative: fewer); nothing where this game has no clock."""
        with self._lock:
            if not self.minutes:
                return
            self._settle()
            used = self._all[self._game]["used"]
            used[seat] = used.get(seat, 0.0) - seconds
            self._save()

    def as_json(self, seats: Iterable[str]) -> dict[str, Any] | None:
        """Seconds left a seat (negative: over), who is running; None where this game has no clock."""
        with self._lock:
            if not self.minutes:
                return None
            used = self._all[self._game]["used"]
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
        used = self._all[self._game]["used"]
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
            return {
                str(game): {
                    "minutes": int(one["minutes"]),
                    "used": {str(seat): float(seconds) for seat, seconds in one["used"].items()},
                }
                for game, one in json.loads(text).items()
            }
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            # a clock that is lost costs nobody the game
            self.file.spoiled(error)
            return {}

    def _save(self) -> None:
        while len(self._all) > KEPT:
            del self._all[next(iter(self._all))]
        if self._all:
            self.file.write(json.dumps(self._all))


def asked(table: Table) -> list[str]:
    """The seats whose answer the table waits for."""
    request = table.request
    if request is None or halted(table):
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
