"""Range and line of sight: whom a unit may strike, and what is in the way."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from referee.games.battlelore.box.components import DISTANCE, HEXES, NEAR, PLACES, WEAPONS, WITHIN
from referee.games.battlelore.state.state import State
from referee.games.kit.hexes import halves, line
from referee.games.kit.places import places_in
from referee.kernel.refusals import Refusal

Sight = tuple[int, int, int, tuple[tuple[int, int], ...]]
"""Masks of the hexes that a line crosses, of those left of its edges, right of them, and edge by edge."""


class _Sights(dict[int, Sight]):
    """``start * 128 + end`` to the line of sight, when first asked for."""

    def __missing__(self, key: int) -> Sight:
        crossed, edges = HEXES.sight(key >> 7, key & 127)
        left = right = 0
        for one, other in edges:
            left |= one
            right |= other
        found = self[key] = crossed, left, right, edges
        return found


SIGHTS = _Sights()


def obstacles(state: State) -> int:
    """The hexes that block the line of sight: every unit, and terrain whose card says so."""
    return state.stand[0] | state.stand[1] | state.ground.sight


def sees(state: State, start: int, end: int, blocking: int) -> bool:
    """Whether the line of sight between two hexes is open."""
    crossed, left, right, edges = SIGHTS[start << 7 | end]
    if crossed & blocking:
        return False
    if not edges:
        return True
    if state.house["los_board_rim"] == "blocks" and _along_the_rim(start, end, blocking):
        return False
    if state.house["los_staggered"] == "blocked":
        return not (left & blocking and right & blocking)
    return not any(one & blocking and other & blocking for one, other in edges)


@lru_cache(maxsize=4096)
def _rim(start: int, end: int) -> tuple[int, int]:
    """Hexes beside the line whose other side lies off the board, by the side on which they are."""
    (x, y), (to_x, to_y) = HEXES.at[start], HEXES.at[end]
    off = {*halves(HEXES)}
    left = right = 0
    for one, other in line((to_x - x, to_y - y)).edges:
        here, there = (x + one[0], y + one[1]), (x + other[0], y + other[1])
        if there in off or there not in HEXES.index:
            left |= 1 << HEXES.index[here] if here in HEXES.index else 0
        if here in off or here not in HEXES.index:
            right |= 1 << HEXES.index[there] if there in HEXES.index else 0
    return left, right


def _along_the_rim(start: int, end: int, blocking: int) -> bool:
    left, right = _rim(start, end)
    return bool((left | right) & blocking)


def reach(state: State, unit: int) -> int:
    """The range of a unit's weapon in hexes."""
    known = state.field.units[unit]
    told = known.reach or int(WEAPONS[known.weapon]["range"])
    return told - 1 if told > 1 and state.house["range_count"] == "both_ends" else told


def is_missile(state: State, unit: int) -> bool:
    """Whether it strikes from afar."""
    known = state.field.units[unit]
    return (known.reach or int(WEAPONS[known.weapon]["range"])) > 1


def targets(state: State, unit: int) -> int:
    """Mask of the hexes whose units this one may strike from where it stands."""
    at, seat = state.at[unit], state.field.units[unit].seat
    enemies = state.stand[1 - seat]
    near = NEAR[at] & enemies
    if near:
        return 0 if state.far else near
    most = reach(state, unit)
    if most == 1:
        return 0
    found = 0
    far = WITHIN[at][most] & enemies
    if far:
        blocking = obstacles(state)
        while far:
            low = far & -far
            if sees(state, at, low.bit_length() - 1, blocking):
                found |= low
            far ^= low
    return found


def in_the_way(state: State, start: int, end: int) -> list[int]:
    """The hexes that cut the line of sight: what a refusal names and the lights show."""
    blocking = obstacles(state)
    crossed, left, right, _ = SIGHTS[start << 7 | end]
    if crossed & blocking:
        return list(places_in(crossed & blocking))
    return list(places_in((left | right) & blocking))


def why_not_target(state: State, unit: int, place: int) -> Refusal | None:
    """Why the unit in ``place`` may not be struck; None where it may, or where no enemy is."""
    at, seat = state.at[unit], state.field.units[unit].seat
    if not state.stand[1 - seat] >> place & 1 or targets(state, unit) >> place & 1:
        return None
    near = NEAR[at] & state.stand[1 - seat]
    about = {"from": PLACES[at], "place": PLACES[place]}
    if near >> place & 1:
        return Refusal("command.known_darken_the_sky", "not_at_neighbours", about)
    if near:
        others = [PLACES[one] for one in places_in(near)]
        return Refusal("range.adjacent_enemy_forces_target", "neighbours_first", {**about, "places": others})
    most = reach(state, unit)
    if DISTANCE[at][place] > most:
        hexes = {**about, "count": DISTANCE[at][place], "range": most}
        return Refusal("range.within_weapon_range", "too_far", hexes)
    cut = {**about, "places": [PLACES[one] for one in in_the_way(state, at, place)]}
    crossed = SIGHTS[at << 7 | place][0] & obstacles(state)
    if crossed:
        return Refusal("los.blocked_by_crossed_obstacle", "line_crossed", cut)
    _, _, _, edges = SIGHTS[at << 7 | place]
    blocking = obstacles(state)
    both = any(one & blocking and other & blocking for one, other in edges)
    rule = "los.edge_both_sides_blocked" if both else "los.staggered_edge_obstacles"
    return Refusal(rule, "line_on_edges", cut)


def refused_targets(state: State, unit: int) -> Iterator[tuple[str, Refusal]]:
    """Every enemy that the unit may not strike, and why."""
    for place in places_in(state.stand[1 - state.field.units[unit].seat]):
        refusal = why_not_target(state, unit, place)
        if refusal is not None:
            yield PLACES[place], refusal
