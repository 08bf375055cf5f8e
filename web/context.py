"""What every area of the app shares: the hall, the seat book, the hub, and who is asking."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import g, request

from referee.hall.table import Table
from referee.kernel.errors import RefereeError
from referee.kernel.messages import Text
from web.clock import Clock, TurnWatch
from web.host import TableHost
from web.hub import Hub
from web.seats import DeviceSession, SeatBook
from web.security import COOKIE, RateLimit, cookie_of, csrf_of
from web.snapshot import Snapshots
from web.words import UI, language_of

MOST_VALUES = 400
"""Steps of one draft; far more than any decision takes, resolving a card by hand included."""


KEEP_SECONDS = 5.0
"""How often a running clock is written down: a power cut gives nobody more than this back."""

LOOK_SECONDS = 0.5
"""How often a wish for a seat is looked at, to see whether the device that asked is still there."""


class RequestRefused(RefereeError):
    """A request of a screen that is not granted; ``status`` is the HTTP status."""

    def __init__(self, code: str, status: int = 400, **params: Any) -> None:
        super().__init__(UI.say(f"error.{code}", **params))
        self.code = code
        self.status = status


class Web:
    """The room's shared parts."""

    def __init__(self, hall: TableHost, *, open_seats: bool = True) -> None:
        self.hall = hall
        self.cookie = cookie_of(hall.folder)
        self.seats = SeatBook(hall.folder, open_seats=open_seats)
        self.snapshots = Snapshots(hall, self.seats)
        self.hub = Hub(self.snapshots.build)
        self.snapshots.hub = self.hub
        self.seats.connected = self.hub.is_connected
        self.seats.in_play = lambda: hall.table is not None and hall.table.outcome is None
        self.seats.strict = lambda: (
            not open_seats or (hall.table is not None and bool(hall.table.header["tournament"]))
        )
        self.posts = RateLimit(per_second=15, burst=60)
        self.doors = RateLimit(per_second=0.2, burst=10)
        self.pages = RateLimit(per_second=30, burst=200)
        self.clock = self.snapshots.clock = Clock(hall.folder)
        self.turns = TurnWatch()
        self._table: Table | None = None
        self._leave_table: Any = None
        self._watched: set[str] = set()
        self._watching = threading.Lock()
        self._listening = False
        self._keeping = False
        self._keep_guard = threading.Lock()
        self._files = (self.seats.file, self.clock.file)
        for file in self._files:
            file.failed = self.keep_files
        hall.dice.subscribe(self.hub.changed)
        hall.subscribe(self.follow)
        self.follow()

    def follow(self) -> None:
        """Listen to the table that the hall runs now."""
        table = self.hall.table
        if table is not self._table:
            if self._leave_table is not None:
                self._leave_table()
            self._table = table
            self.snapshots.pictures.clear()
            self.clock.follow(table)
            self._leave_table = table.subscribe(lambda event: self.moved()) if table else None
            self.turns.moved(table)
            self.listen_for_silence()
        self.hub.changed()

    def moved(self) -> None:
        """The table has a new event."""
        self.listen_for_silence()
        self.clock.moved(self._table)
        self.turns.moved(self._table)
        self.keep_files()
        self.hub.changed()

    def keep_files(self) -> None:
        """While a clock runs or a side file could not be written, write every few seconds what is lacking."""
        with self._keep_guard:
            if self._keeping or not self._to_keep():
                return
            self._keeping = True
        threading.Thread(target=self._keep, name="side files", daemon=True).start()

    def _to_keep(self) -> bool:
        return self.clock.runs or any(file.unwritten for file in self._files)

    def _keep(self) -> None:
        told: list[Text | None] = []
        while True:
            now = [file.unwritten for file in self._files]
            if now != told:
                told = now
                self.hub.changed()
            with self._keep_guard:
                if self.hub.closed or not self._to_keep():
                    self._keeping = False
                    return
            self.hub.wait_for_end(min(KEEP_SECONDS, self.clock.next_flag_s()))
            self.seats.keep()
            self.clock.keep()
            with self.hub.lock:
                self.clock.tell_flags()

    def close(self) -> None:
        """The last word of streams and side files."""
        self.clock.keep()
        self.hub.close()

    def watch_wish(self, seat: str) -> None:
        """Tell all screens once the open wish for ``seat`` is gone: the device that asked may just leave."""
        with self._watching:
            if seat in self._watched:
                return
            self._watched.add(seat)
        threading.Thread(target=self._watch, args=(seat,), name=f"wish for {seat}", daemon=True).start()

    def _watch(self, seat: str) -> None:
        while not self.hub.closed:
            with self._watching:
                if self.seats.handover(seat) is None:
                    self._watched.discard(seat)
                    break
            time.sleep(LOOK_SECONDS)
        self.hub.changed()

    def listen_for_silence(self) -> None:
        """While consent is awaited, count how long absent tablets have been silent."""
        table = self.hall.table
        if table is None or not table.awaits_consent:
            return
        with self._watching:
            if self._listening:
                return
            self._listening = True
        threading.Thread(target=self._listen, name="silence", daemon=True).start()

    def _listen(self) -> None:
        while not self.hub.closed:
            with self.hub.lock:
                table = self.hall.table
                if table is None or not table.awaits_consent:
                    break
                table.hear([seat for seat in table.seats if not self.is_there(seat)], time.monotonic())
            time.sleep(LOOK_SECONDS)
        with self._watching:
            self._listening = False
        if not self.hub.closed:
            self.listen_for_silence()  # what was asked since the last look

    def is_there(self, seat: str) -> bool:
        """Whether the device that holds ``seat`` is connected."""
        holder = self.seats.holder(seat)
        return holder is not None and self.hub.is_connected(holder.id)

    # who is asking

    def session(self) -> DeviceSession | None:
        """The device that asks, if we know it."""
        return self.seats.device(self.cookie_value())

    def cookie_value(self) -> str:
        """The secret of the device that asks, or "": from this table's cookie, else from the one that all
        tables shared before each had its own."""
        return request.cookies.get(self.cookie) or request.cookies.get(COOKIE) or ""

    def page_session(self) -> DeviceSession:
        """The device that asks for a page; a new one gets its cookie with the answer."""
        session = self.session()
        if session is None:
            g.new_cookie, session = self.seats.new_device(language_of(None, request.accept_languages))
            g.cookie = g.new_cookie
        else:
            g.cookie = self.cookie_value()
            if self.cookie not in request.cookies:
                g.new_cookie = g.cookie
        g.session = session
        return session

    def csrf(self) -> str:
        """The CSRF token of the device that asks (after :meth:`page_session`)."""
        return csrf_of(g.cookie)

    def known_session(self) -> DeviceSession:
        """The device that asks.  Raises :class:`RequestRefused` where we do not know it."""
        session = self.session()
        if session is None:
            raise RequestRefused("no_device", 403)
        return session

    def seat_session(self, seat: str) -> DeviceSession:
        """The device that asks, which must hold ``seat``."""
        session = self.known_session()
        if seat not in session.seats:
            raise RequestRefused("not_your_seat", 403)
        return session

    def arbiter_session(self) -> DeviceSession:
        """The device that asks, which must have come through the arbiter's door."""
        session = self.known_session()
        if not session.arbiter:
            raise RequestRefused("not_arbiter", 403)
        return session

    @contextmanager
    def desk(self) -> Iterator[Table]:
        """The running table, held for the arbiter who asks: what is done within says whose it is."""
        session = self.arbiter_session()
        with self.hub.lock:
            table = self.table()
            with table.acting(self.seats.acting(session)):
                yield table

    def language(self) -> str:
        """The language of the screen that asks."""
        session = g.get("session") or self.session()
        wanted = session.language_as(self.looks_as()) if session is not None else None
        return language_of(wanted, request.accept_languages)

    @staticmethod
    def looks_as() -> str:
        """As whom the screen looks, from its address: a seat, ``watch``, ``arbiter`` or ""."""
        found = request.view_args or {}
        who = str(found.get("seat") or found.get("who") or "").removeprefix("seat:")
        if who:
            return who
        first = request.path.removeprefix("/api/").strip("/").split("/")[0]
        return first if first in ("watch", "arbiter") else ""

    def table(self) -> Table:
        """The running table.  Raises :class:`RequestRefused` where there is none."""
        table = self.hall.table
        if table is None:
            raise RequestRefused("no_game", 409)
        return table

    def known_seat(self, seat: Any) -> str:
        """``seat`` if the running game has it."""
        if not isinstance(seat, str) or seat not in self.table().seats:
            raise RequestRefused("no_seat", 404)
        return seat


