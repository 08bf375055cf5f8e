"""The bridge to the project's own controller: newest picture wins, every frame acknowledged."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Event, Lock, Thread

import serial

from firmware_bridge.discovery import candidates, holder_of
from firmware_bridge.led_map import LedMap
from firmware_bridge.link import Counters, FrameRefused, Link, LinkLost, open_port
from firmware_bridge.mirror import ControllerCopy
from firmware_bridge.protocol import Ack, Button, Hello, RefusalCode, Send, Stats, Status, StripSettings
from firmware_bridge.status import DIMMED, LightsStatus, LinkState, words_for
from referee.kernel.lights import Lights

log = logging.getLogger(__name__)

HEARTBEAT = 1.0
"""Seconds without traffic after which the bridge pings; the controller goes dark after 3."""
STATS_EVERY = 10
"""Heartbeats between two looks at the controller's own counters."""
HELLO_TIMEOUT = 4.0
"""Seconds that a controller may need to start; old bootloaders wait two."""
POOR_QUALITY = 0.9
ENOUGH_TO_JUDGE = 20
"""Frames before the line may be called disturbed: one late answer among the first few says nothing."""
_BACKOFF = (0.1, 0.2, 0.5, 1.0, 2.0)


@dataclass(frozen=True, slots=True)
class _Wish:
    number: int
    lights: Lights
    since: float


