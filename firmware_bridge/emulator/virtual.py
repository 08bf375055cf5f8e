"""A light controller written in Python: for machines without avr-gcc and simavr.

It speaks the same protocol over a pseudo terminal, shows the same pictures
(`model.py`), resets when the port is opened, loses and garbles bytes on
request.  It is a model, not the firmware: it says nothing about timing.
"""

from __future__ import annotations

import contextlib
import os
import random
import select
import struct
import time
import tty
from pathlib import Path
from threading import Event, Lock, Thread, Timer
from typing import ClassVar

from firmware_bridge.emulator.base import FAULTS, Controller, StripPicture
from firmware_bridge.model import ControllerModel, to_wire
from firmware_bridge.protocol import (
    MAX_PAYLOAD,
    SLOTS,
    VERSION,
    ColourOrder,
    Decoder,
    Receive,
    RefusalCode,
    Send,
    Status,
    StripSettings,
    encode,
)

_SILENCE, _ANIMATION, _REFRESH, _REPEAT = 3.0, 1 / 40, 1.0, 0.1
_MAX_LEDS, _CAPABILITIES, _EXTERNAL_RESET = 300, 31, 2


class _Brain:
    """The firmware's `controller.cpp`: frames in, replies out, darkness after silence."""

    def __init__(self, epoch: int, now: float) -> None:
        self.epoch = epoch
        self.model = ControllerModel()
        self.decoder = Decoder()
        self.has_state = self.configured = False
        self.born = self.heard = now
        self.shown = -1e9
        self.may_show = True
        self.last: tuple[int, int, bytes] | None = None
        self.counters = {
            name: 0 for name in ("frames", "naks", "duplicates", "shown", "silences", "watchdog_resets")
        }
        self.buttons: list[tuple[int, int]] = []
        self.button_number, self.button_sent = 0, -1e9
        self.fresh = False

    def hello(self, sequence: int) -> bytes:
        settings = self.model.settings
        facts = struct.pack(
            "<BBHHHBBBBH",
            *(1, 1, _MAX_LEDS, settings.count, _CAPABILITIES, SLOTS, 2),
            *(_EXTERNAL_RESET, self.epoch, settings.budget_ma),
        )
        return encode(Receive.HELLO, sequence, b"TRL" + bytes([VERSION]) + facts)

    def _ack(self, sequence: int) -> bytes:
        status = Status.HAS_STATE if self.has_state else Status(0)
        status |= Status.POWER_LIMITED if self.model.power_scale() < 256 else Status(0)
        status |= Status.ANIMATING if self.model.animated() else Status(0)
        status |= Status.CONFIGURED if self.configured else Status(0)
        return encode(Receive.ACK, sequence, bytes([status, self.epoch]))

    def _nak(self, sequence: int, reason: int) -> bytes:
        self.counters["naks"] += 1
        return encode(Receive.NAK, sequence, bytes([reason]))

    def take(self, chunk: bytes, now: float) -> bytes:
        """Replies to a chunk of the host's bytes."""
        bad = self.decoder.bad_frames
        payloads = self.decoder.feed(chunk)
        replies = b"".join(self._nak(0, RefusalCode.BAD_FRAME) for _ in range(self.decoder.bad_frames - bad))
        return replies + b"".join(self._handle(p, now) for p in payloads if len(p) <= MAX_PAYLOAD)

    def _handle(self, payload: bytes, now: float) -> bytes:
        kind, sequence, body = payload[0], payload[1], payload[2:]
        self.heard = now
        changes = kind in (Send.UPDATE, Send.CONFIG)
        if changes and self.last == (kind, sequence, body):
            self.counters["duplicates"] += 1
            return self._ack(sequence)
        reason = self._obey(kind, sequence, body)
        if isinstance(reason, bytes):
            self.counters["frames"] += 1
            return reason
        if reason:
            return self._nak(sequence, reason)
        self.counters["frames"] += 1
        if changes:
            self.last = (kind, sequence, body)
        return self._ack(sequence)

    def _obey(self, kind: int, sequence: int, body: bytes) -> int | bytes:
        """0 to acknowledge, a reason to refuse, or an own reply."""
        if kind == Send.HELLO:
            if len(body) != 1:
                return RefusalCode.MALFORMED
            return self.hello(sequence) if body[0] == VERSION else RefusalCode.WRONG_VERSION
        if kind == Send.CONFIG:
            return self._configure(body)
        if kind == Send.UPDATE:
            return self._update(body)
        if kind == Send.STATS:
            return self._stats(sequence)
        if kind == Send.BUTTON_ACK:
            if self.buttons and sequence == self.button_number:
                self.buttons.pop(0)
                self.button_number = (self.button_number + 1) & 255
                self.button_sent = -1e9
            return b""
        return 0 if kind == Send.PING else RefusalCode.UNKNOWN_TYPE

    def _configure(self, body: bytes) -> int:
        if len(body) != 8:
            return RefusalCode.MALFORMED
        count, order, channel = int.from_bytes(body[:2], "little"), body[2], body[6]
        if not 0 < count <= _MAX_LEDS or order > max(ColourOrder) or not channel:
            return RefusalCode.OUT_OF_RANGE
        self.model.configure(StripSettings.from_body(body))
        self.configured = self.fresh = True
        return 0

    def _update(self, body: bytes) -> int:
        if not body or not self.model.apply(body[1:]):
            return RefusalCode.MALFORMED
        self.has_state = True
        self.may_show = bool(body[0] & 1)
        self.fresh |= self.may_show
        return 0

    def _stats(self, sequence: int) -> bytes:
        c = self.counters
        numbers = [c["frames"], self.decoder.bad_frames, c["naks"], c["duplicates"], 0, c["shown"]]
        numbers += [c["silences"], 0, c["watchdog_resets"]]
        return encode(Receive.STATS, sequence, struct.pack("<9H", *(n & 0xFFFF for n in numbers)))

    def picture_due(self, now: float) -> list[tuple[int, int, int]] | None:
        """What to show now, if anything is due."""
        if self.has_state and now - self.heard >= _SILENCE:
            self.has_state, self.last = False, None
            self.epoch = (self.epoch + 1) & 255
            self.counters["silences"] += 1
            self.model.apply(b"\x04")
            self.may_show = self.fresh = True
        wait = _ANIMATION if self.model.animated() else _REFRESH
        if not self.fresh and not (self.may_show and now - self.shown >= wait):
            return None
        self.fresh = False
        self.shown = now
        self.counters["shown"] += 1
        return self.model.render(int((now - self.born) * 1000 / 1.024))

    def button_frame(self, now: float) -> bytes:
        """The report of a button that nobody has acknowledged yet."""
        if not self.buttons or now - self.button_sent < _REPEAT:
            return b""
        self.button_sent = now
        return encode(Receive.BUTTON, self.button_number, bytes(self.buttons[0]))


