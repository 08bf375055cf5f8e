"""Movement: how far a unit goes, what stops it, and the rush of the goblins."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.battlelore.box.components import (
    CREATURE,
    DISTANCE,
    FOOT,
    MOVES,
    NEAR,
    OPTIONS,
    PLACE,
    PLACES,
    RACES,
    SEATS,
)
from referee.games.battlelore.rules import occasions
from referee.games.battlelore.rules.ordering import DONE, with_done
from referee.games.battlelore.state.state import State, mark_of, put
from referee.games.kit.asking import Ask
from referee.games.kit.places import places_in
from referee.kernel.play import MILESTONE
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne

LORE_CARD, NO_RUSH = "lore_card", "no_rush"
RUSH = int(RACES["goblin"]["rush"])
"""Hexes of a rush."""


def allowance(state: State, unit: int) -> tuple[int, int]:
    """Hexes that a unit may go this turn, and after how many of them it may still fight."""
    known = state.field.units[unit]
    kind = FOOT if known.kind == CREATURE else known.kind
    most, fighting = MOVES[kind, state.colour[unit]]
    if kind == FOOT and state.colour[unit] == 2 and state.house["red_foot_fight_after_move"] == "no":
        fighting = 0
    more = state.extra
    if state.marks:
        more += mark_of(state, unit, "hexes")
    return most + more, fighting + more


def steps(state: State, unit: int, most: int) -> list[int]:
    """Masks of the free hexes at one step, two steps... on the shortest way, up to ``most``."""
    at, ground = state.at[unit], state.ground
    taken = state.stand[0] | state.stand[1]
    passed = 0
    if state.marks and mark_of(state, unit, "through"):
        passed = state.stand[state.field.units[unit].seat]
    closed = ground.closed | (taken & ~passed)
    seen, edge, found = 1 << at, 1 << at, []
    for _ in range(most):
        near = 0
        while edge:
            low = edge & -edge
            near |= NEAR[low.bit_length() - 1]
            edge ^= low
        near &= ~(seen | closed)
        if not near:
            break
        seen |= near
        found.append(near & ~taken)
        edge = near & ~ground.stop
    return found


def destinations(state: State, unit: int) -> int:
    """Mask of the hexes to which a unit may move now."""
    found = 0
    for mask in steps(state, unit, allowance(state, unit)[0]):
        found |= mask
    return found


def lore_option(state: State, when: str) -> tuple[str, ...]:
    """The option of a lore card, where one of this phase could be played."""
    if state.field.lore and occasions.may_play_lore(state, state.active, when):
        return (LORE_CARD,)
    return ()


# --- the phase ---------------------------------------------------------------------------------------


def move_phase(state: State) -> Ask:
    """Ordered units move one after the other, each once."""
    while not state.still:
        movers = _movers(state)
        lore = lore_option(state, "movement")
        if not movers and not lore:
            return
        chosen = yield ChooseOne(
            SEATS[state.active],
            "prompt.move_unit",
            with_done(movers, *lore),
            domain="place",
            rule="move.one_after_another",
            refused=lambda: _refused_movers(state),
        )
        if chosen == DONE:
            return
        if chosen == LORE_CARD:
            yield from occasions.own_lore(state, state.active, "movement")
        else:
            yield from _move(state, state.unit_at[PLACE[chosen]])
        yield MILESTONE


def _movers(state: State) -> int:
    """Mask of the hexes of units that are still to move and have a way."""
    found, units = 0, state.ordered & ~state.moved
    taken = state.stand[0] | state.stand[1] | state.ground.closed
    while units:
        low = units & -units
        at = state.at[low.bit_length() - 1]
        if at >= 0 and (NEAR[at] & ~taken or state.marks):
            found |= 1 << at
        units ^= low
    return found


def _refused_movers(state: State) -> Iterator[tuple[str, Refusal]]:
    movers = _movers(state)
    for place in places_in(state.stand[state.active] & ~movers):
        unit, about = state.unit_at[place], {"place": PLACES[place]}
        if not state.ordered >> unit & 1:
            yield PLACES[place], Refusal("activate.only_activated_may_act", "not_ordered", about)
        elif state.moved >> unit & 1:
            yield PLACES[place], Refusal("move.once_per_turn", "moved_already", about)
        else:
            yield PLACES[place], Refusal("move.not_through_occupied", "no_way", about)


def _move(state: State, unit: int) -> Ask:
    target = yield from _ask_rush(state, unit)
    at = state.at[unit]
    if target >= 0:
        could = rush_hexes(state, unit, target)
        state.rush.append([unit, state.unit_at[target]])
    else:
        could = destinations(state, unit)
        if not could:
            state.moved |= 1 << unit
            return
    chosen = yield ChooseOne(
        SEATS[state.active],
        "prompt.move_to",
        OPTIONS[could],
        domain="place",
        about={"from": PLACES[at]},
        rule="move.allowance_by_colour_and_type",
        refused=lambda: refused_moves(state, unit, could),
    )
    go(state, unit, PLACE[chosen], rushes=target >= 0)


def go(state: State, unit: int, place: int, *, rushes: bool = False) -> None:
    """Carry a move out; a unit that went too far, or onto a special place, fights no more this turn."""
    bit = 1 << unit
    most, fighting = allowance(state, unit)
    if not rushes and fighting < most:
        near = 0
        for mask in steps(state, unit, fighting):
            near |= mask
        if not near >> place & 1:
            state.barred |= bit
    put(state, unit, place)
    state.moved |= bit
    state.left |= bit
    if state.ground.calm >> place & 1:
        state.barred |= bit


def refused_moves(state: State, unit: int, could: int) -> Iterator[tuple[str, Refusal]]:
    """Every hex within two more than its allowance to which a unit may not move, and why."""
    at, most = state.at[unit], allowance(state, unit)[0] + 2
    for place, name in enumerate(PLACES):
        if place != at and not could >> place & 1 and DISTANCE[at][place] <= most:
            yield name, why_not_move(state, unit, place)


def why_not_move(state: State, unit: int, place: int) -> Refusal:
    """Why a unit may not move to a hex."""
    at, (most, _) = state.at[unit], allowance(state, unit)
    about = {"place": PLACES[place], "from": PLACES[at], "count": most}
    if state.ground.closed >> place & 1:
        return Refusal("move.water_impassable", "hex_closed", about)
    if (state.stand[0] | state.stand[1]) >> place & 1:
        return Refusal("move.one_unit_per_hex", "hex_taken", about)
    if DISTANCE[at][place] > most:
        return Refusal(_allowance_rule(state, unit), "too_many_hexes", about)
    if _reached_without(state, unit, most, state.ground.places) >> place & 1:
        return Refusal("landmark.stop_on_entry", "stops_there", about)
    if _reached_without(state, unit, most, -1) >> place & 1:
        return Refusal("move.woods_stop", "stops_there", about)
    return Refusal("move.not_through_occupied", "way_barred", about)


def _allowance_rule(state: State, unit: int) -> str:
    known = state.field.units[unit]
    if known.kind == CREATURE:
        return "creature.moves_like_foot_of_colour"
    if known.kind == FOOT:
        return ("move.foot_green", "move.foot_blue", "move.foot_red")[state.colour[unit]]
    return "move.mounted_values"


def _reached_without(state: State, unit: int, most: int, but: int) -> int:
    """Where it could go if nothing in the hexes ``but`` stopped it."""
    taken = state.stand[0] | state.stand[1] | state.ground.closed
    seen = edge = 1 << state.at[unit]
    for _ in range(most):
        near = 0
        for place in places_in(edge):
            near |= NEAR[place]
        edge = near & ~(taken | seen)
        seen |= edge
        edge &= ~state.ground.stop | but
    return seen


# --- rush --------------------------------------------------------------------------------------------


def can_rush(state: State, unit: int) -> bool:
    """Whether a unit is goblin foot whose rush takes it farther than an ordinary move before a fight."""
    known = state.field.units[unit]
    if known.race != "goblin" or known.kind != FOOT:
        return False
    return allowance(state, unit)[1] < RUSH


def rush_hexes(state: State, unit: int, target: int) -> int:
    """Mask of the hexes beside a target that a rush reaches; those where nobody fights are none."""
    found = 0
    for mask in steps(state, unit, RUSH):
        found |= mask
    return found & NEAR[target] & ~state.ground.calm


def _ask_rush(state: State, unit: int) -> Ask:
    """Declare a rush with its target; -1 for an ordinary move."""
    if not state.field.units[unit].race or not can_rush(state, unit) or not state.attacks:
        return -1
    enemies = state.stand[1 - state.active]
    could = sum(1 << place for place in places_in(enemies) if rush_hexes(state, unit, place))
    if not could:
        return -1

    def refused() -> Iterator[tuple[str, Refusal]]:
        for place in places_in(enemies & ~could):
            about = {"place": PLACES[place], "from": PLACES[state.at[unit]]}
            yield PLACES[place], Refusal("merc.rush_target_in_reach", "no_rush_so_far", about)

    chosen = yield ChooseOne(
        SEATS[state.active],
        "prompt.rush",
        (*OPTIONS[could], NO_RUSH),
        domain="place",
        about={"from": PLACES[state.at[unit]]},
        rule="merc.goblin_rush",
        refused=refused,
    )
    return -1 if chosen == NO_RUSH else PLACE[chosen]
