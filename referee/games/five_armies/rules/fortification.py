"""Chapter X, fortifications: Ravenhill, Front Gate and Eastern Spur (p. 28).

A fortification protects whoever is attacked in its region: it takes damage
before the army does, for good, and needs sixes of the attacker while it stands.
"""

from __future__ import annotations

from referee.games.five_armies.box.map import FORTIFICATION_INDEX
from referee.games.five_armies.state.state import State


def stands(state: State, place: int) -> bool:
    """Whether the place has a fortification that is not destroyed yet."""
    index = FORTIFICATION_INDEX.get(place)
    return index is not None and state.fort_damage[index] < state.fort_values[index]


def absorb(state: State, place: int, damage: int) -> int:
    """Put damage on the fortification of a place until it is destroyed; returns what is left for the army."""
    index = FORTIFICATION_INDEX.get(place)
    if index is None:
        return damage
    taken = min(damage, state.fort_values[index] - state.fort_damage[index])
    if taken <= 0:
        return damage
    state.fort_damage[index] += taken
    return damage - taken


def repair(state: State, place: int, damage: int) -> int:
    """Take up to ``damage`` off a fortification (only by a card that says so); returns how much."""
    index = FORTIFICATION_INDEX.get(place)
    if index is None:
        return 0
    taken = min(damage, state.fort_damage[index])
    state.fort_damage[index] -= taken
    return taken
