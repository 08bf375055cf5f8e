"""Who sits where: devices, seats, links and keys.

A device is known by a random cookie.  A link carries a random token in its
fragment (``/join#...``, which browsers never send in a request line), and is
traded once for the cookie by POST.  Only hashes are stored; every link and
every device can be revoked.

At home (``open_seats``) a free seat is taken by pressing its button; a held
seat asks its holder.  Where that device is away while a game runs, the other
seats and the arbiter are asked as well, and the seat is given after
``GRACE_SECONDS`` in which nobody refused; a link made by the holder, another
holder's yes, or the arbiter gives it at once.  At a tournament only links open a seat.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from web.security import hashed, new_token, same
from web.sidefile import SideFile

ARBITER = "arbiter"
HANDOVER_SECONDS = 90.0
"""How long a wish for a seat stands."""

SILENT_SECONDS = 4.0
"""A device that asks for a seat says so each second; after so long without a word it has left, and so has its
wish: with the look that notices it (``Web.watch_wish``) within the 5 s in which a lost line shows."""

GRACE_SECONDS = 60.0
"""How long a seat whose device is away is kept for it once somebody else asks: a tablet may only sleep."""

NAME_LENGTH = 40
DEVICES = 500


@dataclass(slots=True)
class DeviceSession:
    """One browser: what it holds and how it likes its screens.  ``id`` is the hash of its cookie."""

    id: str
    seats: list[str] = field(default_factory=list)
    arbiter: bool = False
    language: str = ""
    languages: dict[str, str] = field(default_factory=dict)
    seen: float = 0.0

    def language_as(self, who: str) -> str:
        """The language of this device's screens as ``who`` (a seat, ``watch``, ``arbiter`` or "")."""
        return self.languages.get(who) or self.language


@dataclass(slots=True)
class Handover:
    """Another device asks for a held seat; times are those of :attr:`SeatBook.ticks`.

    ``free_at``: from then on it is given where the holder's device is away; with a
    link at once, which only the holder or the arbiter can have made.  ``heard``: when
    the device that asks was heard last.
    """

    seat: str
    device: str
    until: float
    free_at: float
    heard: float


