"""Who sits where: devices, seats, links and keys.

A device is known by a random cookie.  A link carries a random token in its
fragment (``/join#...``, which browsers never send in a request line), and is
traded once for the cookie by POST.  Only hashes are stored; every link and
every device can be revoked.

A link seats one device: scanned again by that one it leads to its seat, by another it is a wish.  Wishes for
a seat are asked one after another.

At home (``open_seats``) a free seat is taken by pressing its button; a held
seat asks its holder.  Where that device is away while a game runs, the other
seats and the arbiter are asked as well, and the seat is given after
``GRACE_SECONDS`` in which nobody refused; a link made by the holder, another
holder's yes, or the arbiter gives it at once.  At a tournament only links open a seat, and in a tournament
game only the holder or the arbiter gives away one that is held.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from referee.hall.base import Acting
from referee.serving.arbiters import ArbiterBook
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

MOST_WISHES = 8
"""Devices that may wait for one seat."""

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
    arbiter_id: str = ""
    """Which of the named arbiters; "" with the table's own key."""

    def language_as(self, who: str) -> str:
        """The language of this device's screens as ``who`` (a seat, ``watch``, ``arbiter`` or "")."""
        return self.languages.get(who) or self.language


@dataclass(slots=True)
class Handover:
    """Another device asks for a held seat; times are those of :attr:`SeatBook.ticks`.

    ``id`` names this very wish, so that an answer is to the device that asked when the question was put.
    ``until`` and ``free_at`` are 0 until the wish is first in the queue: from ``free_at`` on it is given
    where the holder's device is away; with a fresh link (``invited``) at once, which only the holder or
    the arbiter can have made.  ``heard``: when the device that asks was heard last.
    """

    id: str
    seat: str
    device: str
    heard: float
    invited: bool = False
    until: float = 0.0
    free_at: float = 0.0


@dataclass(slots=True)
class SeatLink:
    """A link for ``seat``; it seats one ``device``, the first that opens it ("": none yet)."""

    seat: str
    device: str = ""


