"""Opens a port for a moment and says who answers: for `find` and `doctor`, while no bridge runs."""

from __future__ import annotations

import time
from dataclasses import dataclass

import serial

from firmware_bridge.discovery import Holder, PortCandidate, holder_of
from firmware_bridge.link import Counters, FrameRefused, Link, LinkLost, open_port
from firmware_bridge.protocol import Hello, Send, Stats

FORBIDDEN, BUSY, GONE, SILENT, WRONG_VERSION, ANSWERS = (
    "forbidden",
    "busy",
    "gone",
    "silent",
    "wrong_version",
    "answers",
)


@dataclass(frozen=True)
class Probe:
    """What one port said; `one_try` is the share of pings that needed one try only."""

    candidate: PortCandidate
    result: str
    hello: Hello | None = None
    stats: Stats | None = None
    holder: Holder | None = None
    one_try: float = 1.0
    ping_ms: float = 0.0


def probe(candidate: PortCandidate, timeout: float = 3.0, pings: int = 0) -> Probe:
    """Say HELLO on a port, and measure the line with some pings."""
    try:
        port = open_port(candidate.path)
    except (OSError, serial.SerialException) as error:
        number = getattr(error, "errno", None)
        if number == 13:
            return Probe(candidate, FORBIDDEN)
        if number in (11, 16):
            return Probe(candidate, BUSY, holder=holder_of(candidate.path))
        return Probe(candidate, GONE)
    counters = Counters()
    link = Link(port, counters)
    try:
        hello = link.hello(timeout)
        if hello is None:
            return Probe(candidate, SILENT)
        link.wait(0.3)  # the greeting of the reset that opening caused
        counters.recent.clear()
        began = time.monotonic()
        for _ in range(pings):
            link.exchange(Send.PING)
        took = (time.monotonic() - began) * 1000 / pings if pings else 0.0
        quality = counters.quality()
        answer = link.exchange(Send.STATS)
        stats = answer if isinstance(answer, Stats) else None
        return Probe(candidate, ANSWERS, hello, stats, None, quality, took)
    except LinkLost:
        return Probe(candidate, GONE)
    except FrameRefused:
        return Probe(candidate, WRONG_VERSION)
    finally:
        link.close()
