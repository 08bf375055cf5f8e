"""No lights, and lights in a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from threading import Lock
from typing import TextIO

from firmware_bridge.led_map import LedMap
from firmware_bridge.status import LightsStatus, LinkState, words_for
from referee.kernel.lights import Light, Lights, Pattern

PATTERN_SIGNS = {
    Pattern.OFF: " ",
    Pattern.STEADY: "●",
    Pattern.PULSE: "◉",
    Pattern.BLINK: "✱",
    Pattern.CHASE: "▶",
    Pattern.BREATHE: "◌",
}


class NullLights:
    """Takes every picture and shows nothing."""

    def __init__(self, on_ack: Callable[[int, float], None] | None = None) -> None:
        self._lock = Lock()
        self._number = 0
        self._on_ack = on_ack
        self._closed = False

    def show(self, lights: Lights) -> int:
        with self._lock:
            self._number += 1
            number = self._number
        self._paint(lights)
        if self._on_ack:
            self._on_ack(number, time.monotonic())
        return number

    def _paint(self, lights: Lights) -> None:
        pass

    def status(self) -> LightsStatus:
        state = LinkState.CLOSED if self._closed else self._state()
        return LightsStatus(state, words_for(state), wanted=self._number, acknowledged=self._number)

    def _state(self) -> LinkState:
        return LinkState.OFF

    def close(self) -> None:
        self._closed = True


class TerminalLights(NullLights):
    """One line a picture: each lit place in its colour with a sign for its pattern."""

    def __init__(
        self,
        led_map: LedMap,
        stream: TextIO | None = None,
        on_ack: Callable[[int, float], None] | None = None,
    ) -> None:
        super().__init__(on_ack)
        self._map = led_map
        self._stream = stream or sys.stdout

    def _state(self) -> LinkState:
        return LinkState.READY

    def _paint(self, lights: Lights) -> None:
        order = [*self._map.places, *(place for place in lights if place not in self._map.places)]
        lit = [self._word(place, lights[place]) for place in order if place in lights]
        try:
            self._stream.write(" ".join(word for word in lit if word) + "\n")
            self._stream.flush()
        except (OSError, ValueError):  # a closed terminal must not stop the game
            self._closed = True

    @staticmethod
    def _word(place: str, light: Light) -> str:
        if light.pattern == Pattern.OFF:
            return ""
        sign = PATTERN_SIGNS[light.pattern]
        return f"\x1b[38;2;{light.red};{light.green};{light.blue}m{sign}\x1b[0m{place}"