def body() -> dict[str, Any]:
    """The JSON object that was sent.  Raises :class:`RequestRefused` where it is none."""
    try:
        data = request.get_json(silent=True)
    except RecursionError as error:  # brackets in brackets without end
        raise RequestRefused("bad_body", 400) from error
    if not isinstance(data, dict):
        raise RequestRefused("bad_body", 400)
    return data


def require_text(data: dict[str, Any], key: str, longest: int = 200) -> str:
    """A text field, without control characters."""
    value = data.get(key, "")
    if not isinstance(value, str) or len(value) > longest:
        raise RequestRefused("bad_body", 400)
    return "".join(c for c in value if c.isprintable()).strip()


def a_document(data: dict[str, Any], key: str, longest: int) -> str:
    """A text of several lines as it was sent."""
    value = data.get(key, "")
    if not isinstance(value, str) or len(value) > longest:
        raise RequestRefused("bad_body", 400)
    return value


def require_int(data: dict[str, Any], key: str) -> int:
    """A whole number."""
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise RequestRefused("bad_body", 400)
    return value


def require_values(data: dict[str, Any]) -> list[Any]:
    """The values of a draft: at most 400 strings or flat objects."""
    values = data.get("values", [])
    if not isinstance(values, list) or len(values) > MOST_VALUES:
        raise RequestRefused("bad_body", 400)
    for value in values:
        if not isinstance(value, str | dict) or len(str(value)) > 2000:
            raise RequestRefused("bad_body", 400)
    return values
