"""Morale: bold and frightened, added from all their sources, and support."""

from __future__ import annotations

from referee.games.battlelore.box.components import CREATURE, CREATURES, MOUNTED, NEAR, RACES
from referee.games.battlelore.state.state import State, mark_of

Source = tuple[str, int]
"""Where boldness comes from (a message ``morale.<source>``), and how many levels."""


def supported(state: State, unit: int) -> bool:
    """Whether at least two own units stand next to it."""
    friends = NEAR[state.at[unit]] & state.stand[state.field.units[unit].seat]
    return friends & (friends - 1) != 0


def sources(state: State, unit: int) -> list[Source]:
    """Every source of boldness of a unit where it stands now."""
    known, at = state.field.units[unit], state.at[unit]
    if known.kind == CREATURE:
        return [("creature", int(CREATURES.get(known.creature, {}).get("bold", 1)))]
    found: list[Source] = []
    if known.race and RACES[known.race].get("bold"):
        found.append(("race", int(RACES[known.race]["bold"])))
    if supported(state, unit):
        found.append(("support", 1))
    ground = state.ground
    if ground.bold[at]:
        found.append(("ground", ground.bold[at]))
    if ground.held and (known.race == "dwarf" or state.house["stronghold_for_whom"] == "everybody"):
        held = NEAR[at] & ground.held & state.stand[known.seat]
        if held:
            found.append(("stronghold", held.bit_count()))
    if state.marks and (given := mark_of(state, unit, "courage")):
        found.append(("card", given))
    return found


def bold(state: State, unit: int) -> int:
    """How many flags a unit may ignore (a creature: must)."""
    return sum(levels for _, levels in sources(state, unit))


def frightened(state: State, unit: int) -> bool:
    """Whether it runs two hexes a flag, and rolls for panic."""
    race = state.field.units[unit].race
    return bool(race and RACES[race].get("frightened"))


def hexes_per_flag(state: State, unit: int) -> int:
    """Hexes of retreat for each flag that is not ignored."""
    known = state.field.units[unit]
    if known.kind == CREATURE:
        return int(CREATURES.get(known.creature, {}).get("retreat", 2))
    return 2 if frightened(state, unit) else 1


def is_mounted(state: State, unit: int) -> bool:
    """Whether it rides."""
    return state.field.units[unit].kind == MOUNTED
