"""A board side and a wheel that their owner captured from photographs become the data of a box.

What is not on them (tracks, cards, tiles) stays that of the practice set until the owner tells it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from referee.games.mountain_king.box import components as box
from referee.games.mountain_king.box.box import BOOST, BREACH, EFFECTS
from referee.kernel.capturing import (
    AREA,
    EACH_GROUP,
    POINT,
    UNIT,
    CaptureForm,
    Drawing,
    DrawnArea,
    DrawnPoint,
    Mark,
    Trouble,
    reached,
)
from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Messages, Text, languages

BOARD, WHEEL = "board", "wheel"
GATE, LAIR, LAIR_INSIDE, HALL, SWARM, STAR = "gate", "lair", "lair_inside", "hall", "swarm", "star"
PLAYERS, BOOSTS = "players", "boosts"
RIM = 60.0
"""A gate's cavern comes so near to the outer border of all caverns."""

FORMS = (
    CaptureForm(
        BOARD,
        "capture.board",
        box.CLANS,
        "clan",
        (
            Mark(GATE, AREA, "capture.gate"),
            Mark(LAIR, POINT, "capture.lair", tuple(box.PAIRS), "glyph", copies=2),
            Mark(LAIR_INSIDE, POINT, "capture.lair_inside", tuple(box.PAIRS), "glyph", copies=2),
            Mark(HALL, POINT, "capture.hall", reach=40.0),
            Mark(SWARM, EACH_GROUP, "capture.swarm", box.CLANS, "clan", copies=1),
        ),
        {PLAYERS: "capture.players"},
    ),
    CaptureForm(
        WHEEL,
        "capture.wheel",
        EFFECTS,
        "effect",
        (
            Mark(STAR, AREA, "capture.star"),
            Mark(BOOST, POINT, "capture.boost", reach=25.0),
            Mark(BREACH, POINT, "capture.breach", reach=25.0),
        ),
        {BOOSTS: "capture.boosts"},
        named=False,
    ),
)


def capture_forms() -> tuple[CaptureForm, ...]:
    """The board side and the wheel."""
    return FORMS


def troubles(form: str, drawing: Drawing) -> list[Trouble]:
    """What the rulebook's counts miss in a drawing."""
    return _board_troubles(drawing) if form == BOARD else _wheel_troubles(drawing)


def captured(form: str, drawing: Drawing, messages: Messages) -> dict[str, Any]:
    """The data of a complete drawing.  Raises :class:`InvalidAnswer` where it is not complete."""
    wrong = troubles(form, drawing)
    if wrong:
        raise InvalidAnswer(wrong[0].text)
    return _board_data(drawing, messages) if form == BOARD else _wheel_data(drawing)


# --- the board ------------------------------------------------------------------------------------------


def _board_troubles(drawing: Drawing) -> list[Trouble]:
    found = []
    for clan in box.CLANS:
        caverns = drawing.in_group(clan)
        gates = [one for one in caverns if GATE in drawing.areas[one].marks]
        if not caverns or len(caverns) > box.CAVERNS_A_DOMAIN:
            text = Text(
                "mountain_king.capture_caverns", clan=clan, count=len(caverns), most=box.CAVERNS_A_DOMAIN
            )
            found.append(Trouble(text, tuple(caverns)))
            continue
        if not gates:
            found.append(Trouble(Text("mountain_king.capture_no_gate", clan=clan), tuple(caverns)))
        inside = [pair for pair in drawing.joins if set(pair) <= set(caverns)]
        if set(caverns) - reached(inside, caverns[0]):
            found.append(Trouble(Text("mountain_king.capture_domain_apart", clan=clan), tuple(caverns)))
        if not any(one.mark == SWARM and one.value == clan for one in drawing.points):
            found.append(Trouble(Text("mountain_king.capture_no_swarm", clan=clan), tuple(caverns)))
    return [*found, *_rim_troubles(drawing), *_lair_troubles(drawing), *_hall_troubles(drawing)]


