"""Frames between host and light controller; the same words as `firmware/protocol.h`.

A frame is COBS(payload + CRC-16/IBM-3740, low byte first) and a zero byte;
payload = type, sequence, body.  Two-byte numbers are little-endian.
Sources: S. Cheshire, M. Baker, "Consistent Overhead Byte Stuffing" (1999);
CRC catalogue entry CRC-16/IBM-3740.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum, IntFlag

from cobs import cobs
from fastcrc import crc16

VERSION = 1
MAX_PAYLOAD = 158
MAX_OPS = MAX_PAYLOAD - 3
"""Bytes of operations in one UPDATE: type, sequence and flags are taken off."""
SLOTS = 32
BAUD = 250_000


class Send(IntEnum):
    """Types of frames from the host."""

    HELLO = 0x01
    CONFIG = 0x02
    UPDATE = 0x03
    PING = 0x04
    STATS = 0x05
    BUTTON_ACK = 0x06


class Op(IntEnum):
    """Operations inside an UPDATE."""

    SLOT = 0x01
    FILL = 0x02
    COPY = 0x03
    CLEAR = 0x04


class Receive(IntEnum):
    """Types of frames from the controller."""

    HELLO = 0x81
    ACK = 0x82
    NAK = 0x83
    STATS = 0x84
    BUTTON = 0x85


class Status(IntFlag):
    """Bits of an acknowledgement."""

    HAS_STATE = 1
    POWER_LIMITED = 2
    ANIMATING = 4
    CONFIGURED = 8


class RefusalCode(IntEnum):
    """Why the controller refused a frame."""

    BAD_FRAME = 1
    MALFORMED = 2
    UNKNOWN_TYPE = 3
    OUT_OF_RANGE = 4
    WRONG_VERSION = 5


class ColourOrder(IntEnum):
    """In which order a pixel expects its three bytes."""

    GRB = 0
    RGB = 1
    BRG = 2
    RBG = 3
    GBR = 4
    BGR = 5


@dataclass(frozen=True, slots=True)
class StripSettings:
    """What the controller must know of the strip; the budget includes dark pixels."""

    count: int
    order: ColourOrder = ColourOrder.GRB
    brightness: int = 128
    budget_ma: int = 400
    channel_ma: float = 20.0
    idle_ma: float = 1.0

    def body(self) -> bytes:
        """Eight bytes of a CONFIG frame."""
        return struct.pack(
            "<HBBHBB",
            self.count,
            self.order,
            self.brightness,
            self.budget_ma,
            round(self.channel_ma * 10),
            round(self.idle_ma * 10),
        )

    @classmethod
    def from_body(cls, body: bytes) -> StripSettings:
        """The inverse of `body`; struct.error or ValueError for anything else."""
        count, order, brightness, budget, channel, idle = struct.unpack("<HBBHBB", body)
        return cls(count, ColourOrder(order), brightness, budget, channel / 10, idle / 10)


@dataclass(frozen=True, slots=True)
class Hello:
    """Who answers; `epoch` changes whenever the controller lost what it showed.

    `reset_cause`: 1 power-up, 2 reset line, 4 brown-out, 8 watchdog, 0 where the bootloader hides it;
    `brown_outs` since power-up (15: that or more).
    """

    sequence: int
    firmware: tuple[int, int]
    max_leds: int
    leds: int
    capabilities: int
    slots: int
    buttons: int
    reset_cause: int
    epoch: int
    budget_ma: int
    brown_outs: int = 0


@dataclass(frozen=True, slots=True)
class Ack:
    """The frame with this sequence number was taken and, for UPDATE, is on the strip."""

    sequence: int
    status: Status
    epoch: int


@dataclass(frozen=True, slots=True)
class Nak:
    """A frame was refused; sequence 0 when the number itself could not be read."""

    sequence: int
    reason: int


@dataclass(frozen=True, slots=True)
class Stats:
    """The controller's counters since its last reset, modulo 65536."""

    sequence: int
    frames: int
    bad_frames: int
    naks: int
    duplicates: int
    overruns: int
    shown: int
    silences: int
    unsent: int
    watchdog_resets: int


@dataclass(frozen=True, slots=True)
class Button:
    """Button 0 (confirm) or 1 (arbiter) went down or up; to be answered by BUTTON_ACK."""

    number: int
    button: int
    pressed: bool


Reply = Hello | Ack | Nak | Stats | Button


def encode(kind: int, sequence: int, body: bytes = b"") -> bytes:
    """The bytes on the wire, with the closing zero."""
    payload = bytes([kind, sequence]) + body
    if len(payload) > MAX_PAYLOAD:
        raise ValueError(f"frame of {len(payload)} bytes, at most {MAX_PAYLOAD}")
    return bytes(cobs.encode(payload + struct.pack("<H", crc16.ibm_3740(payload)))) + b"\0"


def decode(frame: bytes) -> bytes | None:
    """Payload of one frame without its zero, or None if it is damaged."""
    try:
        raw = cobs.decode(frame)
    except cobs.DecodeError:
        return None
    if len(raw) < 4 or crc16.ibm_3740(raw[:-2]) != int.from_bytes(raw[-2:], "little"):
        return None
    return bytes(raw[:-2])


def parse(payload: bytes) -> Reply | None:
    """A controller's payload as a value, or None if it says nothing we know."""
    kind, sequence, body = payload[0], payload[1], payload[2:]
    try:
        if kind == Receive.ACK:
            return Ack(sequence, Status(body[0]), body[1])
        if kind == Receive.NAK:
            return Nak(sequence, body[0])
        if kind == Receive.BUTTON:
            return Button(sequence, body[0], bool(body[1]))
        if kind == Receive.STATS:
            return Stats(sequence, *struct.unpack("<9H", body))
        if kind == Receive.HELLO and body[:3] == b"TRL" and body[3] == VERSION:
            major, minor, most, leds, caps, slots, buttons, cause, epoch, budget = struct.unpack(
                "<BBHHHBBBBH", body[4:]
            )
            brown_outs, cause = cause >> 4, cause & 15
            return Hello(
                sequence, (major, minor), most, leds, caps, slots, buttons, cause, epoch, budget, brown_outs
            )
    except (IndexError, struct.error):
        return None
    return None


class Decoder:
    """Turns a stream of bytes into payloads; garbage is counted and skipped."""

    LIMIT = 512
    """Longest run without a zero that is kept: memory never grows with noise."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self.bad_frames = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        """Payloads completed by this chunk."""
        self._buffer += chunk
        *frames, rest = self._buffer.split(b"\0")
        self._buffer = bytearray(rest[-self.LIMIT :])
        payloads = []
        for frame in frames:
            if not frame:
                continue
            payload = decode(bytes(frame))
            if payload is None:
                self.bad_frames += 1
            else:
                payloads.append(payload)
        return payloads


def op_slot(slot: int, red: int, green: int, blue: int, pattern: int) -> bytes:
    """Define one of the slots 1..31."""
    return bytes([Op.SLOT, slot, red, green, blue, pattern])


def op_fill(start: int, count: int, value: int) -> bytes:
    """The same value for `count` pixels."""
    return struct.pack("<BHHB", Op.FILL, start, count, value)


def op_copy(start: int, values: bytes) -> bytes:
    """One value a pixel."""
    return struct.pack("<BHB", Op.COPY, start, len(values)) + values


def op_clear() -> bytes:
    """All pixels dark."""
    return bytes([Op.CLEAR])


def pixel_value(slot: int, phase: int = 0) -> int:
    """The byte of a pixel: its slot and where it stands in a chase (0..7)."""
    return slot << 3 | (phase & 7)