class SeatBook:
    """All devices, seats and links of this table; kept in ``seats.json`` in ``folder`` (mode 0600).

    ``connected`` tells whether a device has a live stream, ``in_play`` whether a game
    runs: where none does, a seat whose holder is away is given at once.
    """

    def __init__(
        self,
        folder: Path,
        *,
        open_seats: bool = True,
        connected: Callable[[str], bool] = lambda device: False,
        in_play: Callable[[], bool] = lambda: True,
        clock: Callable[[], float] = time.time,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self.file = SideFile(folder / "seats.json")
        self.open_seats = open_seats
        self.connected = connected
        self.in_play = in_play
        self.clock = clock
        self.ticks = ticks
        """Seconds for wishes: a clock that is set while somebody waits must not give a seat away."""
        self.devices: dict[str, DeviceSession] = {}
        self.links: dict[str, str] = {}
        self.arbiter_key = ""
        self.handovers: dict[str, Handover] = {}
        self._refused: dict[str, str] = {}
        self._lock = threading.RLock()
        self._load()

    # devices

    def device(self, cookie: str | None) -> DeviceSession | None:
        """The device with this cookie, if we know it."""
        if not cookie or len(cookie) > 100:
            return None
        return self.devices.get(hashed(cookie))

    def new_device(self, language: str) -> tuple[str, DeviceSession]:
        """A new device and the secret for its cookie.  It is written down only once it holds something."""
        token = new_token()
        session = DeviceSession(hashed(token), language=language, seen=self.clock())
        with self._lock:
            self.devices[session.id] = session
            self._forget_idle()
        return token, session

    def _forget_idle(self) -> None:
        idle = [d for d in self.devices.values() if not d.seats and not d.arbiter]
        for session in sorted(idle, key=lambda d: d.seen)[: max(0, len(idle) - DEVICES)]:
            del self.devices[session.id]

    def set_language(self, session: DeviceSession, who: str, language: str) -> None:
        """The language of this device's screens as ``who``; also of those it opens next."""
        with self._lock:
            if who:
                session.languages[who] = language
            session.language = language
            self._save()

    def holder(self, seat: str) -> DeviceSession | None:
        """The device that holds ``seat``."""
        return next((d for d in self.devices.values() if seat in d.seats), None)

    # taking and leaving seats

    def take(self, session: DeviceSession, seat: str, *, invited: bool = False) -> str:
        """Take ``seat``: ``"taken"``, or ``"asked"`` where somebody is asked first.

        ``invited``: with a link, which only the holder or the arbiter can have made.
        """
        with self._lock:
            holder = self.holder(seat)
            if holder is None or holder is session or self._given_up(holder, invited):
                self._give(session, seat)
                return "taken"
            known = self.handover(seat)
            if known is None or known.device != session.id:
                now = self.ticks()
                free_at = now if invited else now + GRACE_SECONDS
                self.handovers[seat] = Handover(seat, session.id, now + HANDOVER_SECONDS, free_at, now)
                self._refused.pop(seat, None)
            else:
                known.heard = self.ticks()
            return "asked"

    def _given_up(self, holder: DeviceSession, invited: bool) -> bool:
        return not self.connected(holder.id) and (invited or not self.in_play())

    def absent(self, seat: str) -> bool:
        """Whether ``seat`` is held by a device that is away."""
        holder = self.holder(seat)
        return holder is not None and not self.connected(holder.id)

    def asked_of(self, session: DeviceSession) -> str | None:
        """The seat of an open wish that ``session`` may decide: its own, or one whose device is away."""
        for seat in list(self.handovers):
            wish = self.handover(seat)
            if wish is None or wish.device == session.id:
                continue
            if seat in session.seats or ((session.seats or session.arbiter) and self.absent(seat)):
                return seat
        return None

    def handover(self, seat: str) -> Handover | None:
        """The open wish of another device for ``seat``; a device that fell silent wishes nothing any more."""
        with self._lock:
            wish = self.handovers.get(seat)
            if wish is None:
                return None
            now = self.ticks()
            if wish.until < now or wish.heard + SILENT_SECONDS < now:
                del self.handovers[seat]
                return None
            return wish

    def decide(self, seat: str, yes: bool) -> bool:
        """The holder's answer to the open wish; False where there is none any more."""
        with self._lock:
            wish = self.handover(seat)
            if wish is None:
                return False
            del self.handovers[seat]
            target = self.devices.get(wish.device)
            if not yes:
                self._refused[seat] = wish.device
            elif target is not None:
                self._give(target, seat)
            return True

    def wish_state(self, session: DeviceSession, seat: str) -> str:
        """For the asking device, which is heard by it: ``taken``, ``asked``, ``refused`` or ``lapsed``.

        A seat whose device is away is given where the grace period is over and nobody refused.
        """
        with self._lock:
            if seat in session.seats:
                return "taken"
            wish = self.handover(seat)
            holder = self.holder(seat)
            if wish is None or wish.device != session.id:
                return "refused" if self._refused.get(seat) == session.id else "lapsed"
            wish.heard = self.ticks()
            over = not self.in_play() or self.ticks() >= wish.free_at
            if holder is None or (over and not self.connected(holder.id)):
                self._give(session, seat)
                return "taken"
            return "asked"

    def leave(self, session: DeviceSession, seat: str) -> None:
        """Give up ``seat``."""
        with self._lock:
            if seat in session.seats:
                session.seats.remove(seat)
                self._save()

    def revoke(self, seat: str) -> None:
        """Throw out whoever holds ``seat`` and make all its links void."""
        with self._lock:
            for session in self.devices.values():
                if seat in session.seats:
                    session.seats.remove(seat)
            self.links = {key: value for key, value in self.links.items() if value != seat}
            self.handovers.pop(seat, None)
            self._save()

    def _give(self, session: DeviceSession, seat: str) -> None:
        for other in self.devices.values():
            if seat in other.seats and other is not session:
                other.seats.remove(seat)
        if seat not in session.seats:
            session.seats.append(seat)
        self.handovers.pop(seat, None)
        self._save()

    # links and keys

    def new_link(self, seat: str) -> str:
        """A fresh token for ``seat``; older links for it are void from now on."""
        token = new_token()
        with self._lock:
            self.links = {key: value for key, value in self.links.items() if value != seat}
            self.links[hashed(token)] = seat
            self._save()
        return token

    def seat_of_link(self, token: str) -> str | None:
        """The seat this token opens, if it is still good."""
        return self.links.get(hashed(token))

    def new_arbiter_key(self) -> str:
        """A fresh key for the arbiter's door, for the person who runs the table; the old one is void."""
        key = "-".join(new_token().replace("-", "a").replace("_", "b")[i : i + 5] for i in (0, 5, 10, 15))
        with self._lock:
            self.arbiter_key = hashed(key)
            for session in self.devices.values():
                session.arbiter = False
            self._save()
        return key

    def is_arbiters(self, key: str) -> bool:
        """Whether ``key`` opens the arbiter's door."""
        return bool(self.arbiter_key) and same(hashed(key), self.arbiter_key)

    def enter_as_arbiter(self, session: DeviceSession, key: str) -> bool:
        """Open the arbiter's door; False for a wrong key."""
        with self._lock:
            if not self.is_arbiters(key):
                return False
            session.arbiter = True
            self._save()
            return True

    # keeping

    def keep(self) -> None:
        """Try once more to write down what the file lacks."""
        with self._lock:
            if self.file.unwritten:
                self._save()

    def _load(self) -> None:
        text = self.file.read()
        if text is None:
            return
        try:
            data: dict[str, Any] = json.loads(text)
            devices = [DeviceSession(**raw) for raw in data["devices"]]
            links = dict(data["links"])
            key = str(data["arbiter_key"])
        except (ValueError, KeyError, TypeError) as error:
            # A damaged seat file costs one round of joining again; the game is not in here.
            self.file.spoiled(error)
            return
        self.devices = {session.id: session for session in devices}
        self.links, self.arbiter_key = links, key

    def _save(self) -> None:
        kept = [asdict(d) for d in self.devices.values() if d.seats or d.arbiter]
        self.file.write(json.dumps({"devices": kept, "links": self.links, "arbiter_key": self.arbiter_key}))
