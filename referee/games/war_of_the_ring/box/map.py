"""The board as tables: places are small integers, sets of places are bit masks.

Places 0 to 104 are the regions in the order of ``box/map.toml``; then comes a
box for each stronghold, where a besieged garrison stands (``<region>_siege``).
"""

from __future__ import annotations

from referee.games.kit.places import IdTuples, NeighbourMasks
from referee.games.kit.places import mask_of as mask_of  # the modules of the game take them from here
from referee.games.kit.places import places_in as places_in
from referee.games.war_of_the_ring.box.components import NATION, SEAT_OF_NATION, box_data

_REGIONS = box_data("map")["regions"]

REGIONS: tuple[str, ...] = tuple(_REGIONS)
REGION_COUNT = len(REGIONS)
STRONGHOLDS: tuple[int, ...] = tuple(
    index for index, region in enumerate(_REGIONS.values()) if region.get("settlement") == "stronghold"
)
"""The regions with a stronghold."""
PLACES: tuple[str, ...] = REGIONS + tuple(f"{REGIONS[region]}_siege" for region in STRONGHOLDS)
PLACE: dict[str, int] = {name: index for index, name in enumerate(PLACES)}
PLACE_COUNT = len(PLACES)
SIEGE_BOX: dict[int, int] = {region: REGION_COUNT + index for index, region in enumerate(STRONGHOLDS)}
"""Stronghold region to the box of its besieged garrison."""
REGION_OF_BOX: dict[int, int] = {box: region for region, box in SIEGE_BOX.items()}
BOXES = (1 << PLACE_COUNT) - (1 << REGION_COUNT)
ALL_REGIONS = (1 << REGION_COUNT) - 1


def region_of(place: int) -> int:
    """The region that a place lies in: itself, or a siege box's region."""
    return REGION_OF_BOX.get(place, place)


def _mask(kind: str) -> int:
    return mask_of(*(i for i, r in enumerate(_REGIONS.values()) if r.get("settlement") == kind))


NEIGHBOURS: tuple[int, ...] = tuple(
    mask_of(*(PLACE[name] for name in region["borders"])) for region in _REGIONS.values()
)
"""``NEIGHBOURS[region]``: mask of the regions next to it across passable borders."""
NATION_OF_REGION: tuple[int, ...] = tuple(
    NATION[region["nation"]] if "nation" in region else -1 for region in _REGIONS.values()
)
"""The nation of each region, -1 where it belongs to none."""
SEAT_OF_REGION: tuple[int, ...] = tuple(
    SEAT_OF_NATION[nation] if nation >= 0 else -1 for nation in NATION_OF_REGION
)
IN_NATION: tuple[int, ...] = tuple(
    mask_of(*(i for i in range(REGION_COUNT) if NATION_OF_REGION[i] == nation)) for nation in range(8)
)
"""Mask of the regions of each nation."""
TOWNS, CITIES, STRONGHOLD_MASK = _mask("town"), _mask("city"), _mask("stronghold")
FORTIFICATIONS = _mask("fortification")
"""Osgiliath and the Fords of Isen: no settlements."""
SETTLEMENTS = TOWNS | CITIES | STRONGHOLD_MASK
OF_SEAT: tuple[int, int] = (
    mask_of(*(i for i in range(REGION_COUNT) if SEAT_OF_REGION[i] == 0)),
    mask_of(*(i for i in range(REGION_COUNT) if SEAT_OF_REGION[i] == 1)),
)
"""Mask of the regions inside the borders of each seat's nations."""
POINTS: dict[int, int] = {i: r["vp"] for i, r in enumerate(_REGIONS.values()) if "vp" in r}
"""Victory points of a settlement for the enemy who controls it."""
COASTAL = mask_of(*(i for i, r in enumerate(_REGIONS.values()) if r.get("coastal")))
EAST_EDGE = mask_of(*(PLACE[name] for name in ("east_rhun", "south_rhun", "khand", "far_harad")))
"""Regions of the Southrons and Easterlings at the east edge (medium certainty)."""


OPTIONS = IdTuples(PLACES)
"""``OPTIONS[mask]``: the ids of the places in the mask, ready for a request."""


NEAR = NeighbourMasks(NEIGHBOURS, ALL_REGIONS)


class _Reach(dict[tuple[int, int], int]):
    """(region, steps) to the mask of all regions at most so many borders away, itself included."""

    def __missing__(self, key: tuple[int, int]) -> int:
        region, steps = key
        mask = 1 << region
        for _ in range(steps):
            mask |= NEAR[mask]
        self[key] = mask
        return mask


REACH = _Reach()


def distance(start: int, end: int) -> int:
    """How many borders lie between two regions on the shortest way."""
    steps = 0
    while not REACH[start, steps] >> end & 1:
        steps += 1
    return steps
