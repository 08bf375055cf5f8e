"""The board as tables: places are small integers, sets of places are bit masks.

Chapter III.  Places 0 to 45 are the regions in the order of ``box/map.toml``;
then come the boxes inside the Lonely Mountain.  ``NEIGHBOURS[p]`` is the mask
of the regions next to region ``p`` (white borders and fords).
"""

from __future__ import annotations

from referee.games.five_armies.box.components import box_data
from referee.games.kit.box import indices, neighbours, value_of, where
from referee.games.kit.places import IdTuples, NeighbourMasks
from referee.games.kit.places import mask_of as mask_of  # the modules of the game take them from here
from referee.games.kit.places import places_in as places_in

_MAP = box_data("map")
_REGIONS = _MAP["regions"]

REGIONS: tuple[str, ...] = tuple(_REGIONS)
REGION_COUNT = len(REGIONS)
MUSTER_NORTH, MUSTER_WEST, PASS_NORTH, PASS_WEST, EYRIE = range(REGION_COUNT, REGION_COUNT + 5)
BOXES = ("goblin_muster_north", "goblin_muster_west", "pass_north", "pass_west", "eyrie")
PLACES: tuple[str, ...] = REGIONS + BOXES
PLACE: dict[str, int] = indices(PLACES)
PLACE_COUNT = len(PLACES)
ARMY_PLACES = EYRIE
"""Armies stand on places ``0 .. ARMY_PLACES - 1``: regions, Goblin Mustering Points, passes."""

TERRITORIES: tuple[str, ...] = tuple(_MAP["territories"])
BROKEN_LANDS, VALLEY, EASTERN_BANK, SOUTHERN_SPUR = range(4)
TERRAINS = ("hill", "mountain", "plain", "ruins", "swamp")

TERRAIN: tuple[str, ...] = tuple(r["terrain"] for r in _REGIONS.values())
"""Terrain of each region (boxes have none)."""
TERRITORY: tuple[int, ...] = tuple(TERRITORIES.index(r["territory"]) for r in _REGIONS.values()) + (-1,) * 5
"""Territory of each place, -1 for the boxes."""

BIT: tuple[int, ...] = tuple(1 << place for place in range(PLACE_COUNT))
ALL_REGIONS = (1 << REGION_COUNT) - 1


_BORDERS = {(PLACE[border["a"]], PLACE[border["b"]]): border["kind"] for border in _MAP["borders"]}
NEIGHBOURS = neighbours(_BORDERS, PLACE_COUNT)
FORDS = neighbours((pair for pair, kind in _BORDERS.items() if kind == "ford"), PLACE_COUNT)
BORDER = {**_BORDERS, **{(b, a): kind for (a, b), kind in _BORDERS.items()}}
"""``BORDER[a, b]`` is ``plain``, ``slope`` or ``ford`` for neighbouring regions."""
RIVER: frozenset[tuple[int, int]] = frozenset(
    pair for r in _MAP["river"] for pair in ((PLACE[r["a"]], PLACE[r["b"]]), (PLACE[r["b"]], PLACE[r["a"]]))
)
"""Regions that face each other across the river without a ford."""

PASS_OF_MUSTER = {MUSTER_NORTH: PASS_NORTH, MUSTER_WEST: PASS_WEST}
MUSTER_OF_PASS = {PASS_NORTH: MUSTER_NORTH, PASS_WEST: MUSTER_WEST}
EXIT_OF_PASS = {
    PASS_NORTH: PLACE[_MAP["passes"]["north"]["exit"]],
    PASS_WEST: PLACE[_MAP["passes"]["west"]["exit"]],
}
GOBLIN_MUSTERS = mask_of(MUSTER_NORTH, MUSTER_WEST)
PASSES = mask_of(PASS_NORTH, PASS_WEST)
STEPS = tuple(
    1 << {**PASS_OF_MUSTER, **EXIT_OF_PASS}[place] if place in (*PASS_OF_MUSTER, *EXIT_OF_PASS) else near
    for place, near in enumerate(NEIGHBOURS)
)
"""Where an army on each place may step to: neighbours, Mustering Point to pass, pass to its exit.

A closed pass must still be taken out by the caller (``state.closed_passes``).
"""

IN_TERRITORY: tuple[int, ...] = tuple(
    sum(1 << p for p in range(REGION_COUNT) if TERRITORY[p] == territory) for territory in range(4)
)
SETTLEMENTS = where(tuple(_REGIONS.values()), "settlement")
FORTIFICATIONS: tuple[int, ...] = tuple(i for i, r in enumerate(_REGIONS.values()) if "fortification" in r)
FORTIFICATION_INDEX = {place: index for index, place in enumerate(FORTIFICATIONS)}
FORTIFICATION_VALUES: tuple[int, ...] = tuple(
    value_of(r["fortification"]) for r in _REGIONS.values() if "fortification" in r
)
FORTIFICATION_MASK = mask_of(*FORTIFICATIONS)
MOUNTAINS = mask_of(*(place for place, terrain in enumerate(TERRAIN) if terrain == "mountain"))
STRONGHOLDS = SETTLEMENTS | FORTIFICATION_MASK
"""Regions whose control counts: the six settlements and Front Gate."""
POINTS: dict[int, int] = {i: value_of(r["points"]) for i, r in enumerate(_REGIONS.values()) if "points" in r}
MUSTERING = where(tuple(_REGIONS.values()), "mustering")
UNLIMITED = MUSTERING | GOBLIN_MUSTERS
"""Where any number of Shadow units may stand."""

FRONT_GATE = PLACE["front_gate"]
RAVENHILL = PLACE["ravenhill"]
RUINS_OF_DALE = PLACE["ruins_of_dale"]


OPTIONS = IdTuples(PLACES)
"""``OPTIONS[mask]``: the ids of the places in the mask, ready for a request."""


NEAR = NeighbourMasks(NEIGHBOURS)
"""``NEAR[mask]``: the regions next to the places of the mask (passes are next to nothing)."""
