"""What is in the box, as constants and tables, read once from ``box/*.toml``.

Everything here is known of every copy of the game.  What only the owner's copy
tells (a movement rating, a start region) is absent and asked for at the table.
Seats, unit types, characters and faces are small integers inside the engine
and readable ids outside; the tuples of ids below translate.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from referee.games.kit.box import box_reader, die_types, indices, value_of
from referee.kernel.dice import DieType

box_data = box_reader(Path(__file__).parent)

# --- seats -----------------------------------------------------------------------------------

FREE, SHADOW = 0, 1
SEATS = ("free", "shadow")

# --- army units ------------------------------------------------------------------------------

_UNITS = box_data("units")["units"]
UNITS: tuple[str, ...] = tuple(_UNITS)
UNIT = indices(UNITS)
UNIT_ALIASES = {unit["one"]: name for name, unit in _UNITS.items() if unit["one"] != name}
"""What one unit is called in files and moves, to the id of its type."""
DWARF_REGULARS, DWARF_VETERANS, ELVEN_ARCHERS, ELVEN_SPEARMEN, LAKE_MEN = range(5)
GOBLINS, ORCS, GREAT_ORCS, WARGS = range(5, 9)
SEAT_OF_UNIT: tuple[int, ...] = tuple(SEATS.index(unit["side"]) for unit in _UNITS.values())
FREE_UNITS = tuple(range(DWARF_REGULARS, GOBLINS))
SHADOW_UNITS = tuple(range(GOBLINS, len(UNITS)))
UNITS_OF_SEAT = (FREE_UNITS, SHADOW_UNITS)
FIGURES: tuple[int, ...] = tuple(value_of(unit["figures"]) for unit in _UNITS.values())
COMBAT_STRENGTH: tuple[int, ...] = tuple(unit["combat"] for unit in _UNITS.values())
FAVOURED: tuple[frozenset[str], ...] = tuple(frozenset(unit["favoured"]) for unit in _UNITS.values())
FAVOURED_ATTACKING: tuple[frozenset[str], ...] = tuple(
    frozenset(unit["favoured"]) | frozenset(unit.get("favoured_when_attacking", ()))
    for unit in _UNITS.values()
)
MANOEUVRE: tuple[str, ...] = tuple(unit["manoeuvre"] for unit in _UNITS.values())
PEOPLE: tuple[str, ...] = tuple(unit.get("people", "") for unit in _UNITS.values())
EAGLES_IN_BOX: int = value_of(box_data("units")["special"]["eagles"]["figures"])
BATS_IN_BOX: int = value_of(box_data("units")["special"]["great_bats"]["figures"])
ARMY_LIMIT = 5
HAND_LIMIT = 6

# --- characters ------------------------------------------------------------------------------

_CHARACTERS = box_data("characters")["characters"]
CHARACTERS: tuple[str, ...] = tuple(_CHARACTERS)
CHARACTER = indices(CHARACTERS)
BARD, DAIN, GANDALF, THRANDUIL, LORD, THORIN, BILBO, BEORN, BOLG = range(9)
SEAT_OF_CHARACTER: tuple[int, ...] = tuple(SEATS.index(entry["side"]) for entry in _CHARACTERS.values())
GENERALS: tuple[int, ...] = tuple(i for i, e in enumerate(_CHARACTERS.values()) if e.get("general"))
FATE_SPACE: tuple[int, ...] = tuple(value_of(e.get("fate_space", -1)) for e in _CHARACTERS.values())
"""The Fate track's space of each character who starts there, -1 for the others."""
LEADERSHIP: tuple[int | None, ...] = tuple(value_of(e.get("leadership")) for e in _CHARACTERS.values())
RATINGS: tuple[int, ...] = tuple(-1 if value is None else value for value in LEADERSHIP)
"""Leadership of each character, -1 where only the printed card tells it."""
MOVEMENT: tuple[int | None, ...] = tuple(value_of(e.get("movement")) for e in _CHARACTERS.values())
CHARACTER_BITS = (0b0_1111_1111, 0b1_0000_0000)
"""The characters of each seat as a bit mask, bit ``i`` for character ``i``."""
WALKERS = (
    CHARACTER_BITS[FREE] & ~(1 << LORD | 1 << BEORN),
    CHARACTER_BITS[SHADOW],
)
"""Characters who move by the rules for characters: all but Beorn and the Lord of the Eagles."""
WRATH_AT_ENTRY: int = value_of(_CHARACTERS["beorn"]["wrath"])
WRATH_MOST: int = value_of(_CHARACTERS["beorn"]["wrath_most"])
BODYGUARDS_AT_ENTRY: int = value_of(_CHARACTERS["bolg"]["bodyguards"])
BODYGUARDS_WITH_DALE: int = value_of(_CHARACTERS["bolg"]["bodyguards_with_ruins_of_dale"])

# --- recruitment tokens and Fate tiles ---------------------------------------------------------

_TOKENS = box_data("fate")["tokens"]
TOKEN_GROUPS: tuple[str, ...] = tuple(_TOKENS)
DWARVES_AND_MEN, ELVES, SHADOW_TOKENS = range(3)
SEAT_OF_GROUP: tuple[int, ...] = tuple(SEATS.index(group["side"]) for group in _TOKENS.values())
GROUPS_OF_SEAT = ((DWARVES_AND_MEN, ELVES), (SHADOW_TOKENS,))
TOKENS_IN_BOX: tuple[int, ...] = tuple(value_of(group["total"]) for group in _TOKENS.values())
TOKEN_FACES: tuple[Mapping[str, tuple[int, int]], ...] = tuple(
    {face: (UNIT[shown["unit"]], shown["count"]) for face, shown in group["faces"].items()}
    for group in _TOKENS.values()
)
"""For each group: face id to (unit type, how many)."""
UNITS_OF_GROUP: tuple[tuple[int, ...], ...] = tuple(
    tuple(dict.fromkeys(unit for unit, _ in faces.values())) for faces in TOKEN_FACES
)
_TILES = box_data("fate")["tiles"]
STANDARD_TILES: int = value_of(_TILES["standard"])
TILES: Mapping[str, tuple[int, bool]] = {
    face: (tile["number"], tile["icon"]) for face, tile in _TILES["faces"].items()
}
"""Fate tile id to (number, whether it shows the Fate icon)."""
SPECIAL_TILES: tuple[str, ...] = tuple(f for f, tile in _TILES["faces"].items() if "special" in tile)
STANDARD_TILE_FACES: tuple[str, ...] = tuple(face for face in TILES if face not in SPECIAL_TILES)
FATE_END: int = value_of(box_data("fate")["track"]["end"])

# --- cards -----------------------------------------------------------------------------------

EVENT_CARDS, STORY_CARDS, FATE_CARDS = 30, 20, 9

# --- dice ------------------------------------------------------------------------------------

FACES = ("character", "army", "muster", "muster_army", "event", "will_of_the_west", "lidless_eye")
F_CHARACTER, F_ARMY, F_MUSTER, F_MUSTER_ARMY, F_EVENT, F_WEST, F_EYE = range(7)
FACE = indices(FACES)
BASE_POOL = (5, 6)
DICE: Mapping[str, DieType] = die_types(box_data("dice"))
ACTION_DIE = ("free_action", "shadow_action")
