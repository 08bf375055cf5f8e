"""What the ground does: terrain of the scenario and special places that were set, as masks of hexes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from referee.games.battlelore.box.components import LAIR, PLACE, PLACE_COUNT, TERRAIN, TERRAIN_FIELDS
from referee.games.battlelore.box.scenario import Field

NO_CAP = 9
Placed = tuple[tuple[str, str], ...]
"""Hex and kind of what was set on the board besides the scenario's terrain."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Masks of the hexes at which something holds, and numbers of each hex."""

    stop: int
    """A unit that enters ends its move."""
    calm: int
    """A unit that enters does not fight in that turn."""
    sight: int
    """They block the line of sight."""
    closed: int
    places: int
    """Special places."""
    woods: int
    held: int
    """Levels of boldness for the neighbours of whoever holds them."""
    cap: tuple[int, ...]
    """Most base dice of fights into or out of each hex."""
    bold: tuple[int, ...]
    kinds: Mapping[int, tuple[str, ...]]


def unread(kind: str, card: Mapping[str, Any]) -> list[str]:
    """The fields of a terrain card that nobody has read; of one that is known in part, the rest counts as
    nothing."""
    if kind in TERRAIN and "sight" in card:
        return []
    return [] if kind not in TERRAIN else [one for one in TERRAIN_FIELDS if one not in card]


def terrain_keys(kinds: Mapping[str, Mapping[str, Any]], lairs: bool) -> Iterator[tuple[str, str]]:
    """Kind and field of all that a battlefield needs to know of its terrain cards and nobody has read."""
    for kind, card in {**kinds, **({LAIR: TERRAIN[LAIR]} if lairs else {})}.items():
        yield from ((kind, one) for one in unread(kind, card))


def ground_of(field: Field, placed: Mapping[str, Mapping[str, Any]], values: Mapping[str, Any]) -> Ground:
    """The ground of a battlefield with what was set on it, by the box book's ``values``."""
    told = tuple((key, value) for key, value in values.items() if key.startswith("terrain."))
    return _ground(field, tuple((at, str(one["kind"])) for at, one in placed.items()), told)


@lru_cache(maxsize=512)
def _ground(field: Field, placed: Placed, told: tuple[tuple[str, Any], ...]) -> Ground:
    values = dict(told)
    kinds: dict[int, list[str]] = {}
    cards: dict[str, Mapping[str, Any]] = {
        kind: _card(kind, card, values) for kind, card in field.kinds.items()
    }
    for kind, hexes in field.terrain.items():
        for at in hexes:
            kinds.setdefault(at, []).append(kind)
    for name, kind in placed:
        general = LAIR if kind == LAIR else "landmark"
        cards[kind] = _card(general, TERRAIN[general], values)
        kinds.setdefault(PLACE[name], []).append(kind)

    def mask(key: str, wanted: bool, otherwise: bool) -> int:
        return sum(
            1 << at
            for at, there in kinds.items()
            if any(bool(cards[kind].get(key, otherwise)) is wanted for kind in there)
        )

    here = {at: [cards[kind] for kind in there] for at, there in kinds.items()}
    return Ground(
        stop=mask("stop", True, False),
        calm=mask("fight", False, True),
        sight=mask("sight", True, False),
        closed=mask("closed", True, False),
        places=mask("place", True, False),
        woods=sum(1 << at for at, there in kinds.items() if "woods" in there),
        held=mask("held", True, False),
        cap=tuple(min((card.get("cap", NO_CAP) for card in here.get(at, ())), default=NO_CAP) for at in
        range(PLACE_COUNT)),
        bold=tuple(sum(card.get("bold", 0) for card in here.get(at, ())) for at in range(PLACE_COUNT)),
        kinds={at: tuple(there) for at, there in kinds.items()},
    )  # fmt: skip


def _card(kind: str, card: Mapping[str, Any], values: Mapping[str, Any]) -> Mapping[str, Any]:
    """A terrain card with what the box book tells of it."""
    found = dict(card)
    for name in unread(kind, card):
        told = str(values.get(f"terrain.{kind}.{name}", TERRAIN_FIELDS[name][0]))
        found[name] = int(told) if told.isdigit() else told == "yes"
    return found