class VirtualController(Controller):
    """The Python stand-in behind a pseudo terminal."""

    kind: ClassVar[str] = "python"

    def __init__(self, leds: int, *, seed: int, boot_ms: int, link: Path | None) -> None:
        super().__init__(leds, link)
        self._random = random.Random(seed)
        self._boot = boot_ms / 1000
        self._faults: dict[str, float] = {}
        self._stop, self._reset, self._held = Event(), Event(), Event()
        self._lock = Lock()
        self._thread: Thread | None = None
        self._epoch = 0
        self._bitten = False
        self.restart()

    def restart(self) -> None:
        self.kill()
        self._master, slave = os.openpty()
        tty.setraw(slave)
        name = os.ttyname(slave)
        os.close(slave)
        os.set_blocking(self._master, False)
        self._link.unlink(missing_ok=True)
        self._link.symlink_to(name)
        self._stop.clear()
        self._epoch = 0
        self._thread = Thread(target=self._run, name="virtual light controller", daemon=True)
        self._thread.start()

    def kill(self) -> None:
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._stop.set()
        thread.join(5)
        os.close(self._master)
        self._link.unlink(missing_ok=True)

    def set_fault(self, name: str, probability: float) -> None:
        if name not in FAULTS:
            raise ValueError(f"unknown fault {name}, one of {', '.join(FAULTS)}")
        self._faults[name] = probability

    def press(self, button: int, down: bool = True) -> None:
        with self._lock:
            self._brain.buttons.append((button, int(down)))

    def reset(self) -> None:
        self._reset.set()

    def hold(self, stuck: bool = True) -> None:
        if stuck:
            self._held.set()
        else:
            self._held.clear()

    def hang(self) -> None:
        self.hold()
        Timer(0.5, self._bite).start()

    def _bite(self) -> None:
        self.hold(False)
        self._bitten = True
        self._reset.set()

    def _boot_up(self, event: str) -> None:
        self._epoch = (self._epoch + 1) & 255
        self._brain = _Brain(self._epoch, time.monotonic())
        self._happened({"event": event, "t": 0.0})
        self._reset.clear()
        self._asleep_until = time.monotonic() + (self._boot if event == "reset" else 0)
        self._greet = True
        if self._bitten:
            self._bitten = False
            self._brain.counters["watchdog_resets"] += 1

    def _run(self) -> None:
        there = False
        self._boot_up("power")
        self._happened({"event": "ready", "t": 0.0})
        poller = select.poll()
        poller.register(self._master, select.POLLIN)
        while not self._stop.is_set():
            flags = dict(poller.poll(2)).get(self._master, 0)
            now_there = not flags & select.POLLHUP
            if now_there != there:
                there = now_there
                self._happened({"event": "opened" if there else "closed", "t": 0.0})
                if there:
                    self._reset.set()
            if self._reset.is_set():
                self._boot_up("reset")
            chunk = self._receive(flags)
            if not self._held.is_set() and time.monotonic() >= self._asleep_until:
                self._step(chunk, there)
            elif not there:
                time.sleep(0.002)

    def _step(self, chunk: bytes, there: bool) -> None:
        now = time.monotonic()
        with self._lock:
            brain = self._brain
            out = brain.hello(0) if self._greet else b""
            self._greet = False
            out += brain.take(chunk, now) if chunk else b""
            picture = brain.picture_due(now)
            out += brain.button_frame(now)
            self._epoch = brain.epoch
        if picture is not None:
            wire = to_wire(picture, brain.model.settings.order)[: 3 * self.leds]
            self._add(StripPicture(wire, now - brain.born, now - brain.born, bits=24 * len(picture)))
        if there:
            self._transmit(out)
        else:
            time.sleep(0.002)

    def _receive(self, flags: int) -> bytes:
        if not flags & select.POLLIN:
            return b""
        with contextlib.suppress(OSError):
            return self._damage(os.read(self._master, 512), "in")
        return b""

    def _transmit(self, out: bytes) -> None:
        out = self._damage(out, "out")
        if out:
            with contextlib.suppress(OSError):  # the host does not read: as lost as on a wire
                os.write(self._master, out)

    def _damage(self, chunk: bytes, way: str) -> bytes:
        lose, garble = self._faults.get(f"lose_{way}", 0), self._faults.get(f"garble_{way}", 0)
        noise = self._faults.get(f"noise_{way}", 0)
        if not (lose or garble or noise):
            return chunk
        result = bytearray()
        for byte in chunk:
            if self._random.random() >= lose:
                flip = 1 << self._random.randrange(8) if self._random.random() < garble else 0
                result.append(byte ^ flip)
            if self._random.random() < noise:
                result.append(self._random.randrange(256))
        return bytes(result)