def _rim_troubles(drawing: Drawing) -> list[Trouble]:
    """Gates lead out of the mountain: their caverns lie at its rim."""
    every = [point for one in drawing.areas.values() for point in one.outline]
    hull = _hull(every)
    inner = tuple(
        key
        for key, one in drawing.areas.items()
        if GATE in one.marks and min(_to_rim(point, hull) for point in one.outline) > RIM
    )
    return [Trouble(Text("mountain_king.capture_gate_inside", count=len(inner)), inner)] if inner else []


def _lair_troubles(drawing: Drawing) -> list[Trouble]:
    lairs = [one for one in drawing.points if one.mark in (LAIR, LAIR_INSIDE)]
    found = []
    glyphs = sorted({one.value for one in lairs})
    odd = [glyph for glyph in glyphs if sum(one.value == glyph for one in lairs) != 2]
    if odd:
        found.append(Trouble(Text("mountain_king.capture_odd_lairs", glyphs=", ".join(odd).upper())))
    if any(not one.beside for one in lairs):
        found.append(Trouble(Text("mountain_king.capture_lone_lair")))
    players = drawing.numbers.get(PLAYERS, ())
    if not players or not set(players) <= set(box.GATE_CARDS):
        found.append(Trouble(Text("mountain_king.capture_players")))
    elif len(glyphs) < max(players):
        found.append(
            Trouble(Text("mountain_king.capture_few_lairs", count=len(glyphs), players=max(players)))
        )
    return found


def _hall_troubles(drawing: Drawing) -> list[Trouble]:
    halls = [one for one in drawing.points if one.mark == HALL]
    found = []
    if not 0 < len(halls) <= len(box.HALLS):
        found.append(Trouble(Text("mountain_king.capture_halls", count=len(halls), most=len(box.HALLS))))
    lone = [one for one in halls if len(one.beside) < 2]
    if lone:
        beside = tuple(area for one in lone for area in one.beside)
        found.append(Trouble(Text("mountain_king.capture_lone_hall", count=len(lone)), beside))
    return found


def _board_data(drawing: Drawing, messages: Messages) -> dict[str, Any]:
    keys = {
        area: f"{clan}_{number}"
        for clan in box.CLANS
        for number, area in enumerate(
            sorted(drawing.in_group(clan), key=lambda a: drawing.areas[a].at[::-1]), 1
        )
    }
    middle = _middle([one.at for one in drawing.areas.values()])
    swarms = {one.value: one.at for one in drawing.points if one.mark == SWARM}
    ring = sorted(box.CLANS, key=lambda clan: _turned(swarms[clan], middle))
    return {
        "players": sorted(set(drawing.numbers[PLAYERS])),
        "volcano": {"at": list(middle)},
        "domains": {
            clan: {
                "swarm_point": list(swarms[clan]),
                "gates": sorted(
                    keys[area] for area in drawing.in_group(clan) if GATE in drawing.areas[area].marks
                ),
            }
            for clan in box.CLANS
        },
        "caverns": {keys[area]: _cavern(keys[area], one, messages) for area, one in drawing.areas.items()},
        "joins": sorted([*sorted((keys[a], keys[b]))] for a, b in drawing.joins),
        "lairs": _lairs(drawing, keys),
        "lair_pairs_offered": {},
        "halls": {
            f"hall_{number}": {"next_to": sorted(keys[area] for area in one.beside), "at": list(one.at)}
            for number, one in enumerate((one for one in drawing.points if one.mark == HALL), 1)
        },
        "swarm_ring": ring,
    }


def _cavern(key: str, area: DrawnArea, messages: Messages) -> dict[str, Any]:
    """A cavern with its own name, or else with that of its place."""
    clan, _, number = key.rpartition("_")
    usual = {
        one: messages.text(
            "capture.cavern", one, {"clan": messages.text(f"clan.{clan}", one), "number": int(number)}
        )
        for one in languages()
    }
    return {
        "domain": clan,
        "at": list(area.at),
        "name": dict.fromkeys(languages(), area.name) if area.name else usual,
        "outline": [list(point) for point in area.outline],
    }


