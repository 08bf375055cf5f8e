"""What is in the box, as tables: seats, dice, troops, weapons, terrain, creatures; and the board's hexes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.games.kit.box import box_reader, die_types, indices, value_of
from referee.games.kit.hexes import HexRows
from referee.games.kit.places import IdTuples

FOLDER = Path(__file__).parent
box_data = box_reader(FOLDER)

SEATS = ("south", "north")
SOUTH, NORTH = 0, 1
_UNITS = box_data("units")
DICE = die_types(_UNITS["dice"])
FACES: tuple[str, ...] = tuple(_UNITS["dice"]["battle"]["faces"])
BONUS, FLAG, LORE = "sword_on_shield", "flag", "lore"

# --- the board ---------------------------------------------------------------------------------------

ROWS = 9
HEXES = HexRows(tuple(13 - row % 2 for row in range(ROWS)))
"""Rows of 13 and 12 hexes in turn, from South's edge: 113 full hexes.  The half hexes are no places."""
PLACES = HEXES.ids
PLACE = indices(PLACES)
PLACE_COUNT = len(PLACES)
NEAR = HEXES.neighbours
DISTANCE = HEXES.distances
OPTIONS = IdTuples(PLACES)
"""``OPTIONS[mask]``: the ids of the hexes in a mask."""
BACK = tuple(
    tuple(
        tuple(at for at in (HEXES.step(place, -1, dy), HEXES.step(place, 1, dy)) if at >= 0) for dy in (-1, 1)
    )
    for place in range(PLACE_COUNT)
)
"""``BACK[place][seat]``: the hexes one row nearer to the seat's own edge."""
ROW_OF = tuple(y for _, y in HEXES.at)
WITHIN = tuple(
    tuple(
        sum(1 << p for p in range(PLACE_COUNT) if p != at and DISTANCE[at][p] <= reach) for reach in range(25)
    )
    for at in range(PLACE_COUNT)
)
"""``WITHIN[place][n]``: mask of the other hexes at most ``n`` away."""

# --- sections ----------------------------------------------------------------------------------------

SECTIONS = ("left", "center", "right")
LEFT, CENTER, RIGHT = 1, 2, 4
LAYOUTS: Mapping[str, tuple[int, int]] = {"inward": (8, 16), "outward": (6, 18), "cut_twelve": (7, 17)}
"""Where the two dotted lines may lie (doubled column); which it is the owner's board tells."""
WIDEST = 24


def sections_of(lines: tuple[int, int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """For each seat, the mask of sections (as it sees them) of every hex; a hex that a line cuts is in
    two."""
    first, second = lines

    def of(x: int) -> int:
        return LEFT * (x <= first) | CENTER * (first <= x <= second) | RIGHT * (x >= second)

    south = tuple(of(x) for x, _ in HEXES.at)
    mirrored = (LEFT, CENTER, RIGHT)

    def north(mask: int) -> int:
        return sum(mirrored[2 - n] for n in range(3) if mask >> n & 1)

    return south, tuple(map(north, south))


# --- troops ------------------------------------------------------------------------------------------

COLOURS: tuple[str, ...] = tuple(_UNITS["colours"])
HELMETS = tuple(f"{colour}_helmet" for colour in COLOURS)
"""The face that hits units of each colour."""
BASE_DICE = tuple(_UNITS["colours"].values())
CLASSES: tuple[str, ...] = tuple(_UNITS["figures"])
FOOT, MOUNTED, CREATURE = range(3)
FIGURES = tuple(_UNITS["figures"].values())
MOVES: Mapping[tuple[int, int], tuple[int, int]] = {
    (kind, colour): tuple(value_of(_UNITS["moves"][f"{CLASSES[min(kind, 1)]}_{name}"]))
    for kind in (FOOT, MOUNTED)
    for colour, name in enumerate(COLOURS)
}
"""(class, colour) to the hexes that a unit may go, and after how many of them it may still fight."""
WEAPONS: Mapping[str, Mapping[str, Any]] = {
    name: {key: value_of(entry) for key, entry in card.items()} for name, card in _UNITS["weapons"].items()
}
BONUS_WAYS = ("none", "all", "all_but_one_mounted", "ranged")
"""Which bonus strikes of a weapon hit."""
RACES: Mapping[str, Mapping[str, Any]] = _UNITS["races"]
CREATURES: Mapping[str, Mapping[str, Any]] = _UNITS["creatures"]

SUPPLY: Mapping[str, int] = {name: value_of(entry) for name, entry in _UNITS["supply"].items()}
"""How many banner bearers, figures and tiles lie in the box."""
CAMPS = ("pennant", "standard")
"""The two camps, told apart by the pattern of their banners."""

# --- terrain -----------------------------------------------------------------------------------------

_TERRAIN = box_data("terrain")
TERRAIN: Mapping[str, Mapping[str, Any]] = _TERRAIN["terrain"]
TERRAIN_FIELDS: Mapping[str, tuple[str, ...]] = {
    "stop": ("no", "yes"),
    "fight": ("yes", "no"),
    "cap": ("9", "1", "2", "3", "4"),
    "sight": ("no", "yes"),
    "closed": ("no", "yes"),
    "bold": ("0", "1", "2"),
}
"""What a summary card may say of a terrain, with the answers; the first is what it says where it says
nothing."""
MASTERS: Mapping[str, Mapping[str, str]] = _TERRAIN["masters"]
MASTER_PLACE = {master: entry["place"] for master, entry in MASTERS.items()}
LAIR = "lair"
TILES = tuple(kind for kind in TERRAIN if kind != LAIR)
"""Terrain that a scenario may lay; lairs are set by the players."""

# --- the war council ---------------------------------------------------------------------------------

COUNCIL = ("commander", "wizard", "cleric", "rogue", "warrior", "creature")
LORE_CLASSES = ("warrior", "wizard", "cleric", "rogue")
HIGHEST_LEVEL = 3
LEVELS_SHARED = 6
HAND_OF_COMMANDER = (3, 4, 5, 6)
DECK_BY_COUNCILS = (5, 8, 14)
"""Lore cards of a class in the deck: master in no council, in one, in both."""
OUT_OF_CHARACTER = 3
OUT_OF_SECTION = 3
