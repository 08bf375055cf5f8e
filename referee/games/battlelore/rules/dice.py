"""How many dice a unit rolls, step by step, and which faces hit."""

from __future__ import annotations

from referee.games.battlelore.box.components import BASE_DICE, BONUS, HELMETS, MOUNTED, NEAR, WEAPONS
from referee.games.battlelore.state.fight import BATTLE_BACK, Fight
from referee.games.battlelore.state.state import State, mark_of

Reason = tuple[str, int]
"""A step of the reckoning (a message ``dice.<step>``), and the dice after it."""


def reckon(state: State, fight: Fight) -> list[Reason]:
    """The dice of a blow: base by colour, the moved bow, the ceilings of both hexes, then what cards add."""
    unit = state.field.units[fight.attacker]
    if fight.fixed:
        return [("fixed", fight.fixed)]
    count = unit.dice or BASE_DICE[state.colour[fight.attacker]]
    found: list[Reason] = [("base", count)]
    back = fight.kind == BATTLE_BACK
    moved = WEAPONS[unit.weapon].get("moved", 0)
    if moved and not back and state.left >> fight.attacker & 1:
        count = max(1, count + int(moved))
        found.append(("moved", count))
    ceiling = min(state.ground.cap[fight.where], state.ground.cap[fight.hex])
    if ceiling < count and not mark_of(state, fight.attacker, "no_ceiling"):
        count = ceiling
        found.append(("ceiling", count))
    if not back:
        added = state.bonus
        if state.marks:
            added += mark_of(state, fight.attacker, "dice")
            if is_melee(fight):
                added += mark_of(state, fight.attacker, "dice_melee")
        if added:
            count += added
            found.append(("bonus", count))
    return found


def is_melee(fight: Fight) -> bool:
    """Whether the blow is struck at a neighbour."""
    return bool(NEAR[fight.where] >> fight.hex & 1)


def bonus_way(state: State, fight: Fight) -> str:
    """Which bonus strikes of the attacker hit; see ``box/units.toml``."""
    unit = state.field.units[fight.attacker]
    if mark_of(state, fight.attacker, "bonus_hits") and fight.kind != BATTLE_BACK:
        return "all"
    told = unit.bonus or WEAPONS[unit.weapon].get("bonus")
    return str(told or state.values.get(f"weapon.{unit.weapon}.bonus", "none"))


def bonus_strikes(state: State, fight: Fight, rolled: int) -> int:
    """How many of the bonus strikes rolled hit."""
    way = bonus_way(state, fight)
    if way == "none" or (way == "ranged" and is_melee(fight)):
        return 0
    if way == "all_but_one_mounted" and state.field.units[fight.target].kind == MOUNTED:
        return max(0, rolled - 1)
    return rolled


def hits(state: State, fight: Fight) -> int:
    """Helmets in the target's colour and bonus strikes that count, less what a card keeps off."""
    faces = fight.faces
    found = faces.count(HELMETS[state.colour[fight.target]])
    strikes = faces.count(BONUS)
    if strikes:
        found += bonus_strikes(state, fight, strikes)
    return max(0, found - fight.shield)