def _lairs(drawing: Drawing, keys: dict[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for one in drawing.points:
        if one.mark not in (LAIR, LAIR_INSIDE):
            continue
        number = 1 + sum(key.startswith(f"{one.value}_") for key in found)
        found[f"{one.value}_{number}"] = {
            "glyph": one.value,
            "next_to": sorted(keys[area] for area in one.beside),
            "domain": _domain_of(drawing, one) if one.mark == LAIR_INSIDE else None,
            "at": list(one.at),
        }
    return found


def _domain_of(drawing: Drawing, lair: DrawnPoint) -> str:
    """The domain of most caverns beside a lair; of the nearest where several have as many."""
    groups = [drawing.areas[area].group for area in lair.beside]
    nearest = min(lair.beside, key=lambda area: math.dist(drawing.areas[area].at, lair.at))
    return max(groups, key=lambda group: (groups.count(group), group == drawing.areas[nearest].group))


# --- the wheel ------------------------------------------------------------------------------------------


def _wheel_troubles(drawing: Drawing) -> list[Trouble]:
    found = []
    torn = tuple(area for area in drawing.areas if len(set(drawing.neighbours(area))) != 2)
    if torn or len(drawing.areas) < 3:
        found.append(Trouble(Text("mountain_king.capture_no_ring"), torn))
    if sum(STAR in one.marks for one in drawing.areas.values()) != 1:
        found.append(Trouble(Text("mountain_king.capture_no_star")))
    for trigger in (BOOST, BREACH):
        there = [one for one in drawing.points if one.mark == trigger]
        if len(there) != 1 or len(there[0].beside) != 2:
            found.append(Trouble(Text("mountain_king.capture_no_trigger", trigger=trigger)))
    values = drawing.numbers.get(BOOSTS, ())
    if not values or list(values) != sorted(values):
        found.append(Trouble(Text("mountain_king.capture_no_boosts")))
    return found


def _wheel_data(drawing: Drawing) -> dict[str, Any]:
    middle = _middle([one.at for one in drawing.areas.values()])
    order = sorted(drawing.areas, key=lambda area: _turned(drawing.areas[area].at, middle))
    start = next(n for n, area in enumerate(order) if STAR in drawing.areas[area].marks)
    order = order[start:] + order[:start]
    number = {area: n for n, area in enumerate(order)}
    wheel: dict[str, Any] = {
        "spaces": len(order),
        "star": 0,
        "effects": {str(n): drawing.areas[area].group for n, area in enumerate(order)},
        "boost_values": list(drawing.numbers[BOOSTS]),
    }
    for trigger in (BOOST, BREACH):
        beside = next(one.beside for one in drawing.points if one.mark == trigger)
        a, b = sorted(number[area] for area in beside)
        wheel[f"{trigger}_trigger_between"] = [a, b] if b - a == 1 else [b, a]
    return {"wheel": wheel}


# --- shapes ---------------------------------------------------------------------------------------------

Point = tuple[float, float]


def _middle(points: Sequence[Point]) -> Point:
    """The middle of the box round some points."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return round((min(xs) + max(xs)) / 2, 1), round((min(ys) + max(ys)) / 2, 1)


def _turned(point: Point, middle: Point) -> float:
    """Clockwise from the top, in turns."""
    return math.atan2(point[0] - middle[0], middle[1] - point[1]) % (2 * math.pi)


def _hull(points: Sequence[Point]) -> list[Point]:
    """The convex hull (Andrew's monotone chain)."""
    every = sorted(set(points))

    def half(row: list[Point]) -> list[Point]:
        found: list[Point] = []
        for x, y in row:
            while len(found) > 1 and (found[-1][0] - found[-2][0]) * (y - found[-2][1]) <= (
                found[-1][1] - found[-2][1]
            ) * (x - found[-2][0]):
                found.pop()
            found.append((x, y))
        return found[:-1]

    return half(every) + half(every[::-1])


def _to_rim(point: Point, hull: Sequence[Point]) -> float:
    """How far a point lies from the rim: from the hull's sides, or from the edge of the picture."""
    far = min(point[0], point[1], UNIT - point[0], UNIT - point[1])
    for (ax, ay), (bx, by) in zip(hull, [*hull[1:], *hull[:1]], strict=True):
        length = math.hypot(bx - ax, by - ay) or 1.0
        far = min(far, abs((bx - ax) * (ay - point[1]) - (ax - point[0]) * (by - ay)) / length)
    return far