class LightsBridge:
    """Shows `Lights` on the controller behind a serial port.

    `show` may be called from any thread and returns at once.  A thread of the
    bridge finds the controller, sends differences, waits for each
    acknowledgement, and after any loss sends everything again.  `on_ack`
    (number, time.monotonic()) is called from that thread when the picture with
    that number, or a newer one, is on the strip; `on_button` (0 or 1, pressed)
    likewise.
    """

    def __init__(
        self,
        led_map: LedMap,
        *,
        port: str | None = None,
        settings: StripSettings | None = None,
        on_ack: Callable[[int, float], None] | None = None,
        on_button: Callable[[int, bool], None] | None = None,
    ) -> None:
        self._map = led_map
        self._settings = replace(settings or StripSettings(led_map.leds), count=led_map.leds)
        self._configured_port = port
        self._on_ack, self._on_button = on_ack, on_button
        self._lock = Lock()
        self._wish = _Wish(0, {}, time.monotonic())
        self._acknowledged = 0
        self._counters = Counters()
        self._link: Link | None = None
        self._stop = Event()
        self._say(LinkState.SEARCHING)
        self._port = self._firmware = ""
        self._last_ack_ms: float | None = None
        self._power_limited = False
        self._stats: Stats | None = None
        self._beats = 0
        self._mirror = ControllerCopy(self._map.leds)
        self._thread = Thread(target=self._run, name="lights", daemon=True)
        self._thread.start()

    # --- any thread ---------------------------------------------------------

    def show(self, lights: Lights) -> int:
        """Make this the wanted picture and return its number."""
        with self._lock:
            self._wish = _Wish(self._wish.number + 1, dict(lights), time.monotonic())
            if self._link:
                self._link.wake()
            return self._wish.number

    def status(self) -> LightsStatus:
        """How the lights are, with words."""
        with self._lock:
            state, detail = self._state, self._detail
            quality = self._counters.quality()
            judged = len(self._counters.recent) >= ENOUGH_TO_JUDGE
            if state is LinkState.READY and judged and quality < POOR_QUALITY:
                state, detail = LinkState.POOR, f"{1 - quality:.0%}"
            words = words_for(state, detail)
            if state is LinkState.READY and self._power_limited:
                words = DIMMED
            return LightsStatus(
                state,
                words,
                self._port,
                self._firmware,
                self._map.leds,
                self._wish.number,
                self._acknowledged,
                self._last_ack_ms,
                quality,
                self._power_limited,
                self._counted(),
            )

    def close(self) -> None:
        """Make the strip dark, let the port go, end the thread."""
        if self._stop.is_set():
            return
        self.show({})
        self._stop.set()
        with self._lock:
            if self._link:
                self._link.wake()
        self._thread.join(5)

    def __enter__(self) -> LightsBridge:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _counted(self) -> dict[str, int]:
        names = ("sent", "acknowledged", "retries", "naks", "timeouts", "bad_frames", "reconnects", "resyncs")
        counted = {name: getattr(self._counters, name) for name in names}
        if self._stats:
            own = ("bad_frames", "overruns", "duplicates", "silences", "watchdog_resets", "shown")
            counted |= {f"controller_{name}": getattr(self._stats, name) for name in own}
        return counted

    def _say(self, state: LinkState, detail: str = "") -> None:
        self._state, self._detail = state, detail

    # --- the bridge's own thread --------------------------------------------

    def _run(self) -> None:
        failures = 0
        while not self._stop.is_set():
            try:
                link = self._connect()
                if link is not None:
                    failures = 0
                    self._serve(link)
                    continue
            except Exception:  # top of the thread: the lights must never stop the game
                log.exception("the light bridge stumbled and starts again")
                self._drop()
            self._stop.wait(_BACKOFF[min(failures, len(_BACKOFF) - 1)])
            failures += 1
        self._drop()
        self._say(LinkState.CLOSED)

    def _connect(self) -> Link | None:
        """The first candidate that answers HELLO, or None with the reason in `_state`."""
        found = candidates(self._configured_port)
        if not found:
            self._say(LinkState.SEARCHING)
        for candidate in found:
            link = self._try(candidate.path)
            if link is not None:
                return link
            if self._stop.is_set():
                break
        return None

    def _try(self, path: str) -> Link | None:
        try:
            port = open_port(path)
        except (OSError, serial.SerialException) as error:
            self._explain(path, error)
            return None
        link = Link(port, self._counters, self._pressed)
        self._port = path
        self._say(LinkState.CONNECTING)
        try:
            hello = link.hello(HELLO_TIMEOUT)
            if hello is not None:
                self._greet(link, hello)
                return link
            self._say(LinkState.SILENT, path)
        except LinkLost:
            self._say(LinkState.SEARCHING)
        except FrameRefused as refusal:
            wrong = refusal.reason == RefusalCode.WRONG_VERSION
            self._say(LinkState.WRONG_VERSION if wrong else LinkState.SILENT, path)
        link.close()
        return None

    def _explain(self, path: str, error: Exception) -> None:
        number = getattr(error, "errno", None)
        holder = holder_of(path) if number in (11, 16) or "lock" in str(error) else None
        if holder or number in (11, 16):
            who = f"{holder.name} ({holder.pid})" if holder else "?"
            self._say(LinkState.BUSY, who)
        elif number == 13:
            self._say(LinkState.FORBIDDEN, path)
        else:
            self._say(LinkState.SEARCHING)

    def _greet(self, link: Link, hello: Hello) -> None:
        self._firmware = f"{hello.firmware[0]}.{hello.firmware[1]}"
        self._counters.reconnects += 1
        with self._lock:
            self._link = link
        self._say(LinkState.READY)

    def _drop(self) -> None:
        with self._lock:
            link, self._link = self._link, None
        if link:
            link.close()

    def _serve(self, link: Link) -> None:
        """Until the link is lost or the bridge is closed."""
        try:
            while not self._stop.is_set():
                epoch = self._begin(link)
                self._keep_showing(link, epoch)
            self._say_goodnight(link)
        except LinkLost as lost:
            log.info("lights: %s", lost)
            self._say(LinkState.SEARCHING)
        except FrameRefused as refusal:
            log.warning("lights: %s", refusal)
            self._say(LinkState.SILENT, self._port)
            self._stop.wait(1)  # a controller that refuses our settings will do so again
        finally:
            self._drop()

    def _begin(self, link: Link) -> int:
        """Settings first; the returned epoch tells later whether the controller forgot."""
        self._counters.resyncs += 1
        link.greeting = None
        self._mirror = ControllerCopy(self._map.leds)
        answer = link.exchange(Send.CONFIG, self._settings.body(), 0.15)
        return answer.epoch if isinstance(answer, Ack) else -1

    def _keep_showing(self, link: Link, epoch: int) -> None:
        """Until the controller turns out to have started again or gone dark by itself."""
        shown = -1
        while not self._stop.is_set():
            if link.greeting:
                return
            wish = self._wish
            if wish.number != shown:
                if not self._send(link, wish, epoch):
                    return
                shown = wish.number
                continue
            asked = time.monotonic()
            link.wait(HEARTBEAT)
            if self._wish.number == shown and time.monotonic() - asked >= HEARTBEAT - 0.01:
                answer = link.exchange(Send.PING)
                if isinstance(answer, Ack) and answer.epoch != epoch:
                    return
                self._beats += 1
                if self._beats % STATS_EVERY == 1:
                    self._fetch_stats(link)

    def _send(self, link: Link, wish: _Wish, epoch: int) -> bool:
        """Send what differs; False if the controller has forgotten what it showed."""
        for body in self._mirror.plan(wish.lights, self._map):
            answer = link.exchange(Send.UPDATE, body, self._patience())
            if not isinstance(answer, Ack) or answer.epoch != epoch:
                return False
            self._power_limited = bool(answer.status & Status.POWER_LIMITED)
        now = time.monotonic()
        with self._lock:
            if wish.number != self._acknowledged:  # else it is only restored after a loss
                self._last_ack_ms = (now - wish.since) * 1000
            self._acknowledged = wish.number
        if self._on_ack:
            self._on_ack(wish.number, now)
        return True

    def _patience(self) -> float:
        """Seconds to wait for an acknowledgement beyond the frame's own time on the wire.

        Generous: a damaged frame is refused at once, so only a lost answer costs this
        much, and a busy computer must not look like a bad cable.
        """
        return 0.08 + self._map.leds * 60e-6

    def _say_goodnight(self, link: Link) -> None:
        for body in self._mirror.plan({}, self._map):
            link.exchange(Send.UPDATE, body, self._patience())

    def _fetch_stats(self, link: Link) -> None:
        answer = link.exchange(Send.STATS)
        if isinstance(answer, Stats):
            self._stats = answer

    def _pressed(self, button: Button) -> None:
        if self._on_button:
            self._on_button(button.button, button.pressed)
