"""Chapter VI: the defender retreats to a free region next to the battle."""

from __future__ import annotations

from referee.games.kit.asking import refuse_named
from referee.games.war_of_the_ring.box.components import CHARACTERS_OF_SEAT, SHADOW
from referee.games.war_of_the_ring.box.map import NEIGHBOURS, PLACES, places_in
from referee.games.war_of_the_ring.rules import occasions
from referee.games.war_of_the_ring.rules.asking import Ask, choose, choose_place
from referee.games.war_of_the_ring.rules.marching import IMMOBILE
from referee.games.war_of_the_ring.rules.movement import march
from referee.games.war_of_the_ring.rules.pieces import controlled, free_for
from referee.games.war_of_the_ring.state.armies import SEAT_BITS
from referee.games.war_of_the_ring.state.battle import Battle
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal

STAY, RETREAT = "stay", "retreat"


def ways_out(state: State, battle: Battle) -> int:
    """Mask of the regions to which the defender may retreat: next to the battle and strictly free."""
    if battle.siege:
        return 0
    seat = battle.defender
    mask = NEIGHBOURS[battle.target] & free_for(state, seat)
    if seat == SHADOW and state.table_cards:
        mask &= ~occasions.closed_to_shadow(state)
    return mask


def offer_retreat(state: State, battle: Battle) -> Ask:
    """The attacker goes on: the defender may retreat.  True where he does."""
    regions = ways_out(state, battle)
    no_way = Refusal("retreat.free_region", "no_way_out", {"place": PLACES[battle.target]})
    chosen = yield from choose(
        battle.defender,
        "prompt.stay_or_retreat",
        (STAY, RETREAT) if regions else (STAY,),
        about={"place": PLACES[battle.target], "round": battle.round},
        rule="retreat.defender",
        refused=lambda: [] if regions else [(RETREAT, no_way)],
        at_once=(STAY,),
    )
    if chosen == STAY:
        return False
    yield from retreat(state, battle, regions)
    return True


def retreat(state: State, battle: Battle, regions: int) -> Ask:
    """The whole defending army goes to one of these regions; who cannot move stays behind."""
    seat, place = battle.defender, battle.target
    end = yield from choose_place(
        seat,
        "prompt.choose_retreat",
        regions,
        rule="retreat.free_region",
        about={"from": PLACES[place]},
        refused=lambda: why_not_retreat(state, battle, regions),
        otherwise=refuse_named(PLACES, "retreat.defender", "retreat_not_next", "place"),
    )
    figures = state.figures[place] & SEAT_BITS[seat]
    march(state, place, end, figures, state.chars[place] & CHARACTERS_OF_SEAT[seat] & ~IMMOBILE)


def why_not_retreat(state: State, battle: Battle, regions: int) -> list[tuple[str, Refusal]]:
    """The regions next to the battle to which the defender may not retreat, and why."""
    found = []
    seat = battle.defender
    for place in places_in(NEIGHBOURS[battle.target] & ~regions):
        about = {"place": PLACES[place]}
        if state.armies[1 - seat] >> place & 1:
            found.append((PLACES[place], Refusal("retreat.free_region", "retreat_enemy_army", about)))
        elif controlled(state, 1 - seat) >> place & 1:
            found.append((PLACES[place], Refusal("retreat.free_region", "retreat_enemy_settlement", about)))
        else:
            found.append((PLACES[place], Refusal("move.closed_by_card", "", about)))
    return found
