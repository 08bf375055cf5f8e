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
from referee.lights import Light, Lights, Pattern

Point = tuple[float, float]

CURRENT = Light(255, 255, 255, Pattern.STEADY)
SAME_PLACE = Light(0, 70, 70, Pattern.STEADY)
"""LEDs that the place of the last tap has already: dim, so that the lit one stands out."""


def raw_map(leds: int) -> LedMap:
    """A map in which every LED is a place of its own, named by its number: to light them while mapping."""
    return LedMap.identity(str(n) for n in range(leds))


@dataclass
class ManualMapping:
    """A mapping session.  Show `lights()` through `raw_map`, then call `assign`, `skip` or `undo`.

    Several LEDs may be given to one place, one after the other.  A session can
    be put aside with `to_data` and taken up again with `from_data`.
    """

    leds: int
    places: Sequence[str]
    choices: list[str | None] = field(default_factory=list)
    """What was decided for LED 0, 1, ...: a place, or None where it was skipped."""

    @property
    def current(self) -> int | None:
        """The LED that is lit, None when all are decided."""
        return len(self.choices) if len(self.choices) < self.leds else None

    def lights(self) -> Lights:
        """What `raw_map` should show now."""
        if self.current is None:
            return {}
        last = next((c for c in reversed(self.choices) if c is not None), None)
        shown = {str(n): SAME_PLACE for n, c in enumerate(self.choices) if c is not None and c == last}
        return shown | {str(self.current): CURRENT}

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
        given = set(self.choices)
        return [place for place in self.places if place not in given]

    def result(self) -> LedMap:
        """The map of what is decided so far."""
        found: dict[str, tuple[int, ...]] = {}
        for led, place in enumerate(self.choices):
            if place is not None:
                found[place] = (*found.get(place, ()), led)
        return LedMap(found, self.leds)

    def to_data(self) -> dict[str, object]:
        """For a file or a web session."""
        return {"leds": self.leds, "choices": list(self.choices)}

    @classmethod
    def from_data(cls, data: Mapping[str, object], places: Sequence[str]) -> ManualMapping:
        """The inverse of `to_data`; ValueError if it does not fit the board."""
        leds, choices = data.get("leds"), data.get("choices")
        if not isinstance(leds, int) or not isinstance(choices, list) or len(choices) > leds:
            raise ValueError("this is not a mapping session")
        session = cls(leds, places)
        for choice in choices:
            session._decide(choice) if choice is None else session.assign(choice)
        return session

    @classmethod
    def correcting(cls, led_map: LedMap, places: Sequence[str], unsure: Iterable[int]) -> Correction:
        """A session over a few LEDs of a finished map, for what the camera was unsure of."""
        return Correction(led_map, places, tuple(unsure))


@dataclass
class Correction:
    """Decides some LEDs of a map by hand; the others stay as they are."""

    led_map: LedMap
    places: Sequence[str]
    open: tuple[int, ...]
    choices: list[str | None] = field(default_factory=list)

    @property
    def current(self) -> int | None:
        """The LED that is lit, None when all are decided."""
        return self.open[len(self.choices)] if len(self.choices) < len(self.open) else None

    def lights(self) -> Lights:
        """What `raw_map` should show now."""
        return {} if self.current is None else {str(self.current): CURRENT}

    def assign(self, place: str) -> None:
        """The lit LED lies under this place.  ValueError with a sentence."""
        if place not in self.places:
            raise ValueError(f"{place} is not a place of this board")
        if self.current is not None:
            self.choices.append(place)

    def skip(self) -> None:
        """The lit LED lies under no place."""
        if self.current is not None:
            self.choices.append(None)

    def undo(self) -> None:
        """Take the last decision back."""
        if self.choices:
            self.choices.pop()

    def result(self) -> LedMap:
        """The map with the decisions so far; open LEDs belong to no place."""
        places = {p: tuple(i for i in led if i not in self.open) for p, led in self.led_map.places.items()}
        for led, place in zip(self.open, self.choices, strict=False):
            if place is not None:
                places[place] = tuple(sorted((*places.get(place, ()), led)))
        return LedMap({p: led for p, led in places.items() if led}, self.led_map.leds)


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


def place_at(point: Point, outlines: Mapping[str, Sequence[Point]], margin: float) -> tuple[str | None, bool]:
    """The place at a point, and whether that is sure.

    A point nearer than `margin` to the border of another place could as well
    lie there.  Outside of all places: None, sure if none is nearer than `margin`.
    """
    home = next((place for place, outline in outlines.items() if inside(point, outline)), None)
    near = [
        place
        for place, outline in outlines.items()
        if place != home and edge_distance(point, outline) < margin
    ]
    return home, not near
