"""Which LED lies under which place: by hand, LED after LED; both ways write the same file.

`ManualMapping` is the logic behind the tablet's page: it says which LED is lit,
takes a tap on a place, and can skip and take back.  `calibration.led_map_camera`
finds the places by camera.  The file is `firmware_bridge.led_map.LedMap`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot, inf

from firmware_bridge.led_map import LedMap
from referee.kernel.lights import Light, Lights, Pattern

Point = tuple[float, float]

CURRENT = Light(255, 255, 255, Pattern.STEADY)
SAME_PLACE = Light(0, 70, 70, Pattern.STEADY)
"""LEDs that the place of the last tap has already: dim, so that the lit one stands out."""


def raw_map(leds: int) -> LedMap:
    """A map in which every LED is a place of its own, named by its number: to light them while mapping."""
    return LedMap.identity(str(n) for n in range(leds))


@dataclass
class ManualMapping:
    """Decides LED after LED.  Show `lights()` through `raw_map`, then call `assign`, `skip` or `undo`.

    Several LEDs may be given to one place, one after the other.  It can be put
    aside with `to_data` and taken up again with `from_data`.
    """

    leds: int
    places: Sequence[str]
    choices: list[str | None] = field(default_factory=list)
    """What was decided for the open LEDs so far: a place, or None where one was skipped."""
    known: LedMap | None = None
    """A map whose other LEDs stay as they are."""
    open: tuple[int, ...] = ()
    """The LEDs to decide; all of the strip where there is no known map."""

    def __post_init__(self) -> None:
        if self.known is None:
            self.open = tuple(range(self.leds))

    @classmethod
    def correcting(cls, known: LedMap, places: Sequence[str], unsure: Iterable[int]) -> ManualMapping:
        """Only some LEDs of a finished map: what the camera was unsure of."""
        return cls(known.leds, places, known=known, open=tuple(unsure))

    @property
    def current(self) -> int | None:
        """The LED that is lit, None when all are decided."""
        return self.open[len(self.choices)] if len(self.choices) < len(self.open) else None

    def lights(self) -> Lights:
        """What `raw_map` should show now."""
        if self.current is None:
            return {}
        last = next((choice for choice in reversed(self.choices) if choice is not None), None)
        same = self.result().places.get(last, ()) if last is not None else ()
        return {str(led): SAME_PLACE for led in same} | {str(self.current): CURRENT}

    def assign(self, place: str) -> None:
        """The lit LED lies under this place; go on to the next.  ValueError with a sentence."""
        if place not in self.places:
            raise ValueError(f"{place} is not a place of this board")
        self._decide(place)

    def skip(self) -> None:
        """The lit LED lies under no place: it stays dark for ever."""
        self._decide(None)

    def _decide(self, choice: str | None) -> None:
        if self.current is None:
            raise ValueError("all LEDs are decided; undo or save")
        self.choices.append(choice)

    def undo(self) -> None:
        """Take the last decision back and light that LED again; nothing happens at the start."""
        if self.choices:
            self.choices.pop()

    def missing(self) -> list[str]:
        """Places that have no LED yet, in the order of the board."""
        given = self.result().places
        return [place for place in self.places if place not in given]

    def result(self) -> LedMap:
        """The map of what is decided so far; open LEDs belong to no place."""
        known = self.known.places if self.known else {}
        places = {place: [n for n in leds if n not in self.open] for place, leds in known.items()}
        for led, place in zip(self.open, self.choices, strict=False):
            if place is not None:
                places.setdefault(place, []).append(led)
        return LedMap({place: tuple(sorted(leds)) for place, leds in places.items() if leds}, self.leds)

    def to_data(self) -> dict[str, object]:
        """What `from_data` needs, for a file."""
        return {"leds": self.leds, "choices": list(self.choices)}

    @classmethod
    def from_data(cls, data: Mapping[str, object], places: Sequence[str]) -> ManualMapping:
        """Take a mapping of the whole strip up again; ValueError if it does not fit the board."""
        leds, choices = data.get("leds"), data.get("choices")
        if not isinstance(leds, int) or not isinstance(choices, list) or len(choices) > leds:
            raise ValueError("this is no mapping that was put aside")
        mapping = cls(leds, places)
        for choice in choices:
            if choice is None:
                mapping.skip()
            else:
                mapping.assign(choice)
        return mapping


# --- from a point on the board to a place ---------------------------------------------


def inside(point: Point, outline: Sequence[Point]) -> bool:
    """Even-odd rule."""
    x, y = point
    odd = False
    for (x1, y1), (x2, y2) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            odd = not odd
    return odd


def edge_distance(point: Point, outline: Sequence[Point]) -> float:
    """Distance from a point to the nearest edge of a polygon, in its units."""
    x, y = point
    nearest = inf
    for (x1, y1), (x2, y2) in zip(outline, (*outline[1:], outline[0]), strict=True):
        dx, dy = x2 - x1, y2 - y1
        along = ((x - x1) * dx + (y - y1) * dy) / ((dx * dx + dy * dy) or 1.0)
        along = min(1.0, max(0.0, along))
        nearest = min(nearest, hypot(x - x1 - along * dx, y - y1 - along * dy))
    return nearest


def area(outline: Sequence[Point]) -> float:
    """Area of a polygon, in its units squared."""
    ring = zip(outline, (*outline[1:], outline[0]), strict=True)
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in ring)) / 2


def place_at(point: Point, outlines: Mapping[str, Sequence[Point]], margin: float) -> tuple[str | None, bool]:
    """The place at a point, and whether that is sure.

    Where one place lies in another (the box of a besieged garrison in its region), the smaller one is meant.
    A point nearer than `margin` to the border of another place could as well
    lie there.  Outside of all places: None, sure if none is nearer than `margin`.
    """
    around = [place for place, outline in outlines.items() if inside(point, outline)]
    home = min(around, key=lambda place: area(outlines[place]), default=None)
    near = [
        place
        for place, outline in outlines.items()
        if place != home and edge_distance(point, outline) < margin
    ]
    return home, not near
