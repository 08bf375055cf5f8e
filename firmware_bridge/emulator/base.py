"""What both stand-ins have in common."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from threading import Condition
from typing import ClassVar

from firmware_bridge.model import RGB, from_wire

FAULTS = ("lose_in", "garble_in", "noise_in", "lose_out", "garble_out")


class EmulatorUnavailable(RuntimeError):
    """A tool that builds or runs the firmware is missing; the text names it."""


@dataclass(frozen=True)
class StripPicture:
    """One latched picture of the strip.

    `wire`: bytes as sent (green first on a WS2812); `t`, `began`: seconds of
    controller time at its end and start; `gap_us`: low time before it;
    `timing`: smallest and largest width of t0h, t1h, t0l, t1l in nanoseconds;
    `slept`: seconds that the processor has slept so far.
    """

    wire: bytes
    t: float
    began: float
    gap_us: float = 0.0
    short_gaps: int = 0
    bits: int = 0
    timing: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    slept: float = 0.0

    def colours(self, order: int = 0) -> list[RGB]:
        """Red, green, blue of each pixel."""
        return from_wire(self.wire, order)

    @property
    def dark(self) -> bool:
        """Whether every pixel is off."""
        return not any(self.wire)


class Controller:
    """A controller behind a pseudo terminal whose strip can be looked at."""

    kind: ClassVar[str] = ""
    KEPT = 4000

    def __init__(self, leds: int, link: Path | None) -> None:
        self.leds = leds
        self._own_link = link is None
        self._link = link or Path(mkdtemp(prefix="lights-")) / "controller"
        self._pictures: deque[StripPicture] = deque(maxlen=self.KEPT)
        self._events: deque[dict[str, object]] = deque(maxlen=self.KEPT)
        self._news = Condition()

    @property
    def port(self) -> str:
        """Path that a serial port is opened by; stays the same over `restart`."""
        return str(self._link)

    def frames(self) -> list[StripPicture]:
        """The last pictures that the strip latched, oldest first."""
        with self._news:
            return list(self._pictures)

    def events(self) -> list[dict[str, object]]:
        """What happened to the controller: power, opened, reset, closed ..."""
        with self._news:
            return list(self._events)

    def forget(self) -> None:
        """Drop the pictures seen so far."""
        with self._news:
            self._pictures.clear()

    def wait_for(self, wanted: Callable[[StripPicture], bool], timeout: float = 10.0) -> StripPicture:
        """The first picture, kept or coming, that is wanted; TimeoutError if none comes."""
        deadline = time.monotonic() + timeout
        with self._news:
            while True:
                for picture in self._pictures:
                    if wanted(picture):
                        return picture
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TimeoutError("no such picture on the strip")
                self._news.wait(left)

    def wait_for_event(self, name: str, timeout: float = 10.0, count: int = 1) -> None:
        """Until `name` has happened `count` times; TimeoutError otherwise."""
        deadline = time.monotonic() + timeout
        with self._news:
            while sum(event.get("event") == name for event in self._events) < count:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TimeoutError(f"controller event {name} did not happen")
                self._news.wait(left)

    def _add(self, picture: StripPicture) -> None:
        with self._news:
            self._pictures.append(picture)
            self._news.notify_all()

    def _happened(self, event: dict[str, object]) -> None:
        with self._news:
            self._events.append(event)
            self._news.notify_all()

    def set_fault(self, name: str, probability: float) -> None:
        """Probability a byte of one of FAULTS, from now on."""
        raise NotImplementedError

    def press(self, button: int, down: bool = True) -> None:
        """Push button 0 or 1 down or let it go."""
        raise NotImplementedError

    def reset(self) -> None:
        """As the reset button."""
        raise NotImplementedError

    def hold(self, stuck: bool = True) -> None:
        """Stop the processor: the port is there and nobody answers."""
        raise NotImplementedError

    def hang(self) -> None:
        """Let the program run in a circle: only the watchdog gets it out."""
        raise NotImplementedError

    def kill(self) -> None:
        """Pull the plug: the port vanishes."""
        raise NotImplementedError

    def restart(self) -> None:
        """Plug in again, at the same port path."""
        raise NotImplementedError

    def close(self) -> None:
        """End for good."""
        self.kill()
        self._link.unlink(missing_ok=True)
        if self._own_link:
            rmtree(self._link.parent, ignore_errors=True)

    def __enter__(self) -> Controller:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
