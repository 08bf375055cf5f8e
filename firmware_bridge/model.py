"""What the controller's firmware does with slots and pixels, in Python, number for number.

The tests hold the two together on the wire.  Used by the virtual controller,
by drivers whose hardware knows no patterns, and by the pictures in the docs.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from firmware_bridge.protocol import SLOTS, Op, StripSettings
from referee.kernel.lights import Pattern

BLINK_MS, PULSE_MS, BREATHE_MS, CHASE_STEP_MS = 1000, 1500, 4000, 125
GLOW_LEVEL = 96
GAMMA = tuple(round(255 * (value / 255) ** 2.2) for value in range(256))
_ORDER = ((1, 0, 2), (0, 1, 2), (1, 2, 0), (0, 2, 1), (2, 0, 1), (2, 1, 0))

RGB = tuple[int, int, int]


def _scaled(value: int, by: int) -> int:
    return value * (by + 1) >> 8


def level(pattern: int, clock: int, phase: int = 0) -> int:
    """Brightness 0..255 of a pattern at `clock` (units of 1.024 ms), before gamma."""
    if pattern == Pattern.OFF:
        return 0
    if pattern == Pattern.PULSE:
        return 255 - clock % PULSE_MS * 207 // PULSE_MS
    if pattern == Pattern.BLINK:
        return 255 if clock % BLINK_MS < BLINK_MS // 2 else 0
    if pattern == Pattern.BREATHE:
        at = clock % BREATHE_MS
        rise = (at if at < BREATHE_MS // 2 else BREATHE_MS - at) * 255 // (BREATHE_MS // 2)
        return 40 + rise * rise * (765 - 2 * rise) // 65025 * 215 // 255
    if pattern == Pattern.CHASE:
        behind = (clock // CHASE_STEP_MS - phase) & 3
        return (255, GLOW_LEVEL, 0, 0)[behind]
    return 255


@dataclass
class ControllerModel:
    """State and rendering of one controller."""

    settings: StripSettings = field(default_factory=lambda: StripSettings(300))
    slots: dict[int, tuple[int, int, int, int]] = field(default_factory=dict)
    pixels: bytearray = field(default_factory=lambda: bytearray(300))

    def configure(self, settings: StripSettings) -> None:
        """Take settings over; pixels beyond the count go dark."""
        self.settings = settings
        self.pixels[settings.count :] = bytes(len(self.pixels) - settings.count)

    def apply(self, ops: bytes) -> bool:
        """All operations, or none and False if one is not well formed."""
        slots, pixels = dict(self.slots), bytearray(self.pixels)
        while ops:
            used = self._apply_one(ops, slots, pixels)
            if not used:
                return False
            ops = ops[used:]
        self.slots, self.pixels = slots, pixels
        return True

    def _apply_one(self, ops: bytes, slots: dict[int, tuple[int, int, int, int]], pixels: bytearray) -> int:
        count = self.settings.count
        if ops[0] == Op.CLEAR:
            pixels[:] = bytes(len(pixels))
            return 1
        if ops[0] == Op.SLOT and len(ops) >= 6:
            if not 0 < ops[1] < SLOTS or ops[5] > max(Pattern):
                return 0
            slots[ops[1]] = (ops[2], ops[3], ops[4], ops[5])
            return 6
        if ops[0] == Op.FILL and len(ops) >= 6:
            start, length, value = struct.unpack_from("<HHB", ops, 1)
            if start + length > count:
                return 0
            pixels[start : start + length] = bytes([value]) * length
            return 6
        if ops[0] == Op.COPY and len(ops) >= 4:
            start, length = struct.unpack_from("<HB", ops, 1)
            if start + length > count or length > len(ops) - 4:
                return 0
            pixels[start : start + length] = ops[4 : 4 + length]
            return 4 + int(length)
        return 0

    def _channel(self, value: int, at_level: int) -> int:
        return _scaled(GAMMA[_scaled(value, at_level)], self.settings.brightness)

    def power_scale(self) -> int:
        """0..256: how far the current budget dims the picture (256 = not at all)."""
        total = 0
        for value in self.pixels[: self.settings.count]:
            slot = self.slots.get(value >> 3)
            if slot and slot[3] != Pattern.OFF:
                total += sum(self._channel(c, 255) for c in slot[:3])
        settings = self.settings
        idle = (settings.count * round(settings.idle_ma * 10) + 9) // 10
        limit = max(0, settings.budget_ma - idle) * 2550 // round(settings.channel_ma * 10)
        return limit * 256 // total if total > limit else 256

    def animated(self) -> bool:
        """Whether the picture changes with time."""
        still = (Pattern.OFF, Pattern.STEADY)
        return any(
            value >> 3 in self.slots and self.slots[value >> 3][3] not in still
            for value in self.pixels[: self.settings.count]
        )

    def render(self, clock: int) -> list[RGB]:
        """Red, green, blue that each pixel is sent at `clock` (units of 1.024 ms)."""
        scale = self.power_scale()
        seen: dict[tuple[int, int], RGB] = {}
        picture = []
        for value in self.pixels[: self.settings.count]:
            slot, phase = value >> 3, value & 7
            if (slot, phase) not in seen:
                seen[slot, phase] = self._colour(slot, phase, clock, scale)
            picture.append(seen[slot, phase])
        return picture

    def perceived(self, clock: int) -> list[RGB]:
        """Colours before gamma, brightness and budget, for hardware that has its own."""
        picture = []
        for value in self.pixels[: self.settings.count]:
            red, green, blue, pattern = self.slots.get(value >> 3, (0, 0, 0, 0))
            at_level = level(pattern, clock, value & 7)
            picture.append((_scaled(red, at_level), _scaled(green, at_level), _scaled(blue, at_level)))
        return picture

    def _colour(self, slot: int, phase: int, clock: int, scale: int) -> RGB:
        red, green, blue, pattern = self.slots.get(slot, (0, 0, 0, 0))
        at_level = level(pattern, clock, phase)
        r, g, b = (self._channel(c, at_level) * scale >> 8 for c in (red, green, blue))
        return r, g, b


def to_wire(picture: list[RGB], order: int) -> bytes:
    """Bytes in the strip's colour order."""
    places = _ORDER[order]
    wire = bytearray(3 * len(picture))
    for index, colour in enumerate(picture):
        for channel in range(3):
            wire[3 * index + places[channel]] = colour[channel]
    return bytes(wire)


def from_wire(wire: bytes, order: int) -> list[RGB]:
    """The inverse of `to_wire`."""
    places = _ORDER[order]
    r, g, b = places
    return [(wire[i + r], wire[i + g], wire[i + b]) for i in range(0, len(wire) - 2, 3)]


def current_ma(picture: list[RGB], settings: StripSettings) -> float:
    """Estimated milliamperes of a picture: the controller's own model of the strip."""
    lit = sum(map(sum, picture)) / 255 * settings.channel_ma
    return lit + len(picture) * settings.idle_ma
