"""What a game wants to know of a printed board that only its owner has, and what was read off it.

A game declares a :class:`CaptureForm` for each board, wheel or other drawing that can be captured from a
photograph; the result is a :class:`Drawing`, from which the game makes its data.  Nothing here knows a game
or a camera.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from referee.kernel.messages import Text

Point = tuple[float, float]

AREA, POINT, EACH_GROUP = "area", "point", "group"
"""Where a mark lies: on an area; at a point of its own, with areas beside it; at one point for each group."""
UNIT = 1000.0
"""Drawings are squares of so many units, x to the right and y down."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Something printed that the owner taps.  ``label`` is a message of the game.

    ``values`` are what a mark may be told besides (a glyph, an effect), ids of ``domain``; each may stand
    ``copies`` times (0: any number).  ``reach`` is how far from its point areas still lie beside it.
    """

    id: str
    where: str
    label: str
    values: tuple[str, ...] = ()
    domain: str = ""
    copies: int = 0
    reach: float = 45.0


@dataclass(frozen=True, slots=True)
class CaptureForm:
    """What can be captured from one photograph.

    ``groups`` are what areas belong to (domains, effects...), ids whose names are of ``domain``;
    ``numbers`` are rows of numbers that are typed (messages of the game by id).
    """

    id: str
    label: str
    groups: tuple[str, ...]
    domain: str
    marks: tuple[Mark, ...] = ()
    numbers: Mapping[str, str] = field(default_factory=dict)
    named: bool = True
    """Whether areas have names of their own."""

    def mark(self, mark: str) -> Mark | None:
        """A mark by its id."""
        return next((one for one in self.marks if one.id == mark), None)


@dataclass(frozen=True, slots=True)
class DrawnArea:
    """An area: its group ("" while unknown), marks, name (or ""), outline and a point inside."""

    group: str
    marks: tuple[str, ...]
    name: str
    outline: tuple[Point, ...]
    at: Point


@dataclass(frozen=True, slots=True)
class DrawnPoint:
    """A mark at a point, and the areas beside it."""

    mark: str
    value: str
    at: Point
    beside: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """What was read off a photograph, in a square of UNIT."""

    areas: Mapping[str, DrawnArea]
    joins: tuple[tuple[str, str], ...]
    points: tuple[DrawnPoint, ...] = ()
    numbers: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def neighbours(self, area: str) -> list[str]:
        """The areas that touch one."""
        return [b if a == area else a for a, b in self.joins if area in (a, b)]

    def in_group(self, group: str) -> list[str]:
        """The areas of a group."""
        return [key for key, one in self.areas.items() if one.group == group]


@dataclass(frozen=True, slots=True)
class Trouble:
    """What keeps a drawing from being complete, and which areas it is about."""

    text: Text
    areas: tuple[str, ...] = ()


def reached(joins: Sequence[tuple[str, str]], start: str) -> set[str]:
    """All areas that can be reached from one."""
    beside: dict[str, list[str]] = {}
    for a, b in joins:
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    found, edge = {start}, [start]
    while edge:
        for one in beside.get(edge.pop(), ()):
            if one not in found:
                found.add(one)
                edge.append(one)
    return found
