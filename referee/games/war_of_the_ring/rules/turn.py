"""Chapter IV: the turn in its six phases."""

from __future__ import annotations

from referee.games.kit.turn import turns
from referee.games.war_of_the_ring.box.components import FACES, FREE, SHADOW
from referee.games.war_of_the_ring.rules import dice_pools, fellowship, hunt, mordor
from referee.games.war_of_the_ring.rules.action_dice import action_phase, roll_action_dice
from referee.games.war_of_the_ring.rules.asking import Ask
from referee.games.war_of_the_ring.rules.decks import draw_one_of_each
from referee.games.war_of_the_ring.rules.victory import check_end_of_turn
from referee.games.war_of_the_ring.state.state import State


def play_turns(state: State) -> Ask:
    """Turn after turn, each from the phase the state stands in, until somebody wins."""
    return turns(state, PHASES)


def recovery(state: State) -> Ask:
    """Phase 1: all dice are taken back, the pools set by what holds now, and each player draws two cards."""
    take_dice_back(state)
    state.pool = [dice_pools.free_pool(state), dice_pools.shadow_pool(state)]
    for seat in (FREE, SHADOW):
        yield from draw_one_of_each(state, seat)


def take_dice_back(state: State) -> None:
    """Used dice and those in the Hunt Box come back; what was noted for one turn is forgotten."""
    state.free_die_in_box = state.hunt_dice[FREE] > 0
    state.hunt_dice = [0, 0]
    state.unused = [[0] * len(FACES), [0] * len(FACES)]
    state.used = [[0] * len(FACES), [0] * len(FACES)]
    state.ring_used = [False, False]
    state.mouth_used = False
    state.ring_moved = False
    state.declared = False


def actions_and_burden(state: State) -> Ask:
    """Phase 5: the actions; when they are done, idle Ring-bearers in Mordor are burdened."""
    yield from action_phase(state)
    mordor.end_of_phase5(state)


def victory_check(state: State) -> Ask:
    """Phase 6: who has won by points."""
    check_end_of_turn(state)
    return
    yield


PHASES = (
    recovery,
    fellowship.fellowship_phase,
    hunt.hunt_allocation,
    roll_action_dice,
    actions_and_burden,
    victory_check,
)
