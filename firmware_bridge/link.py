"""One open line to a controller: exchanges that are acknowledged, retried and counted.

All methods belong to one thread, except `wake`.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

import serial

from firmware_bridge.protocol import (
    BAUD,
    VERSION,
    Ack,
    Button,
    Decoder,
    Hello,
    Nak,
    RefusalCode,
    Reply,
    Send,
    Stats,
    encode,
    parse,
)

_GRACE = 0.004
"""Seconds between "your frame was damaged" and sending it again."""


class LinkLost(Exception):
    """The port is gone or nobody answers any more; close and open again."""


class FrameRefused(Exception):
    """The controller understood the frame and will not have it."""

    def __init__(self, reason: int) -> None:
        super().__init__(f"controller refused a frame, reason {reason}")
        self.reason = reason


@dataclass
class Counters:
    """What happened on the wire since the bridge was made; numbers only grow."""

    sent: int = 0
    acknowledged: int = 0
    retries: int = 0
    naks: int = 0
    timeouts: int = 0
    bad_frames: int = 0
    reconnects: int = 0
    resyncs: int = 0
    recent: deque[int] = field(default_factory=lambda: deque(maxlen=200))

    def quality(self) -> float:
        """Share of the last 200 frames that needed one try only, 0..1."""
        recent = tuple(self.recent)  # at one stroke: the line's thread goes on counting
        return recent.count(1) / len(recent) if recent else 1.0


def open_port(path: str) -> serial.Serial:
    """Open exclusively at the protocol's speed; SerialException or OSError if that fails."""
    port = serial.Serial()
    port.port = path
    port.baudrate = BAUD
    port.timeout = 0
    port.write_timeout = 0.5
    port.exclusive = True
    port.open()
    return port


class Link:
    """Frames over an open port."""

    ATTEMPTS = 6

    def __init__(
        self, port: serial.Serial, counters: Counters, on_button: Callable[[Button], None] | None = None
    ) -> None:
        self._port = port
        self._counters = counters
        self._on_button = on_button
        self._decoder = Decoder()
        self._sequence = 0
        self._last_button: int | None = None
        self._wake_out, self._wake_in = os.pipe()
        os.set_blocking(self._wake_in, False)
        os.set_blocking(self._wake_out, False)
        self.greeting: Hello | None = None
        """A HELLO that came unasked: the controller has started again."""

    def close(self) -> None:
        """Close port and pipe; errors of a port that is gone are of no interest."""
        with contextlib.suppress(OSError, serial.SerialException):
            self._port.close()
        os.close(self._wake_in)
        os.close(self._wake_out)

    def wake(self) -> None:
        """Make `wait` return, from any thread."""
        with contextlib.suppress(BlockingIOError, OSError):  # full pipe: a wake-up is on its way
            os.write(self._wake_in, b"x")

    def hello(self, timeout: float) -> Hello | None:
        """Ask who is there until the controller answers; it may be booting."""
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            sequence = self._next()
            self._write(encode(Send.HELLO, sequence, bytes([VERSION])))
            until = min(deadline, time.monotonic() + 0.25)
            while time.monotonic() < until:
                for reply in self._read(until):
                    if isinstance(reply, Hello):
                        self.greeting = None
                        return reply
                    if isinstance(reply, Nak) and reply.reason == RefusalCode.WRONG_VERSION:
                        raise FrameRefused(reply.reason)
        return None

    def exchange(self, kind: Send, body: bytes = b"", timeout: float = 0.1) -> Ack | Stats:
        """Send and wait for the answer, again if need be; LinkLost, Refused."""
        sequence = self._next()
        frame = encode(kind, sequence, body)
        wire_time = len(frame) * 10 / BAUD
        self._counters.sent += 1
        tries, patience = 1, float(self.ATTEMPTS)
        while patience > 0:
            if tries > 1:
                self._counters.retries += 1
            self._write(frame)
            answer = self._await(sequence, wire_time + timeout * min(tries, 4))
            if isinstance(answer, Ack | Stats):
                self._counters.acknowledged += 1
                self._counters.recent.append(tries)
                return answer
            tries += 1
            # a controller that asks again is alive: be patient with it, but not for ever
            patience -= 1 if answer is None else 0.1
        self._counters.recent.append(self.ATTEMPTS + 1)
        raise LinkLost(f"no answer in {self.ATTEMPTS} tries")

    def wait(self, timeout: float) -> None:
        """Until `wake`, an unasked frame, or the time is over."""
        self._read(time.monotonic() + timeout, once=True)

    def _next(self) -> int:
        self._sequence = self._sequence % 255 + 1  # 0 belongs to the controller's own frames
        return self._sequence

    def _await(self, sequence: int, timeout: float) -> Ack | Stats | Nak | None:
        """The answer to `sequence`; a Nak if it must be sent again; None if none came in time."""
        deadline = time.monotonic() + timeout
        damaged: Nak | None = None
        while True:
            for reply in self._read(deadline):
                if isinstance(reply, Ack | Stats) and reply.sequence == sequence:
                    return reply
                if isinstance(reply, Nak) and reply.sequence in (0, sequence):
                    self._counters.naks += 1
                    if reply.reason != RefusalCode.BAD_FRAME:
                        raise FrameRefused(reply.reason)
                    if damaged is None:
                        damaged = reply
                        # it may mean earlier noise, and the answer to our frame is on its way
                        deadline = min(deadline, time.monotonic() + _GRACE)
            if time.monotonic() >= deadline:
                self._counters.timeouts += damaged is None
                return damaged

    def _write(self, frame: bytes) -> None:
        try:
            # a leading zero ends whatever noise the controller has taken for a frame
            self._port.write(b"\0" + frame)
        except (OSError, serial.SerialException) as error:
            raise LinkLost(str(error)) from error

    def _read(self, deadline: float, once: bool = False) -> list[Reply]:
        """Replies that arrive before the deadline: as soon as there is one (or a wake-up, if `once`)."""
        while True:
            left = deadline - time.monotonic()
            try:
                ready, _, _ = select.select([self._port, self._wake_out], [], [], max(0.0, left))
                chunk = self._port.read(4096) if self._port in ready else b""
            except (OSError, ValueError, serial.SerialException) as error:
                raise LinkLost(str(error)) from error
            if self._port in ready and not chunk:
                raise LinkLost("the port is ready and gives nothing: unplugged")
            woken = self._wake_out in ready
            if woken:
                with contextlib.suppress(BlockingIOError):
                    os.read(self._wake_out, 4096)
            replies = self._sort(chunk)
            if replies or left <= 0 or (once and (woken or self.greeting)):
                return replies

    def _sort(self, chunk: bytes) -> list[Reply]:
        """Replies in a chunk; buttons and unasked HELLOs are dealt with here."""
        before = self._decoder.bad_frames
        parsed = [parse(payload) for payload in self._decoder.feed(chunk)]
        self._counters.bad_frames += self._decoder.bad_frames - before
        replies: list[Reply] = []
        for reply in parsed:
            if isinstance(reply, Button):
                self._button(reply)
            elif isinstance(reply, Hello) and reply.sequence == 0:
                self.greeting = reply
                self._last_button = None
                replies.append(reply)
            elif reply is not None:
                replies.append(reply)
        return replies

    def _button(self, button: Button) -> None:
        self._write(encode(Send.BUTTON_ACK, button.number))
        if button.number != self._last_button and self._on_button:
            self._on_button(button)
        self._last_button = button.number
