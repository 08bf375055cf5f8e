"""Chapter VI: the end of a battle: who advances, what is captured, what becomes of sieges."""

from __future__ import annotations

from functools import partial

from referee.games.war_of_the_ring.box.components import SEATS
from referee.games.war_of_the_ring.box.map import PLACES, SIEGE_BOX
from referee.games.war_of_the_ring.rules import movement
from referee.games.war_of_the_ring.rules.asking import Ask, ChooseWithDefault
from referee.games.war_of_the_ring.rules.casualties import fall_of_stronghold
from referee.games.war_of_the_ring.rules.fighting import alive, characters, force, why_not_fighting
from referee.games.war_of_the_ring.rules.marching import IMMOBILE
from referee.games.war_of_the_ring.rules.movement import counted, march, unpack
from referee.games.war_of_the_ring.rules.pieces import settle
from referee.games.war_of_the_ring.state.armies import LEADER_BITS, SEAT_BITS, UNIT_BITS
from referee.games.war_of_the_ring.state.battle import DESTROYED, RETREATED, WITHDREW, Battle
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Counts


def finish(state: State, battle: Battle) -> Ask:
    """What follows from the end of a battle; the armies stand where they fought, or where they fled to."""
    if battle.sortie:
        _end_of_sortie(state, battle)
        return
    wins = battle.ended in (RETREATED, WITHDREW, DESTROYED) and alive(state, battle, battle.attacker)
    if battle.ended == DESTROYED and battle.siege:
        fall_of_stronghold(state, battle.region, battle.attacker)
    settle(state, battle.start)
    if battle.ended != WITHDREW:
        settle(state, battle.target)
    if wins and not battle.siege:
        yield from advance(state, battle)
    if battle.ended == WITHDREW:
        if state.armies[battle.attacker] >> battle.region & 1:
            yield from movement.trim(state, SIEGE_BOX[battle.region])
        settle(state, battle.region)


def _end_of_sortie(state: State, battle: Battle) -> None:
    """The garrison is inside again, or the siege is over; with its last unit the stronghold falls."""
    inside = state.armies[battle.attacker] >> battle.start & 1
    if not inside and battle.ended != RETREATED:
        fall_of_stronghold(state, battle.region, battle.defender)
    settle(state, battle.start)
    settle(state, battle.target)


# --- advancing ----------------------------------------------------------------------------------


def advance(state: State, battle: Battle) -> Ask:
    """The winner may move all, a part or none of the attacking army into the region."""
    seat = battle.attacker
    figures = force(state, battle, seat)
    chars = characters(state, battle, seat) & ~IMMOBILE
    limits = counted(figures, chars)
    chosen = yield ChooseWithDefault(
        SEATS[seat],
        "prompt.advance",
        limits,
        default=dict(limits),
        proposes=True,
        refuses=partial(why_not_advance, state, battle),
        domain="unit",
        about={"from": PLACES[battle.start], "to": PLACES[battle.target]},
        rule="battle.advance",
        otherwise=lambda name: why_not_fighting(state, battle, seat, name, "battle.advance"),
    )
    going, with_them = unpack(chosen)
    if going:
        march(state, battle.start, battle.target, going, with_them)


def why_not_advance(state: State, battle: Battle, counts: Counts) -> Refusal | None:
    """Why this part of the attacking army may not advance; nobody at all always may."""
    going, chars = unpack(counts)
    if not going and not chars:
        return None
    about = {"place": PLACES[battle.target]}
    if not going & UNIT_BITS:
        return Refusal("battle.advance", "advance_without_unit", about)
    left = (state.figures[battle.start] & SEAT_BITS[battle.attacker]) - going
    if left & LEADER_BITS and not left & UNIT_BITS:
        return Refusal("move.leaders_follow", "leaders_alone", {"place": PLACES[battle.start]})
    return None
