"""The one place where screens learn that something changed: numbers, streams, presence.

Each change has a number.  A stream sends the newest snapshot of its audience
whenever the number moved, and a beat every two seconds, so a lost connection
is noticed within five.  Snapshots are whole, therefore a screen that slept
needs the newest one only; ``Last-Event-ID`` spares it even that where nothing
happened.
"""

from __future__ import annotations

import json
import logging
import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

BEAT_SECONDS = 2.0

STREAMS = 100
"""Screens that can be open at once.  Each holds a thread of the server while it is open."""
RESERVED = 16
"""Of these kept for seats and the arbiter, so that a crowd of spectators never locks a player out."""
A_DEVICE = 8
"""Streams of one device: forgotten tabs."""
SERVER = {
    # one a stream, and some that answer taps
    "threads": STREAMS + 28,
    # a browser holds up to six connections
    "connection_limit": 6 * STREAMS,
    "asyncore_use_poll": True,
    # waitress keeps what a connection has sent until so many bytes; a stream never ends, so that is memory
    "outbuf_high_watermark": 256 * 1024,
    # WebKit sends each POST over a connection of its own and leaves it open; streams are never idle
    "channel_timeout": 30,
    "cleanup_interval": 10,
    "max_request_body_size": 1024 * 1024,
    "ident": "",
}
"""What ``waitress.server.create_server`` needs to be told to serve these streams."""

log = logging.getLogger(__name__)

Audience = tuple[str, str]
"""Who looks (``seat:<id>``, ``watch`` or ``arbiter``) and the language."""


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
        self._cache: dict[Audience, tuple[str, str, bytes]] = {}
        self._present: dict[tuple[str, str], int] = defaultdict(int)
        self._seen: dict[str, float] = {}

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

    def wait_for_end(self, seconds: float) -> None:
        """Until the streams end, at most so long."""
        with self.moved:
            self.moved.wait_for(lambda: self.closed, seconds)

    def snapshot(self, audience: Audience) -> tuple[str, str]:
        """The newest snapshot as ``(event id, JSON text)``, computed once an audience and change."""
        newest, text, _ = self._newest(audience)
        return newest, text

    def _newest(self, audience: Audience) -> tuple[str, str, bytes]:
        """Event id, JSON text, and the event as bytes."""
        with self.lock:
            number = self.number
            newest = f"{self.boot}-{number}"
            kept = self._cache.get(audience)
            if kept is None or kept[0] != newest:
                data = self.build(audience)
                data["number"] = number
                data["boot"] = self.boot
                text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
                event = f"id: {newest}\nevent: state\ndata: {text}\n\n".encode()
                kept = self._cache[audience] = (newest, text, event)
            return kept

    # streams

    def stream(
        self,
        audience: Audience,
        device: str,
        last_id: str | None,
        may_look: Callable[[], bool] = lambda: True,
    ) -> Iterator[bytes]:
        """Server-sent events for one screen, until it goes away or may no longer look."""
        who = audience[0]
        self._enter(device, who)
        try:
            yield b"retry: 1000\n\n"
            sent = last_id
            while not self.closed:
                if not may_look():
                    yield b"event: gone\ndata: -\n\n"
                    return
                if sent != self._id():
                    sent, _, event = self._newest(audience)
                    yield event
                else:
                    yield f"event: beat\ndata: {sent}\n\n".encode()
                self._wait(sent)
        finally:
            self._leave(device, who)

    def _wait(self, sent: str | None) -> None:
        """Until something changed since ``sent``, or for one beat."""
        with self.moved:
            self.moved.wait_for(lambda: self.closed or sent != self._id(), BEAT_SECONDS)

    def _id(self) -> str:
        return f"{self.boot}-{self.number}"

    def has_room(self, device: str, who: str) -> bool:
        """Whether one more stream may be opened."""
        with self.moved:
            opened = sum(self._present.values())
            own = sum(count for (one, _), count in self._present.items() if one == device)
        return own < A_DEVICE and opened < (STREAMS - RESERVED if who == "watch" else STREAMS)

    # presence

    def _enter(self, device: str, who: str) -> None:
        with self.moved:
            self._present[device, who] += 1
            first = self._present[device, who] == 1
        if first:
            self.changed()

    def _leave(self, device: str, who: str) -> None:
        with self.moved:
            self._present[device, who] -= 1
            last = self._present[device, who] <= 0
            if last:
                del self._present[device, who]
                self._seen[device] = time.time()
        if last:
            self.changed()

    def is_connected(self, device: str) -> bool:
        """Whether this device has a live stream."""
        with self.moved:
            return any(one == device for one, _ in self._present)

    def connected(self, who: str) -> int:
        """How many devices look as ``who`` now."""
        with self.moved:
            return sum(1 for _, name in self._present if name == who)

    def last_seen(self, device: str) -> float | None:
        """When this device went away, seconds since the epoch."""
        return self._seen.get(device)
