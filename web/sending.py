"""Event streams from one event loop: a snapshot's bytes go to many sockets, without a task for each.

uvicorn's own way (a message to a coroutine, through h11, for every screen) costs more than the snapshot where
two hundred look.  An open stream is therefore written to its connection as it is, framed as a chunk of
HTTP/1.1; its beginning and its end go uvicorn's way.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from web.hub import Stream

BEAT_SECONDS = 2.0
"""A screen hears something so often: a lost connection is noticed within five."""
FIRST = b"retry: 1000\n\n"
AT_ONCE = 50
"""Screens that are written to before others in the loop get a turn."""


log = logging.getLogger(__name__)


class StreamConnection(Protocol):
    """A connection that a stream is written to."""

    outlet: Outlet | None
    """Told when what was written has gone (:meth:`Outlet.send`), and when the device has."""

    @property
    def full(self) -> bool:
        """Whether what was written before has not gone yet."""

    @property
    def lost(self) -> bool:
        """Whether the device has gone."""

    def write(self, pieces: Sequence[bytes]) -> None:
        """Send these bytes as they are."""


class Outlet:
    """One stream on its line.  All of it happens in the loop."""

    def __init__(self, stream: Stream, line: StreamConnection, chunked: bool) -> None:
        self._stream, self._line, self._chunked = stream, line, chunked
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self.over: asyncio.Future[None] = self._loop.create_future()

    def open(self) -> None:
        """The first bytes, and the snapshot if there is one."""
        if not self._line.lost:
            self._write(FIRST)
        self.send()
        self._rest()

    def send(self, beat: bool = False) -> None:
        """Send what there is to send; what finds the line full is sent when it has become free."""
        if self.over.done():
            return
        try:
            event = b"" if self._line.full or self._line.lost else self._stream.next(beat)
            if event:
                self._write(event)
        except Exception:  # the top of a callback of the loop: this screen comes again, the others go on
            log.exception("a screen could not be sent to")
            self.end()
            return
        if self._stream.over or self._line.lost:
            self.end()
        elif event or beat:
            self._rest()

    def end(self) -> None:
        """There is nothing more to send, or nobody to send it to.  May be called twice."""
        if self._timer is not None:
            self._timer.cancel()
        if not self.over.done():
            self.over.set_result(None)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if not self.over.done():
            self._timer = self._loop.call_later(BEAT_SECONDS, self.send, True)

    def _write(self, event: bytes) -> None:
        self._line.write((b"%x\r\n" % len(event), event, b"\r\n") if self._chunked else (event,))


class Sending:
    """All outlets of one server; the bell of their streams."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._outlets: dict[Stream, Outlet] = {}

    def ring(self, streams: Sequence[Stream]) -> None:
        """There is something new for these; from any thread."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop ended meanwhile, and the streams with it
                self._loop.call_soon_threadsafe(self._send, streams)

    def _send(self, streams: Sequence[Stream]) -> None:
        for stream in streams[:AT_ONCE]:
            outlet = self._outlets.get(stream)
            if outlet is not None:
                outlet.send()
        if len(streams) > AT_ONCE and self._loop is not None:
            self._loop.call_soon(self._send, streams[AT_ONCE:])

    async def serve(self, stream: Stream, line: StreamConnection, chunked: bool) -> None:
        """Send the stream's events until it ends or the device goes; closes it."""
        self._loop = asyncio.get_running_loop()
        outlet = self._outlets[stream] = line.outlet = Outlet(stream, line, chunked)
        stream.bell = self
        try:
            outlet.open()
            await outlet.over
        finally:
            line.outlet = None
            outlet.end()
            del self._outlets[stream]
            stream.close()
