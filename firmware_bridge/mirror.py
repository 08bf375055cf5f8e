"""What the controller shows, as the host knows it, and the frames that lead to what it should show."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_bridge.led_map import LedMap
from firmware_bridge.protocol import MAX_OPS, SLOTS, op_clear, op_copy, op_fill, op_slot, pixel_value
from referee.kernel.lights import Light, Lights, Pattern

_GAP = 4
"""Unchanged pixels between two changed runs that are cheaper to resend than a new operation."""


def _distance(a: Light, b: Light) -> int:
    other_pattern = 1_000_000 if a.pattern != b.pattern else 0
    return other_pattern + (a.red - b.red) ** 2 + (a.green - b.green) ** 2 + (a.blue - b.blue) ** 2


class ControllerCopy:
    """A copy of the controller's slots and pixels; one byte a pixel.

    `plan` gives the bodies of UPDATE frames and takes it that they arrive;
    whoever sends them makes a new mirror with `known=False` if they do not.
    """

    def __init__(self, count: int, known: bool = False) -> None:
        self._pixels = bytearray(count)
        self._slots: dict[Light, int] = {}
        self._known = known

    def plan(self, lights: Lights, led_map: LedMap) -> list[bytes]:
        """Bodies of UPDATE frames, the last one with the order to show; empty if nothing differs."""
        head = [] if self._known else [op_clear()]
        wanted = {
            place: light
            for place in led_map.places
            if (light := lights.get(place)) is not None and _lit(light)
        }
        fresh = self._assign(wanted.values())
        target = bytearray(len(self._pixels))
        for place, light in wanted.items():
            slot = self._slots.get(light) or self._nearest(light)
            for phase, index in enumerate(led_map.places[place]):
                if index < len(target):
                    target[index] = pixel_value(slot, phase)
        if self._known and target == self._pixels:
            return []
        ops = head + [op_slot(n, c.red, c.green, c.blue, c.pattern) for c, n in fresh.items()]
        ops += _differences(self._pixels, target)
        self._pixels, self._known = target, True
        return _frames(ops)

    def _assign(self, wanted: Iterable[Light]) -> dict[Light, int]:
        """Give every new light a slot that neither the old nor the new picture uses."""
        needed = dict.fromkeys(wanted)
        kept = {self._slots[light] for light in needed if light in self._slots}
        showing = {value >> 3 for value in self._pixels}
        free = [n for n in range(1, SLOTS) if n not in kept and n not in showing]
        fresh: dict[Light, int] = {}
        for light in needed:
            if light in self._slots or not free:
                continue
            fresh[light] = free.pop(0)
        taken = set(fresh.values())
        self._slots = {light: n for light, n in self._slots.items() if n not in taken} | fresh
        return fresh

    def _nearest(self, light: Light) -> int:
        """More than 31 different lights at once: the most similar one that has a slot."""
        return self._slots[min(self._slots, key=lambda other: _distance(light, other))]


def _lit(light: Light) -> bool:
    return light.pattern != Pattern.OFF and bool(light.red or light.green or light.blue)


def _differences(old: bytearray, new: bytearray) -> list[bytes]:
    """FILL and COPY operations that turn old into new."""
    changed = [i for i in range(len(new)) if old[i] != new[i]]
    runs: list[tuple[int, int]] = []
    for index in changed:
        if runs and index - runs[-1][1] <= _GAP:
            runs[-1] = (runs[-1][0], index + 1)
        else:
            runs.append((index, index + 1))
    ops: list[bytes] = []
    longest = MAX_OPS - 4
    for start, end in runs:
        values = bytes(new[start:end])
        if len(values) > 2 and len(set(values)) == 1:
            ops.append(op_fill(start, len(values), values[0]))
            continue
        ops += [op_copy(start + at, values[at : at + longest]) for at in range(0, len(values), longest)]
    return ops


def _frames(ops: list[bytes]) -> list[bytes]:
    """Pack operations into bodies; only the last says show, so nobody sees half a picture."""
    bodies: list[bytearray] = [bytearray([0])]
    for op in ops:
        if len(bodies[-1]) - 1 + len(op) > MAX_OPS:
            bodies.append(bytearray([0]))
        bodies[-1] += op
    bodies[-1][0] = 1
    return [bytes(body) for body in bodies]
