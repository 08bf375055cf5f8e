"""For hardware that knows no patterns: the host computes every frame and streams it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from threading import Condition, Thread
from typing import Protocol

import serial

from firmware_bridge.led_map import LedMap
from firmware_bridge.mirror import ControllerCopy
from firmware_bridge.model import RGB, ControllerModel
from firmware_bridge.protocol import StripSettings
from firmware_bridge.status import LightsStatus, LinkState, words_for
from referee.kernel.lights import Lights

log = logging.getLogger(__name__)

KEEP_ALIVE = 1.0
"""Seconds after which an unchanged picture is sent again: realtime receivers go dark after 2.5 s."""
_BACKOFF = (0.2, 0.5, 1.0, 2.0, 5.0)


class Transport(Protocol):
    """How frames reach one kind of hardware; errors are OSError or SerialException."""

    raw: bool
    """True: give me the colours before gamma, brightness and budget; I have my own."""

    def open(self) -> None:
        """Connect, or raise."""

    def send(self, picture: list[RGB], brightness: int) -> None:
        """One colour a pixel; returns when the hardware has taken them over as far as it tells."""

    def close(self) -> None:
        """Let the hardware go."""


class HostRenderedLights:
    """A `LightsSink` that renders patterns on the host at `fps` and streams them."""

    def __init__(
        self,
        led_map: LedMap,
        transport: Transport,
        *,
        name: str,
        settings: StripSettings | None = None,
        fps: float = 25.0,
        on_ack: Callable[[int, float], None] | None = None,
    ) -> None:
        self._map, self._transport, self._name = led_map, transport, name
        self._settings = replace(settings or StripSettings(led_map.leds), count=led_map.leds)
        self._period = 1 / fps
        self._on_ack = on_ack
        self._news = Condition()
        self._lights: Lights = {}
        self._wanted = self._acknowledged = 0
        self._since = time.monotonic()
        self._latency: float | None = None
        self._stopping = False
        self._state, self._detail = LinkState.SEARCHING, ""
        self._sent = self._failures = 0
        self._thread = Thread(target=self._run, name=f"lights {name}", daemon=True)
        self._thread.start()

    def show(self, lights: Lights) -> int:
        """Make this the wanted picture and return its number."""
        with self._news:
            self._lights = dict(lights)
            self._wanted += 1
            self._since = time.monotonic()
            self._news.notify()
            return self._wanted

    def status(self) -> LightsStatus:
        """How the lights are, with words."""
        with self._news:
            return LightsStatus(
                self._state,
                words_for(self._state, self._detail),
                port=self._name,
                leds=self._map.leds,
                wanted=self._wanted,
                acknowledged=self._acknowledged,
                last_ack_ms=self._latency,
                counters={"sent": self._sent, "failures": self._failures},
            )

    def close(self) -> None:
        """Send black and let the hardware go."""
        with self._news:
            if self._stopping:
                return
            self._lights, self._stopping = {}, True
            self._news.notify()
        self._thread.join(5)

    def _run(self) -> None:
        failures = 0
        while not self._stopping:
            try:
                self._transport.open()
                self._state = LinkState.READY
                failures = 0
                self._stream()
            except (OSError, serial.SerialException) as error:
                log.info("lights %s: %s", self._name, error)
                self._failures += 1
                self._state = LinkState.FORBIDDEN if getattr(error, "errno", 0) == 13 else LinkState.SEARCHING
                self._detail = self._name
            except Exception:  # top of the thread: the lights must never stop the game
                log.exception("lights %s stumbled", self._name)
            self._transport.close()
            with self._news:
                if not self._stopping:
                    self._news.wait(_BACKOFF[min(failures, len(_BACKOFF) - 1)])
            failures += 1
        self._state = LinkState.CLOSED

    def _stream(self) -> None:
        model = ControllerModel(self._settings, {}, bytearray(self._map.leds))
        mirror = ControllerCopy(self._map.leds)
        shown, last_sent = -1, -1e9
        last: tuple[list[RGB], int] | None = None
        while True:
            with self._news:
                number, lights, stopping = self._wanted, self._lights, self._stopping
            for body in mirror.plan(lights, self._map):
                model.apply(body[1:])
            frame = self._frame(model)
            now = time.monotonic()
            if frame != last or number != shown or now - last_sent >= KEEP_ALIVE:
                self._transport.send(*frame)
                last, last_sent = frame, time.monotonic()
                self._sent += 1
            if number != shown:
                shown = number
                self._acknowledge(number)
            if stopping:
                return
            self._pause(model.animated(), shown)

    def _frame(self, model: ControllerModel) -> tuple[list[RGB], int]:
        """Colours and brightness as the transport wants them, and within the current budget."""
        clock = int(time.monotonic() * 1000 / 1.024)
        if not self._transport.raw:
            return model.render(clock), 255
        return model.perceived(clock), max(1, self._settings.brightness * model.power_scale() >> 8)

    def _acknowledge(self, number: int) -> None:
        now = time.monotonic()
        with self._news:
            self._acknowledged = number
            self._latency = (now - self._since) * 1000
        if self._on_ack:
            self._on_ack(number, now)

    def _pause(self, animated: bool, shown: int) -> None:
        with self._news:
            if self._wanted == shown and not self._stopping:
                self._news.wait(self._period if animated else KEEP_ALIVE)