class SeatBook:
    """All devices, seats and links of this table; kept in ``seats.json`` in ``folder`` (mode 0600).

    ``connected`` tells whether a device has a live stream, ``in_play`` whether a game
    runs: where none does, a seat whose holder is away is given at once; ``strict`` whether one that is
    held is given by its holder or the arbiter only.
    """

    def __init__(
        self,
        folder: Path,
        *,
        open_seats: bool = True,
        connected: Callable[[str], bool] = lambda device: False,
        in_play: Callable[[], bool] = lambda: True,
        strict: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.time,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self.file = SideFile(folder / "seats.json")
        self.arbiters = ArbiterBook(folder)
        self.open_seats = open_seats
        self.connected = connected
        self.in_play = in_play
        self.strict = strict
        self.clock = clock
        self.ticks = ticks
        """Seconds for wishes: a clock that is set while somebody waits must not give a seat away."""
        self.devices: dict[str, DeviceSession] = {}
        self.links: dict[str, SeatLink] = {}
        self.arbiter_key = ""
        self.handovers: dict[str, list[Handover]] = {}
        self._refused: dict[tuple[str, str], None] = {}
        self._lock = threading.RLock()
        self._load()

    # devices

    def device(self, cookie: str | None) -> DeviceSession | None:
        """The device with this cookie, if we know it."""
        if not cookie or len(cookie) > 100:
            return None
        session = self.devices.get(hashed(cookie))
        if session is not None and session.arbiter:
            self.may_judge(session)
        return session

    def may_judge(self, session: DeviceSession) -> bool:
        """Whether the device is an arbiter's; one who was revoked is none from now on."""
        if session.arbiter and session.arbiter_id and self.arbiters.find(session.arbiter_id) is None:
            with self._lock:
                session.arbiter, session.arbiter_id = False, ""
                self._save()
        return session.arbiter

    def acting(self, session: DeviceSession) -> Acting:
        """As whom the arbiter at ``session`` acts."""
        found = self.arbiters.find(session.arbiter_id) if session.arbiter_id else None
        return Acting() if found is None else Acting(found.name, found.head)

    def enter_by_link(self, session: DeviceSession, token: str) -> bool:
        """Trade an arbiter's link, once; False where it is not good."""
        found = self.arbiters.trade(token)
        if found is None:
            return False
        with self._lock:
            session.arbiter, session.arbiter_id = True, found.id
            self._save()
        return True

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

        ``invited``: with a fresh link, which only the holder or the arbiter can have made.
        """
        with self._lock:
            holder = self.holder(seat)
            if holder is None or holder is session or self._given_up(holder, invited):
                self._give(session, seat)
                return "taken"
            self._wish(session, seat, invited)
            return "asked"

    def join(self, session: DeviceSession, token: str) -> tuple[str, str] | None:
        """Open a link: its seat and what :meth:`take` says; None where it is not good.

        It seats one device.  Opened again by that one it leads to its seat; by another it is a wish like any.
        """
        with self._lock:
            link = self.links.get(hashed(token))
            if link is None:
                return None
            seat, holder = link.seat, self.holder(link.seat)
            own = link.device in ("", session.id)
            if holder is session or (own and (link.device == "" or holder is None)):
                first = link.device == ""
                link.device = session.id if own else link.device
                state = self.take(session, seat, invited=first)
                self._save()
                return seat, state
            if holder is None and not self.strict():
                return seat, self.take(session, seat)
            self._wish(session, seat, invited=False)
            return seat, "asked"

    def _wish(self, session: DeviceSession, seat: str, invited: bool) -> None:
        """Put the device's wish for ``seat`` into the queue, or note that it is heard."""
        queue = self._queue(seat)
        known = next((one for one in queue if one.device == session.id), None)
        if known is not None:
            known.heard = self.ticks()
        elif len(queue) < MOST_WISHES:
            queue.append(Handover(new_token()[:16], seat, session.id, self.ticks(), invited))
            self.handovers[seat] = queue
            self._queue(seat)  # where it is the first, its time runs from now
        self._refused.pop((seat, session.id), None)

    def _given_up(self, holder: DeviceSession, invited: bool) -> bool:
        return not self.connected(holder.id) and (invited or not (self.in_play() or self.strict()))

    def absent(self, seat: str) -> bool:
        """Whether ``seat`` is held by a device that is away."""
        holder = self.holder(seat)
        return holder is not None and not self.connected(holder.id)

    def asked_of(self, session: DeviceSession) -> str | None:
        """The seat of an open wish that ``session`` may decide: its own, or one whose device is away.

        In a tournament only the holder and the arbiter decide.
        """
        for seat in list(self.handovers):
            wish = self.handover(seat)
            if wish is None or wish.device == session.id:
                continue
            if self.strict():
                others = session.arbiter
            else:
                others = bool(session.seats or session.arbiter) and self.absent(seat)
            if seat in session.seats or others:
                return seat
        return None

    def _queue(self, seat: str) -> list[Handover]:
        """The wishes for ``seat`` in order; a device that fell silent wishes nothing any more."""
        now, queue = self.ticks(), self.handovers.get(seat, [])
        queue = [
            one
            for one in queue
            if one.heard + SILENT_SECONDS >= now and (one.until == 0.0 or one.until >= now)
        ]
        if queue and not queue[0].until:
            first = queue[0]
            first.until = now + HANDOVER_SECONDS
            first.free_at = now if first.invited else now + GRACE_SECONDS
        if queue:
            self.handovers[seat] = queue
        else:
            self.handovers.pop(seat, None)
        return queue

    def handover(self, seat: str) -> Handover | None:
        """The open wish of another device for ``seat``: the first of those that stand."""
        with self._lock:
            queue = self._queue(seat)
            return queue[0] if queue else None

    def decide(self, seat: str, yes: bool, wish: str | None = None) -> bool:
        """The answer to the open wish, which must be ``wish`` where one is named; False where it is gone."""
        with self._lock:
            open_wish = self.handover(seat)
            if open_wish is None or (wish is not None and wish != open_wish.id):
                return False
            self.handovers[seat].remove(open_wish)
            target = self.devices.get(open_wish.device)
            if not yes:
                self._refused[seat, open_wish.device] = None
                while len(self._refused) > DEVICES:
                    del self._refused[next(iter(self._refused))]
            elif target is not None:
                self._give(target, seat)
            return True

    def wish_state(self, session: DeviceSession, seat: str) -> str:
        """For the asking device, which is heard by it: ``taken``, ``asked``, ``refused`` or ``lapsed``.

        A seat whose device is away is given where the grace period is over and nobody refused; in a
        tournament it never is.
        """
        with self._lock:
            if seat in session.seats:
                return "taken"
            queue = self._queue(seat)
            wish = next((one for one in queue if one.device == session.id), None)
            if wish is None:
                return "refused" if (seat, session.id) in self._refused else "lapsed"
            wish.heard = self.ticks()
            if wish is not queue[0]:
                return "asked"
            if self._falls_to(wish, self.holder(seat)):
                self._give(session, seat)
                return "taken"
            return "asked"

    def _falls_to(self, wish: Handover, holder: DeviceSession | None) -> bool:
        """Whether the first wish is granted without a word."""
        over = self.ticks() >= wish.free_at
        if self.strict():
            return wish.invited and over and (holder is None or not self.connected(holder.id))
        over = over or not self.in_play()
        return holder is None or (over and not self.connected(holder.id))

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
            self.links = {key: link for key, link in self.links.items() if link.seat != seat}
            self.handovers.pop(seat, None)
            self._save()

    def _give(self, session: DeviceSession, seat: str) -> None:
        for other in self.devices.values():
            if seat in other.seats and other is not session:
                other.seats.remove(seat)
        if seat not in session.seats:
            session.seats.append(seat)
        queue = [one for one in self.handovers.pop(seat, []) if one.device != session.id]
        if queue:
            self.handovers[seat] = queue
        self._save()

    # links and keys

    def new_link(self, seat: str) -> str:
        """A fresh token for ``seat``; older links for it are void from now on."""
        token = new_token()
        with self._lock:
            self.links = {key: link for key, link in self.links.items() if link.seat != seat}
            self.links[hashed(token)] = SeatLink(seat)
            self._save()
        return token

    def seat_of_link(self, token: str) -> str | None:
        """The seat this token opens, if it is still good."""
        link = self.links.get(hashed(token))
        return None if link is None else link.seat

    def new_arbiter_key(self) -> str:
        """A fresh key for the arbiter's door, for the person who runs the table; the old one is void."""
        key = "-".join(new_token().replace("-", "a").replace("_", "b")[i : i + 5] for i in (0, 5, 10, 15))
        with self._lock:
            self.arbiter_key = hashed(key)
            for session in self.devices.values():
                session.arbiter = session.arbiter and bool(session.arbiter_id)
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
            session.arbiter, session.arbiter_id = True, ""
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
            links = {str(key): _link_of(link) for key, link in data["links"].items()}
            key = str(data["arbiter_key"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            # A damaged seat file costs one round of joining again; the game is not in here.
            self.file.spoiled(error)
            return
        self.devices = {session.id: session for session in devices}
        self.links, self.arbiter_key = links, key

    def _save(self) -> None:
        kept = [asdict(d) for d in self.devices.values() if d.seats or d.arbiter]
        links = {key: asdict(link) for key, link in self.links.items()}
        self.file.write(json.dumps({"devices": kept, "links": links, "arbiter_key": self.arbiter_key}))


def _link_of(data: Any) -> SeatLink:
    """A link as the file has it; earlier programs kept its seat alone."""
    if isinstance(data, str):
        return SeatLink(data)
    return SeatLink(str(data["seat"]), str(data["device"]))
