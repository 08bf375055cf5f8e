"""Chapter VI: why an army may not move, or not there, or not in this company."""

from __future__ import annotations

from collections.abc import Iterable

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box import map as board
from referee.games.war_of_the_ring.box.map import places_in
from referee.games.war_of_the_ring.rules import occasions
from referee.games.war_of_the_ring.rules.marching import (
    IMMOBILE,
    SINGLE,
    Moved,
    available,
    destinations,
    leads,
    may_cross,
)
from referee.games.war_of_the_ring.rules.pieces import seat_at
from referee.games.war_of_the_ring.state.armies import GROUP, LEADER_BITS, SEAT_BITS, UNIT_BITS
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal

# --- why not -----------------------------------------------------------------------------------------


def why_not_movers(
    state: State, seat: int, start: int, end: int, figures: int, crossing: int
) -> Iterable[tuple[str, Refusal]]:
    """Who of an army may not go along: those who may not cross, have moved, or never move."""
    about = {"from": board.PLACES[start], "place": board.PLACES[end] if end >= 0 else ""}
    for name in GROUP[figures].counts:
        if name not in GROUP[crossing].counts:
            nation = box.NATIONS[board.NATION_OF_REGION[end]]
            yield name, Refusal("move.borders", "border", about | {"nation": nation})
    for name in GROUP[state.figures[start] & SEAT_BITS[seat]].counts:
        if name not in GROUP[figures].counts:
            yield name, Refusal("move.once_per_action", "", about)
    for character in places_in(state.chars[start] & box.CHARACTERS_OF_SEAT[seat] & IMMOBILE):
        yield box.CHARACTERS[character], Refusal("char.level_zero", "", about)


def why_not_part(state: State, seat: int, start: int, need: str, figures: int, chars: int) -> Refusal | None:
    """Why this part of an army may not march off."""
    about = {"place": board.PLACES[start]}
    if not figures & UNIT_BITS:
        return Refusal("move.army", "no_unit", about)
    left = state.figures[start] & SEAT_BITS[seat] & ~0
    left -= figures
    if left & LEADER_BITS and not left & UNIT_BITS:
        return Refusal("move.leaders_follow", "leaders_alone", about)
    if need and not leads(state, figures, chars):
        return Refusal("move.led_by_character_die", "no_leader_along", about)
    return None


def may_enter(state: State, seat: int, start: int, end: int, figures: int) -> Refusal | None:
    """Why an army may not go from a region to another; None where it may."""
    about = {"from": board.PLACES[start], "place": board.PLACES[end]}
    if not board.NEIGHBOURS[start] >> end & 1:
        return Refusal("move.adjacent", "not_adjacent", about)
    if state.armies[1 - seat] >> end & 1:
        return Refusal("move.not_into_enemy_army", "enemy_army", about)
    if seat == box.SHADOW and occasions.closed_to_shadow(state) >> end & 1:
        return Refusal("move.closed_by_card", "", about)
    if not may_cross(state, figures, end) & UNIT_BITS:
        return Refusal("move.borders", "border", about | {"nation": box.NATIONS[board.NATION_OF_REGION[end]]})
    return None


def why_not_destinations(
    state: State, seat: int, start: int, need: str, figures: int, chars: int, within: int
) -> Iterable[tuple[str, Refusal]]:
    """Every other region, with the reason why the army may not go there."""
    ends = destinations(state, seat, start, need, figures, chars) & within
    for end in places_in(board.ALL_REGIONS & ~ends & ~(1 << start)):
        refusal = may_enter(state, seat, start, end, figures)
        about = {"from": board.PLACES[start], "place": board.PLACES[end]}
        if refusal is None and not within >> end & 1:
            refusal = Refusal("move.adjacent", "outside_card", about)
        yield board.PLACES[end], refusal or _why_not_for_leaders(state, start, about)


def why_not_onward(
    state: State, seat: int, place: int, figures: int, near: int
) -> Iterable[tuple[str, Refusal]]:
    """The regions to which an army on the march does not go on, and why."""
    for end in places_in(board.ALL_REGIONS & ~near & ~(1 << place)):
        about = {"from": board.PLACES[place], "place": board.PLACES[end]}
        refusal = may_enter(state, seat, place, end, figures)
        yield board.PLACES[end], refusal or Refusal("move.borders", "part_would_stay", about)


def _why_not_for_leaders(state: State, start: int, about: dict[str, str]) -> Refusal:
    """Units may go there, but no leader with them."""
    if state.figures[start] & UNIT_BITS in SINGLE:
        return Refusal("move.leaders_follow", "leader_would_stay", about)
    return Refusal("move.led_by_character_die", "leader_border", about)


def why_not_starts(
    state: State, seat: int, need: str, able: int, moved: Moved
) -> Iterable[tuple[str, Refusal]]:
    """Every other place, with the reason why no army of ``seat`` can move from there."""
    for place in range(len(board.PLACES)):
        if able >> place & 1:
            continue
        yield board.PLACES[place], why_not_move_from(state, seat, place, need, moved)


def why_not_move_from(state: State, seat: int, place: int, need: str, moved: Moved) -> Refusal:
    """Why no army of ``seat`` can move from a place."""
    about = {"place": board.PLACES[place]}
    if not state.armies[seat] >> place & 1:
        rule = "move.army" if seat_at(state, place) < 0 else "move.own_army"
        return Refusal(rule, "no_army_here" if rule == "move.army" else "enemy_army_here", about)
    if place >= len(board.NEIGHBOURS):
        return Refusal("siege.garrison_stays", "", about)
    figures, chars = available(state, seat, place, moved)
    if not figures & UNIT_BITS:
        return Refusal("move.once_per_action", "", about)
    if need and not leads(state, figures, chars):
        return Refusal("move.led_by_character_die", "no_leader_here", about)
    return Refusal("move.adjacent", "nowhere_to_go", about)
