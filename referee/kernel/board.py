"""A game board as data: places with their outlines, and the lines between them.

Drawn by us from map data; screens, SVG pictures and the LED map all use it.
Coordinates are board units with x to the right and y down, (0, 0) at the top
left; ``width`` and ``height`` give the size.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from referee.kernel.messages import Messages, languages

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Place:
    """A region or a box of the board.

    ``kind``: ``region``, ``box`` (off-map space) or ``rock`` (no place to be, drawn only;
    sea where its terrain is ``water``).
    ``tags`` are what is printed there (``settlement``, ``fortification``, ``mustering``...).
    """

    id: str
    name_de: str
    name_en: str
    kind: str
    terrain: str
    territory: str
    label: Point
    outline: tuple[Point, ...]
    tags: tuple[str, ...] = ()
    more_names: Mapping[str, str] = field(default_factory=dict)
    """Its name in further languages."""

    def name(self, language: str) -> str:
        """Its name in ``language``, or else in English."""
        return {"de": self.name_de, "en": self.name_en, **self.more_names}.get(language, self.name_en)


@dataclass(frozen=True, slots=True)
class Line:
    """What divides or joins two places.

    ``kind``: ``border`` (may be crossed), ``slope`` (crossed at a price;
    ``between`` names the lower side first), ``river`` and ``wall`` (may not be
    crossed), ``coast``, ``ford``, ``bridge`` and ``pass`` (drawn across, joining the two places),
    ``section`` (from edge to edge, parting the board for cards that order units by it).
    """

    kind: str
    between: tuple[str, str]
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Board:
    """All that is needed to draw a board."""

    width: float
    height: float
    places: Mapping[str, Place]
    lines: tuple[Line, ...]
    territories: Mapping[str, Mapping[str, str]]

    def as_json(self) -> dict[str, Any]:
        """A JSON-able form for screens."""
        data = asdict(self)
        data["places"] = {key: _without_empty(asdict(place)) for key, place in self.places.items()}
        return data

    @cached_property
    def digest(self) -> str:
        """SHA-256 in hex over all that is drawn, names included: screens and pictures go by it."""
        return _digest(self.as_json())

    @cached_property
    def layout_digest(self) -> str:
        """SHA-256 in hex over what lies where, whatever it is called and whichever terrain it has.

        LED maps go by it: scenarios on one grid share their map.
        """
        places = {key: [place.label, place.outline] for key, place in self.places.items()}
        return _digest({"size": [self.width, self.height], "places": places})

    @classmethod
    def from_json(cls, data: Mapping[str, Any], messages: Messages) -> Board:
        """A board from its file's data.

        A place's names are its own (``"names": {"de": ..., "en": ...}``) or the messages ``place.<id>``.
        """

        def name(key: str, raw: Mapping[str, Any], language: str) -> str:
            own = raw.get("names", {}).get(language)
            return str(own) if own else messages.text(f"place.{key}", language)

        def points(raw: Any) -> tuple[Point, ...]:
            return tuple((float(x), float(y)) for x, y in raw)

        places = {
            key: Place(
                id=key,
                name_de=name(key, raw, "de"),
                name_en=name(key, raw, "en"),
                kind=raw["kind"],
                terrain=raw["terrain"],
                territory=raw["territory"],
                label=points([raw["label"]])[0],
                outline=points(raw["outline"]),
                tags=tuple(raw["tags"]),
                more_names={one: name(key, raw, one) for one in languages() if one not in ("de", "en")},
            )
            for key, raw in data["places"].items()
        }
        lines = tuple(
            Line(r["kind"], (r["between"][0], r["between"][1]), points(r["points"])) for r in data["lines"]
        )
        return cls(float(data["width"]), float(data["height"]), places, lines, data["territories"])

    @classmethod
    def load(cls, path: Path, messages: Messages) -> Board:
        """Read a board file (JSON).  Raises OSError, ValueError or KeyError where it is not one."""
        return cls.from_json(json.loads(path.read_text(encoding="utf-8")), messages)


def _without_empty(place: dict[str, Any]) -> dict[str, Any]:
    """Digests of a board do not change because names may come in further languages now."""
    if not place["more_names"]:
        del place["more_names"]
    return place


def _digest(data: Any) -> str:
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
