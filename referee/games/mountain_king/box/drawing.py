"""A drawing of a board side in our own style: caverns as cells round their middles, lairs, halls, swarms.

Where two caverns touch in the drawing and are not joined there is a wall; where joined ones do not touch, a
dashed way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from referee.games.kit.places import places_in
from referee.games.mountain_king.box.box import Box
from referee.games.mountain_king.box.components import CLAN_OF, CLANS, HALLS, PLACES
from referee.kernel.board import Board
from referee.kernel.messages import Messages, languages

Point = tuple[float, float]
Polygon = list[Point]

SCALE, MARGIN = 1.5, 60.0
"""Board units a unit of the data's square of 1000, and what lies round that square."""
SIDE = (1000 + 2 * MARGIN) * SCALE
RIM = 505.0
CORNERS = 56
LAIR, HALL, SWARM = 38.0, 22.0, 24.0
"""Radii of what is drawn over the caverns."""
TERRAIN = dict(zip(CLANS, ("forest", "plain", "ruins", "mountain", "hill", "swamp", "plain"), strict=True))
COLOURS = dict(zip(CLANS, ("lime", "sky", "blue", "brown", "orange", "yellow", "red"), strict=True))
"""A tint and the colour of the ring for each domain."""


@lru_cache(maxsize=16)
def drawn(side: Box, messages: Messages) -> Board:
    """The board for screens and lights."""
    return Board.from_json(_data(side, messages), messages)


def _data(side: Box, messages: Messages) -> dict[str, Any]:
    caverns = {PLACES[place]: side.at[PLACES[place]] for place in places_in(side.caverns)}
    cells = _cells({**caverns, "volcano": side.at["volcano"]})
    if set(side.outlines) == set(caverns):
        cells = {name: list(side.outlines[name]) for name in caverns}
    places: dict[str, Any] = {}
    for name, cell in cells.items():
        if name == "volcano":
            places[name] = _place(
                "rock", "mountain", "", side.at[name], cell, _said(messages, "place.volcano")
            )
            continue
        place = PLACES.index(name)
        clan = CLANS[CLAN_OF[place]]
        tags = ["gate"] if side.gates[CLAN_OF[place]] >> place & 1 else []
        places[name] = _place("region", TERRAIN[clan], clan, side.at[name], cell, side.names[name], tags)
    for place in places_in(side.lairs):
        name = PLACES[place]
        places[name] = _round("region", name, side, LAIR, side.names[name], ["lair"])
    for number, hall in enumerate(HALLS[: len(side.halls)], 1):
        names = {one: messages.text("place.hall", one, {"number": number}) for one in languages()}
        places[hall] = _round("box", hall, side, HALL, names, ["hall"])
    for clan in CLANS:
        names = {
            one: messages.text("place.swarm_point", one, {"clan": messages.text(f"clan.{clan}", one)})
            for one in languages()
        }
        places[f"swarm_{clan}"] = _round("box", clan, side, SWARM, names, ["swarm"])
    territories = {clan: {"colour": COLOURS[clan]} for clan in CLANS}
    return {
        "width": SIDE,
        "height": SIDE,
        "places": places,
        "lines": _lines(side, cells),
        "territories": territories,
    }


def _said(messages: Messages, message: str) -> dict[str, str]:
    return {language: messages.text(message, language) for language in languages()}


def _place(
    kind: str, terrain: str, territory: str, at: Point, outline: Polygon, names: Mapping[str, str],
    tags: list[str] | None = None,
) -> dict[str, Any]:  # fmt: skip
    return {
        "kind": kind,
        "terrain": terrain,
        "territory": territory,
        "label": _scaled(at),
        "outline": [_scaled(point) for point in outline],
        "tags": tags or [],
        "names": dict(names),
    }


def _round(
    kind: str, key: str, side: Box, radius: float, names: Mapping[str, str], tags: list[str]
) -> dict[str, Any]:
    at = side.at[key]
    return _place(kind, "plain", "", at, _circle(at, radius, 12), names, tags)


def _scaled(point: Point) -> list[float]:
    return [round((point[0] + MARGIN) * SCALE, 1), round((point[1] + MARGIN) * SCALE, 1)]


def _circle(middle: Point, radius: float, corners: int) -> Polygon:
    step = 2 * math.pi / corners
    return [
        (middle[0] + radius * math.cos(step * n), middle[1] + radius * math.sin(step * n))
        for n in range(corners)
    ]


