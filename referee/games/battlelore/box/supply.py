"""What the box holds of each kind of tile and banner bearer: told by its owner, kind by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from referee.games.battlelore.box.components import CAMPS, CLASSES, COLOURS, CREATURE, RACES, SEATS, TILES
from referee.games.battlelore.box.scenario import Field, Unit

MOST = 24
"""More of one kind than the largest box of 58 banner bearers or 46 tiles can have."""
NUMBERS = tuple(map(str, range(MOST + 1)))


def bearer_of(unit: Unit) -> str:
    """The kind of banner bearer that stands for a unit: its class, colour and race, or its creature."""
    return unit.name


def bearers() -> Iterator[str]:
    """Every kind of banner bearer that a camp may have, creatures apart."""
    for race in ("", *RACES):
        for kind in CLASSES[:CREATURE]:
            for colour in COLOURS:
                yield "_".join(filter(None, (kind, colour, race)))


def tile_key(kind: str) -> str:
    """The key of the box book for the number of tiles of a terrain."""
    return f"supply.tile.{kind}"


def bearer_key(camp: str, bearer: str) -> str:
    """The key for the number of a camp's banner bearers of a kind."""
    return f"supply.{camp}.{bearer}"


def told_keys() -> Iterator[tuple[str, str, str]]:
    """All keys, each with its camp ("" for tiles) and its kind."""
    for kind in TILES:
        yield tile_key(kind), "", kind
    for camp in CAMPS:
        for bearer in bearers():
            yield bearer_key(camp, bearer), camp, bearer


def tiles_of(field: Field) -> dict[str, int]:
    """How many tiles of each terrain a battle takes."""
    return {kind: len(hexes) for kind, hexes in field.terrain.items() if hexes}


def bearers_of(field: Field, seat: int) -> Counter[str]:
    """How many banner bearers of each kind a side takes."""
    return Counter(bearer_of(unit) for unit in field.units if unit.seat == seat)


def camp_of(field: Field, seat: int) -> str:
    """The camp of a side."""
    return str(field.data.get("camps", {}).get(SEATS[seat], CAMPS[seat]))


def short_of(told: Mapping[str, Any], key: str, wanted: int) -> int | None:
    """By how many a box falls short of a number; None where its owner has not told."""
    return None if key not in told else max(0, wanted - int(told[key]))
