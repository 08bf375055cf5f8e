"""The one place where screens learn that something changed: numbers, streams, presence.

Each change has a number.  A stream sends the newest snapshot of its audience
whenever the number moved, and a beat every two seconds, so a lost connection
is noticed within five.  Snapshots are whole, therefore a screen that slept
needs the newest one only; ``Last-Event-ID`` spares it even that where nothing
happened.

Streams are sent from the event loop of the server (``web/sending.py``), hundreds of
them at the price of a few kilobytes each.  What they send is built once an
audience and change by a thread of its own, as building waits for the table.
"""

from __future__ import annotations

import json
import logging
import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

STREAMS = 448
"""Screens that can be open at once."""
RESERVED = 48
"""Of these kept for seats and the arbiter, so that a crowd of spectators never locks a player out: five
seats and the arbiter, each with as many tabs as a device may have."""
A_DEVICE = 8
"""Streams of one device: forgotten tabs."""

STREAM = "table_referee.stream"
"""Key of the WSGI environment for a list, in which a route leaves the :class:`Stream` that is its answer."""

log = logging.getLogger(__name__)

Audience = tuple[str, str]
"""Who looks (``seat:<id>``, ``watch`` or ``arbiter``) and the language."""


class Built(NamedTuple):
    """One snapshot: the change it shows, its event id, its JSON, and the whole event as bytes."""

    number: int
    id: str
    text: str
    event: bytes


class Bell(Protocol):
    """Where streams are sent from."""

    def ring(self, streams: Sequence[Stream]) -> None:
        """There is something new for these; from any thread, returns at once."""


class Stream:
    """Server-sent events for one screen: :meth:`next` is asked for them, :meth:`close` from anywhere.

    Whoever has one closes it, whether its events were ever asked for or not: until then it counts as a
    screen that is open.
    """

    def __init__(
        self, hub: Hub, audience: Audience, device: str, last_id: str | None, may_look: Callable[[], bool]
    ) -> None:
        self.hub = hub
        self.audience = audience
        self.device = device
        self._sent = last_id
        self.since = hub.number
        """The change that its first snapshot shows at least: the one that its coming made, too."""
        self.bell: Bell | None = None
        """Told when there is something to send."""
        self._may_look = may_look
        self._closed = False
        self.over = False
        """Whether :meth:`next` has given the last: the table ends, or the device may no longer look."""

    def next(self, beat: bool) -> bytes:
        """What is to be sent now: the newest snapshot where it was not sent yet, else a beat if one is due,
        else nothing."""
        if self.over or self.hub.closed:
            self.over = True
            return b""
        if not self._may_look():
            self.over = True
            return b"event: gone\ndata: -\n\n"
        newest = self.hub.built(self.audience)
        if newest is None or newest.number < self.since:
            return b""  # it is being built
        if newest.id != self._sent:
            self._sent = newest.id
            return newest.event
        return f"event: beat\ndata: {self._sent}\n\n".encode() if beat else b""

    def close(self) -> None:
        """The screen is gone.  May be called twice."""
        if not self._closed:
            self._closed = True
            self.hub.leave(self)


def _ring(streams: Iterable[Stream]) -> None:
    """There is something to look at."""
    by_bell: dict[Bell, list[Stream]] = {}
    for stream in streams:
        if stream.bell is not None:
            by_bell.setdefault(stream.bell, []).append(stream)
    for bell, ready in by_bell.items():
        bell.ring(ready)