def _cells(sites: Mapping[str, Point]) -> dict[str, Polygon]:
    """For each site the part of the mountain that is nearest to it."""
    found = {}
    for name, site in sites.items():
        cell = _circle((500.0, 500.0), RIM, CORNERS)
        for other, point in sites.items():
            if other != name:
                cell = _nearer(cell, site, point)
        found[name] = cell
    return found


def _nearer(cell: Polygon, site: Point, other: Point) -> Polygon:
    """The part of a cell that is nearer to ``site`` than to ``other`` (Sutherland and Hodgman's clipping)."""
    normal = (other[0] - site[0], other[1] - site[1])
    middle = ((other[0] + site[0]) / 2, (other[1] + site[1]) / 2)

    def beyond(point: Point) -> float:
        return (point[0] - middle[0]) * normal[0] + (point[1] - middle[1]) * normal[1]

    found: Polygon = []
    for here, after in zip(cell, [*cell[1:], *cell[:1]], strict=True):
        a, b = beyond(here), beyond(after)
        if a <= 0:
            found.append(here)
        if (a < 0 < b) or (b < 0 < a):
            share = a / (a - b)
            found.append((here[0] + share * (after[0] - here[0]), here[1] + share * (after[1] - here[1])))
    return found


NEAR = 14.0
"""How far apart the outlines of captured caverns may lie where they touch."""


def _side_by_side(first: Polygon, second: Polygon) -> Polygon:
    """The longest stretch of an outline that runs along another, nothing where none does."""
    for axis in (0, 1):
        if min(p[axis] for p in first) - NEAR > max(p[axis] for p in second):
            return []
        if min(p[axis] for p in second) - NEAR > max(p[axis] for p in first):
            return []
    one, other = _dense(first), _dense(second)
    along = [min(math.dist(a, b) for b in other) < NEAR for a in one]
    if not any(along):
        return []
    start = along.index(False) if False in along else 0
    best: list[Point] = []
    run: list[Point] = []
    for n in range(len(one)):
        at = (start + n) % len(one)
        run = [*run, one[at]] if along[at] else []
        best = max(best, run, key=len)
    return best


def _dense(outline: Polygon, step: float = 8.0) -> Polygon:
    """An outline with a point every few units."""
    found = []
    for a, b in zip(outline, [*outline[1:], *outline[:1]], strict=True):
        parts = max(1, math.ceil(math.dist(a, b) / step))
        found += [(a[0] + n / parts * (b[0] - a[0]), a[1] + n / parts * (b[1] - a[1])) for n in range(parts)]
    return found


def _shared(first: Polygon, second: Polygon) -> Polygon:
    """The edge that two cells have in common, nothing where they do not touch."""
    near = [a for a in first for b in second if abs(a[0] - b[0]) < 0.01 and abs(a[1] - b[1]) < 0.01]
    return near if len(near) == 2 else []


def _lines(side: Box, cells: Mapping[str, Polygon]) -> list[dict[str, Any]]:
    found = []
    touch = _side_by_side if side.outlines else _shared
    caverns = [*places_in(side.caverns)]
    for at, place in enumerate(caverns):
        for other in caverns[at + 1 :]:
            joined = bool(side.neighbours[place] >> other & 1)
            between = [PLACES[place], PLACES[other]]
            edge = touch(cells[between[0]], cells[between[1]])
            if edge and math.dist(edge[0], edge[-1]) > 12:
                found.append(_line("border" if joined else "wall", between, edge))
            elif joined:
                found.append(_line("pass", between, _inner(side, between)))
    for lair in places_in(side.lairs):
        for place in places_in(side.neighbours[lair]):
            between = [PLACES[lair], PLACES[place]]
            found.append(_line("pass", between, _inner(side, between, LAIR)))
    return found


def _inner(side: Box, between: list[str], first: float = 26.0) -> Polygon:
    """The middle of the way between two places."""
    a, b = (side.at[place] for place in between)
    away = math.dist(a, b) or 1.0
    start, end = min(0.45, first / away), max(0.55, 1 - 26.0 / away)
    return [(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])) for share in (start, end)]


def _line(kind: str, between: list[str], points: Polygon) -> dict[str, Any]:
    return {"kind": kind, "between": between, "points": [_scaled(point) for point in points]}