class Hub:
    """Numbers changes and feeds the streams.  ``build`` makes the snapshot of an audience.

    ``lock`` guards the table: whoever reads or moves it holds it.
    """

    def __init__(self, build: Callable[[Audience], dict[str, Any]]) -> None:
        self.build = build
        self.boot = secrets.token_hex(4)
        self.number = 1
        self.lock = threading.RLock()
        self.moved = threading.Condition()
        self.closed = False
        self._cache: dict[Audience, Built] = {}
        self._streams: dict[Audience, list[Stream]] = defaultdict(list)
        self._seen: dict[str, float] = {}
        self._builder: threading.Thread | None = None
        self._wanted = False
        self._told = 0

    def changed(self) -> None:
        """Something on screens is another now; call it after the change."""
        with self.moved:
            self.number += 1
            self.moved.notify_all()

    def close(self) -> None:
        """End all streams."""
        with self.moved:
            self.closed = True
            self.moved.notify_all()
        _ring(self.streams())

    def wait_for_end(self, seconds: float) -> None:
        """Until the streams end, at most so long."""
        with self.moved:
            self.moved.wait_for(lambda: self.closed, seconds)

    # snapshots

    def snapshot(self, audience: Audience) -> tuple[str, str]:
        """The newest snapshot as ``(event id, JSON text)``, computed once an audience and change."""
        newest = self._newest(audience)
        return newest.id, newest.text

    def built(self, audience: Audience) -> Built | None:
        """The last snapshot that was built.  Never waits."""
        return self._cache.get(audience)

    def _newest(self, audience: Audience) -> Built:
        with self.lock:
            number = self.number
            kept = self._cache.get(audience)
            if kept is None or kept.number != number:
                data = self.build(audience)
                data["number"] = number
                data["boot"] = self.boot
                text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
                # a device may name a file whose name is no UTF-8
                sent = text.encode("utf-8", "backslashreplace")
                newest = f"{self.boot}-{number}"
                event = b"id: %s\nevent: state\ndata: %s\n\n" % (newest.encode(), sent)
                kept = self._cache[audience] = Built(number, newest, sent.decode(), event)
            return kept

    def _run(self) -> None:
        """Build what open screens lack, seats first, and ring; the thread ends with the last screen."""
        while True:
            with self.moved:
                self.moved.wait_for(lambda: self.closed or self._wanted or self.number != self._told)
                if self.closed or not self._streams:
                    self._builder = None
                    return
                self._wanted, self._told = False, self.number
                audiences = sorted(self._streams, key=lambda one: (one[0] == "watch", one))
            for audience in audiences:
                self._tell(audience)

    def _tell(self, audience: Audience) -> None:
        try:
            self._newest(audience)
        except Exception:  # the top of a thread: one audience that cannot be built stops no other screen
            log.exception("no snapshot for %s", audience)
            return
        with self.moved:
            streams = list(self._streams.get(audience, ()))
        _ring(streams)

    # streams

    def open(
        self,
        audience: Audience,
        device: str,
        last_id: str | None,
        may_look: Callable[[], bool] = lambda: True,
    ) -> Stream | None:
        """A stream for one screen; None where there is no room for one more."""
        stream = Stream(self, audience, device, last_id, may_look)
        with self.moved:
            if not self._has_room(device, audience[0]):
                return None
            first = not any(self._looks(one, device, audience[0]) for one in self._all())
            self._streams[audience].append(stream)
            self._wanted = True
            if self._builder is None and not self.closed:
                self._builder = threading.Thread(target=self._run, name="screens", daemon=True)
                self._builder.start()
            self.moved.notify_all()
        if first:
            self.changed()
        stream.since = self.number
        return stream

    def leave(self, stream: Stream) -> None:
        """``stream`` is over (:meth:`Stream.close`)."""
        device, who = stream.device, stream.audience[0]
        with self.moved:
            left = self._streams[stream.audience]
            left.remove(stream)
            if not left:
                del self._streams[stream.audience]
            last = not any(self._looks(one, device, who) for one in self._all())
            if last:
                self._seen[device] = time.time()
        if last:
            self.changed()

    def _all(self) -> list[Stream]:
        return [stream for streams in self._streams.values() for stream in streams]

    def streams(self) -> list[Stream]:
        """The screens that are open."""
        with self.moved:
            return self._all()

    @staticmethod
    def _looks(stream: Stream, device: str, who: str) -> bool:
        return stream.device == device and stream.audience[0] == who

    def _has_room(self, device: str, who: str) -> bool:
        opened = self._all()
        own = sum(1 for stream in opened if stream.device == device)
        return own < A_DEVICE and len(opened) < (STREAMS - RESERVED if who == "watch" else STREAMS)

    # presence

    def is_connected(self, device: str) -> bool:
        """Whether this device has a live stream."""
        return any(stream.device == device for stream in self.streams())

    def connected(self, who: str) -> int:
        """How many devices look as ``who`` now."""
        return len({stream.device for stream in self.streams() if stream.audience[0] == who})

    def last_seen(self, device: str) -> float | None:
        """When this device went away, seconds since the epoch."""
        return self._seen.get(device)
